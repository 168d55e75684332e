/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sum.h - Internet checksums of whole headers, 32 bits at a time (RFC 1071, 2C) */
#ifndef PORTICO_BENCH_LOAD_SUM_H
#define PORTICO_BENCH_LOAD_SUM_H

#include "dp/csum.h"

dp_fn u16 load_sum_fold(u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffffffff) + (sum >> 32);
	return csum_fold((u32)sum);
}

/* Of `n` words in a row, n a constant. */
dp_fn u64 load_sum(const void *data, u32 n)
{
	const u32 *word = data;
	u64 sum = 0;

	for (u32 i = 0; i < n; i++)
		sum += word[i];
	return sum;
}

#endif
