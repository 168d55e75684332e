/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figure.h - a figure of a bench: median and extremes over the rounds, beside its target */
#ifndef PORTICO_TESTS_BENCH_FIGURE_H
#define PORTICO_TESTS_BENCH_FIGURE_H

#include <stdbool.h>

#define ROUNDS_MAX 99
#define FIGURES_MAX 32

struct figure {
	const char *title, *unit;
	int digits; /* behind the point */
	char sense; /* '>' at least the target, '<' at most, '=' that in every round, ' ' for orientation */
	double target;
	int n;
	double value[ROUNDS_MAX]; /* one for each round */
	double median, low, high;
};

/* Fills median, low and high from the values of the `n` rounds. */
void figure_summarise(struct figure *f);
bool figure_met(const struct figure *f);
void figures_print(const struct figure *figures, int n);

#endif
