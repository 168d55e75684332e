/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.h - files of measurements, whatever wrote them, as samples
 *
 * Known by their content, not by their name:
 *
 *      iperf3 -J       one run a document; several documents may follow each other
 *      iperf3, iperf   the text they print; several runs may follow each other
 *      series files    JSON with "values", "variants", "cells" or "runs" (see series_json.c)
 *      tables          comma, semicolon or tab between columns that the first line names (see table.c)
 *      numbers         separated by blanks or lines, each with or without its unit
 *
 * A file either is understood whole or refused, with the line or the field that is wrong.
 */
#ifndef PORTICO_BENCH_READ_READ_H
#define PORTICO_BENCH_READ_READ_H

#include "samples.h"

struct read_how {
	enum unit unit;	 /* of numbers that say none; UNIT_UNKNOWN: they have none */
	double scale;	 /* of that */
	bool as_series;	 /* bare numbers are intervals of one run; else each is a run of its own */
	double interval; /* length of those, s */
};

/* Adds what is in a file ("-": standard input) to samples that are empty. Samples of a file that names no variants are
 * all of variant "". 0, or -errno with *err filled. */
int read_file(struct samples *s, const char *path, const struct read_how *how, struct err *err);

#endif
