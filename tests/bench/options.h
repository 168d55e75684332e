/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - what the benches' command lines have in common */
#ifndef PORTICO_TESTS_BENCH_OPTIONS_H
#define PORTICO_TESTS_BENCH_OPTIONS_H

#include <stdbool.h>

#include "trial.h"

struct options {
	int rounds;
	struct trial_plan plan;
	char date[32]; /* ISO 8601, UTC: now */
	char json[512];
	bool core;
};

/* Reads the command line of portico-bench-`name`; `what` it measures stands in its help. Ends the program with 2 where
 * the line is wrong, with 0 where help was asked for. */
void options_read(struct options *o, const char *name, const char *what, int argc, char **argv);

#endif
