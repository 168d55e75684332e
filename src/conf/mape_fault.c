/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape_fault.c - a rule's fault in words, with the value that was likely meant
 *
 * Two parameters that contradict each other do not say which of them is wrong. What decides, in this order: the
 * delegated prefix, whose length is that of the rule's IPv6 prefix and the EA bits in nearly every network; then the
 * habit that a given EA length with bits left for a PSID is right, and one without is not.
 */
#include <stdio.h>
#include <string.h>

#include "lib/addr.h"
#include "mape_fault.h"

#define LIKELY 16

static const char *number(char text[LIKELY], int n)
{
	snprintf(text, LIKELY, "%d", n);
	return text;
}

/* How many bits the delegated prefix has behind the rule's; -1: not known, or not of this rule. */
static int pd_room(const struct mape_domain *d, const struct mape_rule *r)
{
	if (!d->has_pd || d->pd_length > 128 || r->prefix6 > 128 || !addr6_in(d->pd, r->prefix, r->prefix6))
		return -1;
	return d->pd_length - r->prefix6;
}

/* RFC 7598, 4.1: what the lengths of prefixes can be. */
static void prefix_range(struct mape_domain *d, const struct mape_rule *r, enum mape_fault fault)
{
	char likely[LIKELY] = "";

	if (fault == MAPE_FAULT_PREFIX6) {
		if (d->has_pd && d->pd_length > r->ea)
			number(likely, d->pd_length - r->ea);
		mape_find(d, MAPE_ERROR, "rule6", likely,
			  "an IPv6 prefix has at most 128 bits: length %u cannot be right", r->prefix6);
		return;
	}
	if (r->flags & MAPE_HAS_PSID_LEN && r->ea <= 48 && r->psid_len <= 16 && r->ea >= r->psid_len &&
	    r->ea - r->psid_len <= 32)
		number(likely, 32 - (r->ea - r->psid_len));
	mape_find(d, MAPE_ERROR, "rule4", likely, "an IPv4 prefix has at most 32 bits: length %u cannot be right",
		  r->prefix4);
}

/* RFC 7598, 4.1 and 4.5: what the numbers can be. */
static void number_range(struct mape_domain *d, const struct mape_rule *r, enum mape_fault fault)
{
	int room = pd_room(d, r), left = r->ea - (int)mape_suffix_len(r);
	char likely[LIKELY] = "";

	if (fault == MAPE_FAULT_EA) {
		if (room > 0 && room <= 48)
			number(likely, room);
		mape_find(d, MAPE_ERROR, "ea", likely,
			  "IPv4 address and port have 48 bits together: EA length %u cannot be right", r->ea);
	} else if (fault == MAPE_FAULT_OFFSET) {
		mape_find(d, MAPE_ERROR, "offset", r->format == MAPE_DRAFT03 ? "4" : "6",
			  "a PSID offset is 0 to 15: %u cannot be right", r->offset);
	} else {
		if (left >= 0 && left <= 16)
			number(likely, left);
		mape_find(d, MAPE_ERROR, "psid-len", likely, "a port has 16 bits: a PSID of %u bits cannot be right",
			  r->psid_len);
	}
}

/* All that is wrong by itself: what was told is made right in a copy, and the copy is asked again. */
static void out_of_range(struct mape_domain *d, const struct mape_rule *r)
{
	struct mape_rule rest = *r;
	enum mape_fault fault;

	while ((fault = mape_range_check(&rest)) != MAPE_FAULT_NONE) {
		if (fault == MAPE_FAULT_PREFIX6 || fault == MAPE_FAULT_PREFIX4)
			prefix_range(d, r, fault);
		else if (fault != MAPE_FAULT_FORMAT) /* there is no text that makes an unknown one */
			number_range(d, r, fault);
		if (fault == MAPE_FAULT_PREFIX6)
			rest.prefix6 = 0;
		else if (fault == MAPE_FAULT_PREFIX4)
			rest.prefix4 = 0;
		else if (fault == MAPE_FAULT_EA)
			rest.ea = 0;
		else if (fault == MAPE_FAULT_OFFSET)
			rest.offset = 0;
		else
			rest.format = MAPE_RFC7597;
		/* one that was not given comes from ea */
		if (fault == MAPE_FAULT_PSID_LEN || !(r->flags & MAPE_HAS_PSID_LEN))
			rest.psid_len = 0;
	}
}

/* RFC 7597, 5.2: the EA bits are the IPv4 suffix and the PSID. */
static void ea_psid(struct mape_domain *d, const struct mape_rule *r)
{
	int suffix = (int)mape_suffix_len(r), left = r->ea - suffix, needed = suffix + r->psid_len;
	int room = pd_room(d, r);
	bool ea_wrong = needed <= 48 && (room == needed || (left <= 0 && room != r->ea));
	char likely[LIKELY];

	if (ea_wrong || left < 0) {
		mape_find(d, MAPE_ERROR, "ea", number(likely, needed),
			  "a /%u IPv4 prefix leaves %d bits of address, and psid-len is %u: EA length %u cannot be "
			  "right, it "
			  "must be %d + %u",
			  r->prefix4, suffix, r->psid_len, r->ea, suffix, r->psid_len);
		return;
	}
	mape_find(d, MAPE_ERROR, "psid-len", number(likely, left),
		  "EA length %u with a /%u IPv4 prefix leaves %d bits of PSID: psid-len %u cannot be right", r->ea,
		  r->prefix4, left, r->psid_len);
}

static void psid(struct mape_domain *d, const struct mape_rule *r)
{
	u32 behind = 16u - r->psid_len;
	char likely[LIKELY] = "";

	if (!r->psid_len) {
		mape_find(d, MAPE_ERROR, "psid", "",
			  "psid %u (0x%x) without a psid-len: the address is not shared, and has no PSID", r->psid,
			  r->psid);
		return;
	}
	if (r->ea && pd_room(d, r) >= r->ea)
		number(likely, (int)(addr6_take(d->pd, 128u - r->prefix6 - r->ea) & ((1u << r->psid_len) - 1)));
	else if (!(r->psid & ((1u << behind) - 1)))
		number(likely, r->psid >> behind);
	mape_find(d, MAPE_ERROR, "psid", likely, "psid %u (0x%x) cannot be right: with psid-len %u it is 0 to %u%s",
		  r->psid, r->psid, r->psid_len, (1u << r->psid_len) - 1,
		  r->psid & ((1u << behind) - 1) ? "" : "; it looks left-aligned, as it is on the wire");
}

static void stray_bits(struct mape_domain *d, const struct mape_rule *r, enum mape_fault fault)
{
	char likely[PREFIX6_TEXT], text[ADDR_TEXT], as_given[PREFIX6_TEXT];
	struct addr6 mask;

	if (fault == MAPE_FAULT_PREFIX4_BITS) {
		u32 cut = r->prefix4 ? r->addr & ~0u << mape_suffix_len(r) : 0;

		snprintf(likely, sizeof(likely), "%s/%u", addr_print(text, be32_of(cut)), r->prefix4);
		mape_find(d, MAPE_ERROR, "rule4", likely,
			  "%s/%u has bits behind its length: address or length cannot be right",
			  addr_print(text, be32_of(r->addr)), r->prefix4);
		return;
	}
	mask = addr6_mask(r->prefix6);
	prefix6_print(likely, (struct addr6){r->prefix.hi & mask.hi, r->prefix.lo & mask.lo}, r->prefix6);
	mape_find(d, MAPE_ERROR, "rule6", likely, "%s has bits behind its length: address or length cannot be right",
		  prefix6_print(as_given, r->prefix, r->prefix6));
}

/* Lengths that do not fit together. */
static void misfit(struct mape_domain *d, const struct mape_rule *r, enum mape_fault fault)
{
	char likely[LIKELY];

	switch (fault) {
	case MAPE_FAULT_PORT_BITS:
		mape_find(d, MAPE_ERROR, "offset", number(likely, 16 - r->psid_len),
			  "offset %u%s and psid-len %u take %u of a port's 16 bits: offset is at most %d here",
			  r->offset, r->flags & MAPE_HAS_OFFSET ? "" : " (by default)", r->psid_len,
			  r->offset + r->psid_len, 16 - r->psid_len);
		break;
	case MAPE_FAULT_PSID_PREFIX:
		mape_find(d, MAPE_ERROR, "ea", number(likely, (int)mape_suffix_len(r) + r->psid_len),
			  "EA length 0 with a /%u IPv4 prefix gives a customer the whole prefix, which has no PSID: "
			  "psid-len "
			  "%u needs a /32, or an EA length of %u + %u",
			  r->prefix4, r->psid_len, mape_suffix_len(r), r->psid_len);
		break;
	default:
		mape_find(d, MAPE_ERROR, "rule6", number(likely, 128 - r->ea),
			  "rule6 /%u and EA length %u are %u bits together: an IPv6 address has 128", r->prefix6, r->ea,
			  r->prefix6 + r->ea);
	}
}

void mape_fault_find(struct mape_domain *d, const struct mape_rule *r)
{
	enum mape_fault fault = mape_rule_check(r);

	switch (fault) {
	case MAPE_FAULT_NONE:
		break;
	case MAPE_FAULT_PREFIX6:
	case MAPE_FAULT_PREFIX4:
	case MAPE_FAULT_EA:
	case MAPE_FAULT_OFFSET:
	case MAPE_FAULT_PSID_LEN:
	case MAPE_FAULT_FORMAT:
		out_of_range(d, r);
		break;
	case MAPE_FAULT_EA_PSID:
		ea_psid(d, r);
		break;
	case MAPE_FAULT_PSID:
		psid(d, r);
		break;
	case MAPE_FAULT_PORT_BITS:
	case MAPE_FAULT_PSID_PREFIX:
	case MAPE_FAULT_PREFIX6_EA:
		misfit(d, r, fault);
		break;
	case MAPE_FAULT_PREFIX6_BITS:
	case MAPE_FAULT_PREFIX4_BITS:
		stray_bits(d, r, fault);
		break;
	}
}
