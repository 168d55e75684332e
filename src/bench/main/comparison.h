/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comparison.h - a comparison of two variants of a lab, from the first probe to the verdict
 *
 *      comparison_begin, comparison_resume    the lab is read, or taken from the store
 *      comparison_check    both variants are built and tried once: what they are on, whether the load has headroom;
 *                          these trials warm up and do not count
 *      comparison_go       pair by pair into the store, until the design is done, nothing is left open, or Ctrl-C
 *      comparison_exit
 */
#ifndef PORTICO_BENCH_MAIN_COMPARISON_H
#define PORTICO_BENCH_MAIN_COMPARISON_H

#include "bench/lab/lab.h"
#include "bench/store/store.h"
#include "bench/trial/design.h"
#include "progress.h"

struct comparison {
	struct lab lab;
	const struct lab_variant *a, *b;
	struct design design;
	double limit; /* s, of everything; 0: none */
	struct store *store;
	struct store_comparison record; /* id 0: not in the store yet */
	struct progress progress;
};

/* What was asked for on the command line. Numbers that are 0 are defaults. */
struct comparison_ask {
	const char *lab, *a, *b;
	const char *const *set; /* lines of [load] */
	unsigned int nset;
	struct design design;
	double limit;
	const char *store;
};

/* 0 or -errno with *err filled; then nothing is left to exit. */
int comparison_begin(struct comparison *c, const struct comparison_ask *ask, struct err *err);
/* One that was interrupted; id 0: the last. */
int comparison_resume(struct comparison *c, const char *store, long long id, struct err *err);
void comparison_exit(struct comparison *c);

/* 0; -EINTR after Ctrl-C; or -errno. A resumed one must find what it was begun on. */
int comparison_check(struct comparison *c, struct err *err);

/* 0; -EINTR: stopped by a signal; or -errno of a trial. Pairs that are done are in the store whatever it returns. */
int comparison_go(struct comparison *c, struct err *err);

#endif
