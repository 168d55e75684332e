/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady.c - whether a run was one steady state, and if not, which states it was in, when, and how long */
#include "steady.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stat/change.h"
#include "bench/stat/modes.h"

#define CUTS_MAX 500   /* values that changes are looked for in: its cost grows with the square */
#define LEAST_OF_ONE 2 /* intervals of a mode: a single one is a spike */
#define DRIFT_LEAST 3  /* segments, each above or each below the one before */
#define SHORT 12       /* intervals: of fewer, one part in twenty may be found to change without cause */
#define ALPHA 0.01     /* of others, one in a hundred: whoever has many runs would look after many */
#define BETWEEN 0.1    /* of the way from one level to the other: nearer is at the level */

/* A series while it is looked at. */
struct look {
	const struct series *series;
	unsigned int n;
	unsigned int *state; /* of each interval */
	bool *apart;	     /* intervals that do not count for a level: spikes, and those a change is in */
	unsigned int nstates;
	double middle[STEADY_STATES]; /* median of each state */
};

static void look_exit(struct look *l)
{
	free(l->state);
	free(l->apart);
}

static int look_init(struct look *l, const struct series *series)
{
	*l = (struct look){.series = series, .n = series->count, .nstates = 1};
	l->state = calloc(l->n, sizeof(*l->state));
	l->apart = calloc(l->n, sizeof(*l->apart));
	if (l->state && l->apart)
		return 0;
	look_exit(l);
	return -ENOMEM;
}

/* Two modes of the values: states 0 and 1 are the first one seen and the other. */
static int by_modes(struct look *l)
{
	struct stat_sample values = {l->series->value, l->n};
	struct stat_modes modes;
	unsigned int first, of_first = 0;
	int rc = stat_modes_fit(&modes, &values, 0);

	if (rc || !modes.two)
		return rc;
	first = stat_modes_of(&modes, values.value[0]);
	for (unsigned int i = 0; i < l->n; i++) {
		l->state[i] = stat_modes_of(&modes, values.value[i]) != first;
		of_first += !l->state[i];
	}
	if (of_first >= LEAST_OF_ONE && l->n - of_first >= LEAST_OF_ONE)
		l->nstates = 2;
	else
		memset(l->state, 0, l->n * sizeof(*l->state));
	return 0;
}

/* How far two segments are apart, as Ashman's D. */
static double apart(const struct stat_segment *a, const struct stat_segment *b)
{
	double spread = sqrt(a->sd * a->sd + b->sd * b->sd), away = sqrt(2) * fabs(a->mean - b->mean);

	if (away == 0)
		return 0;
	return spread > 0 ? away / spread : INFINITY;
}

/* A state found earlier at the level of this segment, or a new one, or, where there is no room, the nearest. That of
 * the segment before is another: there was a change. */
static unsigned int state_of(struct stat_segment seen[STEADY_STATES], unsigned int *count,
			     const struct stat_segment *segment, unsigned int before)
{
	double nearest = *count < STEADY_STATES ? STAT_MODES_ASHMAN : INFINITY;
	unsigned int best = STEADY_STATES;

	for (unsigned int i = 0; i < *count; i++)
		if (i != before && (best == STEADY_STATES || apart(&seen[i], segment) < nearest) &&
		    apart(&seen[i], segment) <= nearest) {
			nearest = apart(&seen[i], segment);
			best = i;
		}
	if (best < STEADY_STATES)
		return best;
	seen[*count] = *segment;
	return (*count)++;
}

/* Neighbours put together so that there are CUTS_MAX at the most: *count of them. */
static void thin(double value[CUTS_MAX], unsigned int *count, const struct look *l)
{
	unsigned int step = (l->n + CUTS_MAX - 1) / CUTS_MAX;

	*count = 0;
	for (unsigned int i = 0; i < l->n; i += step) {
		unsigned int end = i + step < l->n ? i + step : l->n;
		double sum = 0;

		for (unsigned int j = i; j < end; j++)
			sum += l->series->value[j];
		value[(*count)++] = sum / (end - i);
	}
}

/* 1 where every segment is above the one before, -1 where below, of DRIFT_LEAST at least; else 0. */
static int drift_of(const struct stat_change *change)
{
	int up = 1, down = -1;

	for (unsigned int k = 1; k < change->count; k++) {
		if (change->segment[k].mean <= change->segment[k - 1].mean)
			up = 0;
		if (change->segment[k].mean >= change->segment[k - 1].mean)
			down = 0;
	}
	return change->count < DRIFT_LEAST ? 0 : up + down;
}

/* Each segment's state. Of a drift, each segment is one, or as many together as there is room for. */
static void segments_take(struct look *l, const struct stat_change *change, unsigned int step, bool drifts)
{
	struct stat_segment seen[STEADY_STATES];
	unsigned int before = STEADY_STATES, together = (change->count + STEADY_STATES - 1) / STEADY_STATES;

	l->nstates = 0;
	for (unsigned int k = 0; k < change->count; k++) {
		const struct stat_segment *segment = &change->segment[k];

		before = drifts ? k / together : state_of(seen, &l->nstates, segment, before);
		if (before >= l->nstates)
			l->nstates = before + 1;
		for (unsigned int i = segment->from * step; i < (segment->from + segment->count) * step && i < l->n;
		     i++)
			l->state[i] = before;
	}
}

/* The segments between changes, and spikes, where values were not put together. */
static void by_changes(struct look *l, const struct stat_change *change, const bool *spike, struct steady *steady)
{
	unsigned int step = (l->n + CUTS_MAX - 1) / CUTS_MAX;

	segments_take(l, change, step, steady->drift);
	for (unsigned int i = 0; step == 1 && i < l->n; i++) {
		l->apart[i] = spike[i];
		steady->spikes += spike[i];
	}
}

/* A drift is none of two modes, though its values may look like them; two modes are more than their changes. */
static int states_find(struct look *l, struct steady *steady)
{
	const struct stat_change_how how = {.alpha = l->n < SHORT ? 0 : ALPHA};
	struct stat_change *change = malloc(sizeof(*change));
	double value[CUTS_MAX];
	bool spike[CUTS_MAX];
	struct stat_sample values = {.value = value};
	int rc = change ? 0 : -ENOMEM;

	thin(value, &values.count, l);
	if (!rc)
		rc = stat_change_find(change, spike, &values, &how);
	if (!rc) {
		steady->p = change->p;
		steady->drift = drift_of(change);
	}
	if (!rc && !steady->drift)
		rc = by_modes(l);
	if (!rc && l->nstates == 1)
		by_changes(l, change, spike, steady);
	free(change);
	return rc;
}

static int middles_find(struct look *l)
{
	double *value = malloc(l->n * sizeof(*value));

	if (!value)
		return -ENOMEM;
	for (unsigned int state = 0; state < l->nstates; state++) {
		unsigned int n = 0;

		for (unsigned int i = 0; i < l->n; i++)
			if (l->state[i] == state && !l->apart[i])
				value[n++] = l->series->value[i];
		stat_sort(value, n);
		l->middle[state] = n ? stat_sorted_median(value, n) : 0;
	}
	free(value);
	return 0;
}

/* Which part of interval `i` was in state `to`, if it lies between `from` and `to`; 0 where it does not, or is the only
 * one of its visit. */
static double part_of(const struct look *l, unsigned int i, unsigned int from, unsigned int to)
{
	double part = (l->series->value[i] - l->middle[from]) / (l->middle[to] - l->middle[from]);
	bool more = (i > 0 && l->state[i - 1] == l->state[i]) || (i + 1 < l->n && l->state[i + 1] == l->state[i]);

	return more && !l->apart[i] && part > BETWEEN && part < 1 - BETWEEN ? part : 0;
}

/* When the run changed to the state of interval `i`, which began at `begin`. */
static double change_at(const struct look *l, unsigned int i, double begin)
{
	unsigned int from = l->state[i - 1], to = l->state[i];
	double in_this = part_of(l, i, from, to), in_last = part_of(l, i - 1, from, to);

	if (in_this > 0) {
		l->apart[i] = true;
		return begin + (1 - in_this) * l->series->length[i];
	}
	if (in_last > 0) {
		l->apart[i - 1] = true;
		return begin - in_last * l->series->length[i - 1];
	}
	return begin;
}

static void visit_add(struct steady *s, unsigned int state, double from, double to)
{
	s->state[state].time += to - from;
	s->state[state].visits++;
	if (s->nvisits < STEADY_VISITS)
		s->visit[s->nvisits++] = (struct steady_visit){state, from, to};
	else
		s->more_visits = true;
}

static void visits_find(struct steady *s, const struct look *l)
{
	double begin = 0, from = 0;

	for (unsigned int i = 0; i < l->n; i++) {
		if (i && l->state[i] != l->state[i - 1]) {
			double at = change_at(l, i, begin);

			visit_add(s, l->state[i - 1], from, at);
			from = at;
		}
		begin += l->series->length[i];
	}
	visit_add(s, l->state[l->n - 1], from, begin);
	s->time = begin;
}

static void levels_find(struct steady *s, const struct look *l)
{
	unsigned int count[STEADY_STATES] = {0};

	for (unsigned int i = 0; i < l->n; i++)
		if (!l->apart[i]) {
			s->state[l->state[i]].level += l->series->value[i];
			count[l->state[i]]++;
		}
	for (unsigned int state = 0; state < l->nstates; state++)
		s->state[state].level = count[state] ? s->state[state].level / count[state] : l->middle[state];
	s->nstates = l->nstates;
}

int steady_find(struct steady *steady, const struct series *series)
{
	struct stat_sample values = {series->value, series->count};
	struct look l;
	int rc = look_init(&l, series);

	*steady = (struct steady){.too_few = series->count < stat_change_least()};
	if (rc)
		return rc;
	steady->mean = series_mean(series);
	steady->sd = stat_sample_sd(&values);
	if (!steady->too_few)
		rc = states_find(&l, steady);
	if (!rc)
		rc = middles_find(&l);
	if (!rc) {
		visits_find(steady, &l);
		levels_find(steady, &l);
	}
	look_exit(&l);
	return rc;
}
