/* SPDX-License-Identifier: GPL-2.0-or-later */
/* samples.c - the stored pairs of a comparison as samples, in the order in which they were run */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "stmt.h"

#define AGAIN " again" /* behind a name that both sides have */

static const char *name_of_b(char text[SAMPLES_NAME], const struct store_comparison *c, bool floor)
{
	bool same = floor || !strcmp(c->a, c->b);

	snprintf(text, SAMPLES_NAME, "%.*s%s", SAMPLES_NAME - (int)sizeof(AGAIN), floor ? c->a : c->b,
		 same ? AGAIN : "");
	return text;
}

static double seconds_of(const char *began)
{
	struct tm utc = {0};

	return began && strptime(began, "%Y-%m-%dT%H:%M:%SZ", &utc) ? (double)timegm(&utc) : NAN;
}

/* Values are kept in the base of their unit. */
static enum unit unit_of(const char *name)
{
	enum unit unit;
	double scale;

	return unit_parse(name, &unit, &scale) ? UNIT_PLAIN : unit;
}

static int row_take(struct samples *samples, const struct stmt *q, const char *variant, struct err *err)
{
	char cell[SAMPLES_NAME];
	struct store_value v = {.value = stmt_real(q, 6)};
	const char *intervals = stmt_text(q, 7);
	json_t *json = intervals ? stmt_json(q, 7) : NULL;
	struct sample *sample;
	int rc = 0;

	snprintf(v.metric, sizeof(v.metric), "%s", stmt_text(q, 3));
	snprintf(v.way, sizeof(v.way), "%s", stmt_text(q, 4));
	sample = samples_add(samples, variant, store_value_name(cell, &v));
	if (!sample)
		rc = err_set(err, -ENOMEM, "out of memory");
	if (!rc) {
		sample->value = v.value;
		sample->pair = (unsigned int)stmt_int(q, 0);
		sample->began = seconds_of(stmt_text(q, 2));
		rc = samples_unit(samples, sample->cell, unit_of(stmt_text(q, 5)), q->store->path, err);
	}
	if (!rc && intervals && store_series_read(&sample->series, json))
		rc = err_set(err, -EINVAL, "%s: the intervals of pair %u are damaged", q->store->path, sample->pair);
	json_decref(json);
	return rc;
}

int store_samples(struct store *s, const struct store_comparison *c, bool floor, struct samples *samples,
		  struct err *err)
{
	char b[SAMPLES_NAME];
	struct stmt q;
	int rc;

	name_of_b(b, c, floor);
	if (names_get(&samples->variants, c->a) < 0 || names_get(&samples->variants, b) < 0)
		return err_set(err, -ENOMEM, "out of memory");
	samples->order = SAMPLES_ORDERED;
	stmt_begin(&q, s,
		   "SELECT t.pair, t.side, t.began, v.metric, v.way, v.unit, v.value, i.intervals "
		   "FROM trial t JOIN value v ON v.trial = t.id LEFT JOIN series i "
		   "ON i.trial = t.id AND i.metric = v.metric AND i.way = v.way "
		   "WHERE t.comparison = ? AND t.floor = ? ORDER BY t.pair, t.second, v.place");
	stmt_bind_int(&q, c->id);
	stmt_bind_int(&q, floor);
	while ((rc = stmt_row(&q, err)) > 0) {
		rc = row_take(samples, &q, *stmt_text(&q, 1) == 'a' ? c->a : b, err);
		if (rc)
			break;
	}
	stmt_end(&q);
	return rc;
}
