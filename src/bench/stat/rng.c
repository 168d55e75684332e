/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rng.c - xoshiro256** */
#include <math.h>

#include "rng.h"

static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void stat_rng_init(struct stat_rng *rng, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		rng->state[i] = splitmix(&seed);
}

static uint64_t rotate(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

uint64_t stat_rng_next(struct stat_rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate(s[3], 45);
	return result;
}

double stat_rng_uniform(struct stat_rng *rng)
{
	return (double)(stat_rng_next(rng) >> 11) * 0x1p-53;
}

/* Box and Muller 1958; the second of the pair is let go, so that there is nothing to keep. */
double stat_rng_normal(struct stat_rng *rng)
{
	double radius = sqrt(-2 * log(1 - stat_rng_uniform(rng)));

	return radius * cos(2 * M_PI * stat_rng_uniform(rng));
}

/* Numbers below 2^64 mod limit would make some results likelier; they are drawn again. */
unsigned int stat_rng_below(struct stat_rng *rng, unsigned int limit)
{
	uint64_t least = -(uint64_t)limit % limit, drawn;

	do
		drawn = stat_rng_next(rng);
	while (drawn < least);
	return (unsigned int)(drawn % limit);
}

/* Fisher and Yates, from the front. */
void stat_rng_order(struct stat_rng *rng, unsigned int *order, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		unsigned int at = stat_rng_below(rng, i + 1);

		order[i] = order[at];
		order[at] = i;
	}
}
