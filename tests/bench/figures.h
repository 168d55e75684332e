/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.h - from trials to the figures that are asked for: one value for each round, median and spread, target */
#ifndef PORTICO_TESTS_BENCH_FIGURES_H
#define PORTICO_TESTS_BENCH_FIGURES_H

#include "figure.h"
#include "trial.h"

/* A trial of each kind of router, one after the other. */
struct round {
	struct trial trial[ROUTER_KINDS];
};

/* Fills `figures` (FIGURES_MAX of them) from `n` rounds; returns how many. Ratios are taken within a round. */
int figures_make(struct figure *figures, const struct round *rounds, int n);

#endif
