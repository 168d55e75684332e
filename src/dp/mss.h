/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mss.h - the maximum segment size that a SYN announces, lowered to what its path can carry
 *
 *   | 20 bytes | kind (EOL, NOP) | kind, length, length - 2 bytes | ... |     RFC 9293, 3.1 and 3.2
 *              '---------------- up to 40 bytes of options -------------'
 *
 * The list is read as far as it is sound. What follows an option with an impossible length is not read by receivers
 * either. A SYN without the option announces 536 bytes (RFC 9293, 3.7.1), which fit everywhere.
 */
#ifndef PORTICO_DP_MSS_H
#define PORTICO_DP_MSS_H

#include "csum.h"
#include "pkt.h"
#include "port.h"

enum tcp_option { /* RFC 9293, 3.2 */
	TCP_OPTION_EOL = 0,
	TCP_OPTION_NOP = 1,
	TCP_OPTION_MSS = 2,
};

#define MSS_LENGTH 4 /* bytes of the option: kind, length, value */
#define MSS_STEPS 37 /* options that can stand before one of this length ends at 60 bytes, and itself */

/* 1 for a NOP, the only option that has no length behind its kind, else 0. Without a branch: in a loop, each multiplies
 * the paths that the verifier follows. */
dp_fn u32 mss_is_nop(u32 kind)
{
	u32 nop = ((kind ^ TCP_OPTION_NOP) - 1) >> 31;

	dp_hide(nop);
	return nop;
}

/* Offset in the frame of the MSS option, 0 where there is none; l4, header as in mss_clamp(). */
dp_fn u32 mss_find(const struct pkt *p, const struct dp_config *c, u32 l4, u32 header)
{
	u32 at = l4 + (u32)sizeof(struct tcp_hdr), end = l4 + header, found = 0;

	for (u32 i = 0; i < MSS_STEPS; i++) {
		const u8 *option = pkt_peek(p, at, MSS_LENGTH);
		u32 kind, nop, length;

		if (!option || at + MSS_LENGTH > end)
			break;
		kind = option[0];
		nop = mss_is_nop(kind);
		length = nop + (1 - nop) * option[1];
		if ((kind << 8 | length) == (TCP_OPTION_MSS << 8 | MSS_LENGTH)) {
			found = at;
			break;
		}
		if (kind == TCP_OPTION_EOL || length + nop < 2)
			break;
		at = port_blur(c, at + length);
	}
	return port_blur(c, found);
}

/* Lowers the MSS option of a SYN or SYN-ACK to `mss` bytes if it is larger, and corrects the checksum. l4 is the offset
 * of the TCP header in the frame, header its length in bytes, which are all in the packet. */
dp_fn void mss_clamp(const struct pkt *p, const struct dp_config *c, u32 l4, u32 header, u32 mss)
{
	u32 at = mss_find(p, c, l4, header);
	u8 *option = pkt_at(p, at, MSS_LENGTH);
	struct tcp_hdr *tcp = pkt_at(p, l4, sizeof(*tcp));
	u16 old, delta;

	if (!at || !option || !tcp)
		return;
	old = (u16)(option[2] << 8 | option[3]);
	if (old <= mss)
		return;
	option[2] = (u8)(mss >> 8);
	option[3] = (u8)mss;
	delta = csum_fold(csum_diff16(be16_of(old), be16_of((u16)mss)));
	if ((at - l4) & 1) /* its bytes are in two words, each in the other's place (RFC 1071, 2B) */
		delta = __builtin_bswap16(delta);
	tcp->csum = csum_apply(tcp->csum, delta);
}

#endif
