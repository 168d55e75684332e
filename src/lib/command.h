/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - a program that is a table of commands, each with a table of options: `portico`, `portico-bench` */
#ifndef PORTICO_LIB_COMMAND_H
#define PORTICO_LIB_COMMAND_H

#include <jansson.h>

#include "opt.h"

/* Exit statuses. */
#define COMMAND_DONE 0
#define COMMAND_FAILED 1
#define COMMAND_USAGE 2	      /* wrong command line */
#define COMMAND_NOT_RUNNING 3 /* of what was asked about: as LSB's init scripts have it */

struct command {
	const char *name;
	const char *operands; /* for the usage line, "" where there are none */
	int min, max;	      /* operands; max below 0: any number */
	const char *summary;  /* one line for `PROGRAM help` */
	const char *text;     /* for `PROGRAM NAME --help` */
	const char *example;
	const struct opt *options; /* fill a struct of at most COMMAND_OPTIONS_SIZE bytes, all zero at first */
	int (*run)(const void *options, char **operands); /* operands end with NULL; returns an exit status */
};

#define COMMAND_OPTIONS_SIZE 8192 /* each file that has options asserts it */

struct program {
	const char *name;
	const char *text;		       /* what it is for, a line */
	const char *start;		       /* how to begin, below the list of commands */
	const struct command *const *commands; /* NULL behind the last */
};

/* Does what the command line says: main() of a program. Its exit status; output that does not get out is a failure. */
int command_main(const struct program *p, int argc, char **argv);

/* Prints "PROGRAM: ..." to stderr and returns `status`. */
int command_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a JSON value and a newline, and lets it go. COMMAND_DONE, or COMMAND_FAILED where it cannot be written. */
int command_json(json_t *value);

#endif
