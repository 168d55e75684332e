/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_range.c - the addresses and ports that a ruleset's snat and masquerade rules name */
#include <errno.h>
#include <stdlib.h>

#include "lib/addr.h"
#include "nft_walk.h"

static int address_take(struct nft_range *r, json_t *address)
{
	be32 net;

	if (!address)
		return 0;
	if (!json_is_string(address) || addr_parse(json_string_value(address), &net))
		return -EINVAL; /* a pool, or IPv6 */
	r->address = net;
	return 0;
}

static int ports_take(struct nft_range *r, json_t *port)
{
	u32 lo, hi;

	if (!port)
		return 0;
	if (nft_values_key(port, &lo, &hi) || lo > hi || hi > 65535)
		return -EINVAL;
	r->lo = (u16)lo;
	r->hi = (u16)hi;
	r->ported = true;
	return 0;
}

/* One element of a map: an address, ports, or both as "ADDRESS . PORTS". */
static int datum_take(struct nft_range *r, json_t *datum, bool is_port)
{
	json_t *both = json_object_get(datum, "concat");

	if (both)
		return address_take(r, json_array_get(both, 0)) || ports_take(r, json_array_get(both, 1)) ? -EINVAL : 0;
	return is_port ? ports_take(r, datum) : address_take(r, datum);
}

static int range_add(struct nft_ranges *ranges, const struct nft_range *r)
{
	if (ranges->n == ranges->room) {
		size_t room = ranges->room ? 2 * ranges->room : 64;
		struct nft_range *more = reallocarray(ranges->at, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		ranges->at = more;
		ranges->room = room;
	}
	ranges->at[ranges->n++] = *r;
	return 0;
}

/* A range for each element of the map; `r` has what all have in common. */
static int map_add(struct nft_ranges *ranges, const struct nft_ruleset *rs, struct nft_range r, json_t *map,
		   bool is_port)
{
	json_t *elements = nft_elements(rs, r.rule, json_object_get(map, "data")), *element;
	size_t i;
	int rc = 0;

	json_array_foreach(elements, i, element) {
		struct nft_range one = r;

		one.selector = json_object_get(map, "key");
		one.key = nft_element(json_array_get(element, 0));
		rc = datum_take(&one, json_array_get(element, 1), is_port);
		rc = rc ? rc : range_add(ranges, &one);
		if (rc)
			break;
	}
	json_decref(elements);
	return rc;
}

/* -EINVAL where what the rule translates to is not understood. */
static int rule_scan(struct nft_ranges *ranges, const struct nft_ruleset *rs, struct nft_rule *rule, json_t *body)
{
	json_t *address = json_object_get(body, "addr"), *port = json_object_get(body, "port");
	json_t *address_map = json_object_get(address, "map"), *port_map = json_object_get(port, "map");
	struct nft_range r = {.rule = rule, .hi = 65535};

	if (address_map && port)
		return -EINVAL;
	if (address_map)
		return map_add(ranges, rs, r, address_map, false);
	if (address_take(&r, address))
		return -EINVAL;
	if (port_map)
		return map_add(ranges, rs, r, port_map, true);
	return ports_take(&r, port) ? -EINVAL : range_add(ranges, &r);
}

int nft_ranges_scan(struct nft_ranges *ranges, struct nft_ruleset *rs)
{
	for (size_t i = 0; i < rs->nrules; i++) {
		struct nft_rule *rule = &rs->rules[i];
		json_t *body = nft_statement(rule, "snat");
		int rc;

		if (!body)
			body = nft_statement(rule, "masquerade");
		if (!body || !nft_rule_ipv4(rule))
			continue;
		rc = rule_scan(ranges, rs, rule, body);
		if (rc == -ENOMEM)
			return rc;
		if (rc)
			rule->why = "translates to something else than one IPv4 address, its ports, or a map of these";
	}
	return 0;
}
