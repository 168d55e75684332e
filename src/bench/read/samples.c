/* SPDX-License-Identifier: GPL-2.0-or-later */
/* samples.c - what was measured: one number for each run, by variant and by cell */
#include "samples.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void samples_init(struct samples *s)
{
	*s = (struct samples){0};
}

void samples_exit(struct samples *s)
{
	for (unsigned int i = 0; i < s->count; i++)
		series_free(&s->sample[i].series);
	free(s->sample);
	free(s->variants.label);
	free(s->cells.label);
	samples_init(s);
}

/* Makes room for one more of `size` bytes behind `count`. The array, or NULL, and then the old one stands. */
static void *grown(void *array, unsigned int count, unsigned int *room, size_t size)
{
	unsigned int more = *room ? 2 * *room : 16;
	void *bigger;

	if (count < *room)
		return array;
	if (more > SAMPLES_MAX * 2)
		return NULL;
	bigger = realloc(array, more * size);
	if (bigger)
		*room = more;
	return bigger;
}

int names_find(const struct names *names, const char *name)
{
	for (unsigned int i = 0; i < names->count; i++)
		if (!strncmp(names->label[i].text, name, SAMPLES_NAME - 1))
			return (int)i;
	return -1;
}

int names_get(struct names *names, const char *name)
{
	int at = names_find(names, name);
	void *bigger;

	if (at >= 0)
		return at;
	bigger = realloc(names->label, (names->count + 1) * sizeof(*names->label));
	if (!bigger)
		return -ENOMEM;
	names->label = bigger;
	names->label[names->count].unit = UNIT_UNKNOWN;
	snprintf(names->label[names->count].text, SAMPLES_NAME, "%s", name);
	return (int)names->count++;
}

struct sample *samples_add(struct samples *s, const char *variant, const char *cell)
{
	int v = names_get(&s->variants, variant), c = names_get(&s->cells, cell);
	void *bigger = grown(s->sample, s->count, &s->room, sizeof(*s->sample));

	if (bigger)
		s->sample = bigger;
	if (!bigger || v < 0 || c < 0)
		return NULL;
	s->sample[s->count] = (struct sample){.variant = (unsigned int)v, .cell = (unsigned int)c, .began = NAN};
	return &s->sample[s->count++];
}

int samples_unit(struct samples *s, unsigned int cell, enum unit unit, const char *where, struct err *err)
{
	static const char *const kinds[] = {
		[UNIT_PLAIN] = "a number without a unit",
		[UNIT_BITS] = "bits per second",
		[UNIT_PACKETS] = "packets per second",
		[UNIT_TIME] = "a time",
	};
	enum unit *known = &s->cells.label[cell].unit;

	if (*known != UNIT_UNKNOWN && *known != unit)
		return err_set(err, -EINVAL,
			       "%s: mixed units: %s, but %s before; give all the same, or --unit where none stands",
			       where, kinds[unit], kinds[*known]);
	*known = unit;
	return 0;
}

int samples_take(struct samples *s, struct samples *from, const struct samples_move *move, struct err *err)
{
	for (unsigned int i = 0; i < from->count; i++) {
		struct sample *old = &from->sample[i], *new;
		const struct label *cell = &from->cells.label[old->cell];
		unsigned int v, c;

		if (move->variant >= 0 && old->variant != (unsigned int)move->variant)
			continue;
		new = samples_add(s, move->as ? move->as : from->variants.label[old->variant].text, cell->text);
		if (!new)
			return err_set(err, -ENOMEM, "%s: out of memory", move->where);
		v = new->variant;
		c = new->cell;
		*new = *old;
		new->variant = v;
		new->cell = c;
		old->series = (struct series){0};
		if (samples_unit(s, c, cell->unit, move->where, err))
			return -EINVAL;
	}
	return 0;
}
