/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_walk.c - which way a ruleset takes the home's packets
 *
 * The packet is the first of a connection, from a LAN towards one interface. It passes the base chains of the hooks
 * prerouting, forward and postrouting as the kernel would have it do, once for each protocol, and instead of one packet
 * it is all that are possible at that place: a state is the set of marks that they can have (numgen gives a mark any
 * value from offset to offset + mod - 1). A rule parts the state:
 *
 *      state -- comparisons --> yes --- statements ---+--> jump, goto: another chain
 *                   |                                 +--> accept, snat: out of the chain; drop: gone
 *                   +---------> rest ----------------------------------------------------> next rule
 *
 * What may or may not fulfil a comparison is in both. So what is not reached here is not reached by any packet, and
 * what is reached here may be.
 */
#include "nft_walk.h"

#include <string.h>

#define DEPTH_MAX 16 /* the kernel's own limit to chains within chains */

struct walk {
	struct nft_packet packet;
	struct nft_ruleset *rs;
	struct nft_ranges *ranges;
	struct nft_rule *way[DEPTH_MAX + 1]; /* rules that led to the present chain */
	size_t depth;
	struct nft_state accepted; /* by the present base chain */
};

/* One rule at work. */
struct step {
	struct walk *w;
	struct nft_rule *rule;
	struct nft_state yes, rest;
	struct nft_state *returned; /* what leaves the rule's chain for the one above */
};

static void chain_walk(struct walk *w, const struct nft_chain *c, struct nft_state *s);

static void clear(struct nft_state *s)
{
	for (int i = 0; i < NFT_VARIABLES; i++)
		s->var[i].n = 0;
}

static void chain_enter(struct step *st, json_t *target, struct nft_state *s)
{
	const char *name = json_string_value(json_object_get(target, "target"));
	const struct nft_chain *c = name ? nft_chain_find(st->w->rs, st->rule, name) : NULL;

	if (!c || st->w->depth == DEPTH_MAX)
		return;
	st->w->way[st->w->depth++] = st->rule;
	chain_walk(st->w, c, s);
	st->w->depth--;
}

/* What of `s` goes on behind the verdict stays in it. False where it is none. */
static bool verdict(struct step *st, const char *kind, json_t *body, struct nft_state *s)
{
	if (!strcmp(kind, "jump")) {
		chain_enter(st, body, s);
		return true;
	}
	if (!strcmp(kind, "goto")) {
		chain_enter(st, body, s);
		nft_state_join(st->returned, s);
	} else if (!strcmp(kind, "return")) {
		nft_state_join(st->returned, s);
	} else if (!strcmp(kind, "accept") || !strcmp(kind, "dnat") || !strcmp(kind, "redirect")) {
		nft_state_join(&st->w->accepted, s);
	} else if (strcmp(kind, "drop") && strcmp(kind, "reject")) {
		return false;
	}
	clear(s);
	return true;
}

/* The verdict of a map's element. */
static void element_apply(struct step *st, json_t *element, struct nft_state *s)
{
	json_t *body;
	const char *kind = nft_statement_kind(json_array_get(element, 1), &body);

	verdict(st, kind, body, s);
}

/* A map of verdicts chosen by numgen or a hash: each packet gets another value, whatever its marks are. */
static void vmap_generated(struct step *st, json_t *elements, struct nft_values *values)
{
	struct nft_state back = {0}, one;
	json_t *element;
	size_t i;
	u32 lo, hi;

	json_array_foreach(elements, i, element) {
		if (nft_values_key(nft_element(json_array_get(element, 0)), &lo, &hi) ||
		    !nft_values_meet(values, lo, hi))
			continue;
		one = st->yes;
		element_apply(st, element, &one);
		nft_state_join(&back, &one);
		nft_values_cut(values, lo, hi);
	}
	if (!values->n)
		clear(&st->yes);
	nft_state_join(&st->yes, &back);
}

/* A map of verdicts chosen by the packet: as a comparison with each key in turn. */
static void vmap_compared(struct step *st, json_t *key, json_t *elements)
{
	struct nft_state back = {0}, one, others;
	json_t *element;
	size_t i;

	json_array_foreach(elements, i, element) {
		json_t *match = json_pack("{s:s, s:O, s:O}", "op", "==", "left", key, "right",
					  nft_element(json_array_get(element, 0)));

		one = st->yes;
		clear(&others);
		nft_match(&st->w->packet, st->rule, match, &one, &others);
		json_decref(match);
		st->yes = others;
		if (nft_state_empty(&one))
			continue;
		element_apply(st, element, &one);
		nft_state_join(&back, &one);
	}
	nft_state_join(&st->yes, &back);
}

static void vmap(struct step *st, json_t *body)
{
	json_t *key = json_object_get(body, "key");
	json_t *elements = nft_elements(st->w->rs, st->rule, json_object_get(body, "data"));
	struct nft_values values;

	if (nft_variable_of(key) == NFT_VARIABLES && nft_values_of(&st->yes, key, &values))
		vmap_generated(st, elements, &values);
	else
		vmap_compared(st, key, elements);
	json_decref(elements);
}

static void mark_set(struct step *st, json_t *body)
{
	enum nft_variable variable = nft_variable_of(json_object_get(body, "key"));
	struct nft_values values;

	if (variable == NFT_VARIABLES)
		return;
	if (!nft_values_of(&st->yes, json_object_get(body, "value"), &values))
		st->rule->vague = true;
	st->yes.var[variable] = values;
}

/* Whether packets of the step get this range. Where a map has it, its key is taken out of what is `left` of the
 * selector's values. */
static bool range_meets(const struct step *st, const struct nft_range *r, struct nft_values *left)
{
	struct nft_values values;
	u32 lo, hi;

	if (!r->selector || nft_values_key(r->key, &lo, &hi))
		return true;
	nft_values_of(&st->yes, r->selector, &values);
	nft_values_cut(left, lo, hi);
	return nft_values_meet(&values, lo, hi);
}

/* A rule translates: notes the ranges that its packets can get. What a map has no element for goes on. */
static void translate(struct step *st, json_t *body)
{
	struct nft_values left = {0};
	bool reached = false, mapped = false;

	(void)body;
	for (size_t i = 0; i < st->w->ranges->n; i++) {
		struct nft_range *r = &st->w->ranges->at[i];

		if (r->rule != st->rule)
			continue;
		if (r->selector && !mapped)
			nft_values_of(&st->yes, r->selector, &left);
		mapped = r->selector != NULL;
		if (!range_meets(st, r, &left))
			continue;
		r->protocols |= 1u << st->w->packet.protocol;
		reached = true;
	}
	for (size_t i = 0; reached && i < st->w->depth; i++)
		st->w->way[i]->leads = true;
	st->rule->leads |= reached;
	if (left.n)
		nft_state_join(&st->rest, &st->yes);
	clear(&st->yes);
}

static void match(struct step *st, json_t *body)
{
	nft_match(&st->w->packet, st->rule, body, &st->yes, &st->rest);
}

/* A limit lets some through. */
static void perhaps(struct step *st, json_t *body)
{
	(void)body;
	st->rule->conditional = true;
	nft_state_join(&st->rest, &st->yes);
}

static const struct {
	const char *kind;
	void (*apply)(struct step *st, json_t *body);
} statements[] = {
	{"match", match},   {"vmap", vmap},	{"mangle", mark_set},  {"snat", translate}, {"masquerade", translate},
	{"limit", perhaps}, {"quota", perhaps}, {"ct count", perhaps}, {"xt", perhaps},
};

static void statement_apply(struct step *st, const char *kind, json_t *body)
{
	if (strcmp(kind, "match"))
		st->rule->reached |= 1u << st->w->packet.protocol;
	if (verdict(st, kind, body, &st->yes))
		return;
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (!strcmp(kind, statements[i].kind))
			statements[i].apply(st, body);
}

static void rule_walk(struct walk *w, struct nft_rule *rule, struct nft_state *s, struct nft_state *returned)
{
	struct step st = {.w = w, .rule = rule, .yes = *s, .returned = returned};
	json_t *statement, *body;
	size_t i;

	json_array_foreach(rule->expr, i, statement) {
		const char *kind = nft_statement_kind(statement, &body);

		if (nft_state_empty(&st.yes))
			break;
		statement_apply(&st, kind, body);
	}
	nft_state_join(&st.rest, &st.yes);
	*s = st.rest;
}

static void chain_walk(struct walk *w, const struct nft_chain *c, struct nft_state *s)
{
	struct nft_state returned = {0};

	for (size_t i = 0; i < w->rs->nrules && !nft_state_empty(s); i++) {
		struct nft_rule *rule = &w->rs->rules[i];

		if (!strcmp(rule->chain, c->name) && !strcmp(rule->table, c->table) && !strcmp(rule->family, c->family))
			rule_walk(w, rule, s, &returned);
	}
	nft_state_join(s, &returned);
}

static void hook_walk(struct walk *w, const char *hook, struct nft_state *s)
{
	w->packet.routed = strcmp(hook, "prerouting") != 0;
	for (size_t i = 0; i < w->rs->nchains; i++) {
		const struct nft_chain *c = &w->rs->chains[i];

		if (!c->hook || strcmp(c->hook, hook) || (strcmp(c->family, "ip") && strcmp(c->family, "inet")))
			continue;
		clear(&w->accepted);
		chain_walk(w, c, s);
		if (c->policy && !strcmp(c->policy, "drop"))
			clear(s);
		nft_state_join(s, &w->accepted);
	}
}

static void forget(struct nft_ruleset *rs, struct nft_ranges *ranges)
{
	for (size_t i = 0; i < ranges->n; i++)
		ranges->at[i].protocols = 0;
	for (size_t i = 0; i < rs->nrules; i++) {
		rs->rules[i].reached = 0;
		rs->rules[i].leads = rs->rules[i].conditional = rs->rules[i].vague = false;
	}
}

size_t nft_walk(struct nft_ruleset *rs, struct nft_ranges *ranges, const char *outgoing)
{
	struct walk w = {.packet = {.rs = rs, .outgoing = outgoing}, .rs = rs, .ranges = ranges};
	size_t reached = 0;

	forget(rs, ranges);
	for (int p = 0; p < NFT_PROTOCOLS; p++) {
		struct nft_state s = {0};

		for (int i = 0; i < NFT_VARIABLES; i++)
			nft_values_add(&s.var[i], 0, 0);
		w.packet.protocol = (enum nft_protocol)p;
		hook_walk(&w, "prerouting", &s);
		hook_walk(&w, "forward", &s);
		hook_walk(&w, "postrouting", &s);
	}
	for (size_t i = 0; i < ranges->n; i++)
		reached += ranges->at[i].protocols != 0;
	return reached;
}
