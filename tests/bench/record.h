/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - a run of a bench, kept as JSON */
#ifndef PORTICO_TESTS_BENCH_RECORD_H
#define PORTICO_TESTS_BENCH_RECORD_H

#include <jansson.h>

#include "figure.h"
#include "lib/err.h"

struct record {
	const char *bench;
	const char *date; /* ISO 8601, UTC */
	const struct figure *figures;
	int nfigures;
	json_t *rest; /* an object with what only this bench has: plan, rounds, ... */
};

/* An array of the `n` values; the caller's to give away. */
json_t *record_numbers(const double *values, int n);

/* Writes the file, and the directory it is in. 0, or -errno with *err filled. */
int record_write(const struct record *r, const char *path, struct err *err);

#endif
