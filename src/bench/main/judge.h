/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.h - from the runs of two variants to a finding
 *
 * One number for each run. Of logs, how they were run is only known where they say so: runs that were paired are
 * compared pair by pair, others as two groups. Of live trials, it is also known at how many looks they are judged, what
 * A against A seems to differ by, and how much more the load could do. Values are compared as ratios.
 */
#ifndef PORTICO_BENCH_MAIN_JUDGE_H
#define PORTICO_BENCH_MAIN_JUDGE_H

#include "bench/read/samples.h"
#include "ceiling.h"
#include "finding.h"
#include "plan.h"

struct judge_how {
	double delta;	  /* smallest effect of interest, 0.01 */
	double layout_sd; /* 0.025 */
	bool paired;	  /* the k-th run of A was beside the k-th of B */
	bool same_image;
	struct ceiling ceiling;
	unsigned int looks;	     /* planned, this one among them; 0: 1 */
	double headroom;	     /* of the load over the path; 0: not measured */
	const struct samples *again; /* pairs of A (variant 0) and A once more (1), for the floor; NULL: none */
};

/* Judges what each pair of the plan has in each cell where both have runs. `findings` has room for plan->npairs *
 * s->cells.count; *count are filled, grouped by cell, their p adjusted for their number (Holm). 0; -ENOMEM; -EINVAL:
 * runs that cannot be paired, or a run of 0, which has no ratio. *err filled. */
struct judge {
	const struct samples *samples;
	const struct plan *plan;
	struct judge_how how;
	struct finding *findings;
	unsigned int count;
};
int judge_all(struct judge *j, struct err *err);

#endif
