/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - the flow table in user space */
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Slots are read in no order: with pages of this size (where the system has them) a lookup misses no translation. */
#define HUGE_PAGE (2u << 20)

int table_init(struct table *t, u32 halves)
{
	u32 slots = 64;
	size_t size;

	while (slots < 2 * (u64)halves && slots < 1u << 31)
		slots *= 2;
	size = (size_t)slots * sizeof(*t->slots);
	*t = (struct table){.mask = slots - 1, .limit = halves};
	t->used = calloc(slots / 64, sizeof(*t->used));
	t->slots = aligned_alloc(size < HUGE_PAGE ? sizeof(*t->slots) : HUGE_PAGE, size);
	if (!t->used || !t->slots) {
		table_exit(t);
		return -ENOMEM;
	}
	madvise(t->slots, size, MADV_HUGEPAGE);
	memset(t->slots, 0, size);
	return 0;
}

void table_exit(struct table *t)
{
	free(t->slots);
	free(t->used);
	t->slots = NULL;
	t->used = NULL;
}

int table_add(struct table *t, const struct flow_key *key, const struct flow_half *half)
{
	u32 at = table_hash(key) & t->mask;

	for (; t->slots[at].key.proto; at = (at + 1) & t->mask)
		if (table_key_equal(&t->slots[at].key, key))
			return -EEXIST;
	if (t->count >= t->limit)
		return -ENOSPC;
	t->slots[at].key = *key;
	t->slots[at].half = *half;
	t->used[at / 64] |= 1ULL << at % 64;
	t->count++;
	return 0;
}

/* Knuth, The Art of Computer Programming 3, 6.4, algorithm R: move back what the hole cuts off from its home. */
void table_del(struct table *t, const struct flow_key *key)
{
	struct flow_half *half = table_get(t, key);
	u32 hole, at, home;

	if (!half)
		return;
	hole = (u32)((struct table_slot *)((char *)half - offsetof(struct table_slot, half)) - t->slots);
	for (at = (hole + 1) & t->mask; t->slots[at].key.proto; at = (at + 1) & t->mask) {
		home = table_hash(&t->slots[at].key) & t->mask;
		if (((at - home) & t->mask) >= ((at - hole) & t->mask)) {
			t->slots[hole] = t->slots[at];
			hole = at;
		}
	}
	memset(&t->slots[hole], 0, sizeof(t->slots[hole]));
	t->used[hole / 64] &= ~(1ULL << hole % 64);
	t->count--;
}

const struct table_slot *table_next(const struct table *t, u32 *at)
{
	while (*at <= t->mask) {
		u64 word = t->used[*at / 64] >> *at % 64;

		if (word) {
			*at += (u32)__builtin_ctzll(word);
			return &t->slots[(*at)++];
		}
		*at = (*at / 64 + 1) * 64;
	}
	return NULL;
}
