/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape_check.c - whether the parts of a MAP-E domain fit each other */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/addr.h"
#include "mape_fault.h"

static char *prefix4_print(char text[ADDR_TEXT + 4], const struct mape_rule *r)
{
	char address[ADDR_TEXT];

	snprintf(text, ADDR_TEXT + 4, "%s/%u", addr_print(address, be32_of(r->addr)), r->prefix4);
	return text;
}

static u32 errors(const struct mape_domain *d)
{
	u32 n = 0;

	for (u32 i = 0; i < d->nfindings; i++)
		n += d->findings[i].severity == MAPE_ERROR;
	return n;
}

/* How many bits two addresses have in common from the front. */
static unsigned int common(struct addr6 a, struct addr6 b)
{
	u64 hi = a.hi ^ b.hi, lo = a.lo ^ b.lo;

	return hi ? (unsigned int)__builtin_clzll(hi) : lo ? 64 + (unsigned int)__builtin_clzll(lo) : 128;
}

/* What a rule without fault can still be. */
static void check_rule(struct mape_domain *d, const struct mape_rule *r)
{
	if (r->ea && r->prefix6 + r->ea > 64)
		mape_find(d, MAPE_WARNING, "rule6", "",
			  "rule6 /%u and EA length %u make prefixes longer than 64 bits: they overwrite %u bits of the "
			  "interface id",
			  r->prefix6, r->ea, r->prefix6 + r->ea - 64u);
	if (r->flags & MAPE_FORWARDING && !r->prefix6 && !r->ea)
		mape_find(d, MAPE_ERROR, "rule6", "",
			  "with no IPv6 prefix and nothing embedded, the rule does not say where its customers are");
	if (r->psid_len && r->offset && r->offset < 4)
		mape_find(d, MAPE_WARNING, "offset", r->format == MAPE_DRAFT03 ? "4" : "6",
			  "offset %u keeps ports 0-%u from everybody", r->offset, (1u << (16 - r->offset)) - 1);
}

/* Longest IPv4 prefix first, as mape_match() wants it; else as given. */
static int order(const void *a, const void *b)
{
	const struct mape_rule *x = a, *y = b;

	return x->prefix4 != y->prefix4 ? (int)y->prefix4 - (int)x->prefix4 : (int)x->index - (int)y->index;
}

bool mape_rule_same(const struct mape_rule *a, const struct mape_rule *b)
{
	return a->addr == b->addr && a->prefix4 == b->prefix4 && a->psid_own == b->psid_own &&
	       (!a->psid_own || a->psid == b->psid);
}

/* Two rules may have one IPv4 prefix only where each is for a PSID of its own. */
static void check_twins(struct mape_domain *d)
{
	char text[ADDR_TEXT + 4];

	for (u32 i = 0; i < d->nrules; i++) {
		d->subject = (u8)(i + 1);
		for (u32 j = 0; j < i; j++) {
			const struct mape_rule *a = &d->rules[j], *b = &d->rules[i];

			if (mape_rule_same(a, b))
				mape_find(d, MAPE_ERROR, "rule4", "", "two rules are for %s: one of them is too much",
					  prefix4_print(text, b));
		}
	}
	d->subject = 0;
}

/* The rule with the longest IPv6 prefix that the delegated one lies in (RFC 7597, 5). */
static void choose_basic(struct mape_domain *d)
{
	d->basic = -1;
	if (!d->has_pd) {
		if (d->nrules == 1 && !d->rules[0].ea)
			d->basic = 0;
		return;
	}
	for (u32 i = 0; i < d->nrules; i++)
		if (addr6_in(d->pd, d->rules[i].prefix, d->rules[i].prefix6) &&
		    (d->basic < 0 || d->rules[i].prefix6 > d->rules[d->basic].prefix6))
			d->basic = (int)i;
}

/* No rule is for the delegated prefix: names the nearest. */
static void pd_outside(struct mape_domain *d)
{
	char pd[PREFIX6_TEXT], rule[PREFIX6_TEXT];
	const struct mape_rule *near = &d->rules[0];

	for (u32 i = 1; i < d->nrules; i++)
		if (common(d->pd, d->rules[i].prefix) > common(d->pd, near->prefix))
			near = &d->rules[i];
	prefix6_print(pd, d->pd, d->pd_length);
	prefix6_print(rule, near->prefix, near->prefix6);
	if (d->nrules == 1)
		mape_find(d, MAPE_ERROR, "pd", "",
			  "the delegated prefix %s is not in rule6 %s: only %u of its first %u bits agree", pd, rule,
			  common(d->pd, near->prefix), near->prefix6);
	else
		mape_find(d, MAPE_ERROR, "pd", "",
			  "the delegated prefix %s is in none of the %u rules; nearest is rule6 %s", pd, d->nrules,
			  rule);
}

/* A PSID by hand beside the one in the delegated prefix. */
static void check_psid(struct mape_domain *d, const struct mape_rule *r)
{
	u16 psid = mape_own_of(r, d->pd).psid;
	char likely[16], as_text[16];
	bool hex;

	if (!(r->flags & MAPE_HAS_PSID) || !r->ea || r->psid == psid)
		return;
	snprintf(likely, sizeof(likely), "%u", psid);
	snprintf(as_text, sizeof(as_text), "%u", r->psid);
	hex = strtoul(as_text, NULL, 16) == psid;
	mape_find(d, MAPE_ERROR, "psid", likely, "psid %u (0x%x) was given, but the delegated prefix holds %u (0x%x)%s",
		  r->psid, r->psid, psid, psid, hex ? ": hexadecimal numbers begin with 0x" : "");
}

static void check_basic(struct mape_domain *d, const struct mape_rule *r)
{
	unsigned int needed = (unsigned int)r->prefix6 + r->ea;
	struct addr6 mask = addr6_mask(needed);
	char likely[PREFIX6_TEXT];

	if (d->pd_length < needed) {
		snprintf(likely, sizeof(likely), "/%u", needed);
		mape_find(d, MAPE_ERROR, "pd", likely,
			  "the delegated prefix is a /%u, shorter than rule6 /%u and EA length %u: it must have at "
			  "least %u bits",
			  d->pd_length, r->prefix6, r->ea, needed);
		d->basic = -1;
		return;
	}
	if (needed && (d->pd.hi & ~mask.hi || d->pd.lo & ~mask.lo))
		mape_find(d, MAPE_WARNING, "pd",
			  prefix6_print(likely, (struct addr6){d->pd.hi & mask.hi, d->pd.lo & mask.lo}, d->pd_length),
			  "the delegated prefix has bits behind the EA bits (the first %u): others send to the address "
			  "without them",
			  needed);
	check_psid(d, r);
	if (r->psid_len && !r->offset && !mape_own_of(r, d->pd).psid)
		mape_find(d, MAPE_WARNING, "offset", "",
			  "offset 0 and PSID 0: the ports begin at 0, well-known ones are among them");
}

static void check_pd(struct mape_domain *d)
{
	struct addr6 mask = addr6_mask(d->pd_length);
	char given[PREFIX6_TEXT], likely[PREFIX6_TEXT];

	if (!d->has_pd)
		return;
	if (d->pd.hi & ~mask.hi || d->pd.lo & ~mask.lo) {
		prefix6_print(likely, (struct addr6){d->pd.hi & mask.hi, d->pd.lo & mask.lo}, d->pd_length);
		mape_find(d, MAPE_ERROR, "pd", likely,
			  "the delegated prefix %s has bits behind its length: address or length cannot be right",
			  prefix6_print(given, d->pd, d->pd_length));
		d->basic = -1;
	} else if (d->basic < 0) {
		pd_outside(d);
	} else {
		d->subject = (u8)(d->rules[d->basic].index + 1);
		check_basic(d, &d->rules[d->basic]);
		d->subject = 0;
	}
}

/* ::/8 (unspecified, loopback, IPv4-mapped), fe80::/10 and ff00::/8 are nobody's across a network: RFC 4291, 2.4. */
bool addr6_is_global(struct addr6 addr)
{
	return addr.hi >> 56 && addr.hi >> 56 != 0xff && addr.hi >> 54 != 0x3fa;
}

static void check_br(struct mape_domain *d, struct addr6 br)
{
	char text[ADDR6_TEXT], prefix[PREFIX6_TEXT];

	addr6_print(text, br);
	if (!addr6_is_global(br)) {
		mape_find(d, MAPE_ERROR, "br", "", "the border relay %s is no address that a router elsewhere can have",
			  text);
		return;
	}
	if (d->has_pd && addr6_in(br, d->pd, d->pd_length)) {
		mape_find(d, MAPE_ERROR, "br", "",
			  "the border relay %s is in the delegated prefix %s: that is this customer's own", text,
			  prefix6_print(prefix, d->pd, d->pd_length));
		return;
	}
	for (u32 i = 0; i < d->nrules; i++)
		if (d->rules[i].prefix6 && d->rules[i].ea && addr6_in(br, d->rules[i].prefix, d->rules[i].prefix6))
			mape_find(d, MAPE_WARNING, "br", "", "the border relay %s is in rule6 %s, among the customers",
				  text, prefix6_print(prefix, d->rules[i].prefix, d->rules[i].prefix6));
}

/* What the network must say, and the path must carry. */
static void check_provision(struct mape_domain *d)
{
	char likely[8];

	if (d->provisioned && !d->nrules)
		mape_find(d, MAPE_ERROR, "rule", "", "there is no rule: a MAP-E container has at least one");
	if (d->provisioned && !d->nbrs)
		mape_find(d, MAPE_ERROR, "br", "", "there is no border relay: a MAP-E container has at least one");
	for (u32 i = 0; i < d->nbrs; i++)
		check_br(d, d->brs[i]);
	if (!d->mtu || d->mtu >= MAPE_MTU_LEAST)
		return;
	snprintf(likely, sizeof(likely), "%d", MAPE_MTU_LEAST);
	mape_find(d, MAPE_ERROR, "mtu", likely, "every IPv6 link carries %d bytes: MTU %u cannot be right",
		  MAPE_MTU_LEAST, d->mtu);
}

/* Rules without fault; until they are sorted, their index is their place among those given. */
static void check_rules(struct mape_domain *d)
{
	for (u32 i = 0; i < d->nrules; i++) {
		d->subject = (u8)(i + 1);
		mape_rule_prepare(&d->rules[i], i);
		check_rule(d, &d->rules[i]);
	}
	check_twins(d);
}

u32 mape_domain_check(struct mape_domain *d)
{
	d->basic = -1;
	if (d->has_pd && d->pd_length > 128)
		mape_find(d, MAPE_ERROR, "pd", "", "an IPv6 prefix has at most 128 bits: length %u cannot be right",
			  d->pd_length);
	for (u32 i = 0; i < d->nrules; i++) {
		d->subject = (u8)(i + 1);
		mape_fault_find(d, &d->rules[i]);
	}
	d->subject = 0;
	if (errors(d))
		return errors(d);
	check_rules(d);
	if (d->nrules) {
		qsort(d->rules, d->nrules, sizeof(*d->rules), order);
		choose_basic(d);
		check_pd(d);
		for (u32 i = 0; i < d->nrules; i++)
			d->rules[i].index = (u8)i;
	}
	check_provision(d);
	return errors(d);
}
