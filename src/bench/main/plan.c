/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - who is compared with whom */
#include "plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define BETWEEN " ,+" /* words */
#define WORDS_MAX 24

struct words {
	char text[SAMPLES_NAME];
	const char *word[WORDS_MAX];
	unsigned int count;
};

static void split(struct words *w, const char *name)
{
	char *rest = w->text;

	w->count = 0;
	snprintf(w->text, sizeof(w->text), "%s", name);
	for (char *word; w->count < WORDS_MAX && (word = strsep(&rest, BETWEEN));)
		if (*word)
			w->word[w->count++] = word;
}

bool plan_adds(const char *less, const char *more, char word[SAMPLES_NAME])
{
	struct words l, m;
	unsigned int matched = 0;

	split(&l, less);
	split(&m, more);
	if (m.count != l.count + 1)
		return false;
	*word = 0;
	for (unsigned int i = 0; i < m.count; i++) {
		unsigned int j = 0;

		while (j < l.count && (!l.word[j] || strcmp(l.word[j], m.word[i])))
			j++;
		if (j < l.count) {
			l.word[j] = NULL;
			matched++;
		} else {
			snprintf(word, SAMPLES_NAME, "%s", m.word[i]);
		}
	}
	return matched == l.count;
}

static int pair_add(struct plan *plan, unsigned int a, unsigned int b, struct err *err)
{
	if (plan->npairs == PLAN_PAIRS)
		return err_set(err, -EINVAL, "more than %d comparisons: choose with --a-variant and --b-variant",
			       PLAN_PAIRS);
	plan->pair[plan->npairs++] = (struct pair){a, b};
	return 0;
}

/* The index of a variant that was asked for; the message lists those there are. */
static int chosen(const struct samples *s, const char *name, struct err *err)
{
	int at = names_find(&s->variants, name);
	char list[400] = "";
	size_t n = 0;

	for (unsigned int i = 0; at < 0 && i < s->variants.count && n < sizeof(list); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s'%s'", i ? ", " : "", s->variants.label[i].text);
	return at >= 0 ? at : err_set(err, -EINVAL, "no variant '%.90s': there are %s", name, list);
}

static int by_choice(struct plan *plan, const struct samples *s, const char *a, const char *b, struct err *err)
{
	int first = a ? chosen(s, a, err) : 0, second = b ? chosen(s, b, err) : -1, rc = 0;

	if (first < 0 || (b && second < 0))
		return -EINVAL;
	if (first == second)
		return err_set(err, -EINVAL, "'%s' would be compared with itself", s->variants.label[first].text);
	if (second >= 0)
		return pair_add(plan, (unsigned int)first, (unsigned int)second, err);
	for (unsigned int i = 0; !rc && i < s->variants.count; i++)
		if (i != (unsigned int)first)
			rc = pair_add(plan, (unsigned int)first, i, err);
	return rc;
}

static int by_history(struct plan *plan, const struct samples *s, struct err *err)
{
	int rc = 0;

	for (unsigned int i = 1; !rc && i < s->variants.count; i++)
		rc = pair_add(plan, i - 1, i, err);
	if (!rc && s->variants.count > 2)
		rc = pair_add(plan, 0, s->variants.count - 1, err);
	return rc;
}

static int by_words(struct plan *plan, const struct samples *s, struct err *err)
{
	char word[SAMPLES_NAME];
	int rc = 0;

	for (unsigned int b = 0; b < s->variants.count; b++)
		for (unsigned int a = 0; !rc && a < s->variants.count; a++)
			if (plan_adds(s->variants.label[a].text, s->variants.label[b].text, word))
				rc = pair_add(plan, a, b, err);
	return rc;
}

/* The variant that both `one` and `other` are compared with, or -1. */
static int base_of(const struct plan *plan, unsigned int one, unsigned int other)
{
	for (unsigned int i = 0; i < plan->npairs; i++)
		for (unsigned int j = 0; plan->pair[i].b == one && j < plan->npairs; j++)
			if (plan->pair[j].b == other && plan->pair[i].a == plan->pair[j].a)
				return (int)plan->pair[i].a;
	return -1;
}

/* Two pairs that end in the same variant and whose bases have a base in common. */
static void squares_find(struct plan *plan)
{
	for (unsigned int i = 0; i < plan->npairs; i++)
		for (unsigned int j = i + 1; j < plan->npairs; j++) {
			const struct pair *one = &plan->pair[i], *other = &plan->pair[j];
			int base = one->b == other->b ? base_of(plan, one->a, other->a) : -1;

			if (base >= 0 && plan->nsquares < PLAN_SQUARES)
				plan->square[plan->nsquares++] =
					(struct square){(unsigned int)base, one->a, other->a, one->b};
		}
}

int plan_make(struct plan *plan, const struct samples *s, const char *a, const char *b, struct err *err)
{
	int rc;

	*plan = (struct plan){0};
	if (a || b)
		return by_choice(plan, s, a, b, err);
	if (s->variants.count < 2)
		return err_set(
			err, -EINVAL,
			"nothing to compare with: give --a FILE... and --b FILE..., or a file that names variants");
	if (s->order == SAMPLES_HISTORY)
		return by_history(plan, s, err);
	rc = by_words(plan, s, err);
	if (!rc && !plan->npairs)
		return by_choice(plan, s, s->variants.label[0].text, NULL, err);
	squares_find(plan);
	return rc;
}
