/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow.h - opening a flow: its port, by the mapping policy, and the two halves
 *
 * Life of a flow (see abi/flow.h for its parts):
 *
 *   absent --(first packet out)--> in half inserted --> out half inserted --> open
 *   open --(packets, each way)--> open: each half notes what its own direction shows
 *   open --(idle, by the timers in engine/flow.c)--> out half removed --> in half removed --> absent
 *
 * Two CPUs may open one flow at once. Each takes a port of its own by inserting an in half; the second to insert the
 * out half finds it there, gives its port back and goes on with the winner's.
 *
 * Mapping (RFC 4787, 4.1):
 *
 *   endpoint-dependent    each flow takes a port for itself, the inside one if that is free
 *   shared                the first flow of an inside socket takes a port whole (MAP_IN), while there are any; all its
 * flows
 *                         want that port. Where ports are scarce, sockets share: each flow still has a port that is
 * free
 *                         towards its destination, mostly its socket's
 *   endpoint-independent  the socket's port is taken whole, and it gets no other
 *
 * What a socket's port is stands in its MAP_OUT entry; the daemon removes both when the socket has no flow left.
 */
#ifndef PORTICO_DP_FLOW_H
#define PORTICO_DP_FLOW_H

#include "alloc.h"
#include "nat44.h"
#include "step.h"

/* What an address that changes adds to the checksum behind the IPv4 header; those of ICMP and SCTP have no pseudo
 * header (RFC 792; RFC 9260, 6.8). */
dp_fn u32 flow_pseudo_diff(u8 proto, be32 from, be32 to)
{
	return proto == PROTO_ICMP || proto == PROTO_SCTP ? 0 : csum_diff32(from, to);
}

/* The half that turns (addr, port) `from` into `to` for packets of protocol `proto`. */
dp_fn struct flow_half flow_half_make(u8 proto, be32 from, be16 fport, be32 to, be16 tport, u32 tick)
{
	return (struct flow_half){
		.addr = to,
		.port = tport,
		.ip_delta = csum_fold(csum_diff32(from, to) + csum_diff_ttl()),
		.l4_delta = csum_fold(flow_pseudo_diff(proto, from, to) + csum_diff16(fport, tport)),
		.last = tick,
	};
}

/* Key of the in half of the flow that `out` opens when it is seen outside as addr:port. */
dp_fn struct flow_key flow_key_in(const struct flow_key *out, be32 addr, be16 port)
{
	return (struct flow_key){
		.saddr = out->daddr,
		.daddr = addr,
		.sport = out->dport,
		.dport = port,
		.proto = out->proto,
		.dir = FLOW_IN,
		.zone = out->zone,
	};
}

/* Key of what all flows of an inside socket have in common. */
dp_fn struct flow_key flow_key_socket(be32 addr, be16 port, u8 proto)
{
	return (struct flow_key){.saddr = addr, .sport = port, .proto = proto, .dir = MAP_OUT};
}

/* What a new flow asks of alloc_port(). */
dp_fn void flow_alloc(const struct dp_config *c, const struct flow_key *out, u32 tick, struct alloc *a)
{
	*a = (struct alloc){
		.key = flow_key_in(out, c->wan_addr, be16_of(0)),
		.half = flow_half_make(out->proto, c->wan_addr, be16_of(0), out->saddr, out->sport, tick),
		.dest = {.daddr = out->daddr, .dport = out->dport, .proto = out->proto},
		.pseudo = flow_pseudo_diff(out->proto, c->wan_addr, out->saddr),
		.inside = out->sport,
		.wanted = portset_index(&c->ports, host16(out->sport)),
		.probes = c->probes,
	};
}

/* Notes which port the inside socket of a flow has, unless that is known already. */
dp_fn void flow_map_note(struct env *e, const struct dp_config *c, const struct alloc *flow, be16 port)
{
	struct flow_key socket = flow_key_socket(flow->half.addr, flow->half.port, flow->key.proto);
	struct flow_half out = {.addr = c->wan_addr, .port = port, .last = flow->half.last};

	env_flow_add(e, &socket, &out);
}

/* The port that an inside socket has, taken whole if it has none yet: an index, or ALLOC_NONE with *why set. */
dp_fn u32 flow_map(struct env *e, const struct dp_config *c, const struct alloc *flow, struct alloc *a,
		   enum reason *why)
{
	struct flow_key socket = flow_key_socket(flow->half.addr, flow->half.port, flow->key.proto);
	struct flow_half *known = env_flow_get(e, &socket);

	*why = REASON_NONE;
	if (known) {
		known->last = flow->half.last; /* it has a flow again: the collector is to leave it */
		return portset_index(&c->ports, host16(known->port));
	}
	*a = *flow;
	a->key.saddr = 0;
	a->key.sport = be16_of(0);
	a->key.dir = MAP_IN;
	a->dest.daddr = 0;
	a->dest.dport = be16_of(0);
	*why = alloc_port(e, c, a);
	if (*why)
		return ALLOC_NONE;
	flow_map_note(e, c, flow, a->key.dport);
	known = env_flow_get(e, &socket);
	if (known && known->port == a->key.dport)
		return portset_index(&c->ports, host16(a->key.dport));
	env_flow_del(e, &a->key);
	if (known) /* another CPU was first: its port is the socket's */
		return portset_index(&c->ports, host16(known->port));
	*why = REASON_DROP_TABLE_FULL;
	return ALLOC_NONE;
}

/* How many ports the host holds towards this destination (RFC 6888, REQ-4); NULL where nobody counts them. */
dp_fn u32 *flow_held(struct env *e, const struct dp_config *c, const struct alloc *a, be32 host)
{
	struct share_key key = {.host = host, .dest = a->dest};

	return c->share && c->ports.count <= DEST_PORTS_MAX ? env_share(e, &key) : (u32 *)0;
}

/* The first two probes of alloc_port(): the inside port, and the one where the flow's hash says. Nearly always one of
 * them is free. */
dp_fn enum reason flow_take_usual(struct env *e, const struct dp_config *c, const struct flow_key *out, struct alloc *a)
{
	u32 first = a->wanted >= c->ports.count;
	enum reason why;

	if (!first) {
		why = alloc_probe(e, c, a, a->wanted);
		if (why != REASON_DROP_NO_PORT)
			return why;
	}
	a->at = hash_flow(out, c->secret);
	why = alloc_probe(e, c, a, alloc_index(c, a, (struct dest *)0, !first));
	return why == REASON_DROP_NO_PORT ? STEP_RARE : why;
}

/* Takes a port for the flow `out`, inserting its in half. */
dp_fn enum reason flow_take(struct env *e, const struct dp_config *c, const struct flow_key *out, struct alloc *a,
			    struct alloc *socket_alloc)
{
	enum reason why = REASON_NONE;
	u32 *held;

	if (!c->mapping) {
		a->at = hash_flow(out, c->secret);
	} else {
		struct flow_key socket = flow_key_socket(out->saddr, out->sport, out->proto);

		a->at = hash_flow(&socket, c->secret);
		a->wanted = flow_map(e, c, a, socket_alloc, &why);
		if (c->mapping == MAPPING_ENDPOINT_INDEPENDENT) {
			if (why)
				return why;
			a->probes = 1;
		}
		if (why == REASON_DROP_TABLE_FULL)
			return why;
	}
	held = flow_held(e, c, a, out->saddr);
	if (held && *held >= c->share)
		return REASON_DROP_SHARE;
	why = alloc_port(e, c, a);
	held = why ? (u32 *)0 : flow_held(e, c, a, out->saddr); /* only what it got counts */
	if (held)
		*held += 1;
	return why;
}

/* Notes one packet in its half. A SYN starts the direction's history anew. RST keeps no flow alive, and counts only
 * until its sender sends something else, as the sender of a true one does not (RFC 7857, 2.2). */
dp_fn void flow_touch(struct env *e, struct flow_half *half, const struct meta *m)
{
	half->packets++;
	half->bytes += m->length;
	if (m->key.proto == PROTO_TCP) {
		u8 flags = m->tcp_flags & (SEEN_FIN | SEEN_SYN | SEEN_RST | SEEN_ACK);
		u8 seen = flags & SEEN_SYN ? flags : (u8)((half->seen & ~SEEN_RST) | flags);

		if (seen != half->seen)
			half->seen = seen;
		if (flags & SEEN_RST)
			return;
	}
	half->last = env_tick(e);
}

/* The out half of a flow whose in half is there by `a`. */
dp_fn struct flow_half flow_half_out(const struct dp_config *c, const struct flow_key *out, const struct alloc *a)
{
	struct flow_half half =
		flow_half_make(out->proto, out->saddr, out->sport, a->key.daddr, a->key.dport, a->half.last);

	half.routes = c->routes;
	return half;
}

/* Opens the flow of the packet in `m`, with this packet already counted in it, where that is simple: STEP_RARE where it
 * is not. */
dp_fn enum reason flow_open(struct env *e, const struct dp_config *c, const struct meta *m, u16 nexthop,
			    struct nat44 *nat)
{
	struct flow_half half, *other;
	struct alloc a;
	enum reason why;
	int rc;

	if (!c->wan_addr)
		return REASON_DROP_NO_ADDRESS;
	if (c->mapping || c->ports.count <= DEST_PORTS_MAX)
		return STEP_RARE;
	flow_alloc(c, &m->key, env_tick(e), &a);
	why = flow_take_usual(e, c, &m->key, &a);
	if (why)
		return why;
	half = flow_half_out(c, &m->key, &a);
	half.nexthop = nexthop;
	flow_touch(e, &half, m);
	*nat = nat44_of(&half);
	rc = env_flow_add(e, &m->key, &half);
	if (rc == ENV_OK)
		return REASON_NONE;
	env_flow_del(e, &a.key);
	other = rc == ENV_EXISTS ? env_flow_get(e, &m->key) : (struct flow_half *)0;
	if (!other)
		return REASON_DROP_TABLE_FULL;
	flow_touch(e, other, m);
	*nat = nat44_of(other);
	return REASON_NONE;
}

/* Key of what all flows through an external port have in common, or, with `peer`, those with one outside address. */
dp_fn struct flow_key flow_key_port(const struct flow_key *in, be32 peer)
{
	return (struct flow_key){
		.saddr = peer,
		.daddr = in->daddr,
		.dport = in->dport,
		.proto = in->proto,
		.dir = peer ? MAP_PEER : MAP_IN,
	};
}

/* Whether a packet from outside that is of no flow may open one (RFC 4787, REQ-8): its port is one socket's alone, and
 * the filter lets everybody in, or those whom that socket has spoken to. Never an ICMP error or a fragment without
 * ports, which have no such key. */
dp_fn int flow_admits(struct env *e, const struct dp_config *c, const struct flow_key *in)
{
	struct flow_key port = flow_key_port(in, 0), peer = flow_key_port(in, in->saddr);

	if (!c->filtering || in->dir != FLOW_IN || !env_flow_get(e, &port))
		return 0;
	return c->filtering == FILTERING_ENDPOINT_INDEPENDENT || env_flow_get(e, &peer);
}

/* Where outside addresses are filtered by: notes that the flow with in key `in` has one. */
dp_fn void flow_peer_note(struct env *e, const struct dp_config *c, const struct flow_key *in, u32 tick)
{
	struct flow_key peer = flow_key_port(in, in->saddr);
	struct flow_half half = {.addr = in->daddr, .port = in->dport, .last = tick}, *known;

	if (c->filtering != FILTERING_ADDRESS || env_flow_add(e, &peer, &half) != ENV_EXISTS)
		return;
	known = env_flow_get(e, &peer);
	if (known)
		known->last = tick;
}

/* Opens the flow of a packet from outside that flow_admits() lets in. */
dp_fn enum reason flow_admit(struct env *e, const struct flow_key *in)
{
	struct flow_key port = flow_key_port(in, 0), out;
	const struct flow_half *socket = env_flow_get(e, &port);
	u32 tick = env_tick(e);
	struct flow_half half;
	int rc;

	if (!socket)
		return REASON_DROP_NO_FLOW;
	out = (struct flow_key){
		.saddr = socket->addr,
		.daddr = in->saddr,
		.sport = socket->port,
		.dport = in->sport,
		.proto = in->proto,
		.dir = FLOW_OUT,
	};
	half = flow_half_make(in->proto, in->daddr, in->dport, out.saddr, out.sport, tick);
	rc = env_flow_add(e, in, &half);
	if (rc)
		return rc == ENV_EXISTS ? REASON_NONE : REASON_DROP_TABLE_FULL;
	half = flow_half_make(in->proto, out.saddr, out.sport, in->daddr, in->dport, tick);
	rc = env_flow_add(e, &out, &half); /* no next hop yet: routes is older than any */
	if (rc == ENV_OK)
		return REASON_NONE;
	env_flow_del(e, in);
	return REASON_DROP_TABLE_FULL;
}

/* Opens the flow of the packet in `r`; it is not counted in it yet. */
dp_fn enum reason flow_claim(struct env *e, const struct dp_config *c, struct rare *r)
{
	const struct flow_key *out = &r->m.key;
	struct flow_half half;
	enum reason why;
	int rc;

	if (out->dir == FLOW_IN)
		return flow_admit(e, out);
	if (!c->wan_addr)
		return REASON_DROP_NO_ADDRESS;
	flow_alloc(c, out, env_tick(e), &r->flow);
	why = flow_take(e, c, out, &r->flow, &r->socket);
	if (why)
		return why;
	if (c->mapping == MAPPING_SHARED && r->flow.wanted == ALLOC_NONE)
		flow_map_note(e, c, &r->flow, r->flow.key.dport);
	half = flow_half_out(c, out, &r->flow);
	half.nexthop = r->nexthop;
	half.tunnel = r->tunnel;
	rc = env_flow_add(e, out, &half);
	if (rc == ENV_OK) {
		flow_peer_note(e, c, &r->flow.key, r->flow.half.last);
		return REASON_NONE;
	}
	env_flow_del(e, &r->flow.key);
	return rc == ENV_EXISTS ? REASON_NONE : REASON_DROP_TABLE_FULL;
}

#endif
