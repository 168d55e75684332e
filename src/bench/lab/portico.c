/* SPDX-License-Identifier: GPL-2.0-or-later */
/* portico.c - Portico as the router of a path, brought up as anybody does it; at a border relay as well */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"
#include "kernel/kernel.h"
#include "lib/run.h"

#define FLOWS_MIN 65536
#define PIECE 4096 /* halves a call to the kernel */

static bool program_at(char path[PATH_PROGRAM], const char *directory)
{
	static const char *const places[] = {"src/cli/portico", "portico", "bin/portico"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (snprintf(path, PATH_PROGRAM, "%s/%s", directory, places[i]) < PATH_PROGRAM && !access(path, X_OK))
			return true;
	return false;
}

/* This program is somewhere in its build directory, or installed beside portico. */
int portico_program(const struct lab_variant *v, char path[PATH_PROGRAM], struct err *err)
{
	char self[PATH_MAX];
	ssize_t n;

	if (*v->build) {
		if (program_at(path, v->build))
			return 0;
		return err_set(err, -ENOENT,
			       "variant '%s': there is no portico in '%s': build it there ('ninja -C %s'), or name "
			       "another directory",
			       v->name, v->build, v->build);
	}
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = '\0';
	for (char *slash; (slash = strrchr(self, '/')) && slash > self;) {
		*slash = '\0';
		if (program_at(path, self))
			return 0;
	}
	return err_set(err, -ENOENT,
		       "variant '%s': there is no portico beside this program: build it, or give build DIR", v->name);
}

static u32 flows_room(const struct lab *lab)
{
	u64 flows = lab->load.kind == LAB_TABLE ? 0 : (u64)lab->load.flows + lab->load.flows / 5;

	return flows > FLOWS_MIN ? (u32)flows : FLOWS_MIN;
}

/* Lines that are separated by ';', each on its own. */
static void lines_write(FILE *f, const char *lines)
{
	for (; *lines; lines += strcspn(lines, ";"), lines += *lines == ';') {
		lines += strspn(lines, "; ");
		fwrite(lines, 1, strcspn(lines, ";"), f);
		fputc('\n', f);
	}
}

static int conf_write(const struct path *p, const char *file, bool relay, struct err *err)
{
	FILE *f = fopen(file, "we");

	if (!f)
		return err_set(err, -errno, "%s: %s", file, strerror(errno));
	fprintf(f, "[gateway]\nname = %s\nmode = native\n", p->undo->instance[relay]);
	if (relay)
		fprintf(f, "\n%s", p->topology->relay_conf);
	else
		fprintf(f, "flows = %u\n\n%s[nat]\n", flows_room(p->lab), p->topology->conf);
	if (!relay)
		lines_write(f, p->v->nat);
	return fclose(f) ? err_set(err, -EIO, "%s: cannot be written", file) : 0;
}

static int instance_up(struct path *p, bool relay, struct err *err)
{
	char file[64], where[LAB_WHERE];
	struct err cause;
	int rc;

	snprintf(file, sizeof(file), "/tmp/portico-%s.conf", p->undo->instance[relay]);
	rc = conf_write(p, file, relay, err);
	if (!rc)
		rc = net_run(&p->net, relay ? p->topology->relay : p->topology->place[PATH_GW], err, "%s up %s",
			     p->undo->portico, file);
	unlink(file);
	if (!rc)
		return 0;
	cause = *err;
	return err_set(err, rc, "%s: variant '%s': %s", lab_where(where, p->lab, p->v->line), p->v->name, cause.text);
}

int portico_start(struct path *p, struct err *err)
{
	char program[PATH_PROGRAM];
	int rc = portico_program(p->v, program, err);

	if (rc)
		return rc;
	snprintf(p->undo->instance[0], sizeof(p->undo->instance[0]), "bench-%d", getpid());
	if (p->topology->relay_conf)
		snprintf(p->undo->instance[1], sizeof(p->undo->instance[1]), "bench-%d-br", getpid());
	strcpy(p->undo->portico, program);
	rc = instance_up(p, false, err);
	return rc || !p->topology->relay_conf ? rc : instance_up(p, true, err);
}

void portico_undo(const struct path_undo *undo)
{
	struct err ignored;

	for (int i = 0; i < 2 && *undo->portico; i++) {
		char file[64];

		if (!*undo->instance[i])
			continue;
		run_line(NULL, &ignored, "%s down -n %s", undo->portico, undo->instance[i]);
		snprintf(file, sizeof(file), "/tmp/portico-%s.conf", undo->instance[i]);
		unlink(file);
	}
}

/* Walks the edge's flow table; with `end`, takes out what it comes by. */
static int walk(const struct path *p, bool end, u64 *flows, struct err *err)
{
	struct kernel *k = kernel_peek(p->undo->instance[0], err);
	struct flow_key *keys = calloc(PIECE, sizeof(*keys));
	struct flow_half *halves = calloc(PIECE, sizeof(*halves));
	struct kernel_walk at = {0};
	int count = -ENOMEM;

	*flows = 0;
	while (k && keys && halves && (count = kernel_flows(k, &at, keys, halves, PIECE)) > 0)
		for (int i = 0; i < count; i++) {
			*flows += keys[i].dir == FLOW_OUT;
			if (end)
				kernel_flow_del(k, &keys[i]);
		}
	if (k && !count && end)
		count = kernel_dests_clear(k);
	free(keys);
	free(halves);
	if (!k)
		return -EIO;
	kernel_close(k);
	return count < 0 ? err_set(err, count, "walking through Portico's flows: %s", strerror(-count)) : 0;
}

int portico_flush(const struct path *p, u64 *ended, struct err *err)
{
	return walk(p, true, ended, err);
}

int portico_flows(const struct path *p, u64 *flows, struct err *err)
{
	return walk(p, false, flows, err);
}
