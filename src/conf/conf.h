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
#include "abi/tunnel.h"
#include "lib/err.h"
#include "mape.h"

#define CONF_NAME_MAX 32
#define CONF_NEIGHBOURS_MAX 64
#define CONF_WARNINGS_MAX 16
#define CONF_FILE_MAX 256 /* a file's name, with the final 0 */

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
	struct addr6 gateway6;	  /* replay, where the tunnel is: the same for IPv6 */
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

/* The outer IPv6 header, and how large packets with it may be. */
struct conf_tunnel {
	u8 hop_limit;
	u8 dscp; /* 0 to 63, or TUNNEL_DSCP_COPY */
	u8 ecn;	 /* enum tunnel_ecn */
	u16 mtu; /* of the IPv6 path; 0: the interface's */
};

/* The [map-e] section. The domain is complete where dhcpv6 is not given; else what is missing of it comes from there,
 * and may be put here as conf_mape_follow() made it. */
struct conf_mape {
	bool given;
	int line;		   /* of the section */
	bool has_rules;		   /* by hand: the domain's rules, from "rule" or "s46" */
	bool has_relays;	   /* by hand: the domain's border relays */
	bool has_prefix;	   /* by hand: the domain's delegated prefix */
	struct mape_domain domain; /* checked */
	bool has_address;
	struct addr6 address;	    /* the tunnel's end; without has_address it is computed */
	char dhcpv6[CONF_FILE_MAX]; /* a file that the daemon follows; "": none */
	struct conf_tunnel tunnel;
	char device[IFNAMSIZ]; /* interface for the router's own traffic */
};

/* A [border-relay] or [border-relay NAME] section. */
struct conf_relay {
	int line;		  /* of the section */
	char name[CONF_NAME_MAX]; /* "border-relay", "border-relay east" */
	struct addr6 address;
	struct mape_domain domain; /* checked */
};

struct conf {
	char path[CONF_FILE_MAX];
	char name[CONF_NAME_MAX]; /* of the instance */
	enum dp_mode kind;	  /* MODE_CE with [map-e], MODE_BR with [border-relay] */
	u32 flows;		  /* flows the table holds */
	enum conf_mode mode;
	u8 untranslated; /* DP_UNTRANSLATED_* */
	u8 probes;
	u16 port_lo, port_hi; /* host order, both included; MODE_NAT44 */
	u64 reserved[DP_RESERVED_WORDS];
	u8 mapping;    /* enum dp_mapping */
	u8 filtering;  /* enum dp_filtering */
	u8 refusal;    /* code of the ICMP unreachable that answers a refused flow, 0: none */
	u8 host_share; /* percent of the ports that one inside host may hold towards one destination, 1 to 100 */
	u32 cooling;   /* seconds that a freed port rests */
	u32 seed;      /* replay: seeds the port choice */
	struct dp_timers timers;
	unsigned int nports;
	struct conf_port ports[DP_PORTS_MAX]; /* all LANs and the one WAN, in the order of the file */
	unsigned int nneighbours;
	struct conf_neighbour neighbours[CONF_NEIGHBOURS_MAX];
	struct conf_mape mape;
	unsigned int nrelays;
	struct conf_relay relays[TUNNEL_RELAYS_MAX];
	struct conf_tunnel relay_tunnel; /* of all border relays */
	unsigned int nwarnings;
	struct err warnings[CONF_WARNINGS_MAX]; /* "file:line: ..." about what is accepted but unwise */
};

/* Every key at its default; no ports. */
void conf_init(struct conf *c);

/* Reads and checks `path`. 0; or -errno with err->text "file:line: what is wrong, and what to do", and *c untouched. */
int conf_read(struct conf *c, const char *path, struct err *err);

/* What of the configuration goes to the packet path as it is: port set, policy, roles, VLANs, given addresses. Leaves
 * ifindex, l3_ifindex, mac, the mtu where none is given, the secret and the hosts' share to the caller. A customer edge
 * whose delegated prefix is not known has no ports and no address. */
void conf_dp(const struct conf *c, struct dp_config *dp);

/* tunnel.c: what of the configuration goes to the packet path about the tunnel; an MTU that is not given is 1500. 0;
 * -EAGAIN where the customer edge's delegated prefix is not known yet: then hop limit, DSCP, ECN and MTU are all there
 * is; -EINVAL where there is no tunnel. */
int conf_tunnel_make(const struct conf *c, struct dp_tunnel *t);

/* follow.c: reads the file of "dhcpv6" into a fresh checked domain; what is given by hand stays as it is. In the file
 * are variables as odhcp6c hands them to its script (MAPE, PREFIXES, RA_ADDRESSES, ADDRESSES), or an S46 container in
 * hexadecimal; PREFIX=ADDRESS/LENGTH is the delegated prefix as well. 0; -ENOENT where the file is not there, or says
 * too little yet; -EINVAL where it cannot be right, or another -errno. *err is filled with each of them. */
int conf_mape_follow(const struct conf *c, struct mape_domain *d, struct err *err);

/* mape.c's findings in a sentence: "PARAMETER: what; likely VALUE", by the names that the file has for parameters. */
#define CONF_FINDING_TEXT 416
char *conf_finding_print(char text[CONF_FINDING_TEXT], const struct conf *c, const struct mape_finding *f);

#endif
