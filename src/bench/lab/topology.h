/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology.h - what the paths between LAN and internet differ by, as a table */
#ifndef PORTICO_BENCH_LAB_TOPOLOGY_H
#define PORTICO_BENCH_LAB_TOPOLOGY_H

#include "net.h"
#include "path.h"

#define TOPOLOGY_FLOORS 2

/* A port where frames enter and leave, and the one across the cable. */
struct topology_end {
	u8 port;
	u8 across;
	u16 vid; /* 0: untagged */
};

/* Where a bare redirect goes between its two ports. */
struct topology_floor {
	u8 place;
	struct topology_end hop[2];
};

struct topology {
	const struct net_plan *plan;
	u8 place[3]; /* of PATH_LAN, PATH_GW, PATH_WAN */
	/* In place of the plan's, where Linux forwards, and where XDP does; NULL: the plan's for both. */
	const char *const *routes_linux, *const *routes_xdp;
	struct topology_end near, far; /* the load's: their own port, and the router's */
	struct topology_floor floor[TOPOLOGY_FLOORS];
	u32 floors;
	u32 ports;		   /* that one destination can be reached from; 0: more than the load uses */
	u32 outside;		   /* source address of what is translated, host order */
	const char *host, *remote; /* addresses for programs; "": none */
	const char *conf;	   /* Portico's sections besides [gateway] and [nat] */
	const char *relay_conf;	   /* the same of the border relay, and its place; NULL: none */
	u8 relay;
	const char *ruleset;	  /* what is nftables here: file among the ready labs; NULL: masquerade */
	const char *interface[2]; /* the router's, towards LAN and WAN, where its settings go */
	bool vlans;		  /* where Linux forwards it needs 802.1Q interfaces */
};

extern const struct topology topology_home, topology_map_e, topology_trunk, topology_wire;

#endif
