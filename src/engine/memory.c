/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c - tables of a fixed size that forget the least recently used
 *
 * One kind of table for all: entries of key and value in a row, found by a chain of each hash, aged by a counter. What
 * is thrown out is the oldest of SAMPLE entries from where the last one was thrown out, which is enough where nobody
 * asks for the very oldest.
 */
#include "memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FRAGS 4096
#define DESTS 1024
#define SHARES 4096
#define SAMPLE 16
#define KEY_MAX 12

struct entry {
	u64 used; /* 0: free */
	u32 next; /* index + 1 in the chain, 0: the end */
	u8 key[KEY_MAX];
};

struct lru {
	u32 entries;
	u32 key_size, value_size;
	u32 filled; /* entries that have been used */
	u32 hand;
	u64 now;
	u32 *heads;
	struct entry *entry;
	u8 *values;
};

struct memory {
	struct lru frags, dests, shares;
	struct dest blank;
};

static bool lru_init(struct lru *l, u32 entries, u32 key_size, u32 value_size)
{
	l->entries = entries;
	l->key_size = key_size;
	l->value_size = value_size;
	l->heads = calloc(entries, sizeof(*l->heads));
	l->entry = calloc(entries, sizeof(*l->entry));
	l->values = calloc(entries, value_size);
	return l->heads && l->entry && l->values;
}

static void lru_exit(struct lru *l)
{
	free(l->heads);
	free(l->entry);
	free(l->values);
}

static void lru_clear(struct lru *l)
{
	memset(l->heads, 0, l->entries * sizeof(*l->heads));
	memset(l->entry, 0, l->entries * sizeof(*l->entry));
	l->filled = 0;
}

/* FNV-1a. */
static u32 *lru_head(struct lru *l, const void *key)
{
	const u8 *byte = key;
	u32 hash = 2166136261u;

	for (u32 i = 0; i < l->key_size; i++)
		hash = (hash ^ byte[i]) * 16777619u;
	return &l->heads[hash % l->entries];
}

static void *lru_value(struct lru *l, u32 index)
{
	return l->values + (size_t)index * l->value_size;
}

static void *lru_get(struct lru *l, const void *key)
{
	for (u32 at = *lru_head(l, key); at; at = l->entry[at - 1].next) {
		struct entry *e = &l->entry[at - 1];

		if (memcmp(e->key, key, l->key_size))
			continue;
		e->used = ++l->now;
		return lru_value(l, at - 1);
	}
	return NULL;
}

static u32 lru_oldest(struct lru *l)
{
	u32 best = l->hand;

	for (u32 i = 1; i < SAMPLE; i++) {
		u32 at = (l->hand + i) % l->entries;

		if (l->entry[at].used < l->entry[best].used)
			best = at;
	}
	l->hand = (l->hand + SAMPLE) % l->entries;
	return best;
}

/* The place of an entry, out of its chain. */
static u32 lru_take(struct lru *l)
{
	u32 at, *link;

	if (l->filled < l->entries)
		return l->filled++;
	at = lru_oldest(l);
	for (link = lru_head(l, l->entry[at].key); *link != at + 1; link = &l->entry[*link - 1].next)
		;
	*link = l->entry[at].next;
	return at;
}

/* The value of `key`, which is there from now on; `fresh` is what it begins with. */
static void *lru_make(struct lru *l, const void *key, const void *fresh)
{
	void *value = lru_get(l, key);
	u32 at, *head;

	if (value)
		return value;
	at = lru_take(l);
	head = lru_head(l, key);
	l->entry[at].next = *head;
	l->entry[at].used = ++l->now;
	memcpy(l->entry[at].key, key, l->key_size);
	*head = at + 1;
	return memcpy(lru_value(l, at), fresh, l->value_size);
}

struct memory *memory_new(void)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (m && lru_init(&m->frags, FRAGS, sizeof(struct frag_key), sizeof(struct frag)) &&
	    lru_init(&m->dests, DESTS, sizeof(struct dest_key), sizeof(struct dest)) &&
	    lru_init(&m->shares, SHARES, sizeof(struct share_key), sizeof(u32)))
		return m;
	memory_free(m);
	return NULL;
}

void memory_free(struct memory *m)
{
	if (!m)
		return;
	lru_exit(&m->frags);
	lru_exit(&m->dests);
	lru_exit(&m->shares);
	free(m);
}

void memory_blank(struct memory *m, const struct dest *blank)
{
	m->blank = *blank;
	lru_clear(&m->dests);
	lru_clear(&m->shares);
}

const struct frag *memory_frag_get(struct memory *m, const struct frag_key *key)
{
	return lru_get(&m->frags, key);
}

void memory_frag_put(struct memory *m, const struct frag_key *key, const struct frag *frag)
{
	memcpy(lru_make(&m->frags, key, frag), frag, sizeof(*frag));
}

struct dest *memory_dest_get(struct memory *m, const struct dest_key *key)
{
	return lru_get(&m->dests, key);
}

struct dest *memory_dest_make(struct memory *m, const struct dest_key *key)
{
	return lru_make(&m->dests, key, &m->blank);
}

u32 *memory_share(struct memory *m, const struct share_key *key)
{
	return lru_make(&m->shares, key, &(u32){0});
}
