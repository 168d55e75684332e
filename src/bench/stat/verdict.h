/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict.h - FASTER, SLOWER, SAME or INCONCLUSIVE: is B better than A?
 *
 *      d_k = ln(b_k / a_k) of pairs; theta, [L, U] by Hodges-Lehmann (wilcoxon.h), alpha of each look (looks.h)
 *
 *      L > 0, |theta| above the A/A floor       FASTER
 *      U < 0, |theta| above the A/A floor       SLOWER
 *      90 % interval inside +-ln(1 + delta)     SAME (tost.h)
 *      else                                     INCONCLUSIVE, with the pairs that it takes (power.h)
 *
 * Where less is better (nanoseconds, loss), FASTER and SLOWER change places; effects and intervals stay those of B/A.
 * So few values that an interval does not exist (6 pairs for 95 %) are INCONCLUSIVE.
 * SAME at several looks is done at Pocock's alpha of 0.10 in all.
 */
#ifndef PORTICO_BENCH_STAT_VERDICT_H
#define PORTICO_BENCH_STAT_VERDICT_H

#include "sample.h"

enum stat_call {
	STAT_INCONCLUSIVE,
	STAT_FASTER,
	STAT_SLOWER,
	STAT_SAME,
};

/* All 0 is a question, too: 5 %, 1 %, no floor, one look, more is better, power 0.9. */
struct stat_how {
	double alpha;	    /* of all looks together: 0.01, 0.05 or 0.10; 0: 0.05 */
	double delta;	    /* smallest effect of interest; 0: 0.01 */
	double floor;	    /* what A against A seems to differ by (stat_verdict_floor); 0: none was measured */
	double power;	    /* 0: STAT_POWER */
	unsigned int looks; /* planned, this one among them; 0: 1 */
	bool less_is_better;
};

struct stat_verdict {
	enum stat_call call;
	bool paired;
	bool exact;		   /* the interval is, not a normal approximation */
	bool below_floor;	   /* the interval leaves 0 out, but A/A pairs differed as much */
	bool small;		   /* FASTER or SLOWER, but by less than delta at that */
	double effect;		   /* B/A - 1 */
	struct stat_interval ci;   /* of the effect, at 1 - alpha of this look; level 0: too few values */
	struct stat_interval same; /* of the effect, that SAME is judged by; level 0: too few values */
	double p;		   /* of no effect; above alpha where there is no interval */
	double sd;		   /* of d; unpaired: sqrt(s_a^2 + s_b^2) of ln. 0: fewer than two values a side */
	unsigned int na, nb;	   /* values; paired: na = nb = pairs */
	unsigned int least;	   /* pairs, or values a side, that have an interval at all, at this alpha */
	unsigned int needed;	   /* pairs, or values a side, in all, to find an effect of delta; 0: sd is 0 */
	unsigned int further; /* needed (or least) beyond those there are (unpaired: in the smaller side); may be 0 */
};

/* a->value[k] and b->value[k] are a pair. 0; -EINVAL: no pairs, sides of different length, a value not above 0, a `how`
 * that makes no sense; -ENOMEM. */
int stat_verdict_paired(struct stat_verdict *v, const struct stat_sample *a, const struct stat_sample *b,
			const struct stat_how *how);

/* The same for values that were not paired: rank sum instead of signed rank. Whatever drifted between the runs counts
 * as the change. Sides may differ in number. */
int stat_verdict_unpaired(struct stat_verdict *v, const struct stat_sample *a, const struct stat_sample *b,
			  const struct stat_how *how);

/* Several metrics of one trial: adjusts p by Holm, and calls FASTER or SLOWER what is so at the adjusted p; else SAME
 * or INCONCLUSIVE. Intervals stay as they are, each for itself. `how` is an array as well. 0; -EINVAL; -ENOMEM. */
int stat_verdict_holm(struct stat_verdict *v, const struct stat_how *how, unsigned int count);

/* The A/A floor: by how much pairs of the same variant seem to differ, |e^theta - 1| (Hodges-Lehmann). Pairs as
 * above. */
int stat_verdict_floor(double *floor_of, const struct stat_sample *a, const struct stat_sample *b);

#endif
