/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gateway.h - the daemon's state, and the prototypes of its files
 *
 * One thread, one loop. What the packet path needs is computed from the configuration and the live system and written
 * into its maps; nothing that the packet path needs is only here, so that the daemon can die at any point.
 */
#ifndef PORTICO_GATEWAY_GATEWAY_H
#define PORTICO_GATEWAY_GATEWAY_H

#include <stdbool.h>
#include <time.h>

#include "conf/conf.h"
#include "engine/flow.h"
#include "kernel/kernel.h"
#include "lib/links.h"
#include "lib/nl.h"

struct hold;
struct neigh;
struct gc;

/* What the system says of a configured port. */
struct live_port {
	u32 attached; /* interface the program is on, 0: none */
	int mode;     /* enum kernel_mode there */
	be32 address; /* of the interface, 0: none */
	u8 prefix;
	bool present;
};

struct gateway {
	struct conf conf;
	struct kernel *kernel;
	bool adopted;
	bool stop;
	struct nl ask;	     /* requests and dumps */
	struct nl listen;    /* changes of links, addresses, routes, neighbours */
	struct dp_config dp; /* as last written to the kernel */
	struct live_port live[DP_PORTS_MAX];
	struct neigh *neigh;
	struct hold *hold;
	struct gc *gc;
	time_t started;	   /* CLOCK_MONOTONIC, seconds */
	char problem[256]; /* what keeps packets from flowing, in words; "": nothing known */
};

/* live.c: from configuration and system to the packet path's configuration */
int live_start(struct gateway *g, struct err *err);
void live_refresh(struct gateway *g);
int live_config_write(struct gateway *g);

/* follow.c: netlink messages */
int follow_open(struct gateway *g, struct err *err);
void follow_read(struct gateway *g);

/* neigh.c: the next-hop table */
int neigh_init(struct gateway *g);
void neigh_exit(struct gateway *g);
void neigh_sync(struct gateway *g);
int neigh_message(const struct nlmsghdr *message, void *gateway);
const struct nexthop *neigh_find(const struct gateway *g, u32 l3_ifindex, be32 addr);
void neigh_resolve(struct gateway *g, u32 l3_ifindex, be32 addr);
void neigh_used(struct gateway *g, u16 index);
void neigh_confirm(struct gateway *g);
u32 neigh_count(const struct gateway *g);

/* hold.c: packets that wait for a neighbour */
struct hold_counts {
	u64 received, held, sent, dropped;
};

int hold_init(struct gateway *g, struct err *err); /* returns the descriptor of the slow path's events */
void hold_exit(struct gateway *g);
void hold_read(struct gateway *g);
void hold_release(struct gateway *g, const struct nexthop *hop);
void hold_age(struct gateway *g);
struct hold_counts hold_counts(const struct gateway *g);

/* gc.c: the collector of idle flows */
int gc_init(struct gateway *g);
void gc_exit(struct gateway *g);
void gc_tick(struct gateway *g);
void gc_flush(struct gateway *g, be32 keep);
u32 gc_count(struct gateway *g);

/* control.c: the control socket */
int control_open(struct gateway *g, struct err *err); /* returns the listening descriptor */
void control_accept(struct gateway *g, int fd);

#endif
