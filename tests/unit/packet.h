/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packet.h - IPv4 packets of every protocol, made and checked by the book: bytes in pairs, a CRC bit by bit */
#ifndef PORTICO_TESTS_PACKET_H
#define PORTICO_TESTS_PACKET_H

#include "../check.h"

#include "dp/wire.h"

#define PACKET_MAX 2000 /* bytes */

/* What a packet is made of; what is 0 is left out, or as usual. */
struct packet {
	u8 proto;
	u8 ttl; /* 0: 64 */
	u8 tos;
	u8 flags;   /* TCP */
	u8 type;    /* ICMP; the code is 0 */
	u8 options; /* words of IPv4 options */
	u16 id;
	u16 frag; /* flags and offset, as in the header */
	be32 src, dst;
	u16 sport, dport; /* ICMP: sport is the identifier */
	u16 mss;	  /* TCP: option of this value */
	u16 payload;	  /* bytes behind the header */
};

CHECK_UNUSED static be32 address(u8 a, u8 b, u8 c, u8 d)
{
	return be32_of((u32)a << 24 | (u32)b << 16 | (u32)c << 8 | d);
}

static u32 get16(const u8 *at)
{
	return (u32)at[0] << 8 | at[1];
}

static void put16(u8 *at, u32 v)
{
	at[0] = (u8)(v >> 8);
	at[1] = (u8)v;
}

/* RFC 1071, written out: bytes in pairs, a carry at a time. */
CHECK_UNUSED static u16 slow_csum(u32 sum, const u8 *data, u32 length)
{
	for (u32 i = 0; i < length; i++) {
		sum += i % 2 ? data[i] : (u32)data[i] << 8;
		if (sum > 0xffff)
			sum = (sum & 0xffff) + 1;
	}
	return (u16)~sum;
}

/* RFC 9260, appendix A, without its table. */
CHECK_UNUSED static u32 slow_crc32c(const u8 *data, u32 n)
{
	u32 crc = ~0u;

	for (u32 i = 0; i < 8 * n; i++) {
		u32 bit = data[i / 8] >> i % 8 & 1;

		crc = (crc & 1) != bit ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

static u32 ip_header(const u8 *ip)
{
	return (ip[0] & 15u) * 4;
}

CHECK_UNUSED static u32 ip_length(const u8 *ip)
{
	return get16(ip + 2);
}

/* Whether the IPv4 packet at `ip` is a part of one: then the checksum behind its header is about more than is there. */
CHECK_UNUSED static bool is_fragment(const u8 *ip)
{
	return (ip[6] & 0x3f) || ip[7];
}

/* Bytes at `l4`, `n` of them, that the checksum of `proto` covers: RFC 768; RFC 3828, 3.1; RFC 4340, 9.2. */
static u32 coverage(u8 proto, const u8 *l4, u32 n)
{
	if (proto == PROTO_UDP)
		return get16(l4 + 4);
	if (proto == PROTO_UDPLITE && get16(l4 + 4))
		return get16(l4 + 4);
	if (proto == PROTO_DCCP && l4[5] & 15)
		return l4[4] * 4u + ((l4[5] & 15u) - 1) * 4;
	return n;
}

/* Sum of the pseudo header; its length is UDP's, for the others that of the packet. */
static u16 pseudo_sum(const u8 *ip, u32 n)
{
	const u8 *l4 = ip + ip_header(ip);

	return (u16)~slow_csum(ip[9] + (ip[9] == PROTO_UDP ? get16(l4 + 4) : n), ip + 12, 8);
}

/* Whether the SCTP packet of n bytes at `sctp` has its CRC. */
static bool crc_right(const u8 *sctp, u32 n)
{
	u8 copy[PACKET_MAX];
	u32 crc;

	if (n < 12 || n > sizeof(copy))
		return false;
	memcpy(copy, sctp, n);
	memset(copy + 8, 0, 4);
	crc = slow_crc32c(copy, n);
	return sctp[8] == (u8)crc && sctp[9] == (u8)(crc >> 8) && sctp[10] == (u8)(crc >> 16) &&
	       sctp[11] == (u8)(crc >> 24);
}

/* What is wrong with the checksums of the IPv4 packet at `ip`: NULL for nothing. */
CHECK_UNUSED static const char *checksums_wrong(const u8 *ip)
{
	u32 ihl = ip_header(ip), n = ip_length(ip) - ihl;
	const u8 *l4 = ip + ihl;

	if (slow_csum(0, ip, ihl))
		return "IPv4";
	if (is_fragment(ip))
		return NULL;
	switch (ip[9]) {
	case PROTO_ICMP:
		return slow_csum(0, l4, n) ? "ICMP" : NULL;
	case PROTO_SCTP:
		return crc_right(l4, n) ? NULL : "SCTP";
	case PROTO_UDP:
		if (!get16(l4 + 6))
			return NULL;
		break;
	case PROTO_UDPLITE:
		if (!get16(l4 + 6))
			return "UDP-Lite, which is never without";
		break;
	case PROTO_TCP:
	case PROTO_DCCP:
		break;
	default:
		return NULL;
	}
	if (coverage(ip[9], l4, n) > n)
		return "coverage";
	return slow_csum(pseudo_sum(ip, n), l4, coverage(ip[9], l4, n)) ? "behind IPv4" : NULL;
}

/* Makes the IPv4 header checksum right again after a change. */
CHECK_UNUSED static void ip_csum_fix(u8 *ip)
{
	put16(ip + 10, 0);
	put16(ip + 10, slow_csum(0, ip, ip_header(ip)));
}

/* The same for the checksum behind the header, of a packet that is whole. */
CHECK_UNUSED static void l4_csum_fix(u8 *ip)
{
	u32 ihl = ip_header(ip), n = ip_length(ip) - ihl,
	    at = ip[9] == PROTO_ICMP  ? 2
		 : ip[9] == PROTO_TCP ? 16
				      : 6,
	    crc;
	u8 *l4 = ip + ihl;
	u16 sum;

	if (ip[9] == PROTO_SCTP) {
		memset(l4 + 8, 0, 4);
		crc = slow_crc32c(l4, n);
		for (u32 i = 0; i < 4; i++)
			l4[8 + i] = (u8)(crc >> 8 * i);
		return;
	}
	put16(l4 + at, 0);
	sum = slow_csum(ip[9] == PROTO_ICMP ? 0 : pseudo_sum(ip, n), l4, coverage(ip[9], l4, n));
	if (!sum && (ip[9] == PROTO_UDP || ip[9] == PROTO_UDPLITE)) /* where 0 says there is none, or is not allowed */
		sum = 0xffff;
	put16(l4 + at, sum);
}

/* Writes the header behind IPv4's and returns its length. */
static u32 l4_make(u8 *l4, const struct packet *p)
{
	put16(l4, p->sport);
	put16(l4 + 2, p->dport);
	switch (p->proto) {
	case PROTO_TCP:
		l4[12] = p->mss ? 0x60 : 0x50;
		l4[13] = p->flags ? p->flags : TCP_ACK;
		memcpy(l4 + 20, (u8[4]){2, 4, (u8)(p->mss >> 8), (u8)p->mss}, 4);
		return p->mss ? 24 : 20;
	case PROTO_ICMP:
		l4[0] = p->type;
		put16(l4 + 2, 0);
		put16(l4 + 4, p->sport);
		put16(l4 + 6, 1);
		return 8;
	case PROTO_DCCP: /* RFC 4340, 5.1: DCCP-Data with a short sequence number */
		l4[4] = 3;
		l4[8] = 2 << 1;
		return 12;
	case PROTO_SCTP: /* RFC 9260, 3.3.2: INIT */
		l4[12] = 1;
		put16(l4 + 14, 20);
		return 32;
	}
	put16(l4 + 4, 8u + p->payload); /* UDP and UDP-Lite */
	return 8;
}

/* Writes the packet to `ip`, which holds PACKET_MAX bytes, and returns its length. The payload is different for each
 * packet, and looks like ports where a later fragment begins with it. */
CHECK_UNUSED static u32 packet_make(u8 *ip, const struct packet *p)
{
	u32 ihl = 20 + 4u * p->options, n;

	memset(ip, 0, PACKET_MAX);
	ip[0] = (u8)(0x40 | ihl / 4);
	ip[1] = p->tos;
	put16(ip + 4, p->id);
	put16(ip + 6, p->frag);
	ip[8] = p->ttl ? p->ttl : 64;
	ip[9] = p->proto;
	memcpy(ip + 12, &p->src, 4);
	memcpy(ip + 16, &p->dst, 4);
	memset(ip + 20, 1, ihl - 20); /* NOP */
	n = l4_make(ip + ihl, p);
	for (u32 i = 0; i < p->payload; i++)
		ip[ihl + n + i] = (u8)(i * 7 + p->sport + p->id);
	put16(ip + 2, ihl + n + p->payload);
	ip_csum_fix(ip);
	l4_csum_fix(ip);
	return ihl + n + p->payload;
}

/* Of what type an ICMP error is, from whom and to whom. */
#define ERROR(kind, from, to) (&(struct packet){.proto = PROTO_ICMP, .type = (kind), .src = (from), .dst = (to)})

/* An ICMP error about the packet `about`, of which it quotes `n` bytes. */
CHECK_UNUSED static u32 error_make(u8 *ip, const struct packet *head, const u8 *about, u32 n)
{
	packet_make(ip, head);
	put16(ip + 2, 28 + n);
	memset(ip + 24, 0, 4);
	memcpy(ip + 28, about, n);
	ip_csum_fix(ip);
	l4_csum_fix(ip);
	return 28 + n;
}

/* The fragment of the packet `ip` with `n` bytes (a multiple of 8, or to the end) from byte `from` of its payload. */
CHECK_UNUSED static u32 packet_cut(u8 *to, const u8 *ip, u32 from, u32 n)
{
	u32 ihl = ip_header(ip), all = ip_length(ip) - ihl, here = n < all - from ? n : all - from;

	memcpy(to, ip, ihl);
	memcpy(to + ihl, ip + ihl + from, here);
	put16(to + 2, ihl + here);
	put16(to + 6, (from + here < all ? IPV4_MF : 0) | from / 8);
	ip_csum_fix(to);
	return ihl + here;
}

/* Puts a fragment into the packet `whole`, whose length is 0 before the first. */
CHECK_UNUSED static void packet_join(u8 *whole, const u8 *fragment)
{
	u32 ihl = ip_header(fragment), n = ip_length(fragment) - ihl, at = (get16(fragment + 6) & IPV4_OFFSET) * 8;
	u32 length = ip_length(whole) > ihl + at + n ? ip_length(whole) : ihl + at + n;

	memcpy(whole, fragment, ihl);
	memcpy(whole + ihl + at, fragment + ihl, n);
	put16(whole + 2, length);
	put16(whole + 6, 0);
	ip_csum_fix(whole);
}

#endif
