/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_user.h - the core's host in user space */
#ifndef PORTICO_ENGINE_ENV_USER_H
#define PORTICO_ENGINE_ENV_USER_H

#include "engine.h"
#include "table.h"

#define DP_ENV
#include "dp/env.h"
#include "dp/pkt.h"

#define ENGINE_ROUTES_MAX 64

struct env {
	struct dp_config config;
	struct table table;
	u32 tick;
	u32 nroutes;
	u32 nhops;
	struct engine_route routes[ENGINE_ROUTES_MAX];
	struct nexthop hops[DP_NEXTHOPS_MAX]; /* 1 .. nhops - 1: neighbours; index 0 is never valid */
	u64 reserved[DP_RESERVED_WORDS];
};

enum reason route_lookup(struct env *e, be32 dst, struct nexthop *hop, u16 *index);
int neighbour_add(struct env *e, u8 port, be32 addr, const u8 mac[6]);

dp_fn const struct dp_config *env_config(struct env *e)
{
	return &e->config;
}

dp_fn u32 env_tick(struct env *e)
{
	return e->tick;
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

dp_fn enum reason env_route(struct env *e, const struct meta *m, be32 dst, struct nexthop *hop, u16 *index)
{
	(void)m;
	return route_lookup(e, dst, hop, index);
}

/* engine_frame's headroom is there. */
dp_fn int env_head(struct env *e, struct pkt *p, int bytes)
{
	(void)e;
	p->data -= bytes;
	return 0;
}

#endif
