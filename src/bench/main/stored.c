/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stored.c - from a comparison in the store to its report */
#include "stored.h"

#include <errno.h>
#include <stdlib.h>

#include "arrivals.h"
#include "differs.h"
#include "report.h"

#define LAYOUT_SD 0.025 /* what layout alone does to a build */

static bool has_zero(const struct samples *s, int cell)
{
	for (unsigned int i = 0; i < s->count; i++)
		if ((int)s->sample[i].cell == cell && !(s->sample[i].value > 0))
			return true;
	return false;
}

static bool has_runs(const struct samples *s, unsigned int cell)
{
	for (unsigned int i = 0; i < s->count; i++)
		if (s->sample[i].cell == cell)
			return true;
	return false;
}

static void cell_drop(struct samples *s, unsigned int cell)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < s->count; i++)
		if (s->sample[i].cell != cell)
			s->sample[kept++] = s->sample[i];
		else
			series_free(&s->sample[i].series);
	s->count = kept;
}

/* Cells where a run is 0 keep their name, but have no runs any more. */
static void zeros_drop(struct stored *s)
{
	for (unsigned int cell = 0; cell < s->samples.cells.count; cell++) {
		int again = names_find(&s->again.cells, s->samples.cells.label[cell].text);

		if (has_zero(&s->samples, (int)cell) || has_zero(&s->again, again))
			cell_drop(&s->samples, cell);
	}
}

static int read_all(struct stored *s, struct store *store, struct err *err)
{
	const struct store_comparison *c = s->comparison;
	int rc = store_samples(store, c, false, &s->samples, err);

	if (!rc)
		rc = store_samples(store, c, true, &s->again, err);
	if (!rc && design_read(&s->design, c->plan))
		rc = err_set(err, -EINVAL,
			     "the plan of comparison %lld is not understood: 'portico-bench export %lld' "
			     "has its values",
			     c->id, c->id);
	zeros_drop(s);
	return rc;
}

/* The link is what the lab said before the first pair: where more was measured, that was wrong. */
static bool link_find(struct stored *s)
{
	struct ceiling_given given = {s->design.link, 0, !(s->design.link > 0)};
	struct err ignored;

	return !ceiling_find(&s->judge.how.ceiling, &s->samples, &given, &ignored);
}

static void warn(struct stored *s, bool link_known)
{
	char text[UNIT_TEXT];

	if (!s->comparison->pairs)
		warnings_add(&s->warnings, "no-pairs", "no pair of A and B is stored yet: nothing can be said");
	for (unsigned int cell = 0; cell < s->samples.cells.count; cell++)
		if (!has_runs(&s->samples, cell))
			warnings_add(&s->warnings, "zero",
				     "%s cannot be compared: a run of it is 0, and there is no ratio to nothing",
				     s->samples.cells.label[cell].text);
	if (!link_known)
		warnings_add(&s->warnings, "link",
			     "more was measured than the lab's link carries (%s): nothing is taken for link-limited",
			     unit_print(text, UNIT_BITS, s->design.link));
}

static int judge(struct stored *s, struct err *err)
{
	struct judge *j = &s->judge;
	bool link_known;
	int rc = 0;

	j->how = (struct judge_how){.delta = s->design.delta,
				    .layout_sd = LAYOUT_SD,
				    .paired = true,
				    .same_image = s->design.same_image,
				    .looks = s->design.looks,
				    .headroom = s->comparison->headroom,
				    .again = &s->again};
	link_known = link_find(s);
	j->findings = calloc(s->samples.cells.count + 1, sizeof(*j->findings));
	if (!j->findings)
		rc = -ENOMEM;
	else if (s->samples.count)
		rc = judge_all(j, err);
	if (rc && rc != -ENOMEM)
		return rc;
	if (rc || interactions_find(&s->interactions, j) || warnings_find(&s->warnings, j))
		return err_set(err, -ENOMEM, "out of memory");
	warn(s, link_known);
	return 0;
}

int stored_judge(struct stored *s, struct store *store, const struct store_comparison *c, struct err *err)
{
	int rc;

	*s = (struct stored){.comparison = c,
			     .plan = {.pair = {{0, 1}}, .npairs = 1},
			     .judge = {.samples = &s->samples, .plan = &s->plan}};
	rc = read_all(s, store, err);
	if (!rc)
		rc = judge(s, err);
	if (!rc)
		rc = arrivals_warn(&s->warnings, store, c, err);
	if (rc)
		stored_exit(s);
	return rc;
}

void stored_exit(struct stored *s)
{
	samples_exit(&s->samples);
	samples_exit(&s->again);
	free(s->judge.findings);
	s->judge.findings = NULL;
	s->judge.count = 0;
}

static struct report report_of(const struct stored *s)
{
	return (struct report){&s->judge, &s->interactions, &s->warnings};
}

void stored_print(const struct stored *s)
{
	const struct store_comparison *c = s->comparison;
	json_t *differs = differs_find(c->fingerprint_a, c->fingerprint_b);
	struct report report = report_of(s);

	differs_print(differs);
	json_decref(differs);
	report_print(&report);
}

json_t *stored_json(const struct stored *s)
{
	const struct store_comparison *c = s->comparison;
	struct report report = report_of(s);
	json_t *all = json_pack("{s:o, s:o}", "comparison", store_comparison_json(c), "differs",
				differs_find(c->fingerprint_a, c->fingerprint_b)),
	       *found = report_json(&report);

	if (all && found)
		json_object_update(all, found);
	json_decref(found);
	return all;
}

const struct opt stored_options[] = {
	{'s', "store", "FILE", opt_text, offsetof(struct stored_options, store), "default " STORE_FILE, 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct stored_options, json), "print JSON", 0, 0},
	{0},
};

/* 0, which no comparison has, for one that was not named. */
static int id_read(long long *id, const char *word, struct err *err)
{
	char *end;

	*id = 0;
	if (!word)
		return 0;
	errno = 0;
	*id = strtoll(word, &end, 10);
	if (errno || *end || *id <= 0)
		return err_set(err, -EINVAL,
			       "'%s' is no number of a comparison: 'portico-bench list' shows which there are", word);
	return 0;
}

struct store *stored_open(const struct stored_options *o, char **operands, struct store_comparison *c, struct err *err)
{
	struct store *store;
	long long id;

	if (id_read(&id, operands[0], err))
		return NULL;
	store = store_open(o->store ? o->store : STORE_FILE, false, err);
	if (!store || !store_comparison_get(store, id, c, err))
		return store;
	store_close(store);
	return NULL;
}
