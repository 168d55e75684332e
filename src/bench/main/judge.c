/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.c - from the runs of two variants to a finding */
#include "judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stat/layout.h"
#include "bench/stat/looks.h"
#include "bench/stat/tost.h"
#include "bench/stat/verdict.h"
#include "bench/stat/wilcoxon.h"

#define ALPHA 0.05
#define STATE_SHARE 0.05 /* of the time: less is no state */

/* The runs of one side in a cell, in the order of the logs, or of their pairs. */
struct side {
	const struct sample **run;
	double *value;
	unsigned int count;
	unsigned int layouts; /* 0: one or more runs do not say */
	unsigned int censored;
	bool numbered; /* all have the number of their pair */
};

/* One comparison on its way. */
struct match {
	struct side a, b;
	struct finding *finding;
	struct stat_verdict verdict;
};

static void side_exit(struct side *side)
{
	free(side->run);
	free(side->value);
}

static void match_exit(struct match *m)
{
	side_exit(&m->a);
	side_exit(&m->b);
}

static int by_pair(const void *a, const void *b)
{
	const struct sample *x = *(const struct sample *const *)a, *y = *(const struct sample *const *)b;

	return (x->pair > y->pair) - (x->pair < y->pair);
}

static unsigned int layouts_count(const struct side *side)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < side->count; i++) {
		unsigned int j = 0;

		if (!side->run[i]->layout)
			return 0;
		while (side->run[j]->layout != side->run[i]->layout)
			j++;
		count += j == i;
	}
	return count;
}

static int side_fill(struct side *side, const struct samples *s, unsigned int variant, unsigned int cell)
{
	*side = (struct side){.numbered = true};
	side->run = malloc((s->count + 1) * sizeof(*side->run));
	side->value = malloc((s->count + 1) * sizeof(*side->value));
	if (!side->run || !side->value)
		return -ENOMEM;
	for (unsigned int i = 0; i < s->count; i++) {
		const struct sample *run = &s->sample[i];

		if (run->variant != variant || run->cell != cell)
			continue;
		side->numbered &= run->pair > 0;
		side->run[side->count++] = run;
	}
	if (side->numbered && side->count)
		qsort(side->run, side->count, sizeof(*side->run), by_pair);
	for (unsigned int i = 0; i < side->count; i++)
		side->value[i] = side->run[i]->value;
	side->layouts = layouts_count(side);
	return 0;
}

static void side_censor(struct side *side, const struct ceiling *ceiling, enum unit unit)
{
	for (unsigned int i = 0; i < side->count; i++)
		side->censored += ceiling_at(ceiling, unit, side->value[i]);
}

static const char *in_cell(const struct finding *f)
{
	return *f->cell ? f->cell : "all runs";
}

/* No run of 0, of which there is no ratio; and pairs, where the runs are said to be paired. */
static int match_check(struct match *m, const struct judge *j, struct err *err)
{
	struct finding *f = m->finding;
	bool numbered = m->a.numbered && m->b.numbered;

	f->paired = numbered || j->how.paired;
	for (unsigned int i = 0; i < m->a.count + m->b.count; i++)
		if (!((i < m->a.count ? m->a.value[i] : m->b.value[i - m->a.count]) > 0))
			return err_set(err, -EINVAL,
				       "a run of '%s' in %s is 0: nothing arrived, and there is no ratio to nothing",
				       i < m->a.count ? f->a.name : f->b.name, in_cell(f));
	if (f->paired && m->a.count != m->b.count)
		return err_set(err, -EINVAL, "%u runs of '%s' and %u of '%s' in %s are no pairs", m->a.count, f->a.name,
			       m->b.count, f->b.name, in_cell(f));
	for (unsigned int i = 0; numbered && i < m->a.count; i++) {
		unsigned int a = m->a.run[i]->pair, b = m->b.run[i]->pair, least = a < b ? a : b;

		if (a != b || (i && a == m->a.run[i - 1]->pair))
			return err_set(err, -EINVAL, "pair %u in %s is not one run of each side", least, in_cell(f));
	}
	return 0;
}

static double median(const struct side *side)
{
	struct stat_sample values = {side->value, side->count};
	double *sorted = stat_sample_sorted(&values), middle;

	if (!sorted)
		return side->value[0];
	middle = stat_sorted_median(sorted, side->count);
	free(sorted);
	return middle;
}

static void name_side(struct finding_side *to, const struct side *side, const char *name)
{
	*to = (struct finding_side){name, side->count, median(side), side->layouts, side->censored};
}

/* Logarithms of a side's runs, grouped by layout. */
struct grouped {
	double *value;
	struct stat_sample *layout;
	struct stat_layouts all;
};

static void grouped_exit(struct grouped *g)
{
	free(g->value);
	free(g->layout);
}

static int grouped_fill(struct grouped *g, const struct side *side)
{
	unsigned int at = 0, layouts = 0;

	g->value = malloc(side->count * sizeof(*g->value));
	g->layout = calloc(side->count, sizeof(*g->layout));
	if (!g->value || !g->layout)
		return -ENOMEM;
	for (unsigned int i = 0; i < side->count; i++) {
		unsigned int first = 0, from = at;

		while (side->run[first]->layout != side->run[i]->layout)
			first++;
		for (unsigned int k = i; first == i && k < side->count; k++)
			if (side->run[k]->layout == side->run[i]->layout)
				g->value[at++] = log(side->value[k]);
		if (at > from)
			g->layout[layouts++] = (struct stat_sample){g->value + from, at - from};
	}
	g->all = (struct stat_layouts){g->layout, layouts};
	return 0;
}

static struct stat_interval of_effect(const struct stat_interval *logs)
{
	return (struct stat_interval){logs->level, expm1(logs->low), expm1(logs->high)};
}

/* Several builds a side: the build is the unit of evidence, not the run. */
static int layouts_judge(struct match *m, const struct stat_how *how)
{
	struct grouped a = {0}, b = {0};
	struct stat_verdict *v = &m->verdict;
	struct stat_nested wide, narrow;
	int rc = grouped_fill(&a, &m->a);

	if (!rc)
		rc = grouped_fill(&b, &m->b);
	if (!rc)
		rc = stat_layout_compare(&wide, &a.all, &b.all, ALPHA);
	if (!rc)
		rc = stat_layout_compare(&narrow, &a.all, &b.all, STAT_TOST_ALPHA);
	grouped_exit(&a);
	grouped_exit(&b);
	if (rc)
		return rc;
	v->effect = expm1(wide.difference);
	v->ci = of_effect(&wide.ci);
	v->same = of_effect(&narrow.ci);
	v->p = wide.p;
	v->needed = v->further = 0;
	v->call = stat_tost_same(&narrow.ci, how->delta) ? STAT_SAME : STAT_INCONCLUSIVE;
	if (v->p <= ALPHA)
		v->call = (v->effect > 0) != how->less_is_better ? STAT_FASTER : STAT_SLOWER;
	return 0;
}

/* All intervals of a side's runs behind each other, for free(); *count of them. */
static double *intervals_of(const struct side *side, unsigned int *count)
{
	double *value;

	*count = 0;
	for (unsigned int i = 0; i < side->count; i++)
		*count += side->run[i]->series.count;
	value = malloc((*count + 1) * sizeof(*value));
	*count = 0;
	for (unsigned int i = 0; value && i < side->count; i++)
		for (unsigned int k = 0; k < side->run[i]->series.count; k++)
			value[(*count)++] = side->run[i]->series.value[k];
	return value;
}

/* Whether a side was at either level for more than a moment; else the levels are the variants themselves. */
static bool has_both(const struct stat_stay stay[2])
{
	return stay[0].share > STATE_SHARE && stay[1].share > STATE_SHARE;
}

/* Whether the intervals of both sides have two levels in common, and what of the difference is in them. */
static int split_find(struct match *m)
{
	struct finding_split *split = &m->finding->split;
	struct stat_sample a, b, all;
	double *of_a = intervals_of(&m->a, &a.count), *of_b = intervals_of(&m->b, &b.count);
	double *of_all = of_a ? realloc(of_a, (a.count + b.count + 1) * sizeof(*of_all)) : NULL;
	int rc = of_all && of_b ? 0 : -ENOMEM;

	of_a = of_all ? of_all : of_a;
	if (!rc && a.count && b.count) {
		memcpy(of_all + a.count, of_b, b.count * sizeof(*of_b));
		a.value = of_a;
		b.value = of_b;
		all = (struct stat_sample){of_all, a.count + b.count};
		rc = stat_modes_fit(&split->modes, &all, 0);
		if (!rc && split->modes.two) {
			stat_modes_stay(split->a, &split->modes, &a);
			stat_modes_stay(split->b, &split->modes, &b);
			split->sum = stat_modes_split(split->a, split->b);
			split->modes.two = has_both(split->a) || has_both(split->b);
		}
	}
	free(of_a);
	free(of_b);
	return rc;
}

/* What A and A once more seem to differ by in a cell; 0 where that was not measured. */
static int floor_find(double *floor_of, const struct samples *again, const char *cell)
{
	int rc, at = again ? names_find(&again->cells, cell) : -1;
	struct side one = {0}, other = {0};

	*floor_of = 0;
	if (at < 0)
		return 0;
	rc = side_fill(&one, again, 0, (unsigned int)at);
	if (!rc)
		rc = side_fill(&other, again, 1, (unsigned int)at);
	if (!rc && one.count) {
		struct stat_sample a = {one.value, one.count}, b = {other.value, other.count};

		rc = stat_verdict_floor(floor_of, &a, &b);
	}
	side_exit(&one);
	side_exit(&other);
	return rc;
}

static int match_judge(struct match *m, const struct judge *j, struct stat_how *how, struct err *err)
{
	struct stat_sample a = {m->a.value, m->a.count}, b = {m->b.value, m->b.count};
	int rc = match_check(m, j, err);

	if (rc)
		return rc;
	rc = floor_find(&how->floor, j->how.again, m->finding->cell);
	m->finding->floor = how->floor;
	if (!rc)
		rc = m->finding->paired ? stat_verdict_paired(&m->verdict, &a, &b, how)
					: stat_verdict_unpaired(&m->verdict, &a, &b, how);
	if (!rc && m->a.layouts > 1 && m->b.layouts > 1)
		rc = layouts_judge(m, how);
	if (!rc)
		rc = split_find(m);
	return rc ? err_set(err, rc, "%s: %s", in_cell(m->finding), "cannot be compared: too many runs, or no memory")
		  : 0;
}

/* Begins a finding where both variants have runs in the cell. 1, 0 or -errno. */
static int match_make(struct match *m, const struct judge *j, const struct pair *pair, unsigned int cell,
		      struct err *err)
{
	const struct samples *s = j->samples;
	const struct label *label = &s->cells.label[cell];
	double alpha = stat_looks_alpha(ALPHA, j->how.looks ? j->how.looks : 1);
	struct finding *f = m->finding;

	if (side_fill(&m->a, s, pair->a, cell) || side_fill(&m->b, s, pair->b, cell))
		return err_set(err, -ENOMEM, "out of memory");
	if (!m->a.count || !m->b.count)
		return 0;
	side_censor(&m->a, &j->how.ceiling, label->unit);
	side_censor(&m->b, &j->how.ceiling, label->unit);
	*f = (struct finding){.cell = label->text,
			      .unit = label->unit,
			      .delta = j->how.delta,
			      .same_image = j->how.same_image,
			      .layout_sd = j->how.layout_sd,
			      .level = 1 - alpha,
			      .pairs_least = stat_signed_rank_least(alpha),
			      .headroom = j->how.headroom};
	name_side(&f->a, &m->a, s->variants.label[pair->a].text);
	name_side(&f->b, &m->b, s->variants.label[pair->b].text);
	if (j->how.ceiling.goodput > 0) {
		f->ceiling = j->how.ceiling.text;
		f->ceiling_value = j->how.ceiling.goodput;
	}
	return 1;
}

/* What all comparisons found, before their number is taken into account. */
struct round {
	struct stat_verdict *verdict;
	struct stat_how *how;
	struct finding **finding;
	unsigned int count;
};

static int one_judge(struct judge *j, struct round *round, const struct pair *pair, unsigned int cell, struct err *err)
{
	struct match m = {.finding = &j->findings[j->count]};
	struct stat_how how = {.delta = j->how.delta,
			       .looks = j->how.looks,
			       .less_is_better = unit_less_is_better(j->samples->cells.label[cell].unit)};
	int rc = match_make(&m, j, pair, cell, err);

	if (rc > 0) {
		rc = match_judge(&m, j, &how, err);
		j->count++;
		finding_take(m.finding, &m.verdict);
		if (m.a.censored || m.b.censored) {
			m.finding->call = CALL_LINK_LIMITED;
		} else {
			round->verdict[round->count] = m.verdict;
			round->how[round->count] = how;
			round->finding[round->count++] = m.finding;
		}
	}
	match_exit(&m);
	return rc;
}

static int round_judge(struct judge *j, struct round *round, struct err *err)
{
	for (unsigned int cell = 0; cell < j->samples->cells.count; cell++)
		for (unsigned int i = 0; i < j->plan->npairs; i++) {
			int rc = one_judge(j, round, &j->plan->pair[i], cell, err);

			if (rc)
				return rc;
		}
	if (!j->count)
		return err_set(err, -EINVAL, "the variants were never measured in the same direction or metric");
	if (round->count && stat_verdict_holm(round->verdict, round->how, round->count))
		return err_set(err, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < round->count; i++)
		finding_take(round->finding[i], &round->verdict[i]);
	return 0;
}

int judge_all(struct judge *j, struct err *err)
{
	size_t room = (size_t)j->plan->npairs * j->samples->cells.count + 1;
	struct round round = {calloc(room, sizeof(*round.verdict)), calloc(room, sizeof(*round.how)),
			      calloc(room, sizeof(*round.finding)), 0};
	int rc;

	if (round.verdict && round.how && round.finding)
		rc = round_judge(j, &round, err);
	else
		rc = err_set(err, -ENOMEM, "out of memory");
	free(round.verdict);
	free(round.how);
	free(round.finding);
	return rc;
}
