/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_ruleset.c - a ruleset as nftables' JSON has it (libnftables-json(5)) */
#include "nft_ruleset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MAX 512 /* "FAMILY TABLE HANDLE"; names in nftables have at most 255 characters */

static const char *text_of(json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

json_t *nft_at(json_t *value, const char *outer, const char *inner)
{
	return json_object_get(json_object_get(value, outer), inner);
}

bool nft_is(json_t *value, const char *text)
{
	return json_is_string(value) && !strcmp(json_string_value(value), text);
}

bool nft_is_key(json_t *expr, const char *of, const char *key)
{
	return nft_is(nft_at(expr, of, "key"), key);
}

bool nft_is_field(json_t *expr, const char *protocol, const char *field)
{
	return nft_is(nft_at(expr, "payload", "protocol"), protocol) && nft_is(nft_at(expr, "payload", "field"), field);
}

const char *nft_statement_kind(json_t *statement, json_t **body)
{
	void *first = json_object_iter(statement);

	*body = first ? json_object_iter_value(first) : NULL;
	return first ? json_object_iter_key(first) : "";
}

json_t *nft_statement(const struct nft_rule *rule, const char *kind)
{
	json_t *statement, *body;
	size_t i;

	json_array_foreach(rule->expr, i, statement) {
		if (!strcmp(nft_statement_kind(statement, &body), kind))
			return body;
	}
	return NULL;
}

bool nft_rule_ipv4(const struct nft_rule *rule)
{
	return !strcmp(rule->family, "ip") || !strcmp(rule->family, "inet");
}

/* The listing in text has each rule in a line of its own that ends with its handle, unique in its table. */
static json_t *texts_read(const char *listing)
{
	char family[16] = "", table[256] = "", key[KEY_MAX];
	json_t *texts = json_object();

	for (const char *line = listing, *end; *line; line = *end ? end + 1 : end) {
		const char *mark = NULL, *body;

		end = line + strcspn(line, "\n");
		sscanf(line, "table %15s %255s", family, table);
		for (const char *at = line; (at = strstr(at, " # handle ")) && at < end; at++)
			mark = at;
		body = line + strspn(line, "\t");
		if (!mark || mark <= body || mark[-1] == '{')
			continue;
		snprintf(key, sizeof(key), "%s %s %ld", family, table, strtol(mark + 10, NULL, 10));
		json_object_set_new(texts, key, json_stringn_nocheck(body, (size_t)(mark - body)));
	}
	return texts;
}

static void chain_take(struct nft_ruleset *rs, json_t *from)
{
	rs->chains[rs->nchains++] = (struct nft_chain){
		.family = text_of(from, "family"),
		.table = text_of(from, "table"),
		.name = text_of(from, "name"),
		.type = text_of(from, "type"),
		.hook = text_of(from, "hook"),
		.policy = text_of(from, "policy"),
		.priority = (int)json_integer_value(json_object_get(from, "prio")),
	};
}

static void rule_take(struct nft_ruleset *rs, json_t *from)
{
	struct nft_rule *rule = &rs->rules[rs->nrules++];
	const char *text;
	char key[KEY_MAX];

	*rule = (struct nft_rule){
		.family = text_of(from, "family"),
		.table = text_of(from, "table"),
		.chain = text_of(from, "chain"),
		.handle = json_integer_value(json_object_get(from, "handle")),
		.expr = json_object_get(from, "expr"),
	};
	snprintf(key, sizeof(key), "%s %s %ld", rule->family, rule->table, (long)rule->handle);
	text = text_of(rs->texts, key);
	rule->text = text ? text : "";
}

static int by_priority(const void *a, const void *b)
{
	const struct nft_chain *x = a, *y = b;

	return (x->priority > y->priority) - (x->priority < y->priority);
}

int nft_ruleset_read(struct nft_ruleset *rs, const struct nft_listing *listing, struct err *err)
{
	json_error_t error;
	json_t *object;
	size_t i, n;

	*rs = (struct nft_ruleset){.root = json_loads(listing->json, 0, &error)};
	rs->objects = json_object_get(rs->root, "nftables");
	if (!rs->objects)
		return err_set(err, -EPROTO, "nftables' list is not JSON as it is known here: %s", error.text);
	n = json_array_size(rs->objects);
	rs->texts = texts_read(listing->text);
	rs->chains = calloc(n + 1, sizeof(*rs->chains));
	rs->rules = calloc(n + 1, sizeof(*rs->rules));
	if (!rs->texts || !rs->chains || !rs->rules)
		return err_set(err, -ENOMEM, "out of memory");
	json_array_foreach(rs->objects, i, object) {
		if (json_object_get(object, "chain"))
			chain_take(rs, json_object_get(object, "chain"));
		if (json_object_get(object, "rule"))
			rule_take(rs, json_object_get(object, "rule"));
	}
	qsort(rs->chains, rs->nchains, sizeof(*rs->chains), by_priority);
	return 0;
}

void nft_ruleset_free(struct nft_ruleset *rs)
{
	free(rs->chains);
	free(rs->rules);
	json_decref(rs->texts);
	json_decref(rs->root);
}

const struct nft_chain *nft_chain_find(const struct nft_ruleset *rs, const struct nft_rule *rule, const char *name)
{
	for (size_t i = 0; i < rs->nchains; i++) {
		const struct nft_chain *c = &rs->chains[i];

		if (!strcmp(c->name, name) && !strcmp(c->table, rule->table) && !strcmp(c->family, rule->family))
			return c;
	}
	return NULL;
}

/* Elements of the set or map with this name in the rule's table, NULL where there is none. */
static json_t *named(const struct nft_ruleset *rs, const struct nft_rule *rule, const char *name)
{
	json_t *object;
	size_t i;

	json_array_foreach(rs->objects, i, object) {
		json_t *set = json_object_get(object, "set");

		if (!set)
			set = json_object_get(object, "map");
		if (nft_is(json_object_get(set, "name"), name) && nft_is(json_object_get(set, "table"), rule->table) &&
		    nft_is(json_object_get(set, "family"), rule->family))
			return json_object_get(set, "elem");
	}
	return NULL;
}

json_t *nft_elements(const struct nft_ruleset *rs, const struct nft_rule *rule, json_t *value)
{
	const char *text = json_string_value(value);
	json_t *list = value;

	if (json_object_get(value, "set"))
		list = json_object_get(value, "set");
	else if (text && *text == '@')
		list = named(rs, rule, text + 1);
	else if (!json_is_array(value))
		return json_pack("[O]", value);
	return list ? json_incref(list) : json_array();
}

json_t *nft_element(json_t *element)
{
	json_t *inner = nft_at(element, "elem", "val");

	return inner ? inner : element;
}
