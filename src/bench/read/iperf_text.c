/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iperf_text.c - reads the text that iperf3 and iperf print: one run or several behind each other
 *
 *      [  5]   0.00-1.00   sec  4.88 MBytes  40.9 Mbits/sec    0   1.12 MBytes       (omitted)
 *      [  7][RX-C]   0.00-2.00   sec  9.62 MBytes  40.4 Mbits/sec                  receiver
 *
 * A line has a stream, with --bidir its role, the time from and to, and a rate. Lines of different streams follow each
 * other for each interval, and an interval ends where a stream comes again. At the end of the run stand sums for each
 * stream, by "sender" and "receiver"; iperf 2 has one that begins at the start again. Streams are added up here: lines
 * of [SUM] only count where the log has no others. With --bidir the roles TX-C (the client sends) and RX-C tell the
 * directions apart.
 *
 * Rates are printed with three digits, which is why JSON (-J) is better.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

#define SUM (-1)
#define STREAMS_MAX 256

enum way {
	UP,
	DOWN,
	WAYS
};

/* One line. */
struct line {
	int stream; /* SUM: of all */
	enum way way;
	double from, to, rate; /* s, s, bit/s */
	bool omitted, is_sender, is_receiver;
};

/* What a direction has of the run at hand: of single streams, and of [SUM]. */
struct tally {
	double now;	       /* of the interval at hand */
	double sent, received; /* of the lines at the end */
	bool any, has_sent, has_received;
	struct series series;
};

struct log {
	struct samples *samples;
	const struct text *text;
	enum way way;		     /* of streams without a role */
	struct tally tally[WAYS][2]; /* streams, [SUM] */
	int seen[STREAMS_MAX];	     /* in the interval at hand */
	unsigned int nseen;
	struct line interval; /* the first line of it */
	double end;	      /* of the last interval, s */
	unsigned int omitted;
	unsigned int zero_line; /* of an interval of no length, which only the last one may be */
};

bool iperf_text_is(const struct text *text)
{
	for (const char *at = text->data; (at = strstr(at, "its/sec")) != NULL; at++) {
		const char *begin = at;

		while (begin > text->data && begin[-1] != '\n')
			begin--;
		if (memmem(begin, (size_t)(at - begin), " sec ", 5) && memchr(begin, '[', (size_t)(at - begin)))
			return true;
	}
	return strstr(text->data, "Connecting to host") || strstr(text->data, "iperf3: ");
}

/* The stream and role at the start of a line: 1 and *at behind them; 0 where this line has none. */
static int stream_read(char **at, struct line *line, enum way way)
{
	char *open = strchr(*at, '['), *close = open ? strchr(open, ']') : NULL;
	char *id = open ? open + 1 + strspn(open + 1, " ") : NULL;

	if (!close || (!isdigit((unsigned char)*id) && strncmp(id, "SUM", 3)))
		return 0;
	line->stream = *id == 'S' ? SUM : atoi(id);
	line->way = way;
	if (!strncmp(close + 1, "[TX-", 4) || !strncmp(close + 1, "[RX-", 4)) {
		/* TX of a server's log is what the client receives */
		line->way = (close[2] == 'T') == (close[5] == 'C') ? UP : DOWN;
		close = strchr(close + 1, ']');
		if (!close)
			return 0;
	}
	*at = close + 1;
	return 1;
}

/* "0.00-1.00   sec" or, in iperf 2, "0.0- 1.0 sec". 1, 0 where the line has none, or -EINVAL. */
static int times_read(char **at, struct line *line, const char *where, struct err *err)
{
	struct number from, to;
	const char *end;

	*at += strspn(*at, " ");
	if (!isdigit((unsigned char)**at) && !strstr(*at, " sec "))
		return 0;
	if (number_parse(&from, *at, where, err))
		return -EINVAL;
	from.end += strspn(from.end, " ");
	if (*from.end != '-')
		return err_set(err, -EINVAL, "%s: cut off: the interval has no end", where);
	if (number_parse(&to, from.end + 1 + strspn(from.end + 1, " "), where, err))
		return -EINVAL;
	end = to.end + strspn(to.end, " ");
	if (strncmp(end, "sec", 3))
		return err_set(err, -EINVAL, "%s: cut off: no 'sec' behind the interval", where);
	if (to.value < from.value)
		return err_set(err, -EINVAL, "%s: the interval ends before it begins", where);
	line->from = from.value;
	line->to = to.value;
	*at = (char *)end + 3;
	return 1;
}

/* The rate, which stands behind what was transferred. */
static int rate_read(char *at, struct line *line, const char *where, struct err *err)
{
	struct number n = {.end = at};
	enum unit unit = UNIT_UNKNOWN;
	double scale = 1;

	while (*(at = n.end + strspn(n.end, " \t"))) {
		char word[24] = "";

		if (number_parse(&n, at, where, err))
			return -EINVAL;
		n.end += strspn(n.end, " \t");
		strncat(word, n.end, strcspn(n.end, " \t") < sizeof(word) ? strcspn(n.end, " \t") : 0);
		n.end += strcspn(n.end, " \t");
		if (strstr(word, "/sec") && !unit_parse(word, &unit, &scale)) {
			line->rate = n.value * scale;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "%s: cut off: no rate on this line", where);
}

/* 1 where the line is about a stream, 0 where it is something else, -EINVAL. */
static int line_read(char *text, const struct log *log, struct line *line, const char *where, struct err *err)
{
	char *at = text;
	int rc;

	*line = (struct line){0};
	if (!stream_read(&at, line, log->way))
		return 0;
	rc = times_read(&at, line, where, err);
	if (rc <= 0)
		return rc;
	line->omitted = strstr(at, "(omitted)");
	line->is_sender = strstr(at, "sender");
	line->is_receiver = strstr(at, "receiver");
	if (strstr(at, "statistics not available"))
		return 0;
	return rate_read(at, line, where, err) ? -EINVAL : 1;
}

/* The interval at hand is whole: its sums become the next value of the series. */
static int interval_end(struct log *log, struct err *err)
{
	double length = log->interval.to - log->interval.from;
	char where[TEXT_WHERE];

	if (!log->nseen)
		return 0;
	log->nseen = 0;
	log->omitted += log->interval.omitted;
	if (log->zero_line)
		return err_set(err, -EINVAL, "%s: an interval of no length",
			       text_where(where, log->text, log->zero_line));
	for (int way = 0; way < WAYS; way++)
		for (int of_sum = 0; of_sum < 2; of_sum++) {
			struct tally *t = &log->tally[way][of_sum];

			if (!log->interval.omitted && length > 0 && t->any && series_add(&t->series, t->now, length))
				return err_set(err, -ENOMEM, "%s: out of memory", log->text->path);
			t->now = 0;
		}
	return 0;
}

/* One more stream of the interval at hand, or the first of the next one. */
static int interval_line(struct log *log, const struct line *line, unsigned int number, struct err *err)
{
	struct tally *t = &log->tally[line->way][line->stream == SUM];
	int key = line->stream * WAYS + (int)line->way, rc;
	unsigned int i = 0;

	while (i < log->nseen && log->seen[i] != key)
		i++;
	if (i < log->nseen || i == STREAMS_MAX) {
		rc = interval_end(log, err);
		if (rc)
			return rc;
	}
	if (!log->nseen) {
		log->interval = *line;
		log->end = line->omitted ? 0 : line->to;
		if (line->to <= line->from)
			log->zero_line = number;
	}
	log->seen[log->nseen++] = key;
	t->now += line->rate;
	t->any = true;
	return 0;
}

/* A sum over the whole run: of iperf3 by its last word, of iperf 2 because it begins at the start again. */
static bool is_sum(const struct log *log, const struct line *line)
{
	return line->is_sender || line->is_receiver ||
	       (log->end > 0 && !line->omitted && line->from < log->interval.from && line->to >= log->end);
}

static void sum_line(struct log *log, const struct line *line)
{
	struct tally *t = &log->tally[line->way][line->stream == SUM];

	t->any = true;
	if (line->is_receiver) {
		t->received += line->rate;
		t->has_received = true;
	} else {
		t->sent += line->rate;
		t->has_sent = true;
	}
}

/* What is known of a direction becomes a sample. */
static int way_end(struct log *log, enum way way, struct err *err)
{
	static const char *const cells[] = {[UP] = "upload", [DOWN] = "download"};
	struct tally *t = &log->tally[way][!log->tally[way][0].any];
	struct sample *sample;

	if (!t->any)
		return 0;
	sample = samples_add(log->samples, "", cells[way]);
	if (!sample)
		return err_set(err, -ENOMEM, "%s: out of memory", log->text->path);
	series_close(&t->series);
	if (!t->has_received && !t->has_sent && !t->series.count)
		return err_set(err, -EINVAL, "%s: a run without a whole interval", log->text->path);
	sample->of_intervals = !t->has_received && !t->has_sent;
	sample->of_sender = t->has_sent && !t->has_received;
	sample->value = t->has_received ? t->received : t->has_sent ? t->sent : series_mean(&t->series);
	sample->series = t->series;
	sample->series.omitted = log->omitted;
	t->series = (struct series){0};
	return samples_unit(log->samples, sample->cell, UNIT_BITS, log->text->path, err);
}

static void log_begin(struct log *log)
{
	for (int way = 0; way < WAYS; way++)
		for (int of_sum = 0; of_sum < 2; of_sum++)
			series_free(&log->tally[way][of_sum].series);
	*log = (struct log){.samples = log->samples, .text = log->text};
}

/* The run is over: at the end of the file, and where the next one begins. */
static int run_end(struct log *log, struct err *err)
{
	char where[TEXT_WHERE];
	int rc = 0;

	if (log->nseen && log->zero_line && !log->end)
		rc = err_set(err, -EINVAL, "%s: an interval of no length",
			     text_where(where, log->text, log->zero_line));
	log->zero_line = 0;
	if (!rc)
		rc = interval_end(log, err);
	for (int way = 0; !rc && way < WAYS; way++)
		rc = way_end(log, way, err);
	log_begin(log);
	return rc;
}

static int text_line(struct log *log, char *text, const char *where, unsigned int number, struct err *err)
{
	const char *complaint = strstr(text, "iperf3: ");
	struct line line;
	int rc;

	if (complaint)
		return err_set(err, -EINVAL, "%s: iperf3 says: %.200s", where, complaint + strlen("iperf3: "));
	if (strstr(text, "Connecting to host") || strstr(text, "Accepted connection from"))
		return run_end(log, err);
	if (strstr(text, "Reverse mode"))
		log->way = DOWN;
	rc = line_read(text, log, &line, where, err);
	if (rc <= 0)
		return rc;
	if (!is_sum(log, &line))
		return interval_line(log, &line, number, err);
	sum_line(log, &line);
	return 0;
}

int iperf_text_read(struct samples *s, struct text *text, struct err *err)
{
	struct lines lines = {.next = text->data};
	struct log log = {.samples = s, .text = text};
	char where[TEXT_WHERE], *line;
	int rc = 0;

	while (!rc && (line = lines_next(&lines)))
		rc = text_line(&log, line, text_where(where, text, lines.number), lines.number, err);
	if (!rc)
		rc = run_end(&log, err);
	log_begin(&log);
	return rc;
}
