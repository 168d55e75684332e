/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.c - everything of a comparison as JSON, and its values as a table */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "stmt.h"

/* NULL is null. */
static json_t *or_null(json_t *value)
{
	return value ? value : json_null();
}

static json_t *same_or_null(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

json_t *store_comparison_json(const struct store_comparison *c)
{
	return json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:f, s:i, s:i, s:f}", "id",
			 (json_int_t)c->id, "began", c->began, "ended", c->ended, "lab", c->lab_name, "lab_text",
			 c->lab, "a", c->a, "b", c->b, "plan", same_or_null(c->plan), "fingerprint_a",
			 same_or_null(c->fingerprint_a), "fingerprint_b", same_or_null(c->fingerprint_b), "headroom",
			 c->headroom, "pairs", (int)c->pairs, "floor_pairs", (int)c->floor_pairs, "took", c->took);
}

/* What was printed or counted: as it is where it is JSON, else as a text. */
static json_t *raw_json(const struct stmt *q, int column)
{
	json_t *json = stmt_json(q, column);

	return json || !stmt_text(q, column) ? or_null(json) : or_null(json_string(stmt_text(q, column)));
}

static json_t *values_json(struct store *s, long long trial, struct err *err)
{
	json_t *all = json_array();
	struct stmt q;
	int rc;

	stmt_begin(&q, s, "SELECT metric, way, unit, value FROM value WHERE trial = ? ORDER BY place");
	stmt_bind_int(&q, trial);
	while ((rc = stmt_row(&q, err)) > 0)
		json_array_append_new(all,
				      json_pack("{s:s, s:s, s:s, s:f}", "metric", stmt_text(&q, 0), "way",
						stmt_text(&q, 1), "unit", stmt_text(&q, 2), "value", stmt_real(&q, 3)));
	stmt_end(&q);
	if (!rc)
		return all;
	json_decref(all);
	return NULL;
}

static json_t *trials_json(struct store *s, long long comparison, struct err *err)
{
	json_t *all = json_array();
	struct stmt q;
	int rc;

	stmt_begin(&q, s,
		   "SELECT id, pair, floor, side, second, began, took, measured, intervals, text FROM trial "
		   "LEFT JOIN series ON series.trial = id LEFT JOIN raw ON raw.trial = id "
		   "WHERE comparison = ? ORDER BY floor, pair, second");
	stmt_bind_int(&q, comparison);
	while ((rc = stmt_row(&q, err)) > 0) {
		json_t *values = values_json(s, stmt_int(&q, 0), err);

		if (!values) {
			rc = -EIO;
			break;
		}
		json_array_append_new(all, json_pack("{s:I, s:b, s:s, s:b, s:s, s:f, s:f, s:o, s:o, s:o}", "pair",
						     (json_int_t)stmt_int(&q, 1), "floor", (int)stmt_int(&q, 2), "side",
						     stmt_text(&q, 3), "second", (int)stmt_int(&q, 4), "began",
						     stmt_text(&q, 5), "took", stmt_real(&q, 6), "measured",
						     stmt_real(&q, 7), "values", values, "series",
						     or_null(stmt_json(&q, 8)), "raw", raw_json(&q, 9)));
	}
	stmt_end(&q);
	if (!rc)
		return all;
	json_decref(all);
	return NULL;
}

json_t *store_export(struct store *s, long long id, struct err *err)
{
	struct store_comparison c;
	json_t *all, *trials;

	if (store_comparison_get(s, id, &c, err))
		return NULL;
	all = store_comparison_json(&c);
	trials = trials_json(s, c.id, err);
	store_comparison_free(&c);
	if (all && trials && !json_object_set_new(all, "trials", trials))
		return all;
	if (trials)
		err_set(err, -ENOMEM, "out of memory");
	json_decref(all);
	return NULL;
}

/* A field in quotes, which a name may need. */
static void field_print(const char *text, const char *unit)
{
	putchar('"');
	for (; *text; text++)
		printf(*text == '"' ? "\"\"" : "%c", *text);
	printf(*unit ? " (%s)\"" : "\"", unit);
}

static void head_print(const struct samples *samples, const struct store_comparison *c)
{
	printf("# comparison %lld, lab %s, begun %s: %u pairs\nvariant,pair", c->id, c->lab_name, c->began, c->pairs);
	for (unsigned int i = 0; i < samples->cells.count; i++) {
		putchar(',');
		field_print(samples->cells.label[i].text, unit_name(samples->cells.label[i].unit));
	}
	puts(",comment");
}

/* When a run began. */
static void began_print(double began)
{
	time_t seconds = (time_t)began;
	char text[STORE_TIME] = "";
	struct tm utc;

	if (!isnan(began) && gmtime_r(&seconds, &utc))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	printf(",%s\n", text);
}

/* One run: the samples of a variant among those of a pair. */
static void run_print(const struct samples *samples, unsigned int first, unsigned int end, unsigned int variant)
{
	double began = NAN;

	field_print(samples->variants.label[variant].text, "");
	printf(",%u", samples->sample[first].pair);
	for (unsigned int cell = 0; cell < samples->cells.count; cell++) {
		putchar(',');
		for (unsigned int i = first; i < end; i++) {
			const struct sample *at = &samples->sample[i];

			if (at->variant == variant && at->cell == cell) {
				printf("%.17g", at->value);
				began = at->began;
			}
		}
	}
	began_print(began);
}

/* A before B, whichever was run first: a reader takes the first name for what others are compared with. Returns the
 * first sample of the next pair. */
static unsigned int pair_print(const struct samples *samples, unsigned int first)
{
	unsigned int end = first;

	while (end < samples->count && samples->sample[end].pair == samples->sample[first].pair)
		end++;
	run_print(samples, first, end, 0);
	run_print(samples, first, end, 1);
	return end;
}

int store_export_table(struct store *s, long long id, struct err *err)
{
	struct store_comparison c;
	struct samples samples;
	int rc = store_comparison_get(s, id, &c, err);

	if (rc)
		return rc;
	samples_init(&samples);
	rc = store_samples(s, &c, false, &samples, err);
	if (!rc && !samples.count)
		rc = err_set(err, -ENODATA, "%s: comparison %lld has no pair of A and B", s->path, c.id);
	if (!rc) {
		head_print(&samples, &c);
		for (unsigned int i = 0; i < samples.count;)
			i = pair_print(&samples, i);
	}
	samples_exit(&samples);
	store_comparison_free(&c);
	return rc;
}
