/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_ruleset.h - a ruleset as nftables' JSON has it: its chains and rules in order, its sets and maps by name */
#ifndef PORTICO_CLI_NFT_RULESET_H
#define PORTICO_CLI_NFT_RULESET_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "nft_load.h"

struct nft_chain {
	const char *family, *table, *name;
	const char *type, *hook, *policy; /* NULL in a chain that is only jumped to; policy may be NULL */
	int priority;
};

/* A rule, and what became of it. A rule with both `as` and `why` is carried over in part. */
struct nft_rule {
	const char *family, *table, *chain, *text;
	json_int_t handle;
	json_t *expr;
	unsigned int
		reached;  /* protocols of packets that its statements are for, 1 << enum nft_protocol (nft_walk.c) */
	bool leads;	  /* on the way of a packet that is translated (nft_walk.c) */
	bool conditional; /* has a condition that only some packets of the LAN fulfil (nft_match.c) */
	bool vague;	  /* sets a mark to what cannot be followed (nft_walk.c) */
	const char *as;	  /* what it is carried over as (nft_sort.c) */
	const char *why;  /* why it is not (nft_sort.c) */
};

struct nft_ruleset {
	json_t *root, *objects, *texts;
	size_t nchains, nrules;
	struct nft_chain *chains; /* base chains in the order of their priorities */
	struct nft_rule *rules;	  /* in the order of their chains */
};

/* 0, or -errno with *err filled. */
int nft_ruleset_read(struct nft_ruleset *rs, const struct nft_listing *listing, struct err *err);
void nft_ruleset_free(struct nft_ruleset *rs);

/* The chain that `rule` stands in, or another one of its table. NULL where there is none. */
const struct nft_chain *nft_chain_find(const struct nft_ruleset *rs, const struct nft_rule *rule, const char *name);

/* Elements of the right side of a comparison, or of a map, as an array: a single value, a set in the rule, or a set
 * with a name ("@name"). A new reference, never NULL; empty where the set is not there. */
json_t *nft_elements(const struct nft_ruleset *rs, const struct nft_rule *rule, json_t *value);

/* An element without what is around it, such as its counter. */
json_t *nft_element(json_t *element);

/* Whether IPv4 packets come to the rule's table. */
bool nft_rule_ipv4(const struct nft_rule *rule);

/* The body of the rule's first statement of this kind, NULL where there is none; JSON null is a body. */
json_t *nft_statement(const struct nft_rule *rule, const char *kind);

/* Name and body of a statement. */
const char *nft_statement_kind(json_t *statement, json_t **body);

/* A value below several names: nft_at(left, "payload", "field"). NULL where it is not there. */
json_t *nft_at(json_t *value, const char *outer, const char *inner);

/* Whether the value is this text. */
bool nft_is(json_t *value, const char *text);

/* Whether `expr` is this key of packet ("meta", "mark") or header ("ip", "saddr"). */
bool nft_is_key(json_t *expr, const char *of, const char *key);
bool nft_is_field(json_t *expr, const char *protocol, const char *field);

#endif
