/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.c - a port for a flow that found none at once: all are looked at
 *
 * What is noted of the destination (abi/flow.h, struct dest) is written anew from the truth, which is the flow table.
 * If a port is free, the packet runs again and finds it; if none is, the note says so, and until the collector takes a
 * flow away the packet path refuses by itself. Only this process takes flows away, so the note cannot be wrong
 * meanwhile.
 *
 *   handed up --> searched --(full)------------------------> refused
 *                    `------(free)--> run again --(opened)--> sent
 *                                        `------(in vain)--> handed up once more: refused
 *
 * In vain: the flow table knows nothing of this router's own sockets. Bounded by what it costs, LOOKUPS a second.
 */
#include <errno.h>
#include <string.h>

#include "dp/portset.h"
#include "lib/addr.h"
#include "slow.h"

#define LOOKUPS 200000 /* in the flow table, a second */

/* The key whose presence says that `port` is taken. */
static struct flow_key key_of(const struct gateway *g, const struct dest_key *dest, u16 port)
{
	return (struct flow_key){
		.saddr = dest->daddr,
		.sport = dest->dport,
		.daddr = g->dp.wan_addr,
		.dport = port_net(port),
		.proto = dest->proto,
		.dir = dest->daddr ? FLOW_IN : MAP_IN,
	};
}

static bool taken(struct gateway *g, const struct dest_key *dest, u16 port)
{
	struct flow_key key = key_of(g, dest, port);
	struct flow_half half;

	if (g->conf.reserved[port >> 6] >> (port & 63) & 1)
		return true;
	g->slow->lookups.taken++;
	return !kernel_flow_get(g->kernel, &key, &half);
}

/* Where to begin: in a set without bits, behind what earlier searches have gone through. */
static u32 beginning(struct gateway *g, const struct dest_key *dest)
{
	struct dest d;

	if (g->dp.ports.count <= DEST_PORTS_MAX || kernel_dest_get(g->kernel, dest, &d))
		return 0;
	return d.hint;
}

/* Writes the note anew; whether a port is free. */
static bool search(struct gateway *g, const struct dest_key *dest)
{
	const struct dp_portset *ports = &g->dp.ports;
	u32 unused = ports->count, first = beginning(g, dest);
	bool noted = ports->count <= DEST_PORTS_MAX;
	struct dest d;

	ports_blank_make(g, &d);
	for (u32 n = 0; n < ports->count && (noted || unused == ports->count); n++) {
		u32 i = (first + n) % ports->count;

		if (!taken(g, dest, portset_port(ports, i)))
			unused = i;
		else if (noted)
			ports_note(&d, i, true);
	}
	d.full = unused == ports->count;
	d.hint = d.full ? 0 : unused + 1;
	kernel_dest_set(g->kernel, dest, &d);
	return !d.full;
}

/* The destination that has no port: the packet's, or, where a socket's port is its own, any. */
static bool found(struct gateway *g, const struct dp_event *event)
{
	struct dest_key to = {.daddr = event->key.daddr, .dport = event->key.dport, .proto = event->key.proto};
	struct dest_key any = {.proto = event->key.proto};

	if (g->dp.mapping == MAPPING_ENDPOINT_INDEPENDENT && !search(g, &any))
		return false;
	return search(g, &to);
}

/* Notes a flow that was not opened though there is a port. */
static void vain_note(struct slow *slow, const struct flow_key *key)
{
	slow->vain[slow->vain_next++ % SLOW_VAIN] = *key;
}

/* Whether it was, and so is handed up once more; the next packet of this flow is searched for again. */
static bool vain_take(struct slow *slow, const struct flow_key *key)
{
	for (u32 i = 0; i < SLOW_VAIN; i++)
		if (!memcmp(&slow->vain[i], key, sizeof(*key))) {
			memset(&slow->vain[i], 0, sizeof(slow->vain[i]));
			return true;
		}
	return false;
}

static void refuse(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	g->slow->counts.refused++;
	if (g->dp.refusal)
		answer_error(g, event, frame, &(struct answer){.type = 3, .code = g->dp.refusal});
}

void search_packet(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	struct flow_half half;

	if (vain_take(g->slow, &event->key)) {
		refuse(g, event, frame);
		return;
	}
	if (!slow_pace_take(&g->slow->lookups, LOOKUPS)) {
		g->slow->counts.dropped++;
		return;
	}
	g->slow->counts.searched++;
	if (!found(g, event)) {
		refuse(g, event, frame);
	} else if (slow_run(g, frame, event->length, event->ifindex)) {
		g->slow->counts.dropped++;
		if (kernel_flow_get(g->kernel, &event->key, &half))
			vain_note(g->slow, &event->key);
	}
}
