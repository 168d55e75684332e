/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.c - a trial's answer on its way from the trial's process, as JSON */
#include "answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *values_write(const struct store_trial *trial)
{
	json_t *values = json_array();

	for (unsigned int i = 0; i < trial->nvalues; i++) {
		const struct store_value *v = &trial->value[i];

		json_array_append_new(values, json_pack("{s:s, s:s, s:i, s:f}", "metric", v->metric, "way", v->way,
							"unit", (int)v->unit, "value", v->value));
	}
	return values;
}

json_t *answer_write(const struct store_trial *trial, json_t *fingerprint)
{
	return json_pack("{s:s, s:f, s:f, s:o, s:o, s:s*, s:o}", "began", trial->began, "took", trial->took, "measured",
			 trial->measured, "values", values_write(trial), "series", store_series_json(&trial->series),
			 "raw", trial->raw, "fingerprint", fingerprint ? fingerprint : json_null());
}

json_t *answer_of_error(int rc, const struct err *err)
{
	return json_pack("{s:i, s:s}", "error", rc, "text", err->text);
}

static int values_read(struct store_trial *trial, const json_t *values)
{
	size_t i;
	json_t *one;

	json_array_foreach(values, i, one) {
		struct store_value *v = &trial->value[trial->nvalues];
		const char *metric, *way;
		int unit;

		if (trial->nvalues == STORE_VALUES || json_unpack(one, "{s:s, s:s, s:i, s:f}", "metric", &metric, "way",
								  &way, "unit", &unit, "value", &v->value))
			return -EIO;
		snprintf(v->metric, sizeof(v->metric), "%s", metric);
		snprintf(v->way, sizeof(v->way), "%s", way);
		v->unit = (enum unit)unit;
		trial->nvalues++;
	}
	return 0;
}

int answer_read(struct trial_answer *answer, const json_t *json, struct err *err)
{
	struct store_trial *trial = &answer->trial;
	const char *began = "", *raw = NULL;
	int rc = (int)json_integer_value(json_object_get(json, "error"));
	json_t *fingerprint = json_object_get(json, "fingerprint");

	if (rc)
		return err_set(err, rc, "%s", json_string_value(json_object_get(json, "text")));
	if (json_unpack((json_t *)json, "{s:s, s:f, s:f, s?s}", "began", &began, "took", &trial->took, "measured",
			&trial->measured, "raw", &raw))
		return err_set(err, -EIO, "its answer is not understood");
	snprintf(trial->began, sizeof(trial->began), "%s", began);
	rc = values_read(trial, json_object_get(json, "values"));
	if (!rc)
		rc = store_series_read(&trial->series, json_object_get(json, "series"));
	if (raw && !(trial->raw = strdup(raw)))
		rc = -ENOMEM;
	if (rc)
		return err_set(err, rc, "its answer: %s", strerror(-rc));
	if (json_is_object(fingerprint))
		answer->fingerprint = json_incref(fingerprint);
	return 0;
}
