/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - other programs: started, waited for, and their complaints collected */
#ifndef PORTICO_LIB_RUN_H
#define PORTICO_LIB_RUN_H

#include <stddef.h>

#include "err.h"

#define RUN_WORDS_MAX 64

/* Where a program runs and where its output (both streams) goes. */
struct run {
	int netns;    /* file descriptor of a network namespace, or -1: this one */
	char *output; /* `room` bytes, NUL-terminated, cut off when full; NULL: dropped */
	size_t room;
};

/* Runs a command line that is split at blanks; there is no shell and no quoting. 0; -ENOENT where there is no such
 * program; -EIO where it ended with another status than 0: then *err has the command and the last line of its output.
 * `run` may be NULL: here, output dropped. */
int run_line(const struct run *run, struct err *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
