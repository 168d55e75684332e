/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nat44.h - rewriting a packet as its flow half says: address, port or identifier, checksums, TTL (RFC 3022, 4) */
#ifndef PORTICO_DP_NAT44_H
#define PORTICO_DP_NAT44_H

#include "csum.h"
#include "pkt.h"

/* What is written into a packet, as its flow half has it. */
struct nat44 {
	be32 addr;
	be16 port;
	u16 ip_delta;
	u16 l4_delta;
};

dp_fn struct nat44 nat44_of(const struct flow_half *half)
{
	return (struct nat44){
		.addr = half->addr, .port = half->port, .ip_delta = half->ip_delta, .l4_delta = half->l4_delta};
}

/* A UDP checksum of zero means there is none and stays; one that computes to zero is sent as all ones: RFC 768. */
dp_fn u16 nat44_udp_csum(u16 csum, u16 delta)
{
	if (!csum)
		return 0;
	csum = csum_apply(csum, delta);
	return csum ? csum : 0xffff;
}

/* The bytes were there when the tuple was read; the pointers are checked again for the verifier. */
dp_fn enum reason nat44_l4(const struct pkt *p, const struct meta *m, const struct nat44 *nat)
{
	int out = m->key.dir == FLOW_OUT;

	if (m->key.proto == PROTO_UDP) {
		struct udp_hdr *udp = pkt_at(p, m->l4, sizeof(*udp));

		if (!udp)
			return REASON_DROP_FAULT;
		if (out)
			udp->sport = nat->port;
		else
			udp->dport = nat->port;
		udp->csum = nat44_udp_csum(udp->csum, nat->l4_delta);
	} else if (m->key.proto == PROTO_TCP) {
		struct tcp_hdr *tcp = pkt_at(p, m->l4, sizeof(*tcp));

		if (!tcp)
			return REASON_DROP_FAULT;
		if (out)
			tcp->sport = nat->port;
		else
			tcp->dport = nat->port;
		tcp->csum = csum_apply(tcp->csum, nat->l4_delta);
	} else {
		struct icmp_hdr *icmp = pkt_at(p, m->l4, sizeof(*icmp));

		if (!icmp)
			return REASON_DROP_FAULT;
		icmp->id = nat->port;
		icmp->csum = csum_apply(icmp->csum, nat->l4_delta);
	}
	return REASON_NONE;
}

dp_fn enum reason nat44_rewrite(const struct pkt *p, const struct meta *m, const struct nat44 *nat)
{
	struct ipv4_hdr *ip = pkt_at(p, m->l3, sizeof(*ip));

	if (!ip)
		return REASON_DROP_FAULT;
	if (m->key.dir == FLOW_OUT)
		ip->saddr = nat->addr;
	else
		ip->daddr = nat->addr;
	ip->ttl--;
	ip->csum = csum_apply(ip->csum, nat->ip_delta);
	return nat44_l4(p, m, nat);
}

#endif
