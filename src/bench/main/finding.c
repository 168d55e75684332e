/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finding.c - what is found about one comparison, as JSON */
#include "finding.h"

#include <math.h>

#include "bench/stat/layout.h"
#include "sentence.h"

void finding_take(struct finding *f, const struct stat_verdict *v)
{
	f->call = (enum call)v->call;
	f->paired = v->paired;
	f->effect = v->effect;
	f->ci = v->ci;
	f->same = v->same;
	f->p = v->p;
	f->pairs_needed = v->needed;
	f->layouts_needed = f->layout_sd > 0 ? stat_layout_needed(log1p(v->effect), f->layout_sd, 0.05) : 0;
}

const char *finding_call(enum call call)
{
	static const char *const names[] = {
		[CALL_INCONCLUSIVE] = "INCONCLUSIVE",
		[CALL_FASTER] = "FASTER",
		[CALL_SLOWER] = "SLOWER",
		[CALL_SAME] = "SAME",
		[CALL_LINK_LIMITED] = "LINK-LIMITED",
	};

	return names[call];
}

static json_t *number_or_null(double value, bool known)
{
	return known ? json_real(value) : json_null();
}

static json_t *side_json(const struct finding_side *side)
{
	return json_pack("{s:s, s:i, s:f, s:i, s:i}", "name", side->name, "runs", (int)side->runs, "median",
			 side->median, "layouts", side->layouts ? (int)side->layouts : 1, "censored",
			 (int)side->censored);
}

static json_t *interval_json(const struct stat_interval *i)
{
	if (i->level <= 0)
		return json_null();
	return json_pack("{s:f, s:f, s:f}", "level", i->level, "low_percent", 100 * i->low, "high_percent",
			 100 * i->high);
}

static json_t *count_or_null(unsigned int n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *stay_json(const struct stat_stay stay[2])
{
	return json_pack("[{s:f, s:f, s:i}, {s:f, s:f, s:i}]", "level", stay[0].level, "share", stay[0].share, "visits",
			 (int)stay[0].visits, "level", stay[1].level, "share", stay[1].share, "visits",
			 (int)stay[1].visits);
}

static json_t *split_json(const struct finding_split *split)
{
	if (!split->modes.two)
		return json_null();
	return json_pack("{s:o, s:o, s:f, s:f, s:f}", "a", stay_json(split->a), "b", stay_json(split->b), "difference",
			 split->sum.total, "in_levels", split->sum.level, "in_shares", split->sum.occupancy);
}

json_t *finding_json(const struct finding *f)
{
	bool seen = f->call != CALL_LINK_LIMITED;
	char text[SENTENCE_TEXT];
	json_t *json = json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:f}", "verdict", finding_call(f->call),
				 "cell", f->cell, "unit", unit_name(f->unit), "a", side_json(&f->a), "b",
				 side_json(&f->b), "paired", f->paired, "effect_percent",
				 number_or_null(100 * f->effect, seen), "interval", interval_json(&f->ci),
				 "interval_same", interval_json(&f->same), "smallest_effect_percent", 100 * f->delta);
	json_t *more = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "p", number_or_null(f->p, f->ci.level > 0), "pairs_needed",
		count_or_null(f->pairs_needed), "pairs_least", count_or_null(f->pairs_least), "layouts_needed",
		count_or_null(seen ? f->layouts_needed : 0), "floor_percent",
		number_or_null(100 * f->floor, f->floor > 0), "headroom", number_or_null(f->headroom, f->headroom > 0),
		"states", split_json(&f->split), "sentence", sentence_write(text, f));

	if (json && more)
		json_object_update(json, more);
	json_decref(more);
	return json;
}
