/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixture.c - a store in a directory of its own, with a comparison and pairs whose numbers are known */
#include "fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fixture_init(char path[FIXTURE_PATH])
{
	strcpy(path, "/tmp/portico-store.XXXXXX");
	if (!mkdtemp(path))
		abort();
	strcat(path, "/store.db");
}

void fixture_exit(const char *path)
{
	char directory[FIXTURE_PATH], file[FIXTURE_PATH + 256];
	struct dirent *entry;
	DIR *dir;

	snprintf(directory, sizeof(directory), "%.*s", (int)(strrchr(path, '/') - path), path);
	dir = opendir(directory);
	while (dir && (entry = readdir(dir))) {
		snprintf(file, sizeof(file), "%s/%s", directory, entry->d_name);
		unlink(file);
	}
	if (dir)
		closedir(dir);
	rmdir(directory);
}

long long fixture_comparison(struct store *s)
{
	struct store_comparison c = {
		.lab_name = strdup("home"),
		.lab = strdup("[lab]\ntopology = home\n"),
		.a = strdup("old"),
		.b = strdup("new, and faster"),
		.plan = json_pack("{s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:b}", "pairs", 12, "looks", 1, "every", 4,
				  "seed", 7, "delta", 0.01, "precision", 0.0, "link", 0.0, "same_image", 0),
		.fingerprint_a =
			json_pack("{s:s, s:s, s:s}", "kernel.release", "6.1", "cpu.model", "x", "router.build", "a1"),
		.fingerprint_b = json_pack("{s:s, s:s, s:s, s:s}", "kernel.release", "6.18", "cpu.model", "x",
					   "router.build", "b2", "lan.mtu", "1500"),
		.headroom = 2.3,
	};
	struct err err;
	long long id = store_comparison_add(s, &c, &err) ? -1 : c.id;

	store_comparison_free(&c);
	return id;
}

static const struct store_value values[] = {
	{"rate", "out", UNIT_PACKETS, 1234567.8901234567},
	{"rate", "in", UNIT_PACKETS, 1e6},
	{"p99", "delay", UNIT_TIME, 51234.5},
	{"table", "", UNIT_PLAIN, 65536},
};

struct store_trial fixture_trial(unsigned int number, unsigned int side, double factor)
{
	static double intervals[] = {1.25e6, 1.2e6, 1.1e6}, lengths[] = {1, 1, 1};
	struct store_trial t = {.took = 1.5,
				.measured = 1,
				.nvalues = sizeof(values) / sizeof(*values),
				.series = {.value = intervals, .length = lengths, .count = 3, .interval = 1},
				.raw = "[{\"sent\": 18446744073709551, \"of\": \"a load\"}]"};
	double wobble = 1 + 0.001 * ((number * 7 + side * 3) % 5);

	snprintf(t.began, sizeof(t.began), "2026-01-31T12:%02u:%02uZ", number % 60, side);
	memcpy(t.value, values, sizeof(values));
	for (unsigned int i = 0; i < t.nvalues; i++) {
		double times = wobble * (side ? factor : 1);

		t.value[i].value *= t.value[i].unit == UNIT_TIME ? 1 / times : times;
	}
	return t;
}

int fixture_pair(struct store *s, long long id, unsigned int number, bool floor, double factor)
{
	struct store_trial a = fixture_trial(number, 0, factor), b = fixture_trial(number, 1, factor);
	struct store_pair pair = {.number = number, .floor = floor, .b_first = number % 2, .trial = {&a, &b}};
	struct err err;
	int rc = store_pair_add(s, id, &pair, &err);

	if (rc)
		fprintf(stderr, "%s\n", err.text);
	return rc;
}
