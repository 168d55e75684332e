/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - portico: one table of commands */
#include "cli.h"

static const struct command *const commands[] = {
	&command_up,	&command_down,	 &command_status, &command_flows, &command_counters,
	&command_check, &command_replay, &command_map_e,  &command_ports, &command_import,
	NULL,
};

static const struct program portico = {
	.name = "portico",
	.text = "Drives a gateway: NAPT44 and MAP-E in the Linux kernel's XDP, configured by one file.",
	.start = "A first gateway, in three lines:\n"
		 "\n"
		 "  printf '[lan]\\ninterface = eth0\\n[wan]\\ninterface = eth1\\n' > home.conf\n"
		 "  portico check home.conf\n"
		 "  portico up home.conf\n"
		 "\n"
		 "See portico(8), portico.conf(5), porticod(8).",
	.commands = commands,
};

int main(int argc, char **argv)
{
	return command_main(&portico, argc, argv);
}
