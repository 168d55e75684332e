/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forms.h - one reader for each kind of file; inside this room only
 *
 * Each: 0, or -EINVAL or -ENOMEM with *err filled. Readers of lines write into the text.
 */
#ifndef PORTICO_BENCH_READ_FORMS_H
#define PORTICO_BENCH_READ_FORMS_H

#include <jansson.h>

#include "read.h"
#include "text.h"

/* iperf_json.c */
bool iperf_json_is(const json_t *root);
int iperf_json_read(struct samples *s, const json_t *root, const char *path, struct err *err);

/* series_json.c */
int series_json_read(struct samples *s, const json_t *root, const char *path, const struct read_how *how,
		     struct err *err);

/* iperf_text.c */
bool iperf_text_is(const struct text *text);
int iperf_text_read(struct samples *s, struct text *text, struct err *err);

/* table.c */
bool table_is(const struct text *text);
int table_read(struct samples *s, struct text *text, const struct read_how *how, struct err *err);

/* plain.c */
int plain_read(struct samples *s, struct text *text, const struct read_how *how, struct err *err);

#endif
