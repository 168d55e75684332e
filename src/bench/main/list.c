/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - portico-bench list: the comparisons in a store */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "stored.h"

struct list {
	struct store *store;
	json_t *rows; /* for both forms of output */
};

/* One that cannot be judged is listed as well. */
static json_t *verdicts_json(struct store *store, const struct store_comparison *c, struct err *err)
{
	json_t *all = json_array();
	struct stored s;

	*err->text = 0;
	if (stored_judge(&s, store, c, err))
		return all;
	for (unsigned int i = 0; i < s.judge.count; i++)
		json_array_append_new(all, json_pack("{s:s, s:s}", "cell", s.judge.findings[i].cell, "verdict",
						     finding_call(s.judge.findings[i].call)));
	stored_exit(&s);
	return all;
}

static int row_add(void *arg, const struct store_comparison *c)
{
	struct list *list = arg;
	struct err err;
	json_t *row = store_comparison_json(c), *verdicts = verdicts_json(list->store, c, &err);

	json_object_del(row, "lab_text");
	json_object_del(row, "fingerprint_a");
	json_object_del(row, "fingerprint_b");
	json_object_set_new(row, "verdicts", verdicts);
	json_object_set_new(row, "error", *err.text ? json_string(err.text) : json_null());
	return json_array_append_new(list->rows, row) ? -1 : 0;
}

#define COLUMNS 7
#define COLUMN_TEXT 256

/* A row as texts. */
struct line {
	char column[COLUMNS][COLUMN_TEXT];
};

static const struct line title = {{"id", "began", "lab", "A -> B", "pairs", "state", "verdict"}};

static const char *word(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

static void verdicts_write(char text[COLUMN_TEXT], const json_t *row)
{
	const json_t *one, *verdicts = json_object_get(row, "verdicts");
	size_t i, n;

	n = (size_t)snprintf(text, COLUMN_TEXT, "%s", word(row, "error"));
	json_array_foreach(verdicts, i, one)
		if (n < COLUMN_TEXT)
			n += (size_t)snprintf(text + n, COLUMN_TEXT - n, "%s%s%s%s", n ? ", " : "", word(one, "cell"),
					      *word(one, "cell") ? " " : "", word(one, "verdict"));
}

static void line_write(struct line *line, const json_t *row)
{
	long long pairs = json_integer_value(json_object_get(row, "pairs"));
	long long planned = json_integer_value(json_object_get(json_object_get(row, "plan"), "pairs"));

	snprintf(line->column[0], COLUMN_TEXT, "%lld", (long long)json_integer_value(json_object_get(row, "id")));
	snprintf(line->column[1], COLUMN_TEXT, "%s", word(row, "began"));
	snprintf(line->column[2], COLUMN_TEXT, "%s", word(row, "lab"));
	snprintf(line->column[3], COLUMN_TEXT, "%s -> %s", word(row, "a"), word(row, "b"));
	snprintf(line->column[4], COLUMN_TEXT, "%lld", pairs);
	if (*word(row, "ended"))
		snprintf(line->column[5], COLUMN_TEXT, "done");
	else
		snprintf(line->column[5], COLUMN_TEXT, "%lld of %lld pairs: resume", pairs, planned);
	verdicts_write(line->column[6], row);
}

static void lines_print(const struct line *line, size_t count)
{
	int width[COLUMNS] = {0};

	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < COLUMNS; k++)
			if ((int)strlen(line[i].column[k]) > width[k])
				width[k] = (int)strlen(line[i].column[k]);
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < COLUMNS; k++)
			printf("%-*s%s", k < COLUMNS - 1 ? width[k] : 0, line[i].column[k],
			       k < COLUMNS - 1 ? "  " : "\n");
}

static int rows_print(const json_t *rows)
{
	size_t count = json_array_size(rows);
	struct line *line = calloc(count + 1, sizeof(*line));

	if (!line)
		return command_fail(COMMAND_FAILED, "out of memory");
	*line = title;
	for (size_t i = 0; i < count; i++)
		line_write(&line[i + 1], json_array_get(rows, i));
	lines_print(line, count + 1);
	free(line);
	return COMMAND_DONE;
}

static int list_show(const struct stored_options *o, struct list *list)
{
	struct err err = {"out of memory"};

	if (store_comparisons(list->store, row_add, list, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	if (o->json)
		return command_json(json_incref(list->rows));
	return rows_print(list->rows);
}

static int run(const void *options, char **operands)
{
	const struct stored_options *o = options;
	struct err err;
	struct list list = {store_open(o->store ? o->store : STORE_FILE, false, &err), NULL};
	int rc;

	(void)operands;
	if (!list.store)
		return command_fail(COMMAND_FAILED, "%s", err.text);
	list.rows = json_array();
	rc = list_show(o, &list);
	json_decref(list.rows);
	store_close(list.store);
	return rc;
}

const struct command command_list = {
	.name = "list",
	.operands = "",
	.min = 0,
	.max = 0,
	.summary = "list the comparisons that are stored, with their verdicts",
	.text = "Lists all comparisons in a store, oldest first: when they began (UTC), the lab, the variants, the\n"
		"pairs that are stored, whether it is done or can be resumed, and the verdict on each metric.",
	.example = "  portico-bench list\n"
		   "  portico-bench list --store other.db --json",
	.options = stored_options,
	.run = run,
};
