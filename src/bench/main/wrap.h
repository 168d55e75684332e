/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wrap.h - sentences on a terminal */
#ifndef PORTICO_BENCH_MAIN_WRAP_H
#define PORTICO_BENCH_MAIN_WRAP_H

/* Prints text indented by `indent` columns, broken at blanks so that no line is longer than 100, if words allow. */
void wrap_print(const char *text, int indent);

#endif
