/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.h - from trials to the figures that are asked for: one value for each round, median and spread, target */
#ifndef PORTICO_TESTS_BENCH_FIGURES_H
#define PORTICO_TESTS_BENCH_FIGURES_H

#include <stdbool.h>

#include "trial.h"

#define ROUNDS_MAX 99
#define FIGURES_MAX 32

/* A trial of each kind of router, one after the other. */
struct round {
	struct trial trial[ROUTER_KINDS];
};

struct figure {
	const char *title, *unit;
	int digits; /* behind the point */
	char sense; /* '>' at least the target, '<' at most, ' ' for orientation */
	double target;
	int n;
	double value[ROUNDS_MAX]; /* one for each round */
	double median, low, high;
};

/* Fills `figures` (FIGURES_MAX of them) from `n` rounds; returns how many. Ratios are taken within a round. */
int figures_make(struct figure *figures, const struct round *rounds, int n);
bool figure_met(const struct figure *f);
void figures_print(const struct figure *figures, int n);

#endif
