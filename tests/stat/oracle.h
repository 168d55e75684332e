/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle.h - reads oracle.txt: cases of named lists of numbers (oracle.R) */
#ifndef PORTICO_TESTS_STAT_ORACLE_H
#define PORTICO_TESTS_STAT_ORACLE_H

#include <stdio.h>

#include "bench/stat/sample.h"

#define ORACLE_LISTS 12
#define ORACLE_NAME 32

struct oracle_list {
	char name[ORACLE_NAME];
	struct stat_sample values; /* of the case's own */
};

struct oracle_case {
	char kind[ORACLE_NAME];
	struct oracle_list list[ORACLE_LISTS];
	unsigned int count;
};

/* The next case of a file; 1, 0 at the end. The test ends where the file is not as it should be. */
int oracle_next(struct oracle_case *c, FILE *file);

/* A list of the case, or one of its numbers; the test ends where there is none. */
struct stat_sample oracle_list(const struct oracle_case *c, const char *name);
double oracle_at(const struct oracle_case *c, const char *name, unsigned int at);

void oracle_free(struct oracle_case *c);

#endif
