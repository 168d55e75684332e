/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.h - a configuration file while it is being read */
#ifndef PORTICO_CONF_READER_H
#define PORTICO_CONF_READER_H

#include <stdio.h>

#include "conf.h"
#include "keys.h"

#define READER_DOMAINS (1 + TUNNEL_RELAYS_MAX)
#define READER_S46_MAX 4096

/* A [map-e] or [border-relay] section. */
struct reader_domain {
	struct mape_domain *domain;
	struct conf_tunnel *tunnel;
	int rules[MAPE_RULES_MAX]; /* where each rule was given */
};

struct reader {
	struct conf conf;
	struct err *err;
	FILE *file;
	char *text; /* the line, and the room that getline() has for it */
	size_t room;
	int line;
	int rc;					       /* of the first error: reading stops there */
	enum conf_section section;		       /* of the line */
	struct conf_port *port;			       /* of the line, in [lan] and [wan] */
	unsigned int seen;			       /* SECTION_* that were given */
	struct reader_domain *domain;		       /* of the line, in [map-e] and [border-relay] */
	struct reader_domain domains[READER_DOMAINS];  /* of [map-e], and of each [border-relay] */
	struct conf_tunnel tunnels[TUNNEL_RELAYS_MAX]; /* what each [border-relay] says */
	char s46[READER_S46_MAX];		       /* what all "s46" have together */
	/* where each key was given last, 0: not; [lan], [wan] and [border-relay] sections have a row each, the others
	 * share row 0 */
	int lines[1 + DP_PORTS_MAX + TUNNEL_RELAYS_MAX][KEY_COUNT];
	int *row; /* of the line */
};

/* Sets the error "file:line: ..." once, the first, and returns its code. `line` 0: the file as a whole. */
int reader_fail(struct reader *r, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void reader_warn(struct reader *r, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The row of r->lines that belongs to `port` (NULL: none), and to a border relay by its index. */
int *reader_lines(struct reader *r, const struct conf_port *port);
int *reader_relay_lines(struct reader *r, unsigned int relay);

/* check.c: what can only be said of the file as a whole. 0 or -EINVAL. */
int reader_check(struct reader *r);

/* check_mape.c: the same of [map-e] and [border-relay]; of the sections that are there. */
int reader_check_mape(struct reader *r);

#endif
