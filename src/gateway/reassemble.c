/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reassemble.c - IPv6 fragments to the tunnel's end, put together (RFC 8200, 4.5)
 *
 *   | Ethernet | IPv6 | fragment: next, offset, more, id | part |
 *
 *   absent --(any fragment)--> collecting --(all parts there)--> run again as one packet, or cut up first
 *   collecting --(REASSEMBLE_SECONDS; an overlap, RFC 5722; too large)--> absent
 *
 * An overlap throws the datagram away, and what follows of it makes a new one that never becomes whole; a part that has
 * come before is left out (RFC 8200, 4.5). A fragment that is all stands for itself (RFC 6946). Bounded: REASSEMBLE_MAX
 * datagrams, the oldest goes first. A datagram is whole when its parts add up to its length, since no two of them
 * overlap. RFC 8200 allows 60 seconds; what has not come within a few is not coming, and room is scarce.
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
#define ECN_CE 0x30    /* in the second byte of an IPv6 header */

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
	d->l3 = l3;
	d->ifindex = event->ifindex;
	d->since = clock_ns();
	return 0;
}

static bool has(const struct datagram *d, struct part p)
{
	for (u32 i = 0; i < d->nparts; i++)
		if (d->parts[i].from == p.from && d->parts[i].to == p.to)
			return true;
	return false;
}

/* Takes a part in; not 0 where the datagram cannot be right any more. */
static int part_add(struct datagram *d, const u8 *data, struct part p, bool last)
{
	u32 size = p.to - p.from;

	if (p.to > WHOLE_MAX || d->nparts == PARTS_MAX || (!last && size % 8) || (d->total && p.to > d->total) ||
	    (last && d->total && d->total != p.to))
		return -1;
	for (u32 i = 0; i < d->nparts; i++)
		if (p.from < d->parts[i].to && d->parts[i].from < p.to)
			return -1;
	for (u32 i = 0; last && i < d->nparts; i++)
		if (d->parts[i].to > p.to)
			return -1;
	memcpy(d->frame + d->l3 + SLOW_IPV6 + p.from, data, size);
	d->parts[d->nparts++] = p;
	d->have += size;
	if (last)
		d->total = p.to;
	return 0;
}

/* The sender of a packet that may not be cut is told what can go on: what fits its next link, and here. */
static void too_big(struct gateway *g, struct dp_event *event, const u8 *frame, const struct slow_view *v)
{
	u32 port = slow_port(g, g->conf.kind == MODE_CE ? ROLE_LAN : ROLE_WAN), most = RUN_MAX - v->ip;
	struct answer answer = {.type = 3, .code = 4, .mtu = most};

	if (port < g->dp.nports && g->dp.port[port].mtu < most)
		answer.mtu = g->dp.port[port].mtu;
	if (slow_key(frame + v->ip, v->length, false, &event->key))
		g->slow->counts.dropped++;
	else
		answer_error(g, event, frame, &answer);
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
	} else if (slow_view(d->frame, length, &v)) {
		g->slow->counts.dropped++;
	} else if (v.df) {
		too_big(g, &event, d->frame, &v);
	} else {
		cut(g, &event, d->frame, event.mtu);
	}
}

/* Puts a part where it belongs; not 0 where it, and with it the datagram, cannot be right. */
static int take(struct datagram *d, const u8 *ip6, u32 size)
{
	const u8 *fragment = ip6 + SLOW_IPV6;
	u32 from = ((u32)fragment[2] << 8 | fragment[3]) & 0xfff8;
	struct part p = {from, from + size};

	if (has(d, p))
		return 0;
	if (!from)
		d->frame[d->l3 + 6] = fragment[0]; /* of the first alone it counts: RFC 8200, 4.5 */
	if ((ip6[1] & ECN_CE) == ECN_CE)
		d->frame[d->l3 + 1] |= ECN_CE; /* RFC 3168, 5.3 */
	return part_add(d, fragment + FRAGMENT, p, !(fragment[3] & 1));
}

/* Whether an IPv4 packet can be behind this fragment header: at once, or behind the options in which tunnels put their
 * encapsulation limit (RFC 2473, 4.1.1). */
static bool is_ours(const u8 *fragment)
{
	return fragment[0] == IPPROTO_IPIP || fragment[0] == IPPROTO_DSTOPTS;
}

static bool is_atomic(const u8 *fragment)
{
	return !fragment[2] && !(fragment[3] & 0xf9);
}

/* A fragment whose headers are there, with `size` bytes behind them. Whether it was right. */
static bool fragment_add(struct gateway *g, const struct dp_event *event, const u8 *frame, u32 size)
{
	u32 l3 = (u32)(frame[12] == 0x81 ? 18 : 14);
	const u8 *ip6 = frame + l3;
	struct datagram alone = {0}, *d = is_atomic(ip6 + SLOW_IPV6) ? &alone : find(g, ip6);
	bool right;

	if (!d->frame && begin(d, event, frame, l3))
		return false;
	right = !take(d, ip6, size);
	if (right && d->total && d->have == d->total)
		whole(g, d);
	else if (right && d != &alone)
		return true;
	forget(d);
	return right;
}

void reassemble_packet(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	u32 l3 = frame[12] == 0x81 ? 18 : 14, head = l3 + SLOW_IPV6 + FRAGMENT, payload;

	if (event->length < head || !is_ours(frame + l3 + SLOW_IPV6)) {
		g->slow->counts.dropped++;
		return;
	}
	payload = (u32)frame[l3 + 4] << 8 | frame[l3 + 5];
	if (payload < FRAGMENT || event->length < l3 + SLOW_IPV6 + payload ||
	    !fragment_add(g, event, frame, payload - FRAGMENT))
		g->slow->counts.dropped++;
}
