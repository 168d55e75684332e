/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_walk.h - which way a ruleset takes the home's packets, and which ports they can get on it */
#ifndef PORTICO_CLI_NFT_WALK_H
#define PORTICO_CLI_NFT_WALK_H

#include <net/if.h>

#include "abi/types.h"
#include "nft_ruleset.h"
#include "nft_values.h"

/* The protocols that Portico translates, and one more that stands for all others. */
enum nft_protocol {
	NFT_TCP,
	NFT_UDP,
	NFT_ICMP,
	NFT_UDPLITE,
	NFT_SCTP,
	NFT_DCCP,
	NFT_OTHER,
	NFT_PROTOCOLS,
};

#define NFT_TRANSLATED ((1u << NFT_OTHER) - 1) /* all but NFT_OTHER, as bits */

extern const char *const nft_protocol_names[NFT_PROTOCOLS];

/* What a rule translates to: one address, and ports of it. A rule with a map has several. */
struct nft_range {
	struct nft_rule *rule;
	json_t *selector, *key; /* of a map: reached when the selector's value is in the key; NULL without one */
	be32 address;		/* 0: the interface's own */
	u16 lo, hi;		/* 0 and 65535 where none are named */
	bool ported;
	unsigned int protocols; /* that reach it, 1 << enum nft_protocol */
};

struct nft_ranges {
	size_t n, room;
	struct nft_range *at;
};

/* Every range that a rule of the ruleset names, reached or not. Rules whose target is not understood get a `why`. 0, or
 * -ENOMEM. */
int nft_ranges_scan(struct nft_ranges *ranges, struct nft_ruleset *rs);

/* nft_names.c: names of interfaces that NAT rules compare the outgoing one with, and that any rules compare with. New
 * arrays of strings. */
json_t *nft_outgoing_names(const struct nft_ruleset *rs);
json_t *nft_all_names(const struct nft_ruleset *rs);

/* What packets can be, as far as it matters: values of the packet mark and the connection mark. No packet, where the
 * first has no value. */
enum nft_variable {
	NFT_MARK,
	NFT_CT_MARK,
	NFT_VARIABLES
};

struct nft_state {
	struct nft_values var[NFT_VARIABLES];
};

/* A packet of the home on its way out. */
struct nft_packet {
	const struct nft_ruleset *rs;
	const char *outgoing; /* interface; "": any */
	enum nft_protocol protocol;
	bool routed; /* the outgoing interface is known at this hook */
};

bool nft_state_empty(const struct nft_state *s);
void nft_state_join(struct nft_state *s, const struct nft_state *other);

/* The variable that `expr` is, NFT_VARIABLES where it is none. */
enum nft_variable nft_variable_of(json_t *expr);

/* "numgen inc mod 61 offset 2", which is 2 to 62, or a hash, which has the same arithmetic: its numbers and its name.
 * NULL where `expr` is something else. */
json_t *nft_generator(json_t *expr, const char **name);

/* The values that `expr` (a mark, numgen, a hash) can have. false where that is not known: then all. */
bool nft_values_of(const struct nft_state *s, json_t *expr, struct nft_values *values);

/* Parts `yes` by a rule's comparison: what does not fulfil it goes to `rest`; what may or may not, to both. Notes in
 * the rule when it is `conditional`. */
void nft_match(const struct nft_packet *p, struct nft_rule *rule, json_t *match, struct nft_state *yes,
	       struct nft_state *rest);

/* Walks the first packet of a connection, of each protocol, with each mark that it can have, from a LAN to `outgoing`
 * ("": any interface), and notes in ranges and rules what is reached. Returns how many ranges are. */
size_t nft_walk(struct nft_ruleset *rs, struct nft_ranges *ranges, const char *outgoing);

#endif
