/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e.c - a home behind MAP-E: LAN, edge, IPv6, border relay, internet
 *
 * lan  192.168.1.10  host == lan 192.168.1.1 [gw] wan 2001:db8:f::2 == lan 2001:db8:f::1 [br] wan 203.0.113.2 == isp
 *      (64 of them)                  edge          100.64.0.2             100.64.0.1     relay      203.0.113.1, wan
 *
 * The edge has the ports of PSID 44 of 192.0.2.134. An edge of Linux has no tunnel here, which would need
 * ip6tnl: it only translates, and the relay forwards IPv4.
 */
#include "topology.h"

#define HOSTS 64
#define RULE "rule = 2001:db8::/40 192.0.2.0/24 ea 14 offset 6 psid-len 6\n"
#define RELAY "2001:db8:ffff::1"

enum place {
	LAN,
	GW,
	BR,
	WAN,
};

enum port {
	HOST,
	GW_LAN,
	GW_WAN,
	BR_LAN,
	BR_WAN,
	ISP,
};

#define LAN_ROUTES "route add default via 192.168.1.1\n"
#define GW_ROUTES                                                                                                      \
	"address add 2001:db8:f::2/64 dev wan nodad\n"                                                                 \
	"route add default via 2001:db8:f::1 dev wan\n"
#define BR_ROUTES                                                                                                      \
	"address add 2001:db8:f::1/64 dev lan nodad\n"                                                                 \
	"route add 2001:db8:86:b000::/56 via 2001:db8:f::2 dev lan\n"                                                  \
	"route add default via 203.0.113.1\n"
#define WAN_ROUTES                                                                                                     \
	"route add local 198.51.100.0/24 dev lo\n"                                                                     \
	"route add 192.0.2.0/24 via 203.0.113.2\n"                                                                     \
	"route add 192.168.1.0/24 via 203.0.113.2\n"

static const char *const routes_xdp[NET_PLACES] = {
	[LAN] = LAN_ROUTES, [GW] = GW_ROUTES, [BR] = BR_ROUTES, [WAN] = WAN_ROUTES};

static const char *const routes_linux[NET_PLACES] = {
	[LAN] = LAN_ROUTES,
	[GW] = GW_ROUTES "address add 100.64.0.2/30 dev wan\n"
			 "route add default via 100.64.0.1\n",
	[BR] = BR_ROUTES "address add 100.64.0.1/30 dev lan\n"
			 "route add 192.0.2.0/24 via 100.64.0.2\n"
			 "route add 192.168.1.0/24 via 100.64.0.2\n",
	[WAN] = WAN_ROUTES,
};

static const struct net_plan plan = {
	.place = {[LAN] = "lan", [GW] = "gw", [BR] = "br", [WAN] = "wan"},
	.port =
		{
			[HOST] = {"host", LAN, "LAN host", "192.168.1.10/24", NULL},
			[GW_LAN] = {"lan", GW, "edge, LAN side", "192.168.1.1/24", NULL},
			[GW_WAN] = {"wan", GW, "edge, WAN side", NULL, NULL},
			[BR_LAN] = {"lan", BR, "relay, IPv6 side", NULL, NULL},
			[BR_WAN] = {"wan", BR, "relay, internet side", "203.0.113.2/24", NULL},
			[ISP] = {"isp", WAN, "far end", "203.0.113.1/24", NULL},
		},
	.neighbour =
		{
			{LAN, "host", GW_LAN, "192.168.1.1", 1},
			{GW, "lan", HOST, "192.168.1.10", HOSTS},
			{GW, "wan", BR_LAN, "2001:db8:f::1", 1},
			{GW, "wan", BR_LAN, "100.64.0.1", 1},
			{BR, "lan", GW_WAN, "2001:db8:f::2", 1},
			{BR, "lan", GW_WAN, "100.64.0.2", 1},
			{BR, "wan", ISP, "203.0.113.1", 1},
			{WAN, "isp", BR_WAN, "203.0.113.2", 1},
		},
	.routers = 1 << GW | 1 << BR,
	.ipv6 = 1 << GW | 1 << BR,
};

const struct topology topology_map_e = {
	.plan = &plan,
	.place = {[PATH_LAN] = LAN, [PATH_GW] = GW, [PATH_WAN] = WAN},
	.routes_linux = routes_linux,
	.routes_xdp = routes_xdp,
	.near = {HOST, GW_LAN, 0},
	.far = {ISP, BR_WAN, 0},
	.floor = {{GW, {{GW_LAN, HOST, 0}, {GW_WAN, BR_LAN, 0}}}, {BR, {{BR_LAN, GW_WAN, 0}, {BR_WAN, ISP, 0}}}},
	.floors = 2,
	.ports = 1008,
	.outside = 0xc0000286U, /* 192.0.2.134 */
	.host = "192.168.1.10",
	.remote = "198.51.100.1",
	.conf = "[lan]\ninterface = lan\n\n[wan]\ninterface = wan\n\n[map-e]\n" RULE
		"prefix = 2001:db8:86:b000::/56\nborder-relay = " RELAY "\n\n",
	.relay_conf = "[lan]\ninterface = lan\n\n[wan]\ninterface = wan\n\n[border-relay]\naddress = " RELAY "\n" RULE,
	.relay = BR,
	.ruleset = "map-e-63-ranges.nft",
	.interface = {"lan", "wan"},
};
