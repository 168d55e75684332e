/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opt.c - a command line as data */
#include "opt.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 32
#define LONG_BASE 256 /* getopt's value of option i: LONG_BASE + i, above every letter */

int opt_flag(const struct opt *o, void *field, const char *value, struct err *err)
{
	(void)o;
	(void)value;
	(void)err;
	*(bool *)field = true;
	return 0;
}

int opt_text(const struct opt *o, void *field, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, -EINVAL, "--%s is empty: give %s", o->name, o->arg);
	*(const char **)field = value;
	return 0;
}

int opt_number(const struct opt *o, void *field, const char *value, struct err *err)
{
	unsigned long max = o->max ? o->max : UINT_MAX, n;
	char *end;

	errno = 0;
	n = strtoul(value, &end, 10);
	if (!isdigit((unsigned char)*value) || *end || errno || n < o->min || n > max)
		return err_set(err, -EINVAL, "bad --%s '%s': give a number from %lu to %lu", o->name, value, o->min,
			       max);
	*(unsigned int *)field = (unsigned int)n;
	return 0;
}

int opt_list(const struct opt *o, void *field, const char *value, struct err *err)
{
	struct opt_list *list = field;

	if (list->count == OPT_LIST_MAX)
		return err_set(err, -EINVAL, "too many --%s: at most %d", o->name, OPT_LIST_MAX);
	list->value[list->count++] = value;
	return 0;
}

/* getopt's two descriptions of the table. */
struct forms {
	char letters[2 * OPTIONS_MAX + 3];
	struct option longs[OPTIONS_MAX + 2];
};

static void forms_make(struct forms *f, const struct opt *options)
{
	char *letter = f->letters;
	int n = 0;

	*letter++ = ':'; /* a missing value is told apart from an unknown option */
	*letter++ = 'h';
	for (; n < OPTIONS_MAX && options[n].name; n++) {
		int has_arg = options[n].arg ? required_argument : no_argument;

		f->longs[n] = (struct option){options[n].name, has_arg, NULL, LONG_BASE + n};
		if (!options[n].letter)
			continue;
		*letter++ = options[n].letter;
		if (options[n].arg)
			*letter++ = ':';
	}
	*letter = 0;
	f->longs[n] = (struct option){"help", no_argument, NULL, 'h'};
	f->longs[n + 1] = (struct option){0};
}

static const struct opt *option_of(const struct opt *options, int c)
{
	if (c >= LONG_BASE)
		return &options[c - LONG_BASE];
	while (options->name && options->letter != c)
		options++;
	return options;
}

/* getopt's '?' and ':' in words. `word` is the last one it took: of a long option, the whole of it. */
static int wrong(const struct opt *options, int c, const char *word, struct err *err)
{
	const struct opt *o = option_of(options, optopt);

	if (c == ':')
		return err_set(err, -EINVAL, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
	if (!optopt)
		return err_set(err, -EINVAL, "unknown or ambiguous option %s", word);
	if (optopt >= LONG_BASE || optopt == 'h')
		return err_set(err, -EINVAL, "%.*s takes no value", (int)strcspn(word, "="), word);
	return err_set(err, -EINVAL, "unknown option -%c", optopt);
}

static bool ends_with_dots(const char *arg)
{
	size_t length = arg ? strlen(arg) : 0;

	return length > 3 && !strcmp(arg + length - 3, "...");
}

/* Whether a word is no option; "-" is a file: standard input. */
static bool is_value(const char *word)
{
	return word[0] != '-' || !word[1];
}

/* Takes the value that getopt found, and those that stand behind it and are the option's as well. */
static int values_take(const struct opt *o, void *field, int argc, char **argv, struct err *err)
{
	int rc = o->set(o, field, optarg, err);

	while (!rc && ends_with_dots(o->arg) && optind < argc && is_value(argv[optind]))
		rc = o->set(o, field, argv[optind++], err);
	return rc;
}

int opt_parse(const struct opt *options, void *into, int argc, char **argv, struct err *err)
{
	struct forms forms;
	int c;

	forms_make(&forms, options);
	optind = 0; /* begins anew, also behind a line that was given up half-way */
	opterr = 0;
	for (;;) {
		const struct opt *o;

		optopt = 0;
		c = getopt_long(argc, argv, forms.letters, forms.longs, NULL);
		if (c < 0)
			return optind;
		if (c == 'h')
			return OPT_HELP;
		if (c == '?' || c == ':')
			return wrong(options, c, argv[optind - 1], err);
		o = option_of(options, c);
		if (values_take(o, (char *)into + o->offset, argc, argv, err))
			return -EINVAL;
	}
}

void opt_help(const struct opt *options)
{
	char left[64];

	for (; options->name; options++) {
		snprintf(left, sizeof(left), "%c%c%c --%s%s%s", options->letter ? '-' : ' ',
			 options->letter ? options->letter : ' ', options->letter ? ',' : ' ', options->name,
			 options->arg ? " " : "", options->arg ? options->arg : "");
		printf("  %-28s %s\n", left, options->help);
	}
	printf("  %-28s %s\n", "-h, --help", "print this");
}
