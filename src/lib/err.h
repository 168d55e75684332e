/* SPDX-License-Identifier: GPL-2.0-or-later */
/* err.h - an error on its way to the person: a sentence that says what is wrong and what to do */
#ifndef PORTICO_LIB_ERR_H
#define PORTICO_LIB_ERR_H

struct err {
	char text[768];
};

/* Writes the sentence and is `code` (a negative errno), so that a caller can `return err_set(...)`. A macro, so that
 * compilers and analysers see at each place that what is returned is not 0. */
#define err_set(e, code, ...)                                                                                          \
	({                                                                                                             \
		int err_code = (code);                                                                                 \
                                                                                                                       \
		err_write((e), __VA_ARGS__);                                                                           \
		err_code;                                                                                              \
	})

void err_write(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
