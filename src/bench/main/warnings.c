/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.c - what the runs themselves leave open, whatever is computed from them */
#include "warnings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "order.h"
#include "steady.h"

void warnings_add(struct warnings *w, const char *code, const char *format, ...)
{
	struct warning *new = &w->warning[w->count];
	va_list ap;

	if (w->count == WARNINGS_MAX)
		return;
	w->count++;
	new->code = code;
	va_start(ap, format);
	vsnprintf(new->text, sizeof(new->text), format, ap);
	va_end(ap);
}

/* The worst that is known of any comparison's order. */
static void order_warn(struct warnings *w, const struct judge *j)
{
	bool blocks = false, unknown = false;

	for (unsigned int i = 0; i < j->plan->npairs; i++)
		for (unsigned int cell = 0; cell < j->samples->cells.count; cell++) {
			enum order order = order_of(j->samples, j->plan->pair[i].a, j->plan->pair[i].b, cell);

			blocks |= order == ORDER_BLOCKS;
			unknown |= order == ORDER_UNKNOWN;
		}
	if (blocks)
		warnings_add(
			w, "blocks",
			"the variants ran in blocks%s, all runs of one behind each other: whatever drifted meanwhile "
			"counts as "
			"the change. Interleave them",
			j->samples->order == SAMPLES_GROUPED ? ", as far as the file says" : "");
	else if (unknown && !j->how.paired)
		warnings_add(w, "order-unknown",
			     "the logs do not say in which order the runs were made: if not interleaved, drift counts "
			     "as the "
			     "change");
}

static void ceiling_warn(struct warnings *w, const struct judge *j)
{
	const struct ceiling *c = &j->how.ceiling;
	char text[UNIT_TEXT];
	unsigned int at = 0, all = 0;

	for (unsigned int i = 0; i < j->samples->count; i++) {
		const struct sample *s = &j->samples->sample[i];
		enum unit unit = j->samples->cells.label[s->cell].unit;

		all += unit == UNIT_BITS;
		at += ceiling_at(c, unit, s->value);
	}
	if (at)
		warnings_add(
			w, "ceiling",
			"%u of %u values are at the ceiling, 98 %% of %s (%s) or above, and say nothing of what was "
			"measured%s",
			at, all, c->text, unit_print(text, UNIT_BITS, c->goodput),
			c->assumed
				? ". That link is assumed from the highest value: --link says another, --no-link none"
				: "");
}

/* Runs whose intervals were not one steady state: their number is an average of states. */
static int steady_warn(struct warnings *w, const struct judge *j)
{
	unsigned int states = 0, partial = 0, runs = 0;

	for (unsigned int i = 0; i < j->samples->count; i++) {
		const struct series *series = &j->samples->sample[i].series;
		struct steady steady;

		if (!series->count)
			continue;
		if (steady_find(&steady, series))
			return -ENOMEM;
		runs++;
		states += steady.nstates > 1;
		partial += series->partial > 0;
	}
	if (states)
		warnings_add(w, "states", "%u of %u runs were not one steady state; their number is a mean of states%s",
			     states, runs, j->how.again ? "" : ", which 'portico-bench series' shows");
	if (partial)
		warnings_add(w, "partial", "a last interval shorter than the others was set aside in %u of %u runs",
			     partial, runs);
	return 0;
}

static void source_warn(struct warnings *w, const struct judge *j)
{
	unsigned int sender = 0, intervals = 0, omitted = 0;

	for (unsigned int i = 0; i < j->samples->count; i++) {
		const struct sample *s = &j->samples->sample[i];

		sender += s->of_sender;
		intervals += s->of_intervals;
		omitted += s->series.omitted > 0;
	}
	if (sender)
		warnings_add(w, "sender", "of %u runs only the sender's figure is known: what arrived may be less",
			     sender);
	if (intervals)
		warnings_add(w, "no-sum", "%u runs have no sum at their end: the mean of their intervals is taken",
			     intervals);
	if (omitted)
		warnings_add(w, "omitted", "seconds at the start are left out of %u runs, as they asked (-O)", omitted);
}

int warnings_find(struct warnings *w, const struct judge *j)
{
	w->count = 0;
	order_warn(w, j);
	ceiling_warn(w, j);
	source_warn(w, j);
	return steady_warn(w, j);
}
