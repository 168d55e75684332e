/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spike.h - single values of a series that belong to no state of it
 *
 * A spike is above both its neighbours, or below both, by more than 5 times the spread of the series; the first and the
 * last value have the two next to them for neighbours. The spread is that of the differences between neighbours, by
 * their median, so that neither spikes nor changes of level widen it (von Neumann 1941; Rousseeuw and Croux 1993); it
 * is taken to be at least a thousandth of the middle value, below which rounding would make spikes. More than one
 * spike, and more than one in twenty, is a state that comes and goes: then there are none.
 */
#ifndef PORTICO_BENCH_STAT_SPIKE_H
#define PORTICO_BENCH_STAT_SPIKE_H

#include "sample.h"

/* Differences from neighbour to neighbour of more than this many times the spread are no noise. */
#define STAT_SPIKE_FAR 5

/* The spread; `room` is for as many values, which are at least two. */
double stat_spike_spread(const struct stat_sample *series, double *room);

/* Sets a flag for each value. 0 or -ENOMEM. */
int stat_spike_find(bool *spike, const struct stat_sample *series);

#endif
