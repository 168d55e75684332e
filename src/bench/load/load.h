/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - UDP at kernel speed through a path, counted at its far end
 *
 *   gen (BPF_PROG_TEST_RUN, live frames) -> LAN host's interface -> router -> far end's interface: sink (XDP)
 *
 * All of it runs on one CPU: what is measured is the time of generator, devices, router and sink together. A path
 * without the router's work (load_floor) gives the part that is not the router's.
 */
#ifndef PORTICO_BENCH_LOAD_LOAD_H
#define PORTICO_BENCH_LOAD_LOAD_H

#include <stdbool.h>

#include "abi/types.h"
#include "lib/err.h"

/* MAP-E customers that the load comes from: IPv6 in front of each packet. Customer i has the IPv4 address
 * host_first + i and talks to remote_first + i; `spread` customers in all. */
struct load_customers {
	u32 source[4]; /* IPv6 address of the first one, words in host order; of the next, each word is `step` more */
	u32 step[4];
	u32 destination[4]; /* the border relay */
	u16 sport;	    /* first of 16 source ports; 0: no customers, plain IPv4 */
};

/* Where the load goes in and where it must come out. */
struct load_path {
	int from_ns, to_ns;	      /* file descriptors of network namespaces */
	u32 from_ifindex, to_ifindex; /* LAN host's and far end's interface */
	u8 smac[6], dmac[6];	      /* of the first hop: LAN host, router */
	u32 host_first;		      /* source address of the first host, host order; others follow it */
	u32 remote_first;	      /* destination of the first host */
	be32 source, mask;	      /* at the far end: (source address & mask) == source, else it is foreign */
	u32 spread;		      /* destinations, from remote_first on, one for each flow in turn; 0: one a host */
	u16 dport;		      /* 0: discard */
	bool tunnelled;		      /* at the far end, packets are in IPv6 */
	struct load_customers customers;
	u32 cpu;
};

struct load_plan {
	u32 flows;   /* distinct flows, taken in turn; 1 .. load_flows_max(hosts) */
	u32 first;   /* flow to begin with */
	u32 stride;  /* from one packet's flow to the next's; 1: in order. No common divisor with `flows` */
	u32 packets; /* `packets` <= `flows` from an empty router: every packet is a new flow */
	u32 size;    /* bytes of the frame on the wire, with its checksum, without IPv6 in front: 64 .. 1518 */
};

struct load_result {
	u64 sent;
	u64 received;
	double ns; /* wall time for each received packet, without start and end of the run; 0: under 256 packets */
};

struct load;

/* Puts the sink at the far end. NULL with *err filled. Everything goes with load_close(), or with the process. */
struct load *load_open(const struct load_path *path, struct err *err);
void load_close(struct load *l);

/* One packet of flow 0 must reach the sink as it should be: 0, or -errno with the cause in *err. */
int load_probe(struct load *l, struct err *err);

/* Runs the plan. -ENETUNREACH where packets came out wrong, -ENOBUFS where more than one in 1,000 was lost, -EINTR
 * after a signal, each in words. */
int load_run(struct load *l, const struct load_plan *plan, struct load_result *result, struct err *err);

/* How many flows `hosts` hosts can have. */
u32 load_flows_max(u32 hosts);
/* A stride near the golden ratio of `flows`, without a common divisor: neighbours in time are far apart in place. */
u32 load_stride(u32 flows);

/* The floor: a router that writes Ethernet addresses and redirects to its other interface, nothing else. */
struct load_hop {
	int ns;
	u32 in, out; /* ifindex */
	u8 dmac[6], smac[6];
};

struct load_floor;
struct load_floor *load_floor_open(const struct load_hop *hop, struct err *err);
void load_floor_close(struct load_floor *f);

#endif
