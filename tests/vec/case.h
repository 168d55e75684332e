/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case.h - a golden vector: its configuration as replay takes it, its files, its counters */
#ifndef PORTICO_TESTS_VEC_CASE_H
#define PORTICO_TESTS_VEC_CASE_H

#include "cli/setup.h"

#define CASE_PATH_MAX 512

struct vec_case {
	char dir[CASE_PATH_MAX / 2];
	struct conf conf;
	struct setup setup;
	struct replay_options options; /* all but the files; points into this case, which must not move */
};

/* Reads DIR/portico.conf. 0, or -errno with *err filled. */
int case_read(struct vec_case *c, const char *dir, struct err *err);

/* Ports, with the one for a customer edge's own traffic behind those of the file. */
static inline u32 case_ports(const struct vec_case *c)
{
	return c->options.config.nports;
}

/* "DIR/PREFIXlan-guest.pcap" for the port named "lan guest"; CASE_PATH_MAX bytes at `path`. */
char *case_path(char *path, const char *dir, const char *prefix, const struct vec_case *c, u32 port);

/* What counters.txt expects. 0, or -errno. */
int case_counters(const struct vec_case *c, struct dp_counter counters[REASON_COUNT]);

/* "name is P packets, B bytes; should be ..." for each reason that differs; returns how many differ. */
unsigned int case_counters_differ(const struct dp_counter *got, const struct dp_counter *want);

/* Calls `run` for each case below `top`, in the order of their names; 77 where there is none. */
int case_each(const char *top, void (*run)(const char *dir));

#endif
