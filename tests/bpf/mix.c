/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.c - random frames for a home */
#include "mix.h"

#include <stdio.h>
#include <string.h>

#include "dp/wire.h"

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

void mix_init(struct mix *m, const struct vec_case *c, unsigned int seed)
{
	memset(m, 0, sizeof(*m));
	m->c = c;
	m->state = 88172645463325252ULL + seed;
	for (u32 i = 0; i < c->conf.nports; i++) {
		const struct conf_port *p = &c->conf.ports[i];
		u32 net = host32(p->address) & ~0u << (32 - p->prefix);

		if (p->role == ROLE_WAN)
			m->wan = i;
		for (u32 host = 0; host < 6; host++)
			address_add(m, net + host);
		address_add(m, net | (u32)((1ull << (32 - p->prefix)) - 1));
		address_add(m, host32(p->address));
	}
	for (u32 host = 9; host < 13; host++)
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

/* Both checksums of the packet at `ip`, as they should be. */
static void checksums_write(u8 *ip, u32 length)
{
	u32 ihl = (ip[0] & 15u) * 4, l4 = length - ihl, at, pseudo;

	put16(ip + 10, 0);
	put16(ip + 10, checksum(0, ip, ihl));
	at = ip[9] == PROTO_TCP ? 16 : ip[9] == PROTO_UDP ? 6 : 2;
	pseudo = (u16)~checksum(ip[9] + l4, ip + 12, 8);
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

static u32 l4_write(struct mix *m, u8 *l4, u8 proto, u32 out)
{
	static const u8 flags[] = {TCP_SYN, TCP_SYN | TCP_ACK, TCP_ACK, TCP_ACK, TCP_ACK | TCP_FIN, TCP_RST, 0x3f, 0};
	u32 data = draw(m, 6) ? draw(m, 64) : draw(m, 1440), header = proto == PROTO_TCP ? 20 : 8;

	for (u32 i = 0; i < header + data; i++)
		l4[i] = (u8)draw(m, 256);
	if (proto == PROTO_ICMP) {
		l4[0] = draw(m, 8) ? (out ? ICMP_ECHO : ICMP_ECHO_REPLY) : (u8)draw(m, 20);
		put16(l4 + 4, 5000 + draw(m, 12));
		return header + data;
	}
	put16(l4, out ? 4998 + draw(m, 12) : 53 + draw(m, 3));
	put16(l4 + 2, out ? 53 + draw(m, 3) : 4998 + draw(m, 12));
	if (proto == PROTO_UDP) {
		put16(l4 + 4, header + data);
	} else {
		l4[12] = (u8)(0x50 + 0x10 * (data < 16 ? 0 : draw(m, 5)));
		l4[13] = flags[draw(m, sizeof(flags))];
	}
	return header + data;
}

/* Ethernet and tag for a frame that comes in by `port`; returns the offset behind. */
static u32 ethernet_write(struct mix *m, u8 *data, u32 port)
{
	const struct dp_port *p = &m->c->options.config.port[port];
	u32 vid = draw(m, 30) ? p->vid : draw(m, 10);

	memcpy(data, p->mac, 6);
	if (!draw(m, 40))
		data[draw(m, 6)] ^= (u8)(1 + draw(m, 255));
	memcpy(data + 6, host_mac, 6);
	if (!vid && draw(m, 10)) {
		put16(data + 12, ETH_TYPE_IPV4);
		return 14;
	}
	put16(data + 12, ETH_TYPE_VLAN);
	put16(data + 14, draw(m, 16) << 12 | vid);
	put16(data + 16, ETH_TYPE_IPV4);
	return 18;
}

static void packet_write(struct mix *m)
{
	static const u8 protos[] = {PROTO_UDP, PROTO_TCP, PROTO_ICMP, PROTO_UDP, PROTO_TCP, PROTO_UDP};
	struct mix_frame *f = &m->frame;
	u32 at, ihl, l4, out;
	u8 *ip;

	f->port = draw(m, 4) ? draw(m, m->c->conf.nports) : m->wan;
	out = f->port != m->wan;
	at = ethernet_write(m, f->data, f->port);
	ip = f->data + at;
	ihl = options_write(m, ip);
	ip[1] = (u8)draw(m, 256);
	put16(ip + 4, draw(m, 65536));
	put16(ip + 6, draw(m, 20) ? draw(m, 2) * IPV4_DF : draw(m, 65536));
	ip[8] = (u8)(draw(m, 12) ? 64 : draw(m, 3));
	ip[9] = draw(m, 25) ? protos[draw(m, sizeof(protos))] : (u8)draw(m, 256);
	memcpy(ip + 12, &m->addresses[draw(m, m->naddresses)], 4);
	memcpy(ip + 16, &m->addresses[draw(m, m->naddresses)], 4);
	if (out && draw(m, 5)) /* most go where they can: to one of the last addresses but four */
		memcpy(ip + 16, &m->addresses[m->naddresses - 5 - draw(m, 4)], 4);
	if (out && draw(m, 5)) /* from a host of this LAN */
		memcpy(ip + 12, &m->addresses[f->port * 8 + 2 + draw(m, 4)], 4);
	l4 = l4_write(m, ip + ihl, ip[9], out);
	put16(ip + 2, ihl + l4);
	checksums_write(ip, ihl + l4);
	if (ip[9] == PROTO_UDP && !draw(m, 8))
		put16(ip + ihl + 6, 0);
	f->length = at + ihl + l4;
}

/* The answer to a frame that went out: addresses and ports exchanged, an echo request turned into a reply. */
static void answer_write(struct mix *m)
{
	const struct mix_frame *sent = &m->sent[draw(m, m->nsent < MIX_SENT ? m->nsent : MIX_SENT)];
	u32 from = sent->data[12] == 0x81 ? 18 : 14, at;
	struct mix_frame *f = &m->frame;
	u8 *ip, *l4;

	f->port = m->wan;
	at = ethernet_write(m, f->data, m->wan);
	f->length = at + sent->length - from;
	ip = f->data + at;
	memcpy(ip, sent->data + from, sent->length - from);
	memcpy(ip + 12, sent->data + from + 16, 4);
	memcpy(ip + 16, sent->data + from + 12, 4);
	ip[8] = (u8)(draw(m, 20) ? 57 : draw(m, 3));
	l4 = ip + (ip[0] & 15u) * 4;
	if (ip[9] == PROTO_ICMP) {
		l4[0] = ICMP_ECHO_REPLY;
	} else {
		const u8 *there = sent->data + from + (l4 - ip);

		memcpy(l4, there + 2, 2);
		memcpy(l4 + 2, there, 2);
		if (ip[9] == PROTO_TCP)
			l4[13] = (u8)draw(m, 64);
	}
	checksums_write(ip, (u32)ip[2] << 8 | ip[3]);
}

/* Wrong in some way: a byte, a length, an end. Half of them with an IPv4 checksum that fits again. The addresses stay:
 * another one of the LAN or the WAN would be a neighbour that replay makes up and the kernel lacks. */
static void damage(struct mix *m)
{
	struct mix_frame *f = &m->frame;
	u32 at = f->data[12] == 0x81 ? 18 : 14, ihl;
	u8 *ip = f->data + at, addresses[8];

	memcpy(addresses, ip + 12, 8);
	switch (draw(m, 4)) {
	case 0:
		f->length = 14 + draw(m, f->length - 13);
		return;
	case 1:
		f->data[draw(m, f->length)] = (u8)draw(m, 256);
		break;
	case 2:
		ip[draw(m, 44)] = (u8)draw(m, 256);
		break;
	default:
		put16(ip + (draw(m, 2) ? 2 : 24), draw(m, 80));
		break;
	}
	memcpy(ip + 12, addresses, 8);
	ihl = (ip[0] & 15u) * 4;
	if (draw(m, 2) && at + ihl <= f->length && ihl >= 20) {
		put16(ip + 10, 0);
		put16(ip + 10, checksum(0, ip, ihl));
	}
}

const struct mix_frame *mix_next(struct mix *m)
{
	struct mix_frame *f = &m->frame;

	memset(f->data, 0, sizeof(f->data));
	if (m->nsent && draw(m, 5) < 2)
		answer_write(m);
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
	struct mix_frame *to = &m->sent[m->nsent % MIX_SENT];

	if (port != m->wan)
		return;
	to->length = length;
	memcpy(to->data, data, length);
	m->nsent++;
}

void mix_report(const struct mix *m, const struct dp_counter *counters)
{
	unsigned long long forward = counters[REASON_FORWARD_OUT].packets + counters[REASON_FORWARD_IN].packets;
	unsigned int reasons = 0;

	for (u32 i = 0; i < REASON_COUNT; i++)
		reasons += counters[i].packets != 0;
	printf("%s: %llu forwarded (%llu of them in), %u reasons, %u halves of flows\n", m->c->dir, forward,
	       counters[REASON_FORWARD_IN].packets, reasons, m->halves);
}
