/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrivals.h - what of the load did not arrive as it was sent, in what was measured of each variant */
#ifndef PORTICO_BENCH_MAIN_ARRIVALS_H
#define PORTICO_BENCH_MAIN_ARRIVALS_H

#include "bench/store/store.h"
#include "warnings.h"

/* Warns of packets that were lost, came late, or out of order. 0 or -errno with *err filled. */
int arrivals_warn(struct warnings *w, struct store *store, const struct store_comparison *c, struct err *err);

#endif
