/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - the packet core in user space, in batches
 *
 * A batch is parsed whole first, and each flow's cache line fetched meanwhile; then its packets go on one by one. The
 * result is that of one packet after the other: parsing looks at no state.
 */
#include "env_user.h"

#include <errno.h>
#include <stdlib.h>

#include "dp/core.h"
#include "flow.h"

struct engine {
	struct env env;
	struct dp_counter counters[REASON_COUNT];
};

/* What a destination of which nothing is known starts with: abi/flow.h. */
static void blank_make(struct engine *g)
{
	const struct dp_portset *ports = &g->env.config.ports;
	struct dest blank = {0};

	for (u32 i = 0; i < DEST_PORTS_MAX && ports->count <= DEST_PORTS_MAX; i++)
		if (i >= ports->count || env_reserved(&g->env, portset_port(ports, i)))
			alloc_note(&blank, i);
	memory_blank(g->env.memory, &blank);
}

/* The next hop to this router itself is the first there is. */
static void self_make(struct env *e)
{
	struct ip_addr self = way_ipv4(e->config.self);

	e->nhops = 1;
	for (u32 i = 0; i < e->config.nports; i++)
		if (e->config.port[i].role == ROLE_SELF && !neighbour_add(e, (u8)i, &self, NULL))
			e->config.self_hop = 1;
}

struct engine *engine_new(const struct dp_config *config, u32 flows)
{
	struct engine *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->env.memory = memory_new();
	if (!g->env.memory || table_init(&g->env.table, flows * flow_entries(config))) {
		engine_free(g);
		errno = ENOMEM;
		return NULL;
	}
	g->env.config = *config;
	blank_make(g);
	self_make(&g->env);
	return g;
}

void engine_free(struct engine *g)
{
	if (!g)
		return;
	table_exit(&g->env.table);
	memory_free(g->env.memory);
	free(g);
}

void engine_configure(struct engine *g, const struct dp_config *config)
{
	u16 routes = g->env.config.routes;

	g->env.config = *config;
	g->env.config.routes = (u16)(routes + 1);
	self_make(&g->env);
	blank_make(g);
}

void engine_tunnel(struct engine *g, const struct dp_tunnel *tunnel, const struct ip_addr *gateway)
{
	g->env.tunnel = *tunnel;
	g->env.gateway6 = *gateway;
	g->env.config.routes++;
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
	struct ip_addr key = way_ipv4(addr);

	return neighbour_add(&g->env, port, &key, mac);
}

void engine_reserve(struct engine *g, u16 port)
{
	g->env.reserved[port >> 6] |= 1ULL << (port & 63);
	blank_make(g);
}

void engine_clock(struct engine *g, uint64_t ns)
{
	g->env.tick = (u32)(ns >> TICK_SHIFT);
}

static struct step step_of(struct engine *g, struct pkt *p, u32 ifindex)
{
	return (struct step){
		.e = &g->env,
		.p = p,
		.c = &g->env.config,
		.t = &g->env.tunnel,
		.ifindex = ifindex,
	};
}

/* The programs of each mode, with `kind` a constant in each: what the kernel's are (bpf/portico_xdp.bpf.c). */
#define PROGRAMS(name, kind)                                                                                           \
	static enum reason name##_parse(const struct step *s, struct meta *m)                                          \
	{                                                                                                              \
		return step_parse(s, kind, m);                                                                         \
	}                                                                                                              \
	static enum reason name##_forward(const struct step *s, struct meta *m, struct way *way)                       \
	{                                                                                                              \
		return core_forward(s, kind, m, way);                                                                  \
	}

PROGRAMS(nat44, 0)
PROGRAMS(nat44_rare, KIND_RARE)
PROGRAMS(ce, KIND_CE)
PROGRAMS(ce_rare, KIND_CE | KIND_RARE)
PROGRAMS(br, KIND_BR)
PROGRAMS(br_rare, KIND_BR | KIND_RARE)

static const struct programs {
	enum reason (*parse)(const struct step *s, struct meta *m);
	enum reason (*forward)(const struct step *s, struct meta *m, struct way *way);
} usual[] =
	{
		[MODE_NAT44] = {nat44_parse, nat44_forward},
		[MODE_CE] = {ce_parse, ce_forward},
		[MODE_BR] = {br_parse, br_forward},
},
  rare[] = {
	  [MODE_NAT44] = {nat44_rare_parse, nat44_rare_forward},
	  [MODE_CE] = {ce_rare_parse, ce_rare_forward},
	  [MODE_BR] = {br_rare_parse, br_rare_forward},
};

static enum reason rare_run(struct engine *g, const struct step *s, struct way *way)
{
	const struct programs *p = &rare[g->env.config.mode];
	struct rare *r = &g->env.rare;
	enum reason why;

	r->m = (struct meta){0};
	why = p->parse(s, &r->m);
	if (why)
		return why;
	why = p->forward(s, &r->m, way);
	if (why != STEP_CLAIM)
		return why;
	why = flow_claim(&g->env, s->c, r);
	return why ? why : p->forward(s, &r->m, way);
}

static enum reason frame_parse(struct engine *g, const struct engine_frame *f, struct meta *m)
{
	struct pkt p = {.data = f->data, .end = f->data + f->length};
	struct step s = step_of(g, &p, f->ifindex);
	enum reason why;

	*m = (struct meta){0};
	why = usual[g->env.config.mode].parse(&s, m);
	if (!why)
		table_prefetch(&g->env.table, &m->key);
	return why;
}

static void frame_finish(struct engine *g, struct engine_frame *f, struct meta *m)
{
	struct pkt p = {.data = f->data, .end = f->data + f->length};
	struct step s = step_of(g, &p, f->ifindex);
	struct dp_counter *counter;
	struct way way = {0};
	u32 length = f->length;

	if (!f->reason)
		f->reason = usual[g->env.config.mode].forward(&s, m, &way);
	if (f->reason == STEP_RARE)
		f->reason = rare_run(g, &s, &way);
	f->hop = way.hop;
	f->data = p.data;
	f->length = pkt_length(&p);
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

void engine_notes_clear(struct engine *g)
{
	blank_make(g);
}
