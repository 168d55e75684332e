/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pkt.h - the frame in hand: the one way to touch packet bytes
 *
 * pkt_at() is the only accessor. It returns NULL where the bytes asked for are not all inside the frame, which is also
 * the proof that the kernel's verifier wants to see.
 */
#ifndef PORTICO_DP_PKT_H
#define PORTICO_DP_PKT_H

#include "abi/flow.h"
#include "reason.h"
#include "wire.h"

struct pkt {
	u8 *data;
	u8 *end;
};

/* Headers lie in the first 256 bytes. The mask tells the verifier so: older ones lose track of a number that the
 * compiler keeps on the stack in less than 8 bytes. */
#define PKT_OFFSET_MASK 0xff

/* Pointer to `size` bytes at `offset` bytes from the start of the frame, or NULL; offset <= PKT_OFFSET_MASK. */
dp_fn void *pkt_at(const struct pkt *p, u32 offset, u32 size)
{
	u8 *at;

	if (!__builtin_constant_p(offset))
		dp_hide(offset);
	at = p->data + (offset & PKT_OFFSET_MASK);
	if (at + size > p->end)
		return (void *)0;
	return at;
}

#define PKT_SUM_CHUNK 32
#define PKT_SUM_MAX (48 * PKT_SUM_CHUNK)

/* Pointers into a packet in a loop are computed from hidden copies: what the verifier learns of one then dies with it,
 * and all ways out of the loop look the same to it. */
dp_fn const u8 *pkt_peek(const struct pkt *p, u32 offset, u32 size)
{
	u8 *at = p->data, *end = p->end;

	dp_hide(at);
	dp_hide(end);
	at += offset & 0x7ff;
	return at + size <= end ? at : (u8 *)0;
}

/* The one's-complement sum, folded, of `length` bytes at `offset`, an odd last one with a zero behind it; 0, which the
 * sum of a sound message never is, where they are not in the frame or more than PKT_SUM_MAX. */
dp_fn u32 pkt_sum(const struct pkt *p, u32 offset, u32 length)
{
	u32 sum = 0, whole = length / PKT_SUM_CHUNK;

	if (length > PKT_SUM_MAX)
		return 0;
	for (u32 i = 0; i < PKT_SUM_MAX / PKT_SUM_CHUNK && i < whole; i++) {
		const u16 *w = (const u16 *)(const void *)pkt_peek(p, offset + i * PKT_SUM_CHUNK, PKT_SUM_CHUNK);

		if (!w)
			return 0;
		for (u32 j = 0; j < PKT_SUM_CHUNK / 2; j++)
			sum += w[j];
	}
	offset += whole * PKT_SUM_CHUNK;
	length &= PKT_SUM_CHUNK - 1;
	for (u32 i = 0; i < PKT_SUM_CHUNK && i < length; i++) {
		const u8 *byte = pkt_peek(p, offset + i, 1);

		if (!byte)
			return 0;
		sum += (PORTICO_FORCE u16)be16_of((u16)(i & 1 ? *byte : *byte << 8));
	}
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

dp_fn u32 pkt_length(const struct pkt *p)
{
	return (u32)(p->end - p->data);
}

/* What parsing found. Offsets are in bytes from the start of the frame. */
struct meta {
	struct flow_key
		key;  /* as the packet came in, of an ICMP error the packet it is about seen from the other side; all
				zero where no port information can be read */
	u32 port;     /* index into dp_config.port */
	u32 length;   /* IPv4 total length */
	u32 end;      /* where the frame, or what the outer header says of it, ends */
	u16 l3;	      /* offset of the IPv4 header */
	u16 l4;	      /* offset of the header behind it */
	u16 quote;    /* ICMP error: offset of the IPv4 header that it quotes, 0: none */
	u16 quote_l4; /* offset of the header behind that */
	u16 tci;      /* tag control information of the frame's 802.1Q tag, host order */
	be16 id;      /* IPv4 identification */
	u8 tagged;
	u8 ipv6;      /* the frame is IPv6 */
	u8 self;      /* Linux has sent it into the tunnel: its own, or already forwarded */
	u8 outer;     /* bytes of IPv6 in front of the IPv4 header, 0: none */
	u8 outer_ecn; /* of its header */
	u8 relay;     /* border relay: which of its addresses the outer header has */
	u8 ttl;
	u8 tos;
	u8 new_tos; /* to be written: another one where congestion was marked in a tunnel */
	u8 tcp_flags;
	u8 tcp_header; /* bytes */
	u8 df;
	u8 fragment; /* FRAGMENT_* */
	u8 opaque;   /* enum reason: why this packet cannot be translated; REASON_NONE: it can */
};

#define FRAGMENT_FIRST 1 /* more follow */
#define FRAGMENT_LATER 2 /* no ports in it (nor are any ever read from it) */

#endif
