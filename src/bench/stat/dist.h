/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dist.h - the normal distribution and Student's t
 *
 * Normal quantile: Abramowitz and Stegun 26.2.23, then Halley's method on libm's erfc(). Student's t: the incomplete
 * beta function as a continued fraction (DLMF 8.17.22, by Lentz's method), its quantile by bisection.
 */
#ifndef PORTICO_BENCH_STAT_DIST_H
#define PORTICO_BENCH_STAT_DIST_H

double stat_normal_cdf(double z);
double stat_normal_quantile(double p); /* p in (0, 1) */

/* df above 0. Relative error below 1e-10. */
double stat_t_cdf(double t, double df);
double stat_t_quantile(double p, double df);

#endif
