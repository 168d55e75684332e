/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.c - the intervals inside a run */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define PARTIAL 0.9 /* of the usual length: a shorter last interval holds the end of the run, not its speed */

int series_add(struct series *s, double value, double length)
{
	if (s->count == s->room) {
		unsigned int room = s->room ? 2 * s->room : 64;
		double *values = realloc(s->value, room * sizeof(*values)), *lengths;

		if (!values)
			return -ENOMEM;
		s->value = values;
		lengths = realloc(s->length, room * sizeof(*lengths));
		if (!lengths)
			return -ENOMEM;
		s->length = lengths;
		s->room = room;
	}
	s->value[s->count] = value;
	s->length[s->count++] = length;
	return 0;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of the first `n` lengths; the first one where there is no memory to sort them. */
static double usual(const struct series *s, unsigned int n)
{
	double *sorted = malloc(n * sizeof(*sorted)), median;

	if (!sorted)
		return s->length[0];
	memcpy(sorted, s->length, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_size);
	median = sorted[n / 2];
	free(sorted);
	return median;
}

void series_close(struct series *s)
{
	unsigned int last = s->count - 1;

	if (!s->count)
		return;
	s->interval = usual(s, last ? last : 1);
	if (!last || s->length[last] >= PARTIAL * s->interval)
		return;
	s->partial = s->length[last];
	s->partial_value = s->value[last];
	s->count--;
}

void series_end(struct series *s)
{
	if (s->count)
		s->interval = usual(s, s->count);
}

double series_mean(const struct series *s)
{
	double sum = 0, time = 0;

	for (unsigned int i = 0; i < s->count; i++) {
		sum += s->value[i] * s->length[i];
		time += s->length[i];
	}
	return sum / time;
}

void series_free(struct series *s)
{
	free(s->value);
	free(s->length);
	*s = (struct series){0};
}
