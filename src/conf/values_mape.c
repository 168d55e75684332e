/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values_mape.c - values of [map-e] and [border-relay], one parser for each kind
 *
 * Only what cannot be read at all is refused here. What does not fit together is told when the whole file is there.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "mape.h"
#include "reader.h"
#include "values.h"

int value_refusal(struct reader *r, const struct conf_key *key, const char *value)
{
	static const u8 codes[] = {13, 1, 0}; /* in the order of the words */

	if (value_word(r, key, value))
		return r->rc;
	r->conf.refusal = codes[r->conf.refusal];
	return 0;
}

int value_rule(struct reader *r, const struct conf_key *key, const char *value)
{
	struct mape_domain *d = r->domain->domain;
	struct mape_rule rule;
	struct err err;
	u32 at = d->nrules;

	(void)key;
	if (mape_rule_parse(&rule, value, &err) || mape_domain_add(d, &rule, &err))
		return reader_fail(r, r->line, "%s", err.text);
	r->domain->rules[at] = r->line;
	return 0;
}

int value_dscp(struct reader *r, const struct conf_key *key, const char *value)
{
	unsigned long n = TUNNEL_DSCP_COPY;
	char *end = "";

	if (strcmp(value, "copy")) {
		n = strtoul(value, &end, 10);
		if (!isdigit((unsigned char)*value) || *end || n > 63)
			return reader_fail(r, r->line, "bad %s '%s': give copy, or a number from 0 to 63", key->name,
					   value);
	}
	value_store(r, key, (u32)n);
	return 0;
}

int value_delegated(struct reader *r, const struct conf_key *key, const char *value)
{
	struct mape_domain *d = r->domain->domain;

	if (prefix6_parse(value, &d->pd, &d->pd_length))
		return reader_fail(r, r->line, "bad %s '%s': give an IPv6 prefix, such as 2001:db8:12:3400::/56",
				   key->name, value);
	d->has_pd = true;
	return 0;
}

static int address_parse(struct reader *r, const struct conf_key *key, const char *value, struct addr6 *address)
{
	if (addr6_parse(value, address))
		return reader_fail(r, r->line, "bad %s '%s': give an IPv6 address, such as 2001:db8:ffff::1", key->name,
				   value);
	if (!addr6_is_global(*address))
		return reader_fail(r, r->line,
				   "bad %s '%s': a tunnel's end cannot have it; give an address that a router "
				   "elsewhere can reach",
				   key->name, value);
	return 0;
}

int value_tunnel_end(struct reader *r, const struct conf_key *key, const char *value)
{
	struct addr6 address;

	if (address_parse(r, key, value, &address))
		return r->rc;
	if (r->section == SECTION_RELAY) {
		r->conf.relays[r->conf.nrelays - 1].address = address;
	} else {
		r->conf.mape.address = address;
		r->conf.mape.has_address = true;
	}
	return 0;
}

int value_relay(struct reader *r, const struct conf_key *key, const char *value)
{
	struct addr6 address;
	struct err err;

	if (address_parse(r, key, value, &address))
		return r->rc;
	if (mape_domain_add_br(r->domain->domain, address, &err))
		return reader_fail(r, r->line, "%s", err.text);
	return 0;
}

int value_gateway6(struct reader *r, const struct conf_key *key, const char *value)
{
	struct addr6 *gateway = &r->port->gateway6;

	if (addr6_parse(value, gateway) || !(gateway->hi | gateway->lo) || gateway->hi >> 56 == 0xff)
		return reader_fail(r, r->line, "bad %s '%s': give the IPv6 address of a router, such as 2001:db8:f::1",
				   key->name, value);
	return 0;
}

int value_s46(struct reader *r, const struct conf_key *key, const char *value)
{
	size_t length = strlen(r->s46);

	if (length + strlen(value) + 2 > sizeof(r->s46))
		return reader_fail(r, r->line, "%s is longer than %zu characters, in all its lines", key->name,
				   sizeof(r->s46) - 2);
	r->s46[length] = ' ';
	strcpy(r->s46 + length + 1, value);
	return 0;
}

int value_file(struct reader *r, const struct conf_key *key, const char *value)
{
	if (*value != '/' || strlen(value) >= CONF_FILE_MAX)
		return reader_fail(r, r->line,
				   "bad %s '%s': give a file's whole name, such as /run/dhcpv6.env, of at most %d "
				   "characters",
				   key->name, value, CONF_FILE_MAX - 1);
	strcpy(r->conf.mape.dhcpv6, value);
	return 0;
}
