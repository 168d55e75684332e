/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.c - portico-bench series: was a run one steady state? */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bench/read/read.h"
#include "ceiling.h"
#include "steady.h"
#include "steady_print.h"

struct series_options {
	struct words_unit unit;
	double interval; /* s */
	double link, cap;
	bool no_link;
	bool json;
};

_Static_assert(sizeof(struct series_options) <= COMMAND_OPTIONS_SIZE, "fits");

/* All files, read before anything is said about one. */
struct inputs {
	struct samples samples;
	char *const *paths;
	struct ceiling ceiling;
};

static int input_read(struct inputs *in, unsigned int at, const struct read_how *how, struct err *err)
{
	struct samples_move move = {-1, NULL, in->paths[at]};
	unsigned int first = in->samples.count;
	struct samples one;
	int rc;

	samples_init(&one);
	rc = read_file(&one, in->paths[at], how, err);
	for (unsigned int i = 0; !rc && i < one.count; i++)
		if (!one.sample[i].series.count)
			rc = err_set(err, -EINVAL,
				     "%s: holds whole runs, and no intervals inside them: 'portico-bench verdict' "
				     "compares those",
				     in->paths[at]);
	if (!rc)
		rc = samples_take(&in->samples, &one, &move, err);
	for (unsigned int i = first; i < in->samples.count; i++)
		in->samples.sample[i].place = at;
	samples_exit(&one);
	return rc;
}

/* "FILE, variant, cell" */
static void title_print(const struct inputs *in, const struct sample *sample)
{
	const char *variant = in->samples.variants.label[sample->variant].text;
	const char *cell = in->samples.cells.label[sample->cell].text;

	printf("%s%s%s%s%s: ", in->paths[sample->place], *variant ? ", " : "", variant, *cell ? ", " : "", cell);
}

static void head_print(const struct series *s, enum unit unit)
{
	char text[UNIT_TEXT];

	printf("%u interval%s of %.3g s", s->count, s->count == 1 ? "" : "s", s->interval);
	if (s->omitted)
		printf("; %u at the start omitted, as the run asked", s->omitted);
	if (s->partial > 0)
		printf("; the last, partial one (%.3g s, %s) set aside", s->partial,
		       unit_print(text, unit, s->partial_value));
	puts("");
}

static void ceiling_print(const struct ceiling *ceiling, const struct steady *steady, enum unit unit)
{
	char text[UNIT_TEXT];

	for (unsigned int i = 0; i < steady->nstates; i++)
		if (ceiling_at(ceiling, unit, steady->state[i].level)) {
			printf("  link-limited at %s: 98 %% of %s%s or above\n",
			       unit_print(text, unit, steady->state[i].level), ceiling->text,
			       ceiling->assumed ? " (assumed; --link says another, --no-link none)" : "");
		}
}

static json_t *sample_json(const struct inputs *in, const struct sample *sample, const struct steady *steady)
{
	const struct label *cell = &in->samples.cells.label[sample->cell];
	json_t *limited = json_array();

	for (unsigned int i = 0; i < steady->nstates; i++)
		if (ceiling_at(&in->ceiling, cell->unit, steady->state[i].level))
			json_array_append_new(limited, json_integer(i));
	return json_pack("{s:s, s:s, s:s, s:s, s:i, s:f, s:i, s:f, s:f, s:o, s:o}", "file", in->paths[sample->place],
			 "variant", in->samples.variants.label[sample->variant].text, "cell", cell->text, "unit",
			 unit_name(cell->unit), "intervals", (int)sample->series.count, "interval_s",
			 sample->series.interval, "omitted", (int)sample->series.omitted, "partial_s",
			 sample->series.partial, "partial_value", sample->series.partial_value, "found",
			 steady_json(steady), "link_limited_states", limited);
}

static int inputs_show(const struct inputs *in, bool json)
{
	json_t *all = json ? json_array() : NULL;

	for (unsigned int i = 0; i < in->samples.count; i++) {
		const struct sample *sample = &in->samples.sample[i];
		enum unit unit = in->samples.cells.label[sample->cell].unit;
		struct steady steady;

		if (steady_find(&steady, &sample->series)) {
			json_decref(all);
			return command_fail(COMMAND_FAILED, "out of memory");
		}
		if (json) {
			json_array_append_new(all, sample_json(in, sample, &steady));
			continue;
		}
		title_print(in, sample);
		head_print(&sample->series, unit);
		steady_print(&steady, unit);
		ceiling_print(&in->ceiling, &steady, unit);
	}
	return json ? command_json(all) : COMMAND_DONE;
}

static int run(const void *options, char **operands)
{
	const struct series_options *o = options;
	struct read_how how = {o->unit.unit, o->unit.scale, true, o->interval > 0 ? o->interval : 1};
	struct ceiling_given given = {o->link, o->cap, o->no_link};
	struct inputs in = {.paths = operands};
	struct err err;
	int rc = 0;

	for (unsigned int i = 0; !rc && operands[i]; i++)
		rc = input_read(&in, i, &how, &err);
	if (!rc)
		rc = ceiling_find(&in.ceiling, &in.samples, &given, &err);
	rc = rc ? command_fail(COMMAND_FAILED, "%s", err.text) : inputs_show(&in, o->json);
	samples_exit(&in.samples);
	return rc;
}

static const struct opt options[] = {
	{'u', "unit", "UNIT", words_unit, offsetof(struct series_options, unit), "of numbers that say none: Mbit/s, ns",
	 0, 0},
	{'i', "interval", "SECONDS", words_seconds, offsetof(struct series_options, interval),
	 "between bare numbers; default 1", 0, 0},
	{'l', "link", "RATE", words_rate, offsetof(struct series_options, link), "of the link measured over: 1G", 0, 0},
	{'c', "cap", "RATE", words_rate, offsetof(struct series_options, cap), "that nothing can be above: 300M", 0, 0},
	{0, "no-link", NULL, opt_flag, offsetof(struct series_options, no_link), "no link is assumed from the values",
	 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct series_options, json), "print JSON, values in bit/s, packets/s, ns",
	 0, 0},
	{0},
};

const struct command command_series = {
	.name = "series",
	.operands = "FILE...",
	.min = 1,
	.max = -1,
	.summary = "say whether a run was one steady state, and if not, which states it had",
	.text = "Looks at the intervals inside each run: at changes from one level to another, and at levels that "
		"come\n"
		"and go. Each state is reported with its share of the time; none is trimmed or averaged away. What is\n"
		"left out is said: seconds that iperf3 was asked to omit (-O), and a shorter last interval.\n"
		"\n"
		"FILE (- for standard input) is what iperf3 -J, iperf3 or iperf printed, a table with a column 'time', "
		"a\n"
		"series file, or bare numbers, one for each interval.",
	.example = "  iperf3 -c 192.0.2.1 -t 60 -J >run.json; portico-bench series run.json\n"
		   "  portico-bench series --unit Mbit/s --interval 0.5 numbers.txt",
	.options = options,
	.run = run,
};
