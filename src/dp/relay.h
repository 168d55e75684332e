/* SPDX-License-Identifier: GPL-2.0-or-later */
/* relay.h - the pipeline of a MAP-E border relay: no flows, everything by arithmetic (RFC 7597, 5.4 and 8.1)
 *
 *   from the internet:   parse -> the customer by address and port -> TTL -> way -> MTU -> rewrite -> encapsulate
 *   from a customer:     parse -> decapsulation check -> another customer? as above: else the way to the internet
 *
 * Ways are remembered by destination in a small table of each CPU's own; what is not there is asked of the routing
 * table.
 */
#ifndef PORTICO_DP_RELAY_H
#define PORTICO_DP_RELAY_H

#include "step.h"

dp_fn u32 relay_hash(const struct ip_addr *a)
{
	u64 high = (PORTICO_FORCE u64)a->w[0] << 32 | (PORTICO_FORCE u32)a->w[1];
	u64 low = (PORTICO_FORCE u64)a->w[2] << 32 | (PORTICO_FORCE u32)a->w[3];

	return (u32)((high * 0x9e3779b97f4a7c15ULL ^ low) * 0xc2b2ae3d27d4eb4fULL >> 32) & (DP_WAYS - 1);
}

_Static_assert((DP_WAYS & (DP_WAYS - 1)) == 0, "a mask bounds the index");

/* The way to `dst`, which is IPv6 or, as ::ffff:a.b.c.d, IPv4. */
dp_fn enum reason relay_way(const struct step *s, const struct meta *m, const struct ip_addr *dst, int ipv6,
			    struct way *way)
{
	struct dp_way *known = env_way(s->e, relay_hash(dst));
	const struct nexthop *hop;
	enum reason why;

	if (likely(known && known->routes == s->c->routes && way_equal(&known->dst, dst))) {
		hop = env_nexthop(s->e, known->nexthop);
		if (hop && hop->state == NEXTHOP_VALID) {
			way->hop = *hop;
			return REASON_NONE;
		}
	}
	way->index = 0;
	why = ipv6 ? env_route6(s->e, s->t->port, dst, way) : env_route(s->e, m, dst->w[3], way);
	if (!why && known && way->index)
		*known = (struct dp_way){.dst = *dst, .nexthop = way->index, .routes = s->c->routes};
	return why;
}

/* The ends of the tunnel to the customer that has the packet's destination. */
dp_fn enum reason relay_ends(const struct step *s, const struct meta *m, const struct mape_rule *r,
			     struct ip_addr ends[2])
{
	if (m->opaque && r->psid_len)
		return (enum reason)m->opaque;
	if (!mape_port_valid(r, host16(m->key.dport)))
		return REASON_DROP_NO_RULE;
	ends[0] = *tunnel_relay_at(s->t, r->relay);
	addr6_to_wire(ends[1].w, mape_destination(r, host32(m->key.daddr), host16(m->key.dport)));
	return REASON_NONE;
}

/* Whether any customer has a part of this IPv4 address. */
dp_fn int relay_has(const struct dp_tunnel *t, be32 addr)
{
	for (u32 i = 0; i < MAPE_RULES_MAX && i < tunnel_count(&t->nrules); i++)
		if (!((host32(addr) ^ t->rules[i].addr) & t->rules[i].mask))
			return 1;
	return 0;
}

/* A packet of the internet's that is not for a customer is Linux's; one of a customer's goes out, but not back to where
 * it came from. */
dp_fn enum reason relay_internet(const struct step *s, const struct meta *m, struct way *way)
{
	struct ip_addr dst = way_ipv4(m->key.daddr);
	enum reason why;

	if (!m->outer)
		return relay_has(s->t, m->key.daddr) ? REASON_DROP_NO_RULE : REASON_KERNEL_ROUTE;
	if (m->opaque && m->opaque != REASON_DROP_PROTOCOL)
		return (enum reason)m->opaque;
	if (step_local(m->key.daddr))
		return REASON_DROP_NO_ROUTE;
	why = relay_way(s, m, &dst, 0, way);
	if (why == REASON_KERNEL_ROUTE || port_at(s->c, way->hop.port)->role != ROLE_WAN)
		return REASON_DROP_NO_ROUTE;
	way->mtu = way->hop.mtu;
	return why;
}

dp_fn enum reason relay_rewrite(const struct step *s, const struct meta *m)
{
	struct ipv4_hdr *ip = pkt_at(s->p, m->l3, sizeof(*ip));
	u32 diff = csum_diff_ttl();

	if (!ip)
		return REASON_DROP_FAULT;
	ip->ttl--;
	if (unlikely(m->new_tos != m->tos)) {
		diff += csum_diff16(be16_of(m->tos), be16_of(m->new_tos));
		ip->tos = m->new_tos;
	}
	ip->csum = csum_apply(ip->csum, csum_fold(diff));
	return REASON_NONE;
}

/* The pipeline behind the parser. */
dp_fn enum reason relay_forward(const struct step *s, u32 kind, struct meta *m, struct way *way)
{
	struct ip_addr ends[2] = {0};
	enum reason why;
	u32 i;
	int customer;

	if (m->outer && (why = step_decap(s, kind, m)))
		return why;
	if (!m->outer && port_at(s->c, m->port)->role != ROLE_WAN)
		return REASON_KERNEL_ROUTE; /* the customers' side is IPv6 */
	if (m->opaque == REASON_SLOW_FRAGMENT)
		return relay_has(s->t, m->key.daddr) ? REASON_SLOW_FRAGMENT : REASON_KERNEL_ROUTE;
	i = tunnel_rule(s->c, s->t, m->key.daddr, m->key.dport);
	customer = i < MAPE_RULES_MAX;
	if (customer)
		why = relay_ends(s, m, tunnel_rule_at(s->t, i), ends);
	else
		why = relay_internet(s, m, way);
	if (why)
		return why;
	if ((why = step_ttl(m)))
		return why;
	if (customer) {
		if ((why = relay_way(s, m, &ends[1], 1, way)))
			return why;
		way->mtu = step_tunnel_mtu(s->t, &way->hop);
	}
	if ((why = step_mtu(m, way)))
		return why;
	if ((why = relay_rewrite(s, m)))
		return why;
	if (kind & KIND_RARE)
		step_mss(s, kind, m, way);
	if ((why = step_ethernet(s, m, &way->hop, customer ? ends : (const struct ip_addr *)0)))
		return why;
	return !customer ? REASON_FORWARD_DECAP : m->outer ? REASON_FORWARD_HAIRPIN : REASON_FORWARD_ENCAP;
}

#endif
