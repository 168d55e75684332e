/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csum.h - the Internet checksum, whole and incremental (RFC 1071, RFC 1624)
 *
 * Sums are taken over 16-bit words as the host reads them from memory; the one's-complement sum does not care about
 * byte order as long as it is written back the same way (RFC 1071, 2B).
 */
#ifndef PORTICO_DP_CSUM_H
#define PORTICO_DP_CSUM_H

#include "wire.h"

dp_fn u16 csum_fold(u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (u16)sum;
}

/* Sum to add to a checksum's complement when `from` becomes `to`: ~m + m' of RFC 1624, equation 3. */
dp_fn u32 csum_diff16(be16 from, be16 to)
{
	u32 f = (PORTICO_FORCE u16)from, t = (PORTICO_FORCE u16)to;

	return (~f & 0xffff) + t;
}

dp_fn u32 csum_diff32(be32 from, be32 to)
{
	u32 f = ~(PORTICO_FORCE u32)from, t = (PORTICO_FORCE u32)to;

	return (f & 0xffff) + (f >> 16) + (t & 0xffff) + (t >> 16);
}

/* HC' = ~(~HC + ~m + m'), RFC 1624, equation 3; `delta` is the folded sum of all changes. */
dp_fn u16 csum_apply(u16 csum, u16 delta)
{
	return (u16)~csum_fold((u32)(u16)~csum + delta);
}

/* What a TTL one lower adds: the TTL is the upper byte of its word. */
dp_fn u32 csum_diff_ttl(void)
{
	return (PORTICO_FORCE u16)be16_of(0xfeff);
}

/* Sum over `words` 16-bit words at `data`; the caller has checked that they are there. */
dp_fn u32 csum_words(const void *data, u32 words)
{
	const u16 *w = data;
	u32 sum = 0;

	for (u32 i = 0; i < words; i++)
		sum += w[i];
	return sum;
}

#endif
