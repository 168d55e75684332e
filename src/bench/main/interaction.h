/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interaction.h - whether one change has another effect beside a second one
 *
 * Four corners: neither, the one, the other, both. The interaction is the effect of the one beside the other, over its
 * effect alone: (both / other) / (one / neither), 1 where there is none. It is found in squares of variants (plan.h:
 * "x", "x A", "x B", "x A B") and where a change was measured with something off and on ("gro off", "gro on").
 */
#ifndef PORTICO_BENCH_MAIN_INTERACTION_H
#define PORTICO_BENCH_MAIN_INTERACTION_H

#include <jansson.h>

#include "judge.h"

#define INTERACTIONS_MAX 64
#define INTERACTION_TEXT 768

struct interaction {
	char one[SAMPLES_NAME], other[SAMPLES_NAME], cell[SAMPLES_NAME]; /* words */
	double alone, beside; /* effect of the one without and with the other: 0.03 */
	double size;	      /* of the interaction: 0.03 */
	struct stat_interval ci;
	bool censored;	   /* a corner is at the ceiling: nothing can be said */
	unsigned int runs; /* in all corners */
};

struct interactions {
	struct interaction found[INTERACTIONS_MAX];
	unsigned int count;
};

/* 0 or -ENOMEM. */
int interactions_find(struct interactions *all, const struct judge *j);

const char *interaction_write(char text[INTERACTION_TEXT], const struct interaction *i);
json_t *interaction_json(const struct interaction *i);

#endif
