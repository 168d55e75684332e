/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair.c - a pair of trials is stored: all of it, or nothing */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stmt.h"

const char *store_value_name(char text[SAMPLES_NAME], const struct store_value *v)
{
	snprintf(text, SAMPLES_NAME, "%s%s%s", v->way, *v->way ? " " : "", v->metric);
	return text;
}

static const struct store_value *find(const struct store_trial *t, const struct store_value *like)
{
	for (unsigned int i = 0; i < t->nvalues; i++)
		if (!strcmp(t->value[i].metric, like->metric) && !strcmp(t->value[i].way, like->way))
			return &t->value[i];
	return NULL;
}

/* One side's values: finite, and of the same kinds as the other's. */
static int side_check(const struct store_pair *pair, unsigned int side, struct err *err)
{
	const struct store_trial *own = pair->trial[side], *other = pair->trial[!side];
	char name[SAMPLES_NAME];

	if (!own->nvalues)
		return err_set(err, -EINVAL, "pair %u: a trial has no value", pair->number);
	for (unsigned int i = 0; i < own->nvalues; i++) {
		const struct store_value *v = &own->value[i], *of_other = find(other, v);

		store_value_name(name, v);
		if (!isfinite(v->value))
			return err_set(err, -ERANGE, "pair %u: %s is %f, which is no measurement", pair->number, name,
				       v->value);
		if (!of_other || of_other->unit != v->unit)
			return err_set(err, -EINVAL, "pair %u: %s was measured for one side only%s", pair->number, name,
				       of_other ? " in this unit" : "");
	}
	return 0;
}

static int trial_insert(struct store *s, long long comparison, const struct store_pair *pair, unsigned int side,
			struct err *err)
{
	const struct store_trial *t = pair->trial[side];
	struct stmt q;

	stmt_begin(&q, s,
		   "INSERT INTO trial (comparison, pair, floor, side, second, began, took, measured) "
		   "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
	stmt_bind_int(&q, comparison);
	stmt_bind_int(&q, pair->number);
	stmt_bind_int(&q, pair->floor);
	stmt_bind_text(&q, side ? "b" : "a");
	stmt_bind_int(&q, side ? !pair->b_first : pair->b_first);
	stmt_bind_text(&q, t->began);
	stmt_bind_real(&q, t->took);
	stmt_bind_real(&q, t->measured);
	return stmt_run(&q, err);
}

static int value_insert(struct store *s, long long trial, unsigned int place, const struct store_value *v,
			struct err *err)
{
	struct stmt q;

	stmt_begin(&q, s, "INSERT INTO value (trial, place, metric, way, unit, value) VALUES (?, ?, ?, ?, ?, ?)");
	stmt_bind_int(&q, trial);
	stmt_bind_int(&q, place);
	stmt_bind_text(&q, v->metric);
	stmt_bind_text(&q, v->way);
	stmt_bind_text(&q, unit_name(v->unit));
	stmt_bind_real(&q, v->value);
	return stmt_run(&q, err);
}

static int series_insert(struct store *s, long long trial, const struct store_trial *t, struct err *err)
{
	json_t *intervals = store_series_json(&t->series);
	struct stmt q;

	if (!intervals)
		return err_set(err, -ERANGE, "an interval inside a run is no number, or memory ended");
	stmt_begin(&q, s, "INSERT INTO series (trial, metric, way, interval, intervals) VALUES (?, ?, ?, ?, ?)");
	stmt_bind_int(&q, trial);
	stmt_bind_text(&q, t->value[0].metric);
	stmt_bind_text(&q, t->value[0].way);
	stmt_bind_real(&q, t->series.interval);
	stmt_bind_json(&q, intervals);
	json_decref(intervals);
	return stmt_run(&q, err);
}

static int raw_insert(struct store *s, long long trial, const char *raw, struct err *err)
{
	struct stmt q;

	stmt_begin(&q, s, "INSERT INTO raw (trial, text) VALUES (?, ?)");
	stmt_bind_int(&q, trial);
	stmt_bind_text(&q, raw);
	return stmt_run(&q, err);
}

static int side_insert(struct store *s, long long comparison, const struct store_pair *pair, unsigned int side,
		       struct err *err)
{
	const struct store_trial *t = pair->trial[side];
	int rc = trial_insert(s, comparison, pair, side, err);
	long long trial = sqlite3_last_insert_rowid(s->db);

	for (unsigned int i = 0; !rc && i < t->nvalues; i++)
		rc = value_insert(s, trial, i, &t->value[i], err);
	if (!rc && t->series.count)
		rc = series_insert(s, trial, t, err);
	if (!rc && t->raw)
		rc = raw_insert(s, trial, t->raw, err);
	return rc;
}

int store_pair_add(struct store *s, long long comparison, const struct store_pair *pair, struct err *err)
{
	int rc = 0;

	for (unsigned int side = 0; !rc && side < 2; side++)
		rc = side_check(pair, side, err);
	if (!rc)
		rc = stmt_do(s, "BEGIN IMMEDIATE", err);
	if (rc)
		return rc;
	for (unsigned int side = 0; !rc && side < 2; side++)
		rc = side_insert(s, comparison, pair, side, err);
	return stmt_commit(s, rc, err);
}
