/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.h - what the load's programs in the kernel and load.c tell each other */
#ifndef PORTICO_BENCH_LOAD_STATE_H
#define PORTICO_BENCH_LOAD_STATE_H

#include "abi/types.h"

#define LOAD_HEADER 42	    /* Ethernet, IPv4 without options, UDP: bytes that are written anew for each packet */
#define LOAD_OUTER 40	    /* IPv6 in front of IPv4 */
#define LOAD_SET_RANGE 16   /* source ports that a customer of the tunnel uses: a power of two */
#define LOAD_BLOCK_SHIFT 15 /* flows of one host: 2^15 source ports towards one destination */
#define LOAD_PORT_FIRST 2048
#define LOAD_PORT_SINK 9 /* destination port: discard */
#define LOAD_STAMP 256	 /* the sink looks at the clock once in so many packets */

/* The one element of map "gen_state". Flow f of the load is host f >> LOAD_BLOCK_SHIFT, which talks from source port
 * LOAD_PORT_FIRST + (f mod 2^LOAD_BLOCK_SHIFT) to a destination of its own, or to one of `spread`. Of the tunnel's load
 * it is customer f mod `spread`, who talks from `sport` + (f mod LOAD_SET_RANGE) to a destination of its own. */
struct gen_state {
	u64 header[11]; /* template, LOAD_HEADER bytes behind LOAD_OUTER or none; addresses, IPv4 checksum zero */
	u32 ifindex;	/* where packets leave */
	u32 host_first; /* host order */
	u32 remote_first;
	u32 ip_sum; /* of the template's IPv4 header */
	u32 flow;   /* next flow */
	u32 stride; /* from one packet's flow to the next's, less than flows */
	u32 flows;
	u32 spread;	     /* destinations, one for each flow in turn; 0: one for each host */
	u32 outer_source[4]; /* the first customer's IPv6 address, each word in host order */
	u32 outer_step[4];   /* what each word grows by from one customer to the next */
	u32 sport;
	u32 pad;
	u64 sent;
	u64 first_ns; /* CLOCK_MONOTONIC at the first packet */
};

ABI_SIZE(struct gen_state, 176);

/* The one element of map "sink_want": a packet is as it should be if (source & mask) == source. */
struct sink_want {
	be32 source;
	be32 mask;
	be16 dport;
	u16 outer; /* bytes of IPv6 in front of the IPv4 header: 0 or 40 */
};

ABI_SIZE(struct sink_want, 12);

/* The one element, for each CPU, of map "sink_state". */
struct sink_state {
	u64 packets; /* as they should be */
	u64 foreign; /* packets of the load with another source */
	u64 other;   /* anything else; passed on */
	u64 last_ns; /* CLOCK_MONOTONIC when `packets` was last a multiple of LOAD_STAMP */
	u64 last_packets;
	be32 foreign_source; /* of the last foreign packet */
	u32 pad;
};

ABI_SIZE(struct sink_state, 48);

/* The one element of map "redirect_to". */
struct redirect_to {
	u8 macs[12]; /* destination and source, as on the wire */
	u32 ifindex;
};

ABI_SIZE(struct redirect_to, 16);

#endif
