/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sentence.c - a finding in one sentence */
#include "sentence.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define LARGE 0.10 /* beyond what layout alone was ever seen to do (4.3 %), twice over */

struct sentence {
	char *text;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void say(struct sentence *s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (s->length < SENTENCE_TEXT)
		s->length += (size_t)vsnprintf(s->text + s->length, SENTENCE_TEXT - s->length, format, ap);
	va_end(ap);
}

/* "3.1 % slower than": of a time, more is longer. */
static void say_effect(struct sentence *s, const struct finding *f, double effect)
{
	const char *more = unit_less_is_better(f->unit) ? "longer" : "faster";
	const char *less = unit_less_is_better(f->unit) ? "shorter" : "slower";

	say(s, "%.1f %% %s than", 100 * fabs(effect), effect < 0 ? less : more);
}

/* "24 pairs", "2 and 3 unpaired runs", "one value a side (n = 1)" */
static void say_runs(struct sentence *s, const struct finding *f)
{
	if (f->paired)
		say(s, "%u pair%s", f->a.runs, f->a.runs == 1 ? "" : "s");
	else if (f->a.runs == 1 && f->b.runs == 1)
		say(s, "one value a side (n = 1)");
	else
		say(s, "%u and %u unpaired runs", f->a.runs, f->b.runs);
}

static void say_layouts(struct sentence *s, const struct finding *f)
{
	if (f->same_image)
		return;
	if (f->a.layouts > 1 && f->a.layouts == f->b.layouts)
		say(s, ", %u layouts a side", f->a.layouts);
	else if (f->a.layouts > 1 || f->b.layouts > 1)
		say(s, ", %u and %u layouts", f->a.layouts, f->b.layouts);
}

/* What stands in brackets: how sure, and from how much. */
static void say_basis(struct sentence *s, const struct finding *f, const struct stat_interval *ci)
{
	say(s, " (");
	if (ci->level > 0)
		say(s, "%.0f %% CI %+.1f ... %+.1f %%, ", 100 * ci->level, 100 * ci->low, 100 * ci->high);
	say_runs(s, f);
	say_layouts(s, f);
	if (f->floor > 0)
		say(s, ", A/A floor %.1f %%", 100 * f->floor);
	say(s, ")");
}

/* More runs than there are, and how many. */
static void say_need(struct sentence *s, const struct finding *f)
{
	unsigned int have = f->paired ? f->a.runs : 0;

	if (f->pairs_needed > have)
		say(s, "; about %u %spairs would tell %.3g %%", f->pairs_needed - have, have ? "further " : "",
		    100 * f->delta);
	else if (f->ci.level <= 0 && f->pairs_least > have)
		say(s, "; %u pairs at the least would give an interval", f->pairs_least);
}

/* An interval that leaves 0 out is not enough where several comparisons had the chance to, or A/A does the same. */
static void say_doubt(struct sentence *s, const struct finding *f)
{
	if (f->ci.level <= 0 || (f->ci.low <= 0 && f->ci.high >= 0))
		return;
	if (f->floor > 0 && fabs(f->effect) <= f->floor)
		say(s, "; A differed from A as much");
	else
		say(s, "; p = %.2g with all comparisons taken together", f->p);
}

static void say_inconclusive(struct sentence *s, const struct finding *f)
{
	bool single = f->a.runs == 1 && f->b.runs == 1;

	say(s, "'%s' looks ", f->b.name);
	say_effect(s, f, f->effect);
	say(s, " '%s'", f->a.name);
	if (single && fabs(f->effect) >= LARGE)
		say(s, ": large, but one value a side (n = 1)");
	else if (f->ci.level > 0)
		say_basis(s, f, &f->ci);
	else {
		say(s, ", but ");
		say_runs(s, f);
		say_layouts(s, f);
		say(s, " give%s no %.0f %% interval", single ? "s" : "", 100 * f->level);
	}
	say_doubt(s, f);
	say_need(s, f);
}

/* A side at the ceiling says only that it is no slower than that. */
static void say_limited(struct sentence *s, const struct finding *f)
{
	char text[UNIT_TEXT];

	if (f->a.censored && f->b.censored) {
		say(s, "'%s' and '%s' are both link-limited", f->a.name, f->b.name);
	} else {
		const struct finding_side *at = f->b.censored ? &f->b : &f->a, *below = f->b.censored ? &f->a : &f->b;

		say(s, "'%s' is link-limited: at least %.1f %% faster than '%s', and how much more is not seen",
		    at->name, 100 * (at->median / below->median - 1), below->name);
	}
	say(s, " (98 %% of %s, %s, or above); compare CPU time a packet instead", f->ceiling,
	    unit_print(text, f->unit, f->ceiling_value));
}

/* How much faster the load is without what is measured. */
static void say_headroom(struct sentence *s, double headroom)
{
	if (headroom >= FINDING_HEADROOM)
		say(s, "; not link-limited (headroom %.1f)", headroom);
	else
		say(s, "; headroom only %.1f: the load itself is much of what was measured", headroom);
}

const char *sentence_write(char text[SENTENCE_TEXT], const struct finding *f)
{
	struct sentence s = {.text = text};

	switch (f->call) {
	case CALL_FASTER:
	case CALL_SLOWER:
		say(&s, "'%s' is ", f->b.name);
		say_effect(&s, f, f->effect);
		say(&s, " '%s'", f->a.name);
		say_basis(&s, f, &f->ci);
		if (fabs(f->effect) < f->delta)
			say(&s, ", less than the %.3g %% that matters", 100 * f->delta);
		break;
	case CALL_SAME:
		say(&s, "'%s' is the same as '%s' within %.3g %%", f->b.name, f->a.name, 100 * f->delta);
		say_basis(&s, f, &f->same);
		break;
	case CALL_LINK_LIMITED:
		say_limited(&s, f);
		break;
	default:
		say_inconclusive(&s, f);
		break;
	}
	if (f->headroom > 0 && f->call != CALL_LINK_LIMITED)
		say_headroom(&s, f->headroom);
	return text;
}
