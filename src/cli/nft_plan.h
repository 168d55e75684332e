/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_plan.h - what a ruleset does for a home, in the terms of a Portico configuration */
#ifndef PORTICO_CLI_NFT_PLAN_H
#define PORTICO_CLI_NFT_PLAN_H

#include <net/if.h>

#include "lib/err.h"
#include "nft_mape.h"
#include "nft_walk.h"

/* What the person said that the ruleset does not; NULL where nothing. */
struct nft_said {
	const char *file;
	const char *outgoing; /* of several interfaces, the one that is meant */
	const char *lan, *wan;
	const char *relay, *address6; /* of the tunnel */
};

struct nft_plan {
	const struct nft_said *said;
	char outgoing[IFNAMSIZ]; /* interface that translated packets leave by; "": the ruleset does not say */
	char lan[IFNAMSIZ];	 /* ""; also where it names several */
	be32 prefix, router;	 /* of the LAN; 0: not known */
	u8 length;
	be32 address; /* that packets are translated to; 0: the interface's own */
	bool map_e;
	struct nft_mape set; /* with map_e; psid_len 0: the address is not shared */
	u16 lo, hi;	     /* without map_e; 0: the ruleset names no ports */
	size_t nblocks, nreserve;
	struct nft_block *blocks;  /* ranges of the address that the ruleset names, all different, in order */
	struct nft_block *reserve; /* ports of the set that no packet can get */
	char choice[64];	   /* what chooses the range; "": nothing */
	bool mss_of_route;
	u16 mss;       /* 0: no fixed one */
	json_t *notes; /* what the person must know */
};

/* Makes the plan, and notes in the rules what they are carried over as, or why they are not. 0; or -errno with *err
 * filled: -ENOENT where the ruleset has nothing to carry over, -ENOTUNIQ where the person must choose. */
int nft_plan_make(struct nft_plan *plan, struct nft_ruleset *rs, const struct nft_said *said, struct err *err);
void nft_plan_free(struct nft_plan *plan);

/* Adds a note that is not there yet. */
void nft_note(struct nft_plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* nft_ports.c: address, blocks, port set and reserve, from the ranges that were reached. As nft_plan_make(). */
int nft_ports_plan(struct nft_plan *plan, const struct nft_ranges *ranges, struct err *err);
/* Whether the set, whose reserved ports are part of it, has all of these as neighbours. */
bool nft_ports_have(const struct nft_plan *plan, u16 lo, u16 hi);

/* nft_sort.c: what each rule is carried over as, and LAN and MSS from the rules beside the translating ones. */
void nft_sort(struct nft_plan *plan, struct nft_ruleset *rs, const struct nft_ranges *ranges);

#endif
