/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - reads tables: comma, semicolon or tab between columns that the first line names
 *
 *      variant,direction,goodput (Mbit/s)
 *      old,download,577.23
 *
 * Columns of these names (any case) say what a row is about:
 *
 *      variant          which of the things that are compared
 *      direction, case  the cell; both may be there
 *      pair             rows of both variants with the same number were run side by side
 *      layout           which build of its variant, from 1
 *      time             s since the start: rows are intervals of one run, not runs
 *      run              with time: which run; else ignored
 *      comment          ignored
 *
 * Every other column holds numbers, and is a metric of its own; its title may end with a unit in brackets. A field that
 * is empty is a measurement that is not there. Rows stand in the order in which they were run.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "forms.h"

#define COLUMNS_MAX 64

enum role {
	VALUE,
	VARIANT,
	DIRECTION,
	CASE,
	PAIR,
	LAYOUT,
	TIME,
	RUN,
	COMMENT
};

static const struct {
	const char *title;
	enum role role;
} roles[] = {
	{"variant", VARIANT}, {"direction", DIRECTION}, {"case", CASE}, {"pair", PAIR},	      {"layout", LAYOUT},
	{"time", TIME},	      {"time (s)", TIME},	{"run", RUN},	{"comment", COMMENT},
};

struct column {
	enum role role;
	char *title; /* without the unit */
	enum unit unit;
	double scale;
};

struct table {
	struct samples *samples;
	struct text *text;
	char separator;
	struct column column[COLUMNS_MAX];
	unsigned int ncolumns, nvalues;
	bool timed;	   /* rows are intervals: until the end, .length of a series is when each began */
	struct names runs; /* of those; until the end, .place of a sample is its run */
};

/* A line cut into fields, and what its text columns say. */
struct row {
	char *field[COLUMNS_MAX];
	unsigned int count;
	const char *variant, *direction, *kind, *run;
	double pair, layout, time;
};

static char *first_line(char *at)
{
	while (*at == '#' || *at == '\n') {
		at = strchrnul(at, '\n');
		at += *at == '\n';
	}
	return at;
}

bool table_is(const struct text *text)
{
	const char *line = first_line(text->data);

	return strcspn(line, ",;\t") < strcspn(line, "\n");
}

static char separator_of(const char *line)
{
	size_t end = strcspn(line, "\n");

	if (memchr(line, '\t', end))
		return '\t';
	return memchr(line, ';', end) ? ';' : ',';
}

/* One field, in quotes or not, with blanks around it taken off. Returns what is behind it. */
static char *field_cut(char *at, char separator, char **field)
{
	char *to;

	at += strspn(at, " ");
	if (*at != '"') {
		char *end = strchrnul(at, separator), *next = *end ? end + 1 : NULL;

		*field = at;
		while (end > at && end[-1] == ' ')
			end--;
		*end = 0;
		return next;
	}
	*field = to = ++at;
	while (*at && (*at != '"' || at[1] == '"')) {
		at += *at == '"';
		*to++ = *at++;
	}
	at = strchrnul(at, separator);
	at = *at ? at + 1 : NULL;
	*to = 0;
	return at;
}

static int row_cut(struct row *row, char *line, char separator, const char *where, struct err *err)
{
	*row = (struct row){.variant = "", .direction = "", .kind = "", .run = ""};
	while (line) {
		if (row->count == COLUMNS_MAX)
			return err_set(err, -EINVAL, "%s: more than %d columns", where, COLUMNS_MAX);
		line = field_cut(line, separator, &row->field[row->count++]);
	}
	return 0;
}

static enum role role_of(const char *title)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (!strcasecmp(title, roles[i].title))
			return roles[i].role;
	return VALUE;
}

static int column_make(struct column *c, char *title, const struct read_how *how, const char *where, struct err *err)
{
	*c = (struct column){role_of(title), title, how->unit, how->scale};
	if (!*title || isdigit((unsigned char)*title))
		return err_set(err, -EINVAL,
			       "%s: the first line must name the columns, as in 'variant,direction,goodput (Mbit/s)'; "
			       "decimals are written with a point",
			       where);
	if (c->role != VALUE)
		return 0;
	if (unit_of_title(title, &c->unit, &c->scale))
		return err_set(err, -EINVAL, "%s: column '%s': unknown unit; known are " UNIT_WORDS, where, title);
	if (c->unit == UNIT_UNKNOWN) {
		c->unit = UNIT_PLAIN;
		c->scale = 1;
	}
	return 0;
}

static int head_read(struct table *t, char *line, const struct read_how *how, const char *where, struct err *err)
{
	struct row row;

	if (row_cut(&row, line, t->separator, where, err))
		return -EINVAL;
	for (t->ncolumns = 0; t->ncolumns < row.count; t->ncolumns++) {
		struct column *c = &t->column[t->ncolumns];

		if (column_make(c, row.field[t->ncolumns], how, where, err))
			return -EINVAL;
		for (unsigned int i = 0; i < t->ncolumns; i++)
			if (!strcasecmp(t->column[i].title, c->title))
				return err_set(err, -EINVAL, "%s: column '%s' is there twice", where, c->title);
		t->nvalues += c->role == VALUE;
		t->timed |= c->role == TIME;
	}
	return t->nvalues ? 0 : err_set(err, -EINVAL, "%s: no column of numbers", where);
}

static int count_parse(double *value, const char *word, const char *where, struct err *err)
{
	if (number_only(value, word, where, err))
		return -EINVAL;
	if (*value < 1 || *value > 1e6 || *value != (double)(unsigned int)*value)
		return err_set(err, -EINVAL, "%s: '%.40s' is no number of a pair or a layout: they count from 1", where,
			       word);
	return 0;
}

/* What a row says besides its values. */
static int row_words(struct row *row, const struct table *t, const char *where, struct err *err)
{
	int rc = 0;

	for (unsigned int i = 0; !rc && i < t->ncolumns; i++) {
		char *word = row->field[i];

		switch (t->column[i].role) {
		case VARIANT:
			row->variant = word;
			break;
		case DIRECTION:
			row->direction = word;
			break;
		case CASE:
			row->kind = word;
			break;
		case RUN:
			row->run = word;
			break;
		case PAIR:
			rc = count_parse(&row->pair, word, where, err);
			break;
		case LAYOUT:
			rc = count_parse(&row->layout, word, where, err);
			break;
		case TIME:
			rc = number_only(&row->time, word, where, err);
			break;
		default:
			break;
		}
	}
	return rc;
}

/* "gro off, download, goodput"; a single column of numbers needs no name where the row has one. */
static void cell_name(char name[SAMPLES_NAME], const struct table *t, const struct row *row, const struct column *c)
{
	bool alone = t->nvalues == 1 && (*row->kind || *row->direction || !strcasecmp(c->title, "value"));

	snprintf(name, SAMPLES_NAME, "%s%s%s%s%s", row->kind, *row->kind && *row->direction ? ", " : "", row->direction,
		 !alone && (*row->kind || *row->direction) ? ", " : "", alone ? "" : c->title);
}

/* The sample that a value belongs to: a new one, or, of intervals, that of its run. */
static struct sample *sample_for(struct table *t, const struct row *row, const char *cell)
{
	int run = t->timed ? names_get(&t->runs, row->run) : 0, v = names_get(&t->samples->variants, row->variant);
	int c = names_get(&t->samples->cells, cell);
	struct sample *sample;

	if (run < 0 || v < 0 || c < 0)
		return NULL;
	for (unsigned int i = t->timed ? t->samples->count : 0; i-- > 0;) {
		sample = &t->samples->sample[i];
		if (sample->place == (unsigned int)run && sample->variant == (unsigned int)v &&
		    sample->cell == (unsigned int)c)
			return sample;
	}
	sample = samples_add(t->samples, row->variant, cell);
	if (sample)
		sample->place = (unsigned int)run;
	return sample;
}

static int interval_add(struct series *series, double value, double time, const char *where, struct err *err)
{
	if (series->count && time <= series->length[series->count - 1])
		return err_set(err, -EINVAL,
			       "%s: the time does not go on: an interval of no length, or another run, which a column "
			       "'run' would tell apart",
			       where);
	return series_add(series, value, time) ? err_set(err, -ENOMEM, "%s: out of memory", where) : 0;
}

static int value_read(struct table *t, const struct row *row, unsigned int i, const char *where, struct err *err)
{
	const struct column *c = &t->column[i];
	char cell[SAMPLES_NAME], spot[TEXT_WHERE + 128];
	struct sample *sample;
	double value;
	int rc;

	snprintf(spot, sizeof(spot), "%s: column '%.60s'", where, c->title);
	if (!*row->field[i])
		return 0;
	if (number_only(&value, row->field[i], spot, err))
		return -EINVAL;
	cell_name(cell, t, row, c);
	sample = sample_for(t, row, cell);
	if (!sample)
		return err_set(err, -ENOMEM, "%s: out of memory", spot);
	sample->value = value * c->scale;
	sample->pair = (unsigned int)row->pair;
	sample->layout = (unsigned int)row->layout;
	rc = t->timed ? interval_add(&sample->series, sample->value, row->time, where, err) : 0;
	return rc ? rc : samples_unit(t->samples, sample->cell, c->unit, spot, err);
}

static int row_read(struct table *t, char *line, const char *where, struct err *err)
{
	struct row row;
	int rc = row_cut(&row, line, t->separator, where, err);

	if (rc)
		return rc;
	if (row.count != t->ncolumns)
		return err_set(err, -EINVAL, "%s: %u fields, but the first line names %u", where, row.count,
			       t->ncolumns);
	rc = row_words(&row, t, where, err);
	for (unsigned int i = 0; !rc && i < t->ncolumns; i++)
		if (t->column[i].role == VALUE)
			rc = value_read(t, &row, i, where, err);
	return rc;
}

/* When each interval began becomes how long it was; the last one was as long as the one before. */
static int times_end(struct sample *sample, const char *path, struct err *err)
{
	struct series *series = &sample->series;
	unsigned int last = series->count - 1;

	if (!last)
		return err_set(err, -EINVAL, "%s: a run of one row: how long was it?", path);
	for (unsigned int i = 0; i < last; i++)
		series->length[i] = series->length[i + 1] - series->length[i];
	series->length[last] = series->length[last - 1];
	series_close(series);
	sample->value = series_mean(series);
	sample->of_intervals = true;
	sample->place = 0;
	return 0;
}

static int rows_read(struct table *t, struct lines *lines, struct err *err)
{
	char where[TEXT_WHERE], *line;
	int rc = 0;

	while (!rc && (line = lines_next(lines)))
		if (line[strspn(line, " ")] && *line != '#')
			rc = row_read(t, line, text_where(where, t->text, lines->number), err);
	for (unsigned int i = 0; !rc && t->timed && i < t->samples->count; i++)
		rc = times_end(&t->samples->sample[i], t->text->path, err);
	return rc;
}

int table_read(struct samples *s, struct text *text, const struct read_how *how, struct err *err)
{
	struct table t = {.samples = s, .text = text, .separator = separator_of(first_line(text->data))};
	struct lines lines = {.next = text->data};
	char where[TEXT_WHERE], *line;
	int rc;

	while ((line = lines_next(&lines)) && (!*line || *line == '#'))
		;
	rc = head_read(&t, line, how, text_where(where, text, lines.number), err);
	if (!rc)
		rc = rows_read(&t, &lines, err);
	s->order = SAMPLES_ORDERED;
	free(t.runs.label);
	return rc;
}
