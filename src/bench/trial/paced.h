/* SPDX-License-Identifier: GPL-2.0-or-later */
/* paced.h - the load at a set rate
 *
 * As fast as it goes, generator and router take turns on one CPU, and a router is never offered more than it forwards.
 * At a set rate the devices receive on another CPU, where there is one: then a router that is too slow loses packets.
 * Without a second CPU it only holds up the generator, which counts for the same: the rate was not reached.
 */
#ifndef PORTICO_BENCH_TRIAL_PACED_H
#define PORTICO_BENCH_TRIAL_PACED_H

#include "measure.h"

struct paced {
	/* in */
	enum load_way way;
	double rate; /* packets/s, each way */
	double seconds;
	bool delay;
	/* out */
	struct load_result result;
	double offered[LOAD_WAYS]; /* packets/s that were really sent */
	double lost[LOAD_WAYS];	   /* part of those sent */
};

/* Opens the load with all flows there, its devices on another CPU, and has each of the lab's ways measured. */
typedef int paced_way(struct measure *m, enum load_way way, struct err *err);
int paced_ways(struct measure *m, paced_way *measure, struct err *err);
/* Runs it once. Losses are no error. */
int paced_run(struct measure *m, const char *what, struct paced *p, struct err *err);

#endif
