/* SPDX-License-Identifier: GPL-2.0-or-later */
/* types.h - the few words of the compiler that the core uses */
#ifndef PORTICO_DP_TYPES_H
#define PORTICO_DP_TYPES_H

#include "abi/types.h"

#define dp_fn static inline __attribute__((always_inline, unused))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Hides a value's origin from the optimiser, so that it computes nothing with it beforehand: the verifier allows no
 * arithmetic on the end of a packet, which is what loop optimisation makes of a bound. */
#define dp_hide(x) __asm__ volatile("" : "+r"(x))

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DP_SWAP16(x) __builtin_bswap16(x)
#define DP_SWAP32(x) __builtin_bswap32(x)
#else
#define DP_SWAP16(x) (x)
#define DP_SWAP32(x) (x)
#endif

dp_fn be16 be16_of(u16 v)
{
	return (PORTICO_FORCE be16)DP_SWAP16(v);
}

dp_fn u16 host16(be16 v)
{
	return DP_SWAP16((PORTICO_FORCE u16)v);
}

dp_fn be32 be32_of(u32 v)
{
	return (PORTICO_FORCE be32)DP_SWAP32(v);
}

dp_fn u32 host32(be32 v)
{
	return DP_SWAP32((PORTICO_FORCE u32)v);
}

#endif
