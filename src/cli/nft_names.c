/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_names.c - the interfaces that a ruleset names */
#include <string.h>

#include "nft_walk.h"

static bool is_one_of(json_t *names, const char *name)
{
	json_t *one;
	size_t i;

	json_array_foreach(names, i, one) {
		if (nft_is(one, name))
			return true;
	}
	return false;
}

/* A name that ends with a star is that of many. */
static bool names_one(const char *name)
{
	size_t length = name ? strlen(name) : 0;

	return length && length < IFNAMSIZ && name[length - 1] != '*' && strcmp(name, "lo");
}

/* The interfaces that are compared with the outgoing one, or with the incoming one as well. */
static void names_take(json_t *names, const struct nft_ruleset *rs, const struct nft_rule *rule, bool incoming)
{
	json_t *statement, *match, *items, *item;
	size_t i, j;

	json_array_foreach(rule->expr, i, statement) {
		json_t *left = nft_at(statement, "match", "left");

		match = json_object_get(statement, "match");
		if (nft_is(json_object_get(match, "op"), "!="))
			continue;
		if (!nft_is_key(left, "meta", "oifname") && !nft_is_key(left, "meta", "oif") &&
		    !(incoming && (nft_is_key(left, "meta", "iifname") || nft_is_key(left, "meta", "iif"))))
			continue;
		items = nft_elements(rs, rule, json_object_get(match, "right"));
		json_array_foreach(items, j, item) {
			const char *name = json_string_value(nft_element(item));

			if (names_one(name) && !is_one_of(names, name))
				json_array_append_new(names, json_string(name));
		}
		json_decref(items);
	}
}

/* Whether packets that are being translated may come to this rule: it stands in a NAT chain for what goes out, or in
 * one that is only jumped to. */
static bool of_nat(const struct nft_ruleset *rs, const struct nft_rule *rule)
{
	const struct nft_chain *c = nft_chain_find(rs, rule, rule->chain);

	return c && (!c->hook || (!strcmp(c->type, "nat") && !strcmp(c->hook, "postrouting")));
}

json_t *nft_outgoing_names(const struct nft_ruleset *rs)
{
	json_t *names = json_array();

	for (size_t i = 0; i < rs->nrules; i++)
		if (nft_rule_ipv4(&rs->rules[i]) && of_nat(rs, &rs->rules[i]))
			names_take(names, rs, &rs->rules[i], false);
	return names;
}

json_t *nft_all_names(const struct nft_ruleset *rs)
{
	json_t *names = json_array();

	for (size_t i = 0; i < rs->nrules; i++)
		if (nft_rule_ipv4(&rs->rules[i]))
			names_take(names, rs, &rs->rules[i], true);
	return names;
}
