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

dp_fn u32 pkt_length(const struct pkt *p)
{
	return (u32)(p->end - p->data);
}

/* What parsing found. Offsets are in bytes from the start of the frame. */
struct meta {
	struct flow_key key; /* as the packet came in; all zero where no port information can be read */
	u32 port;	     /* index into dp_config.port */
	u32 length;	     /* IPv4 total length */
	u16 l3;		     /* offset of the IPv4 header */
	u16 l4;		     /* offset of the header behind it */
	u16 tci;	     /* tag control information of the frame's 802.1Q tag, host order */
	u8 tagged;
	u8 ttl;
	u8 tcp_flags;
	u8 df;
	u8 opaque; /* enum reason: why this packet cannot be translated; REASON_NONE: it can */
};

#endif
