/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tuple.h - from bytes to the flow key: Ethernet, 802.1Q, IPv4, TCP, UDP, ICMP echo
 *
 * Each function takes one header and returns REASON_NONE to go on. Everything behind acts on the tuple alone.
 * A valid packet that has no tuple (another protocol, a fragment, another ICMP type) goes on with meta.opaque set:
 * whether it is dropped depends on where it is routed.
 */
#ifndef PORTICO_DP_TUPLE_H
#define PORTICO_DP_TUPLE_H

#include "abi/flow.h"
#include "csum.h"
#include "pkt.h"
#include "port.h"

dp_fn int tuple_mac_equal(const u8 a[6], const u8 b[6])
{
	u16 x[3], y[3];

	__builtin_memcpy(x, a, sizeof(x));
	__builtin_memcpy(y, b, sizeof(y));
	return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2])) == 0;
}

/* Which port a frame came in by, and whether it is IPv4 for this router. Sets port, l3, tagged, tci, key.dir. */
dp_fn enum reason tuple_ethernet(const struct pkt *p, const struct dp_config *c, u32 ifindex, struct meta *m)
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
	m->port = port_find(c, ifindex, m->tci & VLAN_VID_MASK);
	if (m->port >= DP_PORTS_MAX)
		return REASON_KERNEL_PORT;
	port = port_at(c, m->port);
	m->key.dir = port->role == ROLE_LAN ? FLOW_OUT : FLOW_IN;
	if (type != be16_of(ETH_TYPE_IPV4))
		return REASON_KERNEL_TYPE;
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

/* Sets key.saddr, daddr, proto, length, l4, ttl, df; opaque for a fragment. */
dp_fn enum reason tuple_ipv4(const struct pkt *p, struct meta *m)
{
	struct ipv4_hdr *ip = pkt_at(p, m->l3, sizeof(*ip));
	u32 ihl, sum, frag;

	if (!ip)
		return REASON_DROP_IP_SHORT;
	if (ip->version_ihl >> 4 != 4)
		return REASON_DROP_IP_VERSION;
	ihl = (ip->version_ihl & 15) * 4;
	if (ihl < sizeof(*ip))
		return REASON_DROP_IP_IHL;
	m->length = host16(ip->total_length);
	if (m->length < ihl)
		return REASON_DROP_IP_LENGTH;
	/* Ethernet pads short frames: the total length counts, not the frame's (RFC 894) */
	if (m->l3 + m->length > pkt_length(p))
		return REASON_DROP_IP_LENGTH;
	sum = csum_words(ip, sizeof(*ip) / 2);
	if (unlikely(ihl > sizeof(*ip))) {
		for (u32 at = sizeof(*ip); at < 60 && at < ihl; at += 4) {
			struct pkt q = *p;
			u16 *option;

			dp_hide(q.end);
			option = pkt_at(&q, m->l3 + at, 4);
			if (!option)
				return REASON_DROP_IP_IHL;
			sum += (u32)option[0] + option[1];
		}
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
	m->l4 = (u16)(m->l3 + ihl);
	frag = host16(ip->frag);
	m->df = (frag & IPV4_DF) != 0;
	if (frag & (IPV4_MF | IPV4_OFFSET))
		m->opaque = REASON_DROP_FRAGMENT;
	return REASON_NONE;
}

/* Each of the three checks that the packet's own length holds the header, and sets sport, dport. */
dp_fn enum reason tuple_tcp(const struct pkt *p, struct meta *m, u32 room)
{
	struct tcp_hdr *tcp = pkt_at(p, m->l4, sizeof(*tcp));
	u32 doff;

	if (!tcp || room < sizeof(*tcp))
		return REASON_DROP_L4_SHORT;
	doff = (tcp->doff >> 4) * 4;
	if (doff < sizeof(*tcp) || doff > room)
		return REASON_DROP_TCP_OFFSET;
	m->key.sport = tcp->sport;
	m->key.dport = tcp->dport;
	m->tcp_flags = tcp->flags;
	return REASON_NONE;
}

dp_fn enum reason tuple_udp(const struct pkt *p, struct meta *m, u32 room)
{
	struct udp_hdr *udp = pkt_at(p, m->l4, sizeof(*udp));
	u32 length;

	if (!udp || room < sizeof(*udp))
		return REASON_DROP_L4_SHORT;
	length = host16(udp->length);
	if (length < sizeof(*udp) || length > room)
		return REASON_DROP_UDP_LENGTH;
	m->key.sport = udp->sport;
	m->key.dport = udp->dport;
	return REASON_NONE;
}

dp_fn enum reason tuple_icmp(const struct pkt *p, struct meta *m, u32 room)
{
	struct icmp_hdr *icmp = pkt_at(p, m->l4, sizeof(*icmp));

	if (!icmp || room < sizeof(*icmp))
		return REASON_DROP_L4_SHORT;
	if (m->key.dir == FLOW_OUT && icmp->type == ICMP_ECHO) {
		m->key.sport = icmp->id;
		m->key.dport = be16_of(0);
	} else if (m->key.dir == FLOW_IN && icmp->type == ICMP_ECHO_REPLY) {
		m->key.sport = be16_of(0);
		m->key.dport = icmp->id;
	} else {
		m->opaque = REASON_DROP_ICMP_TYPE;
	}
	return REASON_NONE;
}

dp_fn enum reason tuple_l4(const struct pkt *p, struct meta *m)
{
	u32 room = m->length - (u32)(m->l4 - m->l3);

	if (m->opaque) /* no ports are ever read from a fragment: the header may be elsewhere */
		return REASON_NONE;
	switch (m->key.proto) {
	case PROTO_UDP:
		return tuple_udp(p, m, room);
	case PROTO_TCP:
		return tuple_tcp(p, m, room);
	case PROTO_ICMP:
		return tuple_icmp(p, m, room);
	default:
		m->opaque = REASON_DROP_PROTOCOL;
		return REASON_NONE;
	}
}

#endif
