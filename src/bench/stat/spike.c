/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spike.c - single values that belong to no state */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spike.h"

#define LEAST_SPREAD 0.001
#define NORMAL 1.4826 /* s.d. of a normal distribution over the median of its absolute values */
#define PART 20

static double median_of(double *value, unsigned int count)
{
	stat_sort(value, count);
	return stat_sorted_median(value, count);
}

double stat_spike_spread(const struct stat_sample *series, double *room)
{
	double middle, differences;

	for (unsigned int i = 0; i < series->count; i++)
		room[i] = fabs(series->value[i]);
	middle = median_of(room, series->count);
	for (unsigned int i = 1; i < series->count; i++)
		room[i - 1] = fabs(series->value[i] - series->value[i - 1]);
	differences = median_of(room, series->count - 1);
	return fmax(NORMAL * differences / M_SQRT2, LEAST_SPREAD * middle);
}

static bool is_spike(const struct stat_sample *s, unsigned int i, double far)
{
	unsigned int one = i > 0 ? i - 1 : 2, other = i + 1 < s->count ? i + 1 : i - 2;
	double from_one = s->value[i] - s->value[one], from_other = s->value[i] - s->value[other];

	return fmin(from_one, from_other) > far || fmax(from_one, from_other) < -far;
}

int stat_spike_find(bool *spike, const struct stat_sample *series)
{
	unsigned int found = 0;
	double *room, far;

	memset(spike, 0, series->count * sizeof(*spike));
	if (series->count < 3)
		return 0;
	room = malloc(series->count * sizeof(*room));
	if (!room)
		return -ENOMEM;
	far = STAT_SPIKE_FAR * stat_spike_spread(series, room);
	free(room);
	for (unsigned int i = 0; i < series->count; i++)
		found += spike[i] = is_spike(series, i, far);
	if (found > 1 && found > series->count / PART)
		memset(spike, 0, series->count * sizeof(*spike));
	return 0;
}
