/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oneway.c - what only counters know, looked at each second
 *
 * Packets that go out while none come back: over WINDOW seconds, at least LEAST one way and none the other. At a MAP-E
 * customer edge that is how wrong parameters look: the border relay drops what does not fit, and says nothing.
 *
 * Packets of kinds that should not be there are logged, at most once in SPEAK seconds each.
 */
#include <string.h>

#include "gateway.h"
#include "lib/clock.h"
#include "lib/log.h"

#define WINDOW 8 /* seconds */
#define LEAST 5	 /* packets */
#define SPEAK 60 /* seconds */
#define PLACES (sizeof(((struct oneway *)0)->out) / sizeof(((struct oneway *)0)->out[0]))

_Static_assert(WINDOW < PLACES, "the ring holds the window's beginning");

static void notice(struct gateway *g, bool oneway)
{
	if (oneway == g->oneway.noticed)
		return;
	g->oneway.noticed = oneway;
	if (!oneway)
		log_info("packets come back again");
	else if (g->conf.kind == MODE_CE)
		log_warn("packets go out, none come back: the border relay's address is wrong, or the rule, so that it "
			 "drops them; compare 'portico map-e %s' with what the provider says",
			 g->conf.path);
	else
		log_warn("packets go out, none come back");
}

static void speak(struct gateway *g, int which, u64 packets, const char *what)
{
	struct oneway *o = &g->oneway;
	time_t now = clock_seconds();

	if (packets == o->reported[which] || (o->spoken[which] && now - o->spoken[which] < SPEAK))
		return;
	log_warn("%s: %llu packets dropped", what, packets - o->reported[which]);
	o->reported[which] = packets;
	o->spoken[which] = now;
}

void oneway_tick(struct gateway *g)
{
	struct dp_counter counters[REASON_COUNT];
	struct oneway *o = &g->oneway;
	u32 now = o->seconds % PLACES, then = (o->seconds + PLACES - WINDOW) % PLACES;

	if (g->conf.kind == MODE_BR || kernel_counters(g->kernel, counters))
		return;
	o->out[now] = counters[REASON_FORWARD_OUT].packets;
	o->in[now] = counters[REASON_FORWARD_IN].packets;
	if (!o->seconds)
		for (unsigned int i = 0; i < PLACES; i++) { /* an adopted packet path has counted before */
			o->out[i] = o->out[now];
			o->in[i] = o->in[now];
		}
	o->seconds++;
	if (o->in[now] != o->in[then])
		notice(g, false);
	else if (o->out[now] - o->out[then] >= LEAST)
		notice(g, true);
	speak(g, 0, counters[REASON_DROP_TUNNEL_IPV6].packets, "IPv6 inside the tunnel");
	speak(g, 1, counters[REASON_DROP_PROTOCOL].packets, "unknown protocol to the WAN");
}
