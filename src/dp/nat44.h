/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nat44.h - rewriting a packet as its flow half says: address, port or identifier, checksums, TTL (RFC 3022, 4) */
#ifndef PORTICO_DP_NAT44_H
#define PORTICO_DP_NAT44_H

#include "crc32c.h"
#include "csum.h"
#include "kind.h"
#include "pkt.h"

/* What is written into a packet, as its flow half has it. */
struct nat44 {
	be32 addr;
	be16 port;
	u16 ip_delta;
	u16 l4_delta;
	u8 tunnel; /* as in struct flow_half */
};

dp_fn struct nat44 nat44_of(const struct flow_half *half)
{
	return (struct nat44){.addr = half->addr,
			      .port = half->port,
			      .ip_delta = half->ip_delta,
			      .l4_delta = half->l4_delta,
			      .tunnel = half->tunnel};
}

/* A UDP checksum of zero means there is none and stays; one that computes to zero is sent as all ones: RFC 768. */
dp_fn u16 nat44_udp_csum(u16 csum, u16 delta)
{
	if (!csum)
		return 0;
	csum = csum_apply(csum, delta);
	return csum ? csum : 0xffff;
}

/* Writes one of a header's two ports. */
dp_fn void nat44_port(be16 *sport, be16 *dport, const struct meta *m, const struct nat44 *nat)
{
	if (m->key.dir == FLOW_OUT)
		*sport = nat->port;
	else
		*dport = nat->port;
}

/* UDP-Lite and DCCP have a checksum like UDP's at the same place, but it is never absent (RFC 3828, 3.1; RFC 4340, 9);
 * SCTP's is a CRC over all of the packet (RFC 9260, 6.8), which a fragment has not. */
dp_fn enum reason nat44_other(const struct pkt *p, const struct meta *m, const struct nat44 *nat)
{
	struct udplite_hdr *lite = pkt_at(p, m->l4, sizeof(*lite));
	struct sctp_hdr *sctp;
	be32 before, after;

	if (!lite)
		return REASON_DROP_FAULT;
	if (m->key.proto != PROTO_SCTP) {
		nat44_port(&lite->sport, &lite->dport, m, nat);
		lite->csum = csum_apply(lite->csum, nat->l4_delta);
		if (m->key.proto == PROTO_UDPLITE && !lite->csum)
			lite->csum = 0xffff;
		return REASON_NONE;
	}
	sctp = pkt_at(p, m->l4, sizeof(*sctp));
	if (!sctp)
		return REASON_DROP_FAULT;
	__builtin_memcpy(&before, sctp, sizeof(before));
	nat44_port(&sctp->sport, &sctp->dport, m, nat);
	__builtin_memcpy(&after, sctp, sizeof(after));
	sctp->crc = crc32c_word_changed(sctp->crc, before, after, m->length - (u32)(m->l4 - m->l3));
	return REASON_NONE;
}

/* The bytes were there when the tuple was read; the pointers are checked again for the verifier. */
dp_fn enum reason nat44_l4(const struct pkt *p, u32 kind, const struct meta *m, const struct nat44 *nat)
{
	if (m->key.proto == PROTO_UDP) {
		struct udp_hdr *udp = pkt_at(p, m->l4, sizeof(*udp));

		if (!udp)
			return REASON_DROP_FAULT;
		nat44_port(&udp->sport, &udp->dport, m, nat);
		udp->csum = nat44_udp_csum(udp->csum, nat->l4_delta);
	} else if (m->key.proto == PROTO_TCP) {
		struct tcp_hdr *tcp = pkt_at(p, m->l4, sizeof(*tcp));

		if (!tcp)
			return REASON_DROP_FAULT;
		nat44_port(&tcp->sport, &tcp->dport, m, nat);
		tcp->csum = csum_apply(tcp->csum, nat->l4_delta);
	} else if (!(kind & KIND_RARE) || m->key.proto == PROTO_ICMP) {
		struct icmp_hdr *icmp = pkt_at(p, m->l4, sizeof(*icmp));

		if (!icmp)
			return REASON_DROP_FAULT;
		icmp->id = nat->port;
		icmp->csum = csum_apply(icmp->csum, nat->l4_delta);
	} else {
		return nat44_other(p, m, nat);
	}
	return REASON_NONE;
}

/* The IPv4 header: one address, TTL, and the congestion that a tunnel has seen. */
dp_fn enum reason nat44_ipv4(const struct pkt *p, const struct meta *m, be32 addr, u16 delta)
{
	struct ipv4_hdr *ip = pkt_at(p, m->l3, sizeof(*ip));

	if (!ip)
		return REASON_DROP_FAULT;
	if (m->key.dir == FLOW_OUT)
		ip->saddr = addr;
	else
		ip->daddr = addr;
	ip->ttl--;
	ip->csum = csum_apply(ip->csum, delta);
	if (unlikely(m->self)) { /* it has not come through a router, or Linux was that */
		ip->ttl++;
		ip->csum = csum_apply(ip->csum, csum_fold(csum_diff16(be16_of(0), be16_of(0x0100))));
	}
	if (unlikely(m->new_tos != m->tos)) {
		ip->csum = csum_apply(ip->csum, csum_fold(csum_diff16(be16_of(m->tos), be16_of(m->new_tos))));
		ip->tos = m->new_tos;
	}
	return REASON_NONE;
}

#endif
