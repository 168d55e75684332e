/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady_print.h - what a series was like, for the person and as JSON */
#ifndef PORTICO_BENCH_MAIN_STEADY_PRINT_H
#define PORTICO_BENCH_MAIN_STEADY_PRINT_H

#include <jansson.h>

#include "steady.h"

/* Indented lines, to stdout. */
void steady_print(const struct steady *s, enum unit unit);
/* Levels in the base of the unit. A new value, or NULL where memory ends. */
json_t *steady_json(const struct steady *s);

#endif
