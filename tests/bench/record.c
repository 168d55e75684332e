/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.c - a run of the bench, kept as JSON */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The rest of the first line of `path` that begins with `key`, behind the colon. */
static const char *line_of(const char *path, const char *key, char *line, size_t room)
{
	FILE *f = fopen(path, "re");
	const char *found = "";

	while (f && !*found && fgets(line, (int)room, f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, key, strlen(key)))
			continue;
		found = *key && strchr(line, ':') ? strchr(line, ':') + 2 : line;
	}
	if (f)
		fclose(f);
	return found;
}

static json_t *machine(void)
{
	char model[256], cmdline[1024], clock[64];
	struct utsname host;

	uname(&host);
	return json_pack(
		"{s:s, s:s, s:s, s:i, s:s, s:s}", "kernel", host.release, "architecture", host.machine, "cpu",
		line_of("/proc/cpuinfo", "model name", model, sizeof(model)), "cpus",
		(int)sysconf(_SC_NPROCESSORS_ONLN), "command line",
		line_of("/proc/cmdline", "", cmdline, sizeof(cmdline)), "clock",
		line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource", "", clock, sizeof(clock)));
}

json_t *record_numbers(const double *values, int n)
{
	json_t *array = json_array();

	for (int i = 0; i < n; i++)
		json_array_append_new(array, json_real(values[i]));
	return array;
}

static json_t *figures(const struct record *r)
{
	json_t *array = json_array();

	for (int i = 0; i < r->nfigures; i++) {
		const struct figure *f = &r->figures[i];
		json_t *one =
			json_pack("{s:s, s:s, s:f, s:f, s:f, s:o}", "title", f->title, "unit", f->unit, "median",
				  f->median, "low", f->low, "high", f->high, "values", record_numbers(f->value, f->n));

		if (f->sense != ' ') {
			json_object_set_new(one, f->sense == '>' ? "at least" : "at most", json_real(f->target));
			json_object_set_new(one, "met", json_boolean(figure_met(f)));
		}
		json_array_append_new(array, one);
	}
	return array;
}

static void directory_make(const char *path)
{
	char dir[512];
	char *slash;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (slash && slash != dir) {
		*slash = '\0';
		mkdir(dir, 0755);
	}
}

int record_write(const struct record *r, const char *path, struct err *err)
{
	json_t *all = json_pack("{s:s, s:s, s:o, s:o}", "bench", r->bench, "date", r->date, "machine", machine(),
				"figures", figures(r));
	int rc;

	if (!all || json_object_update(all, r->rest)) {
		json_decref(all);
		return err_set(err, -ENOMEM, "out of memory");
	}
	directory_make(path);
	rc = json_dump_file(all, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	json_decref(all);
	return rc ? err_set(err, -EIO, "%s: cannot be written; give another file with --json", path) : 0;
}
