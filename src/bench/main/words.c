/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.c - the bench's own kinds of values of options */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

int words_files(const struct opt *o, void *field, const char *value, struct err *err)
{
	struct words_files *files = field;

	if (!*value)
		return err_set(err, -EINVAL, "--%s is empty: give %s", o->name, o->arg);
	if (files->count == WORDS_FILES_MAX)
		return err_set(err, -EINVAL, "too many --%s: at most %d", o->name, WORDS_FILES_MAX);
	files->path[files->count++] = value;
	return 0;
}

int words_unit(const struct opt *o, void *field, const char *value, struct err *err)
{
	struct words_unit *u = field;

	if (unit_parse(value, &u->unit, &u->scale))
		return err_set(err, -EINVAL, "bad --%s '%s': known are " UNIT_WORDS, o->name, value);
	return 0;
}

/* A finite number above zero. Returns what is behind it, or NULL. */
static const char *above_zero(const char *value, double *number)
{
	char *end;

	*number = strtod(value, &end);
	return end > value && isfinite(*number) && *number > 0 ? end + strspn(end, " ") : NULL;
}

int words_rate(const struct opt *o, void *field, const char *value, struct err *err)
{
	static const struct {
		char letter;
		double scale;
	} sizes[] = {{'k', 1e3}, {'m', 1e6}, {'g', 1e9}};
	enum unit unit = UNIT_BITS;
	double number, scale = 0;
	const char *end = above_zero(value, &number);

	for (size_t i = 0; end && i < sizeof(sizes) / sizeof(*sizes); i++)
		if ((*end | 0x20) == sizes[i].letter && !end[1])
			scale = sizes[i].scale;
	if (end && scale == 0 && unit_parse(end, &unit, &scale))
		end = NULL;
	if (!end || unit != UNIT_BITS)
		return err_set(err, -EINVAL, "bad --%s '%s': give a rate with its size, as 300M, 1G or '941.5 Mbit/s'",
			       o->name, value);
	*(double *)field = number * scale;
	return 0;
}

int words_percent(const struct opt *o, void *field, const char *value, struct err *err)
{
	double number;
	const char *end = above_zero(value, &number);

	if (!end || (strcmp(end, "") && strcmp(end, "%")) || number >= 100)
		return err_set(err, -EINVAL, "bad --%s '%s': give per cent, above 0 and below 100", o->name, value);
	*(double *)field = number;
	return 0;
}

int words_seconds(const struct opt *o, void *field, const char *value, struct err *err)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
	double number;
	const char *end = above_zero(value, &number);

	for (size_t i = 0; end && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i].name)) {
			*(double *)field = number * units[i].seconds;
			return 0;
		}
	return err_set(err, -EINVAL, "bad --%s '%s': give seconds, above 0, or 5m, 1h", o->name, value);
}
