/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel_judge.c - what must hold for every frame at a tunnel's end
 *
 *  - not forwarded: the frame is as it came, and so are all flows (where ports or room are short, a socket may have got
 *    its mapping)
 *  - out of the tunnel: to our end, from one who may send that packet, by a model that is written differently; no mark
 *    of congestion is lost
 *  - into the tunnel: the outer header to the byte, to the end that the model says; at an edge from a port of its set
 *  - TTL one less, all checksums right if they were; at a relay nothing else is changed, but a SYN's MSS
 */
#include "tunnel_judge.h"

#include "../unit/mape_model.h"
#include "../unit/softwire.h"
#include "must.h"

/* Longest IPv4 prefix first. */
static const struct customer *const customers[] = {&customer_v2, &customer_v9, &customer_whole};
static const struct customer *const peers[] = {&customer_v2, &customer_v8, &customer_whole};
#define RULES 3

static const struct customer *const *rules_of(const struct tunnel_judge *j)
{
	return j->bits & END_RELAY ? customers : peers;
}

static void options_set(struct fixture *f, u32 end)
{
	if (end & END_INDEPENDENT)
		f->config.mapping = MAPPING_ENDPOINT_INDEPENDENT;
	if (end & END_SHARE)
		f->config.share = 2;
	if (end & END_DSCP)
		f->tunnel.dscp = 46;
	if (end & END_ECN)
		f->tunnel.ecn = TUNNEL_ECN_COMPATIBILITY;
	if (end & END_SMALL_MTU)
		f->tunnel.mtu = 140;
}

int tunnel_judge_init(struct tunnel_judge *j, u32 end)
{
	struct fixture f;

	if (end & END_RELAY) {
		relay_init(&f, customers, RULES, end & END_MESH);
		options_set(&f, end);
		relay_start(&f);
	} else {
		edge_init(&f, &customer_v9);
		if (end & END_MESH)
			tunnel_rules(&f.tunnel, peers, RULES);
		options_set(&f, end);
		edge_start(&f, end & END_FEW_FLOWS ? 3 : 32);
	}
	if (!f.engine)
		return -1;
	*j = (struct tunnel_judge){.config = f.config, .tunnel = f.tunnel, .engine = f.engine, .bits = end};
	return 0;
}

void tunnel_judge_exit(struct tunnel_judge *j)
{
	engine_free(j->engine);
}

/* Who the outer header says a packet is from, with its relay: customers, border relays, and one who is neither. */
static void outer_ends(const struct tunnel_judge *j, u32 which, struct ip_addr *from, struct ip_addr *to)
{
	u32 i = which % (RULES + 1);

	*to = j->bits & END_RELAY ? j->tunnel.relay[j->bits & END_MESH ? 0 : which % RULES] : j->tunnel.local;
	if (i < RULES)
		*from = customer_end(rules_of(j)[i]);
	else
		*from = j->bits & END_RELAY ? relay_end(9) : j->tunnel.relay[0];
}

/* Puts in front of the packet what `how` says. Returns where the frame begins. */
static u8 *frame_make(const struct tunnel_judge *j, u8 *data, u32 length, u32 how, u32 port)
{
	u32 outer = (how & HOW_OUTER) >> JUDGE_OUTER_SHIFT;
	struct ip_addr from, to;
	u8 *frame = data;
	u32 type;

	if (!(how & HOW_ETHERNET))
		return frame;
	if (outer) {
		outer_ends(j, outer - 1, &from, &to);
		frame -= 40;
		ip6_make(frame, &from, &to, PROTO_IPV4, length);
	}
	type = outer || (length && data[0] >> 4 == 6) ? ETH_TYPE_IPV6 : ETH_TYPE_IPV4;
	frame -= 14;
	memcpy(frame, j->config.port[port].mac, 6);
	memset(frame + 6, 2, 6);
	put16(frame + 12, type);
	return frame;
}

/* A frame in its parts. */
struct parts {
	const u8 *ip6; /* NULL: none */
	const u8 *ip;
	u32 length; /* from the IPv4 header to the frame's end */
};

static struct parts parts_of(const u8 *frame, u32 length)
{
	u32 at = length >= 18 && get16(frame + 12) == ETH_TYPE_VLAN ? 18 : 14;
	struct parts p = {0};

	if (length >= at + 40 && get16(frame + at - 2) == ETH_TYPE_IPV6) {
		p.ip6 = frame + at;
		at += 40;
		if (p.ip6[6] == PROTO_OPTIONS && length >= at + 8)
			at += 8;
	}
	p.ip = frame + at;
	p.length = length > at ? length - at : 0;
	return p;
}

/* The port, and address, of whom a packet is from, or to; of an ICMP error, in what it quotes. An echo has its
 * identifier at an edge for the edge's own port, at a relay for both. */
static u32 port_of(const u8 *ip, bool from, bool relay)
{
	const u8 *quote = quote_of(ip), *p = quote ? quote : ip, *l4 = p + ip_header(p);

	if (quote)
		from = !from; /* it went the other way */
	if (p[9] == PROTO_ICMP)
		return relay ? get16(l4 + 4) : 0;
	return get16(l4 + (from ? 0 : 2));
}

/* At a relay the address is always the packet's own: one that has a whole address needs no ports. */
static be32 addr_of(const u8 *ip, bool from, bool relay)
{
	const u8 *quote = relay ? NULL : quote_of(ip);
	be32 addr;

	memcpy(&addr, quote ? quote + (from ? 16 : 12) : ip + (from ? 12 : 16), 4);
	return addr;
}

/* The rule with the longest IPv4 prefix that has this address, NULL: none. */
static const struct customer *rule_find(const struct tunnel_judge *j, be32 addr)
{
	const struct customer *const *c = rules_of(j), *best = NULL;

	for (u32 i = 0; i < RULES; i++)
		if (!((host32(addr) ^ host32(customer_addr(c[i]))) >> (32 - c[i]->prefix4)) &&
		    (!best || c[i]->prefix4 > best->prefix4))
			best = c[i];
	return best;
}

/* The end that has addr:port by this rule, as RFC 7597 draws it; false where nobody has. */
static bool model_end(const struct customer *c, be32 addr, u32 port, struct ip_addr *end)
{
	struct model m = {
		.prefix6 = bits_cut(bits_of(c->prefix.hi, 64), 0, c->prefix6),
		.prefix4 = bits_cut(bits_of(host32(customer_addr(c)), 32), 0, c->prefix4),
		.ea = c->ea,
		.a = c->offset,
		.k = c->k,
		.draft03 = c->format == MAPE_DRAFT03,
	};
	bits b = model_destination(&m, bits_of(host32(addr), 32), bits_of(port, 16));

	for (int i = 0; i < 4; i++)
		end->w[i] = be32_of((u32)bits_value(bits_cut(b, 32 * i, 32)));
	return model_port_valid(&m, bits_of(port, 16));
}

static bool ends_equal(const void *a, const void *b)
{
	return !memcmp(a, b, 16);
}

static bool later_fragment(const u8 *ip)
{
	return get16(ip + 6) & IPV4_OFFSET;
}

/* The IPv6 source of what was let in: of a later fragment, whose ports are not in it, at least its address. */
static void source_check(const struct tunnel_judge *j, const struct parts *old)
{
	bool relay = j->bits & END_RELAY;
	const struct customer *c = rule_find(j, addr_of(old->ip, true, relay));
	struct ip_addr end;

	if (relay && j->bits & END_MESH)
		MUST(ends_equal(old->ip6 + 24, &j->tunnel.relay[0]));
	if (!relay) {
		MUST(ends_equal(old->ip6 + 24, &j->tunnel.local));
		if (ends_equal(old->ip6 + 8, &j->tunnel.relay[0]))
			return;
		MUST(j->bits & END_MESH);
	}
	MUST(c);
	if (relay && c->k && quote_of(old->ip))
		MUST(!memcmp(old->ip + 12, quote_of(old->ip) + 16, 4));
	for (u32 i = 0; relay && !(j->bits & END_MESH) && i < RULES; i++)
		MUST(customers[i] != c || ends_equal(old->ip6 + 24, &j->tunnel.relay[i]));
	if (later_fragment(old->ip) && c->k) {
		u32 psid = c->format == MAPE_DRAFT03 ? old->ip6[22] : old->ip6[23];

		MUST(psid < 1u << c->k);
		model_end(c, addr_of(old->ip, true, relay), psid << (16 - c->offset - c->k), &end);
		MUST(ends_equal(old->ip6 + 8, &end));
		return;
	}
	MUST(model_end(c, addr_of(old->ip, true, relay), c->k ? port_of(old->ip, true, relay) : 0xffff, &end));
	MUST(ends_equal(old->ip6 + 8, &end));
}

/* RFC 6040, 4.2, from its words: CE outside stays, ECT(1) outside replaces ECT(0), all else is as inside. */
static u32 tos_left(const struct parts *old)
{
	u32 tos = old->ip[1], outer = old->ip6 ? old->ip6[1] >> 4 & 3 : 0;

	if (!(tos & 3))
		MUST(outer != 3);
	else if (outer == 3 || (outer == 1 && (tos & 3) == 2))
		return (tos & 0xfc) | outer;
	return tos;
}

/* The outer header that was put in front. */
static void encap_check(const struct tunnel_judge *j, const struct parts *new)
{
	bool relay = j->bits & END_RELAY;
	const struct customer *c =
		j->bits & (END_RELAY | END_MESH) ? rule_find(j, addr_of(new->ip, false, relay)) : NULL;
	u32 class = (j->bits & END_DSCP ? 46u << 2 : new->ip[1] & 0xfcu) | (j->bits & END_ECN ? 0 : new->ip[1] & 3u);
	struct ip_addr end = j->tunnel.relay[0];
	u32 i = 0;

	MUST(((new->ip6[0] & 15u) << 4 | new->ip6[1] >> 4) == class && new->ip6[0] >> 4 == 6);
	MUST(!(new->ip6[1] & 15) && !new->ip6[2] && !new->ip6[3]);
	MUST(get16(new->ip6 + 4) == ip_length(new->ip) && new->ip6[6] == PROTO_IPV4 &&new->ip6[7] == 64);
	MUST(ip_length(new->ip) + 40 <= j->tunnel.mtu);
	if (relay) {
		MUST(c);
		while (customers[i] != c)
			i++;
		MUST(ends_equal(new->ip6 + 8, &j->tunnel.relay[j->bits & END_MESH ? 0 : i]));
	} else {
		MUST(ends_equal(new->ip6 + 8, &j->tunnel.local));
	}
	if (later_fragment(new->ip))
		return;
	if (c && !model_end(c, addr_of(new->ip, false, relay), c->k ? port_of(new->ip, false, relay) : 0xffff, &end))
		MUST(!relay);
	MUST(ends_equal(new->ip6 + 24, &end));
}

/* An edge's own source. */
static void own_check(const struct tunnel_judge *j, const u8 *ip)
{
	MUST(!memcmp(ip + 12, &j->config.wan_addr, 4));
	if (!later_fragment(ip))
		MUST(customer_has_port(&customer_v9, port_of(ip, true, ip[9] == PROTO_ICMP)));
}

/* A relay changes nothing but what is taken out here. */
static void relay_check(const struct parts *old, const struct parts *new)
{
	u8 was[JUDGE_MAX + 1], is[JUDGE_MAX + 1];
	u32 n = ip_length(old->ip), ihl = ip_header(old->ip);

	memcpy(was, old->ip, n);
	memcpy(is, new->ip, n);
	was[1] = is[1] = was[8] = is[8] = 0;
	memset(was + 10, 0, 2);
	memset(is + 10, 0, 2);
	if (old->ip[9] == PROTO_TCP && !later_fragment(old->ip) && old->ip[ihl + 13] & TCP_SYN) {
		memset(was + ihl + 16, 0, n - ihl - 16);
		memset(is + ihl + 16, 0, n - ihl - 16);
	}
	MUST(!memcmp(was, is, n));
}

static void forwarded_check(const struct tunnel_judge *j, const struct engine_frame *f, const struct parts *old,
			    u32 port)
{
	struct parts new = parts_of(f->data, f->length);
	bool into = f->reason == REASON_FORWARD_ENCAP || f->reason == REASON_FORWARD_HAIRPIN ||
		    (f->reason == REASON_FORWARD_OUT);
	bool from = f->reason == REASON_FORWARD_DECAP || f->reason == REASON_FORWARD_HAIRPIN ||
		    (f->reason == REASON_FORWARD_IN);

	MUST(f->hop.port < j->config.nports && !memcmp(f->data, f->hop.dmac, 6) &&
	     !memcmp(f->data + 6, f->hop.smac, 6));
	MUST(!!old->ip6 == from && !!new.ip6 == into);
	MUST(new.length == old->length &&ip_length(new.ip) == ip_length(old->ip));
	MUST(!memcmp(new.ip + 4, old->ip + 4, 4) && new.ip[9] == old->ip[9] && new.ip[0] == old->ip[0]);
	MUST(port == 2 ? new.ip[8] == old->ip[8] : old->ip[8] > 1 && new.ip[8] == old->ip[8] - 1);
	MUST(!slow_csum(0, new.ip, ip_header(new.ip)));
	MUST(checksums_wrong(old->ip) || !checksums_wrong(new.ip));
	MUST(new.ip[1] == tos_left(old));
	if (from)
		source_check(j, old);
	if (into)
		encap_check(j, &new);
	if (j->bits & END_RELAY)
		relay_check(old, &new);
	else if (into)
		own_check(j, new.ip);
	else
		MUST(!memcmp(new.ip + 12, old->ip + 12, 4));
	if (!(j->bits & END_RELAY) && quote_of(new.ip))
		MUST(!slow_csum(0, quote_of(new.ip), ip_header(quote_of(new.ip))));
}

/* Whether the reason says that something is short: only then may a frame that is not sent leave a mapping behind. */
static bool is_short(enum reason why)
{
	return why == REASON_SLOW_NO_PORT || why == REASON_DROP_NO_PORT || why == REASON_DROP_SHARE ||
	       why == REASON_DROP_TABLE_FULL;
}

void tunnel_judge_frame(struct tunnel_judge *j, u8 *data, u32 length, u32 how)
{
	u32 port = (how & HOW_PORT) % j->config.nports;
	struct tally was = tally_of(j->engine), is;
	struct engine_frame f = {.ifindex = j->config.port[port].ifindex};
	u8 before[JUDGE_HEAD + JUDGE_MAX], *frame = frame_make(j, data, length, how, port);
	struct parts old;

	f.length = (u32)(data + length - frame);
	f.data = frame;
	old = parts_of(frame, f.length);
	if (how & HOW_CHECKSUMS)
		checksums_give(frame + (old.ip - frame), old.length);
	memcpy(before, frame, f.length);
	old = parts_of(before, f.length);
	j->clock += how & HOW_LATER ? 16000000000ULL : 0;
	engine_clock(j->engine, j->clock);
	engine_run(j->engine, &f, 1);
	is = tally_of(j->engine);
	MUST(f.reason > REASON_NONE && f.reason < REASON_COUNT && f.reason != REASON_DROP_FAULT);
	MUST(is.flows == was.flows || (is.flows == was.flows + 2 && f.reason == REASON_FORWARD_OUT));
	if (reason_verdict(f.reason) == VERDICT_FORWARD) {
		forwarded_check(j, &f, &old, port);
		return;
	}
	MUST(is.digest == was.digest || is_short(f.reason));
	MUST(f.data == frame && f.length == (u32)(data + length - frame));
	MUST(!memcmp(before, frame, f.length));
}
