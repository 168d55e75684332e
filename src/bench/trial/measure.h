/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.h - what a trial measures once its path stands: one number for each metric and way
 *
 * The warm-up is fixed beforehand: every flow is opened and must be there (phase 1 of RFC 9693), then a sixteenth of
 * the packets is sent and not counted; of TCP, the first seconds (iperf3 -O).
 */
#ifndef PORTICO_BENCH_TRIAL_MEASURE_H
#define PORTICO_BENCH_TRIAL_MEASURE_H

#include <jansson.h>

#include "bench/lab/path.h"
#include "bench/store/store.h"

struct measure {
	const struct lab *lab;
	const struct lab_variant *variant;
	struct path *path;
	struct store_trial *trial; /* values, series, `measured` go in here */
	json_t *raw;		   /* an array: every run of the load, as it was counted, or what a program printed */
	struct load *load;	   /* measure_load.c */
};

/* One for each kind of load. 0 or -errno with *err filled. */
typedef int measure_kind(struct measure *m, struct err *err);
measure_kind measure_udp, measure_connect, measure_table, measure_latency, measure_throughput, measure_tcp,
	measure_hook;

/* Measures what the lab says. */
int measure_run(struct measure *m, struct err *err);

/* Adds a value; -E2BIG with *err filled where there are too many, -ERANGE where it is not above 0: of nothing there is
 * no ratio. `value` is in the base of `unit`. */
int measure_add(struct measure *m, const struct store_value *value, struct err *err);

/* measure_load.c: the load through the path. Opens it, with all flows but `fresh` ones of the lab: probe, phase 1, and
 * their number is checked. */
int measure_load_open(struct measure *m, bool fill, struct err *err);
void measure_load_close(struct measure *m);
/* load_run() with the trace of the path in the message, and the counts kept in raw. `what`: "phase 1". */
int measure_load_run(struct measure *m, const char *what, const struct load_plan *plan, struct load_result *result,
		     struct err *err);
/* The lab's load as a plan: frames, flows, stride, CPU. */
struct load_plan measure_load_plan(const struct measure *m);
/* The ways of the lab, in the order they are measured: *n of them (1 or 2). LAB_BOTH is one run of LOAD_BOTH. */
void measure_load_ways(const struct measure *m, enum load_way ways[LOAD_WAYS], unsigned int *n);
extern const char *const measure_way_names[LOAD_WAYS];

/* measure_output.c: what a program printed, as values. `title` names it in messages. */
int measure_output(struct measure *m, const char *title, const char *text, struct err *err);

#endif
