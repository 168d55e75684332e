/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_write.h - a plan made from a ruleset, as a configuration, as JSON, and in words */
#ifndef PORTICO_CLI_NFT_WRITE_H
#define PORTICO_CLI_NFT_WRITE_H

#include <stdio.h>

#include "nft_plan.h"

/* nft_write.c: the configuration. What the ruleset does not say stands there as a comment to fill in. */
void nft_write(FILE *to, const struct nft_plan *plan, const struct nft_ruleset *rs);

/* nft_report.c: what was found. NULL without memory. */
json_t *nft_json(const struct nft_plan *plan, const struct nft_ruleset *rs);
/* The notes, and each rule that is not carried over. */
void nft_report(FILE *to, const struct nft_plan *plan, const struct nft_ruleset *rs);

#endif
