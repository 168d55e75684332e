/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.h - the path of a lab, built for one variant: namespaces, cables, the router in its place with its settings
 *
 *      path_open -> path_load, path_run, path_flush ... -> path_close
 *
 * One at a time in a process. Whatever ends the process, everything that was made is removed (net.h).
 */
#ifndef PORTICO_BENCH_LAB_PATH_H
#define PORTICO_BENCH_LAB_PATH_H

#include <jansson.h>

#include "bench/load/load.h"
#include "lab.h"

enum path_place {
	PATH_LAN, /* where "out" starts */
	PATH_GW,  /* the router that is compared; of a wire: here */
	PATH_WAN, /* the internet */
};

struct path;

/* Builds it and starts the variant's router, with its settings and its setup hook. NULL with *err filled and nothing
 * left: no privileges, a ruleset that is not accepted, a setting that does not exist here, an interface that is
 * missing, a hook that fails or takes too long ... each named by file and line. */
struct path *path_open(const struct lab *lab, const struct lab_variant *v, struct err *err);
/* Also runs the teardown hook. 0, or -errno of that one with *err filled; everything is gone in any case. */
int path_close(struct path *p, struct err *err);

/* Where a load goes in and comes out, as load_open() wants it. -ENOTSUP, with words, where the path cannot
 * carry the lab's flows. */
int path_load(const struct path *p, struct load_path *load, struct err *err);

/* A file descriptor of the namespace of a place. */
int path_ns(const struct path *p, enum path_place place);
/* Addresses for programs: of the LAN host, and of a host in the internet that answers; "" on a wire. */
const char *path_host(const struct path *p);
const char *path_remote(const struct path *p);

/* Ends all flows in the router: what is timed by a tear-down. `*ended`: how many there were. -ENOTSUP, with words,
 * where the router has no flows. */
int path_flush(struct path *p, u64 *ended, struct err *err);
/* How many flows the router has now. -ENOTSUP where it has none, or they cannot be counted. */
int path_flows(struct path *p, u64 *flows, struct err *err);

/* Lets the path receive what comes in at its near end and at its far end on these CPUs (threaded NAPI), which are not
 * those of the generators: only then can a router be offered more than it forwards. -ENOTSUP, with words, where this
 * machine cannot (one CPU). */
int path_spread(struct path *p, const u32 cpu[2], struct err *err);

/* Packets that each interface on the way has seen, in words: to say where a packet got lost. Returns `text`. */
const char *path_trace(const struct path *p, char *text, size_t room);

/* What this path is on: a new flat object of strings, grouped by the word before the dot ("kernel.release",
 * "cpu.model", "lan.offload", "router.build" ...); NULL where memory ends. */
json_t *path_fingerprint(const struct path *p);

/* Runs a line with sh -c in namespace `ns` (-1: here), at most `limit` seconds, the whole group of processes ended
 * then. Its standard output is in *output (NUL-terminated, for free(), also where it failed) if that is not NULL. 0;
 * -ETIMEDOUT; -EIO: another exit status than 0; *err has the line, and the last one that it wrote. */
struct hook {
	const char *what; /* heads messages: "lab.lab: variant 'x': measure" */
	const char *line;
	const char *shown; /* in messages, in place of the line; NULL: the line */
	int ns;
	double limit;
};
int hook_run(const struct hook *h, char **output, struct err *err);

#endif
