/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_test.c - random packets through the packet core in user space and in the kernel: they must agree
 *
 *      diff_test TOP [SEED [PACKETS]]
 *
 * For each of several homes (the configurations of golden vectors below TOP) a random sequence of frames: all
 * protocols, both directions, tunnels, fragments, answers to what was sent and errors about it, tags, padding, options,
 * and a third of them with bytes changed at random. After each frame both hosts must have come to the same reason, the
 * same bytes and the same way out, and the daemon must have been handed what is for it; at the end there must be the
 * same flows. A failure prints seed, frame number and both results.
 */
#include "../check.h"

#include <linux/bpf.h>
#include <stdlib.h>

#include "mix.h"
#include "stage.h"

/* All with a gateway: where any destination can be a neighbour, a random one has no address in the kernel. */
static const struct home {
	const char *name;
	u16 share; /* ports of a host towards one destination */
	u16 flows; /* room in the table, 0: as configured */
} homes[] = {
	{"udp", 0, 0},
	{"udp", 0, 100},
	{"vlan-trunk", 0, 0},
	{"vlan-push-pop", 0, 0},
	{"several-lans", 0, 0},
	{"port-conflict", 0, 0},
	{"port-conflict", 2, 0},
	{"reserve", 0, 0},
	{"untranslated-kernel", 0, 0},
	{"mtu", 0, 0},
	{"map-e-ce", 0, 0},
	{"map-e-ce", 0, 100},
	{"map-e-ce-mesh", 0, 0},
	{"map-e-ce-draft03", 9, 0},
	{"map-e-ce-shared-set", 0, 0},
	{"map-e-ce-shared-set", 3, 0},
	{"map-e-ce-endpoint-independent", 0, 0},
	{"map-e-ce-endpoint-dependent", 0, 0},
	{"map-e-ce-full-address", 0, 0},
	{"map-e-br", 0, 0},
	{"map-e-br-domains", 0, 0},
	{"map-e-br-hairpin", 0, 0},
};

#define PACKETS 5000

static unsigned int seed = 1;
static u32 packets = PACKETS; /* a home */
static u64 met[REASON_COUNT]; /* in all homes */

struct diff {
	struct stage stage;
	struct vec_case c;
	struct engine *engine;
	struct mix mix;
	struct dp_counter before[REASON_COUNT];
	u8 memory[ENGINE_HEADROOM + MIX_FRAME_MAX + 4] __attribute__((aligned(4)));
	struct engine_frame frame;
	struct kernel_result result;
};

/* The reason is the counter that moved. */
static enum reason kernel_reason(struct diff *d, u32 length)
{
	struct dp_counter now[REASON_COUNT];
	u32 moved = 0, at = REASON_NONE;

	if (!CHECK_EQ(kernel_counters(d->stage.kernel, now), 0))
		return REASON_NONE;
	for (u32 i = 0; i < REASON_COUNT; i++) {
		if (now[i].packets == d->before[i].packets)
			continue;
		moved++;
		at = i;
		CHECK_EQ(now[i].packets, d->before[i].packets + 1);
		CHECK_EQ(now[i].bytes, d->before[i].bytes + length);
	}
	CHECK_EQ(moved, 1);
	memcpy(d->before, now, sizeof(now));
	return (enum reason)at;
}

static void verdict_compare(struct diff *d, enum reason why, u32 ifindex)
{
	const struct engine_frame *f = &d->frame;
	u32 action = XDP_DROP;

	CHECK_EQ(why, f->reason);
	if (CHECK_EQ(d->result.length, f->length))
		CHECK_MEM(d->result.frame, f->data, f->length);
	if (reason_verdict(f->reason) == VERDICT_KERNEL)
		action = XDP_PASS;
	if (reason_verdict(f->reason) == VERDICT_FORWARD) {
		action = f->hop.ifindex == ifindex ? XDP_TX : XDP_REDIRECT;
		CHECK_EQ(stage_port_of(&d->stage, d->result.frame, d->result.length), f->hop.port);
	}
	CHECK_EQ(d->result.action, action);
}

/* What the daemon is handed: each slow packet as it came, and some refusals. */
static void events_compare(struct diff *d, const struct mix_frame *m)
{
	u32 n = stage_events(&d->stage), slow = reason_verdict(d->frame.reason) == VERDICT_SLOW;
	const struct dp_event *event = &d->stage.event;

	if (d->frame.reason == REASON_DROP_NO_PORT || d->frame.reason == REASON_DROP_SHARE)
		CHECK(n <= 1);
	else
		CHECK_EQ(n, slow);
	if (!n)
		return;
	CHECK_EQ(event->reason, d->frame.reason);
	if (CHECK_EQ(event->length, m->length))
		CHECK_MEM(d->stage.event_frame, m->data, m->length);
}

static void frame_run(struct diff *d, u32 number)
{
	const struct mix_frame *m = mix_next(&d->mix);
	u32 ifindex = d->stage.config.port[m->port].ifindex;

	check_context("%.60s, seed %u, frame %u", d->c.dir, seed, number);
	memcpy(d->memory + ENGINE_HEADROOM, m->data, m->length);
	d->frame = (struct engine_frame){
		.data = d->memory + ENGINE_HEADROOM,
		.length = m->length,
		.ifindex = ifindex,
	};
	engine_run(d->engine, &d->frame, 1);
	if (!CHECK_EQ(kernel_run(d->stage.kernel, m->data, m->length, ifindex, &d->result), 0))
		return;
	verdict_compare(d, kernel_reason(d, m->length), ifindex);
	events_compare(d, m);
	if (reason_verdict(d->frame.reason) == VERDICT_FORWARD)
		mix_sent(&d->mix, d->frame.hop.port, d->frame.data, d->frame.length);
}

static void half_compare(void *arg, const struct flow_key *key, const struct flow_half *half)
{
	struct diff *d = arg;
	struct flow_half there;

	if (!CHECK_EQ(kernel_flow_get(d->stage.kernel, key, &there), 0))
		return;
	/* when, and by which entry of a table that only one of them has, may differ */
	there.last = half->last;
	there.nexthop = half->nexthop;
	there.routes = half->routes;
	CHECK_MEM(&there, half, sizeof(there));
	d->mix.halves++;
}

static void flows_compare(struct diff *d)
{
	struct flow_key *keys = calloc(65536, sizeof(*keys));
	struct flow_half *halves = calloc(65536, sizeof(*halves));
	struct kernel_walk walk = {0};
	u32 there = 0;
	int n;

	check_context("%.60s, seed %u, flows", d->c.dir, seed);
	engine_flows(d->engine, half_compare, d);
	while ((n = kernel_flows(d->stage.kernel, &walk, keys, halves, 65536)) > 0)
		there += (u32)n;
	CHECK_EQ(n, 0);
	CHECK_EQ(there, d->mix.halves);
	free(keys);
	free(halves);
}

static bool engine_make(struct diff *d)
{
	d->engine = engine_new(&d->stage.config, d->c.conf.flows);
	if (!d->engine)
		return false;
	engine_tunnel(d->engine, &d->c.options.tunnel, &d->c.options.gateway6);
	for (u32 i = 0; i < d->c.options.nroutes; i++)
		engine_route_add(d->engine, &d->c.setup.routes[i]);
	for (u32 i = 0; i < d->c.options.nneighbours; i++)
		engine_neighbour_add(d->engine, (u8)d->c.setup.neighbours[i].port, d->c.setup.neighbours[i].addr,
				     d->c.setup.neighbours[i].mac);
	for (u32 port = 0; port < 65536; port++)
		if (d->c.conf.reserved[port >> 6] >> (port & 63) & 1)
			engine_reserve(d->engine, (u16)port);
	return true;
}

/* The engine with its configuration, on a stage with the same. */
static void diff_run(struct diff *d)
{
	mix_init(&d->mix, &d->c, seed);
	if (!CHECK_EQ(stage_build(&d->stage, &d->c, d->mix.addresses, d->mix.naddresses), 0) || !CHECK(engine_make(d)))
		return;
	CHECK_EQ(stage_nexthops(&d->stage, &d->c, d->mix.addresses, d->mix.naddresses), 0);
	for (u32 i = 0; i < packets; i++)
		frame_run(d, i);
	flows_compare(d);
	mix_report(&d->mix, engine_counters(d->engine));
	for (u32 i = 0; i < REASON_COUNT; i++)
		met[i] += engine_counters(d->engine)[i].packets;
}

static void home_run(const struct home *home, const char *top, const char *instance)
{
	struct diff *d = calloc(1, sizeof(*d));
	char dir[CASE_PATH_MAX / 2];
	struct err err;

	snprintf(dir, sizeof(dir), "%.150s/%s", top, home->name);
	check_context("%s", dir);
	d->stage.instance = instance;
	if (CHECK_EQ(case_read(&d->c, dir, &err), 0)) {
		d->c.options.config.share = home->share;
		if (home->flows)
			d->c.conf.flows = home->flows;
		diff_run(d);
		engine_free(d->engine);
		stage_end(&d->stage);
	} else {
		fprintf(stderr, "%s\n", err.text);
	}
	free(d);
}

/* Random frames are worth what they come to: everything but what asks for another system. */
static void all_met(void)
{
	static const enum reason absent[] = {
		REASON_NONE,	       REASON_SLOW_NEIGHBOUR,	 REASON_DROP_NO_ADDRESS, REASON_DROP_NO_PORT,
		REASON_DROP_NO_DAEMON, REASON_DROP_NO_NEIGHBOUR, REASON_DROP_FAULT,
	};
	u32 expected;

	for (u32 i = 0; i < REASON_COUNT && packets >= PACKETS; i++) {
		expected = 1;
		for (u32 j = 0; j < sizeof(absent) / sizeof(*absent); j++)
			expected &= absent[j] != i;
		check_context("seed %u, reason %u", seed, i);
		CHECK_EQ(met[i] != 0, expected);
	}
}

static int body(const char *instance, const char *top)
{
	for (u32 i = 0; i < sizeof(homes) / sizeof(*homes); i++)
		home_run(&homes[i], top, instance);
	all_met();
	return check_summary("both hosts");
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (argc > 2)
		seed = (unsigned int)strtoul(argv[2], NULL, 0);
	if (argc > 3)
		packets = (u32)strtoul(argv[3], NULL, 0);
	return stage_main("diff", body, argv[1]);
}
