/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.c - what a program says while it runs */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static enum log_level most = LOG_LEVEL_INFO;
static bool journal;

void log_init(enum log_level level)
{
	most = level;
	journal = getenv("JOURNAL_STREAM") != NULL;
}

void log_line(enum log_level level, const char *format, ...)
{
	char text[1024];
	va_list ap;

	if (level > most)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	/* one write for each line, so that lines of several processes do not mix */
	if (journal)
		fprintf(stderr, "<%d>%s\n", (int)level, text);
	else
		fprintf(stderr, "%s\n", text);
}

bool log_allowed(struct log_limit *limit, enum log_level level)
{
	time_t now = clock_seconds();

	if (!limit->lines || now - limit->since >= LOG_PERIOD) {
		if (limit->lines > LOG_BURST)
			log_line(level, "(%u more lines like the next one were left out)", limit->lines - LOG_BURST);
		*limit = (struct log_limit){.since = now, .lines = 1};
		return true;
	}
	return ++limit->lines <= LOG_BURST;
}
