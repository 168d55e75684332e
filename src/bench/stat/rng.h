/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rng.h - random numbers that are the same for the same seed, everywhere
 *
 * xoshiro256** of Blackman and Vigna (Scrambled linear pseudorandom number generators, ACM TOMS 47, 2021), its state
 * filled by splitmix64 as they recommend. Not for secrets.
 */
#ifndef PORTICO_BENCH_STAT_RNG_H
#define PORTICO_BENCH_STAT_RNG_H

#include <stdint.h>

struct stat_rng {
	uint64_t state[4];
};

void stat_rng_init(struct stat_rng *rng, uint64_t seed); /* any seed, 0 as well */

uint64_t stat_rng_next(struct stat_rng *rng);

/* In [0, 1), of 2^53 values. */
double stat_rng_uniform(struct stat_rng *rng);

/* Mean 0, s.d. 1. */
double stat_rng_normal(struct stat_rng *rng);

/* 0 to limit - 1, each as likely; limit is above 0. */
unsigned int stat_rng_below(struct stat_rng *rng, unsigned int limit);

/* Puts the numbers 0 to count - 1 into random order. */
void stat_rng_order(struct stat_rng *rng, unsigned int *order, unsigned int count);

#endif
