/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noise.h - throughputs as they come in trials, without any difference between A and B
 *
 *      independent     normal, s.d. 2 %
 *      drifting        the same, on a random walk of 0.5 % a run and a slope of 10 % over the trial: temperature,
 *                      neighbours, an access line
 *      bimodal         80 % of runs near 100, 20 % near 92, s.d. 1 %: where the scheduler happens to put the softirq
 *
 * A trial has pairs of runs one after the other, in random order inside the pair.
 */
#ifndef PORTICO_TESTS_STAT_NOISE_H
#define PORTICO_TESTS_STAT_NOISE_H

#include "bench/stat/rng.h"

enum noise {
	NOISE_INDEPENDENT,
	NOISE_DRIFTING,
	NOISE_BIMODAL,
	NOISES,
};

const char *noise_name(enum noise noise);

/* Fills a[k] and b[k] with `pairs` pairs. */
void noise_pairs(struct stat_rng *rng, enum noise noise, double *a, double *b, unsigned int pairs);

/* Fills a series whose neighbours are alike by r: mean 100, s.d. 1. */
void noise_series(struct stat_rng *rng, double r, double *series, unsigned int count);

#endif
