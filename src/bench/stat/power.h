/* SPDX-License-Identifier: GPL-2.0-or-later */
/* power.h - how many pairs does it take?
 *
 *      n* = 1.05 (z_(1 - alpha/2) + z_(1 - beta))^2 s_d^2 / delta^2
 *
 * s_d is the s.d. of ln(b/a) over pairs, and 1.05 what the signed rank costs against t where all is normal (its
 * asymptotic relative efficiency is 3/pi; Hollander, Wolfe, Chicken, 3.1). Two samples of n runs each take as many
 * with s_d^2 = s_a^2 + s_b^2. With a power of 0.9 as many pairs also suffice to say SAME where there is no effect at
 * all (z_.95 + z_.95 there instead of z_.975 + z_.90: nearly as much).
 */
#ifndef PORTICO_BENCH_STAT_POWER_H
#define PORTICO_BENCH_STAT_POWER_H

#define STAT_POWER 0.9	       /* 1 - beta, where nothing else is said */
#define STAT_PAIRS_MAX 1000000 /* more are as good as never */

struct stat_power {
	double sd;    /* of the differences, above 0 */
	double alpha; /* two-sided, of each look */
	double power; /* 1 - beta */
};

/* Pairs in all for an effect of delta (in the unit of sd), at least as many as have an interval; STAT_PAIRS_MAX at
 * most. */
unsigned int stat_power_pairs(const struct stat_power *power, double delta);

/* The other way round: in which part of such trials an effect is found with so many pairs. The power in the struct is
 * not looked at. Here z_(1 - alpha/2)^2 / 2 pairs are taken off first, for an s_d that is not known (Guenther 1981). 0
 * where so few pairs have no interval. Above ten pairs within 0.04 (tests/stat/simulate.c); below, fewer are found: p
 * has few steps. */
double stat_power_at(const struct stat_power *power, double effect, unsigned int pairs);

#endif
