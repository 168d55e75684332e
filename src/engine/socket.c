/* SPDX-License-Identifier: GPL-2.0-or-later */
/* socket.c - inside sockets whose flows have all ended: their ports are anybody's again
 *
 * What the flows of a socket have in common (MAP_OUT and MAP_IN, abi/flow.h) outlives each of them. Here it is looked
 * for in a list of the sockets that have a flow; what is noted of destinations starts anew, since it may say of any
 * port that it is taken.
 */
#include "socket.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct list {
	struct flow_key *keys;
	u32 n, room;
};

struct sweep {
	struct list live;   /* sockets that have a flow, as the keys of their MAP_OUT */
	struct list mapped; /* those that have a MAP_OUT */
	bool no_memory;
};

static bool list_add(struct list *l, const struct flow_key *key)
{
	if (l->n == l->room) {
		u32 room = l->room ? l->room * 2 : 256;
		struct flow_key *more = reallocarray(l->keys, room, sizeof(*more));

		if (!more)
			return false;
		l->keys = more;
		l->room = room;
	}
	l->keys[l->n++] = *key;
	return true;
}

static void half_visit(void *arg, const struct flow_key *key, const struct flow_half *half)
{
	struct flow_key socket = {.saddr = key->saddr, .sport = key->sport, .proto = key->proto, .dir = MAP_OUT};
	struct sweep *s = arg;

	(void)half;
	if (key->dir == FLOW_OUT)
		s->no_memory |= !list_add(&s->live, &socket);
	else if (key->dir == MAP_OUT)
		s->no_memory |= !list_add(&s->mapped, key);
}

static int key_compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct flow_key));
}

/* The port is given back before the socket forgets it: one that shared another's has none to give. */
static void socket_end(struct engine *g, const struct flow_key *socket)
{
	struct flow_half out = *engine_flow_get(g, socket);
	struct flow_key whole = {.daddr = out.addr, .dport = out.port, .proto = socket->proto, .dir = MAP_IN};
	const struct flow_half *in = engine_flow_get(g, &whole);

	if (in && in->addr == socket->saddr && in->port == socket->sport)
		engine_flow_del(g, &whole);
	engine_flow_del(g, socket);
}

int sockets_sweep(struct engine *g)
{
	struct sweep s = {0};

	engine_flows(g, half_visit, &s);
	if (!s.no_memory && s.live.n)
		qsort(s.live.keys, s.live.n, sizeof(*s.live.keys), key_compare);
	for (u32 i = 0; i < s.mapped.n && !s.no_memory; i++)
		if (!s.live.n || !bsearch(&s.mapped.keys[i], s.live.keys, s.live.n, sizeof(*s.live.keys), key_compare))
			socket_end(g, &s.mapped.keys[i]);
	free(s.live.keys);
	free(s.mapped.keys);
	engine_notes_clear(g);
	return s.no_memory ? -ENOMEM : 0;
}
