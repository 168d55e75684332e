/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_mape.h - from ranges of ports back to the port set that they are */
#ifndef PORTICO_CLI_NFT_MAPE_H
#define PORTICO_CLI_NFT_MAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/types.h"

/* A range of ports that the ruleset names. */
struct nft_block {
	u16 lo, hi;
	unsigned int protocols; /* that reach it, 1 << enum nft_protocol; 0: none */
};

/* A port set (RFC 7597, 5.1): 2^offset - 1 ranges, or one where the offset is 0. */
struct nft_mape {
	u8 offset, psid_len;
	u16 psid;
	u32 there, whole; /* ranges of the set that were given, and that the set has */
};

/* The port set that the blocks, all different, are the ranges of, or all but a few of them. Two blocks at least are
 * needed. False where there is none with a PSID. Where less than half of a set's ranges are given, larger offsets with
 * a shorter PSID would fit as well: the result has the smallest. */
bool nft_mape_deduce(const struct nft_block *blocks, size_t n, struct nft_mape *set);

/* The set that is this one block, with offset 0. False where the block's size or place allow none. */
bool nft_mape_single(const struct nft_block *block, struct nft_mape *set);

/* Bits of a port behind the PSID, for a set that has one. */
unsigned int nft_mape_bits(const struct nft_mape *set);

#endif
