/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.h - a configuration file while it is being read */
#ifndef PORTICO_CONF_READER_H
#define PORTICO_CONF_READER_H

#include <stdio.h>

#include "conf.h"
#include "keys.h"

struct reader {
	struct conf conf;
	struct err *err;
	FILE *file;
	char *text; /* the line, and the room that getline() has for it */
	size_t room;
	int line;
	int rc;			   /* of the first error: reading stops there */
	enum conf_section section; /* of the line */
	struct conf_port *port;	   /* of the line, in [lan] and [wan] */
	unsigned int seen;	   /* SECTION_* that were given */
	/* where each key was given last, 0: not; [lan] and [wan] sections have a row each, the others share row 0 */
	int lines[1 + DP_PORTS_MAX][KEY_COUNT];
};

/* Sets the error "file:line: ..." once, the first, and returns its code. `line` 0: the file as a whole. */
int reader_fail(struct reader *r, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void reader_warn(struct reader *r, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The row of r->lines that belongs to `port` (NULL: none). */
int *reader_lines(struct reader *r, const struct conf_port *port);

/* check.c: what can only be said of the file as a whole. 0 or -EINVAL. */
int reader_check(struct reader *r);

#endif
