/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.c - the intervals inside a run as JSON, and back */
#include <errno.h>

#include "store.h"

static json_t *numbers_json(const double *number, unsigned int count)
{
	json_t *all = json_array();

	for (unsigned int i = 0; i < count; i++)
		if (json_array_append_new(all, json_real(number[i]))) {
			json_decref(all);
			return NULL;
		}
	return all;
}

json_t *store_series_json(const struct series *series)
{
	return json_pack("{s:f, s:i, s:f, s:f, s:o, s:o}", "interval", series->interval, "omitted",
			 (int)series->omitted, "partial", series->partial, "partial_value", series->partial_value,
			 "values", numbers_json(series->value, series->count), "lengths",
			 numbers_json(series->length, series->count));
}

int store_series_read(struct series *series, json_t *json)
{
	json_t *values, *lengths;
	int omitted, rc = 0;

	if (json_unpack(json, "{s:F, s:i, s:F, s:F, s:o, s:o}", "interval", &series->interval, "omitted", &omitted,
			"partial", &series->partial, "partial_value", &series->partial_value, "values", &values,
			"lengths", &lengths) ||
	    json_array_size(values) != json_array_size(lengths) || omitted < 0)
		return -EINVAL;
	series->omitted = (unsigned int)omitted;
	for (size_t i = 0; !rc && i < json_array_size(values); i++)
		rc = series_add(series, json_number_value(json_array_get(values, i)),
				json_number_value(json_array_get(lengths, i)));
	return rc;
}
