/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_sort.c - what each rule is carried over as, or why it is not
 *
 * A rule is carried over when the configuration, or Portico as it is, does the same. The rules that translate are known
 * from the walk (nft_walk.c); those beside them are known by what they look like, whole: a statement or a comparison
 * more, and the rule is left to the person.
 */
#include <stdio.h>
#include <string.h>

#include "lib/addr.h"
#include "nft_plan.h"

#define CHOICE "choice of the range: Portico takes any port of the set that is free"

static bool is_own_name(const struct nft_plan *plan, json_t *left, json_t *right)
{
	static const char *const keys[] = {"iifname", "iif", "oifname", "oif"};
	bool names = false;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		names |= nft_is_key(left, "meta", keys[i]);
	return names && nft_is(right, plan->outgoing);
}

/* Comparisons that a rule about IPv6 inside the tunnel has. */
static bool of_ipv6(const struct nft_plan *plan, json_t *left, json_t *right)
{
	return is_own_name(plan, left, right) || (nft_is_key(left, "meta", "nfproto") && nft_is(right, "ipv6"));
}

/* Comparisons that a rule about the MSS has: which segments have one, and at which interface. */
static bool of_mss(const struct nft_plan *plan, json_t *left, json_t *right)
{
	json_t *masked = json_array_get(json_object_get(left, "&"), 0);

	return is_own_name(plan, left, right) || nft_is_field(left, "tcp", "flags") ||
	       nft_is_field(masked, "tcp", "flags") || (nft_is_key(left, "meta", "l4proto") && nft_is(right, "tcp")) ||
	       (nft_is_key(left, "meta", "nfproto") && nft_is(right, "ipv4"));
}

typedef bool comparison(const struct nft_plan *plan, json_t *left, json_t *right);

/* Whether the rule has no other comparisons than these, and no other statements than `kind` and counters. */
static bool is_only(const struct nft_plan *plan, const struct nft_rule *rule, const char *kind, comparison *allowed)
{
	json_t *statement, *body;
	size_t i;

	json_array_foreach(rule->expr, i, statement) {
		const char *name = nft_statement_kind(statement, &body);

		if (!strcmp(name, "counter") || !strcmp(name, kind))
			continue;
		if (strcmp(name, "match") || nft_is(json_object_get(body, "op"), "!=") || !allowed ||
		    !allowed(plan, json_object_get(body, "left"), json_object_get(body, "right")))
			return false;
	}
	return true;
}

/* The first comparison with this field of the IPv4 header; its right side. */
static json_t *compared_with(const struct nft_rule *rule, const char *field)
{
	json_t *statement;
	size_t i;

	json_array_foreach(rule->expr, i, statement) {
		json_t *match = json_object_get(statement, "match");

		if (nft_is_field(json_object_get(match, "left"), "ip", field) &&
		    nft_is(json_object_get(match, "op"), "=="))
			return json_object_get(match, "right");
	}
	return NULL;
}

/* A LAN's prefix. False where it is another than is known already. */
static bool prefix_take(struct nft_plan *plan, json_t *right)
{
	json_t *length = nft_at(right, "prefix", "len");
	const char *text = json_string_value(nft_at(right, "prefix", "addr"));
	be32 net;

	if (!text || !json_is_integer(length) || addr_parse(text, &net))
		return false;
	if (plan->prefix)
		return plan->prefix == net && plan->length == json_integer_value(length);
	plan->prefix = net;
	plan->length = (u8)json_integer_value(length);
	return true;
}

static bool of_addresses(const struct nft_plan *plan, json_t *left, json_t *right)
{
	(void)plan;
	(void)right;
	return nft_is_field(left, "ip", "saddr") || nft_is_field(left, "ip", "daddr");
}

/* "ip saddr LAN ip daddr ROUTER notrack", or the other way round: tells both. */
static bool notrack_take(struct nft_plan *plan, struct nft_rule *rule)
{
	json_t *from = compared_with(rule, "saddr"), *to = compared_with(rule, "daddr");
	json_t *lan = json_is_object(from) ? from : to, *host = lan == from ? to : from;
	be32 net;

	if (!json_is_string(host) || addr_parse(json_string_value(host), &net) || json_array_size(rule->expr) != 3 ||
	    !is_only(plan, rule, "notrack", of_addresses) || !prefix_take(plan, lan) ||
	    !addr_in(net, plan->prefix, plan->length) || (plan->router && plan->router != net))
		return false;
	plan->router = net;
	rule->as = "the LAN's address: what is for the router itself is Linux's";
	return true;
}

/* "tcp option maxseg size set ..." */
static bool mss_take(struct nft_plan *plan, struct nft_rule *rule)
{
	json_t *body = nft_statement(rule, "mangle");
	json_t *option = nft_at(body, "key", "tcp option"), *value = json_object_get(body, "value");

	if (!nft_is(json_object_get(option, "name"), "maxseg"))
		return false;
	if (json_is_integer(value)) {
		plan->mss = (u16)json_integer_value(value);
		rule->why = "a fixed MSS: Portico clamps to the path's MTU";
	} else if (nft_is_key(value, "rt", "mtu") && is_only(plan, rule, "mangle", of_mss)) {
		plan->mss_of_route = true;
		rule->as = "Portico clamps the MSS to the path's MTU";
	}
	return rule->as || rule->why;
}

static bool log_take(const struct nft_plan *plan, struct nft_rule *rule)
{
	if (!nft_statement(rule, "log"))
		return false;
	if (rule->reached == 1u << NFT_OTHER && is_only(plan, rule, "log", NULL))
		rule->as = "a log of protocols that are not translated: Portico counts them";
	else if (plan->map_e && strstr(rule->text, "ipv6") && is_only(plan, rule, "log", of_ipv6))
		rule->as = "a log of IPv6 inside the tunnel: Portico drops, counts and logs it";
	return rule->as != NULL;
}

/* A rule that translates, by what became of its ranges. */
static bool range_take(const struct nft_plan *plan, struct nft_rule *rule, const struct nft_ranges *ranges)
{
	bool any = false, foreign = false, odd = false;

	for (size_t i = 0; i < ranges->n; i++) {
		const struct nft_range *r = &ranges->at[i];

		if (r->rule != rule)
			continue;
		any = true;
		if (r->address != plan->address)
			foreign |= r->protocols != 0;
		else if (r->ported && !nft_ports_have(plan, r->lo, r->hi))
			odd |= r->protocols != 0;
		else if (r->protocols)
			rule->as = "translation";
		else if (r->ported && !rule->as)
			rule->as = "reserve: no packet reaches it";
	}
	if (foreign)
		rule->why = "translates to another address";
	else if (odd)
		rule->why = "its range is none of the port set's";
	else if (any && !rule->as && !rule->why)
		rule->why = "no packet of a LAN to the outgoing interface reaches it";
	return rule->as || rule->why;
}

static bool uses_mark(const struct nft_rule *rule)
{
	json_t *statement;
	size_t i;

	if (nft_variable_of(json_object_get(nft_statement(rule, "vmap"), "key")) != NFT_VARIABLES)
		return true;
	json_array_foreach(rule->expr, i, statement) {
		if (nft_variable_of(nft_at(statement, "match", "left")) != NFT_VARIABLES)
			return true;
	}
	return false;
}

/* Whether a mark decides about translation. */
static bool marks_matter(const struct nft_ruleset *rs, const struct nft_ranges *ranges)
{
	for (size_t i = 0; i < ranges->n; i++)
		if (ranges->at[i].protocols && nft_variable_of(ranges->at[i].selector) != NFT_VARIABLES)
			return true;
	for (size_t i = 0; i < rs->nrules; i++)
		if (rs->rules[i].leads && uses_mark(&rs->rules[i]))
			return true;
	return false;
}

/* In words, the first that there is. */
static void choice_take(struct nft_plan *plan, json_t *expr)
{
	const char *name, *mode;
	json_t *numbers = nft_generator(expr, &name);

	if (!numbers || *plan->choice)
		return;
	mode = json_string_value(json_object_get(numbers, "mode"));
	snprintf(plan->choice, sizeof(plan->choice), "%s%s%s mod %ld offset %ld", name, mode ? " " : "",
		 mode ? mode : "", (long)json_integer_value(json_object_get(numbers, "mod")),
		 (long)json_integer_value(json_object_get(numbers, "offset")));
}

/* A rule on the way to translation. */
static bool way_take(struct nft_plan *plan, struct nft_rule *rule, bool marks)
{
	json_t *mangle = nft_statement(rule, "mangle");
	bool marking = marks && rule->reached && nft_variable_of(json_object_get(mangle, "key")) != NFT_VARIABLES;

	if (!rule->leads && !marking)
		return false;
	rule->as = CHOICE;
	choice_take(plan, json_object_get(mangle, "value"));
	choice_take(plan, json_object_get(nft_statement(rule, "vmap"), "key"));
	if (rule->vague)
		rule->why = "what it sets the mark to cannot be followed: every value is taken as possible";
	return true;
}

/* Why a rule of this kind is left, by its first statement of the list. */
static const struct {
	const char *kind, *why;
} reasons[] = {
	{"dnat", "a forward to a host of the LAN: not imported; its port must be in reserve"},
	{"redirect", "a forward to the router: not imported; its port must be in reserve"},
	{"notrack", "not about a LAN and its router's own address"},
	{"drop", "a filter: what Portico forwards does not pass nftables"},
	{"reject", "a filter: what Portico forwards does not pass nftables"},
	{"accept", "part of a filter, or an exemption: what Portico forwards does not pass nftables"},
	{"return", "part of a filter, or an exemption: what Portico forwards does not pass nftables"},
	{"jump", "what Portico forwards does not pass nftables"},
	{"goto", "what Portico forwards does not pass nftables"},
	{"vmap", "what Portico forwards does not pass nftables"},
	{"log", "a log with no counterpart"},
	{"flow", "a flow table of nftables: Portico has its own"},
};

static const char *reason_of(const struct nft_rule *rule)
{
	if (!nft_rule_ipv4(rule))
		return "not IPv4: it stays with nftables";
	if (nft_variable_of(json_object_get(nft_statement(rule, "mangle"), "key")) != NFT_VARIABLES)
		return "sets a mark that does not decide about translation";
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (nft_statement(rule, reasons[i].kind))
			return reasons[i].why;
	return "no counterpart";
}

static void rule_sort(struct nft_plan *plan, struct nft_rule *rule, const struct nft_ranges *ranges, bool marks)
{
	json_t *from = compared_with(rule, "saddr");
	bool translates = range_take(plan, rule, ranges) || way_take(plan, rule, marks);
	bool beside = !translates && nft_rule_ipv4(rule) &&
		      (notrack_take(plan, rule) || mss_take(plan, rule) || log_take(plan, rule));

	if (!translates && !beside)
		rule->why = reason_of(rule);
	else if (translates && !rule->why && rule->conditional)
		rule->why = "carried over without its condition: Portico translates all that leaves by the WAN";
	if (rule->leads && json_is_object(from) && !prefix_take(plan, from))
		nft_note(plan, "the rules name several prefixes of LANs: write a [lan NAME] section for each");
}

/* The interface that is no outgoing one, if there is one alone. */
static void lan_find(struct nft_plan *plan, const struct nft_ruleset *rs)
{
	json_t *names = nft_all_names(rs), *name;
	size_t i, n = 0;

	json_array_foreach(names, i, name) {
		if (!nft_is(name, plan->outgoing) && !n++)
			snprintf(plan->lan, sizeof(plan->lan), "%s", json_string_value(name));
	}
	if (n > 1) {
		*plan->lan = '\0';
		nft_note(plan, "the rules name several other interfaces: say with --lan which is the LAN's");
	}
	json_decref(names);
}

void nft_sort(struct nft_plan *plan, struct nft_ruleset *rs, const struct nft_ranges *ranges)
{
	bool marks = marks_matter(rs, ranges);

	for (size_t i = 0; i < rs->nrules; i++)
		rule_sort(plan, &rs->rules[i], ranges, marks);
	if (!plan->said->lan)
		lan_find(plan, rs);
	if (plan->mss)
		nft_note(plan, "the ruleset sets the MSS to %u, which is that of an MTU of %u%s", plan->mss,
			 plan->mss + 40u + (plan->map_e ? 40u : 0u), plan->map_e ? " below the tunnel" : "");
}
