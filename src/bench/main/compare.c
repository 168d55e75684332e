/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.c - portico-bench compare and resume: is B faster than A, live? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "bench/stat/looks.h"
#include "bench/stat/wilcoxon.h"
#include "comparison.h"
#include "lib/clock.h"
#include "stored.h"
#include "wrap.h"

#define INTERRUPTED 130 /* exit status, as a shell has it */

struct compare {
	unsigned int pairs, looks, seed;
	double seconds, precision, delta; /* the last two in % */
	struct opt_list set;
	const char *store;
	bool json;
};

_Static_assert(sizeof(struct compare) <= COMMAND_OPTIONS_SIZE, "fits");

static const char *store_path(const char *given)
{
	return given ? given : STORE_FILE;
}

/* "20 pairs and 5 of A and A in 1 min 2 s, 0.3 % of it outside the trials; kept as comparison 3 in portico-bench.db" */
static void foot_print(const struct comparison *c, const char *store)
{
	double all = (double)(clock_ns() - c->progress.began) / 1e9;
	char text[256], time[PROGRESS_TEXT];

	snprintf(text, sizeof(text),
		 "%u pair%s and %u of A and A; %s, %.1f %% of it outside the trials; kept as comparison %lld in %s",
		 c->record.pairs, c->record.pairs == 1 ? "" : "s", c->record.floor_pairs, progress_seconds(time, all),
		 100 * (1 - c->progress.inside / all), c->record.id, store);
	wrap_print(text, 0);
}

static int result_show(struct comparison *c, const char *store, bool json)
{
	struct stored stored;
	struct err err;

	if (stored_judge(&stored, c->store, &c->record, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	if (json) {
		int rc = command_json(stored_json(&stored));

		stored_exit(&stored);
		return rc;
	}
	stored_print(&stored);
	foot_print(c, store);
	stored_exit(&stored);
	return COMMAND_DONE;
}

/* What is there is shown in any case; a trial that failed, or Ctrl-C, is the exit status. */
static int carry_on(struct comparison *c, const char *store, bool json)
{
	struct err err;
	int rc = comparison_check(c, &err), shown = COMMAND_DONE;

	if (!rc)
		rc = comparison_go(c, &err);
	if (c->record.pairs)
		shown = result_show(c, store, json);
	if (!rc)
		return shown;
	if (c->record.id)
		command_fail(COMMAND_FAILED, "%s; %u pairs are kept: 'portico-bench resume %lld' goes on", err.text,
			     c->record.pairs, c->record.id);
	else
		command_fail(COMMAND_FAILED, "%s; nothing was kept", err.text);
	return rc == -EINTR ? INTERRUPTED : COMMAND_FAILED;
}

static struct design design_of(const struct compare *o)
{
	bool open_end = o->seconds > 0 || o->precision > 0; /* then pairs are only a bound */

	return (struct design){
		.pairs = o->pairs   ? o->pairs
			 : open_end ? DESIGN_PAIRS_MAX
				    : DESIGN_PAIRS,
		.looks = o->precision > 0 ? 1
			 : o->looks	  ? o->looks
					  : DESIGN_LOOKS,
		.every = DESIGN_EVERY,
		.seed = o->seed ? o->seed : (unsigned int)time(NULL),
		.delta = o->delta > 0 ? o->delta / 100 : 0.01,
		.precision = o->precision / 100,
	};
}

static int run(const void *options, char **operands)
{
	const struct compare *o = options;
	struct comparison_ask ask = {
		.lab = operands[0],
		.a = operands[1],
		.b = operands[2],
		.set = o->set.value,
		.nset = o->set.count,
		.design = design_of(o),
		.limit = o->seconds,
		.store = store_path(o->store),
	};
	struct comparison *c = calloc(1, sizeof(*c));
	struct err err;
	int rc;

	if (!c)
		return command_fail(COMMAND_FAILED, "out of memory");
	if (comparison_begin(c, &ask, &err)) {
		rc = command_fail(COMMAND_FAILED, "%s", err.text);
	} else {
		rc = carry_on(c, ask.store, o->json);
		comparison_exit(c);
	}
	free(c);
	return rc;
}

static int resume(const void *options, char **operands)
{
	const struct compare *o = options;
	struct comparison *c = calloc(1, sizeof(*c));
	char *end = NULL;
	long long id = operands[0] ? strtoll(operands[0], &end, 10) : 0;
	struct err err;
	int rc;

	if (operands[0] && (*end || id < 1)) {
		rc = command_fail(COMMAND_USAGE, "resume: '%s' is no number of a comparison: see 'portico-bench list'",
				  operands[0]);
	} else if (!c) {
		rc = command_fail(COMMAND_FAILED, "out of memory");
	} else if (comparison_resume(c, store_path(o->store), id, &err)) {
		rc = command_fail(COMMAND_FAILED, "%s", err.text);
	} else {
		rc = carry_on(c, store_path(o->store), o->json);
		comparison_exit(c);
	}
	free(c);
	return rc;
}

#define AT(field) offsetof(struct compare, field)

static const struct opt options[] = {
	{'n', "pairs", "N", opt_number, AT(pairs), "pairs at most; default 20", 1, DESIGN_PAIRS_MAX},
	{'t', "time", "TIME", words_seconds, AT(seconds), "as many pairs as fit: 90s, 5m, 1h", 0, 0},
	{'p', "precision", "PERCENT", words_percent, AT(precision),
	 "as many pairs as it takes for an interval of +- this", 0, 0},
	{'d', "delta", "PERCENT", words_percent, AT(delta), "smallest effect that matters; default 1", 0, 0},
	{0, "looks", "N", opt_number, AT(looks), "how often it is asked whether that is enough; default 4", 1,
	 STAT_LOOKS_MAX},
	{0, "seed", "N", opt_number, AT(seed), "of the random order; default the time", 1, 0xffffffff},
	{'s', "set", "KEY=VALUE", opt_list, AT(set), "another value for a key of [load]; may be given again", 0, 0},
	{0, "store", "FILE", opt_text, AT(store), "where everything is kept; default " STORE_FILE, 0, 0},
	{0, "json", NULL, opt_flag, AT(json), "print JSON", 0, 0},
	{0},
};

const struct command command_compare = {
	.name = "compare",
	.operands = "LAB A B",
	.min = 3,
	.max = 3,
	.summary = "measure two variants of a lab side by side: is B faster?",
	.text = "Builds the lab for A and for B over and over, in pairs of random order, and says of each metric and\n"
		"direction whether B is FASTER, SLOWER, the SAME (within --delta), or INCONCLUSIVE, and then how many\n"
		"pairs would tell. Every fifth pair is A against A: what those differ by is no effect. Ends early "
		"where\n"
		"nothing is left open. Before the first pair both are tried once, and what differs besides them is "
		"said.\n"
		"\n"
		"LAB is the name of a ready one ('portico-bench labs') or a file. A and B are variants of it, or one\n"
		"line each: 'nftables + rps lan 2'. Needs root; everything that is made is removed, also after "
		"Ctrl-C,\n"
		"which keeps the pairs that are done.",
	.example = "  portico-bench compare home nftables portico\n"
		   "  portico-bench compare home nftables 'nftables + rps lan 2' --time 5m\n"
		   "  portico-bench compare home-tcp nftables portico --set streams=4 --json\n"
		   "  portico-bench compare router-over-ssh.lab before after --precision 0.5",
	.options = options,
	.run = run,
};

static const struct opt resume_options[] = {
	{0, "store", "FILE", opt_text, AT(store), "where it is kept; default " STORE_FILE, 0, 0},
	{0, "json", NULL, opt_flag, AT(json), "print JSON", 0, 0},
	{0},
};

const struct command command_resume = {
	.name = "resume",
	.operands = "[ID]",
	.min = 0,
	.max = 1,
	.summary = "go on with a comparison that was interrupted",
	.text = "Runs the pairs that are left of a comparison that Ctrl-C, a failed trial or a crash ended, in the "
		"order "
		"that\n"
		"was planned at first. Default: the last one. What it runs on must be what it was begun on.",
	.example = "  portico-bench resume\n"
		   "  portico-bench resume 3 --json",
	.options = resume_options,
	.run = resume,
};
