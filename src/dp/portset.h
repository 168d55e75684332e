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

/* The port with index i < count, host order. */
dp_fn u16 portset_port(const struct dp_portset *s, u32 i)
{
	u32 m = s->m & 31, shift = s->shift & 31;

	return (u16)(s->base + ((i >> m) << shift) + (i & ((1u << m) - 1)));
}

/* Whether `port` (host order) is in the set. */
dp_fn int portset_has(const struct dp_portset *s, u16 port)
{
	u32 m = s->m & 31, shift = s->shift & 31;
	u32 d = (u32)port - s->base, j = d & ((1u << shift) - 1);

	if (port < s->base || j >> m)
		return 0;
	return ((d >> shift) << m) + j < s->count;
}

#endif
