/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gc.c - the collector of idle flows
 *
 * Walks the flow table a piece each second, so that a pass over the whole takes about PASS_SECONDS whatever its size.
 * An out half that has been quiet for less than the shortest timer needs no look at its partner. A flow that has ended
 * loses its out half first: while that is there, its port is taken.
 *
 * An in half without an out half is what a daemon leaves that died between the two removals; the first pass of a daemon
 * looks at every in half, later ones only at quiet ones.
 *
 * Where ports are to cool (RFC 6888, REQ-8), the in half of a flow that has ended stays for that time, with address 0:
 * the packet path takes it for none, but the port is not free. TCP's ports do not cool: its state is tracked.
 */
#include <errno.h>
#include <stdlib.h>

#include "dp/portset.h"
#include "gateway.h"
#include "lib/addr.h"
#include "lib/clock.h"

#define PIECE 4096 /* halves a call to the kernel */
#define PASS_SECONDS 10
#define CONFIRM_SECONDS 30
#define USED_SECONDS 60

struct gc {
	struct kernel_walk walk;
	bool first;   /* pass */
	u32 shortest; /* timer, ticks */
	time_t confirmed;
	struct flow_key keys[PIECE];
	struct flow_half halves[PIECE];
};

static u32 tick_now(void)
{
	return (u32)(clock_ns() >> TICK_SHIFT);
}

int gc_init(struct gateway *g)
{
	const struct dp_timers *t = &g->conf.timers;
	u32 shortest = t->tcp_established;

	g->gc = calloc(1, sizeof(*g->gc));
	if (!g->gc)
		return -ENOMEM;
	shortest = t->tcp_transitory < shortest ? t->tcp_transitory : shortest;
	shortest = t->udp < shortest ? t->udp : shortest;
	shortest = t->icmp < shortest ? t->icmp : shortest;
	g->gc->shortest = TICKS_OF_SECONDS(shortest);
	g->gc->first = true;
	g->gc->confirmed = clock_seconds();
	return 0;
}

void gc_exit(struct gateway *g)
{
	free(g->gc);
	g->gc = NULL;
}

static bool quiet(const struct gc *gc, const struct flow_half *half, u32 now)
{
	u32 idle = now - half->last;

	return (int)idle >= 0 && idle > gc->shortest;
}

/*
 * The batch was read a moment ago, and the decisions on what stood before in it have changed the table since: what is
 * decided here and in collect_in() is decided on what is there now.
 */
static void collect_out(struct gateway *g, const struct flow_key *key)
{
	struct flow_half out, in = {0};
	struct flow_key other;

	if (kernel_flow_get(g->kernel, key, &out))
		return;
	other = flow_other(key, &out);
	if (kernel_flow_get(g->kernel, &other, &in))
		in.last = out.last;
	if (!flow_expired(&g->conf.timers, key->proto, &out, &in, tick_now()))
		return;
	kernel_flow_del(g->kernel, key);
	if (g->conf.cooling && key->proto != IPPROTO_TCP) {
		kernel_flow_set(g->kernel, &other, &(struct flow_half){.last = tick_now()});
		return;
	}
	kernel_flow_del(g->kernel, &other);
	sweep_port_free(g, &other);
}

static void in_end(struct gateway *g, const struct flow_key *key)
{
	kernel_flow_del(g->kernel, key);
	sweep_port_free(g, key);
}

static void collect_in(struct gateway *g, const struct flow_key *key)
{
	struct flow_half in, out;
	struct flow_key other;

	if (kernel_flow_get(g->kernel, key, &in))
		return;
	if (!in.addr) {
		if (tick_now() - in.last > TICKS_OF_SECONDS(g->conf.cooling))
			in_end(g, key);
		return;
	}
	other = flow_other(key, &in);

	/* a flow being opened right now has no out half for an instant: leave what is young */
	if (tick_now() - in.last < TICKS_OF_SECONDS(2) && !in.packets)
		return;
	if (kernel_flow_get(g->kernel, &other, &out) == -ENOENT)
		in_end(g, key);
}

static void collect(struct gateway *g, int count)
{
	struct gc *gc = g->gc;
	u32 now = tick_now();

	for (int i = 0; i < count; i++) {
		if (now - gc->halves[i].last < TICKS_OF_SECONDS(USED_SECONDS))
			neigh_used(g, gc->halves[i].nexthop);
		if (gc->keys[i].dir == FLOW_OUT)
			sweep_flow(g, &gc->keys[i], &gc->halves[i]);
		if (gc->keys[i].dir > FLOW_IN)
			sweep_map(g, &gc->keys[i], &gc->halves[i]);
		else if (gc->keys[i].dir == FLOW_OUT && quiet(gc, &gc->halves[i], now))
			collect_out(g, &gc->keys[i]);
		else if (gc->keys[i].dir == FLOW_IN &&
			 (gc->first || !gc->halves[i].addr || quiet(gc, &gc->halves[i], now)))
			collect_in(g, &gc->keys[i]);
	}
}

/* Each second. */
void gc_tick(struct gateway *g)
{
	u32 budget = kernel_flows_max(g->kernel) / PASS_SECONDS + PIECE;
	struct gc *gc = g->gc;
	int count;

	for (u32 done = 0; done < budget; done += (u32)count) {
		count = kernel_flows(g->kernel, &gc->walk, gc->keys, gc->halves, PIECE);
		if (count <= 0) {
			if (count < 0)
				sweep_abandon(g);
			sweep_end(g);
			sweep_begin(g, tick_now());
			gc->first = false;
			break;
		}
		collect(g, count);
	}
	if (clock_seconds() - gc->confirmed >= CONFIRM_SECONDS) {
		neigh_confirm(g);
		gc->confirmed = clock_seconds();
	}
}

/* Whether what is seen outside as addr:port may go on. A customer edge's ports are its rule's. */
static bool stays(const struct gateway *g, be32 addr, be16 port)
{
	return addr == g->dp.wan_addr && (g->conf.kind != MODE_CE || portset_has(&g->dp.ports, port_host(port)));
}

/* Address or port set have changed: ends every flow that is seen outside under another address or port. */
void gc_flush(struct gateway *g)
{
	struct kernel_walk walk = {0};
	struct gc *gc = g->gc;
	int count;

	while ((count = kernel_flows(g->kernel, &walk, gc->keys, gc->halves, PIECE)) > 0) {
		for (int i = 0; i < count; i++) {
			const struct flow_key *key = &gc->keys[i];
			bool out = key->dir == FLOW_OUT || key->dir == MAP_OUT;

			if (!stays(g, out ? gc->halves[i].addr : key->daddr, out ? gc->halves[i].port : key->dport))
				kernel_flow_del(g->kernel, key);
		}
	}
	kernel_dests_clear(g->kernel);
}

/* Flows in the table now. */
u32 gc_count(struct gateway *g)
{
	struct kernel_walk walk = {0};
	struct gc *gc = g->gc;
	u32 flows = 0;
	int count;

	while ((count = kernel_flows(g->kernel, &walk, gc->keys, gc->halves, PIECE)) > 0)
		for (int i = 0; i < count; i++)
			flows += gc->keys[i].dir == FLOW_OUT;
	return flows;
}
