/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.h - what the runs themselves leave open, whatever is computed from them */
#ifndef PORTICO_BENCH_MAIN_WARNINGS_H
#define PORTICO_BENCH_MAIN_WARNINGS_H

#include "judge.h"

#define WARNINGS_MAX 12

struct warning {
	const char *code; /* for programs: "blocks" */
	char text[512];
};

struct warnings {
	struct warning warning[WARNINGS_MAX];
	unsigned int count;
};

/* All about what was judged. 0 or -ENOMEM. */
int warnings_find(struct warnings *w, const struct judge *j);

/* One more, if there is room. */
void warnings_add(struct warnings *w, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
