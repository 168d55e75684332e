/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - one trial: a path is built for one variant, measured, and taken down again
 *
 * In a process of its own, so that it can be stopped at any moment, and nothing of it is left for the next one: memory
 * of tables, addresses of programs, settings, flows.
 */
#ifndef PORTICO_BENCH_TRIAL_TRIAL_H
#define PORTICO_BENCH_TRIAL_TRIAL_H

#include <jansson.h>
#include <signal.h>

#include "bench/lab/lab.h"
#include "bench/store/store.h"

struct trial_ask {
	const struct lab *lab;
	const struct lab_variant *variant;
	bool fingerprint;		   /* of the path, as well */
	const volatile sig_atomic_t *stop; /* set by a signal: the trial is ended */
};

struct trial_answer {
	struct store_trial trial;
	json_t *fingerprint; /* or NULL */
};

/* 0, or -errno and no answer, and nothing is left behind: -EINTR after *stop; -ETIMEDOUT where it took far longer than
 * the lab's load can take; what building and measuring said. */
int trial_run(struct trial_answer *answer, const struct trial_ask *ask, struct err *err);
void trial_free(struct trial_answer *answer);

#endif
