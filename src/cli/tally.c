/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tally.c - counters of every reason, as text or as JSON */
#include "tally.h"

#include <stdio.h>

static const struct {
	const char *name;
	const char *text;
} reasons[REASON_COUNT] = {
#define REASON_ROW(id, verdict, name, text) [REASON_##id] = {name, text},
	REASONS(REASON_ROW)
#undef REASON_ROW
};

static const struct {
	const char *name;
	const char *text;
} verdicts[] = {
	[VERDICT_FORWARD] = {"forward", "translated and sent"},
	[VERDICT_KERNEL] = {"kernel", "left to Linux, untouched"},
	[VERDICT_SLOW] = {"slow", "handed to the daemon"},
	[VERDICT_DROP] = {"drop", "dropped"},
};

#define NVERDICTS (sizeof(verdicts) / sizeof(*verdicts))

static bool shown(const struct dp_counter *c, bool all)
{
	return all || c->packets;
}

static void verdict_print(const struct dp_counter counters[REASON_COUNT], enum verdict verdict, bool all)
{
	bool headed = false;

	for (int i = 0; i < REASON_COUNT; i++) {
		if (reason_verdict((enum reason)i) != verdict || !shown(&counters[i], all))
			continue;
		if (!headed)
			printf("%s: %s\n", verdicts[verdict].name, verdicts[verdict].text);
		headed = true;
		printf("  %-20s %12llu packets %15llu bytes  %s\n", reasons[i].name, counters[i].packets,
		       counters[i].bytes, reasons[i].text);
	}
}

void tally_print(const struct dp_counter counters[REASON_COUNT], bool all)
{
	for (size_t v = 0; v < NVERDICTS; v++)
		verdict_print(counters, (enum verdict)v, all);
}

json_t *tally_json(const struct dp_counter counters[REASON_COUNT], bool all)
{
	json_t *tally = json_object();

	for (int i = 0; i < REASON_COUNT; i++)
		if (shown(&counters[i], all))
			json_object_set_new(tally, reasons[i].name,
					    json_pack("{s:s, s:I, s:I, s:s}", "verdict",
						      verdicts[reason_verdict((enum reason)i)].name, "packets",
						      (json_int_t)counters[i].packets, "bytes",
						      (json_int_t)counters[i].bytes, "text", reasons[i].text));
	return tally;
}
