/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixture.h - a store in a directory of its own, with a comparison and pairs whose numbers are known */
#ifndef PORTICO_TESTS_STORE_FIXTURE_H
#define PORTICO_TESTS_STORE_FIXTURE_H

#include "bench/store/store.h"

#define FIXTURE_PATH 64

/* A new directory; `path` is a file in it that is not there yet. */
void fixture_init(char path[FIXTURE_PATH]);
/* Removes it with all files in it. */
void fixture_exit(const char *path);

/* A comparison "old" -> "new" of 12 pairs, not ended. Its id. */
long long fixture_comparison(struct store *s);

/* What a trial of side 0 or 1 of pair `number` measured: "out rate", "in rate" (packets/s), "delay p99" (ns) and
 * "table" (a number). The second side is `factor` as good, within a wobble. */
struct store_trial fixture_trial(unsigned int number, unsigned int side, double factor);

/* Stores it. 0 or -errno. */
int fixture_pair(struct store *s, long long id, unsigned int number, bool floor, double factor);

#endif
