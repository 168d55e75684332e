/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape.c - a MAP-E domain from text */
#include "mape.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/addr.h"

int addr6_parse(const char *text, struct addr6 *addr)
{
	be32 w[4];

	if (inet_pton(AF_INET6, text, w) != 1)
		return -EINVAL;
	*addr = addr6_of_wire(w);
	return 0;
}

char *addr6_print(char text[ADDR6_TEXT], struct addr6 addr)
{
	be32 w[4];

	addr6_to_wire(w, addr);
	inet_ntop(AF_INET6, w, text, ADDR6_TEXT);
	return text;
}

/* A whole number, decimal or with 0x; -EINVAL where it is none, or above `max`. */
static int number_parse(const char *text, u32 max, u32 *value)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(text, &end, hex ? 16 : 10);
	if (!isdigit((unsigned char)*text) || *end || errno || n > max)
		return -EINVAL;
	*value = (u32)n;
	return 0;
}

/* Cuts "ADDRESS/LENGTH" in two. */
static int prefix_cut(const char *text, char address[ADDR6_TEXT], u8 *length)
{
	const char *slash = strchr(text, '/');
	u32 n;

	if (!slash || slash - text >= ADDR6_TEXT || number_parse(slash + 1, 255, &n))
		return -EINVAL;
	memcpy(address, text, (size_t)(slash - text));
	address[slash - text] = 0;
	*length = (u8)n;
	return 0;
}

int prefix6_parse(const char *text, struct addr6 *addr, u8 *length)
{
	char address[ADDR6_TEXT];

	return prefix_cut(text, address, length) ? -EINVAL : addr6_parse(address, addr);
}

char *prefix6_print(char text[PREFIX6_TEXT], struct addr6 addr, unsigned int length)
{
	char address[ADDR6_TEXT];

	snprintf(text, PREFIX6_TEXT, "%s/%u", addr6_print(address, addr), length & 255);
	return text;
}

static int prefix4_parse(const char *text, u32 *addr, u8 *length)
{
	char address[ADDR6_TEXT];
	be32 net;

	if (prefix_cut(text, address, length) || addr_parse(address, &net))
		return -EINVAL;
	*addr = addr_host(net);
	return 0;
}

/* The numbers of a rule. */
static const struct {
	const char *name;
	size_t offset;
	u32 max;
	u8 flag;
	bool wide; /* 16 bits */
} numbers[] = {
	{"ea", offsetof(struct mape_rule, ea), 48, 0, false},
	{"offset", offsetof(struct mape_rule, offset), 15, MAPE_HAS_OFFSET, false},
	{"psid-len", offsetof(struct mape_rule, psid_len), 16, MAPE_HAS_PSID_LEN, false},
	{"psid", offsetof(struct mape_rule, psid), 65535, MAPE_HAS_PSID, true},
};

#define NNUMBERS (sizeof(numbers) / sizeof(*numbers))

static int number_set(struct mape_rule *r, size_t i, const char *value, struct err *err)
{
	char *field = (char *)r + numbers[i].offset;
	u32 n;

	/* what fits the field is left to the checker, which knows the likely value */
	if (number_parse(value, numbers[i].wide ? 65535 : 255, &n))
		return err_set(err, -EINVAL, "bad %s '%s': give a number from 0 to %u, such as 12 or 0xc",
			       numbers[i].name, value, numbers[i].max);
	if (numbers[i].wide)
		*(u16 *)(void *)field = (u16)n;
	else
		*(u8 *)field = (u8)n;
	r->flags |= numbers[i].flag;
	return 0;
}

int mape_rule_set(struct mape_rule *r, const char *name, const char *value, struct err *err)
{
	if (!strcmp(name, "rule6")) {
		if (prefix6_parse(value, &r->prefix, &r->prefix6))
			return err_set(err, -EINVAL, "bad rule6 '%s': give an IPv6 prefix, such as 2001:db8::/40",
				       value);
		return 0;
	}
	if (!strcmp(name, "rule4")) {
		if (prefix4_parse(value, &r->addr, &r->prefix4))
			return err_set(err, -EINVAL, "bad rule4 '%s': give an IPv4 prefix, such as 192.0.2.0/24",
				       value);
		return 0;
	}
	for (size_t i = 0; i < NNUMBERS; i++)
		if (!strcmp(name, numbers[i].name))
			return number_set(r, i, value, err);
	return err_set(err, -EINVAL,
		       "unknown word '%s': a rule is PREFIX6 PREFIX4 ea N [offset N] [psid-len N] [psid N] "
		       "[fmr]",
		       name);
}

/* The next word, NULL at the end. */
static char *word_next(char **rest)
{
	char *word;

	do
		word = strsep(rest, " ,\t");
	while (word && !*word);
	return word;
}

/* One word of a rule, and its value behind it; notes in *seen which of the needed parts it was. */
static int rule_word(struct mape_rule *r, char *word, char **rest, unsigned int *seen, struct err *err)
{
	unsigned int part = strchr(word, '/') ? strchr(word, ':') ? 1 : 2 : !strcmp(word, "ea") ? 4 : 0;
	const char *value;

	if (part & *seen)
		return err_set(err, -EINVAL, "bad rule: '%s' comes after another of its kind", word);
	*seen |= part;
	if (part == 1 || part == 2)
		return mape_rule_set(r, part == 1 ? "rule6" : "rule4", word, err);
	if (!strcmp(word, "fmr")) {
		r->flags |= MAPE_FORWARDING;
		return 0;
	}
	value = word_next(rest);
	return mape_rule_set(r, word, value ? value : "", err);
}

int mape_rule_parse(struct mape_rule *r, const char *text, struct err *err)
{
	static const char *const parts[] = {"IPv6 prefix, such as 2001:db8::/40", "IPv4 prefix, such as 192.0.2.0/24",
					    "ea, such as ea 16"};
	char copy[256], *rest = copy, *word;
	unsigned int seen = 0;

	*r = (struct mape_rule){0};
	if (strlen(text) >= sizeof(copy))
		return err_set(err, -EINVAL, "bad rule: it is longer than %zu characters", sizeof(copy) - 1);
	strcpy(copy, text);
	while ((word = word_next(&rest)))
		if (rule_word(r, word, &rest, &seen, err))
			return -EINVAL;
	for (unsigned int i = 0; i < 3; i++)
		if (!(seen >> i & 1))
			return err_set(err, -EINVAL, "bad rule '%s': it has no %s", text, parts[i]);
	return 0;
}

void mape_rule_complete(struct mape_rule *r, u8 format)
{
	u32 suffix = mape_suffix_len(r);

	r->format = format;
	if (!(r->flags & MAPE_HAS_OFFSET))
		r->offset = format == MAPE_DRAFT03 ? 4 : 6; /* RFC 7597, 5.1 */
	if (!(r->flags & MAPE_HAS_PSID_LEN))
		r->psid_len = (u8)(r->prefix4 <= 32 && r->ea > suffix ? r->ea - suffix : 0);
}

int mape_domain_add(struct mape_domain *d, const struct mape_rule *r, struct err *err)
{
	if (d->nrules == MAPE_RULES_MAX)
		return err_set(err, -E2BIG, "too many rules: a domain has at most %d", MAPE_RULES_MAX);
	d->rules[d->nrules] = *r;
	mape_rule_complete(&d->rules[d->nrules++], d->format);
	return 0;
}

int mape_domain_add_br(struct mape_domain *d, struct addr6 br, struct err *err)
{
	for (u32 i = 0; i < d->nbrs; i++)
		if (addr6_equal(d->brs[i], br))
			return 0;
	if (d->nbrs == MAPE_BRS_MAX)
		return err_set(err, -E2BIG, "too many border relays: a domain has at most %d", MAPE_BRS_MAX);
	d->brs[d->nbrs++] = br;
	return 0;
}

void mape_domain_take(struct mape_domain *d, const struct mape_domain *from)
{
	if (!d->nrules) {
		memcpy(d->rules, from->rules, sizeof(d->rules));
		d->nrules = from->nrules;
		d->provisioned = from->provisioned;
	}
	if (!d->nbrs) {
		memcpy(d->brs, from->brs, sizeof(d->brs));
		d->nbrs = from->nbrs;
	}
	for (u32 i = 0; i < from->nfindings && d->nfindings < MAPE_FINDINGS_MAX; i++)
		d->findings[d->nfindings++] = from->findings[i];
}

void mape_find(struct mape_domain *d, enum mape_severity severity, const char *parameter, const char *likely,
	       const char *format, ...)
{
	struct mape_finding *f = &d->findings[d->nfindings];
	va_list ap;

	if (d->nfindings == MAPE_FINDINGS_MAX)
		return;
	f->severity = severity;
	f->rule = d->subject;
	snprintf(f->parameter, sizeof(f->parameter), "%s", parameter);
	snprintf(f->likely, sizeof(f->likely), "%s", likely);
	va_start(ap, format);
	vsnprintf(f->text, sizeof(f->text), format, ap);
	va_end(ap);
	d->nfindings++;
}

void mape_domain_own(const struct mape_domain *d, struct mape_customer *c)
{
	const struct mape_rule *r = &d->rules[d->basic];
	/* with nothing embedded, the rule's prefix says all */
	struct addr6 pd = d->has_pd ? d->pd : r->prefix;
	u32 length = d->has_pd ? d->pd_length : r->prefix6;

	c->own = mape_own_of(r, pd);
	c->ports = mape_ports(r, c->own.psid);
	c->has_address = length > 0;
	c->address = mape_address(r, pd, length, c->own);
}
