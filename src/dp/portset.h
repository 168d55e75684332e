/* SPDX-License-Identifier: GPL-2.0-or-later */
/* portset.h - a set of ports as arithmetic: index to port and back, both O(1) */
#ifndef PORTICO_DP_PORTSET_H
#define PORTICO_DP_PORTSET_H

#include "abi/config.h"
#include "types.h"

/* The set lo-hi, both included; host order, lo <= hi. */
dp_fn struct dp_portset portset_of_range(u16 lo, u16 hi)
{
	return (struct dp_portset){.base = lo, .count = (u32)hi - lo + 1, .m = 16, .shift = 16};
}

/* The ports of a port set id (RFC 7597, 5.1): port = A | PSID | j, from the highest bit: A has `a` bits, the PSID `k`,
 * j the other m. A port with A = 0 belongs to nobody; where `a` is 0 there is no A, and the set is one block.
 * a + k <= 16, psid < 2^k. */
dp_fn struct dp_portset portset_of_psid(u32 a, u32 k, u32 psid)
{
	u32 m = 16 - a - k, first = a ? 1 : 0;

	return (struct dp_portset){
		.base = (first << (k + m)) + (psid << m),
		.count = ((1u << a) - first) << m,
		.m = (u8)m,
		.shift = (u8)(k + m),
	};
}

/* The port with index i < count, host order. */
dp_fn u16 portset_port(const struct dp_portset *s, u32 i)
{
	u32 m = s->m & 31, shift = s->shift & 31;

	return (u16)(s->base + ((i >> m) << shift) + (i & ((1u << m) - 1)));
}

/* The index of `port` (host order) in the set, at least `count` where it is not there: undoes portset_port(). */
dp_fn u32 portset_index(const struct dp_portset *s, u16 port)
{
	u32 m = s->m & 31, shift = s->shift & 31;
	u32 d = (u32)port - s->base, j = d & ((1u << shift) - 1);

	if (port < s->base || j >> m)
		return ~0u;
	return ((d >> shift) << m) + j;
}

/* Whether `port` (host order) is in the set. */
dp_fn int portset_has(const struct dp_portset *s, u16 port)
{
	return portset_index(s, port) < s->count;
}

#endif
