/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_values.h - which values a mark can have: a set of numbers as intervals
 *
 * The intervals stand in order and neither touch nor overlap. Where there are too many of them, the set becomes larger
 * than it is, never smaller.
 */
#ifndef PORTICO_CLI_NFT_VALUES_H
#define PORTICO_CLI_NFT_VALUES_H

#include <jansson.h>
#include <stdbool.h>

#include "abi/types.h"

#define NFT_VALUES_MAX 256

struct nft_values {
	u32 n;
	struct {
		u32 lo, hi; /* both included */
	} at[NFT_VALUES_MAX];
};

void nft_values_add(struct nft_values *v, u32 lo, u32 hi);
void nft_values_join(struct nft_values *v, const struct nft_values *other);
/* Takes lo...hi away. */
void nft_values_cut(struct nft_values *v, u32 lo, u32 hi);
/* Leaves what is in `other` as well. */
void nft_values_keep(struct nft_values *v, const struct nft_values *other);
bool nft_values_meet(const struct nft_values *v, u32 lo, u32 hi);

/* A number, or a range of numbers, in JSON. -EINVAL where it is neither. */
int nft_values_key(json_t *key, u32 *lo, u32 *hi);

#endif
