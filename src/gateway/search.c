/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.c - a port for a flow that found none at once: all are looked at
 *
 * What is noted of the destination (abi/flow.h, struct dest) is written anew from the truth, which is the flow table.
 * If a port is free, the packet runs again and finds it; if none is, the note says so, and until the collector takes a
 * flow away the packet path refuses by itself. Only this process takes flows away, so the note cannot be wrong
 * meanwhile.
 */
#include <errno.h>

#include "dp/portset.h"
#include "lib/addr.h"
#include "slow.h"

#define SEARCHES 200 /* a second */

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

/* Writes the note anew; whether a port is free. */
static bool search(struct gateway *g, const struct dest_key *dest)
{
	const struct dp_portset *ports = &g->dp.ports;
	struct flow_half half;
	struct dest d;
	u32 unused = ports->count;

	ports_blank_make(g, &d);
	for (u32 i = 0; i < ports->count; i++) {
		u16 port = portset_port(ports, i);
		struct flow_key key = key_of(g, dest, port);

		if (g->conf.reserved[port >> 6] >> (port & 63) & 1)
			continue;
		if (!kernel_flow_get(g->kernel, &key, &half)) {
			if (ports->count <= DEST_PORTS_MAX)
				ports_note(&d, i, true);
			continue;
		}
		unused = i;
		if (ports->count > DEST_PORTS_MAX)
			break;
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

void search_packet(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	if (!slow_pace_take(&g->slow->searches, SEARCHES)) {
		g->slow->counts.dropped++;
		return;
	}
	g->slow->counts.searched++;
	if (!found(g, event)) {
		if (g->dp.refusal)
			answer_error(g, event, frame, &(struct answer){.type = 3, .code = g->dp.refusal});
		g->slow->counts.refused++;
	} else if (slow_run(g, frame, event->length, event->ifindex)) {
		g->slow->counts.dropped++;
	}
}
