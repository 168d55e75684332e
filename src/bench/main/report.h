/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - all findings of a comparison, for the person and as JSON */
#ifndef PORTICO_BENCH_MAIN_REPORT_H
#define PORTICO_BENCH_MAIN_REPORT_H

#include <jansson.h>

#include "interaction.h"
#include "judge.h"
#include "warnings.h"

struct report {
	const struct judge *judge;
	const struct interactions *interactions;
	const struct warnings *warnings;
};

/* To stdout. */
void report_print(const struct report *r);
/* A new value, or NULL where memory ends. */
json_t *report_json(const struct report *r);

#endif
