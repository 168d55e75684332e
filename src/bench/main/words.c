/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.c - options that take several words, and the bench's own kinds of values */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static bool ends_with_dots(const char *arg)
{
	size_t length = arg ? strlen(arg) : 0;

	return length > 3 && !strcmp(arg + length - 3, "...");
}

/* Whether `word` is an option that takes several words: "--name" or "-n". */
static bool takes_several(const struct opt *options, const char *word)
{
	for (; options->name; options++) {
		bool is_long = word[1] == '-' && !strcmp(word + 2, options->name);
		bool is_short = options->letter && word[1] == options->letter && !word[2];

		if (ends_with_dots(options->arg) && (is_long || is_short))
			return true;
	}
	return false;
}

/* "-" is a file: standard input. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

char **words_expand(const struct opt *options, int argc, char **argv, int *count)
{
	char **words = calloc(2 * (size_t)argc + 1, sizeof(*words)), *several = NULL;
	int n = 0, taken = 0; /* words behind `several` */

	if (!words)
		return NULL;
	for (int i = 0; i < argc; i++) {
		if (is_option(argv[i])) {
			several = takes_several(options, argv[i]) ? argv[i] : NULL;
			taken = 0;
		} else if (several && taken++) {
			words[n++] = several;
		}
		words[n++] = argv[i];
	}
	*count = n;
	return words;
}

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
	double number;
	const char *end = above_zero(value, &number);

	if (!end || (strcmp(end, "") && strcmp(end, "s")))
		return err_set(err, -EINVAL, "bad --%s '%s': give seconds, above 0", o->name, value);
	*(double *)field = number;
	return 0;
}
