/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plain.c - reads bare numbers: separated by blanks or lines, each with or without its unit; # begins a comment */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "forms.h"

/* A value and what it is in. */
struct quantity {
	double value;
	enum unit unit;
};

/* Takes the next number off `*at`, and the unit behind it. 1, 0 where the line ends, or -EINVAL. */
static int quantity_next(char **at, const struct read_how *how, struct quantity *q, const char *where, struct err *err)
{
	struct number n = {0};
	double scale = how->scale;
	char word[24];
	size_t length;

	*at += strspn(*at, " \t");
	if (!**at || **at == '#')
		return 0;
	if (number_parse(&n, *at, where, err))
		return -EINVAL;
	q->unit = how->unit;
	*at = n.end + strspn(n.end, " \t");
	length = strcspn(*at, " \t#");
	if (isalpha((unsigned char)**at) || (length && *at == n.end)) {
		snprintf(word, sizeof(word), "%.*s", length < sizeof(word) ? (int)length : 0, *at);
		if (unit_parse(word, &q->unit, &scale))
			return err_set(err, -EINVAL,
				       "%s: behind the number stands '%.*s', which is no unit; known are " UNIT_WORDS,
				       where, (int)(length < 40 ? length : 40), *at);
		*at += length;
	}
	q->value = q->unit == UNIT_UNKNOWN ? n.value : n.value * scale;
	if (q->unit == UNIT_UNKNOWN)
		q->unit = UNIT_PLAIN;
	return 1;
}

static int quantity_add(struct samples *s, const struct quantity *q, const struct read_how *how, const char *where,
			struct err *err)
{
	struct sample *sample = how->as_series && s->count ? &s->sample[0] : samples_add(s, "", "");

	if (!sample)
		return err_set(err, -ENOMEM, "%s: out of memory", where);
	sample->value = q->value;
	if (how->as_series && series_add(&sample->series, q->value, how->interval))
		return err_set(err, -ENOMEM, "%s: out of memory", where);
	return samples_unit(s, sample->cell, q->unit, where, err);
}

static int line_read(struct samples *s, char *line, const struct read_how *how, const char *where, struct err *err)
{
	struct quantity q;
	int rc;

	while ((rc = quantity_next(&line, how, &q, where, err)) > 0) {
		rc = quantity_add(s, &q, how, where, err);
		if (rc)
			return rc;
	}
	return rc;
}

int plain_read(struct samples *s, struct text *text, const struct read_how *how, struct err *err)
{
	struct lines lines = {.next = text->data};
	char where[TEXT_WHERE], *line;

	while ((line = lines_next(&lines))) {
		int rc = line_read(s, line, how, text_where(where, text, lines.number), err);

		if (rc)
			return rc;
	}
	if (how->as_series && s->count) {
		series_close(&s->sample[0].series);
		s->sample[0].value = series_mean(&s->sample[0].series);
		s->sample[0].of_intervals = true;
	}
	return 0;
}
