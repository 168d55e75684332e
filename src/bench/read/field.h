/* SPDX-License-Identifier: GPL-2.0-or-later */
/* field.h - fields of a JSON document, with messages that name the file and the field */
#ifndef PORTICO_BENCH_READ_FIELD_H
#define PORTICO_BENCH_READ_FIELD_H

#include <jansson.h>
#include <stdbool.h>

#include "lib/err.h"

#define FIELD_TEXT 400

/* An object of a document, and where it stands: "FILE: intervals[3].sum". */
struct spot {
	const json_t *object;
	const char *path; /* of the file */
	char text[FIELD_TEXT];
};

/* The whole document. */
struct spot spot_root(const json_t *root, const char *path);
/* The object behind `key`; .object is NULL where there is none. */
struct spot spot_in(const struct spot *spot, const char *key);
/* The `i`th element of the array behind `key`; .object is NULL where it is no object. */
struct spot spot_of(const struct spot *spot, const char *key, size_t i);

/* A number that is there, is finite and not below zero. 0; -EINVAL with *err filled. */
int field_number(const struct spot *spot, const char *key, double *value, struct err *err);
/* As above; above zero. For lengths of time. */
int field_positive(const struct spot *spot, const char *key, double *value, struct err *err);
/* As field_number(), of any value; `where` heads the message. */
int field_check(const json_t *value, double *number, const char *where, struct err *err);

/* An array that is there and has elements. NULL with *err filled. */
const json_t *field_array(const struct spot *spot, const char *key, struct err *err);
/* A text, or NULL where there is none. */
const char *field_text(const struct spot *spot, const char *key);
/* 0 or false where there is none. */
double field_or_zero(const struct spot *spot, const char *key);
bool field_flag(const struct spot *spot, const char *key);

#endif
