/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle.c - reads oracle.txt */
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static void give_up(const char *what, const char *name)
{
	fprintf(stderr, "oracle.txt: %s: '%s'\n", what, name);
	exit(1);
}

static void name_set(char name[ORACLE_NAME], const char *text)
{
	if (snprintf(name, ORACLE_NAME, "%s", text) >= ORACLE_NAME)
		give_up("a long name", text);
}

/* "name value value ..." */
static void list_read(struct oracle_list *list, char *line)
{
	size_t room = strlen(line) / 2 + 1;
	double *value = malloc(room * sizeof(*value));
	unsigned int count = 0;
	char *end, *rest, *word = strtok_r(line, " \n", &rest);

	if (!value || !word)
		give_up("not a list", line);
	name_set(list->name, word);
	while ((word = strtok_r(NULL, " \n", &rest))) {
		value[count++] = strtod(word, &end);
		if (*end)
			give_up("no number", word);
	}
	list->values = (struct stat_sample){value, count};
}

/* Whether the next line begins a case, or there is none. */
static int at_end(FILE *file)
{
	int c = getc(file), second = c == EOF ? EOF : getc(file);

	if (c == EOF)
		return 1;
	fseek(file, second == EOF ? -1 : -2, SEEK_CUR);
	return c == 'c' && second == 'a';
}

int oracle_next(struct oracle_case *c, FILE *file)
{
	char *line = NULL;
	size_t size = 0;

	*c = (struct oracle_case){.count = 0};
	if (getline(&line, &size, file) < 0) {
		free(line);
		return 0;
	}
	if (strncmp(line, "case ", 5))
		give_up("not a case", line);
	line[strcspn(line, "\n")] = 0;
	name_set(c->kind, line + 5);
	while (!at_end(file)) {
		if (c->count == ORACLE_LISTS || getline(&line, &size, file) < 0)
			give_up("too many lists", c->kind);
		list_read(&c->list[c->count++], line);
	}
	free(line);
	return 1;
}

struct stat_sample oracle_list(const struct oracle_case *c, const char *name)
{
	for (unsigned int i = 0; i < c->count; i++)
		if (!strcmp(c->list[i].name, name))
			return c->list[i].values;
	give_up("no such list", name);
	return (struct stat_sample){0};
}

double oracle_at(const struct oracle_case *c, const char *name, unsigned int at)
{
	struct stat_sample list = oracle_list(c, name);

	if (at >= list.count)
		give_up("a short list", name);
	return list.value[at];
}

void oracle_free(struct oracle_case *c)
{
	for (unsigned int i = 0; i < c->count; i++)
		free((void *)c->list[i].values.value);
}
