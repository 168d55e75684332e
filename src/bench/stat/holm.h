/* SPDX-License-Identifier: GPL-2.0-or-later */
/* holm.h - several metrics: p that stand for all of them together
 *
 * Adjusted p: if all with an adjusted p <= alpha are taken for real, the chance that even one of them is not, is at
 * most alpha, however they depend on each other. Holm, Scandinavian Journal of Statistics 6 (1979).
 */
#ifndef PORTICO_BENCH_STAT_HOLM_H
#define PORTICO_BENCH_STAT_HOLM_H

/* adjusted[i] belongs to p[i]; both have count elements and may be the same array. 0; -EINVAL: a p outside [0, 1];
 * -ENOMEM. */
int stat_holm(double *adjusted, const double *p, unsigned int count);

#endif
