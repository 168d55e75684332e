/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.h - in which order the runs of two variants were made, as far as the logs say
 *
 * Where all runs of one variant come before all of the other, whatever drifts meanwhile (temperature, a neighbour's
 * traffic, an access line) counts as the change.
 */
#ifndef PORTICO_BENCH_MAIN_ORDER_H
#define PORTICO_BENCH_MAIN_ORDER_H

#include "bench/read/samples.h"

enum order {
	ORDER_SINGLE, /* one run of each: there is no order to speak of */
	ORDER_UNKNOWN,
	ORDER_BLOCKS,
	ORDER_MIXED,
};

/* Of the runs of variants a and b in a cell. */
enum order order_of(const struct samples *s, unsigned int a, unsigned int b, unsigned int cell);

#endif
