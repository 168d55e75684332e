/* SPDX-License-Identifier: GPL-2.0-or-later */
/* looks.c - Pocock's alphas, planned looks */
#include <math.h>

#include "dist.h"
#include "looks.h"

static const struct row {
	double overall;
	double z[STAT_LOOKS_MAX - 1]; /* of 2 looks and more, two-sided */
} rows[] = {
	{0.01, {2.772, 2.873, 2.939, 2.986}},
	{0.05, {2.178, 2.289, 2.361, 2.413}},
	{0.10, {1.875, 1.992, 2.067, 2.122}},
};

double stat_looks_alpha(double overall, unsigned int looks)
{
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (fabs(overall - rows[i].overall) < 1e-9 && looks >= 1 && looks <= STAT_LOOKS_MAX)
			return looks == 1 ? overall : 2 * stat_normal_cdf(-rows[i].z[looks - 2]);
	return -1;
}

unsigned int stat_looks_at(unsigned int pairs, unsigned int looks, unsigned int look, unsigned int least)
{
	unsigned int at = (unsigned int)(((unsigned long long)pairs * look + looks - 1) / looks);

	if (at < least)
		at = least;
	return at < pairs ? at : pairs;
}
