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
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gateway.h"
#include "lib/clock.h"
#include "lib/log.h"

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
	int packet; /* AF_PACKET */
	struct hold_counts counts;
	struct held held[HOLD_PACKETS];
};

static void drop(struct held *h)
{
	free(h->frame);
	h->frame = NULL;
}

/* Runs a held frame through the packet path and sends what comes out. */
static void send_on(struct gateway *g, struct held *h, const struct nexthop *hop)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)hop->ifindex, .sll_halen = 6};
	struct hold *hold = g->hold;
	struct kernel_result result;
	int rc;

	memcpy(to.sll_addr, hop->dmac, sizeof(hop->dmac));
	rc = kernel_run(g->kernel, h->frame, h->length, h->ifindex, &result);
	if (!rc && (result.action == XDP_TX || result.action == XDP_REDIRECT) &&
	    sendto(hold->packet, result.frame, result.length, 0, (struct sockaddr *)&to, sizeof(to)) >= 0)
		hold->counts.sent++;
	else
		hold->counts.dropped++;
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

static void handed_up(void *gateway, const struct dp_event *event, const u8 *frame)
{
	struct gateway *g = gateway;
	struct hold *hold = g->hold;
	const struct nexthop *hop = neigh_find(g, &event->neighbour);
	struct held *h;
	bool waiting;

	hold->counts.received++;
	h = place(hold, &event->neighbour, &waiting);
	if (h && h->frame) {
		drop(h);
		hold->counts.dropped++;
	}
	if (!h || !(h->frame = malloc(event->length))) {
		hold->counts.dropped++;
		return;
	}
	memcpy(h->frame, frame, event->length);
	h->length = event->length;
	h->key = event->neighbour;
	h->ifindex = event->ifindex;
	h->since = clock_seconds();
	h->order = hold->counts.received;
	hold->counts.held++;
	if (hop)
		send_on(g, h, hop); /* it was resolved in the meantime */
	else if (!waiting)
		neigh_resolve(g, &event->neighbour);
}

int hold_init(struct gateway *g, struct err *err)
{
	struct hold *hold = calloc(1, sizeof(*hold));

	if (!hold)
		return err_set(err, -ENOMEM, "out of memory");
	g->hold = hold;
	hold->packet = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (hold->packet < 0)
		return err_set(err, -errno, "opening a packet socket: %s", strerror(errno));
	return kernel_events_open(g->kernel, handed_up, g, err);
}

void hold_exit(struct gateway *g)
{
	if (!g->hold)
		return;
	for (int i = 0; i < HOLD_PACKETS; i++)
		drop(&g->hold->held[i]);
	if (g->hold->packet >= 0)
		close(g->hold->packet);
	free(g->hold);
	g->hold = NULL;
}

void hold_read(struct gateway *g)
{
	kernel_events_read(g->kernel);
}

/* The neighbour `hop` is valid now. Oldest first, as they came. */
void hold_release(struct gateway *g, const struct neighbour_key *key, const struct nexthop *hop)
{
	if (!g->hold)
		return;
	for (;;) {
		struct held *first = NULL;

		for (struct held *h = g->hold->held; h < g->hold->held + HOLD_PACKETS; h++)
			if (h->frame && same_neighbour(&h->key, key) && (!first || h->order < first->order))
				first = h;
		if (!first)
			return;
		send_on(g, first, hop);
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

	for (struct held *h = g->hold->held; h < g->hold->held + HOLD_PACKETS; h++) {
		if (!h->frame)
			continue;
		if (now - h->since > HOLD_SECONDS) {
			drop(h);
			g->hold->counts.dropped++;
		} else if (first_place(g->hold, h)) {
			neigh_resolve(g, &h->key);
		}
	}
}

struct hold_counts hold_counts(const struct gateway *g)
{
	return g->hold->counts;
}
