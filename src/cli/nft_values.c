/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_values.c - which values a mark can have: a set of numbers as intervals */
#include "nft_values.h"

#include <errno.h>
#include <string.h>

#define LARGEST 0xffffffffu

static void put(struct nft_values *v, u32 at, u32 lo, u32 hi)
{
	memmove(&v->at[at + 1], &v->at[at], (v->n - at) * sizeof(*v->at));
	v->at[at].lo = lo;
	v->at[at].hi = hi;
	v->n++;
}

static void remove_at(struct nft_values *v, u32 at)
{
	v->n--;
	memmove(&v->at[at], &v->at[at + 1], (v->n - at) * sizeof(*v->at));
}

void nft_values_add(struct nft_values *v, u32 lo, u32 hi)
{
	u32 i = 0;

	while (i < v->n && v->at[i].hi < LARGEST && v->at[i].hi + 1 < lo)
		i++;
	/* everything that it overlaps or touches becomes one with it */
	while (i < v->n && (hi == LARGEST || v->at[i].lo <= hi + 1)) {
		lo = v->at[i].lo < lo ? v->at[i].lo : lo;
		hi = v->at[i].hi > hi ? v->at[i].hi : hi;
		remove_at(v, i);
	}
	if (v->n == NFT_VALUES_MAX) {
		v->n = i = 0;
		lo = 0;
		hi = LARGEST;
	}
	put(v, i, lo, hi);
}

void nft_values_join(struct nft_values *v, const struct nft_values *other)
{
	for (u32 i = 0; i < other->n; i++)
		nft_values_add(v, other->at[i].lo, other->at[i].hi);
}

void nft_values_cut(struct nft_values *v, u32 lo, u32 hi)
{
	for (u32 i = 0; i < v->n; i++) {
		u32 from = v->at[i].lo, to = v->at[i].hi;

		if (to < lo || from > hi)
			continue;
		if (from >= lo && to <= hi) {
			remove_at(v, i--);
		} else if (from >= lo) {
			v->at[i].lo = hi + 1;
		} else if (to <= hi) {
			v->at[i].hi = lo - 1;
		} else if (v->n < NFT_VALUES_MAX) {
			v->at[i].hi = lo - 1;
			put(v, i + 1, hi + 1, to);
		}
	}
}

void nft_values_keep(struct nft_values *v, const struct nft_values *other)
{
	u32 from = 0;

	for (u32 i = 0; i < other->n; i++) {
		if (other->at[i].lo > from)
			nft_values_cut(v, from, other->at[i].lo - 1);
		if (other->at[i].hi == LARGEST)
			return;
		from = other->at[i].hi + 1;
	}
	nft_values_cut(v, from, LARGEST);
}

bool nft_values_meet(const struct nft_values *v, u32 lo, u32 hi)
{
	for (u32 i = 0; i < v->n; i++)
		if (v->at[i].lo <= hi && v->at[i].hi >= lo)
			return true;
	return false;
}

int nft_values_key(json_t *key, u32 *lo, u32 *hi)
{
	json_t *range = json_object_get(key, "range");
	json_t *first = range ? json_array_get(range, 0) : key, *last = range ? json_array_get(range, 1) : key;

	if (!json_is_integer(first) || !json_is_integer(last))
		return -EINVAL;
	*lo = (u32)json_integer_value(first);
	*hi = (u32)json_integer_value(last);
	return 0;
}
