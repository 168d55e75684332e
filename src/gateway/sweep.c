/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep.c - what a whole pass of the collector knows: sockets without flows, hosts' shares
 *
 * A pass sees every flow once. What was there before it began and has no flow at its end is not needed any more:
 *
 *   MAP_OUT entry   no flow of its inside socket was seen, and none was opened since  -> it goes, and its MAP_IN entry
 *   MAP_IN entry    its socket has no MAP_OUT entry: a daemon died between the two    -> it goes
 *   MAP_PEER entry  no flow of its external port with its outside address was seen    -> it goes
 *   share           counted anew from the flows
 *
 * A flow that is opened during the pass may stand where the pass has been already: so the packet path writes the time
 * into the MAP_OUT entry with each flow.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dp/portset.h"
#include "gateway.h"
#include "lib/addr.h"

#define SHARES_MAX 4096
#define SHARE_SLOTS (4 * SHARES_MAX)

/* Keys of up to 16 bytes, without zero bytes in all of them: an empty slot is all zero. */
struct keys {
	struct flow_key *slot;
	u32 room; /* a power of two */
	u32 count;
};

struct share_count {
	struct share_key key;
	u32 held;
	bool used;
};

struct sweep {
	u32 began;	     /* tick */
	struct keys sockets; /* inside sockets that have flows, and MAP_PEER keys */
	struct keys maps;    /* MAP_OUT and MAP_IN entries from before the pass */
	bool blind;	     /* not all has been seen or noted: what seems unused may be used */
	be32 hosts[2];	     /* the first two inside hosts seen */
	struct share_count share[SHARE_SLOTS];
};

static u32 hash(const void *data, u32 size)
{
	const u8 *byte = data;
	u32 h = 2166136261u;

	for (u32 i = 0; i < size; i++)
		h = (h ^ byte[i]) * 16777619u;
	return h;
}

static bool keys_find(const struct keys *k, const struct flow_key *key, u32 *at)
{
	static const struct flow_key none;

	for (*at = hash(key, sizeof(*key)) & (k->room - 1);; *at = (*at + 1) & (k->room - 1)) {
		if (!memcmp(&k->slot[*at], key, sizeof(*key)))
			return true;
		if (!memcmp(&k->slot[*at], &none, sizeof(none)))
			return false;
	}
}

static int keys_grow(struct keys *k)
{
	struct keys more = {.room = k->room ? k->room * 2 : 1024, .count = k->count};
	u32 at;

	more.slot = calloc(more.room, sizeof(*more.slot));
	if (!more.slot)
		return -ENOMEM;
	for (u32 i = 0; i < k->room; i++)
		if (k->slot[i].proto && !keys_find(&more, &k->slot[i], &at))
			more.slot[at] = k->slot[i];
	free(k->slot);
	*k = more;
	return 0;
}

/* 0, or -ENOMEM. */
static int keys_add(struct keys *k, const struct flow_key *key)
{
	u32 at;

	if (k->count * 2 >= k->room && keys_grow(k))
		return -ENOMEM;
	if (keys_find(k, key, &at))
		return 0;
	k->slot[at] = *key;
	k->count++;
	return 0;
}

static void keys_clear(struct keys *k)
{
	if (k->room)
		memset(k->slot, 0, k->room * sizeof(*k->slot));
	k->count = 0;
}

int sweep_init(struct gateway *g)
{
	g->sweep = calloc(1, sizeof(*g->sweep));
	return g->sweep ? 0 : -ENOMEM;
}

void sweep_exit(struct gateway *g)
{
	if (!g->sweep)
		return;
	free(g->sweep->sockets.slot);
	free(g->sweep->maps.slot);
	free(g->sweep);
	g->sweep = NULL;
}

static struct share_count *share_find(struct sweep *s, const struct share_key *key)
{
	u32 at = hash(key, sizeof(*key)) % SHARE_SLOTS;

	while (s->share[at].used && memcmp(&s->share[at].key, key, sizeof(*key)))
		at = (at + 1) % SHARE_SLOTS;
	return &s->share[at];
}

static void shares_read(struct gateway *g)
{
	struct share_key key;
	bool started = false;
	u32 held, n = 0;

	memset(g->sweep->share, 0, sizeof(g->sweep->share));
	while (n < SHARES_MAX && !kernel_share_next(g->kernel, &started, &key, &held)) {
		struct share_count *c = share_find(g->sweep, &key);

		*c = (struct share_count){.key = key, .used = true};
		n++;
	}
}

void sweep_begin(struct gateway *g, u32 now)
{
	struct sweep *s = g->sweep;

	s->began = now;
	s->blind = false;
	s->hosts[0] = s->hosts[1] = 0;
	keys_clear(&s->sockets);
	keys_clear(&s->maps);
	shares_read(g);
}

/* A flow, by its out half. */
void sweep_flow(struct gateway *g, const struct flow_key *key, const struct flow_half *half)
{
	struct flow_key peer = {
		.saddr = key->daddr, .daddr = half->addr, .dport = half->port, .proto = key->proto, .dir = MAP_PEER};
	struct flow_key socket = {.saddr = key->saddr, .sport = key->sport, .proto = key->proto, .dir = MAP_OUT};
	struct share_key share = {.host = key->saddr,
				  .dest = {.daddr = key->daddr, .dport = key->dport, .proto = key->proto}};
	struct sweep *s = g->sweep;
	struct share_count *c = share_find(s, &share);

	if (c->used)
		c->held++;
	if (!s->hosts[0])
		s->hosts[0] = key->saddr;
	else if (key->saddr != s->hosts[0])
		s->hosts[1] = key->saddr;
	if (g->dp.mapping)
		s->blind |= keys_add(&s->sockets, &socket) != 0;
	if (g->dp.filtering == FILTERING_ADDRESS)
		s->blind |= keys_add(&s->sockets, &peer) != 0;
}

/* An entry that is no flow: MAP_OUT, MAP_IN, MAP_PEER. What is not noted, for want of memory, stays. */
void sweep_map(struct gateway *g, const struct flow_key *key, const struct flow_half *half)
{
	if ((int)(half->last - g->sweep->began) < 0)
		keys_add(&g->sweep->maps, key);
}

/* The port is free towards a destination, or, of a MAP_IN entry, as a whole. */
void sweep_port_free(struct gateway *g, const struct flow_key *in)
{
	struct dest_key to = {.daddr = in->saddr, .dport = in->sport, .proto = in->proto};
	u16 port = port_host(in->dport);
	u32 index = portset_index(&g->dp.ports, port);
	struct dest d;

	if (kernel_dest_get(g->kernel, &to, &d))
		return;
	if (index < g->dp.ports.count && g->dp.ports.count <= DEST_PORTS_MAX &&
	    !(g->conf.reserved[port >> 6] >> (port & 63) & 1))
		ports_note(&d, index, false);
	d.full = 0;
	kernel_dest_set(g->kernel, &to, &d);
}

static void map_out_end(struct gateway *g, const struct flow_key *key)
{
	struct flow_half out, in;
	struct flow_key other;

	/* a flow may have been opened since it was read */
	if (kernel_flow_get(g->kernel, key, &out) || (int)(out.last - g->sweep->began) >= 0)
		return;
	other = (struct flow_key){.daddr = out.addr, .dport = out.port, .proto = key->proto, .dir = MAP_IN};
	kernel_flow_del(g->kernel, key);
	if (kernel_flow_get(g->kernel, &other, &in) || in.addr != key->saddr || in.port != key->sport)
		return; /* another socket's, or nobody's: the port was shared */
	kernel_flow_del(g->kernel, &other);
	sweep_port_free(g, &other);
}

static void map_in_end(struct gateway *g, const struct flow_key *key)
{
	struct flow_half in, out;
	struct flow_key other;

	if (kernel_flow_get(g->kernel, key, &in))
		return;
	other = (struct flow_key){.saddr = in.addr, .sport = in.port, .proto = key->proto, .dir = MAP_OUT};
	if (!kernel_flow_get(g->kernel, &other, &out) && out.port == key->dport)
		return;
	kernel_flow_del(g->kernel, key);
	sweep_port_free(g, key);
}

static void peer_end(struct gateway *g, const struct flow_key *key)
{
	struct flow_half half;

	if (!kernel_flow_get(g->kernel, key, &half) && (int)(half.last - g->sweep->began) < 0)
		kernel_flow_del(g->kernel, key);
}

static void shares_write(struct gateway *g)
{
	const struct sweep *s = g->sweep;

	for (u32 i = 0; i < SHARE_SLOTS; i++) {
		if (!s->share[i].used)
			continue;
		if (s->share[i].held)
			kernel_share_set(g->kernel, &s->share[i].key, s->share[i].held);
		else
			kernel_share_del(g->kernel, &s->share[i].key);
	}
}

/* One host alone may have everything. */
static void share_limit(struct gateway *g)
{
	u32 count = g->dp.ports.count, limit = count * g->conf.host_share / 100;

	if (!g->sweep->hosts[1] || g->conf.host_share >= 100 || count > DEST_PORTS_MAX)
		limit = 0;
	else if (!limit)
		limit = 1;
	if (g->dp.share == limit)
		return;
	g->dp.share = (u16)limit;
	live_config_write(g);
}

/* The end of a pass that could not be finished. */
void sweep_abandon(struct gateway *g)
{
	g->sweep->blind = true;
}

static void unused_end(struct gateway *g)
{
	struct sweep *s = g->sweep;
	u32 at;

	for (u32 i = 0; i < s->maps.room; i++) {
		const struct flow_key *key = &s->maps.slot[i];

		if (!key->proto || (s->sockets.room && keys_find(&s->sockets, key, &at)))
			continue;
		if (key->dir == MAP_OUT)
			map_out_end(g, key);
		else if (key->dir == MAP_IN)
			map_in_end(g, key);
		else
			peer_end(g, key);
	}
}

void sweep_end(struct gateway *g)
{
	if (g->sweep->blind)
		return;
	unused_end(g);
	shares_write(g);
	share_limit(g);
}
