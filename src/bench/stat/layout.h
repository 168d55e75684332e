/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.h - a build is one layout of its code in memory, and that alone changes its speed
 *
 *      y = mu(variant) + lambda(layout) + e(run)       Var(difference) = 2 (s_L^2 / L + s_R^2 / (L R)),  df = 2 (L - 1)
 *
 * Runs of one build say nothing about s_L, however many there are. So the mean of a layout is the unit of evidence: a
 * t interval of the difference of means over layouts (with L_a + L_b - 2 degrees of freedom where sides differ).
 * Mytkowicz, Diwan, Hauswirth, Sweeney, ASPLOS 2009; Kalibera and Jones, ISMM 2013.
 */
#ifndef PORTICO_BENCH_STAT_LAYOUT_H
#define PORTICO_BENCH_STAT_LAYOUT_H

#include "sample.h"

/* One side: a sample of runs for each of its layouts. */
struct stat_layouts {
	const struct stat_sample *layout;
	unsigned int count;
};

struct stat_nested {
	double difference;	 /* mean over layouts of b - that of a, in the unit of the values (ln for ratios) */
	struct stat_interval ci; /* level 0 where there is one layout a side: there is none */
	double p;		 /* of no difference; 1 where there is no interval */
	double df;
	double sd_layout; /* s_L, pooled, by the method of moments; 0 where the runs explain all of it */
	double sd_run;	  /* s_R, pooled; 0 where each layout was run once */
};

/* 0 or -EINVAL: a side has no layouts, or a layout no runs. */
int stat_layout_compare(struct stat_nested *nested, const struct stat_layouts *a, const struct stat_layouts *b,
			double alpha);

/* Half the width of the interval, in s_L, of L layouts a side: 4: 1.73, 6: 1.29, 8: 1.07, 16: 0.72. Infinite for 1. */
double stat_layout_half(unsigned int layouts, double alpha);

/* Layouts a side that an effect (in the unit of sd_layout; the sign does not matter) needs to be told from layout
 * alone: the interval's half-width and a tenth more, for the noise of the runs in each, is below it. 0.025 and
 * ln(805/775): 6. 0: more than 1000. */
unsigned int stat_layout_needed(double effect, double sd_layout, double alpha);

#endif
