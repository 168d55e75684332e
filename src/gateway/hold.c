/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hold.c - packets that wait for a neighbour
 *
 * The packet path hands up a packet whose next hop has no link-layer address (RFC 1122, 2.3.2.2: keep at least one).
 * It is kept as it came; the kernel resolves the neighbour; then the packet runs through the packet path again, which
 * now translates it, and is sent from here.
 *
 *   handed up --> held --(neighbour valid)--> run again, sent
 *                   |----(HOLD_SECONDS)-----> dropped
 *
 * Bounded: HOLD_PACKETS in all, HOLD_EACH a neighbour, the oldest of the neighbour goes first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "slow.h"

#define HOLD_PACKETS 256
#define HOLD_EACH 8
#define HOLD_SECONDS 3

struct held {
	struct neighbour_key key; /* of whom it waits for */
	u32 ifindex;		  /* where it came in */
	time_t since;
	u64 order; /* of arrival */
	u32 length;
	u8 *frame; /* NULL: free */
};

struct hold {
	u64 order;
	struct held held[HOLD_PACKETS];
};

static void drop(struct held *h)
{
	free(h->frame);
	h->frame = NULL;
}

/* Runs a held frame through the packet path and sends what comes out. */
static void send_on(struct gateway *g, struct held *h)
{
	if (slow_run(g, h->frame, h->length, h->ifindex))
		g->slow->counts.dropped++;
	drop(h);
}

static bool same_neighbour(const struct neighbour_key *a, const struct neighbour_key *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* The place for a new packet to this neighbour: a free one, or that of the oldest it may replace. */
static struct held *place(struct hold *hold, const struct neighbour_key *key, bool *waiting)
{
	struct held *unused = NULL, *oldest = NULL;
	unsigned int same = 0;

	for (struct held *h = hold->held; h < hold->held + HOLD_PACKETS; h++) {
		if (!h->frame) {
			unused = unused ? unused : h;
		} else if (same_neighbour(&h->key, key)) {
			same++;
			if (!oldest || h->order < oldest->order)
				oldest = h;
		}
	}
	*waiting = same != 0;
	return same >= HOLD_EACH || !unused ? oldest : unused;
}

void hold_packet(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	struct hold *hold = g->slow->hold;
	const struct nexthop *hop = neigh_find(g, &event->neighbour);
	struct held *h;
	bool waiting;

	h = place(hold, &event->neighbour, &waiting);
	if (h && h->frame) {
		drop(h);
		g->slow->counts.dropped++;
	}
	if (!h || !(h->frame = malloc(event->length))) {
		g->slow->counts.dropped++;
		return;
	}
	memcpy(h->frame, frame, event->length);
	h->length = event->length;
	h->key = event->neighbour;
	h->ifindex = event->ifindex;
	h->since = clock_seconds();
	h->order = hold->order++;
	g->slow->counts.held++;
	if (hop)
		send_on(g, h); /* it was resolved in the meantime */
	else if (!waiting)
		neigh_resolve(g, &event->neighbour);
}

int hold_init(struct gateway *g)
{
	g->slow->hold = calloc(1, sizeof(*g->slow->hold));
	return g->slow->hold ? 0 : -ENOMEM;
}

void hold_exit(struct gateway *g)
{
	if (!g->slow->hold)
		return;
	for (int i = 0; i < HOLD_PACKETS; i++)
		drop(&g->slow->hold->held[i]);
	free(g->slow->hold);
	g->slow->hold = NULL;
}

/* The neighbour is valid now. Oldest first, as they came. */
void hold_release(struct gateway *g, const struct neighbour_key *key)
{
	if (!g->slow)
		return;
	for (;;) {
		struct held *first = NULL;

		for (struct held *h = g->slow->hold->held; h < g->slow->hold->held + HOLD_PACKETS; h++)
			if (h->frame && same_neighbour(&h->key, key) && (!first || h->order < first->order))
				first = h;
		if (!first)
			return;
		send_on(g, first);
	}
}

/* Whether no packet in a place before `h` waits for the same neighbour. */
static bool first_place(const struct hold *hold, const struct held *h)
{
	for (const struct held *other = hold->held; other < h; other++)
		if (other->frame && same_neighbour(&other->key, &h->key))
			return false;
	return true;
}

/* Each second. The kernel gives a neighbour up after a few questions; as long as packets wait it is asked again. */
void hold_age(struct gateway *g)
{
	time_t now = clock_seconds();

	for (struct held *h = g->slow->hold->held; h < g->slow->hold->held + HOLD_PACKETS; h++) {
		if (!h->frame)
			continue;
		if (now - h->since > HOLD_SECONDS) {
			drop(h);
			g->slow->counts.dropped++;
		} else if (first_place(g->slow->hold, h)) {
			neigh_resolve(g, &h->key);
		}
	}
}
