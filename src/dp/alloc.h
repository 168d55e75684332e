/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alloc.h - choosing a port
 *
 * A port is taken by inserting a key that contains it, with no-exist semantics: the key of an in half takes it towards
 * one destination, a MAP_IN key takes it whole. Whether the insertion succeeds is the only truth; no two CPUs can get
 * the same.
 *
 *   the port that is wanted --taken--> what is noted of the destination --> a port that is free by that note
 *                                  (nothing is noted: note it from now on, and probe where the keyed hash says)
 *
 * The note (struct dest) is a bit for each port of the set, found in a few instructions however full it is. It may be
 * behind: then a probe fails, and its bit is set. When all bits are set or the probes are spent, the daemon looks at
 * every port, corrects the note, and says `full` in it if that is so; from then on a new flow is refused at once, until
 * the daemon takes a flow away. Sets over DEST_PORTS_MAX have no bits: the probes go round by the golden ratio, which
 * keeps any number of them apart, so that no reserved block swallows them all (Knuth, The Art of Computer Programming
 * 3, 6.4), and the daemon's find is in `hint`.
 */
#ifndef PORTICO_DP_ALLOC_H
#define PORTICO_DP_ALLOC_H

#include "csum.h"
#include "env.h"
#include "hash.h"
#include "pkt.h"
#include "portset.h"
#include "rare.h"

/* Upper bound on dp_config.probes: the verifier wants one. */
#define ALLOC_PROBES_MAX 16
#define ALLOC_STEP 0x9e3779b9u /* 2^32 / golden ratio */

/* The number of the lowest bit that is set; x is not 0. */
dp_fn u32 alloc_lowest(u64 x)
{
	u64 below = (x & -x) - 1; /* as many ones */

	below -= below >> 1 & 0x5555555555555555ULL;
	below = (below & 0x3333333333333333ULL) + (below >> 2 & 0x3333333333333333ULL);
	below = (below + (below >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (u32)(below * 0x0101010101010101ULL >> 56);
}

/* The first bit that is set at or behind bit `at`, going round. */
dp_fn u32 alloc_next(u64 x, u32 at)
{
	u64 turned = x >> (at & 63) | x << (-at & 63);

	return (alloc_lowest(turned) + at) & 63;
}

/* Index of a port that is free by the note, near index `at`; ALLOC_NONE where none is. */
dp_fn u32 alloc_free(struct dest *d, u32 at)
{
	u64 words = ~d->spent, bits;
	u32 w;

	if (!words)
		return ALLOC_NONE;
	w = alloc_next(words, at >> 6);
	dp_hide(w);
	w &= DEST_WORDS - 1;
	bits = ~d->taken[w];
	if (!bits) { /* another CPU took the last one, or noted it no further than this */
		d->spent |= 1ULL << w;
		return w << 6;
	}
	return w << 6 | alloc_next(bits, at);
}

dp_fn void alloc_note(struct dest *d, u32 index)
{
	u32 w = index >> 6;

	dp_hide(w);
	w &= DEST_WORDS - 1;
	d->taken[w] |= 1ULL << (index & 63);
	if (!~d->taken[w])
		d->spent |= 1ULL << w;
}

/* Where probe `i` looks. */
dp_fn u32 alloc_index(const struct dp_config *c, const struct alloc *a, struct dest *d, u32 i)
{
	u32 count = c->ports.count, at = (u32)((u64)(u32)(a->at + i * ALLOC_STEP) * count >> 32);

	if (!i && a->wanted < count)
		return a->wanted;
	if (!d)
		return at;
	if (count <= DEST_PORTS_MAX)
		return alloc_free(d, at);
	return i == 1 && d->hint ? d->hint - 1 : at;
}

/* Tries one port. REASON_NONE: it is ours; DROP_NO_PORT: it is not. */
dp_fn enum reason alloc_probe(struct env *e, const struct dp_config *c, struct alloc *a, u32 index)
{
	u16 port = portset_port(&c->ports, index);

	if (index >= c->ports.count || env_reserved(e, port))
		return REASON_DROP_NO_PORT;
	a->key.dport = be16_of(port);
	if (c->mode == MODE_NAT44 && env_local(e, &a->key))
		return REASON_DROP_NO_PORT;
	a->half.l4_delta = csum_fold(a->pseudo + csum_diff16(a->key.dport, a->inside));
	switch (env_flow_add(e, &a->key, &a->half)) {
	case ENV_OK:
		return REASON_NONE;
	case ENV_FULL:
		return REASON_DROP_TABLE_FULL;
	}
	return REASON_DROP_NO_PORT;
}

/* Takes a port: REASON_NONE, and it is a->key.dport. SLOW_NO_PORT: none was found, but there may be one; DROP_NO_PORT:
 * there is none. */
dp_fn enum reason alloc_port(struct env *e, const struct dp_config *c, struct alloc *a)
{
	int noted = c->ports.count <= DEST_PORTS_MAX;
	struct dest *d = noted ? env_dest_get(e, &a->dest) : (struct dest *)0;

	if (!c->ports.count)
		return REASON_DROP_NO_PORT;
	for (u32 i = 0; i < ALLOC_PROBES_MAX && i < a->probes; i++) {
		enum reason why;
		u32 index;

		if (d && d->full)
			return REASON_DROP_NO_PORT;
		index = alloc_index(c, a, d, i);
		if (index == ALLOC_NONE)
			break;
		why = alloc_probe(e, c, a, index);
		if (d && noted && why != REASON_DROP_TABLE_FULL)
			alloc_note(d, index);
		if (why != REASON_DROP_NO_PORT)
			return why;
		if (!d) {
			d = env_dest_make(e, &a->dest);
			if (d && noted)
				alloc_note(d, index);
		}
	}
	return REASON_SLOW_NO_PORT;
}

#endif
