/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady.h - whether a run was one steady state, and if not, which states it was in, when, and how long
 *
 * States are the two modes of the values, where there are two (stat/modes.h), else the segments between changes
 * (stat/change.h), of which those at the same level are one state. Three segments or more, each above or each below
 * the one before, are a drift. Nothing is trimmed: seconds at nought are a state like any other. An interval in which
 * the run goes from one state to the next has some of both; it is the change, not a state, and says when in it the
 * change was. A single interval far from both its neighbours is a spike: it is reported, but is no state.
 */
#ifndef PORTICO_BENCH_MAIN_STEADY_H
#define PORTICO_BENCH_MAIN_STEADY_H

#include <stdbool.h>

#include "bench/read/samples.h"

#define STEADY_STATES 8
#define STEADY_VISITS 64

struct steady_state {
	double level;	     /* mean of its intervals */
	double time;	     /* s, in all */
	unsigned int visits; /* times it was entered */
};

/* A stretch of time in one state. */
struct steady_visit {
	unsigned int state;
	double from, to; /* s since the start of the series */
};

struct steady {
	int drift;	     /* 1: it rises throughout, -1: falls */
	bool too_few;	     /* intervals to tell states apart */
	unsigned int spikes; /* not counted for the level of their state */
	double mean, sd, time;
	unsigned int nstates, nvisits; /* one state: steady */
	struct steady_state state[STEADY_STATES];
	struct steady_visit visit[STEADY_VISITS];
	bool more_visits; /* than there is room for; states are right all the same */
	double p;	  /* of the strongest change, had there been none; 0: none was looked for */
};

/* 0, -ENOMEM, or another -errno of the statistics. The series has one interval at least. */
int steady_find(struct steady *steady, const struct series *series);

#endif
