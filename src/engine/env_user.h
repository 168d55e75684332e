/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_user.h - the core's host in user space */
#ifndef PORTICO_ENGINE_ENV_USER_H
#define PORTICO_ENGINE_ENV_USER_H

#include "engine.h"
#include "memory.h"
#include "table.h"

#define DP_ENV
#include "dp/env.h"
#include "dp/pkt.h"
#include "dp/rare.h"
#include "dp/way.h"

#define ENGINE_ROUTES_MAX 64

struct env {
	struct dp_config config;
	struct dp_tunnel tunnel;
	struct table table;
	struct memory *memory;
	u32 tick;
	u32 nroutes;
	u32 nhops;
	struct ip_addr gateway6; /* next hop of all IPv6 packets; zero: the destination */
	struct engine_route routes[ENGINE_ROUTES_MAX];
	struct nexthop hops[DP_NEXTHOPS_MAX]; /* 1 .. nhops - 1: neighbours; index 0 is never valid */
	struct ip_addr hop_addr[DP_NEXTHOPS_MAX];
	u64 reserved[DP_RESERVED_WORDS];
	struct dp_way ways[DP_WAYS];
	struct rare rare;
};

enum reason route_lookup(struct env *e, be32 dst, struct way *way);
enum reason route_lookup6(struct env *e, u32 port, const struct ip_addr *dst, struct way *way);
int neighbour_add(struct env *e, u8 port, const struct ip_addr *addr, const u8 mac[6]);

dp_fn const struct dp_config *env_config(struct env *e)
{
	return &e->config;
}

dp_fn const struct dp_tunnel *env_tunnel(struct env *e)
{
	return &e->tunnel;
}

dp_fn u32 env_tick(struct env *e)
{
	return e->tick;
}

dp_fn const struct frag *env_frag_get(struct env *e, const struct frag_key *key)
{
	return memory_frag_get(e->memory, key);
}

dp_fn void env_frag_put(struct env *e, const struct frag_key *key, const struct frag *frag)
{
	memory_frag_put(e->memory, key, frag);
}

dp_fn struct dest *env_dest_get(struct env *e, const struct dest_key *key)
{
	return memory_dest_get(e->memory, key);
}

dp_fn struct dest *env_dest_make(struct env *e, const struct dest_key *key)
{
	return memory_dest_make(e->memory, key);
}

dp_fn u32 *env_share(struct env *e, const struct share_key *key)
{
	return memory_share(e->memory, key);
}

dp_fn struct dp_way *env_way(struct env *e, u32 index)
{
	return &e->ways[index & (DP_WAYS - 1)];
}

dp_fn struct rare *env_rare(struct env *e)
{
	return &e->rare;
}

dp_fn struct flow_half *env_flow_get(struct env *e, const struct flow_key *key)
{
	return table_get(&e->table, key);
}

dp_fn int env_flow_add(struct env *e, const struct flow_key *key, const struct flow_half *half)
{
	switch (table_add(&e->table, key, half)) {
	case 0:
		return ENV_OK;
	case -17: /* -EEXIST */
		return ENV_EXISTS;
	default:
		return ENV_FULL;
	}
}

dp_fn void env_flow_del(struct env *e, const struct flow_key *key)
{
	table_del(&e->table, key);
}

dp_fn int env_reserved(struct env *e, u16 port)
{
	return e->reserved[port >> 6] >> (port & 63) & 1;
}

/* Here are no sockets of a router; what a live one listens on is given as reserved. */
dp_fn int env_local(struct env *e, const struct flow_key *in)
{
	(void)e;
	(void)in;
	return 0;
}

dp_fn const struct nexthop *env_nexthop(struct env *e, u16 index)
{
	return &e->hops[index & (DP_NEXTHOPS_MAX - 1)];
}

dp_fn enum reason env_route(struct env *e, const struct meta *m, be32 dst, struct way *way)
{
	(void)m;
	return route_lookup(e, dst, way);
}

dp_fn enum reason env_route6(struct env *e, u32 port, const struct ip_addr *dst, struct way *way)
{
	return route_lookup6(e, port, dst, way);
}

/* engine_frame's headroom is there. */
dp_fn int env_head(struct env *e, struct pkt *p, int bytes)
{
	(void)e;
	p->data -= bytes;
	return 0;
}

#endif
