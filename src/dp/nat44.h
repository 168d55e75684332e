/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nat44.h - rewriting a packet as its flow half says: address, port or identifier, checksums, TTL (RFC 3022, 4) */
#ifndef PORTICO_DP_NAT44_H
#define PORTICO_DP_NAT44_H

#include "csum.h"
#include "pkt.h"

/* A UDP checksum of zero means there is none and stays; one that computes to zero is sent as all ones: RFC 768. */
dp_fn u16 nat44_udp_csum(u16 csum, u16 delta)
{
	if (!csum)
		return 0;
	csum = csum_apply(csum, delta);
	return csum ? csum : 0xffff;
}

/* The bytes were there when the tuple was read; the pointers are checked again for the verifier. */
dp_fn enum reason nat44_l4(const struct pkt *p, const struct meta *m, const struct flow_half *half)
{
	int out = m->key.dir == FLOW_OUT;

	if (m->key.proto == PROTO_UDP) {
		struct udp_hdr *udp = pkt_at(p, m->l4, sizeof(*udp));

		if (!udp)
			return REASON_DROP_FAULT;
		if (out)
			udp->sport = half->port;
		else
			udp->dport = half->port;
		udp->csum = nat44_udp_csum(udp->csum, half->l4_delta);
	} else if (m->key.proto == PROTO_TCP) {
		struct tcp_hdr *tcp = pkt_at(p, m->l4, sizeof(*tcp));

		if (!tcp)
			return REASON_DROP_FAULT;
		if (out)
			tcp->sport = half->port;
		else
			tcp->dport = half->port;
		tcp->csum = csum_apply(tcp->csum, half->l4_delta);
	} else {
		struct icmp_hdr *icmp = pkt_at(p, m->l4, sizeof(*icmp));

		if (!icmp)
			return REASON_DROP_FAULT;
		icmp->id = half->port;
		icmp->csum = csum_apply(icmp->csum, half->l4_delta);
	}
	return REASON_NONE;
}

dp_fn enum reason nat44_rewrite(const struct pkt *p, const struct meta *m, const struct flow_half *half)
{
	struct ipv4_hdr *ip = pkt_at(p, m->l3, sizeof(*ip));

	if (!ip)
		return REASON_DROP_FAULT;
	if (m->key.dir == FLOW_OUT)
		ip->saddr = half->addr;
	else
		ip->daddr = half->addr;
	ip->ttl--;
	ip->csum = csum_apply(ip->csum, half->ip_delta);
	return nat44_l4(p, m, half);
}

#endif
