/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair_test.c - pairs are stored whole or not at all, whatever happens, and come back as they were */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"
#include "bench/store/stmt.h"
#include "fixture.h"

/* Pairs that are there; or -1, with a failed check, where one is not whole or the file is damaged. */
static int whole(const char *path, long long id)
{
	struct store_comparison c;
	struct samples samples;
	struct err err;
	struct store *s = store_open(path, false, &err);
	struct stmt q;
	int pairs = -1;

	if (!CHECK(s && !store_comparison_get(s, id, &c, &err)))
		return -1;
	stmt_begin(&q, s, "PRAGMA integrity_check");
	if (CHECK_EQ(stmt_row(&q, &err), 1))
		CHECK_STR(stmt_text(&q, 0), "ok");
	stmt_end(&q);
	samples_init(&samples);
	CHECK_EQ(store_samples(s, &c, false, &samples, &err), 0);
	if (CHECK_EQ(samples.count, c.pairs * 8))
		pairs = (int)c.pairs;
	samples_exit(&samples);
	store_comparison_free(&c);
	store_close(s);
	return pairs;
}

static void refused(struct store *s, long long id)
{
	struct store_trial a = fixture_trial(1, 0, 1), b = fixture_trial(1, 1, 1);
	struct store_pair pair = {.number = 1, .trial = {&a, &b}};
	double bad[] = {1, NAN};
	struct err err;

	check_context("refused");
	b.value[3].value = NAN;
	CHECK_EQ(store_pair_add(s, id, &pair, &err), -ERANGE);
	CHECK(strstr(err.text, "pair 1: table is nan"));
	b.value[3].value = INFINITY;
	CHECK_EQ(store_pair_add(s, id, &pair, &err), -ERANGE);
	b = fixture_trial(1, 1, 1);
	b.series.value = bad;
	b.series.count = 2;
	CHECK_EQ(store_pair_add(s, id, &pair, &err), -ERANGE);
	b = fixture_trial(1, 1, 1);
	b.nvalues--;
	CHECK_EQ(store_pair_add(s, id, &pair, &err), -EINVAL);
	CHECK(strstr(err.text, "table was measured for one side only"));
	b = fixture_trial(1, 1, 1);
	b.value[1] = b.value[0]; /* twice, which only the file finds, when one side is already written */
	a.value[1] = a.value[0];
	CHECK_EQ(store_pair_add(s, id, &pair, &err), -EEXIST);
	a = fixture_trial(1, 0, 1);
	b = fixture_trial(1, 1, 1);
	CHECK_EQ(store_pair_add(s, id + 1, &pair, &err), -EEXIST); /* no such comparison */
}

/* Values, order and series as they were given. */
static void samples_of(struct store *s, long long id)
{
	struct store_trial b = fixture_trial(3, 1, 1.05);
	struct store_comparison c;
	struct samples samples;
	struct err err;

	check_context("samples");
	samples_init(&samples);
	if (!CHECK(!store_comparison_get(s, id, &c, &err) && !store_samples(s, &c, false, &samples, &err)))
		return;
	CHECK_EQ(c.pairs, 12);
	CHECK_EQ(c.floor_pairs, 3);
	CHECK(c.took == 15 * 3.0);
	CHECK_EQ(samples.count, 12 * 8);
	CHECK_STR(samples.variants.label[0].text, "old");
	CHECK_STR(samples.variants.label[1].text, "new, and faster");
	CHECK_STR(samples.cells.label[0].text, "out rate");
	CHECK_STR(samples.cells.label[2].text, "delay p99");
	CHECK_STR(samples.cells.label[3].text, "table");
	CHECK_EQ(samples.cells.label[2].unit, UNIT_TIME);
	CHECK_EQ(samples.cells.label[3].unit, UNIT_PLAIN);
	for (unsigned int i = 0; i < 4; i++) { /* pair 3 ran B first */
		const struct sample *at = &samples.sample[16 + i];

		CHECK_EQ(at->pair, 3);
		CHECK_EQ(at->variant, 1);
		CHECK_EQ(at->cell, i);
		CHECK(at->value == b.value[i].value);
		CHECK_EQ(at->began, 1769860980 + 1);
		CHECK_EQ(at->series.count, i ? 0 : 3);
	}
	CHECK(samples.sample[16].series.value[2] == 1.1e6 && samples.sample[16].series.interval == 1);
	samples_exit(&samples);

	CHECK_EQ(store_samples(s, &c, true, &samples, &err), 0);
	CHECK_EQ(samples.count, 3 * 8);
	CHECK_STR(samples.variants.label[1].text, "old again");
	samples_exit(&samples);
	store_comparison_free(&c);
}

/* Every value that was given is in the export, to the last bit. */
static void exported(struct store *s, long long id)
{
	struct err err;
	json_t *all = store_export(s, id, &err), *trial, *trials = json_object_get(all, "trials");
	size_t at;

	check_context("export");
	CHECK_EQ(json_array_size(trials), 2 * 15);
	json_array_foreach(trials, at, trial) {
		unsigned int number = (unsigned int)json_integer_value(json_object_get(trial, "pair"));
		unsigned int side = *json_string_value(json_object_get(trial, "side")) == 'b';
		bool floor = json_is_true(json_object_get(trial, "floor"));
		struct store_trial t = fixture_trial(number, side, floor ? 1 : 1.05);
		json_t *values = json_object_get(trial, "values"), *raw = json_object_get(trial, "raw");

		CHECK_EQ(json_array_size(values), 4);
		for (unsigned int i = 0; i < 4; i++)
			CHECK(json_real_value(json_object_get(json_array_get(values, i), "value")) == t.value[i].value);
		CHECK_EQ(json_integer_value(json_object_get(json_array_get(raw, 0), "sent")), 18446744073709551);
		CHECK_EQ(json_array_size(json_object_get(json_object_get(trial, "series"), "values")), 3);
	}
	CHECK_STR(json_string_value(json_object_get(all, "lab_text")), "[lab]\ntopology = home\n");
	json_decref(all);
}

static int die(void *unused)
{
	(void)unused;
	raise(SIGKILL);
	return 0;
}

/* Killed when all of a pair but the last step is written, with its pages in the file already. */
static void killed_inside(const char *path, long long id)
{
	int status = 0;
	pid_t pid;

	check_context("killed inside");
	fflush(NULL);
	pid = fork();
	if (!pid) {
		struct err err;
		struct store *s = store_open(path, true, &err);
		struct store_trial a = fixture_trial(2, 0, 1), b = fixture_trial(2, 1, 1);
		struct store_pair pair = {.number = 2, .trial = {&a, &b}};
		char *raw = malloc(8 << 20);

		memset(raw, 'x', 8 << 20);
		raw[(8 << 20) - 1] = 0;
		a.raw = b.raw = raw;
		stmt_do(s, "PRAGMA cache_size = 10", &err);
		fixture_pair(s, id, 1, false, 1);
		sqlite3_commit_hook(s->db, die, NULL);
		store_pair_add(s, id, &pair, &err);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	CHECK_EQ(whole(path, id), 1);
}

/* Killed wherever it is. */
static void killed_anywhere(const char *path)
{
	check_context("killed anywhere");
	for (unsigned int round = 0; round < 12; round++) {
		struct err err;
		struct store *s = store_open(path, true, &err);
		long long id = fixture_comparison(s);
		pid_t pid;

		store_close(s);
		fflush(NULL);
		pid = fork();
		if (!pid) {
			s = store_open(path, true, &err);
			for (unsigned int number = 1;; number++)
				fixture_pair(s, id, number, false, 1);
		}
		usleep(3000 + 1700 * round);
		kill(pid, SIGKILL);
		CHECK_EQ(waitpid(pid, NULL, 0), pid);
		CHECK(whole(path, id) >= 0);
	}
}

/* No room for more: the pair is refused in words, and what was stored before is there. */
static void full(const char *path, long long id)
{
	int status = 1;
	pid_t pid;

	check_context("no room");
	fflush(NULL);
	pid = fork();
	if (!pid) {
		struct rlimit limit = {256 << 10, 256 << 10};
		struct err err = {""};
		struct store *s = store_open(path, true, &err);
		unsigned int number = 1;
		int rc;

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		do {
			struct store_trial a = fixture_trial(number, 0, 1), b = fixture_trial(number, 1, 1);
			struct store_pair pair = {.number = number, .trial = {&a, &b}};

			rc = store_pair_add(s, id, &pair, &err);
		} while (!rc && number++ < 10000);
		check_failed = 0;
		CHECK(rc < 0 && number > 10);
		CHECK(!strncmp(err.text, path, strlen(path)));
		store_close(s);
		CHECK_EQ(whole(path, id), number - 1);
		fflush(NULL);
		_exit(check_failed ? 1 : 0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
}

static void in_a_new_store(void (*test)(const char *path, long long id))
{
	char path[FIXTURE_PATH];
	struct err err;
	struct store *s;

	fixture_init(path);
	s = store_open(path, true, &err);
	if (CHECK(s)) {
		long long id = fixture_comparison(s);

		store_close(s);
		test(path, id);
	}
	fixture_exit(path);
}

static void kept(const char *path, long long id)
{
	struct err err;
	struct store *s = store_open(path, true, &err);

	refused(s, id);
	CHECK_EQ(whole(path, id), 0);
	for (unsigned int number = 1; number <= 12; number++) {
		CHECK_EQ(fixture_pair(s, id, number, false, 1.05), 0);
		if (number % 4 == 0)
			CHECK_EQ(fixture_pair(s, id, number / 4, true, 1), 0);
	}
	samples_of(s, id);
	exported(s, id);
	store_close(s);
	CHECK_EQ(whole(path, id), 12);
	killed_anywhere(path);
}

int main(void)
{
	in_a_new_store(kept);
	in_a_new_store(killed_inside);
	in_a_new_store(full);
	return check_summary("store pair");
}
