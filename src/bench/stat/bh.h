/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bh.h - many symbols: p for a list of which few are wrong
 *
 * Adjusted p: of all with an adjusted p <= q, on average at most the part q is not real. For tests that are independent
 * or positively dependent. Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995).
 */
#ifndef PORTICO_BENCH_STAT_BH_H
#define PORTICO_BENCH_STAT_BH_H

/* adjusted[i] belongs to p[i]; both have count elements and may be the same array. 0; -EINVAL: a p outside [0, 1];
 * -ENOMEM. */
int stat_bh(double *adjusted, const double *p, unsigned int count);

#endif
