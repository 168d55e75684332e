/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.c - portico-bench show: the report of a comparison that is stored */
#include <stdio.h>

#include "bench.h"
#include "stored.h"
#include "wrap.h"

static void head_print(const struct store_comparison *c)
{
	printf("comparison %lld, lab %s: %s -> %s, begun %s\n", c->id, c->lab_name, c->a, c->b, c->began);
}

/* What was to be done, and how much of it was. */
static void plan_print(const struct stored *s)
{
	const struct store_comparison *c = s->comparison;
	const struct design *d = &s->design;
	char text[512];

	snprintf(text, sizeof(text),
		 "plan: %u pairs, %u look%s, seed %u; %u pair%s and %u of A and A in %.0f s of trials; %s%s", d->pairs,
		 d->looks, d->looks == 1 ? "" : "s", d->seed, c->pairs, c->pairs == 1 ? "" : "s", c->floor_pairs,
		 c->took, *c->ended ? "ended " : "not ended: 'portico-bench resume' goes on", c->ended);
	wrap_print(text, 0);
}

static int show(const struct stored_options *o, const struct stored *s)
{
	if (o->json)
		return command_json(stored_json(s));
	head_print(s->comparison);
	stored_print(s);
	plan_print(s);
	return COMMAND_DONE;
}

static int run(const void *options, char **operands)
{
	const struct stored_options *o = options;
	struct store_comparison c;
	struct stored stored;
	struct err err;
	struct store *store = stored_open(o, operands, &c, &err);
	int rc;

	if (!store)
		return command_fail(COMMAND_FAILED, "%s", err.text);
	if (stored_judge(&stored, store, &c, &err)) {
		rc = command_fail(COMMAND_FAILED, "%s", err.text);
	} else {
		rc = show(o, &stored);
		stored_exit(&stored);
	}
	store_comparison_free(&c);
	store_close(store);
	return rc;
}

const struct command command_show = {
	.name = "show",
	.operands = "[ID]",
	.min = 0,
	.max = 1,
	.summary = "the report of a comparison that is stored",
	.text = "Judges the stored pairs of a comparison anew and prints what differs besides the variants, the\n"
		"verdicts, and what was planned and done. ID is its number in 'portico-bench list'; without, the\n"
		"last one.",
	.example = "  portico-bench show\n"
		   "  portico-bench show 3 --json",
	.options = stored_options,
	.run = run,
};
