/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit.c - what a number measures: rates in bits or packets, times; how it is written and read */
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct form {
	const char *word;
	enum unit unit;
	double scale;
};

/* "b" and "B" differ by eight, and nothing else by its case. */
static const struct form exact[] = {
	{"b/s", UNIT_BITS, 1},	     {"kb/s", UNIT_BITS, 1e3},	  {"Kb/s", UNIT_BITS, 1e3},
	{"Mb/s", UNIT_BITS, 1e6},    {"Gb/s", UNIT_BITS, 1e9},	  {"kB/s", UNIT_BITS, 8e3},
	{"KB/s", UNIT_BITS, 8e3},    {"MB/s", UNIT_BITS, 8e6},	  {"GB/s", UNIT_BITS, 8e9},
	{"bps", UNIT_BITS, 1},	     {"kbps", UNIT_BITS, 1e3},	  {"Kbps", UNIT_BITS, 1e3},
	{"Mbps", UNIT_BITS, 1e6},    {"Gbps", UNIT_BITS, 1e9},	  {"mbps", UNIT_BITS, 1e6},
	{"gbps", UNIT_BITS, 1e9},    {"pps", UNIT_PACKETS, 1},	  {"kpps", UNIT_PACKETS, 1e3},
	{"Kpps", UNIT_PACKETS, 1e3}, {"Mpps", UNIT_PACKETS, 1e6}, {"mpps", UNIT_PACKETS, 1e6},
	{"ns", UNIT_TIME, 1},	     {"us", UNIT_TIME, 1e3},	  {"ms", UNIT_TIME, 1e6},
	{"s", UNIT_TIME, 1e9},
};

static const struct form long_forms[] = {
	{"bits_per_second", UNIT_BITS, 1}, {"bit/s", UNIT_BITS, 1},	     {"bits/s", UNIT_BITS, 1},
	{"bit/sec", UNIT_BITS, 1},	   {"bits/sec", UNIT_BITS, 1},	     {"byte/s", UNIT_BITS, 8},
	{"bytes/s", UNIT_BITS, 8},	   {"bytes/sec", UNIT_BITS, 8},	     {"packet/s", UNIT_PACKETS, 1},
	{"packets/s", UNIT_PACKETS, 1},	   {"packets/sec", UNIT_PACKETS, 1}, {"packets_per_second", UNIT_PACKETS, 1},
	{"ns/packet", UNIT_TIME, 1},	   {"us/packet", UNIT_TIME, 1e3},
};

static const struct {
	char letter;
	double scale;
} prefixes[] = {{'k', 1e3}, {'m', 1e6}, {'g', 1e9}};

/* A long form, alone or behind k, M or G of any case. */
static const struct form *long_form(const char *word, double *scale)
{
	const size_t nprefixes = sizeof(prefixes) / sizeof(*prefixes);

	for (size_t i = 0; i < sizeof(long_forms) / sizeof(*long_forms); i++) {
		const struct form *f = &long_forms[i];

		*scale = f->scale;
		if (!strcasecmp(word, f->word))
			return f;
		for (size_t j = 0; f->unit != UNIT_TIME && *word && j < nprefixes; j++) {
			*scale = f->scale * prefixes[j].scale;
			if ((*word | 0x20) == prefixes[j].letter && !strcasecmp(word + 1, f->word))
				return f;
		}
	}
	return NULL;
}

int unit_parse(const char *word, enum unit *unit, double *scale)
{
	const struct form *f = NULL;
	double times = 1;

	for (size_t i = 0; !f && i < sizeof(exact) / sizeof(*exact); i++)
		if (!strcmp(word, exact[i].word)) {
			f = &exact[i];
			times = f->scale;
		}
	if (!f)
		f = long_form(word, &times);
	if (!f)
		return -EINVAL;
	*unit = f->unit;
	*scale = times;
	return 0;
}

const char *unit_name(enum unit unit)
{
	static const char *const names[] = {
		[UNIT_BITS] = "bit/s",
		[UNIT_PACKETS] = "packets/s",
		[UNIT_TIME] = "ns",
	};

	return unit >= UNIT_BITS ? names[unit] : "";
}

bool unit_less_is_better(enum unit unit)
{
	return unit == UNIT_TIME;
}

const char *unit_print(char text[UNIT_TEXT], enum unit unit, double value)
{
	static const char *const rate[] = {"", "k", "M", "G"}, *const time[] = {"ns", "us", "ms", "s"};
	unsigned int step = 0;

	if (unit >= UNIT_BITS)
		while (step < 3 && fabs(value) >= (unit == UNIT_TIME ? 10000 : 1000)) {
			value /= 1000;
			step++;
		}
	if (unit == UNIT_TIME)
		snprintf(text, UNIT_TEXT, "%.5g %s", value, time[step]);
	else if (unit >= UNIT_BITS)
		snprintf(text, UNIT_TEXT, "%.4g %s%s", value, rate[step], unit_name(unit));
	else
		snprintf(text, UNIT_TEXT, "%.6g", value);
	return text;
}

int unit_of_title(char *title, enum unit *unit, double *scale)
{
	char *open = strpbrk(title, "(["), word[24];
	size_t length;

	if (!open)
		return 0;
	length = strcspn(open + 1, ")]");
	if (length >= sizeof(word))
		return -EINVAL;
	memcpy(word, open + 1, length);
	word[length] = 0;
	if (unit_parse(word, unit, scale))
		return -EINVAL;
	while (open > title && open[-1] == ' ')
		open--;
	*open = 0;
	return 0;
}
