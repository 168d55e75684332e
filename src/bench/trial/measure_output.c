/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure_output.c - what a program printed, as values: in any form that logs are read in (bench/read/read.h) */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/read/read.h"
#include "measure.h"

/* Cells are called "out goodput", or "goodput", or nothing. */
static void name(struct store_value *value, const char *cell)
{
	size_t way = strcspn(cell, " ");

	if (way < sizeof(value->way) && cell[way]) {
		memcpy(value->way, cell, way);
		cell += way + 1;
	}
	snprintf(value->metric, sizeof(value->metric), "%.31s", *cell ? cell : "value");
}

static int sample_take(struct measure *m, struct samples *s, unsigned int i, const char *title, struct err *err)
{
	const struct label *cell = &s->cells.label[s->sample[i].cell];
	struct store_value value = {.unit = cell->unit == UNIT_UNKNOWN ? UNIT_PLAIN : cell->unit,
				    .value = s->sample[i].value};

	for (unsigned int k = 0; k < i; k++)
		if (s->sample[k].cell == s->sample[i].cell)
			return err_set(
				err, -EINVAL,
				"%s: several values%s%s: a trial is one number for each direction and metric; let "
				"it print their mean",
				title, *cell->text ? " of " : "", cell->text);
	name(&value, cell->text);
	if (!m->trial->nvalues) {
		m->trial->series = s->sample[i].series;
		s->sample[i].series = (struct series){0};
	}
	return measure_add(m, &value, err);
}

static int samples_take_all(struct measure *m, struct samples *s, const char *title, struct err *err)
{
	int rc = 0;

	if (!s->count)
		return err_set(err, -ENODATA, "%s printed no number", title);
	for (unsigned int i = 0; !rc && i < s->count; i++)
		rc = sample_take(m, s, i, title, err);
	return rc;
}

static int read_text(struct samples *s, const char *title, const char *text, struct err *err)
{
	const struct read_how how = {UNIT_UNKNOWN, 1, false, 1};
	size_t length = strlen(text);
	struct err cause;
	char path[64];
	int rc, fd = memfd_create("output", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, length) != (ssize_t)length) {
		rc = err_set(err, -errno, "%s: its output cannot be kept: %s", title, strerror(errno));
	} else {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		rc = read_file(s, path, &how, &cause);
		if (rc) /* without the path, which says nothing */
			err_set(err, rc, "%s: its output is not understood: %.600s", title,
				!strncmp(cause.text, path, strlen(path)) ? cause.text + strlen(path) + 1 : cause.text);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

int measure_output(struct measure *m, const char *title, const char *text, struct err *err)
{
	struct samples samples;
	int rc;

	json_array_append_new(m->raw, json_string(text));
	samples_init(&samples);
	rc = read_text(&samples, title, text, err);
	if (!rc)
		rc = samples_take_all(m, &samples, title, err);
	samples_exit(&samples);
	return rc;
}

int measure_hook(struct measure *m, struct err *err)
{
	struct hook hook = {.line = m->variant->measure, .ns = -1, .limit = m->lab->load.hook_limit};
	char title[LAB_TEXT + LAB_NAME + 32], *output = NULL;
	int rc;

	snprintf(title, sizeof(title), "%s: variant '%s': measure", m->lab->path, m->variant->name);
	hook.what = title;
	if (!*m->variant->measure)
		return err_set(err, -EINVAL,
			       "%s: it has none, and the lab's load is of kind 'hook'; give measure = COMMAND", title);
	rc = hook_run(&hook, &output, err);
	if (!rc)
		rc = measure_output(m, title, output, err);
	free(output);
	return rc;
}
