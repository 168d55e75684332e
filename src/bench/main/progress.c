/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.c - how far a comparison is */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "lib/clock.h"

void progress_begin(struct progress *p)
{
	*p = (struct progress){.began = clock_ns()};
}

/* Later trials count for more: a machine that slows down shows. */
void progress_trial(struct progress *p, double took)
{
	p->pair = p->pair > 0 ? 0.8 * p->pair + 0.2 * 2 * took : 2 * took;
	p->inside += took;
}

const char *progress_seconds(char text[PROGRESS_TEXT], double seconds)
{
	unsigned int s = (unsigned int)(seconds + 0.5);

	if (s >= 3600)
		snprintf(text, PROGRESS_TEXT, "%u h %u min", s / 3600, s % 3600 / 60);
	else if (s >= 60)
		snprintf(text, PROGRESS_TEXT, "%u min %u s", s / 60, s % 60);
	else
		snprintf(text, PROGRESS_TEXT, "%u s", s);
	return text;
}

void progress_show(struct progress *p, const char *what, unsigned int left)
{
	char text[PROGRESS_TEXT];

	if (!isatty(2))
		return;
	fprintf(stderr, "\r\033[K%s", what);
	if (p->pair > 0)
		fprintf(stderr, ", about %s left", progress_seconds(text, left * p->pair));
	fflush(stderr);
	p->shown = true;
}

void progress_clear(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
