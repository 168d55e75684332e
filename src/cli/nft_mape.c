/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_mape.c - from ranges of ports back to the port set that they are
 *
 * A range of a set is A | PSID | 0...0 to A | PSID | 1...1, with a, k and m bits from the highest, and A > 0 (RFC 7597,
 * 5.1). The length of the ranges is 2^m. Given a, k is 16 - a - m, and each range votes for the PSID that it has then.
 *
 * A range that fits with some a fits with a larger one too, since the first bits of its PSID become part of its A. So
 * the ranges must fill the set: of 2^a - 1 ranges more than half must be there, which at most one a fulfils for the
 * same ranges. A few ranges may contradict: somebody mistyped a number among sixty.
 */
#include "nft_mape.h"

#include <stdlib.h>

#define PORT_BITS 16
#define MAJORITY_OF 4 /* blocks from which on a few may contradict */

unsigned int nft_mape_bits(const struct nft_mape *set)
{
	return PORT_BITS - set->offset - set->psid_len;
}

static u32 length_of(const struct nft_block *b)
{
	return (u32)b->hi - b->lo + 1;
}

/* The m of a block, or -1 where its length is no power of two or it begins at no multiple of it. */
static int bits_of(const struct nft_block *b)
{
	u32 length = length_of(b);
	int m = 0;

	while (1u << m < length)
		m++;
	return 1u << m == length && !(b->lo & (length - 1)) ? m : -1;
}

/* The m that most blocks have, or -1. */
static int bits_of_most(const struct nft_block *blocks, size_t n)
{
	size_t votes[PORT_BITS + 1] = {0};
	int most = -1;

	for (size_t i = 0; i < n; i++)
		if (bits_of(&blocks[i]) >= 0)
			votes[bits_of(&blocks[i])]++;
	for (int m = 0; m <= PORT_BITS; m++)
		if (votes[m] && (most < 0 || votes[m] > votes[most]))
			most = m;
	return most;
}

/* The PSID that most blocks have with this offset; set->there is how many. */
static void elect(const struct nft_block *blocks, size_t n, u32 *votes, struct nft_mape *set)
{
	unsigned int m = nft_mape_bits(set);
	u32 psids = 1u << set->psid_len;

	for (u32 i = 0; i < psids; i++)
		votes[i] = 0;
	set->there = 0;
	for (size_t i = 0; i < n; i++) {
		u32 psid = (u32)blocks[i].lo >> m & (psids - 1);

		if (bits_of(&blocks[i]) != (int)m || blocks[i].lo < 1u << (PORT_BITS - set->offset))
			continue;
		if (++votes[psid] > set->there) {
			set->there = votes[psid];
			set->psid = (u16)psid;
		}
	}
}

/* Whether the set is better than the best one before, which has a smaller offset. */
static bool better(const struct nft_mape *set, const struct nft_mape *best, size_t n)
{
	bool fills = 2 * set->there > set->whole, filled = 2 * best->there > best->whole;
	bool agreed = set->there == n || (n >= MAJORITY_OF && 4 * (size_t)set->there >= 3 * n);

	if (!agreed || (!fills && set->there < n))
		return false;
	if (!best->there)
		return true;
	return fills && (!filled || set->there > best->there);
}

bool nft_mape_deduce(const struct nft_block *blocks, size_t n, struct nft_mape *set)
{
	int m = n > 1 ? bits_of_most(blocks, n) : -1;
	u32 *votes = calloc(1u << PORT_BITS, sizeof(*votes));
	struct nft_mape best = {0};

	for (int a = 1; votes && m >= 0 && a + m < PORT_BITS; a++) {
		struct nft_mape one = {.offset = (u8)a, .psid_len = (u8)(PORT_BITS - a - m), .whole = (1u << a) - 1};

		elect(blocks, n, votes, &one);
		if (better(&one, &best, n))
			best = one;
	}
	free(votes);
	*set = best;
	return best.there > 0;
}

bool nft_mape_single(const struct nft_block *block, struct nft_mape *set)
{
	int m = bits_of(block);

	if (m < 0 || m == PORT_BITS)
		return false;
	*set = (struct nft_mape){
		.psid_len = (u8)(PORT_BITS - m), .psid = (u16)(block->lo >> m), .there = 1, .whole = 1};
	return true;
}
