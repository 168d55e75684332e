/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - a file as text: whole, line by line, and the numbers in it */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of `file` behind each other. 0 or -errno. */
static int slurp(struct text *text, FILE *file)
{
	size_t room = 0, n;

	do {
		if (text->size + 1 >= room) {
			char *bigger = realloc(text->data, room = room ? 2 * room : 65536);

			if (!bigger)
				return -ENOMEM;
			text->data = bigger;
		}
		errno = 0;
		n = fread(text->data + text->size, 1, room - 1 - text->size, file);
		text->size += n;
		if (text->size > TEXT_SIZE_MAX)
			return -EFBIG;
	} while (n);
	text->data[text->size] = 0;
	return ferror(file) ? -(errno ? errno : EIO) : 0;
}

/* Takes off a byte order mark and the \r of lines from elsewhere. */
static void plain(struct text *text)
{
	char *to = text->data;
	const char *from = text->data;

	if (!strncmp(from, "\xef\xbb\xbf", 3))
		from += 3;
	for (; *from; from++)
		if (*from != '\r' || from[1] != '\n')
			*to++ = *from;
	*to = 0;
	text->size = (size_t)(to - text->data);
}

int text_read(struct text *text, const char *path, struct err *err)
{
	int from_stdin = !strcmp(path, "-");
	FILE *file = from_stdin ? stdin : fopen(path, "re");
	int rc;

	*text = (struct text){.path = from_stdin ? "standard input" : path};
	if (!file)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	rc = slurp(text, file);
	if (!from_stdin)
		fclose(file);
	if (rc)
		err_write(err, "%s: reading: %s", text->path, strerror(-rc));
	else if (strlen(text->data) != text->size)
		rc = err_set(err, -EINVAL, "%s: holds a zero byte: this is no text", text->path);
	else if (text->data[strspn(text->data, " \t\r\n")] == 0)
		rc = err_set(err, -EINVAL, "%s: is empty", text->path);
	else
		plain(text);
	if (rc)
		text_free(text);
	return rc;
}

void text_free(struct text *text)
{
	free(text->data);
	text->data = NULL;
}

char *lines_next(struct lines *lines)
{
	char *line = lines->next, *end;

	if (!line || !*line)
		return NULL;
	end = strchrnul(line, '\n');
	lines->next = *end ? end + 1 : end;
	*end = 0;
	lines->number++;
	return line;
}

const char *text_where(char where[TEXT_WHERE], const struct text *text, unsigned int line)
{
	snprintf(where, TEXT_WHERE, "%.300s:%u", text->path, line);
	return where;
}

int number_check(double value, const char *where, struct err *err)
{
	if (!isfinite(value))
		return err_set(err, -EINVAL, "%s: %f is no number that can be measured", where, value);
	if (value < 0)
		return err_set(err, -EINVAL, "%s: %g is below zero", where, value);
	return 0;
}

int number_parse(struct number *n, const char *word, const char *where, struct err *err)
{
	const char *digits = word + (*word == '-' || *word == '+');
	int length = (int)strcspn(word, " \t,;");

	/* strtod() also takes hexadecimal, "nan" and "inf", which no tool prints for a measurement that worked */
	if (!isdigit((unsigned char)digits[*digits == '.']) || (digits[0] == '0' && (digits[1] | 0x20) == 'x'))
		return err_set(err, -EINVAL, "%s: '%.*s' is no number", where, length > 60 ? 60 : length, word);
	n->value = strtod(word, &n->end);
	return number_check(n->value, where, err);
}

int number_only(double *value, const char *word, const char *where, struct err *err)
{
	struct number n = {0};

	if (number_parse(&n, word, where, err))
		return -EINVAL;
	if (*n.end)
		return err_set(err, -EINVAL, "%s: '%.60s' is no number", where, word);
	*value = n.value;
	return 0;
}
