/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stmt.h - one SQL statement on its way: values are bound in turn, rows are read, and errors name the file
 *
 *      stmt_begin -> stmt_bind_... for each `?` -> stmt_run, or stmt_row until it is not 1 -> stmt_end
 *
 * The first thing that fails is kept, and said by the call that runs the statement: nothing in between is checked.
 */
#ifndef PORTICO_BENCH_STORE_STMT_H
#define PORTICO_BENCH_STORE_STMT_H

#include <sqlite3.h>

#include "store.h"

struct store {
	sqlite3 *db;
	char *path;
};

struct stmt {
	struct store *store;
	sqlite3_stmt *handle;
	int bound; /* values */
	int code;  /* of SQLite, the first that was not SQLITE_OK */
};

void stmt_begin(struct stmt *q, struct store *s, const char *sql);
void stmt_end(struct stmt *q);

/* Texts are copied; NULL is SQL's NULL. */
void stmt_bind_int(struct stmt *q, long long value);
void stmt_bind_real(struct stmt *q, double value);
void stmt_bind_text(struct stmt *q, const char *value);
/* As text; NULL is SQL's NULL. */
void stmt_bind_json(struct stmt *q, const json_t *value);

/* The next row: 1; 0 behind the last; -errno with *err filled. */
int stmt_row(struct stmt *q, struct err *err);
/* Does what has no rows, and ends it. 0 or -errno with *err filled. */
int stmt_run(struct stmt *q, struct err *err);

/* Of the row at hand. Texts end with the row; NULL for SQL's NULL. */
long long stmt_int(const struct stmt *q, int column);
double stmt_real(const struct stmt *q, int column);
const char *stmt_text(const struct stmt *q, int column);
/* A new value; NULL for SQL's NULL, and for what is no JSON. */
json_t *stmt_json(const struct stmt *q, int column);

/* A statement without values: "BEGIN IMMEDIATE". */
int stmt_do(struct store *s, const char *sql, struct err *err);
/* Ends a transaction: keeps what it did where `rc` is 0, else takes it back. `rc`, or what went wrong keeping it. */
int stmt_commit(struct store *s, int rc, struct err *err);

/* Says what SQLite says of the file, and is -errno. */
int stmt_fail(const struct store *s, int code, struct err *err);

#endif
