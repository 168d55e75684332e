/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.h - the configuration file, read once and checked at the door
 *
 * Every user of a configuration (daemon, `portico check`, `portico replay`, tests) reads it here. What this room cannot
 * know - whether an interface exists, which address it has - is checked by the daemon on the live system.
 */
#ifndef PORTICO_CONF_CONF_H
#define PORTICO_CONF_CONF_H

#include <net/if.h>
#include <stdbool.h>

#include "abi/config.h"
#include "lib/err.h"

#define CONF_NAME_MAX 32
#define CONF_NEIGHBOURS_MAX 64
#define CONF_WARNINGS_MAX 4

enum conf_mode {
	CONF_MODE_AUTO, /* native, or generic where the driver has none */
	CONF_MODE_NATIVE,
	CONF_MODE_GENERIC,
};

/* A [lan], [lan NAME] or [wan] section. */
struct conf_port {
	enum dp_role role;
	int line;		  /* of its "interface" */
	int port_line;		  /* of its "port"; 0: not given */
	int mtu_line;		  /* of its "mtu"; 0: not given */
	char name[CONF_NAME_MAX]; /* "lan", "lan guest", "wan" */
	char interface[IFNAMSIZ]; /* has the addresses, routes and neighbours */
	char port[IFNAMSIZ];	  /* where its frames are; "": the interface itself or the one below its 802.1Q tag */
	u16 vid;		  /* VLAN on `port`; 0: untagged, or as the interface says */
	u16 mtu;		  /* the interface's must not be larger; 0: any (replay: 1500) */
	be32 address;		  /* 0: the interface's first */
	u8 prefix;		  /* length, with address */
	be32 gateway;		  /* wan, replay: 0 means that all destinations are neighbours */
	bool has_lladdr;
	u8 lladdr[6]; /* replay: MAC address of the port; default 02:00:00:00:00:01 for the first port, ... */
};

/* replay: a neighbour's MAC address */
struct conf_neighbour {
	unsigned int port; /* index into conf.ports */
	int line;
	be32 address;
	u8 lladdr[6];
};

struct conf {
	char path[256];
	char name[CONF_NAME_MAX]; /* of the instance */
	u32 flows;		  /* flows the table holds */
	enum conf_mode mode;
	u8 untranslated; /* DP_UNTRANSLATED_* */
	u8 probes;
	u16 port_lo, port_hi; /* host order, both included */
	u64 reserved[DP_RESERVED_WORDS];
	u32 seed; /* replay: seeds the port choice */
	struct dp_timers timers;
	unsigned int nports;
	struct conf_port ports[DP_PORTS_MAX]; /* all LANs and the one WAN, in the order of the file */
	unsigned int nneighbours;
	struct conf_neighbour neighbours[CONF_NEIGHBOURS_MAX];
	unsigned int nwarnings;
	struct err warnings[CONF_WARNINGS_MAX]; /* "file:line: ..." about what is accepted but unwise */
};

/* Every key at its default; no ports. */
void conf_init(struct conf *c);

/* Reads and checks `path`. 0; or -errno with err->text "file:line: what is wrong, and what to do", and *c untouched. */
int conf_read(struct conf *c, const char *path, struct err *err);

/* What of the configuration goes to the packet path as it is: port set, policy, roles, VLANs, given addresses. Leaves
 * ifindex, l3_ifindex, mac, the mtu where none is given, and the secret to the caller. */
void conf_dp(const struct conf *c, struct dp_config *dp);

#endif
