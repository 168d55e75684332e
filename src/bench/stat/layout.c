/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.c - comparisons over several layouts a side */
#include <errno.h>
#include <math.h>

#include "dist.h"
#include "layout.h"

#define NEEDED_MAX 1000
#define RUNS_COST 1.1 /* what the noise of the runs adds to the half-width: s_R^2 / R of a fifth of s_L^2 */

/* Sums over the layouts of a side. */
struct side {
	double mean;		 /* of the layouts' means */
	double between, within;	 /* sums of squares */
	double runs, reciprocal; /* runs; 1 / runs of each layout */
};

static int side_sum(struct side *side, const struct stat_layouts *layouts)
{
	*side = (struct side){0};
	if (!layouts->count)
		return -EINVAL;
	for (unsigned int i = 0; i < layouts->count; i++) {
		const struct stat_sample *s = &layouts->layout[i];
		double sd;

		if (!stat_sample_valid(s))
			return -EINVAL;
		sd = stat_sample_sd(s);
		side->mean += stat_sample_mean(s) / layouts->count;
		side->within += sd * sd * (s->count - 1);
		side->runs += s->count;
		side->reciprocal += 1.0 / s->count;
	}
	for (unsigned int i = 0; i < layouts->count; i++) {
		double from = stat_sample_mean(&layouts->layout[i]) - side->mean;

		side->between += from * from;
	}
	return 0;
}

/* `error` is that of the difference. */
static void interval(struct stat_nested *nested, double error, double alpha)
{
	double half = stat_t_quantile(1 - alpha / 2, nested->df) * error;

	nested->ci = (struct stat_interval){1 - alpha, nested->difference - half, nested->difference + half};
	if (error > 0)
		nested->p = 2 * stat_t_cdf(-fabs(nested->difference) / error, nested->df);
	else
		nested->p = nested->difference == 0;
}

int stat_layout_compare(struct stat_nested *nested, const struct stat_layouts *a, const struct stat_layouts *b,
			double alpha)
{
	double la = a->count, lb = b->count, runs, between;
	struct side x, y;

	if (!(alpha > 0 && alpha < 1) || side_sum(&x, a) || side_sum(&y, b))
		return -EINVAL;
	*nested = (struct stat_nested){.difference = y.mean - x.mean, .ci = {0, -INFINITY, INFINITY}, .p = 1};
	runs = x.runs + y.runs - la - lb;
	nested->sd_run = runs > 0 ? sqrt((x.within + y.within) / runs) : 0;
	nested->df = la + lb - 2;
	if (nested->df < 1)
		return 0;
	between = (x.between + y.between) / nested->df;
	nested->sd_layout =
		sqrt(fmax(0, between - nested->sd_run * nested->sd_run * (x.reciprocal + y.reciprocal) / (la + lb)));
	interval(nested, sqrt(between * (1 / la + 1 / lb)), alpha);
	return 0;
}

double stat_layout_half(unsigned int layouts, double alpha)
{
	return layouts < 2 ? INFINITY : stat_t_quantile(1 - alpha / 2, 2 * (layouts - 1.0)) * sqrt(2.0 / layouts);
}

unsigned int stat_layout_needed(double effect, double sd_layout, double alpha)
{
	for (unsigned int layouts = 2; layouts <= NEEDED_MAX; layouts++)
		if (RUNS_COST * stat_layout_half(layouts, alpha) * sd_layout < fabs(effect))
			return layouts;
	return 0;
}
