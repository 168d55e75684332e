/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - the flow table in user space: open addressing, one cache line a half
 *
 * Linear probing over 64-byte slots, at most half full; an empty slot has protocol 0. Removal moves later entries of
 * the run back, so there are no tombstones and a pointer to a half is valid until the next removal. A bitmap of the
 * slots in use makes a walk cost what is there and not what there is room for. One thread.
 */
#ifndef PORTICO_ENGINE_TABLE_H
#define PORTICO_ENGINE_TABLE_H

#include <stddef.h>
#include <string.h>

#include "abi/flow.h"

struct table_slot {
	struct flow_key key;
	struct flow_half half;
	u8 pad[16];
} __attribute__((aligned(64)));

ABI_SIZE(struct table_slot, 64);

struct table {
	struct table_slot *slots;
	u64 *used; /* bit i % 64 of word i / 64: slot i is in use */
	u32 mask;  /* slots - 1 */
	u32 count; /* halves in use */
	u32 limit; /* halves allowed */
};

/* A table for `halves` halves. 0, or -ENOMEM. */
int table_init(struct table *t, u32 halves);
void table_exit(struct table *t);

/* Inserts if absent: 0, -EEXIST or -ENOSPC. */
int table_add(struct table *t, const struct flow_key *key, const struct flow_half *half);
void table_del(struct table *t, const struct flow_key *key);

/* Walks all halves: *at is 0 at first; NULL at the end. */
const struct table_slot *table_next(const struct table *t, u32 *at);

/* Folded 128-bit multiply: both halves of the key reach every bit of the index. */
static inline u32 table_hash(const struct flow_key *key)
{
	u64 w[2];
	unsigned __int128 product;

	memcpy(w, key, sizeof(w));
	product = (unsigned __int128)(w[0] ^ 0xa0761d6478bd642fULL) * (w[1] ^ 0xe7037ed1a0b428dbULL);
	return (u32)((u64)product ^ (u64)(product >> 64));
}

static inline int table_key_equal(const struct flow_key *a, const struct flow_key *b)
{
	u64 x[2], y[2];

	memcpy(x, a, sizeof(x));
	memcpy(y, b, sizeof(y));
	return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

static inline void table_prefetch(const struct table *t, const struct flow_key *key)
{
	__builtin_prefetch(&t->slots[table_hash(key) & t->mask], 1);
}

/* The half with this key, or NULL. */
static inline struct flow_half *table_get(const struct table *t, const struct flow_key *key)
{
	for (u32 at = table_hash(key) & t->mask;; at = (at + 1) & t->mask) {
		struct table_slot *slot = &t->slots[at];

		if (table_key_equal(&slot->key, key))
			return &slot->half;
		if (!slot->key.proto)
			return NULL;
	}
}

#endif
