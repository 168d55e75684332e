/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait.c - fragments that came before the first of their datagram (RFC 4787, REQ-14)
 *
 *   handed up --> kept --(the packet path has noted the first)--> run again, sent
 *                   `----(WAIT_MS)-----------------------------> dropped
 *
 * The packet path notes the ports of every first fragment in a table; while anything is kept, that is looked at each
 * LOOK_MS. Bounded: WAIT_PACKETS in all, WAIT_EACH of a datagram, so that nobody can keep the others out.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "lib/clock.h"
#include "slow.h"

#define WAIT_PACKETS 256
#define WAIT_EACH 48 /* a datagram of 65,535 bytes in packets of 1,500 has 45 */
#define WAIT_MS 2000
#define LOOK_MS 5
#define NS_PER_MS 1000000ULL

struct kept {
	struct frag_key key;
	u32 ifindex;
	u32 length;
	u64 since; /* ns */
	u64 order;
	u8 *frame; /* NULL: free */
};

struct wait {
	int timer;
	u32 count;
	u64 order;
	struct kept kept[WAIT_PACKETS];
};

int wait_init(struct gateway *g)
{
	struct wait *w = calloc(1, sizeof(*w));

	if (!w)
		return -1;
	g->slow->wait = w;
	w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return w->timer < 0 ? -1 : 0;
}

void wait_exit(struct gateway *g)
{
	struct wait *w = g->slow->wait;

	if (!w)
		return;
	for (int i = 0; i < WAIT_PACKETS; i++)
		free(w->kept[i].frame);
	if (w->timer >= 0)
		close(w->timer);
	free(w);
	g->slow->wait = NULL;
}

int wait_fd(const struct gateway *g)
{
	return g->slow->wait->timer;
}

/* Looks again soon, or not any more. */
static void timer_set(struct wait *w, bool on)
{
	struct itimerspec each = {.it_interval.tv_nsec = on ? (long)(LOOK_MS * NS_PER_MS) : 0,
				  .it_value.tv_nsec = on ? (long)(LOOK_MS * NS_PER_MS) : 0};

	timerfd_settime(w->timer, 0, &each, NULL);
}

static void forget(struct wait *w, struct kept *k)
{
	free(k->frame);
	k->frame = NULL;
	if (!--w->count)
		timer_set(w, false);
}

static struct kept *place(struct wait *w, const struct frag_key *key)
{
	struct kept *unused = NULL;
	u32 same = 0;

	for (struct kept *k = w->kept; k < w->kept + WAIT_PACKETS; k++) {
		if (!k->frame)
			unused = unused ? unused : k;
		else if (!memcmp(&k->key, key, sizeof(*key)))
			same++;
	}
	return same < WAIT_EACH ? unused : NULL;
}

void wait_packet(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	struct frag_key key = {
		.saddr = event->key.saddr, .daddr = event->key.daddr, .proto = event->key.proto, .dir = event->key.dir};
	struct wait *w = g->slow->wait;
	struct slow_view v;
	struct kept *k;

	if (slow_view(frame, event->length, &v)) {
		g->slow->counts.dropped++;
		return;
	}
	memcpy(&key.id, frame + v.ip + 4, sizeof(key.id));
	k = place(w, &key);
	if (!k || !(k->frame = malloc(event->length))) {
		g->slow->counts.dropped++;
		return;
	}
	memcpy(k->frame, frame, event->length);
	k->key = key;
	k->ifindex = event->ifindex;
	k->length = event->length;
	k->since = clock_ns();
	k->order = w->order++;
	g->slow->counts.held++;
	if (!w->count++)
		timer_set(w, true);
}

/* Whether the first fragment has come, so that the packet path knows it still: one that is too old to it (dp/frag.h)
 * would come up again at once, and again. */
static bool first_known(struct gateway *g, const struct frag_key *key)
{
	u32 now = (u32)(clock_ns() >> TICK_SHIFT);
	struct frag frag;

	return !kernel_frag_get(g->kernel, key, &frag) && (int)(now - frag.last) < (int)TICKS_OF_SECONDS(FRAG_SECONDS);
}

/* The oldest whose first fragment is known by now, or whose time is over. */
static struct kept *ready(struct gateway *g, struct wait *w, bool *known)
{
	struct kept *first = NULL;
	u64 now = clock_ns();

	for (struct kept *k = w->kept; k < w->kept + WAIT_PACKETS; k++) {
		bool there;

		if (!k->frame || (first && k->order > first->order))
			continue;
		there = first_known(g, &k->key);
		if (!there && now - k->since < WAIT_MS * NS_PER_MS)
			continue;
		first = k;
		*known = there;
	}
	return first;
}

void wait_look(struct gateway *g)
{
	struct wait *w = g->slow->wait;
	struct kept *k;
	u64 ticks;
	bool known;

	if (read(w->timer, &ticks, sizeof(ticks)) != sizeof(ticks))
		return;
	while ((k = ready(g, w, &known))) {
		if (!known || slow_run(g, k->frame, k->length, k->ifindex))
			g->slow->counts.dropped++;
		forget(w, k);
	}
}
