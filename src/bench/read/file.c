/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.c - finds out what wrote a file of measurements, and has it read */
#include <errno.h>
#include <string.h>

#include "forms.h"

static int document_read(struct samples *s, const json_t *root, const char *path, const struct read_how *how,
			 struct err *err)
{
	if (!json_is_object(root))
		return err_set(err, -EINVAL, "%s: no JSON object, and so neither iperf3's output nor a series file",
			       path);
	return iperf_json_is(root) ? iperf_json_read(s, root, path, err) : series_json_read(s, root, path, how, err);
}

/* iperf3 writes some names twice where there are several streams; by hand, that is an error. */
static json_t *document_load(const char *at, json_error_t *fault)
{
	json_t *root = json_loads(at, JSON_DISABLE_EOF_CHECK, fault);

	if (!root || iperf_json_is(root))
		return root;
	json_decref(root);
	return json_loads(at, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, fault);
}

/* One JSON document behind the other, as `iperf3 -J >>FILE` leaves them. */
static int json_read(struct samples *s, const struct text *text, const struct read_how *how, struct err *err)
{
	const char *at = text->data;
	unsigned int line = 1;

	while (*(at += strspn(at, " \t\n"))) {
		json_error_t fault;
		json_t *root = document_load(at, &fault);
		int rc;

		for (const char *c = text->data; c < at; c++)
			line += *c == '\n';
		if (!root)
			return err_set(err, -EINVAL, "%s:%u: broken or cut off JSON: %s", text->path,
				       line + (unsigned int)fault.line - 1, fault.text);
		rc = document_read(s, root, text->path, how, err);
		json_decref(root);
		if (rc)
			return rc;
		at += fault.position;
		line = 1;
	}
	return 0;
}

int read_file(struct samples *s, const char *path, const struct read_how *how, struct err *err)
{
	struct text text;
	int rc = text_read(&text, path, err);
	char first;

	if (rc)
		return rc;
	first = text.data[strspn(text.data, " \t\n")];
	/* lines of iperf begin with a bracket, too */
	if (first == '{' || (first == '[' && !iperf_text_is(&text)))
		rc = json_read(s, &text, how, err);
	else if (iperf_text_is(&text))
		rc = iperf_text_read(s, &text, err);
	else if (table_is(&text))
		rc = table_read(s, &text, how, err);
	else
		rc = plain_read(s, &text, how, err);
	if (!rc && !s->count)
		rc = err_set(err, -EINVAL, "%s: holds no measurement", text.path);
	text_free(&text);
	return rc;
}
