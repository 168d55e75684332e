/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_report.c - a plan made from a ruleset, as JSON and in words */
#include "lib/addr.h"
#include "nft_write.h"

static json_t *address_json(be32 address)
{
	char text[ADDR_TEXT];

	return address ? json_string(addr_print(text, address)) : json_null();
}

static json_t *name_json(const char *name)
{
	return name && *name ? json_string(name) : json_null();
}

static json_t *lan_json(const struct nft_plan *plan)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "interface", name_json(plan->said->lan ? plan->said->lan : plan->lan),
			 "prefix", address_json(plan->prefix), "length",
			 plan->prefix ? json_integer(plan->length) : json_null(), "router", address_json(plan->router));
}

/* Whether there is another set that the same ranges would be of. */
static bool determined(const struct nft_plan *plan)
{
	return !plan->set.psid_len || (plan->set.offset && 2 * plan->set.there > plan->set.whole);
}

static json_t *set_json(const struct nft_plan *plan)
{
	const struct nft_mape *s = &plan->set;

	if (!plan->map_e)
		return json_null();
	return json_pack("{s:i, s:i, s:i, s:b, s:i, s:i}", "offset", s->offset, "psid_len", s->psid_len, "psid",
			 s->psid, "determined", determined(plan), "ranges", (int)s->whole, "ranges_named",
			 (int)s->there);
}

static json_t *ports_json(const struct nft_plan *plan)
{
	return plan->lo && !plan->map_e ? json_pack("[i, i]", plan->lo, plan->hi) : json_null();
}

static json_t *reserve_json(const struct nft_plan *plan)
{
	json_t *list = json_array();

	for (size_t i = 0; i < plan->nreserve; i++)
		json_array_append_new(list, json_pack("[i, i]", plan->reserve[i].lo, plan->reserve[i].hi));
	return list;
}

/* How many ranges each protocol can get. */
static json_t *protocols_json(const struct nft_plan *plan)
{
	json_t *object = json_object();

	for (int p = 0; p < NFT_OTHER; p++) {
		json_int_t n = 0;

		for (size_t i = 0; i < plan->nblocks; i++)
			n += plan->blocks[i].protocols >> p & 1;
		json_object_set_new(object, nft_protocol_names[p], json_integer(n));
	}
	return object;
}

static json_t *mss_json(const struct nft_plan *plan)
{
	return plan->mss ? json_integer(plan->mss) : plan->mss_of_route ? json_string("route") : json_null();
}

static json_t *rule_json(const struct nft_rule *r)
{
	return json_pack("{s:s, s:s, s:s, s:I, s:s, s:o, s:o}", "family", r->family, "table", r->table, "chain",
			 r->chain, "handle", r->handle, "text", r->text, "carried_as", name_json(r->as), "why_not",
			 name_json(r->why));
}

json_t *nft_json(const struct nft_plan *plan, const struct nft_ruleset *rs)
{
	json_t *rules = json_array();

	for (size_t i = 0; i < rs->nrules; i++)
		json_array_append_new(rules, rule_json(&rs->rules[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:O, s:o}", "file", plan->said->file,
			 "kind", plan->map_e ? "map-e" : "nat44", "outgoing", name_json(plan->outgoing), "lan",
			 lan_json(plan), "address", address_json(plan->address), "port_set", set_json(plan), "ports",
			 ports_json(plan), "reserve", reserve_json(plan), "ranges_of", protocols_json(plan), "choice",
			 name_json(plan->choice), "mss", mss_json(plan), "notes", plan->notes, "rules", rules);
}

void nft_report(FILE *to, const struct nft_plan *plan, const struct nft_ruleset *rs)
{
	json_t *note;
	size_t i;

	json_array_foreach(plan->notes, i, note)
		fprintf(to, "portico: note: %s\n", json_string_value(note));
	for (i = 0; i < rs->nrules; i++) {
		const struct nft_rule *r = &rs->rules[i];

		if (r->why)
			fprintf(to, "portico: not carried over: %s %s %s handle %ld: %s (%s)\n", r->family, r->table,
				r->chain, (long)r->handle, r->text, r->why);
	}
}
