/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change.c - change points by the energy statistic
 *
 * A segment is cut at its best place, if random orders of its blocks seldom have one as good, and then both parts are.
 * Distances are those of numbers, so nothing but sums over the ends of Y is kept: a sweep moves one value after the
 * other from Y to X.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "rng.h"
#include "spike.h"

#define LEAST 5	      /* values of a segment */
#define LEAST_SHORT 3 /* in a series of fewer than SHORT */
#define SHORT 12
#define ALPHA 0.02
#define BLOCK 0.5  /* times the cube root of the number of values */
#define UNSURE 0.5 /* standard errors (1 / sqrt(n)) that are added to a correlation: it is found too low */
#define ALIKE_MOST 0.95
#define TIE 1e-9 /* relative: two ways to add up the same numbers */

/* X = [0, at), Y = [at, end) of the values looked at. */
struct cut {
	double q;
	unsigned int at, end;
};

struct found {
	unsigned int at;
	double p;
};

struct finder {
	const double *value;
	unsigned int count, least, block, stop; /* stop: as many random orders as good, and it is no change */
	double alpha;
	struct stat_rng rng;
	double *moved, *cross, *inner, *mixed, *white; /* `count` each */
	unsigned int *order;
	unsigned int nfound;
	struct found found[STAT_CHANGE_SEGMENTS];
	double p; /* of the whole series' best cut */
	bool more;
};

/* moved[t]: distances from value t to all before it; inner[k]: all pairs of the first k + 1. */
static void sums_init(struct finder *f, const double *x, unsigned int count)
{
	double all = 0;

	for (unsigned int t = 0; t < count; t++) {
		double sum = 0;

		for (unsigned int i = 0; i < t; i++)
			sum += fabs(x[i] - x[t]);
		f->moved[t] = sum;
		f->inner[t] = all += sum;
		f->cross[t] = 0;
	}
}

/* Value t goes from Y to X, for all ends of Y behind it. */
static void sums_move(struct finder *f, const double *x, unsigned int count, unsigned int t)
{
	double ahead = 0;

	for (unsigned int k = t + 1; k < count; k++) {
		ahead += fabs(x[k] - x[t]);
		f->cross[k] += ahead - f->moved[t];
		f->inner[k] -= ahead;
	}
	f->inner[t] = 0;
}

static void cut_better(const struct finder *f, struct cut *best, double within, unsigned int at, unsigned int count)
{
	double m = at;

	for (unsigned int k = at + f->least - 1; k < count; k++) {
		double n = k + 1 - at;
		double q = m * n / (m + n) *
			   (2 * f->cross[k] / (m * n) - 2 * within / (m * m) - 2 * f->inner[k] / (n * n));

		if (q > best->q)
			*best = (struct cut){q, at, k + 1};
	}
}

static struct cut cut_best(struct finder *f, const double *x, unsigned int count)
{
	struct cut best = {-1, 0, 0};
	double within = 0;

	sums_init(f, x, count);
	for (unsigned int at = 1; at + f->least <= count; at++) {
		within += f->moved[at - 1];
		sums_move(f, x, count, at - 1);
		if (at >= f->least)
			cut_better(f, &best, within, at, count);
	}
	return best;
}

/* Squares of differences at distance 1 and 2 inside [from, to), their sums and numbers. None over a jump from one level
 * to another: it would look like a resemblance. */
struct squares {
	double far, sum[2];
	unsigned int count[2];
};

static void squares_add(struct squares *squares, const double *x, unsigned int from, unsigned int to)
{
	for (unsigned int apart = 1; apart <= 2; apart++)
		for (unsigned int i = from + apart; i < to; i++) {
			double difference = x[i] - x[i - apart];

			if (fabs(difference) > squares->far)
				continue;
			squares->sum[apart - 1] += difference * difference;
			squares->count[apart - 1]++;
		}
}

/* How alike neighbours are, 0 at least: for r^k at distance k, the squares of differences at distance 2 are 1 + r times
 * those at distance 1 (von Neumann 1941). Differences inside the cut's parts need no mean, which would take some of
 * r. */
static double correlation(struct finder *f, const double *x, unsigned int count, const struct cut *cut)
{
	struct stat_sample s = {x, count};
	struct squares squares = {.far = STAT_SPIKE_FAR * stat_spike_spread(&s, f->mixed)};
	const double *sum = squares.sum;
	const unsigned int *n = squares.count;

	squares_add(&squares, x, 0, cut->at);
	squares_add(&squares, x, cut->at, cut->end);
	squares_add(&squares, x, cut->end, count);
	if (!n[1] || !(sum[0] > 0))
		return 0;
	return fmax(sum[1] / n[1] / (sum[0] / n[0]) - 1, 0);
}

/* x without what each value has of the one before it. The s.d. stays. */
static void whiten(double *white, const double *x, unsigned int count, double r)
{
	double mean = stat_sample_mean(&(struct stat_sample){x, count}), scale = sqrt(1 - r * r);

	white[0] = x[0] - mean;
	for (unsigned int i = 1; i < count; i++)
		white[i] = (x[i] - mean - r * (x[i - 1] - mean)) / scale;
}

/* The other way round, in place; the mean is of no interest. */
static void colour(double *x, unsigned int count, double r)
{
	double scale = sqrt(1 - r * r);

	for (unsigned int i = 1; i < count; i++)
		x[i] = scale * x[i] + r * x[i - 1];
}

/* f->mixed: blocks of f->white of `length`, the first and the last shorter, in random order. */
static void mix(struct finder *f, unsigned int count, unsigned int length)
{
	unsigned int shift = stat_rng_below(&f->rng, length), blocks = (count + shift + length - 1) / length, at = 0;

	stat_rng_order(&f->rng, f->order, blocks);
	for (unsigned int i = 0; i < blocks; i++) {
		unsigned int from = f->order[i] * length, to = from + length;

		from = from < shift ? 0 : from - shift;
		to = to - shift < count ? to - shift : count;
		memcpy(f->mixed + at, f->white + from, (to - from) * sizeof(*f->mixed));
		at += to - from;
	}
}

static unsigned int block_length(const struct finder *f, unsigned int count)
{
	unsigned int length = f->block ? f->block : (unsigned int)lround(BLOCK * cbrt(count));

	if (length > count)
		length = count;
	return length ? length : 1;
}

/* As soon as `stop` orders were as good, their part of all tried is p (Besag and Clifford, Biometrika 78, 1991). */
static double cut_p(struct finder *f, const double *x, unsigned int count, const struct cut *cut)
{
	double r = fmin(correlation(f, x, count, cut) + UNSURE / sqrt(count), ALIKE_MOST);
	unsigned int length = block_length(f, count), as_good = 0;

	whiten(f->white, x, count, r);
	for (unsigned int i = 1; i <= STAT_CHANGE_ORDERS; i++) {
		mix(f, count, length);
		colour(f->mixed, count, r);
		as_good += cut_best(f, f->mixed, count).q >= cut->q * (1 - TIE);
		if (as_good == f->stop)
			return (double)as_good / i;
	}
	return (as_good + 1.0) / (STAT_CHANGE_ORDERS + 1);
}

static void segment_cut(struct finder *f, unsigned int from, unsigned int to)
{
	const double *x = f->value + from;
	struct cut cut;
	double p;

	if (to - from < 2 * f->least)
		return;
	cut = cut_best(f, x, to - from);
	p = cut.q > 0 ? cut_p(f, x, to - from, &cut) : 1;
	if (to - from == f->count)
		f->p = p;
	if (p > f->alpha)
		return;
	if (f->nfound == STAT_CHANGE_SEGMENTS - 1) {
		f->more = true;
		return;
	}
	f->found[f->nfound++] = (struct found){from + cut.at, p};
	segment_cut(f, from, from + cut.at);
	segment_cut(f, from + cut.at, to);
}

static int compare(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static int finder_run(struct finder *f)
{
	f->moved = malloc(5UL * f->count * sizeof(double));
	f->order = malloc((f->count + 1UL) * sizeof(*f->order));
	if (!f->moved || !f->order) {
		free(f->moved);
		free(f->order);
		return -ENOMEM;
	}
	f->cross = f->moved + f->count;
	f->inner = f->cross + f->count;
	f->mixed = f->inner + f->count;
	f->white = f->mixed + f->count;
	segment_cut(f, 0, f->count);
	qsort(f->found, f->nfound, sizeof(*f->found), compare);
	free(f->moved);
	free(f->order);
	return 0;
}

/* The values from `from` on, up to `to`, that are no spikes: kept[i] is where value i of the finder was. */
static void segment_set(struct stat_segment *segment, const struct finder *f, unsigned int from, unsigned int to)
{
	struct stat_sample s = {f->value + from, to - from};

	segment->mean = stat_sample_mean(&s);
	segment->sd = stat_sample_sd(&s);
	segment->spikes = segment->count - s.count;
}

static void change_set(struct stat_change *change, const struct finder *f, const unsigned int *kept,
		       unsigned int series)
{
	*change = (struct stat_change){.count = f->nfound + 1, .more = f->more, .p = f->p};
	for (unsigned int i = 0; i <= f->nfound; i++) {
		struct stat_segment *segment = &change->segment[i];
		unsigned int from = i ? f->found[i - 1].at : 0, to = i < f->nfound ? f->found[i].at : f->count;

		segment->from = i ? kept[from] : 0;
		segment->count = (i < f->nfound ? kept[to] : series) - segment->from;
		segment->p = i ? f->found[i - 1].p : 1;
		segment_set(segment, f, from, to);
	}
}

/* With room for the values that are no spikes, and where they were. */
static int find(struct stat_change *change, struct finder *f, const struct stat_sample *series, const bool *spike)
{
	double *value = malloc(series->count * sizeof(*value));
	unsigned int *kept = malloc(series->count * sizeof(*kept));
	int rc = value && kept ? 0 : -ENOMEM;

	for (unsigned int i = 0; !rc && i < series->count; i++) {
		if (spike[i])
			continue;
		value[f->count] = series->value[i];
		kept[f->count++] = i;
	}
	f->value = value;
	if (!rc)
		rc = finder_run(f);
	if (!rc)
		change_set(change, f, kept, series->count);
	free(value);
	free(kept);
	return rc;
}

int stat_change_find(struct stat_change *change, bool *spike, const struct stat_sample *series,
		     const struct stat_change_how *how)
{
	static const struct stat_change_how usual;
	struct finder f = {.p = 1};
	bool *own;
	int rc;

	if (!how)
		how = &usual;
	if (!stat_sample_valid(series) || series->count > STAT_CHANGE_MAX || !(how->alpha >= 0 && how->alpha < 1))
		return -EINVAL;
	own = calloc(series->count, sizeof(*own));
	if (!own)
		return -ENOMEM;
	f.least = how->least ? how->least : series->count < SHORT ? LEAST_SHORT : LEAST;
	f.block = how->block;
	f.alpha = how->alpha > 0 ? how->alpha : ALPHA;
	f.stop = (unsigned int)fmax(1, floor(f.alpha * (STAT_CHANGE_ORDERS + 1)));
	stat_rng_init(&f.rng, how->seed);
	rc = stat_spike_find(own, series);
	if (!rc)
		rc = find(change, &f, series, own);
	if (!rc && spike)
		memcpy(spike, own, series->count * sizeof(*own));
	free(own);
	return rc;
}

unsigned int stat_change_least(void)
{
	return 2 * LEAST_SHORT;
}
