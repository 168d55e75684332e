/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quote.h - ICMP errors and the packet that they quote (RFC 792, RFC 5508, 4.2)
 *
 *   | outer IPv4 | type code csum | rest | quoted IPv4 | first 8 bytes behind it ... |
 *                                        '---- what the error is about ----'
 *
 * The quoted packet went the other way, so with its ends swapped it is the key of the flow half that packets in the
 * error's direction have. Rewriting turns the quoted source of an error from outside, or the quoted destination of one
 * from inside, back into what the receiver knows.
 */
#ifndef PORTICO_DP_QUOTE_H
#define PORTICO_DP_QUOTE_H

#include "csum.h"
#include "nat44.h"
#include "pkt.h"
#include "tuple.h"

dp_fn int quote_is_error(u8 type)
{
	return type == ICMP_UNREACHABLE || type == ICMP_TIME_EXCEEDED || type == ICMP_PARAMETER;
}

/* Reads ports or identifier of the quoted packet into the key. */
dp_fn enum reason quote_l4(const struct pkt *p, u32 kind, struct meta *m)
{
	struct ports_hdr *ports = pkt_at(p, m->quote_l4, 8);
	int out = m->key.dir == FLOW_OUT;

	if (!ports)
		return REASON_DROP_ICMP_QUOTE;
	switch (m->key.proto) {
	case PROTO_ICMP: {
		struct icmp_hdr *icmp = pkt_at(p, m->quote_l4, sizeof(*icmp));
		be16 id;

		if (!icmp)
			return REASON_DROP_ICMP_QUOTE;
		id = icmp->id;
		if (icmp->type != ICMP_ECHO && icmp->type != ICMP_ECHO_REPLY)
			return REASON_DROP_ICMP_TYPE;
		m->key.sport = out || kind & KIND_BR ? id : be16_of(0);
		m->key.dport = !out || kind & KIND_BR ? id : be16_of(0);
		return REASON_NONE;
	}
	case PROTO_TCP:
	case PROTO_UDP:
	case PROTO_UDPLITE:
	case PROTO_DCCP:
	case PROTO_SCTP:
		m->key.sport = ports->dport;
		m->key.dport = ports->sport;
		return REASON_NONE;
	}
	return REASON_DROP_PROTOCOL;
}

/* An ICMP error whose header at l4 is there: checks it and what it quotes (RFC 5508, REQ-3), turns the key into that of
 * the quoted packet's other direction, and sets quote and quote_l4. An error that cannot be about a flow is opaque. */
dp_fn enum reason quote_parse(const struct pkt *p, u32 kind, struct meta *m)
{
	u32 room = m->length - (u32)(m->l4 - m->l3), at = m->l4 + (u32)sizeof(struct icmp_hdr), ihl;
	struct ipv4_hdr *ip = pkt_at(p, at, sizeof(*ip));
	be32 from = m->key.saddr, to = m->key.daddr;
	u32 sum;

	if (pkt_sum(p, m->l4, room) != 0xffff)
		return REASON_DROP_ICMP_CSUM;
	if (!ip || ip->version_ihl >> 4 != 4)
		return REASON_DROP_ICMP_QUOTE;
	ihl = (ip->version_ihl & 15) * 4;
	if (ihl < sizeof(*ip) || room < sizeof(struct icmp_hdr) + ihl + 8)
		return REASON_DROP_ICMP_QUOTE;
	sum = csum_words(ip, sizeof(*ip) / 2);
	if (ihl > sizeof(*ip)) {
		u32 options = tuple_options_sum(p, at, ihl);

		if (options == ~0u)
			return REASON_DROP_ICMP_QUOTE;
		sum += options;
	}
	if (csum_fold(sum) != 0xffff || host16(ip->frag) & IPV4_OFFSET)
		return REASON_DROP_ICMP_QUOTE;
	/* an error goes to whom the quoted packet came from, and about an edge's own address that edge speaks for
	 * itself */
	if (ip->saddr != to || (kind & KIND_BR && m->outer && ip->daddr != from))
		return REASON_DROP_ICMP_QUOTE;
	m->quote = (u16)at;
	m->quote_l4 = (u16)(at + ihl);
	m->key.saddr = ip->daddr;
	m->key.proto = ip->proto;
	return quote_l4(p, kind, m);
}

/* Writes one 16-bit word of the quote and adds what that does to the checksum around it. */
dp_fn void quote_set(u16 *word, u16 to, u32 *sum)
{
	*sum += (~*word & 0xffffu) + to;
	*word = to;
}

/* What the translation does to a checksum in the quoted header, if that header's first bytes hold it. */
dp_fn void quote_l4_csum(const struct pkt *p, const struct meta *m, const struct nat44 *nat, u32 *sum)
{
	u32 at = m->key.proto == PROTO_ICMP ? 2 : m->key.proto == PROTO_TCP ? 16 : 6;
	u16 *csum = pkt_at(p, m->quote_l4 + at, 2);

	if (m->key.proto == PROTO_SCTP || !csum || m->quote_l4 + at + 2 > m->l3 + m->length)
		return;
	if (m->key.proto == PROTO_UDP || m->key.proto == PROTO_UDPLITE)
		quote_set(csum, nat44_udp_csum(*csum, nat->l4_delta), sum);
	else
		quote_set(csum, csum_apply(*csum, nat->l4_delta), sum);
}

/* Restores the quoted packet (RFC 5508, REQ-4 and REQ-5), and the checksum of the error. */
dp_fn enum reason quote_rewrite(const struct pkt *p, const struct meta *m, const struct nat44 *nat)
{
	struct ipv4_hdr *ip = pkt_at(p, m->quote, sizeof(*ip));
	u16 *port = pkt_at(p, m->quote_l4 + (m->key.proto == PROTO_ICMP ? 4 : m->key.dir == FLOW_OUT ? 2 : 0), 2);
	struct icmp_hdr *icmp = pkt_at(p, m->l4, sizeof(*icmp));
	int out = m->key.dir == FLOW_OUT;
	u32 sum = 0, diff;

	if (!ip || !port || !icmp)
		return REASON_DROP_FAULT;
	/* the quoted IPv4 header stays sound, so address and checksum do not show in the sum around it */
	diff = csum_diff32(out ? ip->daddr : ip->saddr, nat->addr);
	if (out)
		ip->daddr = nat->addr;
	else
		ip->saddr = nat->addr;
	ip->csum = csum_apply(ip->csum, csum_fold(diff));
	quote_set(port, (PORTICO_FORCE u16)nat->port, &sum);
	quote_l4_csum(p, m, nat, &sum);
	icmp->csum = csum_apply(icmp->csum, csum_fold(sum));
	return REASON_NONE;
}

#endif
