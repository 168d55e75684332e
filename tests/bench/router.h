/* SPDX-License-Identifier: GPL-2.0-or-later */
/* router.h - what stands between LAN and WAN in a trial: nothing but a redirect, nftables, or Portico */
#ifndef PORTICO_TESTS_BENCH_ROUTER_H
#define PORTICO_TESTS_BENCH_ROUTER_H

#include <stddef.h>

#include "bench/lab/home.h"
#include "bench/load/load.h"
#include "lib/err.h"

enum router_kind {
	ROUTER_FLOOR,	 /* XDP redirect that writes Ethernet addresses only */
	ROUTER_NFTABLES, /* masquerade */
	ROUTER_PORTICO,
	ROUTER_KINDS
};

extern const char *const router_names[ROUTER_KINDS];

struct router {
	enum router_kind kind;
	const struct net *home;
	struct load_floor *floor;
};

/* Makes the router of `home` one of the kinds, with room for `flows` flows, empty; Portico is brought up as anybody
 * does it, with the `portico` of this build. 0, or -errno and nothing is left. */
int router_start(struct router *r, enum router_kind kind, const struct net *home, u32 flows, struct err *err);
/* Bytes of kernel memory that the tables take, and for how many flows; 0 where the kind does not know. */
u64 router_memory(const struct router *r, u32 *flows);
void router_stop(struct router *r);

/* HOME_PORT_HOST or HOME_PORT_ISP as an end of the load's path. */
struct load_end router_end(const struct net *h, enum home_port port);

/* The parts of it. A bare redirect between the router's sides, both ways; NULL with *err filled. */
struct load_floor *router_floor_open(const struct net *h, struct err *err);
/* Portico with room for `flows` flows; `rest` are the sections of its configuration besides the interfaces. */
int router_portico_up(const struct net *h, u32 flows, const char *rest, struct err *err);

/* For the home's keeper: takes down the Portico that program `pid` may have brought up. */
void router_undo(int pid);

/* The build directory, which this program is in. */
void router_build(char *path, size_t room);

#endif
