/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.h - what the daemon tells the packet path: configuration, ports, next hops, counters, events */
#ifndef PORTICO_ABI_CONFIG_H
#define PORTICO_ABI_CONFIG_H

#include "flow.h"
#include "types.h"

/* Raised by every change of a struct in src/abi that is kept in a pinned map; a daemon adopts its own layout only. */
#define ABI_LAYOUT 2

#define DP_PORTS_MAX 8	     /* LAN and WAN ports of one gateway */
#define DP_NEXTHOPS_MAX 4096 /* neighbours that established flows can use at once; others cost a route lookup */

/* What the gateway is. One program of the object does one of these. */
enum dp_mode {
	MODE_NAT44 = 0,
	MODE_CE = 1, /* MAP-E customer edge: NAPT44 into the port set, and a tunnel (abi/tunnel.h) */
	MODE_BR = 2, /* MAP-E border relay: the tunnel's other end, no flows */
};

/* A border relay's LAN is where its customers are (IPv6), its WAN the internet (IPv4). */
enum dp_role {
	ROLE_NONE = 0,
	ROLE_LAN = 1,
	ROLE_WAN = 2,
	ROLE_SELF = 3, /* a customer edge's own traffic: l3_ifindex is where Linux sends it, ifindex the other end */
};

/* Which external port an inside socket's flows get (RFC 4787, 4.1). */
enum dp_mapping {
	MAPPING_ENDPOINT_DEPENDENT = 0, /* each flow its own */
	MAPPING_SHARED = 1, /* one port towards all destinations; shared by sockets whose destinations differ */
	MAPPING_ENDPOINT_INDEPENDENT = 2, /* one port towards all destinations, nobody else's */
};

/* Which packets from outside may use a mapping (RFC 4787, 5). */
enum dp_filtering {
	FILTERING_ADDRESS_AND_PORT = 0,
	FILTERING_ADDRESS = 1,
	FILTERING_ENDPOINT_INDEPENDENT = 2,
};

/* A port is where frames enter and leave: a network interface, and a VLAN on it when vid is not 0. Its addresses,
 * routes and neighbours belong to `l3_ifindex`, which is the same interface or the 802.1Q interface above it. */
struct dp_port {
	u32 ifindex;
	u16 vid;
	u8 role; /* enum dp_role */
	u8 pad;
	u32 l3_ifindex;
	u8 mac[6];
	u16 mtu; /* bytes of an IPv4 packet */
};

ABI_SIZE(struct dp_port, 20);

/* A set of ports as arithmetic: port(i) = base + ((i >> m) << shift) + (i mod 2^m), i < count.
 * A plain range lo-hi: base lo, m 16, shift 16, count hi - lo + 1. */
struct dp_portset {
	u32 base;
	u32 count;
	u8 m;
	u8 shift;
	u8 pad[2];
};

ABI_SIZE(struct dp_portset, 12);

#define DP_UNTRANSLATED_DROP 0
#define DP_UNTRANSLATED_KERNEL 1

/* The one element of map "config". Writer: the daemon. */
struct dp_config {
	u32 layout; /* ABI_LAYOUT */
	u32 nports;
	struct dp_port port[DP_PORTS_MAX];
	be32 wan_addr;	 /* source address of translated packets; 0: the WAN has none, nothing new goes out */
	u16 routes;	 /* raised at every change of the routing table */
	u8 untranslated; /* DP_UNTRANSLATED_*: traffic to the WAN that Portico cannot translate */
	u8 probes;	 /* ports tried by the packet path for a new flow, at least 1 */
	struct dp_portset ports;
	u32 secret[2]; /* key of the port choice */
	u32 zero;      /* always 0: see port_blur() in dp/port.h */
	u8 mode;       /* enum dp_mode */
	u8 mapping;    /* enum dp_mapping */
	u8 filtering;  /* enum dp_filtering */
	u8 refusal;    /* ICMP unreachable code for a refused flow, 0: none; 13 (RFC 5508, REQ-8), 1 (RFC 6888) */
	u16 share;     /* ports that one inside host may hold towards one destination, 0: all */
	u16 self_hop;  /* index of the next hop to this router itself, 0: none */
	be32 self;     /* address of this router's own traffic that is translated, 0: none */
};

ABI_SIZE(struct dp_config, 212);

/* Idle times after which a flow ends, in seconds (RFC 4787 REQ-5, RFC 5382 REQ-5, RFC 5508 REQ-2). */
struct dp_timers {
	u32 tcp_established;
	u32 tcp_transitory;
	u32 udp;
	u32 icmp;
	u32 udp_inbound_refresh; /* not 0: packets from the WAN keep a UDP flow alive as well (RFC 4787 REQ-6) */
};

ABI_SIZE(struct dp_timers, 20);

/* Bitmap of ports never handed out, map "reserved": bit (p & 63) of word p >> 6. Writer: the daemon. */
#define DP_RESERVED_WORDS 1024

enum nexthop_state {
	NEXTHOP_NONE = 0,
	NEXTHOP_VALID = 1,
};

/* An element of map "nexthops". Index 0 is never valid. Writer: the daemon. */
struct nexthop {
	u8 dmac[6]; /* dmac and smac lie as on the wire */
	u8 smac[6];
	u16 vid; /* 0: untagged */
	u16 mtu; /* bytes of an IP packet */
	u32 ifindex;
	u8 port;  /* index into dp_config.port and of map "tx" */
	u8 state; /* enum nexthop_state */
	u16 pad;
};

ABI_SIZE(struct nexthop, 24);

/* An IPv4 or IPv6 address; IPv4 in the lowest 32 bits behind ::ffff:0:0/96 (RFC 4291, 2.5.5.2). */
struct ip_addr {
	be32 w[4];
};

ABI_SIZE(struct ip_addr, 16);

/* Key of map "neighbours": which next-hop index a neighbour has. Writer: the daemon. */
struct neighbour_key {
	u32 l3_ifindex;
	struct ip_addr addr;
};

ABI_SIZE(struct neighbour_key, 20);

/* Elements of map "programs": what a program goes on to (dp/kind.h). */
enum dp_program {
	PROGRAM_PARSE,
	PROGRAM_FORWARD,
	PROGRAM_CLAIM,
	DP_PROGRAMS
};

/* Where packets to `dst` went last, an element of per-CPU map "ways": a border relay has no flows to remember it.
 * Writer: the packet path. */
struct dp_way {
	struct ip_addr dst;
	u16 nexthop; /* 0: nothing here */
	u16 routes;  /* as in struct flow_half */
	u32 pad;
};

ABI_SIZE(struct dp_way, 24);

#define DP_WAYS 8192 /* a power of two */

/* An element of per-CPU map "counters", one for each reason. */
struct dp_counter {
	u64 packets;
	u64 bytes; /* of frames */
};

ABI_SIZE(struct dp_counter, 16);

/* What goes to the daemon with a packet that the packet path cannot finish; the frame as received follows. */
struct dp_event {
	u32 reason;			/* enum reason */
	u32 ifindex;			/* where the frame came in */
	u32 length;			/* of the frame */
	u32 mtu;			/* SLOW_TOO_BIG: bytes that an IPv4 packet may have */
	struct neighbour_key neighbour; /* SLOW_NEIGHBOUR: whom to resolve */
	struct flow_key key;		/* of the packet, as far as it was read; SLOW_FRAGMENT: without ports */
};

ABI_SIZE(struct dp_event, 52);

#endif
