/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - where the load is tried */
#include "place.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/run.h"

static const char *const routes[NET_PLACES] = {[PLACE_R] = "route add default via 203.0.113.1\n"};

static const struct net_plan plan = {
	.place = {[PLACE_A] = "loada", [PLACE_R] = "loadr", [PLACE_B] = "loadb"},
	.port =
		{
			[PLACE_NEAR] = {"near", PLACE_A, "near", NULL, NULL},
			[PLACE_LAN] = {"lan", PLACE_R, "lan", "192.168.1.1/24", NULL},
			[PLACE_WAN] = {"wan", PLACE_R, "wan", "203.0.113.2/24", NULL},
			[PLACE_FAR] = {"far", PLACE_B, "far", NULL, NULL},
			[PLACE_TRUNK] = {"trunk", PLACE_A, "trunk", NULL, NULL},
			[PLACE_PORT] = {"port", PLACE_R, "port", NULL, NULL},
		},
	.neighbour =
		{
			{PLACE_R, "lan", PLACE_NEAR, "192.168.1.10", 1},
			{PLACE_R, "wan", PLACE_FAR, "203.0.113.1", 1},
		},
	.routers = 1 << PLACE_R,
	.routes = routes,
};

struct net place;

int place_open(struct err *err)
{
	return net_open(&place, &plan, NULL, NULL, err);
}

void place_close(void)
{
	net_close(&place);
}

int place_router(struct err *err, const char *format, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	return net_run(&place, PLACE_R, err, "%s", line);
}

u64 place_received(enum place_port port)
{
	char text[64] = "";
	struct run run = {.netns = -1, .output = text, .room = sizeof(text)};
	struct err err;

	if (run_line(&run, &err, "ip netns exec %s cat /sys/class/net/%s/statistics/rx_bytes",
		     place.name[plan.port[port].place], plan.port[port].name))
		return 0;
	return strtoull(text, NULL, 10);
}
