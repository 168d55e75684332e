/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alloc_test.c - choosing a port: bits against counting, the note against what is taken, and how many tries it costs
 *
 * The core's host here is this file: one destination, ports taken as bits, and every question of the core counted.
 */
#include "../check.h"

#include <stdlib.h>

#define DP_ENV
#include "dp/env.h"
#include "dp/pkt.h"
#include "dp/rare.h"

#define PORTS 65536

struct env {
	u8 taken[PORTS];    /* flows are there */
	u8 reserved[PORTS]; /* never handed out */
	struct dest dest, blank;
	u32 known; /* whether the destination is noted */
	u32 tries; /* flow_add()s */
	u32 gone;  /* whether env_dest_make() finds no room */
	u32 full;  /* whether the flow table is */
};

dp_fn int env_flow_add(struct env *e, const struct flow_key *key, const struct flow_half *half)
{
	u32 port = host16(key->dport);

	(void)half;
	e->tries++;
	if (e->taken[port])
		return ENV_EXISTS;
	if (e->full)
		return ENV_FULL;
	e->taken[port] = 1;
	return ENV_OK;
}

dp_fn int env_reserved(struct env *e, u16 port)
{
	return e->reserved[port];
}

dp_fn int env_local(struct env *e, const struct flow_key *in)
{
	(void)e;
	(void)in;
	return 0;
}

dp_fn struct dest *env_dest_get(struct env *e, const struct dest_key *key)
{
	(void)key;
	return e->known ? &e->dest : (struct dest *)0;
}

dp_fn struct dest *env_dest_make(struct env *e, const struct dest_key *key)
{
	if (e->gone)
		return (struct dest *)0;
	if (!e->known)
		e->dest = e->blank;
	e->known = 1;
	return env_dest_get(e, key);
}

#include "dp/alloc.h"

static struct env env;
static struct dp_config config;

/* An empty host, and a set; what of it is reserved is taken from env.reserved. */
static void start(struct dp_portset ports)
{
	memset(&env, 0, sizeof(env));
	config = (struct dp_config){.mode = MODE_CE, .ports = ports};
}

static void blank_make(void)
{
	for (u32 i = 0; i < DEST_PORTS_MAX; i++)
		if (i >= config.ports.count || env.reserved[portset_port(&config.ports, i)])
			alloc_note(&env.blank, i);
}

static u64 random64(void)
{
	u64 x = 0;

	for (u32 i = 0; i < 5; i++)
		x = x << 15 ^ (u64)rand();
	return x;
}

static u32 random32(void)
{
	return (u32)(random64() >> 20);
}

/* A bit pattern of any density. */
static u64 random_bits(void)
{
	u64 x = random64();

	for (u32 i = (u32)rand() % 7; i; i--)
		x = rand() % 2 ? x & random64() : x | random64();
	return x;
}

/* alloc_lowest() and alloc_next() against counting. */
static void bits(void)
{
	u32 wrong = 0;

	check_context("bits");
	for (u32 i = 0; i < 64; i++) {
		CHECK_EQ(alloc_lowest(1ULL << i), i);
		CHECK_EQ(alloc_lowest(~0ULL << i), i);
		for (u32 at = 0; at < 200; at++)
			wrong += alloc_next(1ULL << i, at) != i;
	}
	srand(11);
	for (u32 round = 0; round < 200000; round++) {
		u64 x = random_bits();
		u32 at = (u32)rand() % 256, next = at & 63, lowest = 0;

		if (!x)
			continue;
		while (!(x >> lowest & 1))
			lowest++;
		while (!(x >> next & 1))
			next = (next + 1) % 64;
		wrong += alloc_lowest(x) != lowest || alloc_next(x, at) != next;
	}
	CHECK_EQ(wrong, 0);
}

/* The note's promise: a bit that is not set is found while there is one, and `spent` says which words have none. */
static void note(void)
{
	u32 wrong = 0;

	check_context("the note");
	srand(12);
	for (u32 round = 0; round < 300; round++) {
		static struct dest d;
		static bool taken[DEST_PORTS_MAX];
		u32 left = DEST_PORTS_MAX;

		memset(&d, 0, sizeof(d));
		memset(taken, 0, sizeof(taken));
		while (left) {
			u32 index = alloc_free(&d, random32() % DEST_PORTS_MAX);

			if (index >= DEST_PORTS_MAX || taken[index]) {
				wrong++;
				break;
			}
			if (round % 3 == 0) /* another one, as if another CPU had it */
				index = (index + random32() % 130) % DEST_PORTS_MAX;
			left -= !taken[index];
			taken[index] = true;
			alloc_note(&d, index);
		}
		wrong += alloc_free(&d, random32() % DEST_PORTS_MAX) != ALLOC_NONE;
		wrong += d.spent != ~0ULL;
	}
	CHECK_EQ(wrong, 0);
}

static struct alloc random_alloc(void)
{
	return (struct alloc){
		.at = random32(),
		.wanted = rand() % 2 ? ALLOC_NONE : random32() % (config.ports.count + 10),
		.probes = 16,
	};
}

static u32 ports_left(void)
{
	u32 left = 0;

	for (u32 i = 0; i < config.ports.count; i++) {
		u32 port = portset_port(&config.ports, i);

		left += !env.taken[port] && !env.reserved[port];
	}
	return left;
}

struct set {
	const char *name;
	struct dp_portset ports;
	u32 reserve; /* each port whose index is a multiple of it is reserved, 0: none */
};

static const struct set *sets(u32 i)
{
	static struct set all[8];

	all[0] = (struct set){"1008 ports (a 6, k 6)", portset_of_psid(6, 6, 44), 0};
	all[1] = (struct set){"240 ports (a 4, k 8)", portset_of_psid(4, 8, 100), 0};
	all[2] = (struct set){"1008 ports, every third reserved", portset_of_psid(6, 6, 44), 3};
	all[3] = (struct set){"one block (a 0, k 5)", portset_of_psid(0, 5, 9), 0};
	all[4] = (struct set){"4096 ports", portset_of_range(1024, 1024 + DEST_PORTS_MAX - 1), 0};
	all[5] = (struct set){"one port", portset_of_range(7000, 7000), 0};
	all[6] = (struct set){"64 ports", portset_of_range(7000, 7063), 0};
	all[7] = (struct set){"4032 ports, most reserved", portset_of_psid(6, 4, 3), 1};
	return i < 8 ? &all[i] : NULL;
}

static void set_start(const struct set *s)
{
	start(s->ports);
	for (u32 i = 0; s->reserve && i < s->ports.count; i++)
		if (i % s->reserve == 0 && !(s->reserve == 1 && i % 100 == 7))
			env.reserved[portset_port(&s->ports, i)] = 1;
	blank_make();
}

/* From empty to full. Whenever a port is refused at once, none is free; what is left to the daemon is rare, and the
 * next asking finds more; each port is handed out once, and no reserved one ever. */
static void filled(const struct set *s)
{
	u32 left, slow = 0, most = 0, all, sum = 0;

	set_start(s);
	all = left = ports_left();
	check_context("filling %s", s->name);
	for (u32 round = 0; left && round < 3 * all + 100; round++) {
		struct alloc a = random_alloc();
		enum reason why;

		env.tries = 0;
		why = alloc_port(&env, &config, &a);
		sum += env.tries;
		most = env.tries > most ? env.tries : most;
		if (why) {
			slow += CHECK_EQ(why, REASON_SLOW_NO_PORT);
			continue;
		}
		left--;
		CHECK(portset_has(&config.ports, host16(a.key.dport)));
		CHECK(!env.reserved[host16(a.key.dport)]);
	}
	CHECK_EQ(left, 0);
	CHECK_EQ(ports_left(), 0);
	CHECK(most <= 16);
	CHECK(slow <= 3 + all / 100);
	CHECK(sum <= 3 * all + 100); /* tries for each port, of which a wanted one may be wasted */
	check_context("full %s", s->name);
	for (u32 round = 0; round < 100; round++) {
		struct alloc a = random_alloc();

		env.tries = 0;
		CHECK_EQ(alloc_port(&env, &config, &a), REASON_SLOW_NO_PORT);
		CHECK(round < 50 || env.tries <= 1); /* the wanted one, no more */
	}
	check_context("full %s, and the daemon says so", s->name);
	env.dest.full = 1;
	for (u32 round = 0; round < 100; round++) {
		struct alloc a = random_alloc();

		env.tries = 0;
		CHECK_EQ(alloc_port(&env, &config, &a), REASON_DROP_NO_PORT);
		CHECK_EQ(env.tries, 0);
	}
}

/* At 99 % (by the note and in truth), what a port costs, against an empty set. */
static void nearly_full(void)
{
	u32 empty = 0, late = 0;

	check_context("99 %% used");
	start(portset_of_psid(6, 6, 44));
	blank_make();
	for (u32 i = 0; i < 998; i++) {
		struct alloc a = {.at = random32(), .wanted = ALLOC_NONE, .probes = 16};

		env.tries = 0;
		CHECK_EQ(alloc_port(&env, &config, &a), REASON_NONE);
		empty += i < 100 ? env.tries : 0;
	}
	for (u32 i = 0; i < 2000; i++) { /* one comes, one goes */
		struct alloc a = {.at = random32(), .wanted = ALLOC_NONE, .probes = 16};
		u32 index;

		env.tries = 0;
		CHECK_EQ(alloc_port(&env, &config, &a), REASON_NONE);
		late += env.tries;
		do
			index = random32() % 1008;
		while (!env.taken[portset_port(&config.ports, index)]);
		env.taken[portset_port(&config.ports, index)] = 0;
		env.dest.taken[index >> 6] &= ~(1ULL << (index & 63)); /* as the daemon does */
		env.dest.spent &= ~(1ULL << (index >> 6));
	}
	CHECK(empty <= 110);
	CHECK(late <= 2000 * 3 / 2);
}

/* A note that is behind costs probes and no more: ports that it does not know to be taken are found out, one each. */
static void stale_note(void)
{
	struct alloc a = {.at = 0, .wanted = ALLOC_NONE, .probes = 16};

	check_context("a note that knows nothing of 1000 ports");
	start(portset_of_psid(6, 6, 44));
	blank_make();
	for (u32 i = 0; i < 1000; i++)
		env.taken[portset_port(&config.ports, i)] = 1;
	for (u32 i = 0; i < 70; i++) {
		struct alloc b = a;

		b.at = random32();
		env.tries = 0;
		if (!alloc_port(&env, &config, &b))
			break;
		CHECK_EQ(env.tries, 16);
	}
	CHECK(ports_left() < 8);
	check_context("bits of ports that are free again are not looked at");
	memset(env.taken, 0, sizeof(env.taken));
	CHECK_EQ(alloc_port(&env, &config, &a), REASON_NONE);
}

/* Where no destination can be noted, the probes go round by the golden ratio. */
static void no_note(void)
{
	u32 failed = 0;

	check_context("no room for a note");
	start(portset_of_psid(6, 6, 44));
	env.gone = 1;
	for (u32 i = 0; i < 504; i++) {
		struct alloc a = random_alloc();

		failed += alloc_port(&env, &config, &a) != REASON_NONE;
	}
	CHECK(failed < 5);
	CHECK_EQ(ports_left(), 504 + failed);
}

/* A set larger than notes: probes, the hint, and `full`. */
static void large_set(void)
{
	struct alloc a = {.at = 12345, .wanted = 5, .probes = 16};
	u32 free_index = 40000;

	check_context("a large set with one port free");
	start(portset_of_range(1024, 65535));
	memset(env.taken, 1, sizeof(env.taken));
	env.taken[portset_port(&config.ports, free_index)] = 0;
	CHECK_EQ(alloc_port(&env, &config, &a), REASON_SLOW_NO_PORT);
	CHECK_EQ(env.tries, 16);
	CHECK(env.known);
	check_context("and the daemon's hint");
	env.dest.hint = free_index + 1;
	CHECK_EQ(alloc_port(&env, &config, &a), REASON_NONE);
	CHECK_EQ(host16(a.key.dport), portset_port(&config.ports, free_index));
	check_context("and full");
	env.dest.full = 1;
	env.tries = 0;
	CHECK_EQ(alloc_port(&env, &config, &a), REASON_DROP_NO_PORT);
	CHECK(env.tries <= 1);
}

/* What is wanted and free is had at the first try; a full flow table is no full set, and notes nothing. */
static void wanted(void)
{
	check_context("the port that is wanted");
	start(portset_of_psid(6, 6, 44));
	blank_make();
	for (u32 i = 0; i < 1008; i += 7) {
		struct alloc a = {.at = random32(), .wanted = i, .probes = 16};

		env.tries = 0;
		CHECK_EQ(alloc_port(&env, &config, &a), REASON_NONE);
		CHECK_EQ(host16(a.key.dport), portset_port(&config.ports, i));
		CHECK_EQ(env.tries, 1);
	}
	check_context("a full flow table");
	env.full = 1;
	struct alloc a = {.at = 1, .wanted = 1, .probes = 16};

	CHECK_EQ(alloc_port(&env, &config, &a), REASON_DROP_TABLE_FULL);
	env.full = 0;
	CHECK_EQ(alloc_port(&env, &config, &a), REASON_NONE);
	CHECK_EQ(host16(a.key.dport), portset_port(&config.ports, 1));
}

int main(void)
{
	bits();
	note();
	for (u32 i = 0; sets(i); i++)
		filled(sets(i));
	nearly_full();
	stale_note();
	no_note();
	large_set();
	wanted();
	return check_summary("alloc");
}
