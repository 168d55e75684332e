/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_ports.c - address, port set and reserve list, from the ranges that a ruleset names
 *
 *      several ranges that are a port set       [map-e]    reserve: ranges that no packet reaches, or that are missing
 *      one range, one behind the other          [map-e] with offset 0, if a tunnel is meant; else [nat] ports
 *      several ranges that are no port set      [nat] ports from the first to the last, reserve: what is between
 *      no ports                                 [nat]; if a tunnel is meant, [map-e] with an address that is not shared
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dp/portset.h"
#include "lib/addr.h"
#include "nft_plan.h"

#define PORTS 65536u

/* An IPv4-in-IPv6 tunnel is meant: the person says so, or the interface has the name that one has. */
static bool tunnel_meant(const struct nft_plan *plan)
{
	return plan->said->relay || plan->said->address6 || !strncmp(plan->outgoing, "ip6tnl", 6) ||
	       !strncmp(plan->outgoing, "map-", 4);
}

/* How much the ruleset uses an address: rules without conditions count before those with. */
static size_t weight_of(const struct nft_ranges *ranges, be32 address)
{
	size_t weight = 0;

	for (size_t i = 0; i < ranges->n; i++)
		if (ranges->at[i].protocols && ranges->at[i].address == address)
			weight += ranges->at[i].rule->conditional ? 1 : ranges->n;
	return weight;
}

/* There is one in a configuration: the one that is used most; of two, the last, since exceptions come first. */
static void address_choose(struct nft_plan *plan, const struct nft_ranges *ranges)
{
	size_t best = 0, weight;
	char text[ADDR_TEXT];
	bool several = false;

	for (size_t i = 0; i < ranges->n; i++) {
		if (!ranges->at[i].protocols)
			continue;
		several |= best && ranges->at[i].address != plan->address;
		weight = weight_of(ranges, ranges->at[i].address);
		if (weight >= best) {
			plan->address = ranges->at[i].address;
			best = weight;
		}
	}
	if (several)
		nft_note(plan, "packets are translated to several addresses; the configuration has one, %s",
			 plan->address ? addr_print(text, plan->address) : "the interface's own");
}

static int by_place(const void *a, const void *b)
{
	const struct nft_block *x = a, *y = b;

	return x->lo != y->lo ? x->lo - y->lo : x->hi - y->hi;
}

/* The ranges of the address, each once, in order. */
static int blocks_make(struct nft_plan *plan, const struct nft_ranges *ranges)
{
	size_t n = 0;

	plan->blocks = calloc(ranges->n + 1, sizeof(*plan->blocks));
	if (!plan->blocks)
		return -ENOMEM;
	for (size_t i = 0; i < ranges->n; i++) {
		const struct nft_range *r = &ranges->at[i];

		if (r->ported && r->address == plan->address)
			plan->blocks[n++] = (struct nft_block){r->lo, r->hi, r->protocols};
	}
	qsort(plan->blocks, n, sizeof(*plan->blocks), by_place);
	for (size_t i = 0; i < n; i++) {
		struct nft_block *last = plan->nblocks ? &plan->blocks[plan->nblocks - 1] : NULL;

		if (last && !by_place(last, &plan->blocks[i]))
			last->protocols |= plan->blocks[i].protocols;
		else
			plan->blocks[plan->nblocks++] = plan->blocks[i];
	}
	return 0;
}

/* The blocks that are reached, those that touch as one. Room for all of the plan's. */
static size_t joined(const struct nft_plan *plan, struct nft_block *to)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->nblocks; i++) {
		const struct nft_block *b = &plan->blocks[i];

		if (!b->protocols)
			continue;
		if (n && b->lo <= to[n - 1].hi + 1)
			to[n - 1].hi = b->hi > to[n - 1].hi ? b->hi : to[n - 1].hi;
		else
			to[n++] = *b;
	}
	return n;
}

static struct dp_portset set_of(const struct nft_plan *plan)
{
	if (plan->map_e)
		return portset_of_psid(plan->set.offset, plan->set.psid_len, plan->set.psid);
	return portset_of_range(plan->lo, plan->hi);
}

bool nft_ports_have(const struct nft_plan *plan, u16 lo, u16 hi)
{
	struct dp_portset set = set_of(plan);
	u32 first = portset_index(&set, lo), last = portset_index(&set, hi);

	return last < set.count && last - first == (u32)hi - lo;
}

static void set_notes(struct nft_plan *plan)
{
	const struct nft_mape *set = &plan->set;
	size_t reached = 0;

	for (size_t i = 0; i < plan->nblocks; i++)
		reached += plan->blocks[i].protocols != 0;
	if (2 * reached < plan->nblocks)
		nft_note(plan,
			 "no packet gets most of the ranges: %zu of %zu are in use, the others are reserved; is that "
			 "meant?",
			 reached, plan->nblocks);
	for (size_t i = 0; i < plan->nblocks; i++)
		if (plan->blocks[i].protocols && !nft_ports_have(plan, plan->blocks[i].lo, plan->blocks[i].hi))
			nft_note(
				plan,
				"range %u-%u fits no PSID with the other ranges: ports of no range of the set are left "
				"out; is it mistyped?",
				plan->blocks[i].lo, plan->blocks[i].hi);
	if (set->there == set->whole)
		return;
	nft_note(plan, "the ruleset names %u of the %u ranges of PSID %u: the ports that are missing are reserved",
		 set->there, set->whole, set->psid);
	if (2 * set->there <= set->whole)
		nft_note(plan,
			 "so few ranges do not determine the port set: offset %u and psid-len %u are the smallest "
			 "offset "
			 "and the longest PSID that fit; compare with what the provider says",
			 set->offset, set->psid_len);
}

/* One range says how many bits are behind the PSID, and no more: its first bits are A, PSID, or both. */
static void single_notes(struct nft_plan *plan, const struct nft_block *block)
{
	unsigned int m = nft_mape_bits(&plan->set), offset = 1;

	while (offset < 16 && !(block->lo >> (16 - offset)))
		offset++;
	nft_note(plan,
		 "one range does not determine offset and psid-len: offset 0, psid-len %u, psid %u is written, which "
		 "has "
		 "exactly these ports",
		 plan->set.psid_len, plan->set.psid);
	if (offset + m < 16)
		nft_note(plan,
			 "an offset of %u%s would be possible as well, with another PSID: the tunnel's addresses tell, "
			 "which hold the PSID; compare with what the provider says",
			 offset, offset + m < 15 ? " or more" : "");
}

/* The set from all blocks that are named; if some of them are of something else, from those that are reached. */
static bool set_deduce(struct nft_plan *plan)
{
	struct nft_block *reached = calloc(plan->nblocks + 1, sizeof(*reached));
	bool found = nft_mape_deduce(plan->blocks, plan->nblocks, &plan->set);
	size_t n = 0;

	for (size_t i = 0; reached && i < plan->nblocks; i++)
		if (plan->blocks[i].protocols)
			reached[n++] = plan->blocks[i];
	if (n < plan->nblocks && (!found || plan->set.there < plan->nblocks)) {
		struct nft_mape other;

		if (nft_mape_deduce(reached, n, &other) && other.there == n) {
			plan->set = other;
			found = true;
		}
	}
	free(reached);
	/* few ranges far apart may be in line by chance */
	return found && (2 * plan->set.there > plan->set.whole || tunnel_meant(plan));
}

static int shape_single(struct nft_plan *plan, const struct nft_block *block, struct err *err)
{
	bool fits = nft_mape_single(block, &plan->set);

	if (tunnel_meant(plan) && !fits)
		return err_set(err, -ENOENT,
			       "%s: range %u-%u fits no PSID: its length is no power of two, or it begins at no "
			       "multiple of its length",
			       plan->said->file, block->lo, block->hi);
	plan->map_e = tunnel_meant(plan);
	plan->lo = block->lo ? block->lo : 1; /* port 0 is nobody's */
	plan->hi = block->hi;
	if (plan->map_e)
		single_notes(plan, block);
	else if (fits && plan->set.psid_len)
		nft_note(
			plan,
			"range %u-%u is taken for NAT44; it could be a MAP-E port set with offset 0, psid-len %u, psid "
			"%u: if it is, give --border-relay or --address6",
			block->lo, block->hi, plan->set.psid_len, plan->set.psid);
	return 0;
}

static int shape_several(struct nft_plan *plan, const struct nft_block *blocks, size_t n, struct err *err)
{
	if (tunnel_meant(plan))
		return err_set(err, -ENOENT,
			       "%s: the %zu ranges of ports fit no PSID (RFC 7597, 5.1), such as %u-%u and %u-%u",
			       plan->said->file, n, blocks[0].lo, blocks[0].hi, blocks[1].lo, blocks[1].hi);
	plan->lo = blocks[0].lo ? blocks[0].lo : 1;
	plan->hi = blocks[n - 1].hi;
	nft_note(plan, "the %zu ranges of ports fit no PSID (RFC 7597, 5.1): what is between them is reserved", n);
	return 0;
}

/* What kind of configuration the blocks make. */
static int shape(struct nft_plan *plan, struct err *err)
{
	struct nft_block *blocks = calloc(plan->nblocks + 1, sizeof(*blocks));
	size_t n = blocks ? joined(plan, blocks) : 0;
	int rc = 0;

	if (!blocks) {
		rc = err_set(err, -ENOMEM, "out of memory");
	} else if (!n) {
		plan->map_e = tunnel_meant(plan);
	} else if (set_deduce(plan)) {
		plan->map_e = true;
		set_notes(plan);
	} else if (n == 1) {
		rc = shape_single(plan, blocks, err);
	} else {
		rc = shape_several(plan, blocks, n, err);
	}
	free(blocks);
	return rc;
}

/* Ports of the set that no packet gets. */
static int reserve_make(struct nft_plan *plan)
{
	struct dp_portset set = set_of(plan);
	bool *used = calloc(PORTS, sizeof(*used));
	struct nft_block *last = NULL;
	int rc = 0;

	plan->reserve = calloc(plan->nblocks + set.count + 1, sizeof(*plan->reserve));
	for (size_t i = 0; used && i < plan->nblocks; i++)
		if (plan->blocks[i].protocols)
			memset(used + plan->blocks[i].lo, true, (size_t)plan->blocks[i].hi - plan->blocks[i].lo + 1);
	for (u32 port = 1; used && plan->reserve && port < PORTS; port++) {
		if (used[port] || !portset_has(&set, (u16)port))
			continue;
		if (last && last->hi + 1u == port) {
			last->hi = (u16)port;
		} else {
			last = &plan->reserve[plan->nreserve++];
			last->lo = last->hi = (u16)port;
		}
	}
	if (!used || !plan->reserve)
		rc = -ENOMEM;
	free(used);
	return rc;
}

int nft_ports_plan(struct nft_plan *plan, const struct nft_ranges *ranges, struct err *err)
{
	int rc;

	address_choose(plan, ranges);
	if (blocks_make(plan, ranges))
		return err_set(err, -ENOMEM, "out of memory");
	rc = shape(plan, err);
	if (!rc && plan->map_e && !plan->address)
		nft_note(plan, "the ruleset translates to the tunnel's own address and does not name it: fill it in");
	if (rc || !plan->nblocks || (plan->map_e && !plan->set.psid_len) || (!plan->map_e && !plan->lo))
		return rc;
	return reserve_make(plan) ? err_set(err, -ENOMEM, "out of memory") : 0;
}
