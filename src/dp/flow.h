/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow.h - opening a flow: the port choice and the two halves
 *
 * Life of a flow (see abi/flow.h for its parts):
 *
 *   absent --(first packet out)--> in half inserted --> out half inserted --> open
 *   open --(packets, each way)--> open: each half notes what its own direction shows
 *   open --(idle, by the timers in engine/flow.c)--> out half removed --> in half removed --> absent
 *
 * Two CPUs may open one flow at once. Each takes a port of its own by inserting an in half; the second to insert the
 * out half finds it there, gives its port back and goes on with the winner's.
 */
#ifndef PORTICO_DP_FLOW_H
#define PORTICO_DP_FLOW_H

#include "csum.h"
#include "env.h"
#include "hash.h"
#include "nat44.h"
#include "pkt.h"
#include "portset.h"

/* Upper bound on dp_config.probes: the verifier wants one. */
#define FLOW_PROBES_MAX 16
#define FLOW_STEP 0x9e3779b9u /* 2^32 / golden ratio */

/* What an address that changes adds to the checksum behind the IPv4 header; ICMP's has no pseudo header: RFC 792. */
dp_fn u32 flow_pseudo_diff(u8 proto, be32 from, be32 to)
{
	return proto == PROTO_ICMP ? 0 : csum_diff32(from, to);
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

/* Takes a port by inserting the in half. The inside port is kept when it is free (RFC 6056 protects what chose it);
 * else probes start where the keyed hash of the flow says and go round the set by the golden ratio, which keeps any
 * number of them apart: no reserved block swallows them all (Knuth, The Art of Computer Programming 3, 6.4). */
dp_fn enum reason flow_take_port(struct env *e, const struct dp_config *c, const struct flow_key *out, u32 tick,
				 struct flow_key *in)
{
	u32 count = c->ports.count, at = hash_flow(out, c->secret);
	u32 pseudo = flow_pseudo_diff(out->proto, in->daddr, out->saddr);
	struct flow_half half = flow_half_make(out->proto, in->daddr, in->dport, out->saddr, out->sport, tick);
	u16 port = host16(out->sport);

	if (!count)
		return REASON_DROP_NO_PORT;
	for (u32 i = 0; i < FLOW_PROBES_MAX && i < c->probes; i++, at += FLOW_STEP) {
		int rc;

		if (i || !portset_has(&c->ports, port))
			port = portset_port(&c->ports, (u32)((u64)at * count >> 32));
		if (env_reserved(e, port))
			continue;
		in->dport = be16_of(port);
		if (env_local(e, in))
			continue;
		half.l4_delta = csum_fold(pseudo + csum_diff16(in->dport, out->sport));
		rc = env_flow_add(e, in, &half);
		if (rc == ENV_OK)
			return REASON_NONE;
		if (rc == ENV_FULL)
			return REASON_DROP_TABLE_FULL;
	}
	return REASON_DROP_NO_PORT;
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

/* Opens the flow of the packet in `m`, whose next hop has `index`, with this packet already counted in it. */
dp_fn enum reason flow_open(struct env *e, const struct dp_config *c, const struct meta *m, u16 index,
			    struct nat44 *nat)
{
	u32 tick = env_tick(e);
	struct flow_half out, *other;
	struct flow_key in;
	enum reason why;
	int rc;

	if (!c->wan_addr)
		return REASON_DROP_NO_ADDRESS;
	in = flow_key_in(&m->key, c->wan_addr, m->key.sport);
	why = flow_take_port(e, c, &m->key, tick, &in);
	if (why)
		return why;
	out = flow_half_make(m->key.proto, m->key.saddr, m->key.sport, in.daddr, in.dport, tick);
	out.nexthop = index;
	out.routes = c->routes;
	flow_touch(e, &out, m);
	*nat = nat44_of(&out);
	rc = env_flow_add(e, &m->key, &out);
	if (rc == ENV_OK)
		return REASON_NONE;
	env_flow_del(e, &in);
	other = rc == ENV_EXISTS ? env_flow_get(e, &m->key) : (struct flow_half *)0;
	if (!other)
		return REASON_DROP_TABLE_FULL;
	flow_touch(e, other, m);
	*nat = nat44_of(other);
	return REASON_NONE;
}

#endif
