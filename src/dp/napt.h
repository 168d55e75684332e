/* SPDX-License-Identifier: GPL-2.0-or-later */
/* napt.h - the pipeline of a NAPT44 and of a MAP-E customer edge: one frame in, one reason out
 *
 *   parse -> (decapsulation check) -> flow -> TTL -> next hop (-> route) -> MTU (-> open) -> rewrite -> MSS -> send
 *
 * A customer edge is a NAPT44 whose ports are the rule's, and whose way out is the tunnel. Linux sees the tunnel as an
 * interface (role SELF): what the routing table sends there is translated and put into the tunnel, this router's own
 * packets as those of the LAN.
 */
#ifndef PORTICO_DP_NAPT_H
#define PORTICO_DP_NAPT_H

#include "flow.h"
#include "step.h"

/* Whether a packet of no flow can be ours at all. At a NAPT44, what comes from the WAN without one is this router's own
 * traffic; out of the tunnel it is nobody's. */
dp_fn enum reason napt_stray(struct meta *m)
{
	if (m->key.dir == FLOW_IN && m->opaque == REASON_SLOW_FRAGMENT)
		return REASON_SLOW_FRAGMENT;
	if (m->key.dir == FLOW_IN && m->outer)
		return m->opaque ? (enum reason)m->opaque : REASON_DROP_NO_FLOW;
	if (m->key.dir == FLOW_IN)
		return REASON_KERNEL_NO_FLOW;
	if (step_local(m->key.daddr))
		return REASON_KERNEL_ROUTE;
	if (m->quote) /* an error opens nothing */
		m->opaque = REASON_DROP_ICMP_TYPE;
	return REASON_NONE;
}

/* The next hop that an open flow remembers, if that is still true. */
dp_fn int napt_remembered(const struct step *s, u32 kind, const struct meta *m, const struct flow_half *half,
			  struct way *way)
{
	const struct nexthop *hop = env_nexthop(s->e, half->nexthop);

	if (unlikely(!hop || hop->state != NEXTHOP_VALID || half->routes != s->c->routes))
		return 0;
	way->hop = *hop;
	way->mtu = kind & KIND_CE && m->key.dir == FLOW_OUT ? step_tunnel_mtu(s->t, hop) : hop->mtu;
	return 1;
}

/* The tunnel's other end (RFC 7597, 5.3): the border relay, or the customer that has the destination by a forwarding
 * rule. */
dp_fn struct ip_addr napt_far_end(const struct step *s, const struct meta *m, u32 tunnel)
{
	struct ip_addr far = s->t->relay[0];

	if (unlikely(tunnel))
		addr6_to_wire(far.w, mape_destination(tunnel_rule_at(s->t, tunnel - 1), host32(m->key.daddr),
						      host16(m->key.dport)));
	return far;
}

/* Into the tunnel: which way its IPv6 packets go. */
dp_fn enum reason napt_route_tunnel(const struct step *s, const struct meta *m, u32 tunnel, struct way *way)
{
	struct ip_addr far = napt_far_end(s, m, tunnel);
	enum reason why = env_route6(s->e, s->t->port, &far, way);

	way->mtu = why ? 0 : step_tunnel_mtu(s->t, &way->hop);
	return why;
}

/* Whether the routing table sends a packet from the LAN to the WAN; fills *way where that is not behind a tunnel. */
dp_fn enum reason napt_route_out(const struct step *s, u32 kind, const struct meta *m, struct way *way)
{
	enum reason why;
	u8 role;

	if (kind & KIND_CE && m->self)
		return REASON_NONE; /* Linux has decided that already */
	why = env_route(s->e, m, m->key.daddr, way);
	if (why == REASON_KERNEL_ROUTE)
		return why;
	role = port_at(s->c, way->hop.port)->role;
	if (role != (kind & KIND_CE ? ROLE_SELF : ROLE_WAN))
		return REASON_KERNEL_ROUTE;
	return kind & KIND_CE ? REASON_NONE : why;
}

/* To the inside address `dst`; this router's own traffic comes back the way Linux sent it. */
dp_fn enum reason napt_route_in(const struct step *s, u32 kind, const struct meta *m, be32 dst, struct way *way)
{
	enum reason why;

	if (kind & KIND_CE && dst == s->c->self) {
		const struct nexthop *hop = env_nexthop(s->e, s->c->self_hop);

		if (!hop || hop->state != NEXTHOP_VALID)
			return REASON_DROP_NO_ROUTE;
		way->hop = *hop;
		way->index = s->c->self_hop;
		return REASON_NONE;
	}
	why = env_route(s->e, m, dst, way);
	/* a source the LAN does not have: BCP 38 */
	if (why == REASON_KERNEL_ROUTE || port_at(s->c, way->hop.port)->role != ROLE_LAN)
		return REASON_DROP_NO_ROUTE;
	return why;
}

/* Fills *way by the routing table, which also decides whether a packet from the LAN is ours. */
dp_fn enum reason napt_route(const struct step *s, u32 kind, const struct meta *m, struct flow_half *half,
			     struct way *way)
{
	enum reason why;

	way->index = 0;
	if (m->key.dir == FLOW_IN) {
		why = napt_route_in(s, kind, m, half ? half->addr : 0, way);
	} else {
		why = napt_route_out(s, kind, m, way);
		if (why != REASON_KERNEL_ROUTE && m->opaque)
			return s->c->untranslated == DP_UNTRANSLATED_KERNEL && m->opaque != REASON_SLOW_FRAGMENT
				       ? REASON_KERNEL_UNTRANSLATED
				       : (enum reason)m->opaque;
		if (!why && kind & KIND_CE) {
			u32 rule = tunnel_rule(s->c, s->t, m->key.daddr, m->key.dport);

			way->tunnel = rule < MAPE_RULES_MAX ? (u8)(rule + 1) : 0;
			why = napt_route_tunnel(s, m, way->tunnel, way);
		}
	}
	if (why)
		return why; /* no flow before there is a way: the packet comes again when the neighbour is known */
	if (m->key.dir == FLOW_IN || !(kind & KIND_CE))
		way->mtu = way->hop.mtu;
	if (half) {
		if (m->key.dir == FLOW_OUT)
			half->tunnel = way->tunnel;
		half->nexthop = way->index;
		half->routes = s->c->routes;
	}
	return REASON_NONE;
}

/* Addresses, ports and checksums, by what the packet is. */
dp_fn enum reason napt_rewrite(const struct step *s, u32 kind, const struct meta *m, const struct nat44 *nat)
{
	struct ipv4_hdr *ip;
	enum reason why;
	u16 delta;

	if (!(kind & KIND_RARE) || !m->quote) {
		why = nat44_ipv4(s->p, m, nat->addr, nat->ip_delta);
		if (why || (kind & KIND_RARE && m->fragment == FRAGMENT_LATER))
			return why;
		return nat44_l4(s->p, kind, m, nat);
	}
	/* the source of an error from inside may be another router there: ours hides it, as it hides the host's */
	ip = pkt_at(s->p, m->l3, sizeof(*ip));
	if (!ip)
		return REASON_DROP_FAULT;
	delta = csum_fold(csum_diff32(m->key.dir == FLOW_OUT ? ip->saddr : ip->daddr, nat->addr) + csum_diff_ttl());
	why = nat44_ipv4(s->p, m, nat->addr, delta);
	return why ? why : quote_rewrite(s->p, m, nat);
}

/* Changes the packet and sends it. */
dp_fn enum reason napt_send(const struct step *s, u32 kind, const struct meta *m, const struct nat44 *nat,
			    const struct way *way)
{
	int out = m->key.dir == FLOW_OUT;
	struct ip_addr ends[2];
	enum reason why;

	if ((why = napt_rewrite(s, kind, m, nat)))
		return why;
	if (kind & KIND_RARE)
		step_mss(s, kind, m, way);
	if (kind & KIND_CE && out) {
		ends[0] = s->t->local;
		ends[1] = napt_far_end(s, m, nat->tunnel);
		why = step_ethernet(s, m, &way->hop, ends);
	} else {
		why = step_ethernet(s, m, &way->hop, (const struct ip_addr *)0);
	}
	return why ? why : out ? REASON_FORWARD_OUT : REASON_FORWARD_IN;
}

/* The half of the packet's flow, if it has one. */
dp_fn struct flow_half *napt_flow(const struct step *s, u32 kind, const struct meta *m)
{
	struct flow_half *half;

	if (kind & KIND_RARE && m->opaque)
		return (struct flow_half *)0;
	half = env_flow_get(s->e, &m->key);
	return half && likely(half->addr) ? half : (struct flow_half *)0;
}

/* A new flow. */
dp_fn enum reason napt_open(const struct step *s, u32 kind, const struct meta *m, const struct way *way,
			    struct nat44 *nat)
{
	struct rare *rare;

	if (!(kind & KIND_RARE))
		return flow_open(s->e, s->c, m, way->index, nat);
	rare = env_rare(s->e);
	if (!rare)
		return REASON_DROP_FAULT;
	rare->nexthop = way->index;
	rare->tunnel = way->tunnel;
	return STEP_CLAIM;
}

/* The pipeline behind the parser: the packet in `m` on its way out. */
dp_fn enum reason napt_forward(const struct step *s, u32 kind, struct meta *m, struct way *way)
{
	struct flow_half *half;
	struct nat44 nat = {0};
	enum reason why;

	if (kind & KIND_CE && m->key.dir == FLOW_IN) {
		if (!m->outer)
			return REASON_KERNEL_NO_FLOW; /* IPv4 beside the tunnel: nobody has checked who sends it */
		if ((why = step_decap(s, kind, m)))
			return why;
	}
	half = napt_flow(s, kind, m);
	if (unlikely(!half)) {
		if (kind == KIND_CE || (!(kind & KIND_RARE) && m->key.dir == FLOW_IN && s->c->filtering))
			return STEP_RARE;
		if (kind & KIND_RARE && !m->opaque && !m->quote && flow_admits(s->e, s->c, &m->key))
			return STEP_CLAIM;
		if ((why = napt_stray(m)))
			return why;
	}
	if ((why = step_ttl(m)))
		return why;
	if (!half || !napt_remembered(s, kind, m, half, way))
		if ((why = kind == KIND_CE ? STEP_RARE : napt_route(s, kind, m, half, way)))
			return why;
	if ((why = step_mtu(m, way)))
		return why;
	if (likely(half)) {
		if (!(kind & KIND_RARE) || !m->quote) /* RFC 5508, REQ-9: an error keeps nothing alive */
			flow_touch(s->e, half, m);
		nat = nat44_of(half);
	} else if ((why = napt_open(s, kind, m, way, &nat))) {
		return why;
	}
	return napt_send(s, kind, m, &nat, way);
}

#endif
