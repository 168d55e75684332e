/* SPDX-License-Identifier: GPL-2.0-or-later */
/* err.h - an error on its way to the person: a sentence that says what is wrong and what to do */
#ifndef PORTICO_LIB_ERR_H
#define PORTICO_LIB_ERR_H

struct err {
	char text[768];
};

/* Writes the sentence and returns `code` (a negative errno), so that a caller can `return err_set(...)`. */
int err_set(struct err *e, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
