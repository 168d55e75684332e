/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.c - portico-bench export: what was measured, for other programs */
#include "bench.h"
#include "stored.h"

static int export(const struct stored_options *o, struct store *store, long long id)
{
	struct err err;
	json_t *json = o->json ? store_export(store, id, &err) : NULL;

	if (json)
		return command_json(json);
	if (o->json || store_export_table(store, id, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	return COMMAND_DONE;
}

static int run(const void *options, char **operands)
{
	const struct stored_options *o = options;
	struct store_comparison c;
	struct err err;
	struct store *store = stored_open(o, operands, &c, &err);
	int rc;

	if (!store)
		return command_fail(COMMAND_FAILED, "%s", err.text);
	rc = export(o, store, c.id);
	store_comparison_free(&c);
	store_close(store);
	return rc;
}

const struct command command_export = {
	.name = "export",
	.operands = "[ID]",
	.min = 0,
	.max = 1,
	.summary = "print what was measured in a comparison, for other programs",
	.text = "Prints a table with a line for each trial of the pairs of A and B, which 'portico-bench verdict -'\n"
		"reads (of names where one is the other and a word more, it compares that with the other: --a-variant "
		"and\n"
		"--b-variant choose). With --json, everything: also pairs of A and A, the intervals inside the runs, "
		"what was\n"
		"counted or printed, the lab, the plan and what the variants were measured on.\n"
		"\n"
		"ID is the number of the comparison in 'portico-bench list'; without, the last one.",
	.example = "  portico-bench export 3 >pairs.csv\n"
		   "  portico-bench export | portico-bench verdict -\n"
		   "  portico-bench export --json | jq '.trials[].values'",
	.options = stored_options,
	.run = run,
};
