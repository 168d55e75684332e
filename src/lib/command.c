/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - finds the command, parses its options, runs it; or helps */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

static const struct program *program; /* the one that runs */

int command_fail(int status, const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "%s: ", program->name);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	return status;
}

int command_json(json_t *value)
{
	int rc = value ? json_dumpf(value, stdout, JSON_INDENT(2)) : -1;

	json_decref(value);
	return rc ? command_fail(COMMAND_FAILED, "out of memory") : (puts(""), COMMAND_DONE);
}

static void help(FILE *to)
{
	fprintf(to, "Usage: %s COMMAND [OPTIONS]\n\n%s\n\n", program->name, program->text);
	for (const struct command *const *c = program->commands; *c; c++)
		fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->summary);
	fprintf(to, "  help       this text; '%s help COMMAND' or '%s COMMAND --help' for more\n\n%s\n", program->name,
		program->name, program->start);
}

static void command_help(const struct command *c)
{
	printf("Usage: %s %s [OPTIONS]%s%s\n\n%s\n\n", program->name, c->name, *c->operands ? " " : "", c->operands,
	       c->text);
	opt_help(c->options);
	printf("\nExample:\n\n%s\n", c->example);
}

/* NULL, after saying so, where there is none of this name. */
static const struct command *command_find(const char *name)
{
	for (const struct command *const *c = program->commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	command_fail(0, "unknown command '%s': '%s help' lists them", name, program->name);
	return NULL;
}

static int help_about(const char *name)
{
	const struct command *c = name ? command_find(name) : NULL;

	if (name && !c)
		return COMMAND_USAGE;
	if (c)
		command_help(c);
	else
		help(stdout);
	return COMMAND_DONE;
}

static int command_run(const struct command *c, int argc, char **argv)
{
	_Alignas(max_align_t) char options[COMMAND_OPTIONS_SIZE] = {0};
	struct err err;
	int at = opt_parse(c->options, options, argc, argv, &err);

	if (at == OPT_HELP) {
		command_help(c);
		return COMMAND_DONE;
	}
	if (at < 0)
		return command_fail(COMMAND_USAGE, "%s: %s; see '%s %s --help'", c->name, err.text, program->name,
				    c->name);
	if (argc - at < c->min)
		return command_fail(COMMAND_USAGE, "%s: %s is missing; see '%s %s --help'", c->name, c->operands,
				    program->name, c->name);
	if (c->max >= 0 && argc - at > c->max)
		return command_fail(COMMAND_USAGE, "%s: '%s' is too much; see '%s %s --help'", c->name,
				    argv[at + c->max], program->name, c->name);
	return c->run(options, argv + at);
}

static int run(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		help(stderr);
		return COMMAND_USAGE;
	}
	if (!strcmp(argv[1], "help"))
		return help_about(argv[2]);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help_about(NULL);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("%s " PORTICO_VERSION "\n", program->name);
		return COMMAND_DONE;
	}
	c = command_find(argv[1]);
	return c ? command_run(c, argc - 1, argv + 1) : COMMAND_USAGE;
}

int command_main(const struct program *p, int argc, char **argv)
{
	int status;

	program = p;
	status = run(argc, argv);
	if (fflush(stdout) || ferror(stdout))
		return command_fail(COMMAND_FAILED, "writing: %s", strerror(errno));
	return status;
}
