/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bh.c - p adjusted for many symbols */
#include <math.h>
#include <stdlib.h>

#include "bh.h"
#include "sample.h"

int stat_bh(double *adjusted, const double *p, unsigned int count)
{
	struct stat_ranked *ranked;
	int rc = stat_probabilities_ranked(&ranked, p, count);
	double least = 1;

	if (rc)
		return rc;
	for (unsigned int i = count; i-- > 0;) {
		least = fmin(least, ranked[i].value * count / (i + 1));
		adjusted[ranked[i].at] = least;
	}
	free(ranked);
	return 0;
}
