/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wilcoxon.c - Hodges-Lehmann estimates, exact intervals
 *
 * Both tests are the same from here on: M candidate shifts (Walsh averages, or differences) in ascending order, and the
 * distribution, without a shift, of how many of them are at most 0 (struct null).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "dist.h"
#include "wilcoxon.h"

/* How many candidates are at most 0 if there is no shift. */
struct null {
	double *cdf; /* NULL: normal, with the two below */
	double mean, sd;
};

/* P(count <= c) */
static double null_at(const struct null *null, size_t c)
{
	return null->cdf ? null->cdf[c] : stat_normal_cdf(((double)c + 0.5 - null->mean) / null->sd);
}

/* max{c : P(count <= c) <= tail}, or -1. */
static long null_critical(const struct null *null, double tail)
{
	long c = -1;

	if (!null->cdf)
		return (long)floor(null->mean + stat_normal_quantile(tail) * null->sd - 0.5);
	while (null->cdf[c + 1] <= tail * STAT_ROUNDING)
		c++;
	return c;
}

static struct stat_interval interval(const double *sorted, size_t count, const struct null *null, double alpha)
{
	long c = null_critical(null, alpha / 2);

	if (c < 0)
		return (struct stat_interval){0, -INFINITY, INFINITY};
	return (struct stat_interval){1 - alpha, sorted[c], sorted[count - 1 - (size_t)c]};
}

/* Candidates of exactly 0 are on the side of no shift, whichever side that is. */
static double two_sided(const double *sorted, size_t count, const struct null *null)
{
	size_t below = 0, above = 0;
	double p;

	for (size_t i = 0; i < count; i++) {
		below += sorted[i] < 0;
		above += sorted[i] > 0;
	}
	p = 2 * fmin(null_at(null, count - above), null_at(null, count - below));
	return fmin(p, 1);
}

/* Sorts the candidates and frees them, and the null distribution. */
static void judge(struct stat_shift *shift, double *candidates, size_t count, struct null *null, double alpha)
{
	stat_sort(candidates, count);
	shift->estimate = stat_sorted_median(candidates, count);
	shift->ci = interval(candidates, count, null, alpha);
	shift->p = two_sided(candidates, count, null);
	shift->exact = null->cdf;
	free(candidates);
	free(null->cdf);
}

/* W+ of n pairs is, with even odds, that of n - 1 or n more. */
void stat_signed_rank_cdf(double *cdf, unsigned int n)
{
	size_t count = (size_t)n * (n + 1) / 2, top = 0;

	for (size_t w = 0; w <= count; w++)
		cdf[w] = w == 0;
	for (size_t k = 1; k <= n; k++) {
		top += k;
		for (size_t w = top + 1; w-- > 0;)
			cdf[w] = (cdf[w] + (w >= k ? cdf[w - k] : 0)) / 2;
	}
	for (size_t w = 1; w <= count; w++)
		cdf[w] += cdf[w - 1];
}

/* Sum of t^3 - t over groups of t equal values. */
static double ties(const double *sorted, size_t count)
{
	double sum = 0;

	for (size_t i = 0, n; i < count; i += n) {
		for (n = 1; i + n < count && sorted[i + n] == sorted[i]; n++)
			;
		sum += (double)n * (double)n * (double)n - (double)n;
	}
	return sum;
}

static int signed_null(struct null *null, unsigned int n)
{
	double pairs = n;

	*null = (struct null){NULL, pairs * (pairs + 1) / 4, sqrt(pairs * (pairs + 1) * (2 * pairs + 1) / 24)};
	if (n > STAT_SIGNED_EXACT)
		return 0;
	null->cdf = calloc((size_t)n * (n + 1) / 2 + 1, sizeof(double));
	if (!null->cdf)
		return -ENOMEM;
	stat_signed_rank_cdf(null->cdf, n);
	return 0;
}

static double *walsh(const struct stat_sample *d, size_t count)
{
	double *average = malloc(count * sizeof(*average));
	size_t at = 0;

	for (unsigned int i = 0; average && i < d->count; i++)
		for (unsigned int j = i; j < d->count; j++)
			average[at++] = d->value[i] / 2 + d->value[j] / 2;
	return average;
}

int stat_signed_rank(struct stat_shift *shift, const struct stat_sample *d, double alpha)
{
	size_t count = (size_t)d->count * (d->count + 1UL) / 2;
	struct null null;
	double *average;

	if (!stat_sample_valid(d) || d->count > STAT_SIGNED_MAX || !(alpha > 0 && alpha < 1))
		return -EINVAL;
	if (signed_null(&null, d->count))
		return -ENOMEM;
	average = walsh(d, count);
	if (!average) {
		free(null.cdf);
		return -ENOMEM;
	}
	judge(shift, average, count, &null, alpha);
	return 0;
}

/* row[j * stride + u] is P(U = u) of i and j values. The largest of i + j is one of the i in i / (i + j), and above all
 * j; else it is one of the j. */
static void rank_row(double *row, size_t stride, unsigned int i, unsigned int most)
{
	for (unsigned int j = 0; j <= most; j++) {
		double of_i = (double)i / (i + j), of_j = (double)j / (i + j);
		double *now = row + j * stride;
		const double *fewer = j ? now - stride : now;

		for (size_t u = (size_t)i * j + 1; u-- > 0;)
			now[u] = of_i * (u >= j ? now[u - j] : 0) + (j ? of_j * fewer[u] : 0);
	}
}

int stat_rank_sum_cdf(double *cdf, unsigned int na, unsigned int nb)
{
	unsigned int most = na < nb ? na : nb, more = na < nb ? nb : na;
	size_t stride = (size_t)na * nb + 1;
	double *row = calloc((most + 1UL) * stride, sizeof(*row)), sum = 0;

	if (!row)
		return -ENOMEM;
	for (unsigned int j = 0; j <= most; j++)
		row[j * stride] = 1;
	for (unsigned int i = 1; i <= more; i++)
		rank_row(row, stride, i, most);
	for (size_t u = 0; u < stride; u++)
		cdf[u] = sum += row[most * stride + u];
	free(row);
	return 0;
}

static int both(struct stat_sample *all, const struct stat_sample *a, const struct stat_sample *b)
{
	double *value = malloc((a->count + (size_t)b->count) * sizeof(*value));

	if (!value)
		return -ENOMEM;
	for (unsigned int i = 0; i < a->count; i++)
		value[i] = a->value[i];
	for (unsigned int i = 0; i < b->count; i++)
		value[a->count + i] = b->value[i];
	stat_sort(value, a->count + (size_t)b->count);
	*all = (struct stat_sample){value, a->count + b->count};
	return 0;
}

static int rank_normal(struct null *null, const struct stat_sample *a, const struct stat_sample *b)
{
	double m = (double)a->count * b->count, n = (double)a->count + b->count;
	struct stat_sample all;

	if (both(&all, a, b))
		return -ENOMEM;
	*null = (struct null){NULL, m / 2, sqrt(m / 12 * (n + 1 - ties(all.value, all.count) / (n * (n - 1))))};
	if (!(null->sd > 0)) /* all are equal */
		null->sd = 0.5;
	free((double *)all.value);
	return 0;
}

static int rank_null(struct null *null, const struct stat_sample *a, const struct stat_sample *b)
{
	size_t count = (size_t)a->count * b->count;
	int rc;

	if (count > STAT_RANK_EXACT)
		return rank_normal(null, a, b);
	*null = (struct null){malloc((count + 1) * sizeof(double)), 0, 0};
	if (!null->cdf)
		return -ENOMEM;
	rc = stat_rank_sum_cdf(null->cdf, a->count, b->count);
	if (rc)
		free(null->cdf);
	return rc;
}

static double *differences(const struct stat_sample *a, const struct stat_sample *b)
{
	double *difference = malloc((size_t)a->count * b->count * sizeof(*difference));
	size_t at = 0;

	for (unsigned int i = 0; difference && i < a->count; i++)
		for (unsigned int j = 0; j < b->count; j++)
			difference[at++] = b->value[j] - a->value[i];
	return difference;
}

int stat_rank_sum(struct stat_shift *shift, const struct stat_sample *a, const struct stat_sample *b, double alpha)
{
	size_t count = (size_t)a->count * b->count;
	struct null null;
	double *difference;

	if (!stat_sample_valid(a) || !stat_sample_valid(b) || count > STAT_RANK_MAX || !(alpha > 0 && alpha < 1))
		return -EINVAL;
	if (rank_null(&null, a, b))
		return -ENOMEM;
	difference = differences(a, b);
	if (!difference) {
		free(null.cdf);
		return -ENOMEM;
	}
	judge(shift, difference, count, &null, alpha);
	return 0;
}

unsigned int stat_signed_rank_least(double alpha)
{
	unsigned int n = 1;

	while (ldexp(1, -(int)n) > alpha / 2 * STAT_ROUNDING)
		n++;
	return n;
}

bool stat_rank_sum_has(unsigned int na, unsigned int nb, double alpha)
{
	double one = 1; /* 1 / choose(na + nb, na) */

	for (unsigned int i = 1; i <= na; i++)
		one *= (double)i / ((double)nb + i);
	return one <= alpha / 2 * STAT_ROUNDING;
}
