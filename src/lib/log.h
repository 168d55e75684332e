/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.h - what a program says while it runs: one line for each event, to stderr
 *
 * Under systemd (JOURNAL_STREAM set) a line begins with its level as <3> ... <7>, which the journal takes off.
 */
#ifndef PORTICO_LIB_LOG_H
#define PORTICO_LIB_LOG_H

#include <stdbool.h>
#include <time.h>

enum log_level { /* numbers of syslog(3) */
	LOG_LEVEL_ERROR = 3,
	LOG_LEVEL_WARN = 4,
	LOG_LEVEL_INFO = 6,
	LOG_LEVEL_DEBUG = 7,
};

/* Lines above `level` are not written. Before this call: LOG_LEVEL_INFO, no levels shown. */
void log_init(enum log_level level);

void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...) log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...) log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_line(LOG_LEVEL_DEBUG, __VA_ARGS__)

/* For events that packets cause: at most LOG_BURST lines in LOG_PERIOD seconds for each place in the source; the next
 * period begins with a line about those left out. One thread. */
#define LOG_BURST 5
#define LOG_PERIOD 10

struct log_limit {
	time_t since; /* CLOCK_MONOTONIC, seconds */
	unsigned int lines;
};

bool log_allowed(struct log_limit *limit, enum log_level level);

#define log_limited(level, ...)                                                                                        \
	do {                                                                                                           \
		static struct log_limit log_limit_here;                                                                \
		if (log_allowed(&log_limit_here, level))                                                               \
			log_line(level, __VA_ARGS__);                                                                  \
	} while (0)

#endif
