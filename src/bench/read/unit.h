/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit.h - what a number measures: rates in bits or packets, times; how it is written and read */
#ifndef PORTICO_BENCH_READ_UNIT_H
#define PORTICO_BENCH_READ_UNIT_H

#include <stdbool.h>

/* Values are kept in the base of their kind: bit/s, packet/s, ns. */
enum unit {
	UNIT_UNKNOWN, /* nobody said */
	UNIT_PLAIN,   /* a number without a unit, and said to be so */
	UNIT_BITS,
	UNIT_PACKETS,
	UNIT_TIME,
};

/* "Mbit/s", "Mbits/sec", "kpps", "ns" ...: the kind, and what to multiply a value by. 0; -EINVAL for another word. */
int unit_parse(const char *word, enum unit *unit, double *scale);

/* The words that unit_parse() takes, one of each kind and size, for messages. */
#define UNIT_WORDS "bit/s kbit/s Mbit/s Gbit/s packets/s kpps Mpps ns us ms s"

/* What the base of the kind is called: "bit/s"; "" without a unit. */
const char *unit_name(enum unit unit);

/* Of times, less is better. */
bool unit_less_is_better(enum unit unit);

#define UNIT_TEXT 32

/* "941.5 Mbit/s", "1.52 Mpackets/s", "350 ns": four digits, of times five, without a unit six. Returns `text`. */
const char *unit_print(char text[UNIT_TEXT], enum unit unit, double value);

/* The words in brackets of "goodput (Mbit/s)" or "goodput [Mbit/s]", as unit_parse(). Cuts them off `title`. 0, also
 * where there are none; -EINVAL where they are no unit: then `title` is left as it is. */
int unit_of_title(char *title, enum unit *unit, double *scale);

#endif
