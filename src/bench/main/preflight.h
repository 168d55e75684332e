/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preflight.h - before anything counts: does the path work, what is it on, is the load fast enough?
 *
 * Each variant is tried once, and so is the floor (a bare redirect in the router's place), where the lab has a place
 * for it. The same load over the floor must reach FINDING_HEADROOM (finding.h) times what the variants reach, else load
 * and devices are most of what is measured.
 */
#ifndef PORTICO_BENCH_MAIN_PREFLIGHT_H
#define PORTICO_BENCH_MAIN_PREFLIGHT_H

#include <signal.h>

#include "comparison.h"

/* Fills the record's fingerprints and headroom, the design's same_image, and the progress's time of a pair. Of a
 * resumed comparison the fingerprints must be those of the record: else -ESTALE, with what has changed. */
int preflight_run(struct comparison *c, const volatile sig_atomic_t *stop, struct err *err);

#endif
