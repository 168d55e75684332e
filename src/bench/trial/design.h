/* SPDX-License-Identifier: GPL-2.0-or-later */
/* design.h - which trials a comparison is made of, decided before the first one
 *
 *      A B   B A   A B   A B   A A   B A ...
 *
 * Pairs of A and B, in random order inside each, so that whatever drifts meets both; behind every few of them a pair of
 * A and A, whose difference is the floor of what can be believed. At planned numbers of pairs the result is looked at,
 * and the comparison ends where nothing is left open (stat/looks.h). Or, with a precision asked for, as many pairs are
 * run as the spread of the first ones says it takes (Stein, Annals of Mathematical Statistics 16, 1945), and the result
 * is looked at once.
 *
 * Everything follows from the seed and the number of a pair: an interrupted comparison goes on where it was.
 */
#ifndef PORTICO_BENCH_TRIAL_DESIGN_H
#define PORTICO_BENCH_TRIAL_DESIGN_H

#include <jansson.h>
#include <stdbool.h>

#define DESIGN_PAIRS 20
#define DESIGN_LOOKS 4
#define DESIGN_EVERY 4
#define DESIGN_FIRST 8	     /* pairs whose spread says how many it takes for a precision */
#define DESIGN_PAIRS_MAX 400 /* with exact intervals (stat/wilcoxon.h) */

struct design {
	unsigned int pairs; /* at most */
	unsigned int looks;
	unsigned int every; /* so many pairs of A and B come before each of A and A; 0: none of those */
	unsigned int seed;
	double delta;	  /* smallest effect of interest: 0.01 */
	double precision; /* half-width of the interval that is wanted, of the effect: 0.005; 0: none is */
	double link;	  /* bit/s; 0: not known */
	bool same_image;  /* both variants are the same programs */
};

/* What is run next, where so many pairs of A and B and of A and A are done. */
struct step {
	bool floor;	     /* A and A */
	unsigned int number; /* of its kind, from 1 */
	bool b_first;	     /* the second of the pair is run first */
};

/* False where all are done. */
bool design_step(const struct design *d, unsigned int pairs, unsigned int floors, struct step *step);

/* Pairs of either kind that are still to come. */
unsigned int design_left(const struct design *d, unsigned int pairs, unsigned int floors);

/* Whether there is a look behind so many pairs: which one, from 1; 0: none. */
unsigned int design_look(const struct design *d, unsigned int pairs);

/* Pairs that it takes for the precision, when DESIGN_FIRST pairs or more have given an interval of this half-width; at
 * least those there are, at most DESIGN_PAIRS_MAX. */
unsigned int design_pairs_for(const struct design *d, unsigned int pairs, double half_width);

/* As the store keeps it; the second is -EINVAL where it is none. */
json_t *design_json(const struct design *d);
int design_read(struct design *d, json_t *json);

#endif
