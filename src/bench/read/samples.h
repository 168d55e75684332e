/* SPDX-License-Identifier: GPL-2.0-or-later */
/* samples.h - what was measured: one number for each run, by variant and by cell
 *
 * A *sample* is one run of one *variant* (a build, a kernel, a setting), and has one number. What is measured under
 * other circumstances (the other direction, another offload, another column of a table) stands in another *cell*;
 * variants are compared inside a cell only. The intervals inside a run are kept beside its number as a *series*: they
 * say whether the run was one steady state, and are never samples themselves.
 *
 *      samples_init -> samples_add ... -> read by index -> samples_exit
 *
 * All values are in the base of their cell's unit (unit.h). Finite and not below zero: the readers see to it.
 */
#ifndef PORTICO_BENCH_READ_SAMPLES_H
#define PORTICO_BENCH_READ_SAMPLES_H

#include <stdbool.h>

#include "lib/err.h"
#include "unit.h"

#define SAMPLES_NAME 96 /* of variants and cells, with the NUL */
#define SAMPLES_MAX 1000000

/* Intervals inside a run, all of about the same length, without those that were set aside. */
struct series {
	double *value;
	double *length; /* of each, s */
	unsigned int count, room;
	double interval;      /* the usual length: the median, s */
	unsigned int omitted; /* left out at the start, as iperf3 -O asks */
	double partial;	      /* length of a shorter last one that was set aside, s; 0: none */
	double partial_value; /* of that one */
};

struct sample {
	unsigned int variant, cell; /* index in names */
	double value;
	unsigned int pair;   /* samples of both variants with the same number were run side by side; 0: not known */
	unsigned int layout; /* which build of its variant, from 1; 0: not known */
	double began;	     /* s, of any clock; NAN: not known */
	unsigned int place;  /* index of the file on the command line */
	bool of_sender;	     /* the receiver's figure was not there */
	bool of_intervals;   /* the mean of the intervals: the file has no sum */
	struct series series;
};

struct label {
	char text[SAMPLES_NAME];
	enum unit unit; /* of a cell */
};

struct names {
	struct label *label;
	unsigned int count;
};

/* What the place of a sample in its file says about the time it was taken. */
enum samples_order {
	SAMPLES_UNKNOWN, /* nothing */
	SAMPLES_GROUPED, /* all runs of a variant stand together */
	SAMPLES_ORDERED, /* runs stand in the order they were run */
	SAMPLES_HISTORY, /* variants stand in the order they were made: each is a change of the one before */
};

struct samples {
	struct sample *sample;
	unsigned int count, room;
	struct names variants, cells;
	enum samples_order order;
	double image_bytes[2]; /* of the first two variants; 0: not known */
};

void samples_init(struct samples *s);
void samples_exit(struct samples *s);

/* The index of a name, which is added where it is new (cut at SAMPLES_NAME). -ENOMEM. */
int names_get(struct names *names, const char *name);
/* The index of a name, or -1. */
int names_find(const struct names *names, const char *name);

/* Appends a sample, all zero but for its variant, cell and a `began` that is not known. NULL where memory ends. */
struct sample *samples_add(struct samples *s, const char *variant, const char *cell);

/* Says what unit the values of a cell are in. 0; -EINVAL with *err filled where earlier ones are of another kind. */
int samples_unit(struct samples *s, unsigned int cell, enum unit unit, const char *where, struct err *err);

/* Moves the samples of one variant of `from`, or, where `variant` is below 0, of all, to the end of `s`, where the
 * variant is called `as` (NULL: as before). 0; -ENOMEM or, units being mixed, -EINVAL, with *err filled. */
struct samples_move {
	int variant;
	const char *as;
	const char *where; /* heads messages */
};
int samples_take(struct samples *s, struct samples *from, const struct samples_move *move, struct err *err);

/* series.c: adds an interval, `length` in s, above 0. 0 or -ENOMEM. */
int series_add(struct series *s, double value, double length);
/* The last one has come: it is set aside where it is shorter than nine tenths of the usual. */
void series_close(struct series *s);
/* The last one has come, where intervals are of as many packets each, and not of as much time: none is set aside. */
void series_end(struct series *s);
/* Over time: each value counts as long as it lasted. Of one interval at least. */
double series_mean(const struct series *s);
void series_free(struct series *s);

#endif
