/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.h - everything that was measured, in one SQLite file
 *
 * A *comparison* is of two variants of a lab; it has *trials*, in pairs of A and B or, for the floor, of A and A. A
 * trial has *values*, one for each metric and direction, and what it printed or counted, raw. A pair is stored as a
 * whole or not at all, a comparison is there from its first pair on, and stays as it is when the program is killed.
 *
 *      comparison  id, began, lab, lab_text, a, b, plan (JSON), fingerprint_a, fingerprint_b (JSON), headroom, ended
 *      trial       comparison, pair, floor (0: A against B, 1: A against A), second (it was run after the other one),
 *                  side ('a' or 'b'), began, took, measured
 *      value       trial, place (in what order they were given), metric, way, unit, value
 *      series      trial, metric, way, interval, intervals (JSON): inside the run
 *      raw         trial, text
 *
 * Values are in the base of their unit (bench/read/unit.h). The file's user_version is STORE_LAYOUT.
 */
#ifndef PORTICO_BENCH_STORE_STORE_H
#define PORTICO_BENCH_STORE_STORE_H

#include <jansson.h>
#include <stdbool.h>

#include "bench/read/samples.h"
#include "lib/err.h"

#define STORE_LAYOUT 1
#define STORE_FILE "portico-bench.db" /* in the current directory, where nothing else is said */
#define STORE_TIME 24		      /* "2026-01-31T12:00:00Z" */

struct store;

/* Opens, with `make` creating it where it is not there. NULL with *err filled: no such file, no SQLite file, one of
 * another program, another layout, no right to write. */
struct store *store_open(const char *path, bool make, struct err *err);
void store_close(struct store *s);

/* A comparison. Texts are the store's: until store_comparison_free(). */
struct store_comparison {
	long long id;
	char began[STORE_TIME], ended[STORE_TIME]; /* UTC; ended "": it goes on, or was interrupted */
	char *lab_name, *lab;			   /* lab_text() */
	char *a, *b;				   /* names of the variants */
	json_t *plan;				   /* trial/design.h */
	json_t *fingerprint_a, *fingerprint_b;	   /* path_fingerprint(); NULL: not known */
	double headroom;			   /* of the load over the path; 0: not measured */
	unsigned int pairs, floor_pairs;	   /* that are stored */
	double took;				   /* all their trials, s */
};

/* Now, as UTC. */
void store_now(char text[STORE_TIME]);

/* Adds one (id, pairs, floor_pairs and took are not looked at; `began` is now where it is "") and gives it its id. 0 or
 * -errno with *err filled. */
int store_comparison_add(struct store *s, struct store_comparison *c, struct err *err);
/* Writes its plan anew: c->plan. */
int store_comparison_plan(struct store *s, const struct store_comparison *c, struct err *err);
/* Writes `ended` as now. */
int store_comparison_end(struct store *s, long long id, struct err *err);
/* By its id, or, with 0, the last one. 0; -ENOENT with those there are in *err. */
int store_comparison_get(struct store *s, long long id, struct store_comparison *c, struct err *err);
void store_comparison_free(struct store_comparison *c);

/* All, oldest first: calls `visit` for each (which must not free). Stops at its first non-zero and returns that. */
typedef int store_visit(void *arg, const struct store_comparison *c);
int store_comparisons(struct store *s, store_visit *visit, void *arg, struct err *err);

struct store_value {
	char metric[32]; /* "rate", "p99" */
	char way[8];	 /* "out", "in", "" */
	enum unit unit;
	double value;
};

#define STORE_VALUES 32

/* "in rate", or "rate" without a way: how a value is called. Returns `text`. */
const char *store_value_name(char text[SAMPLES_NAME], const struct store_value *v);

/* One trial. */
struct store_trial {
	char began[STORE_TIME];
	double took;	 /* s, all of it: building, filling, measuring, tearing down */
	double measured; /* s of it that were measured */
	struct store_value value[STORE_VALUES];
	unsigned int nvalues;
	struct series series; /* of the first value; count 0: none */
	char *raw;	      /* what it counted or printed; NULL: nothing */
};

struct store_pair {
	unsigned int number;		    /* from 1; A/B pairs and A/A pairs each count for themselves */
	bool floor;			    /* both are A */
	bool b_first;			    /* the second of `trial` was run first */
	const struct store_trial *trial[2]; /* A and B, or A and A */
};

/* Both trials must have the same metrics, all finite, each once. 0; -errno with *err filled, and nothing of the pair is
 * stored: -ERANGE, -EINVAL, -EEXIST (this pair is there), or what SQLite says. */
int store_pair_add(struct store *s, long long comparison, const struct store_pair *pair, struct err *err);

/* Fills samples (samples_init() before) with all A/B pairs, or all A/A pairs, of a comparison, in the order they were
 * run. Variants are called as in the comparison (of A/A pairs: "A" and "A again"); A is variant 0 and B is 1, also
 * where there are no pairs. Cells are called as by store_value_name(), `pair` is the pair's number, `began` the time in
 * s. 0 or -errno with *err filled. */
int store_samples(struct store *s, const struct store_comparison *c, bool floor, struct samples *samples,
		  struct err *err);

/* Intervals inside a run as a JSON object, a new reference (NULL where memory ends or one is not finite), and back,
 * into an empty series: 0; -EINVAL: it is none; -ENOMEM. */
json_t *store_series_json(const struct series *series);
int store_series_read(struct series *series, json_t *json);

/* A comparison itself as JSON, a new reference; NULL where memory ends. Keys are the names of the fields
 * above, but "lab" for its name and "lab_text" for all of it. */
json_t *store_comparison_json(const struct store_comparison *c);

/* Everything of a comparison as JSON (raw values included), a new reference; NULL with *err filled. */
json_t *store_export(struct store *s, long long id, struct err *err);
/* The same as a table that `portico-bench verdict` reads: a line for each trial of A/B pairs, to stdout. */
int store_export_table(struct store *s, long long id, struct err *err);

#endif
