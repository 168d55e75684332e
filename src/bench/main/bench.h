/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.h - what the commands of `portico-bench` are made of */
#ifndef PORTICO_BENCH_MAIN_BENCH_H
#define PORTICO_BENCH_MAIN_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/read/unit.h"
#include "lib/err.h"
#include "lib/opt.h"

/* Exit statuses. */
#define BENCH_DONE 0
#define BENCH_FAILED 1
#define BENCH_USAGE 2 /* wrong command line */

struct command {
	const char *name;
	const char *operands; /* for the usage line, "" where there are none */
	int min, max;	      /* operands; max below 0: any number */
	const char *summary;  /* one line for `portico-bench help` */
	const char *text;     /* for `portico-bench NAME --help` */
	const char *example;
	/* Fill a struct of at most BENCH_OPTIONS_SIZE bytes, all zero at first. An option whose .arg ends with "..."
	 * takes all words up to the next option. */
	const struct opt *options;
	int (*run)(const void *options, char **operands); /* operands end with NULL; returns an exit status */
};

#define BENCH_OPTIONS_SIZE 8192 /* each file that has options asserts it */

extern const struct command command_verdict, command_series;

/* Prints "portico-bench: ..." to stderr and returns `status`. */
int bench_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a JSON value and a newline, and lets it go. BENCH_DONE, or BENCH_FAILED where it cannot be written. */
int bench_json(json_t *value);

/* words.c: the line with "--name A B" written as "--name A --name B" for each option that takes several words, NULL
 * behind the last. NULL where memory ends. The words are those of argv; the array is for free(). */
char **words_expand(const struct opt *options, int argc, char **argv, int *count);

/* Values of options, beside those of lib/opt.h. */
opt_value words_files;	 /* struct words_files; may be given again */
opt_value words_unit;	 /* struct words_unit */
opt_value words_rate;	 /* double, bit/s: "300M", "1g", "941.5 Mbit/s" */
opt_value words_percent; /* double, above 0: "1", "0.5", "2.5%" */
opt_value words_seconds; /* double, above 0: "1", "0.1" */

struct words_unit {
	enum unit unit; /* UNIT_UNKNOWN: not given */
	double scale;
};

#define WORDS_FILES_MAX 256
struct words_files {
	unsigned int count;
	const char *path[WORDS_FILES_MAX];
};

#endif
