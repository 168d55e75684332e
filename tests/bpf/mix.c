/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.c - random frames for a home
 *
 *      a packet of its own ---.                            .--- damaged, a third of them
 *      an answer -------------+--> in a tunnel where one --+
 *      an ICMP error ---------'    ends at that port       '--- as it is
 *
 * Answers and errors are about what was forwarded lately, by whatever port it left.
 */
#include "mix.h"

#include <stdio.h>
#include <string.h>

#include "dp/tunnel.h"
#include "dp/wire.h"

#define HOSTS 8
#define SERVERS 4

static const u8 host_mac[6] = {0x02, 0xaa, 0, 0, 0, 7};

static u32 draw(struct mix *m, u32 below)
{
	/* xorshift64*, Vigna 2016 */
	m->state ^= m->state >> 12;
	m->state ^= m->state << 25;
	m->state ^= m->state >> 27;
	return (u32)((m->state * 2685821657736338717ULL) >> 32) % below;
}

static void address_add(struct mix *m, u32 host_order)
{
	if (m->naddresses < MIX_ADDRESSES)
		m->addresses[m->naddresses++] = be32_of(host_order);
}

/* The addresses of a port's network; of the outside, where it has none. */
static void hosts_add(struct mix *m, u32 port)
{
	const struct home_port *p = &m->c->setup.ports[port];
	u32 address = host32(p->address ? p->address : m->c->options.config.wan_addr);
	u32 prefix = p->address ? p->prefix : 32, net = address & ~0u << (32 - prefix);

	m->hosts[port] = m->naddresses;
	for (u32 host = 0; host < HOSTS - 2; host++)
		address_add(m, prefix < 32 ? net + host : address);
	address_add(m, net | (u32)((1ull << (32 - prefix)) - 1));
	address_add(m, address);
}

static void customers_add(struct mix *m)
{
	const struct dp_tunnel *t = &m->c->options.tunnel;

	m->customers = m->naddresses;
	for (u32 i = 0; i < t->nrules && m->naddresses < MIX_ADDRESSES - SERVERS - 8; i++) {
		address_add(m, t->rules[i].addr);
		address_add(m, t->rules[i].addr | (0x00a5c35b & ~t->rules[i].mask));
	}
	m->ncustomers = m->naddresses - m->customers;
}

void mix_init(struct mix *m, const struct vec_case *c, unsigned int seed)
{
	memset(m, 0, sizeof(*m));
	m->c = c;
	m->state = 88172645463325252ULL + seed;
	for (u32 i = 0; i < case_ports(c); i++) {
		hosts_add(m, i);
		if (c->options.config.port[i].role == ROLE_WAN)
			m->wan = i;
	}
	customers_add(m);
	m->servers = m->naddresses;
	for (u32 host = 9; host < 9 + SERVERS; host++)
		address_add(m, 0xc6336400 + host); /* 198.51.100.9 ... */
	address_add(m, 0xffffffff);
	address_add(m, 0xe00000fb);
	address_add(m, 0x7f000001);
	address_add(m, 0);
}

/* The checksum of `length` bytes over `sum`, as RFC 1071 says it. */
static u16 checksum(u32 sum, const u8 *data, u32 length)
{
	for (u32 i = 0; i < length; i++)
		sum += i % 2 ? data[i] : (u32)data[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (u16)~sum;
}

static void put16(u8 *at, u32 value)
{
	at[0] = (u8)(value >> 8);
	at[1] = (u8)value;
}

static u32 get16(const u8 *at)
{
	return (u32)at[0] << 8 | at[1];
}

static void ip_checksum_write(u8 *ip)
{
	put16(ip + 10, 0);
	put16(ip + 10, checksum(0, ip, (ip[0] & 15u) * 4));
}

/* Both checksums of the packet at `ip`, as they should be; SCTP's stays what it is. */
static void checksums_write(u8 *ip, u32 length)
{
	u32 ihl = (ip[0] & 15u) * 4, l4 = length - ihl, at, pseudo;

	ip_checksum_write(ip);
	at = ip[9] == PROTO_TCP ? 16 : ip[9] == PROTO_ICMP ? 2 : 6;
	pseudo = (u16)~checksum(ip[9] + l4, ip + 12, 8);
	if (l4 < at + 2 || ip[9] == PROTO_SCTP)
		return;
	put16(ip + ihl + at, 0);
	put16(ip + ihl + at, checksum(ip[9] == PROTO_ICMP ? 0 : pseudo, ip + ihl, l4));
}

static u32 options_write(struct mix *m, u8 *ip)
{
	u32 words = draw(m, 8) ? 0 : draw(m, 11);

	for (u32 i = 0; i < words * 4; i++)
		ip[20 + i] = (u8)draw(m, 256);
	ip[0] = (u8)(0x45 + words);
	return 20 + words * 4;
}

/* Ports of the outside: around the beginning of the set, so that some are of it. */
static u32 outside_port(struct mix *m)
{
	return m->c->options.config.ports.base - 2 + draw(m, 12);
}

/* TCP options, some of them of a kind. */
static void tcp_options_write(struct mix *m, u8 *option, u32 length)
{
	static const u8 mss[] = {1, 1, 2, 4, 5, 0xb4};

	if (length >= sizeof(mss) && draw(m, 2))
		memcpy(option + draw(m, length - (u32)sizeof(mss) + 1), mss, sizeof(mss));
}

static u32 header_of(u8 proto)
{
	return proto == PROTO_TCP ? 20 : proto == PROTO_SCTP || proto == PROTO_DCCP ? 12 : 8;
}

static u32 l4_write(struct mix *m, u8 *l4, u8 proto, u32 out)
{
	static const u8 flags[] = {TCP_SYN, TCP_SYN | TCP_ACK, TCP_ACK, TCP_ACK, TCP_ACK | TCP_FIN, TCP_RST, 0x3f, 0};
	u32 data = draw(m, 6) ? draw(m, 64) : draw(m, 1460), header = header_of(proto);

	for (u32 i = 0; i < header + data; i++)
		l4[i] = (u8)draw(m, 256);
	if (proto == PROTO_ICMP) {
		l4[0] = draw(m, 8) ? (out ? ICMP_ECHO : ICMP_ECHO_REPLY) : (u8)draw(m, 20);
		put16(l4 + 4, outside_port(m));
		return header + data;
	}
	put16(l4, out ? outside_port(m) : 53 + draw(m, 3));
	put16(l4 + 2, out ? 53 + draw(m, 3) : outside_port(m));
	if (proto == PROTO_UDP) {
		put16(l4 + 4, header + data);
	} else if (proto == PROTO_TCP) {
		l4[12] = (u8)(0x50 + 0x10 * (data < 40 ? 0 : draw(m, 11)));
		l4[13] = flags[draw(m, sizeof(flags))];
		tcp_options_write(m, l4 + 20, (l4[12] >> 4) * 4u - 20);
	}
	return header + data;
}

static int tunnel_ends_at(const struct mix *m, u32 port)
{
	enum dp_mode mode = m->c->conf.kind;

	return mode != MODE_NAT44 && m->c->options.config.port[port].role == (mode == MODE_CE ? ROLE_WAN : ROLE_LAN);
}

/* Ethernet and tag for a frame that comes in by `port`, and room for an outer header where a tunnel ends there: sets l3
 * and inner. */
static void ethernet_write(struct mix *m, u32 port)
{
	const struct dp_port *p = &m->c->options.config.port[port];
	u32 vid = draw(m, 30) ? p->vid : draw(m, 10);
	struct mix_frame *f = &m->frame;
	int tunnel = tunnel_ends_at(m, port) && draw(m, 40);

	f->port = port;
	memcpy(f->data, p->mac, 6);
	if (!draw(m, 40))
		f->data[draw(m, 6)] ^= (u8)(1 + draw(m, 255));
	memcpy(f->data + 6, host_mac, 6);
	f->l3 = 14;
	if (vid || !draw(m, 10)) {
		put16(f->data + 12, ETH_TYPE_VLAN);
		put16(f->data + 14, draw(m, 16) << 12 | vid);
		f->l3 = 18;
	}
	put16(f->data + f->l3 - 2, tunnel ? ETH_TYPE_IPV6 : ETH_TYPE_IPV4);
	f->inner = f->l3 + (tunnel ? TUNNEL_HEADER : 0);
	if (tunnel && !draw(m, 20)) { /* destination options: an encapsulation limit */
		memcpy(f->data + f->inner, (u8[]){PROTO_IPV4, 0, 4, 1, 4, 1, 0, 0}, 8);
		f->inner += 8;
	}
}

/* The address of the customer who has the packet's source, or the border relay's; now and then of somebody else. */
static void source_write(struct mix *m, u8 *source, const u8 *ip)
{
	const struct dp_tunnel *t = &m->c->options.tunnel;
	const u8 *l4 = ip + (ip[0] & 15u) * 4;
	u32 port = get16(l4 + (ip[9] == PROTO_ICMP ? 4 : 0)), i;
	be32 address, end[4];

	memcpy(&address, ip + 12, sizeof(address));
	i = tunnel_rule(&m->c->options.config, t, address, be16_of((u16)port));
	if (i < MAPE_RULES_MAX && draw(m, 10))
		addr6_to_wire(end, mape_destination(&t->rules[i], host32(address), (u16)port));
	else
		memcpy(end, &t->relay[draw(m, t->nrelays)], sizeof(end));
	memcpy(source, end, sizeof(end));
	if (!draw(m, 20))
		source[draw(m, 16)] ^= (u8)(1 + draw(m, 255));
}

static void destination_write(struct mix *m, u8 *destination, const u8 *ip)
{
	const struct dp_tunnel *t = &m->c->options.tunnel;
	be32 address;
	u32 i;

	memcpy(&address, ip + 12, sizeof(address));
	i = tunnel_rule(&m->c->options.config, t, address, be16_of((u16)get16(ip + (ip[0] & 15u) * 4)));
	if (m->c->conf.kind == MODE_CE)
		memcpy(destination, &t->local, 16);
	else
		memcpy(destination, &t->relay[i < MAPE_RULES_MAX && draw(m, 10) ? t->rules[i].relay : 0], 16);
	if (!draw(m, 30))
		destination[draw(m, 16)] ^= (u8)(1 + draw(m, 255));
}

/* The outer header for the packet behind it. `sent` is the packet that it answers, or NULL. */
static void outer_write(struct mix *m, const struct mix_frame *sent)
{
	struct mix_frame *f = &m->frame;
	u8 *ip6 = f->data + f->l3;

	if (f->inner == f->l3)
		return;
	ip6[0] = 0x60;
	ip6[1] = (u8)(draw(m, 4) << 4);
	put16(ip6 + 2, draw(m, 65536));
	put16(ip6 + 4, f->length - f->l3 - TUNNEL_HEADER);
	ip6[6] = f->inner == f->l3 + TUNNEL_HEADER ? PROTO_IPV4 : PROTO_OPTIONS;
	ip6[7] = (u8)draw(m, 256);
	if (sent && sent->inner > sent->l3 && draw(m, 10)) {
		memcpy(ip6 + 8, sent->data + sent->l3 + 24, 16);
		memcpy(ip6 + 24, sent->data + sent->l3 + 8, 16);
	} else {
		source_write(m, ip6 + 8, f->data + f->inner);
		destination_write(m, ip6 + 24, f->data + f->inner);
	}
}

static void address_draw(struct mix *m, u8 *at, u32 from, u32 n)
{
	memcpy(at, &m->addresses[from + draw(m, n)], sizeof(be32));
}

/* Most go where they can: from a host of this network, or a customer, to a server; or back. */
static void addresses_write(struct mix *m, u8 *ip, u32 port, int out)
{
	int relay = m->c->conf.kind == MODE_BR;
	u8 *near = ip + (out ? 12 : 16), *far = ip + (out ? 16 : 12);

	address_draw(m, ip + 12, 0, m->naddresses);
	address_draw(m, ip + 16, 0, m->naddresses);
	if (draw(m, 5))
		address_draw(m, far, m->servers, SERVERS);
	if (m->ncustomers && !draw(m, 6))
		address_draw(m, far, m->customers, m->ncustomers);
	if (relay && draw(m, 5))
		address_draw(m, near, m->customers, m->ncustomers);
	else if (out && draw(m, 5))
		address_draw(m, near, m->hosts[port] + 2, HOSTS - 4);
}

/* Whole, the first fragment, one between, or the last. The identifications are few, so that fragments meet. */
static void fragment_write(struct mix *m, u8 *ip)
{
	static const u16 kinds[] = {IPV4_MF, IPV4_MF, IPV4_MF | 3, 4, 0xffff};

	put16(ip + 4, draw(m, 12));
	put16(ip + 6, draw(m, 8) ? draw(m, 2) * IPV4_DF : kinds[draw(m, sizeof(kinds) / sizeof(*kinds))]);
}

static void packet_write(struct mix *m)
{
	static const u8 protos[] = {PROTO_UDP, PROTO_TCP, PROTO_ICMP, PROTO_UDP,  PROTO_TCP,
				    PROTO_UDP, PROTO_TCP, PROTO_SCTP, PROTO_DCCP, PROTO_UDPLITE};
	u32 port = draw(m, 4) ? draw(m, case_ports(m->c)) : m->wan, ihl, l4;
	struct mix_frame *f = &m->frame;
	int out = port != m->wan;
	u8 *ip;

	ethernet_write(m, port);
	ip = f->data + f->inner;
	ihl = options_write(m, ip);
	ip[1] = (u8)draw(m, 256);
	fragment_write(m, ip);
	ip[8] = (u8)(draw(m, 12) ? 64 : draw(m, 3));
	ip[9] = draw(m, 25) ? protos[draw(m, sizeof(protos))] : (u8)draw(m, 256);
	addresses_write(m, ip, port, out);
	l4 = l4_write(m, ip + ihl, ip[9], (u32)out);
	put16(ip + 2, ihl + l4);
	checksums_write(ip, ihl + l4);
	if (ip[9] == PROTO_UDP && !draw(m, 8))
		put16(ip + ihl + 6, 0);
	f->length = f->inner + ihl + l4;
	outer_write(m, NULL);
}

/* The answer to a packet: addresses and ports exchanged, an echo request turned into a reply. Returns its length. */
static u32 answer_write(struct mix *m, u8 *ip, const u8 *sent)
{
	u32 length = get16(sent + 2);
	u8 *l4;

	memcpy(ip, sent, length);
	memcpy(ip + 12, sent + 16, 4);
	memcpy(ip + 16, sent + 12, 4);
	ip[8] = (u8)(draw(m, 20) ? 57 : draw(m, 3));
	if (!draw(m, 8))
		fragment_write(m, ip);
	l4 = ip + (ip[0] & 15u) * 4;
	if (ip[9] == PROTO_ICMP) {
		l4[0] = l4[0] == ICMP_ECHO ? ICMP_ECHO_REPLY : ICMP_ECHO;
	} else {
		memcpy(l4, sent + (l4 - ip) + 2, 2);
		memcpy(l4 + 2, sent + (l4 - ip), 2);
		if (ip[9] == PROTO_TCP)
			l4[13] = (u8)draw(m, 64);
	}
	checksums_write(ip, length);
	return length;
}

/* An error about a packet, from whom it went to, or from a router before that. Returns its length. */
static u32 error_write(struct mix *m, u8 *ip, const u8 *sent)
{
	static const u8 types[] = {ICMP_UNREACHABLE, ICMP_TIME_EXCEEDED, ICMP_PARAMETER, 4, 5};
	u32 length = get16(sent + 2), quoted = draw(m, 6) ? length : draw(m, length + 1);

	if (quoted > 576)
		quoted = draw(m, 2) ? 28 : 576;
	memset(ip, 0, 28);
	ip[0] = 0x45;
	ip[1] = (u8)(draw(m, 4) ? 0xc0 : draw(m, 256));
	put16(ip + 2, 28 + quoted);
	ip[8] = (u8)(draw(m, 20) ? 60 : draw(m, 3));
	ip[9] = PROTO_ICMP;
	memcpy(ip + 12, sent + 16, 4);
	memcpy(ip + 16, sent + 12, 4);
	if (!draw(m, 3))
		address_draw(m, ip + 12, 0, m->naddresses);
	ip[20] = types[draw(m, 8) ? draw(m, 3) : draw(m, 5)];
	ip[21] = (u8)draw(m, 16);
	put16(ip + 26, draw(m, 1500));
	memcpy(ip + 28, sent, quoted);
	if (!draw(m, 12))
		ip[28 + draw(m, 28)] ^= (u8)(1 << draw(m, 8));
	checksums_write(ip, 28 + quoted);
	return 28 + quoted;
}

static void reply_write(struct mix *m)
{
	const struct mix_frame *sent = &m->sent[draw(m, m->nsent < MIX_SENT ? m->nsent : MIX_SENT)];
	struct mix_frame *f = &m->frame;
	const u8 *packet = sent->data + sent->inner;
	u8 *ip;

	ethernet_write(m, sent->port);
	ip = f->data + f->inner;
	f->length = f->inner + (draw(m, 4) ? answer_write(m, ip, packet) : error_write(m, ip, packet));
	outer_write(m, sent);
}

/* Wrong in some way: a byte, a length, an end. Half of them with an IPv4 checksum that fits again. The addresses stay:
 * another one of the LAN or the WAN would be a neighbour that replay makes up and the kernel lacks. */
static void damage(struct mix *m)
{
	struct mix_frame *f = &m->frame;
	u8 *ip = f->data + f->inner, addresses[8];
	u32 ihl;

	memcpy(addresses, ip + 12, 8);
	switch (draw(m, 5)) {
	case 0:
		f->length = 14 + draw(m, f->length - 13);
		return;
	case 1:
		f->data[draw(m, f->length)] = (u8)draw(m, 256);
		break;
	case 2:
		ip[draw(m, 44)] = (u8)draw(m, 256);
		break;
	case 3:
		f->data[f->l3 + draw(m, 8)] = (u8)(draw(m, 2) ? draw(m, 256) : PROTO_FRAGMENT - 3 + draw(m, 20));
		break;
	default:
		put16(ip + (draw(m, 2) ? 2 : 24), draw(m, 80));
		break;
	}
	memcpy(ip + 12, addresses, 8);
	ihl = (ip[0] & 15u) * 4;
	if (draw(m, 2) && f->inner + ihl <= f->length && ihl >= 20)
		ip_checksum_write(ip);
}

const struct mix_frame *mix_next(struct mix *m)
{
	struct mix_frame *f = &m->frame;

	memset(f->data, 0, sizeof(f->data));
	if (m->nsent && draw(m, 2))
		reply_write(m);
	else
		packet_write(m);
	if (!draw(m, 4))
		f->length += draw(m, 60); /* padding */
	if (!draw(m, 3))
		damage(m);
	return f;
}

void mix_sent(struct mix *m, u32 port, const u8 *data, u32 length)
{
	struct mix_frame *to = &m->sent[m->nsent++ % MIX_SENT];

	to->port = port;
	to->length = length;
	to->l3 = data[12] == 0x81 ? 18 : 14;
	to->inner = to->l3 + (data[to->l3] >> 4 == 6 ? TUNNEL_HEADER : 0);
	memcpy(to->data, data, length);
}

void mix_report(const struct mix *m, const struct dp_counter *counters)
{
	unsigned long long forward = 0;
	unsigned int reasons = 0;

	for (u32 i = 0; i < REASON_COUNT; i++) {
		reasons += counters[i].packets != 0;
		forward += reason_verdict((enum reason)i) == VERDICT_FORWARD ? counters[i].packets : 0;
	}
	printf("%s: %llu forwarded, %u reasons, %u halves of flows\n", m->c->dir, forward, reasons, m->halves);
}
