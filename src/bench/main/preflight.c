/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preflight.c - before anything counts */
#include "preflight.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/trial/trial.h"
#include "differs.h"

/* One trial that does not count. */
static int try(struct comparison *c, const struct lab_variant *v, const struct trial_ask *how,
	       struct trial_answer *answer, struct err *err)
{
	struct trial_ask ask = *how;
	char what[96];
	int rc;

	ask.variant = v;
	snprintf(what, sizeof(what), "preflight: %.64s", v->name);
	progress_show(&c->progress, what, 0);
	rc = trial_run(answer, &ask, err);
	progress_clear(&c->progress);
	if (!rc)
		progress_trial(&c->progress, answer->trial.took);
	return rc;
}

/* The part of `floor` that two variants reach at most: 2.3, of what is more the better it is; 0: nothing is. */
static double headroom(const struct store_trial *floor, const struct store_trial *a, const struct store_trial *b)
{
	double least = 0;

	for (unsigned int i = 0; i < floor->nvalues && i < a->nvalues && i < b->nvalues; i++) {
		double ratio = floor->value[i].value / fmax(a->value[i].value, b->value[i].value);

		if (!unit_less_is_better(floor->value[i].unit) && (!least || ratio < least))
			least = ratio;
	}
	return least;
}

/* Where the load's speed is part of what is measured, and there is a place for a floor. */
static bool has_floor(const struct comparison *c)
{
	const struct lab_load *load = &c->lab.load;

	return c->lab.topology != LAB_WIRE && c->a->router != LAB_HOOKS && c->b->router != LAB_HOOKS &&
	       c->a->router != LAB_REDIRECT && c->b->router != LAB_REDIRECT && load->kind != LAB_TABLE &&
	       load->kind != LAB_LATENCY && load->kind != LAB_HOOK;
}

static int floor_try(struct comparison *c, const struct trial_answer answer[2], const struct trial_ask *how,
		     struct err *err)
{
	struct lab lab = c->lab; /* a variant is added to it */
	const struct lab_variant *bare = lab_variant_get(&lab, "bare-redirect", err);
	struct trial_ask ask = *how;
	struct trial_answer floor;
	int rc;

	ask.lab = &lab;
	ask.fingerprint = false;
	rc = bare ? try(c, bare, &ask, &floor, err) : -EINVAL;
	if (rc)
		return rc;
	c->record.headroom = headroom(&floor.trial, &answer[0].trial, &answer[1].trial);
	trial_free(&floor);
	return 0;
}

/* Whether two fingerprints have the same value for a key, or none. */
static bool agree(const json_t *a, const json_t *b, const char *key)
{
	json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return (!x && !y) || json_equal(x, y);
}

/* Programs of this project may be two builds; and kernels two kernels. */
static bool same_image(const struct comparison *c, const json_t *a, const json_t *b)
{
	if (!agree(a, b, "kernel.release") || !agree(a, b, "kernel.version"))
		return false;
	return c->a->router != LAB_PORTICO || c->b->router != LAB_PORTICO || agree(a, b, "router.build");
}

static int unchanged(const char *variant, const json_t *before, const json_t *now, struct err *err)
{
	char text[400];

	if (!before || !now || !differs_write(text, sizeof(text), before, now))
		return 0;
	return err_set(
		err, -ESTALE,
		"variant '%s' is not on what the comparison was begun on (%s): what was measured before cannot be "
		"compared with what would be; begin anew",
		variant, text);
}

/* A new comparison takes the fingerprints over; one that goes on must have the same. */
static int fingerprints_take(struct comparison *c, struct trial_answer answer[2], struct err *err)
{
	struct store_comparison *r = &c->record;
	int rc;

	if (r->id) {
		rc = unchanged(r->a, r->fingerprint_a, answer[0].fingerprint, err);
		return rc ? rc : unchanged(r->b, r->fingerprint_b, answer[1].fingerprint, err);
	}
	r->fingerprint_a = json_incref(answer[0].fingerprint);
	r->fingerprint_b = json_incref(answer[1].fingerprint);
	c->design.same_image = same_image(c, r->fingerprint_a, r->fingerprint_b);
	return 0;
}

int preflight_run(struct comparison *c, const volatile sig_atomic_t *stop, struct err *err)
{
	struct trial_answer answer[2] = {{.fingerprint = NULL}, {.fingerprint = NULL}};
	struct trial_ask how = {.lab = &c->lab, .fingerprint = true, .stop = stop};
	int rc = try(c, c->a, &how, &answer[0], err);

	if (!rc)
		rc = try(c, c->b, &how, &answer[1], err);
	if (!rc)
		rc = fingerprints_take(c, answer, err);
	if (!rc && !c->record.id && has_floor(c))
		rc = floor_try(c, answer, &how, err);
	trial_free(&answer[0]);
	trial_free(&answer[1]);
	return rc;
}
