/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample.c - numbers: their mean, their order, their logarithms */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

bool stat_sample_valid(const struct stat_sample *s)
{
	for (unsigned int i = 0; i < s->count; i++)
		if (!isfinite(s->value[i]))
			return false;
	return s->count > 0;
}

double stat_sample_mean(const struct stat_sample *s)
{
	double sum = 0;

	for (unsigned int i = 0; i < s->count; i++)
		sum += s->value[i];
	return s->count ? sum / s->count : 0;
}

double stat_sample_sd(const struct stat_sample *s)
{
	double mean = stat_sample_mean(s), sum = 0;

	if (s->count < 2)
		return 0;
	for (unsigned int i = 0; i < s->count; i++)
		sum += (s->value[i] - mean) * (s->value[i] - mean);
	return sqrt(sum / (s->count - 1));
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stat_sort(double *value, size_t count)
{
	qsort(value, count, sizeof(*value), compare);
}

double stat_sorted_median(const double *value, size_t count)
{
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

double *stat_sample_sorted(const struct stat_sample *s)
{
	double *copy = malloc((s->count + 1UL) * sizeof(*copy));

	if (!copy)
		return NULL;
	memcpy(copy, s->value, s->count * sizeof(*copy));
	stat_sort(copy, s->count);
	return copy;
}

/* Equal values stay in the order they came in. */
static int compare_ranked(const void *a, const void *b)
{
	const struct stat_ranked *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

struct stat_ranked *stat_sample_ranked(const struct stat_sample *s)
{
	struct stat_ranked *ranked = malloc((s->count + 1UL) * sizeof(*ranked));

	if (!ranked)
		return NULL;
	for (unsigned int i = 0; i < s->count; i++)
		ranked[i] = (struct stat_ranked){s->value[i], i};
	qsort(ranked, s->count, sizeof(*ranked), compare_ranked);
	return ranked;
}

int stat_probabilities_ranked(struct stat_ranked **ranked, const double *p, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return -EINVAL;
	*ranked = stat_sample_ranked(&(struct stat_sample){p, count});
	return *ranked ? 0 : -ENOMEM;
}

int stat_sample_log(double **log_of, const struct stat_sample *s)
{
	double *copy;

	if (!stat_sample_valid(s))
		return -EINVAL;
	for (unsigned int i = 0; i < s->count; i++)
		if (s->value[i] <= 0)
			return -EINVAL;
	copy = malloc((s->count + 1UL) * sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	for (unsigned int i = 0; i < s->count; i++)
		copy[i] = log(s->value[i]);
	*log_of = copy;
	return 0;
}
