/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - a file as text: whole, line by line, and the numbers in it */
#ifndef PORTICO_BENCH_READ_TEXT_H
#define PORTICO_BENCH_READ_TEXT_H

#include <stddef.h>

#include "lib/err.h"

struct text {
	const char *path;
	char *data; /* NUL-terminated; no NUL inside, no byte order mark, lines end with \n only */
	size_t size;
};

#define TEXT_SIZE_MAX (256u << 20)

/* Reads a file ("-": standard input). 0, or -errno with *err filled: also where it is empty, binary or too long. */
int text_read(struct text *text, const char *path, struct err *err);
void text_free(struct text *text);

/* Takes the lines off one after the other: NUL-terminates the next one and counts it. NULL behind the last. */
struct lines {
	char *next;
	unsigned int number; /* of the line handed out last */
};
char *lines_next(struct lines *lines);

#define TEXT_WHERE 320
/* "FILE:LINE" */
const char *text_where(char where[TEXT_WHERE], const struct text *text, unsigned int line);

/* The decimal number at the start of `word`: finite, not below zero. 0 and *end behind it; or -EINVAL with *err filled,
 * beginning with `where`. */
struct number {
	double value;
	char *end;
};
int number_parse(struct number *n, const char *word, const char *where, struct err *err);
/* As above, and nothing may stand behind it. */
int number_only(double *value, const char *word, const char *where, struct err *err);
/* Refuses what no measurement is: NaN, infinite, below zero. */
int number_check(double value, const char *where, struct err *err);

#endif
