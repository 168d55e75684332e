/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tuple.h - from bytes to the flow key: Ethernet, 802.1Q, IPv4, and what has ports or an identifier behind it
 *
 * Each function takes one header and returns REASON_NONE to go on. Everything behind acts on the tuple alone.
 * A valid packet that has no tuple (another protocol, another ICMP type) goes on with meta.opaque set: whether it is
 * dropped depends on where it is routed.
 */
#ifndef PORTICO_DP_TUPLE_H
#define PORTICO_DP_TUPLE_H

#include "abi/flow.h"
#include "csum.h"
#include "kind.h"
#include "pkt.h"
#include "port.h"

dp_fn int tuple_mac_equal(const u8 a[6], const u8 b[6])
{
	u16 x[3], y[3];

	__builtin_memcpy(x, a, sizeof(x));
	__builtin_memcpy(y, b, sizeof(y));
	return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2])) == 0;
}

/* Whether frames of this type may be for us: IPv6 is where a tunnel is. */
dp_fn int tuple_type(be16 type, u32 kind)
{
	return type == be16_of(ETH_TYPE_IPV4) || (kind & (KIND_CE | KIND_BR) && type == be16_of(ETH_TYPE_IPV6));
}

/* Which port a frame came in by, and whether it is IP for this router. Sets port, l3, end, tagged, tci, ipv6,
 * key.dir. */
dp_fn enum reason tuple_ethernet(const struct pkt *p, const struct dp_config *c, u32 ifindex, u32 kind, struct meta *m)
{
	struct eth_hdr *eth = pkt_at(p, 0, sizeof(*eth));
	const struct dp_port *port;
	be16 type;

	if (!eth)
		return REASON_DROP_ETH_SHORT;
	type = eth->type;
	m->l3 = sizeof(*eth);
	m->tagged = 0;
	m->tci = 0;
	if (type == be16_of(ETH_TYPE_VLAN)) {
		struct vlan_tag *tag = pkt_at(p, sizeof(*eth), sizeof(*tag));

		if (!tag)
			return REASON_DROP_ETH_SHORT;
		m->tagged = 1;
		m->tci = host16(tag->tci);
		type = tag->type;
		m->l3 += sizeof(*tag);
	}
	m->l3 = (u16)port_blur(c, m->l3);
	m->tagged = (u8)port_blur(c, m->tagged);
	m->end = pkt_length(p);
	m->port = port_find(c, ifindex, m->tci & VLAN_VID_MASK);
	if (m->port >= DP_PORTS_MAX)
		return REASON_KERNEL_PORT;
	port = port_at(c, m->port);
	m->key.dir = port->role == ROLE_WAN ? FLOW_IN : FLOW_OUT;
	m->self = kind & KIND_CE && port->role == ROLE_SELF;
	if (!tuple_type(type, kind))
		return REASON_KERNEL_TYPE;
	m->ipv6 = type == be16_of(ETH_TYPE_IPV6);
	if (!tuple_mac_equal(eth->dst, port->mac))
		return REASON_KERNEL_MAC;
	return REASON_NONE;
}

/* RFC 1122, 3.2.1.3: this host, loopback, multicast, reserved and broadcast are no source of a forwarded packet. */
dp_fn int tuple_source_bad(be32 saddr)
{
	u32 net = host32(saddr) >> 24;

	return net == 0 || net == 127 || net >= 224;
}

/* Sum over the IPv4 options, 4 ... 40 bytes behind the header at `l3`; ~0 where they are not all there. */
dp_fn u32 tuple_options_sum(const struct pkt *p, u32 l3, u32 ihl)
{
	u32 sum = 0;

	for (u32 at = sizeof(struct ipv4_hdr); at < 60 && at < ihl; at += 4) {
		struct pkt q = *p;
		u16 *option;

		dp_hide(q.end);
		option = pkt_at(&q, l3 + at, 4);
		if (!option)
			return ~0u;
		sum += (u32)option[0] + option[1];
	}
	return sum;
}

/* Sets key.saddr, daddr, proto, length, l4, ttl, tos, df, id, fragment. */
dp_fn enum reason tuple_ipv4(const struct pkt *p, u32 kind, struct meta *m)
{
	struct ipv4_hdr *ip = pkt_at(p, m->l3, sizeof(*ip));
	u32 ihl, sum, frag;

	if (!ip)
		return REASON_DROP_IP_SHORT;
	if (ip->version_ihl >> 4 != 4)
		return REASON_DROP_IP_VERSION;
	ihl = (ip->version_ihl & 15) * 4;
	frag = host16(ip->frag);
	if (!(kind & KIND_RARE) && unlikely(ihl != sizeof(*ip) || frag & (IPV4_MF | IPV4_OFFSET)))
		return STEP_RARE;
	if (ihl < sizeof(*ip))
		return REASON_DROP_IP_IHL;
	m->length = host16(ip->total_length);
	if (m->length < ihl)
		return REASON_DROP_IP_LENGTH;
	/* Ethernet pads short frames: the total length counts, not the frame's (RFC 894) */
	if (m->l3 + m->length > m->end)
		return REASON_DROP_IP_LENGTH;
	sum = csum_words(ip, sizeof(*ip) / 2);
	if (kind & KIND_RARE && ihl > sizeof(*ip)) {
		u32 options = tuple_options_sum(p, m->l3, ihl);

		if (options == ~0u)
			return REASON_DROP_IP_IHL;
		sum += options;
	}
	if (csum_fold(sum) != 0xffff)
		return REASON_DROP_IP_CSUM;
	if (tuple_source_bad(ip->saddr))
		return REASON_DROP_IP_SOURCE;
	m->key.saddr = ip->saddr;
	m->key.daddr = ip->daddr;
	m->key.proto = ip->proto;
	m->key.zone = 0;
	m->ttl = ip->ttl;
	m->tos = ip->tos;
	m->new_tos = ip->tos;
	m->id = ip->id;
	m->l4 = (u16)(m->l3 + ihl);
	m->df = (frag & IPV4_DF) != 0;
	m->fragment = frag & IPV4_OFFSET ? FRAGMENT_LATER : frag & IPV4_MF ? FRAGMENT_FIRST : 0;
	return REASON_NONE;
}

/* Each of these checks that the packet's own length holds the header, `room` bytes of it, and sets sport and dport. Of
 * a first fragment, what the header says of the whole datagram's length is not held against it. */
dp_fn enum reason tuple_tcp(const struct pkt *p, u32 kind, struct meta *m, u32 room)
{
	struct tcp_hdr *tcp = pkt_at(p, m->l4, sizeof(*tcp));
	u32 doff;

	if (!tcp || room < sizeof(*tcp))
		return REASON_DROP_L4_SHORT;
	if (!(kind & KIND_RARE) && unlikely(tcp->flags & TCP_SYN))
		return STEP_RARE;
	doff = (tcp->doff >> 4) * 4;
	if (doff < sizeof(*tcp) || (doff > room && !m->fragment))
		return REASON_DROP_TCP_OFFSET;
	m->key.sport = tcp->sport;
	m->key.dport = tcp->dport;
	m->tcp_flags = tcp->flags;
	m->tcp_header = (u8)(doff > room ? room : doff);
	return REASON_NONE;
}

dp_fn enum reason tuple_udp(const struct pkt *p, struct meta *m, u32 room)
{
	struct udp_hdr *udp = pkt_at(p, m->l4, sizeof(*udp));
	u32 length;

	if (!udp || room < sizeof(*udp))
		return REASON_DROP_L4_SHORT;
	length = host16(udp->length);
	if (length < sizeof(*udp) || (length > room && !m->fragment))
		return REASON_DROP_UDP_LENGTH;
	m->key.sport = udp->sport;
	m->key.dport = udp->dport;
	return REASON_NONE;
}

/* UDP-Lite, DCCP, SCTP: all begin with the ports, and `least` bytes of header are always there. */
dp_fn enum reason tuple_ports(const struct pkt *p, struct meta *m, u32 room, u32 least)
{
	struct ports_hdr *ports = pkt_at(p, m->l4, sizeof(*ports));

	if (!ports || room < least)
		return REASON_DROP_L4_SHORT;
	m->key.sport = ports->sport;
	m->key.dport = ports->dport;
	return REASON_NONE;
}

/* Of an echo, the end that made up the identifier has it as its port. A border relay, which has customers at either
 * side, takes it as the port of both (RFC 7597, 8.1). */
dp_fn enum reason tuple_icmp(const struct pkt *p, u32 kind, struct meta *m, u32 room)
{
	struct icmp_hdr *icmp = pkt_at(p, m->l4, sizeof(*icmp));
	int out = m->key.dir == FLOW_OUT;

	if (!icmp || room < sizeof(*icmp))
		return REASON_DROP_L4_SHORT;
	if (kind & KIND_BR && (icmp->type == ICMP_ECHO || icmp->type == ICMP_ECHO_REPLY)) {
		m->key.sport = icmp->id;
		m->key.dport = icmp->id;
	} else if (!(kind & KIND_BR) && icmp->type == (out ? ICMP_ECHO : ICMP_ECHO_REPLY)) {
		m->key.sport = out ? icmp->id : be16_of(0);
		m->key.dport = out ? be16_of(0) : icmp->id;
	} else {
		m->opaque = REASON_DROP_ICMP_TYPE;
	}
	return REASON_NONE;
}

/* The header behind IPv4's, of a packet that is not a later fragment. */
dp_fn enum reason tuple_l4(const struct pkt *p, u32 kind, struct meta *m)
{
	u32 room = m->length - (u32)(m->l4 - m->l3);

	switch (m->key.proto) {
	case PROTO_UDP:
		return tuple_udp(p, m, room);
	case PROTO_TCP:
		return tuple_tcp(p, kind, m, room);
	case PROTO_ICMP:
		return tuple_icmp(p, kind, m, room);
	}
	if (!(kind & KIND_RARE))
		return STEP_RARE;
	switch (m->key.proto) {
	case PROTO_UDPLITE:
		return tuple_ports(p, m, room, sizeof(struct udplite_hdr));
	case PROTO_DCCP:
		return tuple_ports(p, m, room, sizeof(struct dccp_hdr));
	case PROTO_SCTP:
		if (m->fragment && !(kind & KIND_BR)) { /* to be translated, but its CRC is over what is not all here */
			m->opaque = REASON_DROP_FRAGMENT;
			return REASON_NONE;
		}
		return tuple_ports(p, m, room, sizeof(struct sctp_hdr));
	}
	m->opaque = REASON_DROP_PROTOCOL;
	return REASON_NONE;
}

#endif
