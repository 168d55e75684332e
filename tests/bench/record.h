/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - a run of the bench, kept as JSON */
#ifndef PORTICO_TESTS_BENCH_RECORD_H
#define PORTICO_TESTS_BENCH_RECORD_H

#include "figures.h"

struct record {
	const char *date; /* ISO 8601, UTC */
	const struct trial_plan *plan;
	const struct round *rounds;
	int n;
	const struct figure *figures;
	int nfigures;
	const char *core; /* what the bench of the core in process printed; "" where it did not run */
};

/* Writes the file, and the directory it is in. 0, or -errno with *err filled. */
int record_write(const struct record *r, const char *path, struct err *err);

#endif
