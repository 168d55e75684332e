/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crc32c.h - SCTP's checksum when the ports change, without reading the packet (RFC 9260, 6.8 and appendix A)
 *
 * A packet is a polynomial over GF(2), its first bit with the highest power; its CRC is what is left of that times x^32
 * modulo P (inverted, and begun with ones, which matters to no difference). That is linear: of two packets of n bytes
 * that differ in their first word by D, the CRCs differ by
 *
 *      D * x^(8 (n - 4)) * x^32 = D * x^(8 n)  modulo P
 *
 * and x^(8 n) is a product of x^(8 * 2^i), one for each bit of n that is 1: sixteen constants.
 *
 * Words are "reflected" (appendix A): x^0 is in bit 31, the highest power in bit 0, and bytes are read from the lowest.
 * So multiplying by x is a shift to the right.
 */
#ifndef PORTICO_DP_CRC32C_H
#define PORTICO_DP_CRC32C_H

#include "types.h"

#define CRC32C_P 0x82f63b78u /* x^32 = x^28 + x^27 + x^26 + x^25 + ... + x^6 + 1 */

/* One step of a multiplication: adds to *sum what v has of x^j, times *k, which is k times x^j; then *k is the next.
 * k and j are constants, so only the sum is left of it. The bit is multiplied, and its origin hidden: a mask made of it
 * would be 0 or -1, for which newer verifiers follow either case on its own. */
dp_fn void crc32c_step(u32 v, u32 j, u32 *k, u32 *sum)
{
	u32 bit = v >> (31 - j) & 1;

	dp_hide(bit);
	*sum ^= bit * *k;
	*k = *k >> 1 ^ (*k & 1) * CRC32C_P;
}

dp_fn void crc32c_byte(u32 v, u32 j, u32 *k, u32 *sum)
{
	crc32c_step(v, j, k, sum);
	crc32c_step(v, j + 1, k, sum);
	crc32c_step(v, j + 2, k, sum);
	crc32c_step(v, j + 3, k, sum);
	crc32c_step(v, j + 4, k, sum);
	crc32c_step(v, j + 5, k, sum);
	crc32c_step(v, j + 6, k, sum);
	crc32c_step(v, j + 7, k, sum);
}

/* v times k, where `bit` of n is 1; else v. */
dp_fn u32 crc32c_times_if(u32 v, u32 k, u32 n, u32 bit)
{
	u32 sum = 0;

	if (!(n >> bit & 1))
		return v;
	crc32c_byte(v, 0, &k, &sum);
	crc32c_byte(v, 8, &k, &sum);
	crc32c_byte(v, 16, &k, &sum);
	crc32c_byte(v, 24, &k, &sum);
	return sum;
}

/* v times x^(8 n), n < 65536. */
dp_fn u32 crc32c_shift(u32 v, u32 n)
{
	v = crc32c_times_if(v, 0x00800000, n, 0);
	v = crc32c_times_if(v, 0x00008000, n, 1);
	v = crc32c_times_if(v, 0x82f63b78, n, 2);
	v = crc32c_times_if(v, 0x6ea2d55c, n, 3);
	v = crc32c_times_if(v, 0x18b8ea18, n, 4);
	v = crc32c_times_if(v, 0x510ac59a, n, 5);
	v = crc32c_times_if(v, 0xb82be955, n, 6);
	v = crc32c_times_if(v, 0xb8fdb1e7, n, 7);
	v = crc32c_times_if(v, 0x88e56f72, n, 8);
	v = crc32c_times_if(v, 0x74c360a4, n, 9);
	v = crc32c_times_if(v, 0xe4172b16, n, 10);
	v = crc32c_times_if(v, 0x0d65762a, n, 11);
	v = crc32c_times_if(v, 0x35d73a62, n, 12);
	v = crc32c_times_if(v, 0x28461564, n, 13);
	v = crc32c_times_if(v, 0xbf455269, n, 14);
	return crc32c_times_if(v, 0xe2ea32dc, n, 15);
}

/* The host's number for a word whose bytes are on the wire from the lowest. */
dp_fn u32 crc32c_le(u32 v)
{
	return DP_SWAP32(host32((PORTICO_FORCE be32)v));
}

/* The checksum of an SCTP packet of n bytes, n < 65536, whose first word, the ports, changes `from` one `to` another.
 * crc, the checksum before, and what is returned are as they are read from memory. */
dp_fn u32 crc32c_word_changed(u32 crc, be32 from, be32 to, u32 n)
{
	u32 diff = (PORTICO_FORCE u32)from ^ (PORTICO_FORCE u32)to;

	return crc ^ crc32c_le(crc32c_shift(crc32c_le(diff), n));
}

#endif
