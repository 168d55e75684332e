/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample.h - numbers, what goes in; an interval, what comes out
 *
 * The statistics room knows nothing of runs, units or files. It takes arrays of doubles and gives structs; it keeps
 * nothing between calls. What can fail returns 0 or a negative errno: -EINVAL for what has no answer (no values, a
 * value that is not finite, an alpha outside (0, 1)), -ENOMEM where memory ends. Only what its header says is for
 * free().
 *
 * Ratios are compared as logarithms: d = ln(b/a), and an effect is e^d - 1.
 */
#ifndef PORTICO_BENCH_STAT_SAMPLE_H
#define PORTICO_BENCH_STAT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

struct stat_sample {
	const double *value;
	unsigned int count;
};

/* Both ends belong to it. */
struct stat_interval {
	double level; /* asked for, 0.95; 0: so few values have none, and low and high are infinite */
	double low, high;
};

/* All finite, and at least one. */
bool stat_sample_valid(const struct stat_sample *s);

/* 0 for no values. */
double stat_sample_mean(const struct stat_sample *s);

/* With count - 1 below; 0 for fewer than two values. */
double stat_sample_sd(const struct stat_sample *s);

/* Sorts in place, smallest first. */
void stat_sort(double *value, size_t count);

/* The middle one, or the mean of the middle two, of sorted values. */
double stat_sorted_median(const double *value, size_t count);

/* A copy in ascending order, for free(); NULL where memory ends. */
double *stat_sample_sorted(const struct stat_sample *s);

/* A value and where it was. */
struct stat_ranked {
	double value;
	unsigned int at;
};

/* All values in ascending order, for free(); NULL where memory ends. */
struct stat_ranked *stat_sample_ranked(const struct stat_sample *s);

/* Probabilities in ascending order, for free(). 0; -EINVAL: a value outside 0 ... 1; -ENOMEM. */
int stat_probabilities_ranked(struct stat_ranked **ranked, const double *p, unsigned int count);

/* Natural logarithms of a copy, for free(). 0; -EINVAL: a value that is not above 0; -ENOMEM. */
int stat_sample_log(double **log_of, const struct stat_sample *s);

#endif
