// SPDX-License-Identifier: GPL-2.0-or-later
/* bh.c - p adjusted for many symbols */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "bh.h"
#include "sample.h"

int stat_bh(double *adjusted, const double *p, unsigned int count)
{
	struct stat_ranked *ranked;
	double least = 1;

	for (unsigned int i = 0; i < count; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return -EINVAL;
	ranked = stat_sample_ranked(&(struct stat_sample){p, count});
	if (!ranked)
		return -ENOMEM;
	for (unsigned int i = count; i-- > 0;) {
		least = fmin(least, ranked[i].value * count / (i + 1));
		adjusted[ranked[i].at] = least;
	}
	free(ranked);
	return 0;
}
