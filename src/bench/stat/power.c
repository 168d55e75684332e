/* SPDX-License-Identifier: GPL-2.0-or-later */
/* power.c - pairs needed */
#include <math.h>

#include "dist.h"
#include "power.h"
#include "wilcoxon.h"

#define COST 1.05 /* of the signed rank against t */

unsigned int stat_power_pairs(const struct stat_power *power, double delta)
{
	double z = stat_normal_quantile(1 - power->alpha / 2) + stat_normal_quantile(power->power);
	double pairs = ceil(COST * z * z * power->sd * power->sd / (delta * delta));
	unsigned int least = stat_signed_rank_least(power->alpha);

	if (!(pairs < STAT_PAIRS_MAX))
		return STAT_PAIRS_MAX;
	return pairs > least ? (unsigned int)pairs : least;
}

double stat_power_at(const struct stat_power *power, double effect, unsigned int pairs)
{
	double z = stat_normal_quantile(1 - power->alpha / 2);
	double known = pairs - z * z / 2; /* what not knowing s_d costs */
	double at = fabs(effect) / power->sd * sqrt(fmax(known, 0) / COST);

	if (pairs < stat_signed_rank_least(power->alpha))
		return 0;
	return stat_normal_cdf(at - z) + stat_normal_cdf(-at - z);
}
