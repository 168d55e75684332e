/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step.h - the pipeline: one frame in, one reason out
 *
 *   Ethernet -> IPv4 -> tuple -> flow (-> open) -> TTL -> next hop (-> route) -> MTU -> rewrite -> Ethernet -> send
 */
#ifndef PORTICO_DP_STEP_H
#define PORTICO_DP_STEP_H

#include "env.h"

#include "flow.h"
#include "nat44.h"
#include "tuple.h"

/* What the pipeline leaves for the host besides the reason. */
struct step_out {
	struct nexthop hop; /* FORWARD: where to send; SLOW_NEIGHBOUR: addr, l3_ifindex and port of whom to resolve */
};

dp_fn enum reason step_parse(const struct pkt *p, const struct dp_config *c, u32 ifindex, struct meta *m)
{
	enum reason why;

	if ((why = tuple_ethernet(p, c, ifindex, m)))
		return why;
	if ((why = tuple_ipv4(p, m)))
		return why;
	return tuple_l4(p, m);
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

/* A packet of no flow. From the WAN it is this router's own traffic. From the LAN the routing table decides whether it
 * is ours at all; then its flow is opened. */
dp_fn enum reason step_miss(struct env *e, const struct dp_config *c, const struct meta *m, struct step_out *out,
			    struct flow_half **half)
{
	u16 index = 0;
	enum reason why;

	if (m->key.dir == FLOW_IN)
		return REASON_KERNEL_NO_FLOW;
	if (step_local(m->key.daddr))
		return REASON_KERNEL_ROUTE;
	if (m->ttl <= 1)
		return REASON_KERNEL_TTL;
	why = env_route(e, m, m->key.saddr, m->key.daddr, &out->hop, &index);
	if (why != REASON_NONE && why != REASON_SLOW_NEIGHBOUR)
		return why;
	if (port_at(c, out->hop.port)->role != ROLE_WAN)
		return REASON_KERNEL_ROUTE;
	if (m->opaque)
		return c->untranslated == DP_UNTRANSLATED_KERNEL ? REASON_KERNEL_UNTRANSLATED : (enum reason)m->opaque;
	if (why) /* no flow before there is a way to send: the packet comes again when the neighbour is known */
		return why;
	if ((why = step_mtu(m, &out->hop))) /* nor for a packet that is too big for it */
		return why;
	return flow_open(e, c, m, index, half);
}

/* Fills out->hop for an open flow: from the table when what the half remembers is still true, else by routing. */
dp_fn enum reason step_nexthop(struct env *e, const struct dp_config *c, const struct meta *m, struct flow_half *half,
			       struct step_out *out)
{
	const struct nexthop *hop = env_nexthop(e, half->nexthop);
	u16 index = 0;
	enum reason why;

	if (likely(hop && hop->state == NEXTHOP_VALID && half->routes == c->routes)) {
		out->hop = *hop;
		return REASON_NONE;
	}
	if (m->key.dir == FLOW_OUT)
		why = env_route(e, m, m->key.saddr, m->key.daddr, &out->hop, &index);
	else
		why = env_route(e, m, m->key.saddr, half->addr, &out->hop, &index);
	if (m->key.dir == FLOW_IN &&
	    (why == REASON_KERNEL_ROUTE || (!why && port_at(c, out->hop.port)->role != ROLE_LAN)))
		return REASON_DROP_NO_ROUTE; /* a source that the LAN does not have: BCP 38 */
	if (why)
		return why;
	half->nexthop = index;
	half->routes = c->routes;
	return REASON_NONE;
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
	enum reason why;

	if (!half && (why = step_miss(e, c, m, out, &half)))
		return why;
	if (!half)
		return REASON_DROP_FAULT;
	if (m->ttl <= 1)
		return m->key.dir == FLOW_OUT ? REASON_KERNEL_TTL : REASON_DROP_TTL;
	if ((why = step_nexthop(e, c, m, half, out)))
		return why;
	if ((why = step_mtu(m, &out->hop)))
		return why;
	if ((why = nat44_rewrite(p, m, half)))
		return why;
	if ((why = step_ethernet(e, p, m, &out->hop)))
		return why;
	flow_touch(e, half, m);
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
