/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e.h - the figures of portico-bench-map-e */
#ifndef PORTICO_TESTS_BENCH_MAP_E_H
#define PORTICO_TESTS_BENCH_MAP_E_H

#include <stdbool.h>

/* One kind's time a packet over another's. */
struct map_e_figure {
	const char *text;
	int over, under;
	double target;
	bool least; /* the target is a lower bound */
};

/* Measures, in process, what a new flow costs when 99 % of the ports towards its destination are taken, against the
 * first ones, and prints the ratio. */
void map_e_ports_report(void);

#endif
