/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tost.h - is it the same, as far as anybody would care?
 *
 * Two one-sided tests of 5 % each: the same where the 90 % interval of ln(b/a) lies inside +-ln(1 + delta). Schuirmann,
 * Journal of Pharmacokinetics and Biopharmaceutics 15 (1987). "Not different" is never evidence for "the same".
 */
#ifndef PORTICO_BENCH_STAT_TOST_H
#define PORTICO_BENCH_STAT_TOST_H

#include "sample.h"

#define STAT_TOST_ALPHA 0.10 /* two-sided: the 90 % interval */

/* Whether an interval of ln(b/a) lies inside +-ln(1 + delta). One that does not exist (level 0) lies nowhere. */
bool stat_tost_same(const struct stat_interval *log_ci, double delta);

#endif
