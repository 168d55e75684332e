/* SPDX-License-Identifier: GPL-2.0-or-later */
/* holm.c - p adjusted for several metrics */
#include <math.h>
#include <stdlib.h>

#include "holm.h"
#include "sample.h"

int stat_holm(double *adjusted, const double *p, unsigned int count)
{
	struct stat_ranked *ranked;
	int rc = stat_probabilities_ranked(&ranked, p, count);
	double most = 0;

	if (rc)
		return rc;
	for (unsigned int i = 0; i < count; i++) {
		most = fmax(most, fmin(1, (count - i) * ranked[i].value));
		adjusted[ranked[i].at] = most;
	}
	free(ranked);
	return 0;
}
