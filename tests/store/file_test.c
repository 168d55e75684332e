/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_test.c - the store's file: made, opened again, and refused in words where it is not one */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"
#include "fixture.h"

#define NOBODY 65534

/* The file, changed behind the store's back. */
static void change(const char *path, const char *sql)
{
	sqlite3 *db;

	CHECK_EQ(sqlite3_open(path, &db), SQLITE_OK);
	CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* Not opened either way, or only not to be written, and with these words behind the name of the file. */
static void refused(const char *path, bool only_make, const char *words)
{
	for (int make = only_make; make < 2; make++) {
		struct err err = {""};
		struct store *s = store_open(path, make, &err);

		if (!CHECK(!s))
			store_close(s);
		CHECK(!strncmp(err.text, path, strlen(path)));
		if (!CHECK(strstr(err.text, words)))
			fprintf(stderr, "  %s\n", err.text);
	}
}

static void made(const char *path)
{
	struct store_comparison c = {0};
	struct err err;
	struct store *s;

	check_context("made");
	s = store_open(path, false, &err);
	CHECK(!s && strstr(err.text, "No such file"));
	CHECK_EQ(access(path, F_OK), -1);
	s = store_open(path, true, &err);
	if (!CHECK(s))
		return;
	CHECK_EQ(store_comparison_get(s, 0, &c, &err), -ENOENT);
	CHECK(strstr(err.text, "holds no comparison"));
	CHECK_EQ(fixture_comparison(s), 1);
	store_close(s);

	s = store_open(path, true, &err);
	if (!CHECK(s))
		return;
	CHECK_EQ(fixture_comparison(s), 2);
	CHECK_EQ(store_comparison_get(s, 9, &c, &err), -ENOENT);
	CHECK(strstr(err.text, "no comparison 9: the first is 1, the last 2"));
	store_close(s);
}

static void kept(const char *path)
{
	struct store_comparison c = {0};
	struct err err;
	struct store *s = store_open(path, false, &err);

	check_context("kept");
	if (!CHECK(s && !store_comparison_get(s, 0, &c, &err)))
		return;
	CHECK_EQ(c.id, 2);
	CHECK_STR(c.lab, "[lab]\ntopology = home\n");
	CHECK_STR(c.b, "new, and faster");
	CHECK_EQ(strlen(c.began), STORE_TIME - 4);
	CHECK_STR(c.ended, "");
	CHECK(c.headroom == 2.3);
	CHECK_STR(json_string_value(json_object_get(c.fingerprint_b, "kernel.release")), "6.18");
	json_object_set_new(c.plan, "pairs", json_integer(99));
	CHECK_EQ(store_comparison_plan(s, &c, &err), 0);
	store_comparison_free(&c);
	CHECK_EQ(store_comparison_end(s, 2, &err), 0);
	CHECK_EQ(store_comparison_end(s, 3, &err), -ENOENT);
	CHECK_EQ(store_comparison_get(s, 2, &c, &err), 0);
	CHECK_EQ(strlen(c.ended), STORE_TIME - 4);
	CHECK_EQ(json_integer_value(json_object_get(c.plan, "pairs")), 99);
	store_comparison_free(&c);
	store_close(s);
}

static void foreign(const char *path)
{
	FILE *file;

	check_context("of another program");
	change(path, "PRAGMA application_id = 1");
	refused(path, false, "of another program");
	unlink(path);
	change(path, "CREATE TABLE own (x)");
	refused(path, false, "of another program");
	unlink(path);

	check_context("no SQLite file");
	file = fopen(path, "w");
	if (!CHECK(file))
		return;
	fputs("variant,goodput\nold,941.5\nand so on for longer than the head of a database, which is 100 bytes .....",
	      file);
	fclose(file);
	refused(path, false, "file is not a database");
	unlink(path);

	check_context("a directory");
	mkdir(path, 0755);
	refused(path, false, "");
	rmdir(path);
}

static void layouts(const char *path)
{
	struct err err;
	struct store *s = store_open(path, true, &err);

	check_context("another layout");
	CHECK(s);
	store_close(s);
	change(path, "PRAGMA user_version = 2");
	refused(path, false, "newer portico-bench (layout 2, this one has 1)");
	change(path, "PRAGMA user_version = 0");
	refused(path, false, "its layout 0 is not known");
	unlink(path);

	check_context("an empty file");
	change(path, "VACUUM");
	s = store_open(path, false, &err);
	CHECK(!s && strstr(err.text, "nothing was ever stored"));
	s = store_open(path, true, &err);
	CHECK(s);
	store_close(s);
}

/* May read the store but not write it: all that only reads works. */
static void read_only(const char *path)
{
	struct err err;
	struct store *s;
	char missing[FIXTURE_PATH + 8];

	check_context("read only");
	refused(path, true, "Permission denied");
	s = store_open(path, false, &err);
	if (CHECK(s))
		store_close(s);
	snprintf(missing, sizeof(missing), "%s.new", path);
	refused(missing, true, "Permission denied");
}

/* May write the file, but not the directory, where the journal would be. */
static void no_journal(const char *path)
{
	check_context("no journal");
	refused(path, true, "file and directory must be writable");
}

static void as_nobody(void (*test)(const char *path), const char *path)
{
	int status = 1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		check_failed = 0;
		CHECK_EQ(setresuid(NOBODY, NOBODY, NOBODY), 0);
		test(path);
		fflush(NULL);
		_exit(check_failed ? 1 : 0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
}

/* Of root, who may do everything, this cannot be tested directly; of others not at all. */
static void unwritable(const char *path)
{
	char directory[FIXTURE_PATH];

	snprintf(directory, sizeof(directory), "%.*s", (int)(strrchr(path, '/') - path), path);
	if (geteuid() || chmod(directory, 0755))
		return;
	as_nobody(read_only, path);
	chmod(path, 0666);
	as_nobody(no_journal, path);
}

int main(void)
{
	char path[FIXTURE_PATH];

	fixture_init(path);
	made(path);
	kept(path);
	foreign(path);
	layouts(path);
	unwritable(path);
	fixture_exit(path);
	return check_summary("store file");
}
