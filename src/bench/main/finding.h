/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finding.h - what is found about one comparison: of variant B with variant A, in one cell
 *
 * Filled from logs (judge.h) or from live trials, and said in one sentence (sentence.h) and in JSON. What was not
 * measured stays 0 and is not said.
 */
#ifndef PORTICO_BENCH_MAIN_FINDING_H
#define PORTICO_BENCH_MAIN_FINDING_H

#include <jansson.h>
#include <stdbool.h>

#include "bench/read/unit.h"
#include "bench/stat/modes.h"
#include "bench/stat/verdict.h"

#define FINDING_HEADROOM 1.5 /* below, what was measured is mostly the load itself */

enum call {
	CALL_INCONCLUSIVE = STAT_INCONCLUSIVE,
	CALL_FASTER = STAT_FASTER,
	CALL_SLOWER = STAT_SLOWER,
	CALL_SAME = STAT_SAME,
	CALL_LINK_LIMITED, /* a side is at the ceiling: what was measured is the link */
};

/* One side. */
struct finding_side {
	const char *name;
	unsigned int runs;
	double median;
	unsigned int layouts;  /* builds; 0: not known, and taken for one */
	unsigned int censored; /* runs at the ceiling */
};

/* Intervals inside the runs of both sides that were at one of two levels. */
struct finding_split {
	struct stat_modes modes; /* .two: there are two, else nothing here means anything */
	struct stat_stay a[2], b[2];
	struct stat_split sum; /* difference of means: in the levels, and in their shares */
};

struct finding {
	struct finding_side a, b;
	const char *cell; /* "" where there is only one */
	enum unit unit;
	bool paired;
	enum call call;
	double effect;		   /* B/A - 1 */
	double p;		   /* of no effect, adjusted for the number of comparisons; 0: none */
	double delta;		   /* smallest effect of interest: 0.01 */
	struct stat_interval ci;   /* for FASTER and SLOWER */
	struct stat_interval same; /* for SAME: it lies inside +-delta */
	double level;		   /* that an interval has at this look, or would have: 0.95 */
	unsigned int pairs_needed; /* in all, to tell an effect of delta; 0: unknown (one value a side has no spread) */
	unsigned int pairs_least;  /* that have an interval at all */
	bool same_image;	   /* A and B are one build with different settings: layout is out of it */
	unsigned int layouts_needed; /* a side, for an effect of this size; 0: not asked, or no number is enough */
	double layout_sd;	     /* assumed: 0.025 */
	double floor;		     /* A/A: 0.004 */
	double headroom;	     /* of the load over what was measured: 2.3 */
	const char *ceiling;	     /* "the goodput of 1 GbE"; NULL: none is known */
	double ceiling_value;
	struct finding_split split;
};

/* Takes over what the statistics say: call, effect, intervals, p, pairs needed; and, with layout_sd set, the layouts
 * that an effect of this size needs. */
void finding_take(struct finding *f, const struct stat_verdict *v);

/* "FASTER" */
const char *finding_call(enum call call);

/* A new value, or NULL where memory ends. */
json_t *finding_json(const struct finding *f);

#endif
