/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - who is compared with whom
 *
 * Chosen on the command line, or from the names:
 *
 *      a history        each variant with the one before it, and the last with the first
 *      names in words   "arm64" and "arm64 PARAVIRT=n" differ by one word: the second is compared with the first
 *      two variants     the second with the first
 *      other names      each with the first
 *
 * Where four variants are a base, two that add a word each, and one that adds both, that is a square: does one change
 * the effect of the other?
 */
#ifndef PORTICO_BENCH_MAIN_PLAN_H
#define PORTICO_BENCH_MAIN_PLAN_H

#include "bench/read/samples.h"

#define PLAN_PAIRS 256
#define PLAN_SQUARES 64

struct pair {
	unsigned int a, b; /* index of variants: the base, and what is compared with it */
};

struct square {
	unsigned int base, one, other, both;
};

struct plan {
	struct pair pair[PLAN_PAIRS];
	unsigned int npairs;
	struct square square[PLAN_SQUARES];
	unsigned int nsquares;
};

/* `a` and `b` are names of variants, or NULL. 0; -EINVAL with *err filled: an unknown name, fewer than two variants,
 * more comparisons than PLAN_PAIRS. */
int plan_make(struct plan *plan, const struct samples *s, const char *a, const char *b, struct err *err);

/* Whether the words of `more` are those of `less` and one other, which is copied to `word` (SAMPLES_NAME). */
bool plan_adds(const char *less, const char *more, char word[SAMPLES_NAME]);

#endif
