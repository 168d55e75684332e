/* SPDX-License-Identifier: GPL-2.0-or-later */
/* looks.h - looking at the result before all pairs are done, without finding more than there is
 *
 * Who stops as soon as p < 5 % and looks five times, finds a difference where there is none in 14 %. With K looks
 * planned before the first run, at equal numbers of pairs, each is done at a smaller alpha, the same one at each, such
 * that all together make 5 %. Pocock, Biometrika 64 (1977); constants from Jennison and Turnbull, Group Sequential
 * Methods (2000), table 2.1.
 */
#ifndef PORTICO_BENCH_STAT_LOOKS_H
#define PORTICO_BENCH_STAT_LOOKS_H

#define STAT_LOOKS_MAX 5

/* The alpha (two-sided) at each of 1 to STAT_LOOKS_MAX looks, for an overall alpha of 0.01, 0.05 or 0.10. Of 0.05:
 * .05 .0294 .0221 .0182 .0158. Negative: no such number of looks, or alpha is none of these. */
double stat_looks_alpha(double overall, unsigned int looks);

/* After how many of `pairs` the look (1 to looks) is: equal steps, rounded up, and the last at all of them; but none
 * before `least` pairs, where there is no interval yet. With fewer pairs than looks, some are at the same place. */
unsigned int stat_looks_at(unsigned int pairs, unsigned int looks, unsigned int look, unsigned int least);

#endif
