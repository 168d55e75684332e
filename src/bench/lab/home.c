/* SPDX-License-Identifier: GPL-2.0-or-later */
/* home.c - a home in network namespaces: a LAN host, the router, the internet */
#include "home.h"

#include "topology.h"

static const char *const routes[NET_PLACES] = {
	[HOME_LAN] = "route add default via 192.168.1.1\n",
	[HOME_GW] = "route add default via 203.0.113.1\n",
	[HOME_WAN] = ("route add local 198.51.100.0/24 dev lo\n"
		      "route add 192.168.1.0/24 via 203.0.113.2\n"),
};

const struct net_plan home_plan = {
	.place = {[HOME_LAN] = "lan", [HOME_GW] = "gw", [HOME_WAN] = "wan"},
	.port =
		{
			[HOME_PORT_HOST] = {"host", HOME_LAN, "LAN host", "192.168.1.10/24", NULL},
			[HOME_PORT_LAN] = {"lan", HOME_GW, "router, LAN side", "192.168.1.1/24", NULL},
			[HOME_PORT_WAN] = {"wan", HOME_GW, "router, WAN side", "203.0.113.2/24", NULL},
			[HOME_PORT_ISP] = {"isp", HOME_WAN, "far end", "203.0.113.1/24", NULL},
		},
	.neighbour =
		{
			{HOME_LAN, "host", HOME_PORT_LAN, "192.168.1.1", 1},
			{HOME_GW, "lan", HOME_PORT_HOST, "192.168.1.10", HOME_HOSTS},
			{HOME_GW, "wan", HOME_PORT_ISP, "203.0.113.1", 1},
			{HOME_WAN, "isp", HOME_PORT_WAN, "203.0.113.2", 1},
		},
	.routers = 1 << HOME_GW,
	.routes = routes,
};

int home_open(struct net *n, void (*undo)(void *arg), void *arg, struct err *err)
{
	return net_open(n, &home_plan, undo, arg, err);
}

const struct topology topology_home = {
	.plan = &home_plan,
	.place = {[PATH_LAN] = HOME_LAN, [PATH_GW] = HOME_GW, [PATH_WAN] = HOME_WAN},
	.near = {HOME_PORT_HOST, HOME_PORT_LAN, 0},
	.far = {HOME_PORT_ISP, HOME_PORT_WAN, 0},
	.floor = {{HOME_GW, {{HOME_PORT_LAN, HOME_PORT_HOST, 0}, {HOME_PORT_WAN, HOME_PORT_ISP, 0}}}},
	.floors = 1,
	.outside = HOME_WAN_ADDRESS,
	.host = "192.168.1.10",
	.remote = "198.51.100.1",
	.conf = "[lan]\ninterface = lan\n\n[wan]\ninterface = wan\n\n",
	.interface = {"lan", "wan"},
};
