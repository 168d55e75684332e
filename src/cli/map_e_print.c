/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_print.c - a checked MAP-E domain as text for a person, or as JSON */
#include "map_e_print.h"

#include <stdio.h>

#include "lib/addr.h"

#define PREFIX4_TEXT (ADDR_TEXT + 4)

static const char *mode_name(const struct mape_rule *r)
{
	if (r->psid_len)
		return "shared address";
	return r->prefix4 + r->ea < 32 ? "IPv4 prefix" : "full address";
}

static const char *format_name(u8 format)
{
	return format == MAPE_DRAFT03 ? "draft-03" : "rfc7597";
}

/* "192.0.2.18", or "20.160.0.0/12" where it is a prefix */
static const char *own_text(char text[PREFIX4_TEXT], const struct mape_own *own)
{
	char address[ADDR_TEXT];

	addr_print(address, be32_of(own->addr));
	snprintf(text, PREFIX4_TEXT, own->length < 32 ? "%s/%u" : "%s", address, own->length);
	return text;
}

static const char *prefix4_text(char text[PREFIX4_TEXT], u32 addr, u8 length)
{
	char address[ADDR_TEXT];

	snprintf(text, PREFIX4_TEXT, "%s/%u", addr_print(address, be32_of(addr)), length);
	return text;
}

/* A set is ranges of 2^m ports each, or one range where m is that of a whole port. */
static u32 ranges_count(const struct dp_portset *s)
{
	return s->m < 16 ? s->count >> s->m : 1;
}

static u32 range_size(const struct dp_portset *s)
{
	return s->m < 16 ? 1u << s->m : s->count;
}

static u16 range_first(const struct dp_portset *s, u32 i)
{
	return portset_port(s, i * range_size(s));
}

static u16 range_last(const struct dp_portset *s, u32 i)
{
	return portset_port(s, i * range_size(s) + range_size(s) - 1);
}

static void range_print(const struct dp_portset *s, u32 i)
{
	if (range_size(s) == 1)
		printf("%u", range_first(s, i));
	else
		printf("%u-%u", range_first(s, i), range_last(s, i));
}

static void ports_print(const struct dp_portset *s, bool all)
{
	u32 n = ranges_count(s);

	printf("  ports          %u", s->count);
	if (n == 1) {
		printf(": ");
		range_print(s, 0);
		puts("");
		return;
	}
	printf(", in %u ranges of %u: ", n, range_size(s));
	if (!all) {
		range_print(s, 0);
		printf(", ");
		range_print(s, 1);
		printf(n > 3 ? " ... " : n > 2 ? ", " : "");
		if (n > 2)
			range_print(s, n - 1);
		puts("");
		return;
	}
	puts("");
	for (u32 i = 0; i < n; i++) {
		printf("    ");
		range_print(s, i);
		puts("");
	}
}

static void rule_print(const struct mape_rule *r, bool basic)
{
	char prefix6[PREFIX6_TEXT], prefix4[PREFIX4_TEXT];

	if (!r->prefix6 && !r->ea) /* of an address alone */
		return;
	printf("  %-14s %s %s ea %u offset %u psid-len %u%s\n", basic ? "own rule" : "rule",
	       prefix6_print(prefix6, r->prefix, r->prefix6), prefix4_text(prefix4, r->addr, r->prefix4), r->ea,
	       r->offset, r->psid_len, r->flags & MAPE_FORWARDING ? " fmr" : "");
}

static void own_print(const struct mape_domain *d, bool ports)
{
	const struct mape_rule *r = &d->rules[d->basic];
	struct mape_customer c;
	char text[PREFIX6_TEXT];

	mape_domain_own(d, &c);
	printf("  IPv4           %s", own_text(text, &c.own));
	if (r->psid_len)
		printf(", shared by %u\n  PSID           %u (0x%x)\n", 1u << r->psid_len, c.own.psid, c.own.psid);
	else
		printf(", not shared\n");
	ports_print(&c.ports, ports);
	if (d->has_pd)
		printf("  delegated      %s\n", prefix6_print(text, d->pd, d->pd_length));
	if (c.has_address)
		printf("  CE             %s (interface id: %s)\n", addr6_print(text, c.address),
		       format_name(d->format));
}

void map_e_print(const struct mape_domain *d, bool ports)
{
	char text[ADDR6_TEXT];

	for (u32 i = 0; i < d->nrules; i++)
		rule_print(&d->rules[i], (int)i == d->basic);
	if (d->basic >= 0)
		own_print(d, ports);
	for (u32 i = 0; i < d->nbrs; i++)
		printf("  border relay   %s\n", addr6_print(text, d->brs[i]));
	if (d->mtu >= MAPE_MTU_LEAST)
		printf("  MTU            %u: IPv4 packets of %u bytes, TCP segments (MSS) of %u\n", d->mtu,
		       d->mtu - MAPE_HEADER, d->mtu - MAPE_HEADER - 40);
}

static json_t *rule_json(const struct mape_rule *r, bool basic)
{
	char prefix6[PREFIX6_TEXT], prefix4[PREFIX4_TEXT];
	bool psid = r->flags & MAPE_HAS_PSID;

	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:b, s:s, s:b}", "rule6",
			 prefix6_print(prefix6, r->prefix, r->prefix6), "rule4",
			 prefix4_text(prefix4, r->addr, r->prefix4), "ea", (int)r->ea, "offset", (int)r->offset,
			 "psid_len", (int)r->psid_len, "psid", psid ? json_integer(r->psid) : json_null(), "fmr",
			 r->flags & MAPE_FORWARDING, "mode", mode_name(r), "own", basic);
}

static json_t *ports_json(const struct dp_portset *s, bool all)
{
	json_t *list = json_array();
	u32 n = ranges_count(s);

	for (u32 i = 0; i < n; i++)
		if (all || !i || i + 1 == n)
			json_array_append_new(list, json_pack("[i, i]", range_first(s, i), range_last(s, i)));
	return json_pack("{s:i, s:i, s:i, s:b, s:o}", "count", (int)s->count, "ranges", (int)n, "range_size",
			 (int)range_size(s), "all_listed", all || n < 3, "list", list);
}

/* What the customer has, null where that cannot be told. */
static json_t *own_json(const struct mape_domain *d, bool ports)
{
	struct mape_customer c;
	char ipv4[PREFIX4_TEXT], ce[ADDR6_TEXT], pd[PREFIX6_TEXT];

	if (d->basic < 0)
		return json_null();
	mape_domain_own(d, &c);
	return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}", "ipv4", own_text(ipv4, &c.own), "psid", (int)c.own.psid,
			 "sharing", 1 << d->rules[d->basic].psid_len, "ports", ports_json(&c.ports, ports), "delegated",
			 d->has_pd ? json_string(prefix6_print(pd, d->pd, d->pd_length)) : json_null(), "ce",
			 c.has_address ? json_string(addr6_print(ce, c.address)) : json_null());
}

static json_t *findings_json(const struct mape_domain *d)
{
	json_t *list = json_array();

	for (u32 i = 0; i < d->nfindings; i++) {
		const struct mape_finding *f = &d->findings[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o}", "severity",
						      f->severity == MAPE_ERROR ? "error" : "warning", "parameter",
						      f->parameter, "text", f->text, "likely",
						      f->likely[0] ? json_string(f->likely) : json_null()));
	}
	return list;
}

/* What `headers` bytes leave of the MTU; null where that is not known. */
static json_t *mtu_json(const struct mape_domain *d, int headers)
{
	return d->mtu ? json_integer((int)d->mtu - headers) : json_null();
}

json_t *map_e_json(const struct mape_domain *d, bool ports)
{
	json_t *rules = json_array(), *brs = json_array();
	char text[ADDR6_TEXT];
	bool consistent = true;

	for (u32 i = 0; i < d->nrules; i++)
		json_array_append_new(rules, rule_json(&d->rules[i], (int)i == d->basic));
	for (u32 i = 0; i < d->nbrs; i++)
		json_array_append_new(brs, json_string(addr6_print(text, d->brs[i])));
	for (u32 i = 0; i < d->nfindings; i++)
		consistent &= d->findings[i].severity != MAPE_ERROR;
	return json_pack("{s:b, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "consistent", consistent, "interface_id",
			 format_name(d->format), "rules", rules, "own", own_json(d, ports), "border_relays", brs, "mtu",
			 mtu_json(d, 0), "tunnel_mtu", mtu_json(d, MAPE_HEADER), "mss", mtu_json(d, MAPE_HEADER + 40),
			 "findings", findings_json(d));
}
