/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comparison.c - comparisons: begun, ended, found again */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stmt.h"

void store_now(char text[STORE_TIME])
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(text, STORE_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

int store_comparison_add(struct store *s, struct store_comparison *c, struct err *err)
{
	struct stmt q;
	int rc;

	if (!*c->began)
		store_now(c->began);
	stmt_begin(&q, s,
		   "INSERT INTO comparison (began, lab, lab_text, a, b, plan, fingerprint_a, fingerprint_b, headroom) "
		   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
	stmt_bind_text(&q, c->began);
	stmt_bind_text(&q, c->lab_name);
	stmt_bind_text(&q, c->lab);
	stmt_bind_text(&q, c->a);
	stmt_bind_text(&q, c->b);
	stmt_bind_json(&q, c->plan);
	stmt_bind_json(&q, c->fingerprint_a);
	stmt_bind_json(&q, c->fingerprint_b);
	stmt_bind_real(&q, c->headroom);
	rc = stmt_run(&q, err);
	if (!rc)
		c->id = sqlite3_last_insert_rowid(s->db);
	return rc;
}

/* Runs an UPDATE of one comparison, and ends it. */
static int update_run(struct stmt *q, long long id, struct err *err)
{
	int rc = stmt_run(q, err);

	if (!rc && !sqlite3_changes(q->store->db))
		return err_set(err, -ENOENT, "%s: no comparison %lld", q->store->path, id);
	return rc;
}

int store_comparison_plan(struct store *s, const struct store_comparison *c, struct err *err)
{
	struct stmt q;

	stmt_begin(&q, s, "UPDATE comparison SET plan = ? WHERE id = ?");
	stmt_bind_json(&q, c->plan);
	stmt_bind_int(&q, c->id);
	return update_run(&q, c->id, err);
}

int store_comparison_end(struct store *s, long long id, struct err *err)
{
	char now[STORE_TIME];
	struct stmt q;

	store_now(now);
	stmt_begin(&q, s, "UPDATE comparison SET ended = ? WHERE id = ?");
	stmt_bind_text(&q, now);
	stmt_bind_int(&q, id);
	return update_run(&q, id, err);
}

#define COMPARISONS                                                                                                    \
	"SELECT id, began, ended, lab, lab_text, a, b, plan, fingerprint_a, fingerprint_b, headroom,"                  \
	" (SELECT count(*) FROM trial WHERE comparison = c.id AND side = 'a' AND NOT floor),"                          \
	" (SELECT count(*) FROM trial WHERE comparison = c.id AND side = 'a' AND floor),"                              \
	" (SELECT total(took) FROM trial WHERE comparison = c.id) "                                                    \
	"FROM comparison c "

static char *text_copy(const struct stmt *q, int column)
{
	const char *text = stmt_text(q, column);

	return strdup(text ? text : "");
}

/* Takes the row at hand. 0 or -ENOMEM. */
static int row_take(struct store_comparison *c, const struct stmt *q)
{
	const char *began = stmt_text(q, 1), *ended = stmt_text(q, 2);

	*c = (struct store_comparison){
		.id = stmt_int(q, 0),
		.lab_name = text_copy(q, 3),
		.lab = text_copy(q, 4),
		.a = text_copy(q, 5),
		.b = text_copy(q, 6),
		.plan = stmt_json(q, 7),
		.fingerprint_a = stmt_json(q, 8),
		.fingerprint_b = stmt_json(q, 9),
		.headroom = stmt_real(q, 10),
		.pairs = (unsigned int)stmt_int(q, 11),
		.floor_pairs = (unsigned int)stmt_int(q, 12),
		.took = stmt_real(q, 13),
	};
	snprintf(c->began, sizeof(c->began), "%s", began ? began : "");
	snprintf(c->ended, sizeof(c->ended), "%s", ended ? ended : "");
	if (c->lab_name && c->lab && c->a && c->b)
		return 0;
	store_comparison_free(c);
	return -ENOMEM;
}

/* None of this id: says which there are. */
static int none(struct store *s, long long id, struct err *err)
{
	long long first = 0, last = 0;
	struct stmt q;
	int rc;

	stmt_begin(&q, s, "SELECT min(id), max(id) FROM comparison");
	rc = stmt_row(&q, err);
	if (rc > 0) {
		first = stmt_int(&q, 0);
		last = stmt_int(&q, 1);
	}
	stmt_end(&q);
	if (rc < 0)
		return rc;
	if (!last)
		return err_set(err, -ENOENT, "%s: holds no comparison", s->path);
	return err_set(err, -ENOENT, "%s: no comparison %lld: the first is %lld, the last %lld", s->path, id, first,
		       last);
}

int store_comparison_get(struct store *s, long long id, struct store_comparison *c, struct err *err)
{
	struct stmt q;
	int rc, taken = 0;

	stmt_begin(&q, s, COMPARISONS "WHERE ?1 IN (0, id) ORDER BY id DESC LIMIT 1");
	stmt_bind_int(&q, id);
	rc = stmt_row(&q, err);
	if (rc > 0)
		taken = row_take(c, &q);
	stmt_end(&q);
	if (taken)
		return err_set(err, -ENOMEM, "out of memory");
	return rc ? (rc > 0 ? 0 : rc) : none(s, id, err);
}

void store_comparison_free(struct store_comparison *c)
{
	free(c->lab_name);
	free(c->lab);
	free(c->a);
	free(c->b);
	json_decref(c->plan);
	json_decref(c->fingerprint_a);
	json_decref(c->fingerprint_b);
	*c = (struct store_comparison){0};
}

int store_comparisons(struct store *s, store_visit *visit, void *arg, struct err *err)
{
	struct store_comparison c;
	struct stmt q;
	int rc;

	stmt_begin(&q, s, COMPARISONS "ORDER BY id");
	while ((rc = stmt_row(&q, err)) > 0) {
		rc = row_take(&c, &q);
		if (rc) {
			err_set(err, rc, "out of memory");
			break;
		}
		rc = visit(arg, &c);
		store_comparison_free(&c);
		if (rc)
			break;
	}
	stmt_end(&q);
	return rc;
}
