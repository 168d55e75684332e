/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_test.c - tables that forget: what is found is what was put, and what was used last is never what goes */
#include "../check.h"

#include <stdlib.h>

#include "dp/types.h"
#include "engine/memory.h"

#define FRAGS 4096 /* places of each table */
#define DESTS 1024
#define SHARES 4096

static struct memory *memory_start(void)
{
	struct memory *m = memory_new();

	if (!m)
		exit(1);
	return m;
}

/* Keys that differ in each of their fields. */
static struct frag_key frag_key(u32 i)
{
	return (struct frag_key){.saddr = be32_of(0xc0a80000 + (i >> 8)),
				 .daddr = be32_of(i & 1),
				 .id = be16_of((u16)(i >> 1)),
				 .proto = 17};
}

static struct frag frag_of(u32 i, u32 version)
{
	return (struct frag){.sport = be16_of((u16)i), .dport = be16_of((u16)version), .last = i * 3 + version};
}

/* As many as there are places: all are kept. One more: it is there, and one of the others is not. */
static void capacity(void)
{
	struct memory *m = memory_start();
	u32 found = 0;

	check_context("as many as there is room for");
	for (u32 i = 0; i < FRAGS; i++)
		memory_frag_put(m, &(struct frag_key){.saddr = be32_of(i)}, &(struct frag){.last = i});
	for (u32 i = 0; i < FRAGS; i++) {
		const struct frag *f = memory_frag_get(m, &(struct frag_key){.saddr = be32_of(i)});

		found += f && f->last == i;
	}
	CHECK_EQ(found, FRAGS);
	check_context("one more");
	memory_frag_put(m, &(struct frag_key){.saddr = be32_of(FRAGS)}, &(struct frag){.last = FRAGS});
	found = 0;
	for (u32 i = 0; i <= FRAGS; i++)
		found += memory_frag_get(m, &(struct frag_key){.saddr = be32_of(i)}) != NULL;
	CHECK_EQ(found, FRAGS);
	CHECK(memory_frag_get(m, &(struct frag_key){.saddr = be32_of(FRAGS)}) != NULL);
	memory_free(m);
}

/* Random puts and gets of three times as many keys as places: never another's value, never an old one. */
static void against_model(void)
{
	static u32 version[3 * FRAGS]; /* 0: never put */
	struct memory *m = memory_start();
	u32 wrong = 0, invented = 0, found = 0, lost = 0, last = 0;

	srand(31);
	for (u32 round = 1; round < 400000; round++) {
		u32 i = (u32)rand() % (3 * FRAGS);
		struct frag_key key = frag_key(i);
		const struct frag *f;

		if (rand() % 3) {
			f = memory_frag_get(m, &key);
			invented += f && !version[i];
			found += f != NULL;
			if (f) {
				struct frag want = frag_of(i, version[i]);

				wrong += memcmp(f, &want, sizeof(want)) != 0;
				last = i;
			}
		} else {
			struct frag frag = frag_of(i, round % 0xffff + 1);

			version[i] = round % 0xffff + 1;
			memory_frag_put(m, &key, &frag);
			last = i;
		}
		if (version[last]) {
			key = frag_key(last);
			lost += !memory_frag_get(m, &key);
		}
	}
	check_context("random puts and gets");
	CHECK_EQ(wrong, 0);
	CHECK_EQ(invented, 0);
	CHECK_EQ(lost, 0);
	CHECK(found > 50000);
	memory_free(m);
}

/* A flood of others does not push out what is in use (RFC 4787, REQ-14: bounded against flooding). */
static void flood(void)
{
	struct memory *m = memory_start();
	u32 lost = 0;

	check_context("a flood beside ten that are in use");
	for (u32 i = 0; i < 10; i++)
		memory_frag_put(m, &(struct frag_key){.id = be16_of((u16)i)}, &(struct frag){.last = i});
	for (u32 i = 1; i < 20 * FRAGS; i++) {
		const struct frag *f = memory_frag_get(m, &(struct frag_key){.id = be16_of((u16)(i % 10))});

		lost += !f || f->last != i % 10;
		memory_frag_put(m, &(struct frag_key){.saddr = be32_of(i)}, &(struct frag){.last = i});
	}
	CHECK_EQ(lost, 0);
	memory_free(m);
}

/* The oldest go first, by and large: of twice as many as places, nearly all that are left are of the later half. */
static void oldest_first(void)
{
	struct memory *m = memory_start();
	u32 early = 0;

	check_context("the oldest go first");
	for (u32 i = 0; i < 2 * FRAGS; i++)
		memory_frag_put(m, &(struct frag_key){.saddr = be32_of(i)}, &(struct frag){.last = i});
	for (u32 i = 0; i < FRAGS; i++)
		early += memory_frag_get(m, &(struct frag_key){.saddr = be32_of(i)}) != NULL;
	CHECK(early < FRAGS / 4);
	memory_free(m);
}

/* Destinations begin blank, keep what is noted in them, and are all forgotten with a new blank. */
static void destinations(void)
{
	struct memory *m = memory_start();
	struct dest blank;
	struct dest_key key = {.daddr = be32_of(1), .dport = be16_of(443), .proto = 6};
	struct dest *d;

	check_context("destinations");
	memset(&blank, 0, sizeof(blank));
	blank.spent = 1ULL << 63;
	blank.taken[63] = ~0ULL;
	memory_blank(m, &blank);
	CHECK(!memory_dest_get(m, &key));
	d = memory_dest_make(m, &key);
	CHECK_MEM(d, &blank, sizeof(blank));
	d->taken[3] = 5;
	CHECK(memory_dest_get(m, &key) == d);
	CHECK(memory_dest_make(m, &key) == d);
	CHECK_EQ(d->taken[3], 5);
	key.proto = 17;
	CHECK(!memory_dest_get(m, &key));
	for (u32 i = 0; i < 3 * DESTS; i++) {
		struct dest_key other = {.daddr = be32_of(i + 2), .proto = 6};

		d = memory_dest_make(m, &other);
		CHECK(!memcmp(d, &blank, sizeof(blank))); /* nothing of who was there before */
		d->taken[0] = i + 1;
	}
	key.proto = 6;
	memory_dest_make(m, &key)->taken[0] = 1;
	blank.taken[62] = 7;
	memory_blank(m, &blank);
	CHECK(!memory_dest_get(m, &key));
	CHECK_MEM(memory_dest_make(m, &key), &blank, sizeof(blank));
	memory_free(m);
}

static void shares(void)
{
	struct memory *m = memory_start();
	u32 wrong = 0;

	check_context("shares");
	for (u32 round = 1; round < 4; round++) {
		for (u32 i = 0; i < SHARES; i++) {
			struct share_key key = {.host = be32_of(i % 50),
						.dest = {.daddr = be32_of(i / 50), .proto = 17}};
			u32 *held = memory_share(m, &key);

			*held += 1;
			wrong += *held != round;
		}
	}
	CHECK_EQ(wrong, 0);
	memory_blank(m, &(struct dest){0});
	CHECK_EQ(*memory_share(m, &(struct share_key){.host = be32_of(7)}), 0);
	memory_free(m);
}

int main(void)
{
	capacity();
	against_model();
	flood();
	oldest_first();
	destinations();
	shares();
	return check_summary("memory");
}
