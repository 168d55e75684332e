/* SPDX-License-Identifier: GPL-2.0-or-later */
/* s46.c - the S46 options of DHCPv6 on the wire (RFC 7598)
 *
 *      rule, 4.1        flags(1) ea-len(1) prefix4-len(1) ipv4-prefix(4) prefix6-len(1) ipv6-prefix(0 to 16) options
 *      border relay 4.2 address(16)
 *      port params, 4.5 offset(1) psid-len(1) psid(2): left-aligned
 *
 * One server on record pads ipv6-prefix to 8 bytes; see options_of_rule().
 */
#include "s46.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum s46_option {
	S46_RULE = 89,
	S46_BR = 90,
	S46_PORTPARAMS = 93,
	S46_CONT_MAPE = 94,
	S46_CONT_MAPT = 95,
	S46_CONT_LW = 96,
};

#define HEAD 4	     /* bytes of an option before its data */
#define RULE_FIXED 8 /* of a rule before its IPv6 prefix */
#define RULE_FORWARDING 0x01

/* All of the input and a stretch of it; positions are from the beginning of the input. */
struct stretch {
	const u8 *data;
	size_t at, end;
};

static u16 word(const struct stretch *s, size_t at)
{
	return (u16)(s->data[at] << 8 | s->data[at + 1]);
}

static const char *option_name(u16 code)
{
	switch (code) {
	case S46_RULE:
		return "S46_RULE";
	case S46_BR:
		return "S46_BR";
	case S46_PORTPARAMS:
		return "S46_PORTPARAMS";
	case S46_CONT_MAPE:
		return "S46_CONT_MAPE";
	case S46_CONT_MAPT:
		return "S46_CONT_MAPT";
	case S46_CONT_LW:
		return "S46_CONT_LW";
	default:
		return "option";
	}
}

/* Takes the option at the front of *s; its data go to *option. 1; 0 at the end; or -EINVAL. */
static int option_next(struct stretch *s, u16 *code, struct stretch *option, struct err *err)
{
	size_t left = s->end - s->at, length;

	if (!left)
		return 0;
	if (left < HEAD)
		return err_set(err, -EINVAL, "byte %zu: %zu left, and an option begins with %d", s->at, left, HEAD);
	*code = word(s, s->at);
	length = word(s, s->at + 2);
	if (length > left - HEAD)
		return err_set(err, -EINVAL, "byte %zu: %s (%u) says it has %zu bytes, and %zu are left", s->at,
			       option_name(*code), *code, length, left - HEAD);
	*option = (struct stretch){s->data, s->at + HEAD, s->at + HEAD + length};
	s->at = option->end;
	return 1;
}

static int length_wrong(const struct stretch *s, u16 code, size_t want, struct err *err)
{
	return err_set(err, -EINVAL, "byte %zu: %s (%u) has %zu bytes, and must have %zu", s->at - HEAD,
		       option_name(code), code, s->end - s->at, want);
}

static int portparams_parse(struct mape_domain *d, struct mape_rule *r, const struct stretch *s, struct err *err)
{
	u16 psid;
	u32 behind;

	if (s->end - s->at != 4)
		return length_wrong(s, S46_PORTPARAMS, 4, err);
	r->offset = s->data[s->at];
	r->flags |= MAPE_HAS_OFFSET;
	r->psid_len = s->data[s->at + 1];
	psid = word(s, s->at + 2);
	if (!r->psid_len) /* RFC 7598, 4.5: then the PSID is to be ignored */
		return 0;
	r->flags |= MAPE_HAS_PSID_LEN;
	if (r->psid_len > 16) /* the checker's */
		return 0;
	behind = 16u - r->psid_len;
	r->psid = (u16)(psid >> behind);
	if (!r->ea || r->psid)
		r->flags |= MAPE_HAS_PSID;
	if (psid & ((1u << behind) - 1))
		mape_find(d, MAPE_WARNING, "psid", "",
			  "byte %zu: the PSID field 0x%04x has bits behind its first %u, which are to be zero; taken "
			  "as %u",
			  s->at + 2, psid, r->psid_len, r->psid);
	return 0;
}

/* Whether a stretch is options from end to end. Code 0 is none. */
static bool options_fit(struct stretch s)
{
	struct stretch option;
	struct err err;
	u16 code;
	int rc;

	while ((rc = option_next(&s, &code, &option, &err)) > 0)
		if (!code)
			return false;
	return !rc;
}

/* The options behind a rule's IPv6 prefix. Where they are none as they stand, zero bytes before them are padding. */
static int options_of_rule(struct mape_domain *d, struct mape_rule *r, struct stretch s, struct err *err)
{
	struct stretch option, unpadded = s;
	u16 code;
	int rc;

	while (!options_fit(unpadded) && unpadded.at < unpadded.end && !unpadded.data[unpadded.at])
		unpadded.at++;
	if (options_fit(unpadded))
		s = unpadded;
	while ((rc = option_next(&s, &code, &option, err)) > 0)
		if (code == S46_PORTPARAMS && portparams_parse(d, r, &option, err))
			return -EINVAL;
	return rc;
}

static int rule_parse(struct mape_domain *d, struct stretch s, struct err *err)
{
	const u8 *p = s.data + s.at;
	size_t length = s.end - s.at, bytes;
	struct mape_rule r = {0};
	struct addr6 mask;
	u8 prefix[16] = {0};
	int rc;

	if (length < RULE_FIXED)
		return err_set(err, -EINVAL, "byte %zu: S46_RULE (89) has %zu bytes, and must have at least %d",
			       s.at - HEAD, length, RULE_FIXED);
	r.flags = p[0] & RULE_FORWARDING ? MAPE_FORWARDING : 0;
	r.ea = p[1];
	r.prefix4 = p[2];
	r.addr = (u32)word(&s, s.at + 3) << 16 | word(&s, s.at + 5);
	r.prefix6 = p[7];
	bytes = (r.prefix6 + 7u) / 8;
	if (r.prefix6 > 128)
		return err_set(err, -EINVAL, "byte %zu: an IPv6 prefix of %u bits in S46_RULE (89): 128 are the most",
			       s.at + 7, r.prefix6);
	if (length - RULE_FIXED < bytes)
		return err_set(err, -EINVAL,
			       "byte %zu: S46_RULE (89) says its IPv6 prefix has %u bits, and has %zu bytes of it",
			       s.at + 7, r.prefix6, length - RULE_FIXED);
	memcpy(prefix, p + RULE_FIXED, bytes);
	for (unsigned int i = 0; i < 8; i++) {
		r.prefix.hi = r.prefix.hi << 8 | prefix[i];
		r.prefix.lo = r.prefix.lo << 8 | prefix[8 + i];
	}
	/* RFC 7598, 4.1: bits behind a prefix are ignored */
	mask = addr6_mask(r.prefix6);
	r.prefix = (struct addr6){r.prefix.hi & mask.hi, r.prefix.lo & mask.lo};
	if (r.prefix4 < 32)
		r.addr &= ~(~0u >> r.prefix4);
	rc = options_of_rule(d, &r, (struct stretch){s.data, s.at + RULE_FIXED + bytes, s.end}, err);
	return rc ? rc : mape_domain_add(d, &r, err);
}

static int br_parse(struct mape_domain *d, const struct stretch *s, struct err *err)
{
	struct addr6 br = {0, 0};

	if (s->end - s->at != 16)
		return length_wrong(s, S46_BR, 16, err);
	for (size_t i = 0; i < 8; i++) {
		br.hi = br.hi << 8 | s->data[s->at + i];
		br.lo = br.lo << 8 | s->data[s->at + 8 + i];
	}
	return mape_domain_add_br(d, br, err);
}

/* What is in a MAP-E container; unknown options are skipped. */
static int container_parse(struct mape_domain *d, struct stretch s, struct err *err)
{
	struct stretch option;
	u16 code;
	int rc;

	while ((rc = option_next(&s, &code, &option, err)) > 0) {
		rc = 0;
		if (code == S46_RULE)
			rc = rule_parse(d, option, err);
		else if (code == S46_BR)
			rc = br_parse(d, &option, err);
		if (rc)
			return rc;
	}
	return rc;
}

int s46_parse(struct mape_domain *d, const u8 *data, size_t length, struct err *err)
{
	struct stretch s = {data, 0, length}, option;
	u32 ours = 0, others = 0;
	u16 code, other = 0;
	int rc;

	d->provisioned = true;
	if (length >= HEAD && (word(&s, 0) == S46_RULE || word(&s, 0) == S46_BR))
		return container_parse(d, s, err);
	while ((rc = option_next(&s, &code, &option, err)) > 0) {
		if (code == S46_CONT_MAPT || code == S46_CONT_LW) {
			others++;
			other = code;
		}
		if (code != S46_CONT_MAPE)
			continue;
		ours++;
		rc = container_parse(d, option, err);
		if (rc)
			return rc;
	}
	if (rc || ours)
		return rc;
	if (others)
		return err_set(err, -ENOTSUP, "only %s (%u): %s is not supported, MAP-E is", option_name(other), other,
			       other == S46_CONT_MAPT ? "MAP-T" : "lightweight 4over6");
	return err_set(err, -EINVAL, "no S46_CONT_MAPE (94) in %zu bytes", length);
}

/* Reads the hexadecimal digits into `data`; what is between bytes is left out. The number of bytes, or -EINVAL. */
static int hex_decode(const char *text, u8 *data, struct err *err)
{
	const char *at = text;
	int n = 0;

	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	for (; *at; at++) {
		unsigned int byte = 0;

		if (isspace((unsigned char)*at) || *at == ':')
			continue;
		for (int i = 0; i < 2; i++, at++) {
			int c = tolower((unsigned char)*at);

			if (!isxdigit(c))
				return err_set(err, -EINVAL,
					       "character %zu: %s, where a hexadecimal digit of byte %d must be",
					       (size_t)(at - text), c ? "something else" : "the end", n);
			byte = byte << 4 | (unsigned int)(c <= '9' ? c - '0' : c - 'a' + 10);
		}
		at--;
		data[n++] = (u8)byte;
	}
	return n;
}

int s46_parse_hex(struct mape_domain *d, const char *text, struct err *err)
{
	u8 *data = malloc(strlen(text) / 2 + 1);
	int n;

	if (!data)
		return err_set(err, -ENOMEM, "out of memory");
	n = hex_decode(text, data, err);
	if (n >= 0)
		n = s46_parse(d, data, (size_t)n, err);
	free(data);
	return n;
}
