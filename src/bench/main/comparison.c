/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comparison.c - a comparison of two variants of a lab: begun, and carried on pair by pair */
#include "comparison.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stat/wilcoxon.h"
#include "bench/trial/trial.h"
#include "lib/clock.h"
#include "preflight.h"
#include "stored.h"

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

/* From here on, signals end a comparison between two pairs, or in the middle of one that is then not stored. */
static void signals_take(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	stop = 0;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

static int variants_get(struct comparison *c, const char *a, const char *b, struct err *err)
{
	c->a = lab_variant_get(&c->lab, a, err);
	c->b = c->a ? lab_variant_get(&c->lab, b, err) : NULL;
	return c->b ? 0 : -EINVAL;
}

static char *copy(const char *text, int *rc)
{
	char *new = strdup(text);

	if (!new)
		*rc = -ENOMEM;
	return new;
}

/* What the store is to hold, but for what the preflight finds. */
static int record_make(struct comparison *c, struct err *err)
{
	struct store_comparison *r = &c->record;
	int rc = 0;

	r->lab_name = copy(c->lab.name, &rc);
	r->lab = lab_text(&c->lab);
	r->a = copy(c->a->name, &rc);
	r->b = copy(c->b->name, &rc);
	return rc || !r->lab ? err_set(err, -ENOMEM, "out of memory") : 0;
}

int comparison_begin(struct comparison *c, const struct comparison_ask *ask, struct err *err)
{
	int rc;

	*c = (struct comparison){.design = ask->design, .limit = ask->limit};
	rc = lab_read(&c->lab, ask->lab, err);
	for (unsigned int i = 0; !rc && i < ask->nset; i++)
		rc = lab_load_set(&c->lab, ask->set[i], err);
	if (!rc)
		rc = variants_get(c, ask->a, ask->b, err);
	if (!rc)
		rc = record_make(c, err);
	c->design.link = c->lab.link;
	if (!rc)
		c->store = store_open(ask->store, true, err);
	if (!rc && c->store)
		return 0;
	comparison_exit(c);
	return rc ? rc : -EIO;
}

int comparison_resume(struct comparison *c, const char *store, long long id, struct err *err)
{
	int rc = -EIO;

	*c = (struct comparison){.limit = 0};
	c->store = store_open(store, false, err);
	if (c->store)
		rc = store_comparison_get(c->store, id, &c->record, err);
	if (!rc && *c->record.ended)
		rc = err_set(err, -EALREADY, "comparison %lld is complete: 'portico-bench show %lld' prints it",
			     c->record.id, c->record.id);
	if (!rc && design_read(&c->design, c->record.plan))
		rc = err_set(err, -EINVAL, "%s: the plan of comparison %lld is not understood", store, c->record.id);
	if (!rc)
		rc = lab_parse(&c->lab, c->record.lab_name, c->record.lab, err);
	if (!rc)
		rc = variants_get(c, c->record.a, c->record.b, err);
	if (rc)
		comparison_exit(c);
	return rc;
}

void comparison_exit(struct comparison *c)
{
	store_comparison_free(&c->record);
	if (c->store)
		store_close(c->store);
	c->store = NULL;
}

/* In so many seconds as are left, after what the preflight's trials took. */
static int pairs_limit(struct comparison *c, struct err *err)
{
	double spent = (double)(clock_ns() - c->progress.began) / 1e9;
	double each = c->progress.pair * (1 + (c->design.every ? 1.0 / c->design.every : 0));
	unsigned int least = stat_signed_rank_least(0.05), fit;

	if (!(c->limit > 0))
		return 0;
	fit = c->limit > spent ? (unsigned int)((c->limit - spent) / each) : 0;
	if (fit < least)
		return err_set(
			err, -ETIME,
			"a pair of trials takes about %.1f s, so only %u fit into what is left of %.0f s; %u have an "
			"interval at all: give --time %.0f or more, or a smaller load (--set)",
			each, fit, c->limit, least, ceil(spent + (least + 1) * each));
	if (fit < c->design.pairs)
		c->design.pairs = fit;
	return 0;
}

int comparison_check(struct comparison *c, struct err *err)
{
	int rc;

	signals_take();
	progress_begin(&c->progress);
	rc = preflight_run(c, &stop, err);
	return rc || c->record.id ? rc : pairs_limit(c, err);
}

static int record_add(struct comparison *c, struct err *err)
{
	json_decref(c->record.plan);
	c->record.plan = design_json(&c->design);
	return store_comparison_add(c->store, &c->record, err);
}

/* Both trials of a pair, in the order of the step. */
static int pair_run(struct comparison *c, const struct step *step, struct trial_answer answer[2], struct err *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < 2; i++) {
		int side = step->b_first ? 1 - i : i;
		struct trial_ask ask = {.lab = &c->lab, .variant = side && !step->floor ? c->b : c->a, .stop = &stop};

		rc = trial_run(&answer[side], &ask, err);
		if (!rc)
			progress_trial(&c->progress, answer[side].trial.took);
	}
	return rc;
}

static int pair_do(struct comparison *c, const struct step *step, struct err *err)
{
	struct trial_answer answer[2] = {{.fingerprint = NULL}, {.fingerprint = NULL}};
	struct store_pair pair = {.number = step->number,
				  .floor = step->floor,
				  .b_first = step->b_first,
				  .trial = {&answer[0].trial, &answer[1].trial}};
	int rc = pair_run(c, step, answer, err);

	if (!rc && !c->record.id)
		rc = record_add(c, err);
	if (!rc)
		rc = store_pair_add(c->store, c->record.id, &pair, err);
	trial_free(&answer[0]);
	trial_free(&answer[1]);
	if (!rc)
		step->floor ? c->record.floor_pairs++ : c->record.pairs++;
	return rc;
}

/* Whether nothing is left open; and the widest interval, as half of it. */
static int look(struct comparison *c, bool *settled, double *half_width, struct err *err)
{
	struct stored stored;
	int rc = stored_judge(&stored, c->store, &c->record, err);

	*settled = !rc && stored.judge.count;
	*half_width = 0;
	for (unsigned int i = 0; !rc && i < stored.judge.count; i++) {
		const struct finding *f = &stored.judge.findings[i];

		*settled &= f->call != CALL_INCONCLUSIVE;
		*half_width = fmax(*half_width, (f->ci.high - f->ci.low) / 2);
	}
	if (!rc)
		stored_exit(&stored);
	return rc;
}

/* After a pair of A and B: 1 where the comparison has come to its end before all pairs are run. */
static int ends_here(struct comparison *c, struct err *err)
{
	bool precise = c->design.precision > 0 && c->record.pairs == DESIGN_FIRST, settled;
	double half_width;
	int rc;

	if (!precise && !design_look(&c->design, c->record.pairs))
		return 0;
	rc = look(c, &settled, &half_width, err);
	if (rc || !precise)
		return rc ? rc : settled && !(c->design.precision > 0);
	c->design.pairs = design_pairs_for(&c->design, c->record.pairs, half_width);
	json_decref(c->record.plan);
	c->record.plan = design_json(&c->design);
	return store_comparison_plan(c->store, &c->record, err);
}

static void show(struct comparison *c, const struct step *step)
{
	unsigned int left = design_left(&c->design, c->record.pairs, c->record.floor_pairs);
	char what[96];

	if (step->floor)
		snprintf(what, sizeof(what), "pair %u of A and A", step->number);
	else
		snprintf(what, sizeof(what), "pair %u of %u", step->number, c->design.pairs);
	progress_show(&c->progress, what, left);
}

int comparison_go(struct comparison *c, struct err *err)
{
	struct step step;
	int rc = 0;

	while (!rc && design_step(&c->design, c->record.pairs, c->record.floor_pairs, &step)) {
		show(c, &step);
		rc = stop ? err_set(err, -EINTR, "stopped") : pair_do(c, &step, err);
		if (!rc && !step.floor)
			rc = ends_here(c, err);
	}
	progress_clear(&c->progress);
	if (rc < 0)
		return rc;
	return store_comparison_end(c->store, c->record.id, err);
}
