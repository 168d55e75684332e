/* SPDX-License-Identifier: GPL-2.0-or-later */
/* icmp6.c - ICMPv6 errors about the tunnel's packets, told to the senders of what was in them (RFC 2473, 8)
 *
 *   | Ethernet | IPv6: router -> our end | ICMPv6 error | IPv6: our end -> the other | IPv4 ... |
 *
 *   2    packet too big     the sender is told, 3/4 with 40 bytes less; at an edge the tunnel's MTU is lowered
 *   1, 3 unreachable, time  3/1, host unreachable
 *
 * The quoted packet must be one that we can have sent: at an edge, of a flow that is open; at a relay, to the customer
 * who has its destination by a rule. Else anybody could lower the path's MTU (RFC 8201, 4). Anything else is dropped.
 */
#include <arpa/inet.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <string.h>

#include "dp/mape.h"
#include "lib/addr.h"
#include "slow.h"

#define ICMP6 8 /* bytes of an error's header */

/* The checksum covers addresses, length and next header as well (RFC 8200, 8.1). */
static bool sum_right(const u8 *ip6, u32 length)
{
	u8 pseudo[40] = {0};
	u32 sum;

	memcpy(pseudo, ip6 + 8, 32);
	pseudo[34] = (u8)(length >> 8);
	pseudo[35] = (u8)length;
	pseudo[39] = IPPROTO_ICMPV6;
	sum = (u16)~slow_sum(pseudo, sizeof(pseudo));
	sum += (u16)~slow_sum(ip6 + SLOW_IPV6, length);
	sum = (sum & 0xffff) + (sum >> 16);
	return sum == 0xffff;
}

/* Whether the quoted header's source is an end of ours. */
static bool ours(const struct gateway *g, const u8 *addr)
{
	if (g->conf.kind == MODE_CE)
		return !memcmp(addr, &g->tunnel.local, 16);
	for (u32 i = 0; i < g->tunnel.nrelays; i++)
		if (!memcmp(addr, &g->tunnel.relay[i], 16))
			return true;
	return false;
}

/* Offset of the quoted IPv4 packet, which is there with eight bytes behind its header; 0: there is none. */
static u32 quoted(const struct gateway *g, const u8 *ip6, u32 length)
{
	u32 at = SLOW_IPV6 + ICMP6, end = SLOW_IPV6 + length, inner = at + SLOW_IPV6;

	if (end < inner || ip6[at] >> 4 != 6 || !ours(g, ip6 + at + 8))
		return 0;
	if (ip6[at + 6] == IPPROTO_DSTOPTS)
		inner += 8;
	else if (ip6[at + 6] != IPPROTO_IPIP)
		return 0;
	if (end < inner + 20 || ip6[inner] >> 4 != 4 || (ip6[inner] & 15) < 5 ||
	    end < inner + (ip6[inner] & 15) * 4u + 8)
		return 0;
	return inner;
}

/* Whether a relay sends this flow's packets between the ends at `ends`. */
static bool relayed(const struct gateway *g, const struct flow_key *in, const u8 *ends)
{
	const struct dp_tunnel *t = &g->tunnel;
	u32 addr = addr_host(in->saddr), i;
	u16 port = port_host(in->proto == IPPROTO_ICMP ? in->dport : in->sport);
	struct ip_addr to;

	for (i = 0; i < t->nrules && !mape_rule_for(&t->rules[i], addr, port); i++)
		;
	if (i == t->nrules || !mape_port_valid(&t->rules[i], port))
		return false;
	addr6_to_wire(to.w, mape_destination(&t->rules[i], addr, port));
	return !memcmp(ends, &t->relay[t->rules[i].relay], 16) && !memcmp(ends + 16, &to, 16);
}

/* Whether the quoted IPv4 packet is one of ours in a tunnel between the ends at `ends`. */
static bool sent(const struct gateway *g, const u8 *ip, u32 length, const u8 *ends)
{
	struct flow_half half;
	struct flow_key key;

	if (slow_key(ip, length, true, &key))
		return false;
	if (g->conf.kind == MODE_BR)
		return relayed(g, &key, ends);
	return !kernel_flow_get(g->kernel, &key, &half) && half.addr;
}

static void tell(struct gateway *g, const u8 *ip6, u32 length, u32 inner)
{
	const u8 *icmp = ip6 + SLOW_IPV6;
	struct answer answer = {.type = 3, .code = 1};
	u32 mtu = (u32)icmp[4] << 24 | (u32)icmp[5] << 16 | (u32)icmp[6] << 8 | icmp[7];

	if (icmp[0] == ICMP6_PACKET_TOO_BIG) {
		if (mtu < MAPE_MTU_LEAST) /* RFC 8201, 4: no path carries less; nobody is to make us cut packets up */
			mtu = MAPE_MTU_LEAST;
		if (mtu > g->tunnel.mtu)
			mtu = g->tunnel.mtu;
		if (g->conf.kind == MODE_CE) /* a relay has as many paths as customers */
			tunnel_path_mtu(g, mtu);
		answer.code = 4;
		answer.mtu = mtu - SLOW_IPV6;
	}
	answer_tunnel(g, ip6 + inner, SLOW_IPV6 + length - inner, &answer);
}

void icmp6_packet(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	u32 l3 = frame[12] == 0x81 ? 18 : 14, length, inner, quote = SLOW_IPV6 + ICMP6;
	const u8 *ip6 = frame + l3;

	if (event->length < l3 + SLOW_IPV6 + ICMP6) {
		g->slow->counts.dropped++;
		return;
	}
	length = (u32)ip6[4] << 8 | ip6[5];
	if (length < ICMP6 || event->length < l3 + SLOW_IPV6 + length || !sum_right(ip6, length) ||
	    ip6[SLOW_IPV6] < ICMP6_DST_UNREACH || ip6[SLOW_IPV6] > ICMP6_TIME_EXCEEDED ||
	    !(inner = quoted(g, ip6, length)) || !sent(g, ip6 + inner, SLOW_IPV6 + length - inner, ip6 + quote + 8))
		g->slow->counts.dropped++;
	else
		tell(g, ip6, length, inner);
}
