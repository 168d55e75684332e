/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - how far a comparison is: one line on the terminal, and nothing where there is none */
#ifndef PORTICO_BENCH_MAIN_PROGRESS_H
#define PORTICO_BENCH_MAIN_PROGRESS_H

#include <stdbool.h>

#include "abi/types.h"

struct progress {
	bool shown;    /* there is a line now */
	double pair;   /* s that a pair takes; 0: not known yet */
	double inside; /* s spent in trials */
	u64 began;     /* CLOCK_MONOTONIC, ns */
};

void progress_begin(struct progress *p);
/* A trial of so many seconds has ended. */
void progress_trial(struct progress *p, double took);
/* "pair 7 of 20, about 1 min 20 s left": on stderr, over the line before. */
void progress_show(struct progress *p, const char *what, unsigned int left);
/* Takes the line away. */
void progress_clear(struct progress *p);

/* "1 min 20 s". Returns `text`. */
#define PROGRESS_TEXT 32
const char *progress_seconds(char text[PROGRESS_TEXT], double seconds);

#endif
