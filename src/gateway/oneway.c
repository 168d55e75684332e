/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oneway.c - what only counters know, looked at each second
 *
 * Packets that go out while none come back: over WINDOW seconds, at least LEAST one way and none the other. At a MAP-E
 * customer edge that is how wrong parameters look: the border relay drops what does not fit, and says nothing. What did
 * come in meanwhile, and was dropped, tells which parameter it likely is.
 *
 *   quiet --(LEAST out, none in)--> noticed --(one in)--> quiet
 *
 * Packets of kinds that should not be there are logged, at most once in SPEAK seconds each.
 */
#include <stdio.h>

#include "gateway.h"
#include "lib/clock.h"
#include "lib/log.h"

#define WINDOW 8 /* seconds */
#define LEAST 5	 /* packets */
#define SPEAK 60 /* seconds */

_Static_assert(WINDOW < ONEWAY_PLACES, "the ring holds the window's beginning");

static const enum reason watched[ONEWAY_WATCHED] = {
	[ONEWAY_OUT] = REASON_FORWARD_OUT,	     [ONEWAY_IN] = REASON_FORWARD_IN,
	[ONEWAY_SOURCE] = REASON_DROP_TUNNEL_SOURCE, [ONEWAY_ERROR] = REASON_SLOW_ICMP6,
	[ONEWAY_NO_FLOW] = REASON_DROP_NO_FLOW,
};

/* What a customer edge's drops in the window mean; the first that there were counts. */
static const char *const hints[ONEWAY_WATCHED] = {
	[ONEWAY_SOURCE] = "answers come from another address than the border relay's: border-relay is likely wrong",
	[ONEWAY_ERROR] = "the IPv6 network reports errors: border-relay is likely wrong",
	[ONEWAY_NO_FLOW] = "what comes is for ports that were not used: the PSID or its offset is likely wrong",
};

static const struct {
	enum reason reason;
	const char *what;
} spoken_of[ONEWAY_SPOKEN] = {
	{REASON_DROP_TUNNEL_IPV6, "IPv6 inside the tunnel"},
	{REASON_DROP_PROTOCOL, "unknown protocol to the WAN"},
};

/* How many there were in the window that ends at place `now`. */
static u64 lately(const struct oneway *o, int what, u32 now)
{
	return o->seen[now][what] - o->seen[(now + ONEWAY_PLACES - WINDOW) % ONEWAY_PLACES][what];
}

static const char *hint(const struct oneway *o, u32 now)
{
	for (int i = 0; i < ONEWAY_WATCHED; i++)
		if (hints[i] && lately(o, i, now))
			return hints[i];
	return "border-relay is likely wrong, or the rule or prefix, so that it drops them";
}

static void notice(struct gateway *g, bool oneway, u32 now)
{
	struct oneway *o = &g->oneway;

	if (oneway == o->noticed)
		return;
	o->noticed = oneway;
	if (!oneway) {
		log_info("packets come back again");
		return;
	}
	snprintf(o->problem, sizeof(o->problem), "packets go out, none come back%s%s",
		 g->conf.kind == MODE_CE ? ": " : "", g->conf.kind == MODE_CE ? hint(o, now) : "");
	log_warn("%s", o->problem);
}

const char *oneway_problem(const struct gateway *g)
{
	return g->oneway.noticed ? g->oneway.problem : "";
}

/* The daemon's word to a host about an error of the tunnel comes in like an answer; counted a moment later, it may be
 * one more than the errors. */
static void judge(struct gateway *g, u32 now)
{
	const struct oneway *o = &g->oneway;
	u64 in = lately(o, ONEWAY_IN, now), told = lately(o, ONEWAY_ERROR, now);

	if (in > told + (told != 0))
		notice(g, false, now);
	else if (in <= told && lately(o, ONEWAY_OUT, now) >= LEAST)
		notice(g, true, now);
}

static void speak(struct oneway *o, int which, u64 packets)
{
	time_t now = clock_seconds();

	if (packets == o->reported[which] || (o->spoken[which] && now - o->spoken[which] < SPEAK))
		return;
	log_warn("%s: %llu packets dropped", spoken_of[which].what, packets - o->reported[which]);
	o->reported[which] = packets;
	o->spoken[which] = now;
}

static void write_down(struct oneway *o, const struct dp_counter counters[REASON_COUNT], u32 now)
{
	for (int i = 0; i < ONEWAY_WATCHED; i++)
		o->seen[now][i] = counters[watched[i]].packets;
	if (o->started)
		return;
	o->started = true; /* an adopted packet path has counted before */
	for (u32 place = 0; place < ONEWAY_PLACES; place++)
		for (int i = 0; i < ONEWAY_WATCHED; i++)
			o->seen[place][i] = o->seen[now][i];
	for (int i = 0; i < ONEWAY_SPOKEN; i++)
		o->reported[i] = counters[spoken_of[i].reason].packets;
}

void oneway_tick(struct gateway *g)
{
	struct dp_counter counters[REASON_COUNT];
	struct oneway *o = &g->oneway;
	u32 now = o->place;

	if (kernel_counters(g->kernel, counters))
		return;
	write_down(o, counters, now);
	o->place = (now + 1) % ONEWAY_PLACES;
	if (g->conf.kind != MODE_BR)
		judge(g, now);
	for (int i = 0; i < ONEWAY_SPOKEN; i++)
		speak(o, i, counters[spoken_of[i].reason].packets);
}
