/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - the packet core in user space, in batches
 *
 * A batch is parsed whole first, and each flow's cache line fetched meanwhile; then its packets go on one by one. The
 * result is that of one packet after the other: parsing looks at no state.
 */
#include "env_user.h"

#include <errno.h>
#include <stdlib.h>

#include "dp/step.h"

struct engine {
	struct env env;
	struct dp_counter counters[REASON_COUNT];
};

struct engine *engine_new(const struct dp_config *config, u32 flows)
{
	struct engine *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	if (table_init(&g->env.table, flows * 2)) {
		free(g);
		errno = ENOMEM;
		return NULL;
	}
	g->env.config = *config;
	g->env.nhops = 1;
	return g;
}

void engine_free(struct engine *g)
{
	if (!g)
		return;
	table_exit(&g->env.table);
	free(g);
}

void engine_configure(struct engine *g, const struct dp_config *config)
{
	u16 routes = g->env.config.routes;

	g->env.config = *config;
	g->env.config.routes = (u16)(routes + 1);
	g->env.nhops = 1;
}

int engine_route_add(struct engine *g, const struct engine_route *route)
{
	if (g->env.nroutes == ENGINE_ROUTES_MAX)
		return -ENOSPC;
	g->env.routes[g->env.nroutes++] = *route;
	return 0;
}

int engine_neighbour_add(struct engine *g, u8 port, be32 addr, const u8 mac[6])
{
	return neighbour_add(&g->env, port, addr, mac);
}

void engine_reserve(struct engine *g, u16 port)
{
	g->env.reserved[port >> 6] |= 1ULL << (port & 63);
}

void engine_clock(struct engine *g, uint64_t ns)
{
	g->env.tick = (u32)(ns >> TICK_SHIFT);
}

static enum reason frame_parse(struct engine *g, const struct engine_frame *f, struct meta *m)
{
	struct pkt p = {.data = f->data, .end = f->data + f->length};
	enum reason why;

	*m = (struct meta){0};
	why = step_parse(&p, &g->env.config, f->ifindex, m);
	if (!why)
		table_prefetch(&g->env.table, &m->key);
	return why;
}

static void frame_finish(struct engine *g, struct engine_frame *f, const struct meta *m)
{
	struct pkt p = {.data = f->data, .end = f->data + f->length};
	struct dp_counter *counter;
	struct step_out out = {0};
	u32 length = f->length;

	if (!f->reason) {
		f->reason = step_forward(&g->env, &g->env.config, &p, m, &out);
		f->hop = out.hop;
		f->data = p.data;
		f->length = pkt_length(&p);
	}
	counter = &g->counters[f->reason];
	counter->packets++;
	counter->bytes += length;
}

void engine_run(struct engine *g, struct engine_frame *frames, u32 n)
{
	struct meta meta[ENGINE_BATCH];

	for (u32 i = 0; i < n; i++)
		frames[i].reason = frame_parse(g, &frames[i], &meta[i]);
	for (u32 i = 0; i < n; i++)
		frame_finish(g, &frames[i], &meta[i]);
}

const struct dp_counter *engine_counters(const struct engine *g)
{
	return g->counters;
}

void engine_flows(const struct engine *g, engine_visit *visit, void *arg)
{
	const struct table_slot *slot;
	u32 at = 0;

	while ((slot = table_next(&g->env.table, &at)))
		visit(arg, &slot->key, &slot->half);
}

struct flow_half *engine_flow_get(struct engine *g, const struct flow_key *key)
{
	return table_get(&g->env.table, key);
}

void engine_flow_del(struct engine *g, const struct flow_key *key)
{
	table_del(&g->env.table, key);
}
