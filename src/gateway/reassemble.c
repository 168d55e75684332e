/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reassemble.c - IPv6 fragments to the tunnel's end, put together (RFC 8200, 4.5)
 *
 *   | Ethernet | IPv6 | fragment: next, offset, more, id | part |
 *
 *   absent --(any fragment)--> collecting --(all parts there)--> run again as one packet, or cut up first
 *   collecting --(REASSEMBLE_SECONDS; an overlap, RFC 5722; too large)--> absent
 *
 * An overlap throws the datagram away, and what follows of it makes a new one that never becomes whole. Bounded:
 * REASSEMBLE_MAX datagrams, the oldest goes first. A datagram is whole when its parts add up to its length, since no
 * two of them overlap. RFC 8200 allows 60 seconds; what has not come within a few is not coming, and room is scarce.
 */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "slow.h"

#define REASSEMBLE_MAX 32
#define REASSEMBLE_SECONDS 10
#define PARTS_MAX 64
#define FRAGMENT 8     /* bytes of the header */
#define WHOLE_MAX 9216 /* bytes of an IPv4 packet: a jumbo frame's */
#define RUN_MAX 3400   /* bytes of a frame that the packet path is run on */

struct part {
	u32 from, to;
};

struct datagram {
	u8 ends[32]; /* source and destination */
	u8 id[4];
	u32 l3;
	u32 ifindex;
	u64 since; /* ns */
	u32 total; /* 0: the last part is not there yet */
	u32 have;
	u32 nparts;
	struct part parts[PARTS_MAX];
	u8 *frame; /* lower headers, IPv6, data; NULL: free */
};

struct reassemble {
	struct datagram datagram[REASSEMBLE_MAX];
};

int reassemble_init(struct gateway *g)
{
	g->slow->reassemble = calloc(1, sizeof(*g->slow->reassemble));
	return g->slow->reassemble ? 0 : -1;
}

static void forget(struct datagram *d)
{
	free(d->frame);
	memset(d, 0, sizeof(*d));
}

void reassemble_exit(struct gateway *g)
{
	if (!g->slow->reassemble)
		return;
	for (int i = 0; i < REASSEMBLE_MAX; i++)
		forget(&g->slow->reassemble->datagram[i]);
	free(g->slow->reassemble);
	g->slow->reassemble = NULL;
}

/* The datagram of a fragment, or the place for it. */
static struct datagram *find(struct gateway *g, const u8 *ip6)
{
	struct datagram *oldest = g->slow->reassemble->datagram, *d = oldest;
	u64 now = clock_ns();

	for (; d < g->slow->reassemble->datagram + REASSEMBLE_MAX; d++) {
		if (d->frame && now - d->since > REASSEMBLE_SECONDS * 1000000000ULL) {
			forget(d);
			g->slow->counts.dropped++;
		}
		if (d->frame && !memcmp(d->ends, ip6 + 8, 32) && !memcmp(d->id, ip6 + SLOW_IPV6 + 4, 4))
			return d;
		if (d->since < oldest->since)
			oldest = d;
	}
	if (oldest->frame)
		g->slow->counts.dropped++;
	forget(oldest);
	return oldest;
}

static int begin(struct datagram *d, const struct dp_event *event, const u8 *frame, u32 l3)
{
	const u8 *ip6 = frame + l3;

	d->frame = malloc(l3 + SLOW_IPV6 + WHOLE_MAX);
	if (!d->frame)
		return -1;
	memcpy(d->frame, frame, l3 + SLOW_IPV6);
	memcpy(d->ends, ip6 + 8, sizeof(d->ends));
	memcpy(d->id, ip6 + SLOW_IPV6 + 4, sizeof(d->id));
	d->frame[l3 + 6] = IPPROTO_IPIP;
	d->l3 = l3;
	d->ifindex = event->ifindex;
	d->since = clock_ns();
	return 0;
}

/* Takes a part in; not 0 where the datagram cannot be right any more. */
static int part_add(struct datagram *d, const u8 *data, u32 from, u32 size, bool last)
{
	struct part p = {from, from + size};

	if (p.to > WHOLE_MAX || d->nparts == PARTS_MAX || (!last && size % 8) || (d->total && p.to > d->total) ||
	    (last && d->total && d->total != p.to))
		return -1;
	for (u32 i = 0; i < d->nparts; i++)
		if (p.from < d->parts[i].to && d->parts[i].from < p.to)
			return -1;
	for (u32 i = 0; last && i < d->nparts; i++)
		if (d->parts[i].to > p.to)
			return -1;
	memcpy(d->frame + d->l3 + SLOW_IPV6 + from, data, size);
	d->parts[d->nparts++] = p;
	d->have += size;
	if (last)
		d->total = p.to;
	return 0;
}

/* The whole packet, as if it had come in one piece. One that is larger than what the packet path can be run on is cut
 * up first, as it would have to be behind it (RFC 2473, 7.2). */
static void whole(struct gateway *g, struct datagram *d)
{
	u32 length = d->l3 + SLOW_IPV6 + d->total;
	struct dp_event event = {.ifindex = d->ifindex, .length = length, .mtu = g->tunnel.mtu - SLOW_IPV6};
	struct slow_view v;

	d->frame[d->l3 + 4] = (u8)(d->total >> 8);
	d->frame[d->l3 + 5] = (u8)d->total;
	g->slow->counts.reassembled++;
	if (length <= RUN_MAX) {
		if (slow_run(g, d->frame, length, d->ifindex))
			g->slow->counts.dropped++;
	} else if (slow_view(d->frame, length, &v) || v.df) {
		g->slow->counts.dropped++;
	} else {
		cut(g, &event, d->frame, event.mtu);
	}
}

void reassemble_packet(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	u32 l3 = frame[12] == 0x81 ? 18 : 14, payload, offset;
	const u8 *ip6 = frame + l3, *fragment = ip6 + SLOW_IPV6;
	struct datagram *d;

	if (event->length < l3 + SLOW_IPV6 + FRAGMENT) {
		g->slow->counts.dropped++;
		return;
	}
	payload = (u32)ip6[4] << 8 | ip6[5];
	if (payload < FRAGMENT || event->length < l3 + SLOW_IPV6 + payload || fragment[0] != IPPROTO_IPIP) {
		g->slow->counts.dropped++;
		return;
	}
	d = find(g, ip6);
	if (!d->frame && begin(d, event, frame, l3)) {
		g->slow->counts.dropped++;
		return;
	}
	offset = ((u32)fragment[2] << 8 | fragment[3]) & 0xfff8;
	if (part_add(d, fragment + FRAGMENT, offset, payload - FRAGMENT, !(fragment[3] & 1))) {
		g->slow->counts.dropped++;
		forget(d);
		return;
	}
	if (d->total && d->have == d->total) {
		whole(g, d);
		forget(d);
	}
}
