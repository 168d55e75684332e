/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interaction.c - whether one change has another effect beside a second one */
#include "interaction.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/stat/wilcoxon.h"

/* Each effect has an interval of 97.5 %: that of their difference, end to end, is one of 95 % at least (Bonferroni). */
#define ALPHA_EACH 0.025
#define LEVEL 0.95

struct corner {
	unsigned int variant, cell;
};

/* Corners in the order of the bits: the one is bit 0, the other bit 1. */
enum {
	NEITHER,
	ONE,
	OTHER,
	BOTH,
	CORNERS
};

struct logs {
	double *value; /* logarithms; NULL where there is no memory */
	unsigned int count;
	bool censored;
};

static struct logs logs_of(const struct judge *j, const struct corner *at)
{
	const struct samples *s = j->samples;
	struct logs logs = {.value = malloc((s->count + 1) * sizeof(*logs.value))};

	for (unsigned int i = 0; logs.value && i < s->count; i++) {
		const struct sample *run = &s->sample[i];

		if (run->variant != at->variant || run->cell != at->cell)
			continue;
		logs.censored |= ceiling_at(&j->how.ceiling, s->cells.label[at->cell].unit, run->value);
		logs.value[logs.count++] = log(run->value);
	}
	return logs;
}

static int shift_of(struct stat_shift *shift, const struct logs *from, const struct logs *to)
{
	struct stat_sample a = {from->value, from->count}, b = {to->value, to->count};

	return stat_rank_sum(shift, &a, &b, ALPHA_EACH);
}

static int effects_find(struct interaction *i, const struct logs logs[CORNERS])
{
	struct stat_shift alone, beside;
	int rc = shift_of(&alone, &logs[NEITHER], &logs[ONE]);

	if (!rc)
		rc = shift_of(&beside, &logs[OTHER], &logs[BOTH]);
	if (rc)
		return rc;
	i->alone = expm1(alone.estimate);
	i->beside = expm1(beside.estimate);
	i->size = expm1(beside.estimate - alone.estimate);
	if (alone.ci.level > 0 && beside.ci.level > 0)
		i->ci = (struct stat_interval){LEVEL, expm1(beside.ci.low - alone.ci.high),
					       expm1(beside.ci.high - alone.ci.low)};
	return 0;
}

/* Fills what the corners' runs say. 1; 0 where a corner has none; or -errno. */
static int corners_judge(struct interaction *i, const struct judge *j, const struct corner at[CORNERS])
{
	struct logs logs[CORNERS];
	bool memory = true, runs = true;
	int rc = 0;

	for (unsigned int k = 0; k < CORNERS; k++) {
		logs[k] = logs_of(j, &at[k]);
		memory &= logs[k].value != NULL;
		runs &= logs[k].count > 0;
		i->runs += logs[k].count;
		i->censored |= logs[k].censored;
	}
	if (!memory)
		rc = -ENOMEM;
	else if (runs && !i->censored)
		rc = effects_find(i, logs);
	for (unsigned int k = 0; k < CORNERS; k++)
		free(logs[k].value);
	return rc ? rc : runs;
}

static int add(struct interactions *all, const struct judge *j, const struct interaction *what,
	       const struct corner at[CORNERS])
{
	int rc;

	if (all->count == INTERACTIONS_MAX)
		return 0;
	all->found[all->count] = *what;
	rc = corners_judge(&all->found[all->count], j, at);
	all->count += rc > 0;
	return rc < 0 ? rc : 0;
}

static int square_add(struct interactions *all, const struct judge *j, const struct square *q, unsigned int cell)
{
	const struct label *name = j->samples->variants.label;
	const struct corner at[CORNERS] = {{q->base, cell}, {q->one, cell}, {q->other, cell}, {q->both, cell}};
	struct interaction what = {0};

	plan_adds(name[q->base].text, name[q->one].text, what.one);
	plan_adds(name[q->base].text, name[q->other].text, what.other);
	memcpy(what.cell, j->samples->cells.label[cell].text, sizeof(what.cell));
	return add(all, j, &what, at);
}

static const char *const switches[][2] = {{"off", "on"}, {"no", "yes"}, {"n", "y"}, {"0", "1"}, {"without", "with"}};

/* Whether two names are the same but for one word, which is "off" in the first and "on" in the second. `where` is where
 * that word is in both. */
static bool is_switch(const char *off, const char *on, size_t *where)
{
	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		const char *a = switches[i][0], *b = switches[i][1];

		for (size_t at = 0; off[at] && (at == 0 || off[at - 1] == on[at - 1]); at++) {
			bool begins = at == 0 || strchr(" ,", off[at - 1]);
			const char *behind = off + at + strlen(a);

			if (begins && !strncmp(off + at, a, strlen(a)) && !strncmp(on + at, b, strlen(b)) &&
			    !strcmp(behind, on + at + strlen(b)) && strchr(" ,", *behind)) {
				*where = at;
				return true;
			}
		}
	}
	return false;
}

/* "gro on, lan-to-wan", the word "on" at `where`: "gro on", and "lan-to-wan". */
static void names_split(struct interaction *what, const char *on, size_t where)
{
	size_t begin = where, end = where + strcspn(on + where, " ,");

	while (begin > 0 && on[begin - 1] != ',')
		begin--;
	begin += strspn(on + begin, " ");
	snprintf(what->other, sizeof(what->other), "%.*s", (int)(end - begin), on + begin);
	end += strspn(on + end, " ,");
	snprintf(what->cell, sizeof(what->cell), "%.*s%s", (int)begin, on, on + end);
}

static int switch_add(struct interactions *all, const struct judge *j, const struct pair *p,
		      const unsigned int cells[2])
{
	const struct label *cell = j->samples->cells.label;
	const struct corner at[CORNERS] = {{p->a, cells[0]}, {p->b, cells[0]}, {p->a, cells[1]}, {p->b, cells[1]}};
	struct interaction what = {0};
	size_t where;

	if (cells[0] == cells[1] || cell[cells[0]].unit != cell[cells[1]].unit ||
	    !is_switch(cell[cells[0]].text, cell[cells[1]].text, &where))
		return 0;
	memcpy(what.one, j->samples->variants.label[p->b].text, sizeof(what.one));
	names_split(&what, cell[cells[1]].text, where);
	return add(all, j, &what, at);
}

int interactions_find(struct interactions *all, const struct judge *j)
{
	unsigned int ncells = j->samples->cells.count;
	int rc = 0;

	all->count = 0;
	for (unsigned int cell = 0; cell < ncells; cell++)
		for (unsigned int i = 0; !rc && i < j->plan->nsquares; i++)
			rc = square_add(all, j, &j->plan->square[i], cell);
	for (unsigned int i = 0; i < j->plan->npairs; i++)
		for (unsigned int k = 0; !rc && k < ncells * ncells; k++)
			rc = switch_add(all, j, &j->plan->pair[i], (unsigned int[]){k / ncells, k % ncells});
	return rc;
}

static bool is_told(const struct interaction *i)
{
	return i->ci.level > 0 && (i->ci.low > 0 || i->ci.high < 0);
}

const char *interaction_write(char text[INTERACTION_TEXT], const struct interaction *i)
{
	size_t n = (size_t)snprintf(text, INTERACTION_TEXT, "%s%s'%s' beside '%s': ", i->cell, *i->cell ? ": " : "",
				    i->one, i->other);

	if (i->censored) {
		snprintf(text + n, INTERACTION_TEXT - n, "not seen, as a value is at the ceiling");
		return text;
	}
	n += (size_t)snprintf(text + n, INTERACTION_TEXT - n, "%+.1f %% alone, %+.1f %% beside it: ", 100 * i->alone,
			      100 * i->beside);
	if (i->ci.level <= 0)
		snprintf(text + n, INTERACTION_TEXT - n, "%+.1f %%, from so few runs that it has no interval",
			 100 * i->size);
	else
		snprintf(text + n, INTERACTION_TEXT - n, "%s (%+.1f %%, %.0f %% CI %+.1f ... %+.1f %%, %u runs)",
			 is_told(i) ? "one changes the effect of the other" : "no interaction is seen", 100 * i->size,
			 100 * i->ci.level, 100 * i->ci.low, 100 * i->ci.high, i->runs);
	return text;
}

json_t *interaction_json(const struct interaction *i)
{
	bool interval = i->ci.level > 0;
	char text[INTERACTION_TEXT];

	return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:b, s:i, s:s}", "cell", i->cell, "one", i->one,
			 "other", i->other, "censored", i->censored, "alone_percent",
			 i->censored ? json_null() : json_real(100 * i->alone), "beside_percent",
			 i->censored ? json_null() : json_real(100 * i->beside), "interaction_percent",
			 i->censored ? json_null() : json_real(100 * i->size), "low_percent",
			 interval ? json_real(100 * i->ci.low) : json_null(), "high_percent",
			 interval ? json_real(100 * i->ci.high) : json_null(), "told", is_told(i), "runs", (int)i->runs,
			 "sentence", interaction_write(text, i));
}
