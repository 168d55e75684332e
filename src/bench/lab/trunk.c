/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trunk.c - a home whose router has one port: LAN and WAN are two VLANs of a trunk
 *
 *   portico-gw-PID  [gw] trunk ====== t1  portico-lan-PID      VID 1: LAN, 192.168.1.0/24   VID 2: WAN, 203.0.113.0/24
 *
 * Hosts and internet are both behind t1, as load only: programs find no host there. Where XDP forwards, lan and wan,
 * which have the addresses, are stand-ins that carry nothing: so that a kernel without 802.1Q interfaces will do.
 */
#include "topology.h"

#define HOSTS 64
#define MAC "02:00:00:00:01:01" /* of trunk: 802.1Q interfaces have it as well */

enum place {
	WIRE,
	GW,
};

enum port {
	T1,
	TRUNK,
};

#define ADDRESSES                                                                                                      \
	"link set lan up\n"                                                                                            \
	"link set wan up\n"                                                                                            \
	"address add 192.168.1.1/24 dev lan\n"                                                                         \
	"address add 203.0.113.2/24 dev wan\n"                                                                         \
	"route add default via 203.0.113.1\n"

static const char *const routes_xdp[NET_PLACES] = {
	[GW] = "link add lan address " MAC " type veth peer name lan-x\n"
	       "link set lan-x up\n"
	       "link add wan address " MAC " type veth peer name wan-x\n"
	       "link set wan-x up\n" ADDRESSES,
};

static const char *const routes_linux[NET_PLACES] = {
	[GW] = "link add link trunk name lan type vlan id 1\n"
	       "link add link trunk name wan type vlan id 2\n" ADDRESSES,
};

static const struct net_plan plan = {
	.place = {[WIRE] = "lan", [GW] = "gw"},
	.port =
		{
			[T1] = {"t1", WIRE, "hosts and internet", NULL, NULL},
			[TRUNK] = {"trunk", GW, "router", NULL, "rxvlan off"},
		},
	.neighbour =
		{
			{GW, "lan", T1, "192.168.1.10", HOSTS},
			{GW, "wan", T1, "203.0.113.1", 1},
		},
	.routers = 1 << GW,
};

const struct topology topology_trunk = {
	.plan = &plan,
	.place = {[PATH_LAN] = WIRE, [PATH_GW] = GW, [PATH_WAN] = WIRE},
	.routes_linux = routes_linux,
	.routes_xdp = routes_xdp,
	.near = {T1, TRUNK, 1},
	.far = {T1, TRUNK, 2},
	.floor = {{GW, {{TRUNK, T1, 1}, {TRUNK, T1, 2}}}},
	.floors = 1,
	.outside = 0xcb007102U, /* 203.0.113.2 */
	.host = "",
	.remote = "",
	.conf = "[lan]\ninterface = lan\nport = trunk\nvlan = 1\n\n[wan]\ninterface = wan\nport = trunk\nvlan = 2\n\n",
	.interface = {"trunk", "trunk"},
	.vlans = true,
};
