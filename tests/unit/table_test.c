/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table_test.c - the user-space flow table against an array; removal out of full runs of slots */
#include "../check.h"

#include <errno.h>
#include <stdlib.h>

#include "dp/types.h"
#include "engine/table.h"

#define KEYS 512

static struct flow_key keys[KEYS];
static struct flow_half halves[KEYS];
static bool present[KEYS];

static void compare(const struct table *t, u32 want)
{
	u32 wrong = 0, slots = 0, walked = 0, at = 0;
	const struct table_slot *slot;

	for (u32 i = 0; i < KEYS; i++) {
		struct flow_half *half = table_get(t, &keys[i]);

		wrong += !!half != present[i] || (half && memcmp(half, &halves[i], sizeof(*half)));
	}
	for (u32 i = 0; i <= t->mask; i++)
		slots += t->slots[i].key.proto != 0;
	while ((slot = table_next(t, &at)))
		walked += slot->key.proto != 0;
	CHECK_EQ(wrong, 0);
	CHECK_EQ(slots, want);
	CHECK_EQ(walked, want);
	CHECK_EQ(t->count, want);
}

static void keys_make(u32 seed)
{
	srand(seed);
	memset(present, 0, sizeof(present));
	for (u32 i = 0; i < KEYS; i++) {
		keys[i] = (struct flow_key){
			.saddr = be32_of((u32)rand()), .daddr = be32_of(i), .proto = 17, .sport = be16_of((u16)rand())};
		halves[i] = (struct flow_half){.addr = be32_of((u32)rand()), .packets = i, .bytes = (u64)rand() << 20};
	}
}

static void random_operations(u32 seed, u32 room)
{
	struct table t;
	u32 count = 0;

	check_context("seed %u, room for %u", seed, room);
	keys_make(seed);
	CHECK_EQ(table_init(&t, room), 0);
	for (u32 round = 0; round < 20000; round++) {
		u32 i = (u32)rand() % KEYS;

		if (rand() % 100 < 55) {
			int want = present[i] ? -EEXIST : count == room ? -ENOSPC : 0;

			CHECK_EQ(table_add(&t, &keys[i], &halves[i]), want);
			count += !want;
			present[i] |= !want;
		} else {
			table_del(&t, &keys[i]);
			count -= present[i];
			present[i] = false;
		}
		if (round % 500 == 0)
			compare(&t, count);
	}
	compare(&t, count);
	table_exit(&t);
}

/* Keys whose home is one of the last slots, so that their run goes on at slot 0; removed from each of them on. */
static void run_around_the_end(void)
{
	struct flow_key run[8];
	struct flow_half half = {.packets = 1};

	for (u32 first = 0; first < 8; first++) {
		struct table t;
		u32 n = 0, wrong = 0;

		check_context("run over the end, removed from %u on", first);
		CHECK_EQ(table_init(&t, 32), 0);
		for (u32 i = 0; n < 8; i++) {
			struct flow_key key = {.saddr = be32_of(i), .proto = 6};

			if ((table_hash(&key) & t.mask) >= t.mask - 2)
				run[n++] = key;
		}
		for (u32 i = 0; i < 8; i++)
			CHECK_EQ(table_add(&t, &run[i], &half), 0);
		for (u32 i = 0; i < 8; i++) {
			table_del(&t, &run[(first + i) % 8]);
			for (u32 j = 0; j < 8; j++)
				wrong += !!table_get(&t, &run[(first + j) % 8]) != (j > i);
		}
		CHECK_EQ(wrong, 0);
		CHECK_EQ(t.count, 0);
		table_exit(&t);
	}
}

int main(void)
{
	for (u32 seed = 1; seed <= 4; seed++) {
		random_operations(seed, 32);
		random_operations(seed, KEYS / 2);
		random_operations(seed, KEYS);
	}
	run_around_the_end();
	return check_summary("table");
}
