/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step.h - steps that every pipeline takes: parsing at its beginning, the Ethernet and tunnel headers at its end */
#ifndef PORTICO_DP_STEP_H
#define PORTICO_DP_STEP_H

#include "env.h"

#include "frag.h"
#include "mss.h"
#include "quote.h"
#include "tunnel.h"
#include "tuple.h"
#include "way.h"

/* What all steps work on. */
struct step {
	struct env *e;
	struct pkt *p;
	const struct dp_config *c;
	const struct dp_tunnel *t; /* of a CE or BR */
	u32 ifindex;		   /* where the frame came in */
};

/* Ports of a packet that is whole, of a fragment, or of what an ICMP error quotes. */
dp_fn enum reason step_tuple(const struct step *s, u32 kind, struct meta *m)
{
	enum reason why;

	if (kind & KIND_RARE && m->fragment == FRAGMENT_LATER) {
		frag_find(s->e, m);
		return REASON_NONE;
	}
	why = tuple_l4(s->p, kind, m);
	if (why || !(kind & KIND_RARE))
		return why;
	if (m->opaque == REASON_DROP_ICMP_TYPE && !m->fragment) {
		struct icmp_hdr *icmp = pkt_at(s->p, m->l4, sizeof(*icmp));

		if (icmp && quote_is_error(icmp->type)) {
			m->opaque = (u8)quote_parse(s->p, kind, m);
			m->quote = m->opaque ? 0 : m->quote;
		}
	}
	if (m->fragment && !m->opaque && !m->outer) /* out of the tunnel: step_decap() */
		frag_note(s->e, m);
	return why;
}

dp_fn enum reason step_parse(const struct step *s, u32 kind, struct meta *m)
{
	enum reason why;

	if ((why = tuple_ethernet(s->p, s->c, s->ifindex, kind, m)))
		return why;
	if (kind & (KIND_CE | KIND_BR) && m->ipv6 && (why = tunnel_parse(s->p, s->c, s->t, kind, m)))
		return why;
	if ((why = tuple_ipv4(s->p, kind, m)))
		return why;
	why = step_tuple(s, kind, m);
	if (!why && !(kind & KIND_RARE) && unlikely(m->opaque))
		return STEP_RARE;
	m->tcp_flags = (u8)port_blur(s->c, m->tcp_flags); /* a known 0 where it is not TCP */
	return why;
}

/* Bytes that an IPv4 packet may have where the tunnel's other end is the next, by way of `hop`. */
dp_fn u16 step_tunnel_mtu(const struct dp_tunnel *t, const struct nexthop *hop)
{
	return (u16)((t->mtu < hop->mtu ? t->mtu : hop->mtu) - TUNNEL_HEADER);
}

/* RFC 1812, 5.3.1 and RFC 4787, REQ-13. A packet from the LAN is still untouched: Linux sends the ICMP error. */
dp_fn enum reason step_mtu(const struct meta *m, const struct way *way)
{
	if (likely(m->length <= way->mtu))
		return REASON_NONE;
	return m->df && m->key.dir == FLOW_OUT && !m->outer && !m->self ? REASON_KERNEL_TOO_BIG : REASON_SLOW_TOO_BIG;
}

dp_fn enum reason step_untagged(const struct pkt *p, const struct nexthop *hop, u16 type)
{
	struct eth_hdr *eth = pkt_at(p, 0, sizeof(*eth));

	if (!eth)
		return REASON_DROP_FAULT;
	__builtin_memcpy(eth->dst, hop->dmac, sizeof(eth->dst));
	__builtin_memcpy(eth->src, hop->smac, sizeof(eth->src));
	eth->type = be16_of(type);
	return REASON_NONE;
}

/* The priority of a tagged frame is kept. */
dp_fn enum reason step_tagged(const struct pkt *p, const struct nexthop *hop, u16 type, u16 tci)
{
	struct vlan_tag *tag = pkt_at(p, sizeof(struct eth_hdr), sizeof(*tag));

	if (!tag)
		return REASON_DROP_FAULT;
	tag->tci = be16_of((u16)((tci & ~VLAN_VID_MASK) | hop->vid));
	tag->type = be16_of(type);
	return step_untagged(p, hop, ETH_TYPE_VLAN);
}

/* Writes the new Ethernet header, with a tag pushed, popped or changed. With `ends`, an IPv6 header goes between it and
 * the IPv4 packet; one that was there goes. */
dp_fn enum reason step_ethernet(const struct step *s, const struct meta *m, const struct nexthop *hop,
				const struct ip_addr *ends)
{
	u32 head = sizeof(struct eth_hdr) + (hop->vid ? sizeof(struct vlan_tag) : 0);
	int grow = (int)(head + (ends ? TUNNEL_HEADER : 0)) - m->l3;
	u16 type = ends ? ETH_TYPE_IPV6 : ETH_TYPE_IPV4;
	enum reason why;

	if (grow && env_head(s->e, s->p, grow))
		return REASON_DROP_FAULT;
	if (hop->vid)
		why = step_tagged(s->p, hop, type, m->tci);
	else
		why = step_untagged(s->p, hop, type);
	if (why || !ends)
		return why;
	return tunnel_encap(s->p, s->t, head, m, ends);
}

/* The largest segment that fits both where the packet came from and where it goes. */
dp_fn void step_mss(const struct step *s, u32 kind, const struct meta *m, const struct way *way)
{
	u32 mtu = port_at(s->c, m->port)->mtu;

	if (m->key.proto != PROTO_TCP || !(m->tcp_flags & TCP_SYN) || m->fragment == FRAGMENT_LATER || m->quote)
		return;
	if (m->outer && kind & (KIND_CE | KIND_BR))
		mtu = (mtu < s->t->mtu ? mtu : s->t->mtu) - TUNNEL_HEADER;
	if (mtu > way->mtu)
		mtu = way->mtu;
	mss_clamp(s->p, s->c, m->l4, m->tcp_header, mtu - 40);
}

/* What comes out of the tunnel must have been put in by whom it says (RFC 7597, 8.1). */
dp_fn enum reason step_decap(const struct step *s, u32 kind, struct meta *m)
{
	enum reason why;

	if (m->opaque == REASON_SLOW_FRAGMENT)
		return REASON_SLOW_FRAGMENT;
	if ((why = tunnel_source(s->p, s->c, s->t, kind, m)))
		return why;
	if (kind & KIND_RARE && m->fragment == FRAGMENT_FIRST && !m->opaque) /* not before: it may be forged */
		frag_note(s->e, m);
	return tunnel_ecn(m);
}

/* RFC 1122, 3.2.1.3: this host, loopback, multicast and the limited broadcast are never forwarded. The kernel's routing
 * table has no entry for most of them: Linux sorts them out before it asks. */
dp_fn int step_local(be32 daddr)
{
	u32 dst = host32(daddr), net = dst >> 24;

	return dst == 0 || net == 127 || (net & 0xf0) == 0xe0 || dst == 0xffffffff;
}

/* TTL 1 (RFC 1812, 5.3.1). About what came from a LAN, Linux knows whom to tell. */
dp_fn enum reason step_ttl(const struct meta *m)
{
	if (likely(m->ttl > 1) || m->self)
		return REASON_NONE;
	return m->key.dir == FLOW_OUT && !m->outer ? REASON_KERNEL_TTL : REASON_SLOW_TTL;
}

#endif
