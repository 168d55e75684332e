/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e.c - portico map-e: explains a MAP-E rule or configuration, and says which parameter cannot be right */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "conf/s46.h"
#include "lib/addr.h"
#include "map_e_conf.h"
#include "map_e_print.h"

struct map_e {
	const char *rule6, *rule4, *ea, *offset, *psid_len, *psid; /* parts of one rule */
	struct opt_list rules;					   /* whole rules */
	const char *s46, *odhcp6c;
	const char *address, *pd;
	struct opt_list br;
	unsigned int mtu;
	bool draft03, ports, json;
};

_Static_assert(sizeof(struct map_e) <= COMMAND_OPTIONS_SIZE, "options of map-e");

/* The part of a rule that was given, by the name that mape_rule_set() and the option have. */
static const struct part {
	const char *name;
	size_t offset;
} parts[] = {
	{"rule6", offsetof(struct map_e, rule6)},
	{"rule4", offsetof(struct map_e, rule4)},
	{"ea", offsetof(struct map_e, ea)},
	{"offset", offsetof(struct map_e, offset)},
	{"psid-len", offsetof(struct map_e, psid_len)},
	{"psid", offsetof(struct map_e, psid)},
};

#define NPARTS (sizeof(parts) / sizeof(*parts))

static const char *part_of(const struct map_e *o, const struct part *part)
{
	return *(const char *const *)(const void *)((const char *)o + part->offset);
}

static bool in_parts(const struct map_e *o)
{
	bool given = false;

	for (size_t i = 0; i < NPARTS; i++)
		given |= part_of(o, &parts[i]) != NULL;
	return given;
}

/* Which sources of rules there are: exactly one must be. An address alone is one in parts. */
static bool source_alone(const struct map_e *o)
{
	int n = (o->rules.count > 0) + !!o->s46 + !!o->odhcp6c;

	return n + in_parts(o) == 1 || (!n && o->address);
}

/* A configuration file says all but how to print it. */
static bool file_alone(const struct map_e *o)
{
	return !o->rules.count && !o->s46 && !o->odhcp6c && !in_parts(o) && !o->address && !o->pd && !o->br.count &&
	       !o->draft03;
}

/* A rule in parts; one of an address alone has no IPv6 prefix and nothing embedded. */
static int parts_take(const struct map_e *o, struct mape_domain *d, struct err *err)
{
	struct mape_rule r = {.prefix4 = 32};
	be32 address;

	for (size_t i = 0; i < NPARTS; i++) {
		const char *value = part_of(o, &parts[i]);

		if (value && mape_rule_set(&r, parts[i].name, value, err))
			return -1;
	}
	if (o->address && !o->rule6 && !o->rule4 && !o->ea) {
		if (addr_parse(o->address, &address))
			return 0; /* address_take() says so */
		r.addr = addr_host(address);
	} else if (!o->rule6 || !o->rule4 || !o->ea) {
		return err_set(err, -1, "a rule needs --rule6, --rule4 and --ea: --%s is missing",
			       !o->rule6   ? "rule6"
			       : !o->rule4 ? "rule4"
					   : "ea");
	}
	return mape_domain_add(d, &r, err);
}

static int rules_take(const struct map_e *o, struct mape_domain *d, struct err *err)
{
	for (unsigned int i = 0; i < o->rules.count; i++) {
		struct mape_rule r;

		if (mape_rule_parse(&r, o->rules.value[i], err) || mape_domain_add(d, &r, err))
			return -1;
	}
	return 0;
}

/* With a rule and no delegated prefix, address and PSID say which it must be (RFC 7597, 5.3). */
static int address_take(const struct map_e *o, struct mape_domain *d, struct err *err)
{
	struct mape_rule r = d->rules[0];
	u32 address;
	be32 net;

	if (addr_parse(o->address, &net))
		return err_set(err, -1, "bad --address '%s': give an IPv4 address, such as 192.0.2.134", o->address);
	address = addr_host(net);
	if (d->has_pd || d->nrules != 1 || mape_rule_check(&r) || !r.prefix6)
		return 0;
	mape_rule_prepare(&r, 0);
	if ((address ^ r.addr) & r.mask)
		return 0;
	if (r.psid_len && !(r.flags & MAPE_HAS_PSID))
		return err_set(err, -1, "--address %s is shared: give --psid as well", o->address);
	d->pd = mape_prefix(&r, address, r.psid);
	d->pd_length = (u8)(r.prefix6 + r.ea);
	d->has_pd = true;
	return 0;
}

static int domain_take(const struct map_e *o, struct mape_domain *d, struct err *err)
{
	struct addr6 br;

	if (o->pd) {
		if (prefix6_parse(o->pd, &d->pd, &d->pd_length))
			return err_set(err, -1, "bad --pd '%s': give an IPv6 prefix, such as 2001:db8:12:3400::/56",
				       o->pd);
		d->has_pd = true;
	}
	for (unsigned int i = 0; i < o->br.count; i++) {
		if (addr6_parse(o->br.value[i], &br))
			return err_set(err, -1, "bad --br '%s': give an IPv6 address, such as 2001:db8:ffff::1",
				       o->br.value[i]);
		if (mape_domain_add_br(d, br, err))
			return -1;
	}
	if (rules_take(o, d, err))
		return -1;
	if (!o->s46 && !o->odhcp6c && !o->rules.count && parts_take(o, d, err))
		return -1;
	return o->address ? address_take(o, d, err) : 0;
}

/* --address beside a rule must be the customer's, or at least the rule's. */
static void address_check(const struct map_e *o, struct mape_domain *d)
{
	struct mape_customer c;
	char likely[ADDR_TEXT];
	be32 net;

	if (!o->address || addr_parse(o->address, &net) || d->nrules != 1)
		return;
	if (d->basic < 0) {
		if ((addr_host(net) ^ d->rules[0].addr) & d->rules[0].mask)
			mape_find(d, MAPE_ERROR, "address", "", "%s is not in the rule's IPv4 prefix", o->address);
		return;
	}
	mape_domain_own(d, &c);
	if (!addr_in(net, be32_of(c.own.addr), c.own.length))
		mape_find(d, MAPE_ERROR, "address", addr_print(likely, be32_of(c.own.addr)),
			  "%s was given, but rule and delegated prefix say otherwise", o->address);
}

static int findings_print(const struct mape_domain *d, bool json)
{
	int status = COMMAND_DONE;

	for (u32 i = 0; i < d->nfindings; i++) {
		const struct mape_finding *f = &d->findings[i];

		if (f->severity == MAPE_ERROR)
			status = COMMAND_FAILED;
		if (!json)
			command_fail(0, "%s%s: %s%s%s", f->severity == MAPE_WARNING ? "warning: " : "", f->parameter,
				     f->text, f->likely[0] ? "; likely " : "", f->likely);
	}
	return status;
}

static int run(const void *options, char **operands)
{
	const struct map_e *o = options;
	struct mape_domain d = {.format = o->draft03 ? MAPE_DRAFT03 : MAPE_RFC7597, .mtu = o->mtu ? o->mtu : 1500};
	struct err err;

	if (operands[0] ? !file_alone(o) : !source_alone(o))
		return command_fail(
			COMMAND_USAGE,
			"map-e: give one of --rule6 with --rule4 and --ea, --rule, --s46, --odhcp6c, --address or "
			"CONF; see 'portico map-e --help'");
	if (operands[0])
		return map_e_conf(operands[0], o->mtu, o->ports, o->json);
	if (o->s46 && s46_parse_hex(&d, o->s46, &err))
		return command_fail(COMMAND_FAILED, "--s46: %s", err.text);
	if (o->odhcp6c && odhcp6c_parse(&d, o->odhcp6c, &err))
		return command_fail(COMMAND_FAILED, "--odhcp6c: %s", err.text);
	if (domain_take(o, &d, &err))
		return command_fail(COMMAND_USAGE, "map-e: %s", err.text);
	if (!mape_domain_check(&d))
		address_check(o, &d);
	if (o->json && command_json(map_e_json(&d, o->ports)))
		return COMMAND_FAILED;
	if (!o->json)
		map_e_print(&d, o->ports);
	return findings_print(&d, o->json);
}

static const struct opt options[] = {
	{0, "rule6", "PREFIX6", opt_text, offsetof(struct map_e, rule6), "the rule's IPv6 prefix", 0, 0},
	{0, "rule4", "PREFIX4", opt_text, offsetof(struct map_e, rule4), "the rule's IPv4 prefix", 0, 0},
	{0, "ea", "N", opt_text, offsetof(struct map_e, ea), "length of its embedded address bits", 0, 0},
	{0, "offset", "N", opt_text, offsetof(struct map_e, offset), "PSID offset: 6 by default, 4 with --draft-03", 0,
	 0},
	{0, "psid-len", "N", opt_text, offsetof(struct map_e, psid_len),
	 "length of the PSID: what ea leaves, by default", 0, 0},
	{0, "psid", "N", opt_text, offsetof(struct map_e, psid), "the PSID, a plain number such as 52 or 0x34", 0, 0},
	{'r', "rule", "RULE", opt_list, offsetof(struct map_e, rules), "a whole rule in one word; may be given again",
	 0, 0},
	{0, "s46", "HEX", opt_text, offsetof(struct map_e, s46), "DHCPv6 option 94, or what is in it, in hexadecimal",
	 0, 0},
	{0, "odhcp6c", "TEXT", opt_text, offsetof(struct map_e, odhcp6c), "what odhcp6c has in MAPE", 0, 0},
	{'a', "address", "ADDR", opt_text, offsetof(struct map_e, address), "the customer's IPv4 address", 0, 0},
	{'p', "pd", "PREFIX6", opt_text, offsetof(struct map_e, pd), "the customer's delegated prefix", 0, 0},
	{'b', "br", "ADDR6", opt_list, offsetof(struct map_e, br), "border relay; may be given again", 0, 0},
	{0, "draft-03", NULL, opt_flag, offsetof(struct map_e, draft03),
	 "interface id of draft-ietf-softwire-map-03, not RFC 7597", 0, 0},
	{'m', "mtu", "N", opt_number, offsetof(struct map_e, mtu), "of the IPv6 path: 1500 by default", 1, 65535},
	{0, "ports", NULL, opt_flag, offsetof(struct map_e, ports), "list every range of ports", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct map_e, json), "print JSON", 0, 0},
	{0},
};

const struct command command_map_e = {
	.name = "map-e",
	.operands = "[CONF]",
	.min = 0,
	.max = 1,
	.summary = "explain a MAP-E rule, and say which parameter cannot be right",
	.text = "Prints what a customer has by a MAP-E rule (RFC 7597): IPv4 address, port set, IPv6 address of the "
		"tunnel's\n"
		"end, MTU and MSS. The rule is given in parts, as a RULE (\"PREFIX6 PREFIX4 ea N [offset N] [psid-len "
		"N]\n"
		"[psid N] [fmr]\"), or as DHCPv6 brought it; or it is left out, and --address, --psid and --psid-len "
		"give a\n"
		"port set alone; or CONF, a gateway's configuration file, says all. Parameters that contradict each "
		"other are\n"
		"named, with the likely value; the exit status is 1 then.",
	.example = "  portico map-e home.conf --ports\n"
		   "  portico map-e --rule6 2001:db8::/40 --rule4 192.0.2.0/24 --ea 16 --pd 2001:db8:12:3400::/56\n"
		   "  portico map-e --odhcp6c \"$MAPE\" --pd 2001:db8:12:3400::/56 --json\n"
		   "  portico map-e --address 192.0.2.134 --psid 44 --psid-len 6 --ports",
	.options = options,
	.run = run,
};
