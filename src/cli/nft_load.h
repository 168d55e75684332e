/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_load.h - a file with an nftables ruleset, as nftables itself understands it */
#ifndef PORTICO_CLI_NFT_LOAD_H
#define PORTICO_CLI_NFT_LOAD_H

#include "lib/err.h"

/* What 'nft -j -a list ruleset' and 'nft -s -a list ruleset' print once the file is loaded. */
struct nft_listing {
	char *memory; /* both; free() it */
	const char *json, *text;
};

/* Loads `file` into a network namespace of its own, which is gone afterwards: nftables parses, the kernel checks, and
 * the system's own ruleset is not touched. 0; or -errno with *err filled: for a faulty file, nftables' own words, which
 * begin with "FILE:LINE:". */
int nft_load(const char *file, struct nft_listing *listing, struct err *err);

#endif
