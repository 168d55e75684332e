/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow.c - a flow seen whole: its other half, its state, its timer */
#include "flow.h"

#include <assert.h>

#include "dp/wire.h"

struct flow_key flow_other(const struct flow_key *key, const struct flow_half *half)
{
	struct flow_key other = {.proto = key->proto, .zone = key->zone};

	if (key->dir == FLOW_OUT) { /* the reply comes from whom we sent to, to what we wrote as our source */
		other.dir = FLOW_IN;
		other.saddr = key->daddr;
		other.sport = key->dport;
		other.daddr = half->addr;
		other.dport = half->port;
	} else {
		other.dir = FLOW_OUT;
		other.saddr = half->addr;
		other.sport = half->port;
		other.daddr = key->saddr;
		other.dport = key->sport;
	}
	return other;
}

u32 flow_entries(const struct dp_config *c)
{
	return 2 + (c->mapping == MAPPING_ENDPOINT_DEPENDENT ? 0 : 2) + (c->filtering == FILTERING_ADDRESS);
}

enum flow_state flow_state(u8 proto, const struct flow_half *out, const struct flow_half *in)
{
	u8 both = out->seen & in->seen, any = out->seen | in->seen;

	if (proto != PROTO_TCP)
		return in->packets ? FLOW_OPEN : FLOW_NEW;
	if (any & SEEN_RST)
		return FLOW_RESET;
	if (both & SEEN_FIN)
		return FLOW_CLOSING;
	/* an ACK from either side answers a segment of the other: SYN-ACK in, then an ACK out; or both mid-stream */
	return both & SEEN_ACK ? FLOW_OPEN : FLOW_NEW;
}

const char *flow_state_name(u8 proto, enum flow_state state)
{
	static const char *const tcp[] = {"opening", "established", "closing", "reset"};
	static const char *const other[] = {"unreplied", "replied", "", ""};

	static_assert(sizeof(tcp) / sizeof(*tcp) == FLOW_STATE_COUNT, "a name for each state");
	return proto == PROTO_TCP ? tcp[state] : other[state];
}

u32 flow_timeout(const struct dp_timers *t, u8 proto, enum flow_state state)
{
	if (proto == PROTO_TCP)
		return state == FLOW_OPEN ? t->tcp_established : t->tcp_transitory;
	return proto == PROTO_ICMP ? t->icmp : t->udp;
}

u32 flow_last(const struct dp_timers *t, u8 proto, const struct flow_half *out, const struct flow_half *in)
{
	if (proto == PROTO_UDP && !t->udp_inbound_refresh)
		return out->last;
	return (int)(in->last - out->last) > 0 ? in->last : out->last;
}

bool flow_expired(const struct dp_timers *t, u8 proto, const struct flow_half *out, const struct flow_half *in, u32 now)
{
	u32 idle = now - flow_last(t, proto, out, in);

	/* a packet may be newer than `now`, which was read before it */
	if ((int)idle < 0)
		return false;
	return idle > TICKS_OF_SECONDS(flow_timeout(t, proto, flow_state(proto, out, in)));
}
