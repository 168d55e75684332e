/* SPDX-License-Identifier: GPL-2.0-or-later */
/* differs.c - what the two paths of a comparison were on, as far as it is not the same */
#include "differs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wrap.h"

#define MEANT "router."
#define ATTACHED ".xdp" /* "lan.xdp" */
#define LIST_WORDS 8

static json_t *text_or_null(const json_t *text)
{
	return json_is_string(text) ? json_string(json_string_value(text)) : json_null();
}

/* How the router is attached is the router as well. */
static bool is_meant(const char *key)
{
	size_t length = strlen(key), tail = strlen(ATTACHED);

	return !strncmp(key, MEANT, strlen(MEANT)) || (length > tail && !strcmp(key + length - tail, ATTACHED));
}

/* One key, where its texts are not the same: `one` is of a, `other` of b. */
static void add(json_t *differs, const char *key, const json_t *one, const json_t *other)
{
	const char *list = is_meant(key) ? "meant" : "besides";

	if (!one || !other || !json_equal(one, other))
		json_array_append_new(
			json_object_get(differs, list),
			json_pack("{s:s, s:o, s:o}", "key", key, "a", text_or_null(one), "b", text_or_null(other)));
}

json_t *differs_find(const json_t *a, const json_t *b)
{
	json_t *differs, *text;
	const char *key;

	if (!json_is_object(a) || !json_is_object(b))
		return json_null();
	differs = json_pack("{s:[], s:[]}", "besides", "meant");
	json_object_foreach((json_t *)a, key, text)
		add(differs, key, text, json_object_get(b, key));
	json_object_foreach((json_t *)b, key, text)
		if (!json_object_get(a, key))
			add(differs, key, NULL, text);
	return differs;
}

static const char *word(const json_t *one, const char *key)
{
	const char *text = json_string_value(json_object_get(one, key));

	return text ? text : "(none)";
}

static bool has_word(const char *text, const char *wanted, size_t length)
{
	for (const char *at = text; (at = strstr(at, wanted)); at++)
		if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* The words of `text` that `other` has not, each behind a sign. */
static void words_write(FILE *to, char sign, const char *text, const char *other)
{
	for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");
		char *one = strndup(at, length);

		if (one && !has_word(other, one, length))
			fprintf(to, " %c%s", sign, one);
		free(one);
		at += length;
	}
}

static unsigned int words_count(const char *text)
{
	unsigned int n = 0;

	for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
		at += strcspn(at, " ");
		n++;
	}
	return n;
}

/* "kernel.release: 6.17 -> 6.18"; of long lists of words only those that differ: "lan.offload: -rx-gro +tso". For
 * free(). */
static char *line_make(const json_t *one)
{
	const char *a = word(one, "a"), *b = word(one, "b");
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (!to)
		return NULL;
	fprintf(to, "%s:", word(one, "key"));
	if (words_count(a) >= LIST_WORDS && words_count(b) >= LIST_WORDS) {
		words_write(to, '-', a, b);
		words_write(to, '+', b, a);
	} else {
		fprintf(to, " %s -> %s", a, b);
	}
	fclose(to);
	return line;
}

static void list_print(const char *title, const json_t *list)
{
	const json_t *one;
	size_t i;

	if (json_array_size(list))
		puts(title);
	json_array_foreach(list, i, one) {
		char *line = line_make(one);

		if (line)
			wrap_print(line, 2);
		free(line);
	}
}

void differs_print(const json_t *differs)
{
	const json_t *besides = json_object_get(differs, "besides");

	if (!json_is_object(differs))
		puts("what the variants were measured on was not recorded");
	else if (!json_array_size(besides))
		puts("nothing else differs");
	list_print("differs besides the variants:", besides);
	list_print("of the routers:", json_object_get(differs, "meant"));
}

bool differs_write(char *text, size_t room, const json_t *a, const json_t *b)
{
	static const char *const lists[] = {"besides", "meant"};
	json_t *differs = differs_find(a, b);
	size_t n = 0;

	*text = 0;
	for (size_t l = 0; l < 2; l++) {
		const json_t *one, *list = json_object_get(differs, lists[l]);
		size_t i;

		json_array_foreach(list, i, one)
			if (n < room)
				n += (size_t)snprintf(text + n, room - n, "%s%s: %s -> %s", n ? "; " : "",
						      word(one, "key"), word(one, "a"), word(one, "b"));
	}
	json_decref(differs);
	return n > 0;
}
