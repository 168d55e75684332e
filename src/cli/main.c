/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - portico: one table of commands */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const struct command *const commands[] = {
	&command_up,	&command_down,	 &command_status, &command_flows, &command_counters,
	&command_check, &command_replay, &command_map_e,  &command_ports, &command_import,
};

#define NCOMMANDS (sizeof(commands) / sizeof(*commands))

int cli_fail(int status, const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("portico: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	return status;
}

int cli_json(json_t *value)
{
	int rc = value ? json_dumpf(value, stdout, JSON_INDENT(2)) : -1;

	json_decref(value);
	return rc ? cli_fail(CLI_FAILED, "out of memory") : (puts(""), CLI_DONE);
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
	fputs("Usage: portico COMMAND [OPTIONS]\n"
	      "\n"
	      "Drives a gateway: NAPT44 in the Linux kernel's XDP, configured by one file.\n"
	      "\n",
	      to);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("  help       this text; 'portico help COMMAND' or 'portico COMMAND --help' for more\n"
	      "\n"
	      "A first gateway, in three lines:\n"
	      "\n"
	      "  printf '[lan]\\ninterface = eth0\\n[wan]\\ninterface = eth1\\n' > home.conf\n"
	      "  portico check home.conf\n"
	      "  portico up home.conf\n"
	      "\n"
	      "See portico(8), portico.conf(5), porticod(8).\n",
	      to);
}

static void command_help(const struct command *c)
{
	printf("Usage: portico %s [OPTIONS]%s%s\n\n%s\n\n", c->name, *c->operands ? " " : "", c->operands, c->text);
	opt_help(c->options);
	printf("\nExample:\n\n%s\n", c->example);
}

static int help_about(const char *name)
{
	const struct command *c = name ? command_find(name) : NULL;

	if (!name)
		help(stdout);
	else if (!c)
		return cli_fail(CLI_USAGE, "unknown command '%s': 'portico help' lists them", name);
	else
		command_help(c);
	return CLI_DONE;
}

static int command_run(const struct command *c, int argc, char **argv)
{
	_Alignas(max_align_t) char options[CLI_OPTIONS_SIZE] = {0};
	struct err err;
	int at = opt_parse(c->options, options, argc, argv, &err);

	if (at == OPT_HELP) {
		command_help(c);
		return CLI_DONE;
	}
	if (at < 0)
		return cli_fail(CLI_USAGE, "%s: %s; see 'portico %s --help'", c->name, err.text, c->name);
	if (argc - at < c->min)
		return cli_fail(CLI_USAGE, "%s: %s is missing; see 'portico %s --help'", c->name, c->operands, c->name);
	if (argc - at > c->max)
		return cli_fail(CLI_USAGE, "%s: '%s' is too much; see 'portico %s --help'", c->name, argv[at + c->max],
				c->name);
	return c->run(options, argv + at);
}

static int run(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		help(stderr);
		return CLI_USAGE;
	}
	if (!strcmp(argv[1], "help"))
		return help_about(argv[2]);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help_about(NULL);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("portico " PORTICO_VERSION);
		return CLI_DONE;
	}
	c = command_find(argv[1]);
	if (!c)
		return cli_fail(CLI_USAGE, "unknown command '%s': 'portico help' lists them", argv[1]);
	return command_run(c, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	/* output that did not get out is a failure: a full disk, a closed pipe */
	if (fflush(stdout) || ferror(stdout))
		return cli_fail(CLI_FAILED, "writing: %s", strerror(errno));
	return status;
}
