/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - UDP at kernel speed through a path, counted at its far end
 *
 *   out:  gen (BPF_PROG_TEST_RUN, live frames) -> near interface -> path -> far interface: sink (XDP)
 *   in:   sink (XDP): near interface <- path <- far interface <- gen
 *
 * Packets say which flow they are of, their number, and when they were sent. Phase 1 (RFC 9693, 4.4) sends one packet
 * out for each flow; the far sink learns with which address and port each flow leaves, so that phase 2 can send both
 * ways, whatever the router made of them: in again is only what has a flow.
 *
 * Each way runs on one CPU: what is measured is the time of generator, devices, router and sink together. A path
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

/* One end of the path. */
struct load_end {
	int ns; /* file descriptor of its network namespace */
	u32 ifindex;
	u8 mac[6]; /* its own */
	u8 hop[6]; /* the router's, next to it */
	u16 vid;   /* of its frames; 0: untagged */
};

/* Flow f is of host (f / flows_a_host), which sends from a port of its own to destination (f mod spread), or, where
 * spread is 0, each host to a destination of its own. */
struct load_path {
	struct load_end near, far;
	u32 host_first;	   /* address of the first host, host order; others follow it */
	u32 remote_first;  /* of the first destination */
	be32 source, mask; /* at the far end: (source address & mask) == source, else it is foreign */
	u32 spread;
	u16 dport;	/* 0: discard */
	bool tunnelled; /* at the far end, packets are in IPv6 */
	struct load_customers customers;
	u32 flows_max; /* that load_run() will be asked for */
};

enum load_way {
	LOAD_OUT,
	LOAD_IN,
	LOAD_WAYS,
	LOAD_BOTH = LOAD_WAYS, /* at once, each on a CPU of its own if there are two */
};

#define LOAD_IMIX 1 /* as `size`: 7 frames of 64, 4 of 594, 1 of 1518 bytes, over and over */

struct load_plan {
	enum load_way way; /* LOAD_IN and LOAD_BOTH only behind a phase 1 of as many flows */
	u32 flows;	   /* distinct flows, taken in turn; 1 .. flows_max */
	u32 first;	   /* flow to begin with */
	u32 stride;	   /* from one packet's flow to the next's; 1: in order. No common divisor with `flows` */
	u32 packets;	   /* each way; `packets` <= `flows` from an empty router: every packet is a new flow */
	u32 size;	   /* bytes on the wire with check sequence, without tag or IPv6: 64 .. 1518, LOAD_IMIX */
	u32 cpu;	   /* where it runs; LOAD_BOTH: in on the one below, or the last; but see load_run() */
	double rate;	   /* packets/s, each way, at least 10; 0: as fast as it goes */
	bool learn;	   /* phase 1: out, the far sink learns */
	bool all;	   /* check every packet's sums, else one in 16 */
	bool delay;	   /* note how long packets take */
	bool lossy;	   /* losses are no error */
};

struct load_count {
	u64 sent;
	u64 received;	  /* as they should be */
	u64 out_of_order; /* of those: behind one that was sent later (RFC 4737) */
	u64 late;	  /* of those: came only when the generator had ended and the path had been given time */
	u64 wrong;	  /* a checksum of IPv4 or UDP is; of those that were looked at */
	u64 foreign;	  /* another source than it should be */
	double ns;	/* wall time for each received packet, without start and end of the run; 0: under 256 packets */
	double seconds; /* from the first packet sent to the last: what the rate really was */
};

/* How long packets took, ns. 1.6 % is the width of a step; 0: none was noted. */
struct load_delay {
	u64 packets;
	double min, p50, p90, p99, p999, max;
	double pdv; /* packet delay variation: p99.9 - min (RFC 5481, 4.2) */
};

struct load_result {
	struct load_count way[LOAD_WAYS];
	struct load_delay delay[LOAD_WAYS];
};

struct load;

/* Puts the sinks at both ends. NULL with *err filled. Everything goes with load_close(), or with the process. */
struct load *load_open(const struct load_path *path, struct err *err);
void load_close(struct load *l);

/* One packet of flow 0 must reach the far sink as it should be: 0, or -errno with the cause in *err. */
int load_probe(struct load *l, u32 cpu, struct err *err);

/* Runs the plan. -ENETUNREACH where packets came out foreign, -EBADMSG where a checksum was wrong, -ENOBUFS where more
 * than one in 1,000 was lost (not with `lossy`), -ENODATA: in, without phase 1; -ERANGE: more received than sent;
 * -EINTR after a signal; -EINVAL, -ENOTSUP: there is no such load (in, where one end has tunnels); each in words. Also
 * then *result has what was counted.
 *
 * The two ways of one interface (VLANs) share its queues: as fast as it goes, one CPU would overrun what the other
 * receives, so both run on `cpu`. */
int load_run(struct load *l, const struct load_plan *plan, struct load_result *result, struct err *err);

/* How many flows `hosts` hosts can have. */
u32 load_flows_max(u32 hosts);
/* A stride near the golden ratio of `flows`, without a common divisor: neighbours in time are far apart in place. */
u32 load_stride(u32 flows);

/* The floor: a router that writes Ethernet addresses (and VLANs) and redirects to its other interface, nothing else;
 * both ways. */
struct load_hop {
	u32 ifindex;
	u8 mac[6];  /* its own */
	u8 next[6]; /* the neighbour's */
	u16 vid;
};

struct load_floor;
/* `work`: rounds of a hash for each packet, about a nanosecond or two each; 0: none. The two hops may be VLANs of one
 * interface. */
struct load_floor *load_floor_open(int ns, const struct load_hop hop[2], u32 work, struct err *err);
void load_floor_close(struct load_floor *f);

#endif
