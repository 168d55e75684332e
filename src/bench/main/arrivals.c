/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrivals.c - what of the load did not arrive as it was sent
 *
 * Out of the raw counts of trials (trial/measure_load.c), of measurements alone: a search for a rate loses on purpose.
 */
#include "arrivals.h"

#include <errno.h>
#include <string.h>

#define MEASUREMENT "measurement"

struct arrivals {
	double sent, lost, late, out_of_order;
};

static double number(const json_t *count, const char *key)
{
	return json_number_value(json_object_get(count, key));
}

static void way_add(struct arrivals *a, const json_t *count)
{
	a->sent += number(count, "sent");
	a->lost += number(count, "sent") - number(count, "received");
	a->late += number(count, "late");
	a->out_of_order += number(count, "out_of_order");
}

static void trial_add(struct arrivals *a, const json_t *raw)
{
	const json_t *run;
	size_t i;

	json_array_foreach(raw, i, run) {
		const char *what = json_string_value(json_object_get(run, "what"));

		if (!what || strcmp(what, MEASUREMENT))
			continue;
		way_add(a, json_object_get(run, "out"));
		way_add(a, json_object_get(run, "in"));
	}
}

static void warn(struct warnings *w, const char *variant, const struct arrivals *a)
{
	if (a->lost > 0 || a->late > 0 || a->out_of_order > 0)
		warnings_add(
			w, "arrivals",
			"of %.0f packets measured through '%s', %.3g %% were lost, %.3g %% came late, %.3g %% out of "
			"order",
			a->sent, variant, 100 * a->lost / a->sent, 100 * a->late / a->sent,
			100 * a->out_of_order / a->sent);
}

int arrivals_warn(struct warnings *w, struct store *store, const struct store_comparison *c, struct err *err)
{
	struct arrivals a = {0}, b = {0};
	json_t *all = store_export(store, c->id, err);
	const json_t *trial;
	size_t i;

	if (!all)
		return -EIO;
	json_array_foreach(json_object_get(all, "trials"), i, trial) {
		const char *side = json_string_value(json_object_get(trial, "side"));

		if (!json_is_true(json_object_get(trial, "floor")) && side)
			trial_add(*side == 'a' ? &a : &b, json_object_get(trial, "raw"));
	}
	json_decref(all);
	warn(w, c->a, &a);
	warn(w, c->b, &b);
	return 0;
}
