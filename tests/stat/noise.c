/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noise.c - throughputs as they come in trials */
#include <math.h>

#include "noise.h"

static const char *const names[NOISES] = {"independent", "drifting", "bimodal"};

const char *noise_name(enum noise noise)
{
	return names[noise];
}

/* One run; `at` is its place in the trial, 0 to 1. */
static double run(struct stat_rng *rng, enum noise noise, double *walk, double at)
{
	if (noise == NOISE_BIMODAL)
		return (stat_rng_uniform(rng) < 0.2 ? 92 : 100) + stat_rng_normal(rng);
	if (noise == NOISE_INDEPENDENT)
		return 100 + 2 * stat_rng_normal(rng);
	*walk += 0.5 * stat_rng_normal(rng);
	return 100 + 10 * at + *walk + 2 * stat_rng_normal(rng);
}

void noise_pairs(struct stat_rng *rng, enum noise noise, double *a, double *b, unsigned int pairs)
{
	double walk = 0;

	for (unsigned int i = 0; i < pairs; i++) {
		double first = run(rng, noise, &walk, (double)i / pairs);
		double second = run(rng, noise, &walk, (i + 0.5) / pairs);
		int b_first = stat_rng_next(rng) >> 63;

		a[i] = b_first ? second : first;
		b[i] = b_first ? first : second;
	}
}

void noise_series(struct stat_rng *rng, double r, double *series, unsigned int count)
{
	double now = stat_rng_normal(rng);

	for (unsigned int i = 0; i < count; i++) {
		series[i] = 100 + now;
		now = r * now + sqrt(1 - r * r) * stat_rng_normal(rng);
	}
}
