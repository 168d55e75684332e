/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stage.h - the kernel's packet path set up in a network namespace of its own, as a golden vector's home wants it
 *
 *      this process's namespace (gone when the process ends)
 *      +--------------------------------------------------------+
 *      |  NAME (address, routes, neighbours, XDP) ==== s0..s15  |   one veth pair for each interface and each port
 *      +--------------------------------------------------------+
 *
 * An 802.1Q interface is stood in for by a veth that has its address, routes and neighbours: the packet path asks no
 * more of it. A customer edge's own traffic comes in by a pair whose other end is Linux's way out. Frames are run with
 * BPF_PROG_TEST_RUN; nothing is sent.
 */
#ifndef PORTICO_TESTS_BPF_STAGE_H
#define PORTICO_TESTS_BPF_STAGE_H

#include "case.h"
#include "kernel/kernel.h"

struct stage {
	struct kernel *kernel;
	const char *instance;
	struct dp_config config; /* with the interfaces of the namespace */
	u32 nevents;		 /* what the packet path has handed to the daemon, and the last of it */
	struct dp_event event;
	u8 event_frame[4096];
};

/* Runs `body` in a child, with an instance name of its own, and removes the instance whatever became of the child, or
 * of the person's patience. Returns the exit status: 77 without root or BPF. */
int stage_main(const char *name, int (*body)(const char *instance, const char *top), const char *top);

/* Builds the home of `c` in a new namespace. `addresses` are those that occur in the test: each that is in a network of
 * the home gets a permanent neighbour, as replay would have it. 0; or -1 after printing why. */
int stage_build(struct stage *s, const struct vec_case *c, const be32 *addresses, u32 n);
void stage_end(struct stage *s);

/* Next hops in a table, as the daemon keeps it, for every other of the addresses, and for where the tunnel's packets
 * go: what is not there costs the packet path a lookup. 0 or not 0. */
int stage_nexthops(struct stage *s, const struct vec_case *c, const be32 *addresses, u32 n);

/* Events since the last call; the last is in s->event. */
u32 stage_events(struct stage *s);

/* The MAC address of a neighbour, as replay would have it. */
void stage_station(const struct vec_case *c, u32 port, const struct ip_addr *address, u8 mac[6]);

/* The port that a forwarded frame leaves by: its source address and tag say so. DP_PORTS_MAX: none. */
u32 stage_port_of(const struct stage *s, const u8 *frame, u32 length);

#endif
