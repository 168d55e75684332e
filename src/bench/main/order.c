/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.c - in which order the runs of two variants were made, as far as the logs say */
#include "order.h"

#include <math.h>

/* How often the variant changes from a run to the next, by `began` where all know it, else by place in the file. */
static unsigned int changes(const struct sample *const *run, unsigned int n)
{
	unsigned int count = 0;

	for (unsigned int i = 1; i < n; i++)
		count += run[i]->variant != run[i - 1]->variant;
	return count;
}

static void by_time(const struct sample **run, unsigned int n)
{
	for (unsigned int i = 1; i < n; i++)
		for (unsigned int j = i; j > 0 && run[j]->began < run[j - 1]->began; j--) {
			const struct sample *swap = run[j];

			run[j] = run[j - 1];
			run[j - 1] = swap;
		}
}

#define RUNS_MAX 1024 /* more are not looked at */

enum order order_of(const struct samples *s, unsigned int a, unsigned int b, unsigned int cell)
{
	const struct sample *run[RUNS_MAX];
	unsigned int n = 0, of_a = 0;
	bool timed = true;

	for (unsigned int i = 0; i < s->count && n < RUNS_MAX; i++) {
		const struct sample *at = &s->sample[i];

		if (at->cell != cell || (at->variant != a && at->variant != b))
			continue;
		timed &= !isnan(at->began);
		of_a += at->variant == a;
		run[n++] = at;
	}
	if (n <= 2 || !of_a || of_a == n)
		return ORDER_SINGLE;
	if (timed)
		by_time(run, n);
	else if (s->order == SAMPLES_UNKNOWN)
		return ORDER_UNKNOWN;
	return changes(run, n) > 1 ? ORDER_MIXED : ORDER_BLOCKS;
}
