/* SPDX-License-Identifier: GPL-2.0-or-later */
/* modes.c - two modes, or one? */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "modes.h"

#define STARTS 7	/* places where the sorted values are cut at first: each eighth */
#define ROUNDS_FIRST 50 /* of each start */
#define ROUNDS 5000	/* of the best */
#define CLOSE 1e-12	/* relative; less is no progress */

/* The fit on its way. */
struct fit {
	struct stat_mode mode[2];
	double likelihood;
};

/* Sorted values, and the least variance of a mode. */
struct values {
	const double *value;
	unsigned int count;
	double least;
};

/* ln of weight * density at `value`. */
static double log_part(const struct stat_mode *mode, double value)
{
	double z = (value - mode->mean) / mode->sd;

	return log(mode->weight) - log(mode->sd) - z * z / 2 - 0.5 * log(2 * M_PI);
}

/* Mean, s.d. and weight from sums of w, w x, w x^2, x taken from `around`. */
static void mode_set(struct stat_mode *mode, const double sum[3], double around, const struct values *v)
{
	double mean = sum[1] / sum[0], variance = sum[2] / sum[0] - mean * mean;

	mode->weight = sum[0] / v->count;
	mode->mean = around + mean;
	mode->sd = sqrt(fmax(variance, v->least));
}

/* One round: how much of each value belongs to each mode, then the modes anew. fit->likelihood is that of the modes
 * before. */
static void round_do(struct fit *fit, const struct values *v)
{
	double sum[2][3] = {{0}}, around[2] = {fit->mode[0].mean, fit->mode[1].mean};

	fit->likelihood = 0;
	for (unsigned int i = 0; i < v->count; i++) {
		double low = log_part(&fit->mode[0], v->value[i]), high = log_part(&fit->mode[1], v->value[i]);
		double most = fmax(low, high), all = most + log(exp(low - most) + exp(high - most));
		double part[2] = {exp(low - all), exp(high - all)};

		fit->likelihood += all;
		for (int k = 0; k < 2; k++) {
			double x = v->value[i] - around[k];

			sum[k][0] += part[k];
			sum[k][1] += part[k] * x;
			sum[k][2] += part[k] * x * x;
		}
	}
	for (int k = 0; k < 2; k++)
		if (sum[k][0] > 1e-9)
			mode_set(&fit->mode[k], sum[k], around[k], v);
}

static void rounds_do(struct fit *fit, const struct values *v, unsigned int rounds)
{
	double before = -INFINITY;

	for (unsigned int i = 0; i < rounds; i++) {
		round_do(fit, v);
		if (fit->likelihood - before < CLOSE * fabs(fit->likelihood))
			break;
		before = fit->likelihood;
	}
}

/* The lower `cut` values are one mode, the others the other. */
static void fit_start(struct fit *fit, const struct values *v, unsigned int cut)
{
	double around = v->value[cut], sum[2][3] = {{0}};

	for (unsigned int i = 0; i < v->count; i++) {
		double x = v->value[i] - around, *of = sum[i >= cut];

		of[0]++;
		of[1] += x;
		of[2] += x * x;
	}
	for (int k = 0; k < 2; k++)
		mode_set(&fit->mode[k], sum[k], around, v);
}

static bool has_both(const struct fit *fit)
{
	return fmin(fit->mode[0].weight, fit->mode[1].weight) > STAT_MODES_SHARE;
}

/* The likelihood of a mode on a single value has no bound but least_sd. So where there are fits of two modes that both
 * have their share, the likeliest of those is taken. */
static bool better(const struct fit *fit, const struct fit *best)
{
	return has_both(fit) != has_both(best) ? has_both(fit) : fit->likelihood > best->likelihood;
}

static void fit_best(struct fit *best, const struct values *v)
{
	*best = (struct fit){.likelihood = -INFINITY};
	for (unsigned int i = 1; i <= STARTS; i++) {
		unsigned int cut = v->count * i / (STARTS + 1);
		struct fit fit;

		fit_start(&fit, v, cut ? cut : 1);
		rounds_do(&fit, v, ROUNDS_FIRST);
		if (better(&fit, best))
			*best = fit;
	}
	rounds_do(best, v, ROUNDS);
}

static void modes_set(struct stat_modes *modes, const struct fit *fit, const struct values *v)
{
	bool swap = fit->mode[0].mean > fit->mode[1].mean;
	struct stat_mode low = fit->mode[swap], high = fit->mode[!swap];
	double n = v->count, sd = modes->one.sd * sqrt((n - 1) / n);
	double one = -n / 2 * (log(2 * M_PI * sd * sd) + 1);

	modes->mode[0] = low;
	modes->mode[1] = high;
	modes->likelihood = fit->likelihood;
	modes->bic = 2 * (fit->likelihood - one) - 3 * log(n);
	modes->ashman = M_SQRT2 * (high.mean - low.mean) / hypot(low.sd, high.sd);
	modes->two = modes->bic > STAT_MODES_BIC && modes->ashman > STAT_MODES_ASHMAN && has_both(fit);
}

int stat_modes_fit(struct stat_modes *modes, const struct stat_sample *s, double least_sd)
{
	struct values v = {.count = s->count};
	struct fit fit;
	double *sorted;

	if (!stat_sample_valid(s) || !(least_sd >= 0))
		return -EINVAL;
	*modes = (struct stat_modes){.one = {stat_sample_mean(s), stat_sample_sd(s), 1}};
	if (!(least_sd > 0))
		least_sd = modes->one.sd / 100;
	v.least = least_sd * least_sd;
	modes->mode[0] = modes->mode[1] = modes->one;
	modes->mode[1].weight = 0;
	if (s->count < STAT_MODES_LEAST || !(v.least > 0) || !(modes->one.sd > 0))
		return 0;
	sorted = stat_sample_sorted(s);
	if (!sorted)
		return -ENOMEM;
	v.value = sorted;
	fit_best(&fit, &v);
	modes_set(modes, &fit, &v);
	free(sorted);
	return 0;
}

/* Outside both means the nearer mode has it: the wider one's tail would reach round the other. */
unsigned int stat_modes_of(const struct stat_modes *modes, double value)
{
	if (value <= modes->mode[0].mean || !(modes->mode[1].weight > 0))
		return 0;
	if (value >= modes->mode[1].mean)
		return 1;
	return log_part(&modes->mode[1], value) > log_part(&modes->mode[0], value);
}

void stat_modes_stay(struct stat_stay stay[2], const struct stat_modes *modes, const struct stat_sample *series)
{
	unsigned int before = 2;

	stay[0] = stay[1] = (struct stat_stay){0};
	for (unsigned int i = 0; i < series->count; i++) {
		unsigned int at = stat_modes_of(modes, series->value[i]);

		stay[at].values++;
		stay[at].level += series->value[i];
		stay[at].visits += at != before;
		before = at;
	}
	for (int k = 0; k < 2; k++) {
		if (!stay[k].values)
			continue;
		stay[k].level /= stay[k].values;
		stay[k].share = (double)stay[k].values / series->count;
		stay[k].dwell = (double)stay[k].values / stay[k].visits;
	}
}

struct stat_split stat_modes_split(const struct stat_stay a[2], const struct stat_stay b[2])
{
	struct stat_split split = {0};

	for (int k = 0; k < 2; k++) {
		double from = a[k].values ? a[k].level : b[k].level, to = b[k].values ? b[k].level : from;

		split.level += (a[k].share + b[k].share) / 2 * (to - from);
		split.occupancy += (from + to) / 2 * (b[k].share - a[k].share);
	}
	split.total = split.level + split.occupancy;
	return split;
}
