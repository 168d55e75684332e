/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_test.c - the arithmetic of `portico import nft`: port sets found again, and sets of mark values */
#include "../check.h"

#include <stdlib.h>

#include "cli/nft_mape.h"
#include "cli/nft_values.h"

#define BLOCKS_MAX 16384

static struct nft_block blocks[BLOCKS_MAX];

/* The ranges of a port set, as RFC 7597, 5.1 draws a port: A, PSID, others. */
static size_t blocks_of(unsigned int a, unsigned int k, unsigned int psid)
{
	unsigned int m = 16 - a - k;
	size_t n = 0;

	for (unsigned int first = 1; first < 1u << a; first++) {
		unsigned int lo = (first << k | psid) << m;

		blocks[n++] = (struct nft_block){(u16)lo, (u16)(lo + (1u << m) - 1), 1};
	}
	return n;
}

static void set_is(const struct nft_mape *set, unsigned int a, unsigned int k, unsigned int psid)
{
	CHECK_EQ(set->offset, a);
	CHECK_EQ(set->psid_len, k);
	CHECK_EQ(set->psid, psid);
}

/* From all of the set's ranges; from all with one mistyped; from three fifths of them. */
static void found_again(unsigned int a, unsigned int k, unsigned int psid)
{
	size_t n = blocks_of(a, k, psid), left = 0;
	struct nft_mape set;

	check_context("offset %u psid-len %u psid %u", a, k, psid);
	CHECK(nft_mape_deduce(blocks, n, &set));
	set_is(&set, a, k, psid);
	CHECK_EQ(set.there, set.whole);
	if (n >= 15 && k < 16 - a) {
		blocks[n / 2].lo++;
		CHECK(nft_mape_deduce(blocks, n, &set));
		set_is(&set, a, k, psid);
		CHECK_EQ(set.there, set.whole - 1);
		blocks[n / 2].lo--;
	}
	for (size_t i = 0; i < n; i++)
		if (i % 5 != 1 && i % 5 != 3)
			blocks[left++] = blocks[i];
	if (left < 2 || 2 * left <= n)
		return;
	CHECK(nft_mape_deduce(blocks, left, &set));
	set_is(&set, a, k, psid);
	CHECK_EQ(set.there, left);
}

static void sets_test(void)
{
	for (unsigned int a = 2; a <= 14; a++)
		for (unsigned int k = 1; a + k <= 16; k++)
			for (int i = 0; i < 4; i++)
				found_again(a, k, (unsigned int)rand() & ((1u << k) - 1));
}

static void no_sets_test(void)
{
	static const struct nft_block lengths[] = {{1000, 1099, 1}, {2000, 2099, 1}};
	static const struct nft_block apart[] = {{1024, 1039, 1}, {1040, 1055, 1}};
	static const struct nft_block whole = {16384, 24575, 1}, odd = {1000, 1015, 1};
	struct nft_mape set;

	check_context("no set");
	CHECK(!nft_mape_deduce(lengths, 2, &set));
	CHECK(!nft_mape_deduce(apart, 2, &set));
	CHECK(!nft_mape_deduce(&whole, 1, &set));
	CHECK(!nft_mape_single(&odd, &set));
	CHECK(nft_mape_single(&whole, &set));
	set_is(&set, 0, 3, 2);
}

#define NUMBERS 700u

/* The same random steps on a set and on a list of truth values. */
static void values_test(void)
{
	static bool model[NUMBERS];
	struct nft_values v = {0}, other = {0};
	unsigned int wrong = 0;

	check_context("values");
	nft_values_add(&other, 100, 300);
	nft_values_add(&other, 500, 0xffffffff);
	for (int step = 0; step < 20000; step++) {
		u32 lo = (u32)rand() % NUMBERS, hi = lo + (u32)rand() % 12;
		int what = rand() % 40;

		hi = hi < NUMBERS ? hi : NUMBERS - 1;
		if (what < 20)
			nft_values_add(&v, lo, hi);
		else if (what < 39)
			nft_values_cut(&v, lo, hi);
		else
			nft_values_keep(&v, &other);
		for (u32 i = 0; i < NUMBERS; i++) {
			if (what == 39)
				model[i] &= (i >= 100 && i <= 300) || i >= 500;
			else if (i >= lo && i <= hi)
				model[i] = what < 20;
			wrong += nft_values_meet(&v, i, i) != model[i];
		}
		for (u32 i = 1; i < v.n; i++)
			wrong += v.at[i].lo <= v.at[i - 1].hi + 1;
	}
	CHECK_EQ(wrong, 0);
}

/* Every other number: too many intervals. The set must have them all the same. */
static void full_test(void)
{
	struct nft_values v = {0};
	unsigned int missing = 0;

	check_context("full");
	for (u32 i = 0; i < 2 * NFT_VALUES_MAX + 20; i += 2)
		nft_values_add(&v, i, i);
	nft_values_cut(&v, 5, 5);
	for (u32 i = 0; i < 2 * NFT_VALUES_MAX + 20; i += 2)
		missing += !nft_values_meet(&v, i, i);
	CHECK_EQ(missing, 0);
	CHECK(v.n <= NFT_VALUES_MAX);
}

int main(void)
{
	srand(1);
	sets_test();
	no_sets_test();
	values_test();
	full_test();
	return check_summary("cli-nft");
}
