/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series_json.c - reads series files: measurements written down by hand, in JSON, in one of four shapes
 *
 *      {"unit": "Mbit/s", "interval_s": 1, "values": [143, 152],       one run, interval by interval; the last one may
 *       "last_partial_s": 0.06, "last_partial_value": 250}             be shorter
 *
 *      {"unit": "Mbit/s", "variants": [{"name": "old",                 runs of several variants; what else has numbers
 *        "download": [577, 592], "upload": [386, 380]}]}               in it is a cell
 *
 *      {"unit": "Mbit/s", "image_bytes": {"before": 1, "after": 2},    a table before and after; texts make the cell's
 *       "cells": [{"gro": "off", "direction": "lan-to-wan",            name
 *         "before": 824, "after": 940}]}
 *
 *      {"unit": "Mbit/s", "order": "oldest first",                     one run of each commit, or runs in the order
 *       "runs": [{"commit": "one", "value": 805}]}                     in which they were run ("variant")
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "field.h"
#include "forms.h"

/* What the values of a file are in. */
struct measure {
	enum unit unit;
	double scale;
};

static int measure_read(const struct spot *root, const struct read_how *how, struct measure *m, struct err *err)
{
	const char *word = field_text(root, "unit");

	*m = (struct measure){how->unit == UNIT_UNKNOWN ? UNIT_PLAIN : how->unit,
			      how->unit == UNIT_UNKNOWN ? 1 : how->scale};
	if (json_object_get(root->object, "unit") && (!word || unit_parse(word, &m->unit, &m->scale)))
		return err_set(err, -EINVAL, "%sunit is '%s'; known are " UNIT_WORDS, root->text,
			       word ? word : "no text");
	return 0;
}

/* One run. */
struct entry {
	const char *variant, *cell;
	const json_t *value;
	const char *where;
};

static int entry_add(struct samples *s, const struct entry *e, const struct measure *m, struct err *err)
{
	struct sample *sample;
	double value;

	if (field_check(e->value, &value, e->where, err))
		return -EINVAL;
	sample = samples_add(s, e->variant, e->cell);
	if (!sample)
		return err_set(err, -ENOMEM, "%s: out of memory", e->where);
	sample->value = value * m->scale;
	return samples_unit(s, sample->cell, m->unit, e->where, err);
}

/* A number, or an array of them: as many runs. */
static int entries_add(struct samples *s, const struct entry *e, const struct measure *m, struct err *err)
{
	char where[FIELD_TEXT + 128];
	struct entry one = {e->variant, e->cell, NULL, where};
	int rc = 0;

	if (!json_is_array(e->value))
		return entry_add(s, e, m, err);
	if (!json_array_size(e->value))
		return err_set(err, -EINVAL, "%s is empty", e->where);
	for (size_t i = 0; !rc && i < json_array_size(e->value); i++) {
		snprintf(where, sizeof(where), "%s[%zu]", e->where, i);
		one.value = json_array_get(e->value, i);
		rc = entry_add(s, &one, m, err);
	}
	return rc;
}

/* Each member of an object that is no text. The variant or the cell is NULL: the member's name. */
static int members_add(struct samples *s, const struct entry *of, const struct measure *m, struct err *err)
{
	char where[FIELD_TEXT + 64];
	const json_t *value;
	const char *key;

	json_object_foreach((json_t *)of->value, key, value) {
		struct entry e = {of->variant ? of->variant : key, of->cell ? of->cell : key, value, where};
		int rc;

		if (json_is_string(value))
			continue;
		snprintf(where, sizeof(where), "%s%.60s", of->where, key);
		rc = entries_add(s, &e, m, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int values_fill(struct sample *sample, const struct spot *root, const struct measure *m, struct err *err)
{
	const json_t *values = field_array(root, "values", err);
	double interval, value, partial;
	char where[FIELD_TEXT + 64];

	if (!values || field_positive(root, "interval_s", &interval, err))
		return -EINVAL;
	for (size_t i = 0; i < json_array_size(values); i++) {
		snprintf(where, sizeof(where), "%svalues[%zu]", root->text, i);
		if (field_check(json_array_get(values, i), &value, where, err))
			return -EINVAL;
		if (series_add(&sample->series, value * m->scale, interval))
			return err_set(err, -ENOMEM, "%s: out of memory", where);
	}
	sample->value = series_mean(&sample->series);
	sample->of_intervals = true;
	sample->series.interval = interval;
	if (!json_object_get(root->object, "last_partial_s"))
		return 0;
	if (field_positive(root, "last_partial_s", &partial, err) ||
	    field_number(root, "last_partial_value", &value, err))
		return -EINVAL;
	sample->series.partial = partial;
	sample->series.partial_value = value * m->scale;
	return 0;
}

static int values_read(struct samples *s, const struct spot *root, const struct measure *m, struct err *err)
{
	struct sample *sample = samples_add(s, "", "");
	int rc;

	if (!sample)
		return err_set(err, -ENOMEM, "%sout of memory", root->text);
	rc = values_fill(sample, root, m, err);
	return rc ? rc : samples_unit(s, sample->cell, m->unit, root->path, err);
}

static int variants_read(struct samples *s, const struct spot *root, const struct measure *m, struct err *err)
{
	const json_t *variants = json_object_get(root->object, "variants");
	int rc;

	for (size_t i = 0; i < json_array_size(variants); i++) {
		struct spot at = spot_of(root, "variants", i);
		const char *name = field_text(&at, "name");
		unsigned int before = s->count;

		if (!name || names_find(&s->variants, name) >= 0)
			return err_set(err, -EINVAL, "%sname is %s", at.text, name ? "there already" : "missing");
		rc = members_add(s, &(struct entry){name, NULL, at.object, at.text}, m, err);
		if (rc)
			return rc;
		if (s->count == before)
			return err_set(err, -EINVAL, "%svariants[%zu] has no numbers", root->text, i);
	}
	s->order = SAMPLES_GROUPED;
	return 0;
}

/* What the texts of a cell say: "gro off, lan-to-wan". */
static void cell_name(char name[SAMPLES_NAME], const json_t *cell)
{
	const json_t *value;
	const char *key;
	size_t n = 0;

	*name = 0;
	json_object_foreach((json_t *)cell, key, value) {
		const char *word = json_string_value(value);
		int plain = !strcmp(key, "direction") || !strcmp(key, "name");

		if (word && n < SAMPLES_NAME)
			n += (size_t)snprintf(name + n, SAMPLES_NAME - n, "%s%s%s%s", n ? ", " : "", plain ? "" : key,
					      plain ? "" : " ", word);
	}
}

static int cells_read(struct samples *s, const struct spot *root, const struct measure *m, struct err *err)
{
	const json_t *cells = json_object_get(root->object, "cells");
	char name[SAMPLES_NAME];
	int rc = 0;

	for (size_t i = 0; !rc && i < json_array_size(cells); i++) {
		struct spot at = spot_of(root, "cells", i);

		cell_name(name, at.object);
		if (names_find(&s->cells, name) >= 0)
			return err_set(err, -EINVAL, "%scells[%zu] is '%s', which is there already", root->text, i,
				       name);
		rc = members_add(s, &(struct entry){NULL, name, at.object, at.text}, m, err);
	}
	return rc;
}

static const char *run_name(const struct spot *at)
{
	static const char *const keys[] = {"commit", "variant", "name"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (field_text(at, keys[i]))
			return field_text(at, keys[i]);
	return NULL;
}

static int runs_read(struct samples *s, const struct spot *root, const struct measure *m, struct err *err)
{
	size_t n = json_array_size(json_object_get(root->object, "runs"));
	const char *order = field_text(root, "order");
	bool backwards = order && !strcmp(order, "newest first");
	char where[FIELD_TEXT + 64];

	s->order = backwards || (order && !strcmp(order, "oldest first")) ? SAMPLES_HISTORY : SAMPLES_ORDERED;
	for (size_t i = 0; i < n; i++) {
		struct spot at = spot_of(root, "runs", backwards ? n - 1 - i : i);
		const char *name = run_name(&at), *direction = field_text(&at, "direction");
		struct entry e = {name, direction ? direction : "", json_object_get(at.object, "value"), where};
		int rc;

		if (!name)
			return err_set(err, -EINVAL, "%scommit is missing", at.text);
		snprintf(where, sizeof(where), "%svalue", at.text);
		rc = entry_add(s, &e, m, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* Sizes of images, by the name of the variant. */
static int images_read(struct samples *s, const struct spot *root, struct err *err)
{
	struct spot images = spot_in(root, "image_bytes");

	for (unsigned int i = 0; images.object && i < 2 && i < s->variants.count; i++) {
		const char *name = s->variants.label[i].text;

		if (json_object_get(images.object, name) && field_positive(&images, name, &s->image_bytes[i], err))
			return -EINVAL;
	}
	return 0;
}

static const struct shape {
	const char *key;
	int (*read)(struct samples *s, const struct spot *root, const struct measure *m, struct err *err);
} shapes[] = {
	{"values", values_read},
	{"variants", variants_read},
	{"cells", cells_read},
	{"runs", runs_read},
};

int series_json_read(struct samples *s, const json_t *root, const char *path, const struct read_how *how,
		     struct err *err)
{
	struct spot at = spot_root(root, path);
	const struct shape *shape = NULL;
	struct measure m;
	int rc;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		if (!json_object_get(root, shapes[i].key))
			continue;
		if (shape)
			return err_set(err, -EINVAL, "%shas both '%s' and '%s'", at.text, shape->key, shapes[i].key);
		shape = &shapes[i];
	}
	if (!shape)
		return err_set(err, -EINVAL,
			       "%sneither iperf3's output nor a series file: it has no 'intervals', 'values', "
			       "'variants', 'cells' or 'runs'",
			       at.text);
	if (!field_array(&at, shape->key, err))
		return -EINVAL;
	rc = measure_read(&at, how, &m, err);
	if (!rc)
		rc = shape->read(s, &at, &m, err);
	return rc ? rc : images_read(s, &at, err);
}
