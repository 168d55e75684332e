/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict.c - portico-bench verdict: is a change real, as far as logs can say? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench/read/read.h"
#include "report.h"

struct verdict {
	struct words_files a, b;
	const char *a_variant, *b_variant;
	struct words_unit unit;
	double delta, layout_sd; /* % */
	double link, cap;	 /* bit/s */
	bool no_link, paired, same_image, json;
};

_Static_assert(sizeof(struct verdict) <= COMMAND_OPTIONS_SIZE, "fits");

/* One file: whose it is, and which variant in it is meant. */
struct source {
	const char *path;
	const char *as;	    /* what its variant is called; NULL: as in the file, or as the file where that has none */
	const char *wanted; /* the variant; NULL: all, or with `as` the only one */
	unsigned int place;
};

/* Which variant of a file is meant: its index, or -1 for all of them, or -EINVAL. */
static int variant_of(const struct samples *one, const struct source *from, struct err *err)
{
	char list[400] = "";
	size_t n = 0;
	int at = from->wanted ? names_find(&one->variants, from->wanted) : -1;

	if (!from->as || at >= 0 || (!from->wanted && one->variants.count == 1))
		return at;
	for (unsigned int i = 0; i < one->variants.count && n < sizeof(list); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s'%s'", i ? ", " : "", one->variants.label[i].text);
	return from->wanted ? err_set(err, -EINVAL, "%s: no variant '%s': there are %s", from->path, from->wanted, list)
			    : err_set(err, -EINVAL, "%s: holds several variants: say which one: %s", from->path, list);
}

/* A file that names no variants is one itself. */
static const char *name_of(const struct samples *one, const struct source *from)
{
	if (from->as)
		return from->as;
	return one->variants.count == 1 && !*one->variants.label[0].text ? from->path : NULL;
}

static int one_take(struct samples *s, struct samples *one, const struct source *from, struct err *err)
{
	struct samples_move move = {variant_of(one, from, err), name_of(one, from), from->path};
	unsigned int first = s->count;
	int rc = move.variant < -1 ? -EINVAL : samples_take(s, one, &move, err);

	for (unsigned int i = first; i < s->count; i++)
		s->sample[i].place = from->place;
	/* the order inside a file says nothing about several */
	s->order = first ? SAMPLES_UNKNOWN : one->order;
	if (!first && s->variants.count >= 2)
		memcpy(s->image_bytes, one->image_bytes, sizeof(s->image_bytes));
	return rc;
}

static int source_read(struct samples *s, const struct verdict *o, const struct source *from, struct err *err)
{
	struct read_how how = {o->unit.unit, o->unit.scale, false, 1};
	struct samples one;
	int rc;

	samples_init(&one);
	rc = read_file(&one, from->path, &how, err);
	if (!rc)
		rc = one_take(s, &one, from, err);
	samples_exit(&one);
	return rc;
}

/* The files behind --a and --b, or the operands. */
static int sources_read(struct samples *s, const struct verdict *o, char **operands, struct err *err)
{
	unsigned int place = 0;
	int rc = 0;

	for (unsigned int i = 0; !rc && i < o->a.count; i++)
		rc = source_read(s, o, &(struct source){o->a.path[i], "A", o->a_variant, place++}, err);
	for (unsigned int i = 0; !rc && i < o->b.count; i++)
		rc = source_read(s, o, &(struct source){o->b.path[i], "B", o->b_variant, place++}, err);
	for (unsigned int i = 0; !rc && operands[i]; i++)
		rc = source_read(s, o, &(struct source){operands[i], NULL, NULL, place++}, err);
	return rc;
}

static void files_print(const char *side, const struct words_files *files)
{
	if (!files->count)
		return;
	printf("%s:", side);
	for (unsigned int i = 0; i < files->count; i++)
		printf(" %s", files->path[i]);
	puts("");
}

static json_t *files_json(const struct words_files *files)
{
	json_t *paths = json_array();

	for (unsigned int i = 0; i < files->count; i++)
		json_array_append_new(paths, json_string(files->path[i]));
	return paths;
}

static int json_show(const struct verdict *o, const struct report *report)
{
	json_t *json = report_json(report);

	if (json && o->a.count) {
		json_object_set_new(json, "a_files", files_json(&o->a));
		json_object_set_new(json, "b_files", files_json(&o->b));
	}
	return command_json(json);
}

static int show(const struct verdict *o, const struct judge *j)
{
	struct interactions interactions;
	struct warnings warnings;
	struct report report = {j, &interactions, &warnings};

	if (interactions_find(&interactions, j) || warnings_find(&warnings, j))
		return command_fail(COMMAND_FAILED, "out of memory");
	if (o->json)
		return json_show(o, &report);
	files_print("A", &o->a);
	files_print("B", &o->b);
	report_print(&report);
	return COMMAND_DONE;
}

static int judge(const struct verdict *o, const struct samples *s, const struct plan *plan, struct err *err)
{
	struct judge j = {
		.samples = s,
		.plan = plan,
		.how = {.delta = (o->delta > 0 ? o->delta : 1) / 100,
			.layout_sd = (o->layout_sd > 0 ? o->layout_sd : 2.5) / 100,
			.paired = o->paired,
			.same_image = o->same_image},
		.findings = calloc((size_t)plan->npairs * s->cells.count + 1, sizeof(*j.findings)),
	};
	struct ceiling_given given = {o->link, o->cap, o->no_link};
	int rc = j.findings ? ceiling_find(&j.how.ceiling, s, &given, err) : err_set(err, -ENOMEM, "out of memory");

	if (!rc)
		rc = judge_all(&j, err);
	rc = rc ? command_fail(COMMAND_FAILED, "%s", err->text) : show(o, &j);
	free(j.findings);
	return rc;
}

static int read_and_judge(const struct verdict *o, char **operands)
{
	bool sides = o->a.count;
	struct samples samples;
	struct plan *plan = calloc(1, sizeof(*plan));
	struct err err = {"out of memory"};
	int rc = plan ? 0 : -ENOMEM;

	samples_init(&samples);
	if (!rc)
		rc = sources_read(&samples, o, operands, &err);
	if (!rc)
		rc = plan_make(plan, &samples, sides ? "A" : o->a_variant, sides ? "B" : o->b_variant, &err);
	rc = rc ? command_fail(COMMAND_FAILED, "%s", err.text) : judge(o, &samples, plan, &err);
	samples_exit(&samples);
	free(plan);
	return rc;
}

static int run(const void *options, char **operands)
{
	const struct verdict *o = options;
	bool sides = o->a.count || o->b.count;

	if (sides && operands[0])
		return command_fail(COMMAND_USAGE, "verdict: '%s' belongs to neither side: give FILE, or --a and --b",
				    operands[0]);
	if (sides && !(o->a.count && o->b.count))
		return command_fail(COMMAND_USAGE, "verdict: --%s is missing: there is nothing to compare with",
				    o->a.count ? "b" : "a");
	if (!sides && !operands[0])
		return command_fail(COMMAND_USAGE,
				    "verdict: give FILE, or --a FILE... and --b FILE...; see 'portico-bench "
				    "verdict --help'");
	return read_and_judge(o, operands);
}

#define AT(field) offsetof(struct verdict, field)

static const struct opt options[] = {
	{'a', "a", "FILE...", words_files, AT(a), "the runs of A", 0, 0},
	{'b', "b", "FILE...", words_files, AT(b), "the runs of B, which is compared with A", 0, 0},
	{0, "a-variant", "NAME", opt_text, AT(a_variant), "in files that name variants: which is A", 0, 0},
	{0, "b-variant", "NAME", opt_text, AT(b_variant), "which is B", 0, 0},
	{'u', "unit", "UNIT", words_unit, AT(unit), "of numbers that say none: Mbit/s, kpps, ns", 0, 0},
	{'p', "paired", NULL, opt_flag, AT(paired), "the first run of A was beside the first of B, and so on", 0, 0},
	{'d', "delta", "PERCENT", words_percent, AT(delta), "smallest effect that matters; default 1", 0, 0},
	{'l', "link", "RATE", words_rate, AT(link), "of the link measured over: 1G", 0, 0},
	{'c', "cap", "RATE", words_rate, AT(cap), "that nothing can be above: 300M", 0, 0},
	{0, "no-link", NULL, opt_flag, AT(no_link), "no link is assumed from the values", 0, 0},
	{0, "same-image", NULL, opt_flag, AT(same_image), "A and B are one build with other settings", 0, 0},
	{0, "layout-sd", "PERCENT", words_percent, AT(layout_sd), "what layout alone does to a build; default 2.5", 0,
	 0},
	{0, "json", NULL, opt_flag, AT(json), "print JSON, values in bit/s, packets/s, ns", 0, 0},
	{0},
};

const struct command command_verdict = {
	.name = "verdict",
	.operands = "[FILE...]",
	.min = 0,
	.max = -1,
	.summary = "say whether B is faster than A, from logs",
	.text = "Compares runs that were logged: FASTER, SLOWER, SAME (within --delta), INCONCLUSIVE, or LINK-LIMITED\n"
		"where the link is what was measured. Each run is one number for each direction or metric, and each "
		"of\n"
		"these has a verdict of its own. Few or unpaired runs are said to be so.\n"
		"\n"
		"The runs of A and of B are in files of their own (--a, --b), or FILE names its variants: then each\n"
		"variant is compared with the one whose name has one word less, of a history with the one before, "
		"else\n"
		"with the first; or choose with --a-variant and --b-variant. FILEs that name none are variants "
		"themselves.\n"
		"\n"
		"A file (- for standard input) is what iperf3 -J, iperf3 or iperf printed, a table (variant, "
		"direction,\n"
		"pair, layout and columns of numbers), a series file, or bare numbers, one for each run.",
	.example = "  portico-bench verdict --a old-*.json --b new-*.json\n"
		   "  portico-bench verdict --a old.txt --b new.txt --unit Mbit/s --paired --link 1G\n"
		   "  portico-bench verdict kernels.json\n"
		   "  portico-bench verdict kernels.json --a-variant arm64 --b-variant 'arm64 PARAVIRT=n'\n"
		   "  portico-bench verdict --a x.csv --a-variant old --b y.csv --b-variant new --json",
	.options = options,
	.run = run,
};
