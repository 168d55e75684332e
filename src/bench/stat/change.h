/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change.h - when did a series change from one state to another?
 *
 * For a cut of X | Y the energy statistic is Q = mn/(m+n) * (2 E|X-Y| - E|X-X'| - E|Y-Y'|), which is large where the
 * two distributions differ in anything, level or spread (Szekely and Rizzo 2005). The best cut of a segment is the one
 * with the largest Q, where Y may end before the segment does, so that a state that comes and goes is seen (Matteson
 * and James, JASA 109, 2014). It is real where few random orders of the segment have as large a Q; then both parts are
 * cut again.
 *
 * Neighbours in a series resemble each other, and so waves look like states. What a value has of the one before it is
 * taken away, what is left is put into random order by blocks, and the resemblance is put back (a first-order sieve,
 * Buehlmann 1997, with blocks for what it leaves). Where series have no change, a cut is found this often (alpha 0.02;
 * r is the correlation of neighbours; tests/stat/simulate.c prints it):
 *
 *      values      r = 0     0.3      0.5      0.7
 *      10 - 200    < 2 %     < 5 %    < 10 %   < 15 %
 *
 * What cuts off fewer than `least` values is no segment. Single values far from both neighbours are spikes: they
 * belong to the segment around them, and count neither for its level nor for the cuts. More than one in twenty (and
 * more than one) are no spikes but a state that comes and goes (modes.h), and nothing is set aside.
 *
 * Cost: n^2/2 steps for each random order, at most STAT_CHANGE_ORDERS for each segment: 10 ms for 100 values with a
 * change, 0.4 s for 600, 15 s for 4000.
 */
#ifndef PORTICO_BENCH_STAT_CHANGE_H
#define PORTICO_BENCH_STAT_CHANGE_H

#include <stdint.h>

#include "sample.h"

#define STAT_CHANGE_MAX 4096 /* values of a series */
#define STAT_CHANGE_SEGMENTS 64
#define STAT_CHANGE_ORDERS 399

struct stat_change_how {
	double alpha;	    /* for each cut; 0: 0.02 */
	unsigned int least; /* values of a segment; 0: 5, and 3 for series under 12 */
	unsigned int block; /* values that stay together; 0: half the cube root of their number */
	uint64_t seed;	    /* of the random orders: the same seed, the same answer */
};

struct stat_segment {
	unsigned int from, count; /* values, spikes included */
	unsigned int spikes;
	double mean, sd; /* without spikes */
	double p;	 /* of the cut at its start, had there been no change; 1 for the first segment */
};

/* Segments in order; they cover the whole series. */
struct stat_change {
	unsigned int count; /* 1: no change */
	bool more;	    /* changes than there is room for */
	struct stat_segment segment[STAT_CHANGE_SEGMENTS];
	double p; /* of the strongest cut of the whole series, real or not; 1 where it is too short to be cut */
};

/* `spike`, where it is not NULL, has room for a flag for each value. `how` may be NULL: all 0. 0; -EINVAL (more than
 * STAT_CHANGE_MAX values, too); -ENOMEM. */
int stat_change_find(struct stat_change *change, bool *spike, const struct stat_sample *series,
		     const struct stat_change_how *how);

/* The fewest values that can be cut at all, twice the least segment: 6 for short series. */
unsigned int stat_change_least(void);

#endif
