/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ceiling.h - the most that can be measured at all: what a link carries, or a cap that somebody set
 *
 * A full Ethernet frame is 1538 bytes on the wire (1500, header and checksum 18, preamble and gap 20) and carries 1448
 * bytes of TCP with timestamps: 1 GbE has a goodput of 941.5 Mbit/s. A value at 98 % of that or above is *censored*: it
 * says what the link does, and of what was measured only that it is no slower.
 */
#ifndef PORTICO_BENCH_MAIN_CEILING_H
#define PORTICO_BENCH_MAIN_CEILING_H

#include <stdbool.h>

#include "bench/read/samples.h"

#define CEILING_AT 0.98
#define CEILING_TEXT 64

struct ceiling {
	double goodput;		 /* bit/s; 0: none is known */
	bool assumed;		 /* nobody gave it: the highest value looks like it */
	char text[CEILING_TEXT]; /* "the goodput of 1 GbE", "the cap given" */
};

/* What was said on the command line: bit/s, 0: nothing. */
struct ceiling_given {
	double link, cap;
	bool none; /* nothing is to be assumed */
};

/* The ceiling of samples. 0; -EINVAL with *err filled where a value is above what the link carries. */
int ceiling_find(struct ceiling *ceiling, const struct samples *s, const struct ceiling_given *given, struct err *err);

/* Whether a value in `unit` is at the ceiling. */
bool ceiling_at(const struct ceiling *ceiling, enum unit unit, double value);

#endif
