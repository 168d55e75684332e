/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - portico-bench: one table of commands */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const struct command *const commands[] = {
	&command_verdict,
	&command_series,
};

#define NCOMMANDS (sizeof(commands) / sizeof(*commands))

int bench_fail(int status, const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("portico-bench: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	return status;
}

int bench_json(json_t *value)
{
	int rc = value ? json_dumpf(value, stdout, JSON_INDENT(2)) : -1;

	json_decref(value);
	return rc ? bench_fail(BENCH_FAILED, "out of memory") : (puts(""), BENCH_DONE);
}

static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static void help(FILE *to)
{
	fputs("Usage: portico-bench COMMAND [OPTIONS]\n"
	      "\n"
	      "Says whether a change really made forwarding faster, with the confidence it can be said with.\n"
	      "\n",
	      to);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("  help       this text; 'portico-bench help COMMAND' or 'portico-bench COMMAND --help' for more\n"
	      "\n"
	      "With logs that are there already:\n"
	      "\n"
	      "  portico-bench verdict --a old-1.json old-2.json --b new-1.json new-2.json\n"
	      "  portico-bench series iperf3.json\n"
	      "\n"
	      "See portico-bench(1).\n",
	      to);
}

static void command_help(const struct command *c)
{
	printf("Usage: portico-bench %s [OPTIONS]%s%s\n\n%s\n\n", c->name, *c->operands ? " " : "", c->operands,
	       c->text);
	opt_help(c->options);
	printf("\nExample:\n\n%s\n", c->example);
}

static int help_about(const char *name)
{
	const struct command *c = name ? command_find(name) : NULL;

	if (!name)
		help(stdout);
	else if (!c)
		return bench_fail(BENCH_USAGE, "unknown command '%s': 'portico-bench help' lists them", name);
	else
		command_help(c);
	return BENCH_DONE;
}

/* What is wrong with the number of operands, or what the command says. */
static int operands_run(const struct command *c, const void *options, char **operands, int count)
{
	if (count < c->min)
		return bench_fail(BENCH_USAGE, "%s: %s is missing; see 'portico-bench %s --help'", c->name, c->operands,
				  c->name);
	if (c->max >= 0 && count > c->max)
		return bench_fail(BENCH_USAGE, "%s: '%s' is too much; see 'portico-bench %s --help'", c->name,
				  operands[c->max], c->name);
	return c->run(options, operands);
}

static int command_run(const struct command *c, int argc, char **argv)
{
	_Alignas(max_align_t) char options[BENCH_OPTIONS_SIZE] = {0};
	char **words = words_expand(c->options, argc, argv, &argc);
	struct err err;
	int at, status = BENCH_DONE;

	if (!words)
		return bench_fail(BENCH_FAILED, "out of memory");
	at = opt_parse(c->options, options, argc, words, &err);
	if (at == OPT_HELP)
		command_help(c);
	else if (at < 0)
		status = bench_fail(BENCH_USAGE, "%s: %s; see 'portico-bench %s --help'", c->name, err.text, c->name);
	else
		status = operands_run(c, options, words + at, argc - at);
	free(words);
	return status;
}

static int run(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		help(stderr);
		return BENCH_USAGE;
	}
	if (!strcmp(argv[1], "help"))
		return help_about(argv[2]);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help_about(NULL);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("portico-bench " PORTICO_VERSION);
		return BENCH_DONE;
	}
	c = command_find(argv[1]);
	if (!c)
		return bench_fail(BENCH_USAGE, "unknown command '%s': 'portico-bench help' lists them", argv[1]);
	return command_run(c, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	/* output that did not get out is a failure: a full disk, a closed pipe */
	if (fflush(stdout) || ferror(stdout))
		return bench_fail(BENCH_FAILED, "writing: %s", strerror(errno));
	return status;
}
