/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core.c - portico-bench-core: nanoseconds of CPU a packet of the core in process, without any I/O
 *
 * Batches of 256 frames of 64 bytes (UDP, LAN to WAN, established flows in random order) through engine_run(). The core
 * changes frames in place, so each is written anew before each batch: one copy of 64 bytes, a port and a checksum. What
 * that costs is measured by a loop that does nothing else, in each trial, and subtracted. Frames are in the cache when
 * their turn comes, as a network card's DMA leaves them there.
 *
 * Trials at the two numbers of flows alternate: A B A B. Shown are median [min ... max] over the trials.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dp/csum.h"
#include "dp/portset.h"
#include "engine/engine.h"
#include "engine/home.h"

#define HOSTS 200
#define TRIALS_MAX 99
#define STRIDE 192 /* bytes from frame to frame: three cache lines, the frame at 66 */
#define FRAME 60   /* bytes; 64 on the wire with the check sequence */

static const struct {
	u32 flows;
	double target; /* ns a packet */
} sizes[] = {{1000, 110}, {50000, 190}};

#define SIZES (sizeof(sizes) / sizeof(*sizes))

struct course {
	u32 flows;
	struct engine *engine;
	u32 *order;				   /* flows, shuffled */
	u32 at;					   /* in order */
	double core[TRIALS_MAX], copy[TRIALS_MAX]; /* ns a packet */
};

static u8 memory[ENGINE_BATCH * STRIDE] __attribute__((aligned(64)));
static struct engine_frame frames[ENGINE_BATCH];
static u8 template[64];
static u16 host_csum[HOSTS]; /* of the IPv4 header of a packet from this host */

/* The frame that all others are made from: 192.168.1.2:0 to 198.51.100.9:53, 18 bytes of data, no UDP checksum given
 * up: one that is there is changed, right or wrong. */
static void template_make(void)
{
	static const u8 head[] = {
		2, 0,  0,  0, 0, 1,   2,   0xaa, 0, 0,	 0,  0x10, 8, 0, 0x45, 0, 0,  46, 0,  1,    0x40,
		0, 64, 17, 0, 0, 192, 168, 1,	 2, 198, 51, 100,  9, 0, 0,    0, 53, 0,  26, 0x12, 0x34,
	};
	u16 header[10];

	memcpy(template, head, sizeof(head));
	for (u32 host = 0; host < HOSTS; host++) {
		memcpy(header, template + 14, sizeof(header));
		((u8 *)header)[15] = (u8)(2 + host);
		host_csum[host] = (u16)~csum_fold(csum_words(header, 10));
	}
}

/* Flow i: host i mod HOSTS, port 1024 + i: all different, so that each keeps its port. */
static void frame_write(struct engine_frame *f, u8 *slot, u32 flow)
{
	u32 host = flow % HOSTS;
	be16 port = be16_of((u16)(1024 + flow));
	u8 *data = slot + ENGINE_HEADROOM;

	memcpy(data, template, FRAME);
	data[29] = (u8)(2 + host);
	memcpy(data + 24, &host_csum[host], 2);
	memcpy(data + 34, &port, 2);
	f->data = data;
	f->length = FRAME;
	f->ifindex = 1;
}

static void batch_write(struct course *c)
{
	for (u32 i = 0; i < ENGINE_BATCH; i++) {
		frame_write(&frames[i], memory + i * STRIDE, c->order[c->at]);
		if (++c->at == c->flows)
			c->at = 0;
	}
}

/* The time of this process on its CPU, ns: what others take meanwhile does not count. */
static u64 cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
}

/* Nanoseconds a packet, of `batches` batches: written, and run where `run` says so. */
static double pass(struct course *c, u32 batches, int run)
{
	u64 start = cpu_ns(), now = start;

	for (u32 i = 0; i < batches; i++) {
		batch_write(c);
		__asm__ volatile("" ::: "memory");
		if (run) {
			engine_clock(c->engine, now);
			engine_run(c->engine, frames, ENGINE_BATCH);
		}
	}
	now = cpu_ns();
	return (double)(now - start) / ((double)batches * ENGINE_BATCH);
}

static struct engine *router_make(u32 flows)
{
	struct home_port home[] = {
		{.link = "lan0", .address = be32_of(0xc0a80101), .prefix = 24},
		{.link = "wan0", .address = be32_of(0xcb007102), .prefix = 24, .gateway = be32_of(0xcb007101)},
	};
	struct dp_config config = {
		.layout = ABI_LAYOUT,
		.nports = 2,
		.port = {{.role = ROLE_LAN}, {.role = ROLE_WAN}},
		.wan_addr = home[1].address,
		.probes = 16,
		.ports = portset_of_range(1024, 65535),
	};
	struct engine_route routes[HOME_ROUTES_MAX];
	struct engine *engine;

	home_config(home, 1, &config);
	engine = engine_new(&config, flows);
	for (u32 i = 0, n = home_routes(home, &config, routes); engine && i < n; i++)
		engine_route_add(engine, &routes[i]);
	return engine;
}

/* Whether every packet that ever ran was forwarded: other ways through the core are shorter. */
static int all_forwarded(const struct course *c)
{
	const struct dp_counter *counters = engine_counters(c->engine);
	u64 others = 0;

	for (u32 i = 0; i < REASON_COUNT; i++)
		others += i == REASON_FORWARD_OUT ? 0 : counters[i].packets;
	return counters[REASON_FORWARD_OUT].packets && !others;
}

/* An engine with all flows open, and a random order. -1 where not every flow could be opened. */
static int course_init(struct course *c, u32 flows)
{
	c->flows = flows;
	c->engine = router_make(flows);
	c->order = calloc(flows, sizeof(*c->order));
	if (!c->engine || !c->order)
		return -1;
	srand(1);
	for (u32 i = 0; i < flows; i++) {
		u32 j = (u32)rand() % (i + 1);

		c->order[i] = c->order[j];
		c->order[j] = i;
	}
	pass(c, flows / ENGINE_BATCH + 1, 1);
	return all_forwarded(c) ? 0 : -1;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static json_t *course_report(const struct course *c, double target, int trials)
{
	double sorted[TRIALS_MAX], copies[TRIALS_MAX];
	json_t *all = json_array();

	memcpy(sorted, c->core, sizeof(sorted));
	memcpy(copies, c->copy, sizeof(copies));
	qsort(sorted, (size_t)trials, sizeof(*sorted), ascending);
	qsort(copies, (size_t)trials, sizeof(*copies), ascending);
	for (int i = 0; i < trials; i++)
		json_array_append_new(all, json_real(c->core[i]));
	printf("  %6u flows   %6.1f [%.1f ... %.1f] ns a packet   target <= %.0f: %s", c->flows, sorted[trials / 2],
	       sorted[0], sorted[trials - 1], target, sorted[trials / 2] <= target ? "met" : "missed");
	printf("   (writing a frame, not counted: %.1f)\n", copies[trials / 2]);
	return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:o}", "flows", c->flows, "target", target, "median",
			 sorted[trials / 2], "min", sorted[0], "max", sorted[trials - 1], "copy", copies[trials / 2],
			 "trials", all);
}

static void trials_run(struct course *courses, int trials, u32 batches)
{
	for (int t = -1; t < trials; t++) { /* the first warms up */
		for (u32 s = 0; s < SIZES; s++) {
			struct course *c = &courses[s];
			double copy = pass(c, batches, 0), whole = pass(c, batches, 1);

			c->copy[t < 0 ? 0 : t] = copy;
			c->core[t < 0 ? 0 : t] = whole - copy;
		}
	}
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{"json", required_argument, NULL, 'j'}, {"trials", required_argument, NULL, 't'}, {0}};
	static struct course courses[SIZES];
	const char *json = NULL;
	int trials = 15, option;
	json_t *results = json_array(), *record;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'j')
			json = optarg;
		if (option == 't')
			trials = atoi(optarg);
		if (option == '?' || trials < 1 || trials > TRIALS_MAX) {
			fprintf(stderr, "usage: portico-bench-core [--trials 1-%d] [--json FILE]\n", TRIALS_MAX);
			return 2;
		}
	}
	template_make();
	for (u32 s = 0; s < SIZES; s++) {
		if (course_init(&courses[s], sizes[s].flows)) {
			fprintf(stderr, "not all of %u flows could be opened\n", sizes[s].flows);
			return 1;
		}
	}
	trials_run(courses, trials, 4000);
	for (u32 s = 0; s < SIZES; s++) {
		if (!all_forwarded(&courses[s])) {
			fprintf(stderr, "not all packets of %u flows were forwarded\n", sizes[s].flows);
			return 1;
		}
		json_array_append_new(results, course_report(&courses[s], sizes[s].target, trials));
	}
	record = json_pack("{s:s, s:s, s:i, s:i, s:o}", "bench", "core", "unit", "ns a packet", "batch", ENGINE_BATCH,
			   "frame", FRAME, "results", results);
	if (json && json_dump_file(record, json, JSON_INDENT(2))) {
		fprintf(stderr, "%s: cannot be written: %s\n", json, strerror(errno));
		return 1;
	}
	json_decref(record);
	return 0;
}
