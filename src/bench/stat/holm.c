// SPDX-License-Identifier: GPL-2.0-or-later
/* holm.c - p adjusted for several metrics */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "holm.h"
#include "sample.h"

int stat_holm(double *adjusted, const double *p, unsigned int count)
{
	struct stat_ranked *ranked;
	double most = 0;

	for (unsigned int i = 0; i < count; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return -EINVAL;
	ranked = stat_sample_ranked(&(struct stat_sample){p, count});
	if (!ranked)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		most = fmax(most, fmin(1, (count - i) * ranked[i].value));
		adjusted[ranked[i].at] = most;
	}
	free(ranked);
	return 0;
}
