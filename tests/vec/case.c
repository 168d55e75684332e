/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case.c - a golden vector */
#include "case.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const reason_names[] = {
#define NAME(id, verdict, name, text) name,
	REASONS(NAME)
#undef NAME
};

int case_read(struct vec_case *c, const char *dir, struct err *err)
{
	char path[CASE_PATH_MAX];
	int rc;

	memset(c, 0, sizeof(*c));
	snprintf(c->dir, sizeof(c->dir), "%s", dir);
	snprintf(path, sizeof(path), "%s/portico.conf", c->dir);
	rc = conf_read(&c->conf, path, err);
	if (rc)
		return rc;
	return setup_replay(&c->conf, &c->setup, &c->options, err);
}

char *case_path(char *path, const char *dir, const char *prefix, const struct vec_case *c, u32 port)
{
	char name[CONF_NAME_MAX];
	char *blank;

	snprintf(name, sizeof(name), "%s", port < c->conf.nports ? c->conf.ports[port].name : "self");
	while ((blank = strchr(name, ' ')))
		*blank = '-';
	snprintf(path, CASE_PATH_MAX, "%s/%s%s.pcap", dir, prefix, name);
	return path;
}

int case_counters(const struct vec_case *c, struct dp_counter counters[REASON_COUNT])
{
	char path[CASE_PATH_MAX], name[64];
	u64 packets, bytes;
	FILE *file;

	memset(counters, 0, REASON_COUNT * sizeof(*counters));
	snprintf(path, sizeof(path), "%s/counters.txt", c->dir);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (fscanf(file, "%63s %llu %llu", name, &packets, &bytes) == 3)
		for (u32 i = 0; i < REASON_COUNT; i++)
			if (!strcmp(reason_names[i], name))
				counters[i] = (struct dp_counter){.packets = packets, .bytes = bytes};
	fclose(file);
	return 0;
}

unsigned int case_counters_differ(const struct dp_counter *got, const struct dp_counter *want)
{
	unsigned int n = 0;

	for (u32 i = 0; i < REASON_COUNT; i++) {
		if (got[i].packets == want[i].packets && got[i].bytes == want[i].bytes)
			continue;
		fprintf(stderr, "%s is %llu packets, %llu bytes; should be %llu, %llu\n", reason_names[i],
			got[i].packets, got[i].bytes, want[i].packets, want[i].bytes);
		n++;
	}
	return n;
}

int case_each(const char *top, void (*run)(const char *dir))
{
	struct dirent **names;
	int n = scandir(top, &names, NULL, alphasort), found = 0;

	for (int i = 0; i < n; i++) {
		char dir[CASE_PATH_MAX / 2], conf[CASE_PATH_MAX];

		snprintf(dir, sizeof(dir), "%.120s/%.120s", top, names[i]->d_name);
		snprintf(conf, sizeof(conf), "%s/portico.conf", dir);
		if (names[i]->d_name[0] != '.' && !access(conf, R_OK)) {
			run(dir);
			found++;
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	if (!found)
		printf("no golden vectors in %s\n", top);
	return found ? 0 : 77;
}
