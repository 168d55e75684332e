/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - the file: opening, its tables, its layout */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stmt.h"

#define PROGRAM 0x50724263 /* "PrBc": SQLite's application_id, whose file it is */
#define PATIENCE 5000	   /* ms that another writer is waited for */

/* A trial's values and what it printed go with it; nothing is ever left without what it belongs to. */
static const char *const tables[] = {
	"CREATE TABLE comparison ("
	"	id INTEGER PRIMARY KEY,"
	"	began TEXT NOT NULL,"
	"	lab TEXT NOT NULL,"
	"	lab_text TEXT NOT NULL,"
	"	a TEXT NOT NULL,"
	"	b TEXT NOT NULL,"
	"	plan TEXT NOT NULL,"
	"	fingerprint_a TEXT,"
	"	fingerprint_b TEXT,"
	"	headroom REAL NOT NULL,"
	"	ended TEXT NOT NULL DEFAULT '')",
	"CREATE TABLE trial ("
	"	id INTEGER PRIMARY KEY,"
	"	comparison INTEGER NOT NULL REFERENCES comparison ON DELETE CASCADE,"
	"	pair INTEGER NOT NULL CHECK (pair > 0),"
	"	floor INTEGER NOT NULL,"
	"	side TEXT NOT NULL CHECK (side IN ('a', 'b')),"
	"	second INTEGER NOT NULL,"
	"	began TEXT NOT NULL,"
	"	took REAL NOT NULL,"
	"	measured REAL NOT NULL,"
	"	UNIQUE (comparison, floor, pair, side))",
	"CREATE TABLE value ("
	"	trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,"
	"	place INTEGER NOT NULL,"
	"	metric TEXT NOT NULL,"
	"	way TEXT NOT NULL,"
	"	unit TEXT NOT NULL,"
	"	value REAL NOT NULL,"
	"	PRIMARY KEY (trial, place), UNIQUE (trial, metric, way))",
	"CREATE TABLE series ("
	"	trial INTEGER PRIMARY KEY REFERENCES trial ON DELETE CASCADE,"
	"	metric TEXT NOT NULL,"
	"	way TEXT NOT NULL,"
	"	interval REAL NOT NULL,"
	"	intervals TEXT NOT NULL)",
	"CREATE TABLE raw ("
	"	trial INTEGER PRIMARY KEY REFERENCES trial ON DELETE CASCADE,"
	"	text TEXT NOT NULL)",
};

#define TEXT_OF(number) #number
#define PRAGMA(name, number) "PRAGMA " #name " = " TEXT_OF(number)

/* The number that is behind a PRAGMA, or a SELECT. */
static int number_of(struct store *s, const char *sql, long long *number, struct err *err)
{
	struct stmt q;
	int rc;

	stmt_begin(&q, s, sql);
	rc = stmt_row(&q, err);
	if (rc > 0)
		*number = stmt_int(&q, 0);
	stmt_end(&q);
	return rc < 0 ? rc : 0;
}

struct layout {
	long long program, version, objects;
};

static int layout_read(struct layout *l, struct store *s, struct err *err)
{
	int rc = number_of(s, "PRAGMA application_id", &l->program, err);

	if (!rc)
		rc = number_of(s, "PRAGMA user_version", &l->version, err);
	if (!rc)
		rc = number_of(s, "SELECT count(*) FROM sqlite_master", &l->objects, err);
	return rc;
}

static bool layout_empty(const struct layout *l)
{
	return !l->program && !l->version && !l->objects;
}

static int layout_check(const struct layout *l, const struct store *s, struct err *err)
{
	if (layout_empty(l))
		return err_set(err, -ENODATA, "%s: nothing was ever stored in it: choose another file with --store",
			       s->path);
	if (l->program != PROGRAM)
		return err_set(err, -EINVAL, "%s: an SQLite file of another program: choose another file with --store",
			       s->path);
	if (l->version > STORE_LAYOUT)
		return err_set(err, -EPROTO,
			       "%s: of a newer portico-bench (layout %lld, this one has %d): use that one, or choose "
			       "another file with --store",
			       s->path, l->version, STORE_LAYOUT);
	if (l->version < STORE_LAYOUT)
		return err_set(err, -EPROTO, "%s: its layout %lld is not known: choose another file with --store",
			       s->path, l->version);
	return 0;
}

/* Makes the tables in a file that is empty. The version is written in any case: where that cannot be done, it is found
 * now, and not when the first pair has been measured. */
static int layout_write(struct store *s, struct err *err)
{
	struct layout l = {0};
	int rc = layout_read(&l, s, err);

	if (!rc && layout_empty(&l)) {
		for (size_t i = 0; !rc && i < sizeof(tables) / sizeof(*tables); i++)
			rc = stmt_do(s, tables[i], err);
		if (!rc)
			rc = stmt_do(s, PRAGMA(application_id, PROGRAM), err);
	} else if (!rc) {
		rc = layout_check(&l, s, err);
	}
	return rc ? rc : stmt_do(s, PRAGMA(user_version, STORE_LAYOUT), err);
}

static int prepare(struct store *s, bool make, struct err *err)
{
	struct layout l = {0};
	int rc = stmt_do(s, "PRAGMA foreign_keys = ON", err);

	sqlite3_busy_timeout(s->db, PATIENCE);
	if (!rc && make) {
		rc = stmt_do(s, "BEGIN IMMEDIATE", err);
		return rc ? rc : stmt_commit(s, layout_write(s, err), err);
	}
	if (!rc)
		rc = layout_read(&l, s, err);
	return rc ? rc : layout_check(&l, s, err);
}

/* Asks the system first, whose words are better than SQLite's; nothing is locked yet, so closing unlocks nothing. */
static int file_check(const char *path, bool make, struct err *err)
{
	int fd = open(path, O_CLOEXEC | (make ? O_RDWR | O_CREAT : O_RDONLY), 0666);

	if (fd >= 0)
		return close(fd);
	if (errno == ENOENT && !make)
		return err_set(err, -ENOENT, "%s: %s: a comparison makes it; --store names another file", path,
			       strerror(ENOENT));
	return err_set(err, -errno, "%s: %s: choose another file with --store", path, strerror(errno));
}

static int file_open(struct store *s, bool make, struct err *err)
{
	int code, rc = file_check(s->path, make, err);

	if (rc)
		return rc;
	code = sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE, NULL);
	if (!s->db)
		return err_set(err, -ENOMEM, "out of memory");
	sqlite3_extended_result_codes(s->db, 1);
	return code == SQLITE_OK ? prepare(s, make, err) : stmt_fail(s, code, err);
}

struct store *store_open(const char *path, bool make, struct err *err)
{
	struct store *s = calloc(1, sizeof(*s));

	if (s)
		s->path = strdup(path);
	if (!s || !s->path) {
		err_set(err, -ENOMEM, "out of memory");
	} else if (!file_open(s, make, err)) {
		return s;
	}
	store_close(s);
	return NULL;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}
