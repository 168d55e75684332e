/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.h - the packet core in user space: for replay, tests, the fuzzer and the slow path
 *
 * Everything is given: configuration, reserve list, routes, neighbours and the clock. Nothing is asked of the system,
 * so the same input always gives the same output.
 */
#ifndef PORTICO_ENGINE_ENGINE_H
#define PORTICO_ENGINE_ENGINE_H

#include <stdint.h>

#include "abi/config.h"
#include "abi/flow.h"
#include "abi/tunnel.h"
#include "dp/reason.h"

/* Room in front of a frame for what the core may push, and the alignment it wants: data is at 2 modulo 4. */
#define ENGINE_HEADROOM 66
#define ENGINE_BATCH 256

struct engine_frame {
	u8 *data;    /* in: 2 modulo 4, ENGINE_HEADROOM bytes before it are writable; out: where the frame starts now */
	u32 length;  /* bytes, in and out */
	u32 ifindex; /* in: where it came in */
	enum reason reason; /* out */
	struct nexthop hop; /* out: where it goes, with verdict FORWARD */
};

/* Packets to prefix/length (host bits zero) leave by port (index into dp_config.port), or, with `local`, are for this
 * router. `gateway` 0: the destination is the neighbour. Longest prefix wins. */
struct engine_route {
	be32 prefix;
	u8 length;
	u8 local;
	u8 port;
	be32 gateway;
};

struct engine;

/* An engine for `flows` flows, or NULL with errno set. `config` is copied, but for self_hop. */
struct engine *engine_new(const struct dp_config *config, u32 flows);
void engine_free(struct engine *g);

/* New configuration; next hops are chosen anew. */
void engine_configure(struct engine *g, const struct dp_config *config);
/* The tunnel of a CE or BR; its IPv6 packets go to neighbour `gateway` of the tunnel's port, or, where that is zero, to
 * their destination as if it were a neighbour. */
void engine_tunnel(struct engine *g, const struct dp_tunnel *tunnel, const struct ip_addr *gateway);
/* 0, or -ENOSPC. */
int engine_route_add(struct engine *g, const struct engine_route *route);
int engine_neighbour_add(struct engine *g, u8 port, be32 addr, const u8 mac[6]);
void engine_reserve(struct engine *g, u16 port);

/* The clock, CLOCK_MONOTONIC nanoseconds or any other that never goes back. */
void engine_clock(struct engine *g, uint64_t ns);

/* Runs n <= ENGINE_BATCH frames in order. */
void engine_run(struct engine *g, struct engine_frame *frames, u32 n);

const struct dp_counter *engine_counters(const struct engine *g); /* REASON_COUNT of them */

/* Calls `visit` for each half; it must not run frames. */
typedef void engine_visit(void *arg, const struct flow_key *key, const struct flow_half *half);
void engine_flows(const struct engine *g, engine_visit *visit, void *arg);
struct flow_half *engine_flow_get(struct engine *g, const struct flow_key *key);
void engine_flow_del(struct engine *g, const struct flow_key *key);
/* Forgets which ports are taken towards which destination, and how many a host has (abi/flow.h). */
void engine_notes_clear(struct engine *g);

#endif
