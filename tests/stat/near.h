/* SPDX-License-Identifier: GPL-2.0-or-later */
/* near.h - CHECK_NEAR(got, want, within): two doubles, absolute and relative, whichever allows more */
#ifndef PORTICO_TESTS_STAT_NEAR_H
#define PORTICO_TESTS_STAT_NEAR_H

#include <math.h>

#include "../check.h"

CHECK_UNUSED static bool check_near(double got, double want, double within, const char *file, int line)
{
	bool near = got == want || fabs(got - want) <= within * fmax(1e-3, fabs(want));

	if (!check_one(near, file, line))
		fprintf(stderr, "%.17g, should be %.17g\n", got, want);
	return near;
}

#define CHECK_NEAR(got, want, within) check_near((got), (want), (within), __FILE__, __LINE__)

#endif
