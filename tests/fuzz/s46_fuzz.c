/* SPDX-License-Identifier: GPL-2.0-or-later */
/* s46_fuzz.c - any bytes as DHCPv6 options, as their hexadecimal text and as odhcp6c's, through the checker
 *
 * Input: a byte - bits 0 and 1: 0 options, 1 hexadecimal, 2 odhcp6c, 3 a rule by hand; bit 2: draft-03; bit 3: the
 * first 9 bytes behind are a delegated prefix of at most 64 bits and its length - and what is to be read.
 *
 * What the checker lets pass must hold together: a customer's ports and address are found again from the other side.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conf/s46.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool held)
{
	if (!held)
		abort();
}

static void judge_rule(const struct mape_domain *d, const struct mape_rule *r)
{
	struct mape_own own = mape_own_of(r, r->prefix);
	struct dp_portset ports = mape_ports(r, own.psid);
	u16 port = portset_port(&ports, ports.count - 1);
	struct addr6 a = mape_destination(r, own.addr, port);

	must(!((own.addr ^ r->addr) & r->mask) && addr6_in(a, r->prefix, r->prefix6));
	must(mape_source_valid(r, a, own.addr, port));
	must(mape_match(d->rules, d->nrules, own.addr, port) <= r->index);
}

static void judge_customer(const struct mape_domain *d)
{
	const struct mape_rule *r = &d->rules[d->basic];
	struct mape_customer c;
	u16 port;

	mape_domain_own(d, &c);
	port = portset_port(&c.ports, 0);
	must(portset_index(&c.ports, port) == 0 && mape_psid(r, port) == c.own.psid);
	if (d->has_pd && d->pd_length == r->prefix6 + r->ea)
		must(addr6_equal(c.address, mape_destination(r, c.own.addr, port)));
}

static int read_text(struct mape_domain *d, const char *text, unsigned int how, struct err *err)
{
	struct mape_rule r;

	if (how == 1)
		return s46_parse_hex(d, text, err);
	if (how == 2)
		return odhcp6c_parse(d, text, err);
	return mape_rule_parse(&r, text, err) || mape_domain_add(d, &r, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mape_domain d = {0};
	struct err err = {""};
	unsigned int how;
	char *copy; /* of exactly the input's size, so that what reads beyond it is seen */
	int rc;

	if (!size)
		return 0;
	how = *data++;
	size--;
	d.format = how & 4 ? MAPE_DRAFT03 : MAPE_RFC7597;
	if (how & 8 && size >= 9) {
		d.has_pd = true;
		for (int i = 0; i < 8; i++)
			d.pd.hi = d.pd.hi << 8 | *data++;
		d.pd_length = *data++;
		size -= 9;
	}
	copy = malloc(size + !!(how & 3));
	if (!copy)
		return 0;
	memcpy(copy, data, size);
	if (how & 3)
		copy[size] = 0;
	rc = how & 3 ? read_text(&d, copy, how & 3, &err) : s46_parse(&d, (const u8 *)copy, size, &err);
	free(copy);
	must(!rc == !err.text[0]);
	if (rc || mape_domain_check(&d))
		return 0;
	for (u32 i = 0; i < d.nrules; i++)
		judge_rule(&d, &d.rules[i]);
	if (d.basic >= 0)
		judge_customer(&d);
	return 0;
}
