/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - all findings of a comparison, for the person and as JSON */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sentence.h"
#include "wrap.h"

#define LAYOUTS_MANY 64 /* nobody builds more */

/* What a difference of two builds may be, besides the effect of what was changed in the source. */
static void layout_write(char text[SENTENCE_TEXT], const struct finding *f)
{
	int n = snprintf(text, SENTENCE_TEXT, "difference of images, not of sources: with layout s.d. %.3g %%, ",
			 100 * f->layout_sd);

	if (f->layouts_needed && f->layouts_needed <= LAYOUTS_MANY)
		snprintf(text + n, SENTENCE_TEXT - (size_t)n, "telling %.1f %% needs >= %u layouts a side",
			 100 * fabs(f->effect), f->layouts_needed);
	else
		snprintf(text + n, SENTENCE_TEXT - (size_t)n, "%.1f %% is too small to be told", 100 * fabs(f->effect));
}

static bool one_layout(const struct finding *f)
{
	return !f->same_image && f->a.layouts <= 1 && f->b.layouts <= 1 && f->call != CALL_LINK_LIMITED &&
	       f->call != CALL_SAME;
}

/* Levels and their shares on both sides, and where the difference comes from. */
static const char *split_write(char text[SENTENCE_TEXT], const struct finding *f)
{
	const struct finding_split *s = &f->split;
	char low[UNIT_TEXT], high[UNIT_TEXT], total[UNIT_TEXT], level[UNIT_TEXT], share[UNIT_TEXT];

	snprintf(text, SENTENCE_TEXT,
		 "two states, about %s and %s; the higher one had %.0f %% of the time in '%s', %.0f %% in '%s': of the "
		 "difference of means, %s, %s is in the levels and %s in how long each is held",
		 unit_print(low, f->unit, s->modes.mode[0].mean), unit_print(high, f->unit, s->modes.mode[1].mean),
		 100 * s->a[1].share, f->a.name, 100 * s->b[1].share, f->b.name,
		 unit_print(total, f->unit, s->sum.total), unit_print(level, f->unit, s->sum.level),
		 unit_print(share, f->unit, s->sum.occupancy));
	return text;
}

static void finding_print(const struct finding *f)
{
	char text[SENTENCE_TEXT], a[UNIT_TEXT], b[UNIT_TEXT];

	printf("  %s -> %s: %s -> %s  %s\n", f->a.name, f->b.name, unit_print(a, f->unit, f->a.median),
	       unit_print(b, f->unit, f->b.median), finding_call(f->call));
	wrap_print(sentence_write(text, f), 4);
	if (f->split.modes.two)
		wrap_print(split_write(text, f), 4);
	if (!one_layout(f))
		return;
	layout_write(text, f);
	wrap_print(text, 4);
}

static void images_print(const struct samples *s)
{
	const double *bytes = s->image_bytes;

	if (bytes[0] > 0 && bytes[1] > 0)
		printf("image size: %s -> %s: %.0f -> %.0f bytes (%+.2f %%)\n", s->variants.label[0].text,
		       s->variants.label[1].text, bytes[0], bytes[1], 100 * (bytes[1] / bytes[0] - 1));
}

/* Variants that no comparison has. */
static bool is_compared(const struct judge *j, unsigned int variant)
{
	for (unsigned int i = 0; i < j->plan->npairs; i++)
		if (j->plan->pair[i].a == variant || j->plan->pair[i].b == variant)
			return true;
	return false;
}

static void alone_print(const struct judge *j)
{
	bool first = true;

	for (unsigned int i = 0; i < j->samples->variants.count; i++) {
		if (is_compared(j, i))
			continue;
		printf("%s'%s'", first ? "not compared (--a-variant and --b-variant would): " : ", ",
		       j->samples->variants.label[i].text);
		first = false;
	}
	if (!first)
		puts("");
}

/* Values that are no measure of the link, where others are. */
static void honest_print(const struct judge *j)
{
	bool first = true;

	for (unsigned int i = 0; i < j->count && j->how.ceiling.goodput > 0; i++)
		if (j->findings[i].call == CALL_LINK_LIMITED)
			first = false;
	if (first)
		return;
	first = true;
	for (unsigned int i = 0; i < j->count; i++) {
		if (j->findings[i].call == CALL_LINK_LIMITED)
			continue;
		printf("%s%s", first ? "not link-limited: " : "; ",
		       *j->findings[i].cell ? j->findings[i].cell : j->findings[i].b.name);
		first = false;
	}
	puts(first ? "every comparison is link-limited" : "");
}

void report_print(const struct report *r)
{
	const struct judge *j = r->judge;
	const char *cell = "";
	char text[INTERACTION_TEXT];

	for (unsigned int i = 0; i < j->count; i++) {
		if (strcmp(cell, j->findings[i].cell))
			printf("%s\n", cell = j->findings[i].cell);
		finding_print(&j->findings[i]);
	}
	for (unsigned int i = 0; i < r->interactions->count; i++) {
		if (!i)
			puts("interaction");
		wrap_print(interaction_write(text, &r->interactions->found[i]), 2);
	}
	honest_print(j);
	images_print(j->samples);
	alone_print(j);
	for (unsigned int i = 0; i < r->warnings->count; i++) {
		snprintf(text, sizeof(text), "warning: %s", r->warnings->warning[i].text);
		wrap_print(text, 0);
	}
}

static json_t *image_json(const struct samples *s)
{
	const double *bytes = s->image_bytes;

	if (!(bytes[0] > 0 && bytes[1] > 0))
		return json_null();
	return json_pack("{s:s, s:s, s:f, s:f, s:f}", "a", s->variants.label[0].text, "b", s->variants.label[1].text,
			 "a_bytes", bytes[0], "b_bytes", bytes[1], "percent", 100 * (bytes[1] / bytes[0] - 1));
}

static json_t *ceiling_json(const struct ceiling *c)
{
	if (!(c->goodput > 0))
		return json_null();
	return json_pack("{s:s, s:f, s:f, s:b}", "what", c->text, "bits_per_second", c->goodput, "censored_from",
			 CEILING_AT * c->goodput, "assumed", c->assumed);
}

static json_t *one_json(const struct finding *f)
{
	json_t *json = finding_json(f);
	char text[SENTENCE_TEXT];

	if (json && one_layout(f)) {
		layout_write(text, f);
		json_object_set_new(json, "layout", json_string(text));
	}
	return json;
}

json_t *report_json(const struct report *r)
{
	const struct judge *j = r->judge;
	json_t *findings = json_array(), *interactions = json_array(), *warnings = json_array(), *alone = json_array();

	for (unsigned int i = 0; i < j->count; i++)
		json_array_append_new(findings, one_json(&j->findings[i]));
	for (unsigned int i = 0; i < r->interactions->count; i++)
		json_array_append_new(interactions, interaction_json(&r->interactions->found[i]));
	for (unsigned int i = 0; i < r->warnings->count; i++)
		json_array_append_new(warnings, json_pack("{s:s, s:s}", "code", r->warnings->warning[i].code, "text",
							  r->warnings->warning[i].text));
	for (unsigned int i = 0; i < j->samples->variants.count; i++)
		if (!is_compared(j, i))
			json_array_append_new(alone, json_string(j->samples->variants.label[i].text));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "findings", findings, "interactions", interactions,
			 "warnings", warnings, "ceiling", ceiling_json(&j->how.ceiling), "image_size",
			 image_json(j->samples), "not_compared", alone);
}
