/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counters.c - portico counters: how many packets left the packet path by each way there is */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "kernel/kernel.h"
#include "tally.h"

struct counters {
	const char *name;
	bool json;
	bool all;
};

static int show(const struct counters *o, const struct dp_counter counters[REASON_COUNT])
{
	if (o->json)
		return command_json(tally_json(counters, o->all));
	tally_print(counters, o->all);
	return COMMAND_DONE;
}

static int run(const void *options, char **operands)
{
	const struct counters *o = options;
	struct dp_counter counters[REASON_COUNT];
	char name[CONF_NAME_MAX];
	struct kernel *k = instance_peek(o->name, name);
	int rc;

	(void)operands;
	if (!k)
		return COMMAND_FAILED;
	rc = kernel_counters(k, counters);
	kernel_close(k);
	return rc ? command_fail(COMMAND_FAILED, "%s: reading the counters: %s", name, strerror(-rc))
		  : show(o, counters);
}

static const struct opt options[] = {
	{'n', "name", "NAME", opt_text, offsetof(struct counters, name), "the gateway; default: the only one", 0, 0},
	{'a', "all", NULL, opt_flag, offsetof(struct counters, all), "those that are zero as well", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct counters, json), "print JSON", 0, 0},
	{0},
};

const struct command command_counters = {
	.name = "counters",
	.operands = "",
	.summary = "count packets by what became of them, and why",
	.text = "Prints packets and bytes for every reason by which a packet leaves the packet path: forwarded, left "
		"to\n"
		"Linux, handed to the daemon, dropped. Counters begin at 'portico up' and survive the daemon.",
	.example = "  portico counters --all\n"
		   "  watch -d portico counters",
	.options = options,
	.run = run,
};
