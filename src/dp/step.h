/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step.h - the pipeline: one frame in, one reason out
 *
 *   Ethernet -> IPv4 -> tuple -> flow (-> open) -> TTL -> next hop (-> route) -> MTU -> rewrite -> Ethernet -> send
 */
#ifndef PORTICO_DP_STEP_H
#define PORTICO_DP_STEP_H

#include "env.h"

#include "flow.h"
#include "tuple.h"

/* What the pipeline leaves for the host besides the reason. */
struct step_out {
	struct nexthop hop; /* FORWARD: where to send; SLOW_NEIGHBOUR: addr, l3_ifindex and port of whom to resolve */
	u16 index;	    /* of the hop in the next-hop table, 0: it is not there */
};

dp_fn enum reason step_parse(const struct pkt *p, const struct dp_config *c, u32 ifindex, struct meta *m)
{
	enum reason why;

	if ((why = tuple_ethernet(p, c, ifindex, m)))
		return why;
	if ((why = tuple_ipv4(p, m)))
		return why;
	why = tuple_l4(p, m);
	m->tcp_flags = (u8)port_blur(c, m->tcp_flags); /* a known 0 where it is not TCP */
	return why;
}

/* RFC 1122, 3.2.1.3: this host, loopback, multicast and the limited broadcast are never forwarded. The kernel's routing
 * table has no entry for most of them: Linux sorts them out before it asks. */
dp_fn int step_local(be32 daddr)
{
	u32 dst = host32(daddr), net = dst >> 24;

	return dst == 0 || net == 127 || (net & 0xf0) == 0xe0 || dst == 0xffffffff;
}

/* RFC 1812, 5.3.1 and RFC 4787, REQ-13. A packet from the LAN is still untouched: Linux sends the ICMP error. */
dp_fn enum reason step_mtu(const struct meta *m, const struct nexthop *hop)
{
	if (likely(m->length <= hop->mtu))
		return REASON_NONE;
	return m->df && m->key.dir == FLOW_OUT ? REASON_KERNEL_TOO_BIG : REASON_DROP_TOO_BIG;
}

/* Whether a packet of no flow can be ours at all; what comes from the WAN without one is this router's own traffic. */
dp_fn enum reason step_stray(const struct meta *m)
{
	if (m->key.dir == FLOW_IN)
		return REASON_KERNEL_NO_FLOW;
	if (step_local(m->key.daddr))
		return REASON_KERNEL_ROUTE;
	return REASON_NONE;
}

/* The next hop that an open flow remembers, if that is still true. */
dp_fn int step_remembered(struct env *e, const struct dp_config *c, const struct flow_half *half, struct step_out *out)
{
	const struct nexthop *hop = env_nexthop(e, half->nexthop);

	if (unlikely(!hop || hop->state != NEXTHOP_VALID || half->routes != c->routes))
		return 0;
	out->hop = *hop;
	return 1;
}

/* Fills out->hop by the routing table, which also decides whether a packet from the LAN is ours. */
dp_fn enum reason step_route(struct env *e, const struct dp_config *c, const struct meta *m, struct flow_half *half,
			     struct step_out *out)
{
	int in = m->key.dir == FLOW_IN;
	u8 wanted = in ? ROLE_LAN : ROLE_WAN;
	enum reason why;

	out->index = 0;
	why = env_route(e, m, half && in ? half->addr : m->key.daddr, &out->hop, &out->index);
	if (why == REASON_KERNEL_ROUTE || port_at(c, out->hop.port)->role != wanted)
		return in ? REASON_DROP_NO_ROUTE : REASON_KERNEL_ROUTE; /* in: a source the LAN does not have, BCP 38 */
	if (m->opaque)
		return c->untranslated == DP_UNTRANSLATED_KERNEL ? REASON_KERNEL_UNTRANSLATED : (enum reason)m->opaque;
	if (!why && half) {
		half->nexthop = out->index;
		half->routes = c->routes;
	}
	return why; /* no flow before there is a way to send: the packet comes again when the neighbour is known */
}

/* Writes the new Ethernet header, with a tag pushed, popped or changed; the priority of a tagged frame is kept. */
dp_fn enum reason step_ethernet(struct env *e, struct pkt *p, const struct meta *m, const struct nexthop *hop)
{
	struct eth_hdr *eth;
	struct vlan_tag *tag;

	if (m->tagged && !hop->vid) {
		if (env_head(e, p, -(int)sizeof(*tag)))
			return REASON_DROP_FAULT;
	} else if (!m->tagged && hop->vid) {
		if (env_head(e, p, (int)sizeof(*tag)))
			return REASON_DROP_FAULT;
	}
	eth = pkt_at(p, 0, sizeof(*eth));
	if (!eth)
		return REASON_DROP_FAULT;
	__builtin_memcpy(eth->dst, hop->dmac, sizeof(eth->dst));
	__builtin_memcpy(eth->src, hop->smac, sizeof(eth->src));
	if (!hop->vid) {
		eth->type = be16_of(ETH_TYPE_IPV4);
		return REASON_NONE;
	}
	tag = pkt_at(p, sizeof(*eth), sizeof(*tag));
	if (!tag)
		return REASON_DROP_FAULT;
	eth->type = be16_of(ETH_TYPE_VLAN);
	tag->tci = be16_of((u16)((m->tci & ~VLAN_VID_MASK) | hop->vid));
	tag->type = be16_of(ETH_TYPE_IPV4);
	return REASON_NONE;
}

/* The pipeline behind the parser: the packet in `m` on its way out. */
dp_fn enum reason step_forward(struct env *e, const struct dp_config *c, struct pkt *p, const struct meta *m,
			       struct step_out *out)
{
	struct flow_half *half = m->opaque ? (struct flow_half *)0 : env_flow_get(e, &m->key);
	struct nat44 nat = {0};
	enum reason why;

	if (unlikely(!half) && (why = step_stray(m)))
		return why;
	if (unlikely(m->ttl <= 1))
		return m->key.dir == FLOW_OUT ? REASON_KERNEL_TTL : REASON_DROP_TTL;
	if (!half || !step_remembered(e, c, half, out))
		if ((why = step_route(e, c, m, half, out)))
			return why;
	if ((why = step_mtu(m, &out->hop)))
		return why;
	if (likely(half)) {
		flow_touch(e, half, m);
		nat = nat44_of(half);
	} else if ((why = flow_open(e, c, m, out->index, &nat))) {
		return why;
	}
	if ((why = nat44_rewrite(p, m, &nat)))
		return why;
	if ((why = step_ethernet(e, p, m, &out->hop)))
		return why;
	return m->key.dir == FLOW_OUT ? REASON_FORWARD_OUT : REASON_FORWARD_IN;
}

/* One frame that came in by interface `ifindex`. FORWARD: the frame in *p is ready for out->hop. Any other verdict:
 * the frame is as it came. */
dp_fn enum reason step_run(struct env *e, struct pkt *p, u32 ifindex, struct step_out *out)
{
	const struct dp_config *c = env_config(e);
	struct meta m = {0};
	enum reason why;

	if (!c)
		return REASON_KERNEL_PORT;
	if ((why = step_parse(p, c, ifindex, &m)))
		return why;
	return step_forward(e, c, p, &m, out);
}

#endif
