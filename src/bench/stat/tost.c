/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tost.c - two one-sided tests */
#include <math.h>

#include "tost.h"

bool stat_tost_same(const struct stat_interval *log_ci, double delta)
{
	double margin = log1p(delta);

	return log_ci->level > 0 && log_ci->low > -margin && log_ci->high < margin;
}
