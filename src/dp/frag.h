/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frag.h - fragments: the later ones of a datagram have the ports of the first
 *
 *   first fragment --> ports noted under (source, destination, identification, protocol, direction)
 *   later fragment --> ports found there: goes the way of the first, with nothing but its addresses changed
 *                 `--> not found: before its first, or that never came; the daemon keeps it a while
 *
 * What is noted is bounded in number by the table, which forgets the least recently used, and in time by FRAG_SECONDS
 * (RFC 4787, REQ-14). Only the packet as it came in counts: translated or not, so order and CPU do not matter.
 */
#ifndef PORTICO_DP_FRAG_H
#define PORTICO_DP_FRAG_H

#include "env.h"
#include "pkt.h"

dp_fn struct frag_key frag_key_of(const struct meta *m)
{
	return (struct frag_key){
		.saddr = m->key.saddr,
		.daddr = m->key.daddr,
		.id = m->id,
		.proto = m->key.proto,
		.dir = m->key.dir,
	};
}

/* Behind the ports of a first fragment. */
dp_fn void frag_note(struct env *e, const struct meta *m)
{
	struct frag_key key = frag_key_of(m);
	struct frag frag = {.sport = m->key.sport, .dport = m->key.dport, .last = env_tick(e)};

	env_frag_put(e, &key, &frag);
}

/* Sets key.sport and dport of a later fragment, or opaque. */
dp_fn void frag_find(struct env *e, struct meta *m)
{
	struct frag_key key = frag_key_of(m);
	const struct frag *frag = env_frag_get(e, &key);

	if (!frag || env_tick(e) - frag->last > TICKS_OF_SECONDS(FRAG_SECONDS)) {
		m->opaque = REASON_SLOW_FRAGMENT;
		return;
	}
	m->key.sport = frag->sport;
	m->key.dport = frag->dport;
}

#endif
