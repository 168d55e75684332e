/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel.h - IPv4 in IPv6: into the tunnel and out of it (RFC 2473, RFC 7597)
 *
 *      | Ethernet | IPv6: our end -> the other's | IPv4 | ... |
 *                  '------- m->outer bytes ------'
 *
 * Nothing of the outer header but what is in struct meta is kept: the source is read again where it is checked, once
 * the IPv4 packet behind it is known.
 */
#ifndef PORTICO_DP_TUNNEL_H
#define PORTICO_DP_TUNNEL_H

#include "abi/tunnel.h"
#include "ecn.h"
#include "kind.h"
#include "mape.h"
#include "pkt.h"
#include "port.h"
#include "way.h"

dp_fn int tunnel_addr_is(const be32 w[4], const struct ip_addr *addr)
{
	return !((w[0] ^ addr->w[0]) | (w[1] ^ addr->w[1]) | (w[2] ^ addr->w[2]) | (w[3] ^ addr->w[3]));
}

/* A number of things, read anew each time: else the verifier would learn it in a loop and follow what comes behind once
 * for each value. */
dp_fn u32 tunnel_count(const u32 *count)
{
	return *(const volatile u32 *)count;
}

/* The index of `w` among the tunnel's relays, TUNNEL_RELAYS_MAX where it is none. */
dp_fn u32 tunnel_relay(const struct dp_config *c, const struct dp_tunnel *t, const be32 w[4])
{
	u32 i, found = TUNNEL_RELAYS_MAX;

	for (i = 0; i < TUNNEL_RELAYS_MAX && i < tunnel_count(&t->nrelays); i++)
		if (tunnel_addr_is(w, &t->relay[i])) {
			found = i;
			break;
		}
	return port_blur(c, found);
}

/* Whether an IPv6 packet is to our end of the tunnel; sets relay. */
dp_fn int tunnel_mine(const struct dp_config *c, const struct dp_tunnel *t, u32 kind, const be32 daddr[4],
		      struct meta *m)
{
	if (kind & KIND_CE)
		return tunnel_addr_is(daddr, &t->local);
	m->relay = (u8)tunnel_relay(c, t, daddr);
	return m->relay < TUNNEL_RELAYS_MAX;
}

/* To our end, but no IPv4 packet at once behind the header. Of extension headers only the 8 bytes of destination
 * options are known in which RFC 2473, 4.1.1 puts the encapsulation limit: *more is set to them. */
dp_fn enum reason tunnel_other(const struct pkt *p, u32 next, u32 at, u32 *more)
{
	u8 *byte = pkt_at(p, at, 8);

	switch (next) {
	case PROTO_FRAGMENT:
		return REASON_SLOW_REASSEMBLE;
	case PROTO_IPV6:
		return REASON_DROP_TUNNEL_IPV6;
	case PROTO_ICMP6: /* errors have types below 128: RFC 4443, 2.1 */
		return byte && byte[0] < 128 ? REASON_SLOW_ICMP6 : REASON_KERNEL_TYPE;
	case PROTO_OPTIONS:
		if (byte && byte[0] == PROTO_IPV4 && byte[1] == 0) {
			*more = 8;
			return REASON_NONE;
		}
	}
	return REASON_KERNEL_TYPE;
}

/* Takes the outer header of a frame of the tunnel: moves l3 behind it and sets end, outer, outer_ecn. */
dp_fn enum reason tunnel_parse(const struct pkt *p, const struct dp_config *c, const struct dp_tunnel *t, u32 kind,
			       struct meta *m)
{
	struct ipv6_hdr *ip6 = pkt_at(p, m->l3, sizeof(*ip6));
	u32 more = 0, word;

	if (port_at(c, m->port)->role != (kind & KIND_CE ? ROLE_WAN : ROLE_LAN))
		return REASON_KERNEL_TYPE;
	if (!ip6)
		return REASON_DROP_TUNNEL_SHORT;
	word = host32(ip6->version_class_label);
	if (word >> 28 != 6 || !tunnel_mine(c, t, kind, ip6->daddr, m))
		return REASON_KERNEL_TYPE;
	m->end = m->l3 + (u32)sizeof(*ip6) + host16(ip6->payload_length);
	m->outer_ecn = word >> 20 & 3;
	if (m->end > pkt_length(p))
		return REASON_DROP_TUNNEL_SHORT;
	if (unlikely(ip6->next != PROTO_IPV4)) {
		enum reason why;

		if (!(kind & KIND_RARE))
			return STEP_RARE;
		why = tunnel_other(p, ip6->next, m->l3 + (u32)sizeof(*ip6), &more);
		if (why)
			return why;
	}
	m->outer = (u8)(sizeof(*ip6) + more);
	m->l3 = (u16)port_blur(c, m->l3 + m->outer);
	return REASON_NONE;
}

/* The rule, longest IPv4 prefix first, that is for addr:port: an index, or MAPE_RULES_MAX. */
dp_fn u32 tunnel_rule(const struct dp_config *c, const struct dp_tunnel *t, be32 addr, be16 port)
{
	u32 i, found = MAPE_RULES_MAX;

	for (i = 0; i < MAPE_RULES_MAX && i < tunnel_count(&t->nrules); i++)
		if (mape_rule_for(&t->rules[i], host32(addr), host16(port))) {
			found = i;
			break;
		}
	return port_blur(c, found);
}

dp_fn const struct mape_rule *tunnel_rule_at(const struct dp_tunnel *t, u32 i)
{
	dp_hide(i);
	return &t->rules[i & (MAPE_RULES_MAX - 1)];
}

_Static_assert((MAPE_RULES_MAX & (MAPE_RULES_MAX - 1)) == 0, "a mask bounds the index");
_Static_assert((TUNNEL_RELAYS_MAX & (TUNNEL_RELAYS_MAX - 1)) == 0, "a mask bounds the index");

dp_fn const struct ip_addr *tunnel_relay_at(const struct dp_tunnel *t, u32 i)
{
	dp_hide(i);
	return &t->relay[i & (TUNNEL_RELAYS_MAX - 1)];
}

/* Whether what came out of the tunnel may have come from there (RFC 7597, 8.1). At an edge: from a border relay, or
 * from the edge that has the IPv4 source by a forwarding rule. At a relay: from the customer that has it, in this
 * domain. */
dp_fn enum reason tunnel_source(const struct pkt *p, const struct dp_config *c, const struct dp_tunnel *t, u32 kind,
				const struct meta *m)
{
	struct ipv6_hdr *ip6 = pkt_at(p, (u32)m->l3 - m->outer, sizeof(*ip6));
	const struct mape_rule *r;
	u32 i;

	if (!ip6)
		return REASON_DROP_FAULT;
	if (kind & KIND_CE && likely(tunnel_addr_is(ip6->saddr, &t->relay[0])))
		return REASON_NONE;
	if (!(kind & KIND_RARE) && kind & KIND_CE)
		return STEP_RARE;
	if (kind & KIND_CE && tunnel_relay(c, t, ip6->saddr) < TUNNEL_RELAYS_MAX)
		return REASON_NONE;
	i = tunnel_rule(c, t, m->key.saddr, m->key.sport);
	r = tunnel_rule_at(t, i);
	if (i >= MAPE_RULES_MAX || (kind & KIND_BR && r->relay != m->relay))
		return REASON_DROP_TUNNEL_SOURCE;
	if (m->opaque && r->psid_len) /* without ports, nobody can say whose packet a shared address sent */
		return (enum reason)m->opaque;
	if (!mape_source_valid(r, addr6_of_wire(ip6->saddr), host32(m->key.saddr), host16(m->key.sport)))
		return REASON_DROP_TUNNEL_SOURCE;
	return REASON_NONE;
}

/* What congestion was marked on the way goes into the IPv4 header (RFC 6040, 4.2): sets new_tos. */
dp_fn enum reason tunnel_ecn(struct meta *m)
{
	u32 ecn = ecn_inner(m->tos & 3, m->outer_ecn);

	if (ecn == ECN_DROP)
		return REASON_DROP_TUNNEL_ECN;
	m->new_tos = (u8)((m->tos & 0xfc) | ecn);
	return REASON_NONE;
}

/* Writes the IPv6 header at `at`; `ends` are source and destination. */
dp_fn enum reason tunnel_encap(const struct pkt *p, const struct dp_tunnel *t, u32 at, const struct meta *m,
			       const struct ip_addr ends[2])
{
	struct ipv6_hdr *ip6 = pkt_at(p, at, sizeof(*ip6));

	if (!ip6)
		return REASON_DROP_FAULT;
	ip6->version_class_label = be32_of(6u << 28 | ecn_traffic_class(m->new_tos, t->dscp, t->ecn) << 20);
	ip6->payload_length = be16_of((u16)m->length);
	ip6->next = PROTO_IPV4;
	ip6->hop_limit = t->hop_limit;
	__builtin_memcpy(ip6->saddr, &ends[0], sizeof(ip6->saddr));
	__builtin_memcpy(ip6->daddr, &ends[1], sizeof(ip6->daddr));
	return REASON_NONE;
}

#endif
