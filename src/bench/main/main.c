/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - portico-bench: one table of commands */
#include "bench.h"

static const struct command *const commands[] = {
	&command_compare, &command_resume,  &command_list,   &command_show, &command_export,
	&command_labs,	  &command_verdict, &command_series, NULL,
};

static const struct program portico_bench = {
	.name = "portico-bench",
	.text = "Says whether a change really made forwarding faster, with the confidence it can be said with.",
	.start = "Live, in a lab of network namespaces (as root):\n"
		 "\n"
		 "  portico-bench compare home nftables portico\n"
		 "\n"
		 "With logs that are there already:\n"
		 "\n"
		 "  portico-bench verdict --a old-1.json old-2.json --b new-1.json new-2.json\n"
		 "  portico-bench series iperf3.json\n"
		 "\n"
		 "See portico-bench(1).",
	.commands = commands,
};

int main(int argc, char **argv)
{
	return command_main(&portico_bench, argc, argv);
}
