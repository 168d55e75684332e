/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_match.c - whether a comparison in a rule holds for a packet of the home that goes out
 *
 * Of such a packet the protocol and the outgoing interface are known, and that it is IPv4 and the first of its
 * connection. Its marks are a set of values, which a comparison parts exactly. All else may or may not hold.
 */
#include <string.h>

#include "nft_walk.h"

enum outcome {
	NO,
	MAYBE,
	YES
};

static const struct {
	const char *name;
	json_int_t number;
} protocols[NFT_PROTOCOLS] = {
	[NFT_TCP] = {"tcp", 6},		  [NFT_UDP] = {"udp", 17},    [NFT_ICMP] = {"icmp", 1},
	[NFT_UDPLITE] = {"udplite", 136}, [NFT_SCTP] = {"sctp", 132}, [NFT_DCCP] = {"dccp", 33},
	[NFT_OTHER] = {"", -1},
};

const char *const nft_protocol_names[NFT_PROTOCOLS] = {"tcp", "udp", "icmp", "udplite", "sctp", "dccp", "other"};

bool nft_state_empty(const struct nft_state *s)
{
	return !s->var[NFT_MARK].n;
}

void nft_state_join(struct nft_state *s, const struct nft_state *other)
{
	if (nft_state_empty(other))
		return;
	for (int i = 0; i < NFT_VARIABLES; i++)
		nft_values_join(&s->var[i], &other->var[i]);
}

enum nft_variable nft_variable_of(json_t *expr)
{
	return nft_is_key(expr, "meta", "mark") ? NFT_MARK
	       : nft_is_key(expr, "ct", "mark") ? NFT_CT_MARK
						: NFT_VARIABLES;
}

json_t *nft_generator(json_t *expr, const char **name)
{
	static const char *const names[] = {"numgen", "jhash", "symhash"};
	json_t *body = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !body; i++) {
		body = json_object_get(expr, names[i]);
		*name = names[i];
	}
	return body;
}

bool nft_values_of(const struct nft_state *s, json_t *expr, struct nft_values *values)
{
	enum nft_variable variable = nft_variable_of(expr);
	const char *name;
	json_t *numbers = nft_generator(expr, &name);
	json_int_t mod = json_integer_value(json_object_get(numbers, "mod"));
	json_int_t offset = json_integer_value(json_object_get(numbers, "offset"));
	u32 lo, hi;

	values->n = 0;
	if (variable != NFT_VARIABLES) {
		*values = s->var[variable];
		return true;
	}
	if (mod > 0 && offset >= 0 && offset + mod - 1 <= 0xffffffff) {
		nft_values_add(values, (u32)offset, (u32)(offset + mod - 1));
		return true;
	}
	if (!nft_values_key(expr, &lo, &hi)) {
		nft_values_add(values, lo, hi);
		return true;
	}
	nft_values_add(values, 0, 0xffffffff);
	return false;
}

/* A name may end with a star for what follows. */
static enum outcome interface_is(const char *known, json_t *item)
{
	const char *name = json_string_value(item);
	size_t length = name ? strlen(name) : 0;

	if (!name || !*known)
		return MAYBE;
	if (length && name[length - 1] == '*')
		return strncmp(known, name, length - 1) ? NO : YES;
	return strcmp(known, name) ? NO : YES;
}

/* Of a protocol's name or number. */
static enum outcome protocol_is(const struct nft_packet *p, json_t *item)
{
	for (int i = 0; i < NFT_OTHER; i++)
		if (nft_is(item, protocols[i].name) ||
		    (json_is_integer(item) && json_integer_value(item) == protocols[i].number))
			return (int)p->protocol == i ? YES : NO;
	return p->protocol == NFT_OTHER ? MAYBE : NO;
}

/* A field of a header: whether the packet has such a header at all. */
static enum outcome header_there(const struct nft_packet *p, const char *protocol)
{
	if (!strcmp(protocol, "ip6") || !strcmp(protocol, "icmpv6"))
		return NO;
	for (int i = 0; i < NFT_OTHER; i++)
		if (!strcmp(protocol, protocols[i].name) && (int)p->protocol != i)
			return NO;
	return MAYBE;
}

/* The comparison with one element. */
static enum outcome element_is(const struct nft_packet *p, json_t *left, json_t *item)
{
	if (nft_is_key(left, "meta", "oifname") || nft_is_key(left, "meta", "oif"))
		return p->routed ? interface_is(p->outgoing, item) : MAYBE;
	if (nft_is_key(left, "meta", "iifname") || nft_is_key(left, "meta", "iif")) /* it comes from elsewhere */
		return interface_is(p->outgoing, item) == YES ? NO : MAYBE;
	if (nft_is_key(left, "meta", "l4proto") || nft_is_field(left, "ip", "protocol"))
		return protocol_is(p, item);
	if (nft_is_key(left, "meta", "nfproto"))
		return nft_is(item, "ipv4") ? YES : NO;
	if (nft_is_key(left, "meta", "protocol"))
		return nft_is(item, "ip") ? YES : NO;
	if (nft_is_key(left, "ct", "state"))
		return nft_is(item, "new") ? YES : NO;
	return MAYBE;
}

static enum outcome any_is(const struct nft_packet *p, const struct nft_rule *rule, json_t *left, json_t *right)
{
	json_t *items = nft_elements(p->rs, rule, right), *item;
	enum outcome best = NO;
	size_t i;

	json_array_foreach(items, i, item) {
		enum outcome one = element_is(p, left, nft_element(item));

		best = one > best ? one : best;
	}
	json_decref(items);
	return best;
}

/* What stands below masks and shifts: {"&": [FIELD, 3]}. */
static json_t *innermost(json_t *expr)
{
	json_t *body = expr;

	while (nft_statement_kind(expr, &body) && json_is_array(body) && json_array_size(body) == 2)
		expr = json_array_get(body, 0);
	return expr;
}

static enum outcome outcome_of(const struct nft_packet *p, const struct nft_rule *rule, json_t *match)
{
	json_t *left = json_object_get(match, "left"), *op = json_object_get(match, "op");
	const char *header = json_string_value(nft_at(innermost(left), "payload", "protocol"));
	enum outcome result;

	if (header && header_there(p, header) == NO)
		return NO;
	if (!nft_is(op, "==") && !nft_is(op, "!=") && !nft_is(op, "in"))
		return MAYBE;
	result = any_is(p, rule, left, json_object_get(match, "right"));
	return nft_is(op, "!=") ? (enum outcome)(YES - result) : result;
}

/* Conditions that the configuration expresses: a LAN's prefix, an interface. */
static bool of_the_home(json_t *match)
{
	json_t *left = json_object_get(match, "left");

	if (nft_is(json_object_get(match, "op"), "!="))
		return false;
	return (nft_is_field(left, "ip", "saddr") && nft_at(match, "right", "prefix")) ||
	       nft_is_key(left, "meta", "iifname") || nft_is_key(left, "meta", "iif") ||
	       nft_is_key(left, "meta", "oifname") || nft_is_key(left, "meta", "oif");
}

/* The values on the right of a comparison with a mark; false where they are not known. */
static bool right_values(const struct nft_packet *p, const struct nft_rule *rule, json_t *right, struct nft_values *v)
{
	json_t *items = nft_elements(p->rs, rule, right), *item;
	bool known = true;
	u32 lo, hi;
	size_t i;

	v->n = 0;
	json_array_foreach(items, i, item) {
		if (nft_values_key(nft_element(item), &lo, &hi))
			known = false;
		else
			nft_values_add(v, lo, hi);
	}
	json_decref(items);
	return known;
}

/* Parts by the values of a variable. */
static void part(struct nft_state *yes, struct nft_state *rest, enum nft_variable variable,
		 const struct nft_values *values, bool inverted)
{
	struct nft_state with = *yes, without = *yes;

	nft_values_keep(&with.var[variable], values);
	for (u32 i = 0; i < values->n; i++)
		nft_values_cut(&without.var[variable], values->at[i].lo, values->at[i].hi);
	if (!with.var[variable].n)
		with.var[NFT_MARK].n = 0;
	if (!without.var[variable].n)
		without.var[NFT_MARK].n = 0;
	*yes = inverted ? without : with;
	nft_state_join(rest, inverted ? &with : &without);
}

void nft_match(const struct nft_packet *p, struct nft_rule *rule, json_t *match, struct nft_state *yes,
	       struct nft_state *rest)
{
	enum nft_variable variable = nft_variable_of(json_object_get(match, "left"));
	json_t *op = json_object_get(match, "op");
	enum outcome outcome;
	struct nft_values v;

	if (variable != NFT_VARIABLES && (nft_is(op, "==") || nft_is(op, "!=")) &&
	    right_values(p, rule, json_object_get(match, "right"), &v)) {
		part(yes, rest, variable, &v, nft_is(op, "!="));
		return;
	}
	outcome = outcome_of(p, rule, match);
	if (outcome != YES)
		nft_state_join(rest, yes);
	if (outcome == NO)
		yes->var[NFT_MARK].n = 0;
	if (outcome == MAYBE && !of_the_home(match) && !nft_state_empty(yes))
		rule->conditional = true;
}
