/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.h - what the commands of `portico-bench` are made of */
#ifndef PORTICO_BENCH_MAIN_BENCH_H
#define PORTICO_BENCH_MAIN_BENCH_H

#include "bench/read/unit.h"
#include "lib/command.h"

extern const struct command command_compare, command_resume, command_list, command_show, command_export, command_labs,
	command_verdict, command_series;
extern const struct command command_list, command_show, command_export;
extern const struct command command_labs;

/* Values of options, beside those of lib/opt.h. */
opt_value words_files;	 /* struct words_files; may be given again */
opt_value words_unit;	 /* struct words_unit */
opt_value words_rate;	 /* double, bit/s: "300M", "1g", "941.5 Mbit/s" */
opt_value words_percent; /* double, above 0: "1", "0.5", "2.5%" */
opt_value words_seconds; /* double, s, above 0: "1", "0.1", "5m", "1h" */

struct words_unit {
	enum unit unit; /* UNIT_UNKNOWN: not given */
	double scale;
};

#define WORDS_FILES_MAX 256
struct words_files {
	unsigned int count;
	const char *path[WORDS_FILES_MAX];
};

#endif
