/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wilcoxon.h - how far are values shifted? Hodges-Lehmann estimates, exact intervals, no normal distribution assumed
 *
 * Paired: the estimate is the median of the M = n(n+1)/2 Walsh averages (d_i + d_j)/2, i <= j; the interval is
 * [w_(C+1), w_(M-C)] with C = max{c : P(W+ <= c) <= alpha/2}. Two samples: the same with the M = n_a n_b differences
 * b_j - a_i and the Mann-Whitney U. Hodges and Lehmann 1963; Hollander, Wolfe, Chicken, Nonparametric Statistical
 * Methods, 3.2-3.3 and 4.2-4.3; null distributions by recursion, 3.1 and 4.1 there.
 *
 * Ties and zeros. The null distribution is that of values without ties. Intervals with both ends in them, made from it,
 * still cover at least 1 - alpha where there are ties, zeros included (Noether, Technometrics 9, 1967). p is what
 * belongs to them: a Walsh average or difference of exactly 0 is counted against a shift, so that p <= alpha where, and
 * only where, the interval leaves 0 out. Without ties and zeros this is the usual exact p. Nothing is dropped.
 *
 * Limits. Exact up to STAT_SIGNED_EXACT pairs, or STAT_RANK_EXACT differences; above, the normal approximation with
 * continuity correction (and, for two samples, the correction of the variance for ties).
 */
#ifndef PORTICO_BENCH_STAT_WILCOXON_H
#define PORTICO_BENCH_STAT_WILCOXON_H

#include "sample.h"

#define STAT_SIGNED_EXACT 400	 /* pairs: 80,200 Walsh averages */
#define STAT_SIGNED_MAX 4000	 /* pairs at all: memory for 8 million averages */
#define STAT_RANK_EXACT 10000	 /* n_a * n_b */
#define STAT_RANK_MAX 16000000UL /* n_a * n_b at all */

/* Of probabilities that are sums: 1/40 is 0.025, however it was added up. */
#define STAT_ROUNDING (1 + 1e-12)

struct stat_shift {
	double estimate; /* Hodges-Lehmann, in the unit of the values */
	struct stat_interval ci;
	double p;   /* two-sided, of no shift */
	bool exact; /* not the normal approximation */
};

/* Of paired differences. `alpha` is two-sided: 0.05 for a 95 % interval. 0; -EINVAL (more than STAT_SIGNED_MAX, too);
 * -ENOMEM. */
int stat_signed_rank(struct stat_shift *shift, const struct stat_sample *d, double alpha);

/* Of b above a, two samples. 0; -EINVAL (more than STAT_RANK_MAX differences, too); -ENOMEM. */
int stat_rank_sum(struct stat_shift *shift, const struct stat_sample *a, const struct stat_sample *b, double alpha);

/* The fewest pairs that have an interval: 2^-n <= alpha/2. 6 for 95 %, 8 for 99 %. */
unsigned int stat_signed_rank_least(double alpha);

/* Whether n_a and n_b values have an interval: 1/choose(n_a + n_b, n_a) <= alpha/2. With n_a = n_b, 4 for 95 %. */
bool stat_rank_sum_has(unsigned int na, unsigned int nb, double alpha);

/* Fills P(W+ <= w), w = 0 to n(n+1)/2, for n pairs. cdf has room for n(n+1)/2 + 1. */
void stat_signed_rank_cdf(double *cdf, unsigned int n);

/* Fills P(U <= u), u = 0 to na*nb. cdf has room for na*nb + 1. 0 or -ENOMEM. */
int stat_rank_sum_cdf(double *cdf, unsigned int na, unsigned int nb);

#endif
