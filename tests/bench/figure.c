/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figure.c - a figure of a bench: median and extremes over the rounds, beside its target */
#include "figure.h"

#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void figure_summarise(struct figure *f)
{
	double sorted[ROUNDS_MAX];

	for (int i = 0; i < f->n; i++)
		sorted[i] = f->value[i];
	qsort(sorted, (size_t)f->n, sizeof(*sorted), ascending);
	f->low = sorted[0];
	f->high = sorted[f->n - 1];
	f->median = f->n % 2 ? sorted[f->n / 2] : (sorted[f->n / 2 - 1] + sorted[f->n / 2]) / 2;
}

bool figure_met(const struct figure *f)
{
	if (f->sense == '=')
		return f->low >= f->target && f->high <= f->target;
	return f->sense == ' ' || (f->sense == '>' ? f->median >= f->target : f->median <= f->target);
}

void figures_print(const struct figure *figures, int n)
{
	printf("\n%-58s %8s  %-17s  %s\n", "figure", "median", "[min ... max]", "target");
	for (int i = 0; i < n; i++) {
		const struct figure *f = &figures[i];
		char spread[48];

		if (i && figures[i - 1].sense != ' ' && f->sense == ' ')
			printf("\nfor orientation\n");
		snprintf(spread, sizeof(spread), "[%.*f ... %.*f]", f->digits, f->low, f->digits, f->high);
		printf("%-58s %8.*f  %-17s  %s", f->title, f->digits, f->median, spread, f->unit);
		if (f->sense != ' ')
			printf(" %s %g: %s",
			       f->sense == '>'	 ? ">="
			       : f->sense == '<' ? "<="
						 : "=",
			       f->target, figure_met(f) ? "met" : "NOT met");
		printf("\n");
	}
}
