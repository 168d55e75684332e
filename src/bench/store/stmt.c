/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stmt.c - one SQL statement on its way */
#include "stmt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is known beyond SQLite's own words. */
static const struct {
	int code, error;
	const char *advice;
} failures[] = {
	{SQLITE_BUSY, EBUSY, ": another program is writing to it; try again when it has ended"},
	{SQLITE_NOTADB, EINVAL, ": choose another file with --store"},
	{SQLITE_READONLY, EROFS, ": file and directory must be writable; or choose another file with --store"},
	{SQLITE_FULL, ENOSPC, ": make room, or choose another file with --store"},
	{SQLITE_CORRUPT, EIO, ": keep a copy, and choose another file with --store"},
	{SQLITE_NOMEM, ENOMEM, ""},
	{SQLITE_CONSTRAINT, EEXIST, ""},
};

int stmt_fail(const struct store *s, int code, struct err *err)
{
	int system = sqlite3_system_errno(s->db);
	const char *words = sqlite3_errmsg(s->db);

	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
		if (failures[i].code == (code & 0xff))
			return err_set(err, -failures[i].error, "%s: %s%s", s->path, words, failures[i].advice);
	if ((code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_IOERR)
		return err_set(err, system ? -system : -EIO, "%s: %s: %s", s->path, words, strerror(system ?: EIO));
	return err_set(err, -EIO, "%s: %s", s->path, words);
}

void stmt_begin(struct stmt *q, struct store *s, const char *sql)
{
	*q = (struct stmt){.store = s};
	q->code = sqlite3_prepare_v2(s->db, sql, -1, &q->handle, NULL);
}

void stmt_end(struct stmt *q)
{
	sqlite3_finalize(q->handle);
	q->handle = NULL;
}

static void note(struct stmt *q, int code)
{
	if (q->code == SQLITE_OK)
		q->code = code;
}

void stmt_bind_int(struct stmt *q, long long value)
{
	if (q->handle)
		note(q, sqlite3_bind_int64(q->handle, ++q->bound, value));
}

void stmt_bind_real(struct stmt *q, double value)
{
	if (q->handle)
		note(q, sqlite3_bind_double(q->handle, ++q->bound, value));
}

void stmt_bind_text(struct stmt *q, const char *value)
{
	if (q->handle)
		note(q, sqlite3_bind_text(q->handle, ++q->bound, value, -1, SQLITE_TRANSIENT));
}

void stmt_bind_json(struct stmt *q, const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;

	if (value && !text)
		note(q, SQLITE_NOMEM);
	stmt_bind_text(q, text);
	free(text);
}

int stmt_row(struct stmt *q, struct err *err)
{
	int code = q->code == SQLITE_OK ? sqlite3_step(q->handle) : q->code;

	if (code == SQLITE_ROW)
		return 1;
	return code == SQLITE_DONE ? 0 : stmt_fail(q->store, code, err);
}

int stmt_run(struct stmt *q, struct err *err)
{
	int rc = stmt_row(q, err);

	stmt_end(q);
	return rc < 0 ? rc : 0;
}

long long stmt_int(const struct stmt *q, int column)
{
	return sqlite3_column_int64(q->handle, column);
}

double stmt_real(const struct stmt *q, int column)
{
	return sqlite3_column_double(q->handle, column);
}

const char *stmt_text(const struct stmt *q, int column)
{
	return (const char *)sqlite3_column_text(q->handle, column);
}

json_t *stmt_json(const struct stmt *q, int column)
{
	const char *text = stmt_text(q, column);

	return text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
}

int stmt_do(struct store *s, const char *sql, struct err *err)
{
	struct stmt q;

	stmt_begin(&q, s, sql);
	return stmt_run(&q, err);
}

int stmt_commit(struct store *s, int rc, struct err *err)
{
	struct err ignored;

	if (!rc)
		rc = stmt_do(s, "COMMIT", err);
	if (rc && !sqlite3_get_autocommit(s->db))
		stmt_do(s, "ROLLBACK", &ignored);
	return rc;
}
