/* SPDX-License-Identifier: GPL-2.0-or-later */
/* follow.c - what the DHCPv6 client has written for the customer edge
 *
 * The file is written by somebody else's script, at any time, so each reading may find less than there was or will be:
 *
 *      says too little      -ENOENT   waiting: the customer edge comes up when the rest is there
 *      cannot be right      -EINVAL   named, with the likely value
 *      complete             0
 *
 * The delegated prefix is the first of PREFIX, PREFIXES, RA_ADDRESSES and ADDRESSES that a rule is for. From addresses,
 * which providers give who delegate nothing, their /64 serves; where it is in no rule, it says nothing.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conf.h"
#include "s46.h"

#define FOLLOW_MAX 32768 /* more than the bytes of the file */

enum variable {
	VARIABLE_PREFIX,
	VARIABLE_PREFIXES,
	VARIABLE_RA_ADDRESSES,
	VARIABLE_ADDRESSES,
	VARIABLE_MAPE,
	VARIABLE_COUNT,
};

static const char *const names[VARIABLE_COUNT] = {"PREFIX", "PREFIXES", "RA_ADDRESSES", "ADDRESSES", "MAPE"};

struct contents {
	const char *values[VARIABLE_COUNT]; /* NULL: not there */
	char text[FOLLOW_MAX];		    /* what the values point into */
	char hex[FOLLOW_MAX + 1];	    /* the lines that are no variables, each with its newline */
	size_t length;			    /* of hex */
};

/* Reads the file, at most FOLLOW_MAX - 1 bytes. Variables may end with 0 as in /proc. 0 or -errno. */
static int file_read(const char *path, char text[FOLLOW_MAX], struct err *err)
{
	FILE *file = fopen(path, "re");
	size_t length;
	int rc = -errno;

	if (!file && rc == -ENOENT)
		return err_set(err, -ENOENT, "%s: not there yet", path);
	if (!file)
		return err_set(err, rc, "%s: cannot be read: %s", path, strerror(-rc));
	length = fread(text, 1, FOLLOW_MAX, file);
	rc = ferror(file) ? -errno : 0;
	fclose(file);
	if (rc)
		return err_set(err, rc, "%s: cannot be read: %s", path, strerror(-rc));
	if (length == FOLLOW_MAX)
		return err_set(err, -EINVAL, "%s: more than %d bytes: this is no file of a DHCPv6 client", path,
			       FOLLOW_MAX - 1);
	text[length] = 0;
	for (char *at = text; (at = memchr(at, 0, (size_t)(text + length - at)));)
		*at = '\n';
	return 0;
}

/* Takes quotes and blanks around a value away. */
static char *value_bare(char *value)
{
	size_t length = strlen(value);

	while (length && isspace((unsigned char)value[length - 1]))
		value[--length] = 0;
	if (length > 1 && (*value == '\'' || *value == '"') && value[length - 1] == *value) {
		value[length - 1] = 0;
		value++;
	}
	return value;
}

/* "NAME=VALUE", a comment, or hexadecimal. */
static void line_take(struct contents *f, char *line)
{
	size_t length = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	if (line[length] != '=') {
		if (*line != '#')
			f->length += (size_t)sprintf(f->hex + f->length, "%s\n", line);
		return;
	}
	for (unsigned int i = 0; i < VARIABLE_COUNT; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], line, length))
			f->values[i] = value_bare(line + length + 1);
}

static void lines_take(struct contents *f)
{
	char *rest = f->text, *line;

	memset(f->values, 0, sizeof(f->values));
	f->length = 0;
	f->hex[0] = 0;
	while ((line = strsep(&rest, "\n"))) {
		line += strspn(line, " \t\r");
		if (*line)
			line_take(f, line);
	}
}

/* Rules and border relays, where they are not given by hand. */
static int rules_take(const struct conf_mape *m, const struct contents *f, struct mape_domain *d, struct err *err)
{
	struct mape_domain brought = {.format = d->format};
	const char *mape = f->values[VARIABLE_MAPE];
	struct err why;
	int rc = 0;

	if (m->has_rules && m->has_relays)
		return 0;
	if (mape && *mape)
		rc = odhcp6c_parse(&brought, mape, &why);
	else if (!mape && !m->has_rules && f->length)
		rc = s46_parse_hex(&brought, f->hex, &why);
	if (rc)
		return err_set(err, -EINVAL, "%s: %s%s", m->dhcpv6, mape ? "MAPE: " : "", why.text);
	mape_domain_take(d, &brought);
	return 0;
}

/* Whether a rule is for the delegated prefix. */
static bool fits(const struct mape_domain *d, struct addr6 prefix, u8 length)
{
	for (u32 i = 0; i < d->nrules; i++) {
		const struct mape_rule *r = &d->rules[i];

		if (r->prefix6 <= 128 && length >= r->prefix6 + r->ea && addr6_in(prefix, r->prefix, r->prefix6))
			return true;
	}
	return false;
}

/* A word of a list: "ADDRESS/LENGTH[,PREFERRED,VALID[,...]]". 0; -ENOENT where its time is over; -EINVAL. */
static int word_parse(const char *word, struct addr6 *prefix, u8 *length)
{
	char text[PREFIX6_TEXT];
	size_t end = strcspn(word, ", \t");
	unsigned long preferred, valid;

	if (end >= sizeof(text))
		return -EINVAL;
	memcpy(text, word, end);
	text[end] = 0;
	if (prefix6_parse(text, prefix, length))
		return -EINVAL;
	return sscanf(word + end, ",%lu,%lu", &preferred, &valid) == 2 && !valid ? -ENOENT : 0;
}

/* The first of a list that a rule is for; of prefixes, else the first, of which the checker says what is wrong. */
static int list_take(const char *list, bool addresses, struct mape_domain *d)
{
	for (const char *word = list + strspn(list, " \t"); *word; word += strspn(word, " \t")) {
		struct addr6 prefix, mask;
		u8 length;
		int rc = word_parse(word, &prefix, &length);

		if (rc == -EINVAL)
			return rc;
		if (addresses) {
			length = length < 64 ? length : 64;
			mask = addr6_mask(length);
			prefix = (struct addr6){prefix.hi & mask.hi, prefix.lo & mask.lo};
		}
		if (!rc && (fits(d, prefix, length) || (!addresses && !d->has_pd))) {
			d->has_pd = true;
			d->pd = prefix;
			d->pd_length = length;
		}
		if (d->has_pd && fits(d, d->pd, d->pd_length))
			return 0;
		word += strcspn(word, " \t");
	}
	return 0;
}

static int prefix_take(const struct conf_mape *m, const struct contents *f, struct mape_domain *d, struct err *err)
{
	if (m->has_prefix)
		return 0;
	for (unsigned int i = VARIABLE_PREFIX; i <= VARIABLE_ADDRESSES; i++) {
		if (f->values[i] && list_take(f->values[i], i >= VARIABLE_RA_ADDRESSES, d))
			return err_set(err, -EINVAL, "%s: bad %s '%s': give ADDRESS/LENGTH, such as %s", m->dhcpv6,
				       names[i], f->values[i], "2001:db8:12:3400::/56");
		if (d->has_pd && fits(d, d->pd, d->pd_length))
			break;
	}
	return 0;
}

/* Whether what is there suffices. */
static int complete(const struct conf *c, struct mape_domain *d, struct err *err)
{
	const char *path = c->mape.dhcpv6;
	char text[CONF_FINDING_TEXT];
	struct mape_customer own = {.has_address = false};

	if (!d->nrules)
		return err_set(err, -ENOENT, "%s: no rule yet", path);
	mape_domain_check(d);
	for (u32 i = 0; i < d->nfindings; i++)
		if (d->findings[i].severity == MAPE_ERROR)
			return err_set(err, -EINVAL, "%s: %s", path, conf_finding_print(text, c, &d->findings[i]));
	if (d->basic >= 0)
		mape_domain_own(d, &own);
	if (d->basic < 0 || (!own.has_address && !c->mape.has_address))
		return err_set(err, -ENOENT, "%s: no delegated prefix yet", path);
	return d->nbrs ? 0 : err_set(err, -ENOENT, "%s: no border relay yet", path);
}

int conf_mape_follow(const struct conf *c, struct mape_domain *d, struct err *err)
{
	const struct conf_mape *m = &c->mape;
	struct contents f;
	int rc = file_read(m->dhcpv6, f.text, err);

	if (rc)
		return rc;
	*d = (struct mape_domain){.format = m->domain.format, .mtu = m->tunnel.mtu, .basic = -1};
	if (m->has_rules) {
		d->nrules = m->domain.nrules;
		d->provisioned = m->domain.provisioned;
		memcpy(d->rules, m->domain.rules, sizeof(d->rules));
	}
	if (m->has_relays) {
		d->nbrs = m->domain.nbrs;
		memcpy(d->brs, m->domain.brs, sizeof(d->brs));
	}
	if (m->has_prefix) {
		d->has_pd = true;
		d->pd = m->domain.pd;
		d->pd_length = m->domain.pd_length;
	}
	lines_take(&f);
	rc = rules_take(m, &f, d, err);
	if (!rc)
		rc = prefix_take(m, &f, d, err);
	return rc ? rc : complete(c, d, err);
}
