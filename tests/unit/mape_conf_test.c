/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape_conf_test.c - MAP-E rules by hand, and what the checker says of parameters that cannot be right */
#include <errno.h>
#include <stdlib.h>

#include "../check.h"
#include "conf/mape.h"

static struct mape_domain d;

/* A domain of the rules in `rules`, apart by ';', with the delegated prefix `pd` and the border relay `br`, or NULL. */
static u32 checked(const char *rules, const char *pd, const char *br)
{
	char copy[512], *rest = copy, *text;
	struct mape_rule r;
	struct err err = {""};
	struct addr6 addr;

	d = (struct mape_domain){.format = d.format, .mtu = 1500};
	snprintf(copy, sizeof(copy), "%s", rules);
	while ((text = strsep(&rest, ";"))) {
		CHECK_EQ(mape_rule_parse(&r, text, &err), 0);
		CHECK_STR(err.text, "");
		CHECK_EQ(mape_domain_add(&d, &r, &err), 0);
	}
	if (pd) {
		CHECK_EQ(prefix6_parse(pd, &d.pd, &d.pd_length), 0);
		d.has_pd = true;
	}
	if (br) {
		CHECK_EQ(addr6_parse(br, &addr), 0);
		CHECK_EQ(mape_domain_add_br(&d, addr, &err), 0);
	}
	return mape_domain_check(&d);
}

/* a rule without EA bits: the address and its PSID are provisioned */
#define SHARED(site, psid) "2001:db8:" site "::/48 192.0.2.1/32 ea 0 psid-len 6 psid " psid
#define V1 "2001:db8::/40 192.0.2.0/24 ea 16"

/* What is wrong is named, first of all, and with it the likely value. */
static const struct {
	const char *rules, *pd, *br;
	enum mape_severity severity;
	const char *parameter, *likely, *part;
} cases[] = {
	{V1 " psid-len 4", NULL, NULL, MAPE_ERROR, "psid-len", "8",
	 "leaves 8 bits of PSID: psid-len 4 cannot be right"},
	{"2001:db8::/40 192.0.0.0/20 ea 16 psid-len 8", NULL, NULL, MAPE_ERROR, "psid-len", "4",
	 "EA length 16 with a /20 IPv4 prefix leaves 4 bits of PSID: psid-len 8 cannot be right"},
	{"2001:db8::/40 192.0.0.0/20 ea 16 psid-len 8", "2001:db8:12:3400::/60", NULL, MAPE_ERROR, "ea", "20",
	 "must be 12 + 8"},
	{"2001:db8::/40 192.0.0.0/20 ea 16 psid-len 8", "2001:db8:12:3400::/56", NULL, MAPE_ERROR, "psid-len", "4", ""},
	{V1 " psid-len 0", NULL, NULL, MAPE_ERROR, "psid-len", "8", "psid-len 0 cannot be right"},
	{"2001:db8::/48 20.0.0.0/16 ea 16 psid-len 8", NULL, NULL, MAPE_ERROR, "ea", "24",
	 "it must be 16 + 8"}, /* V11 */
	{"2001:db8::/48 20.0.0.0/16 ea 8 psid-len 8", NULL, NULL, MAPE_ERROR, "ea", "24", "it must be 16 + 8"},
	{"2001:db8::/129 192.0.2.0/24 ea 16", NULL, NULL, MAPE_ERROR, "rule6", "",
	 "length 129"}, /* nat46, request 81 */
	{"2001:db8::/129 192.0.2.0/24 ea 16", "2001:db8:12:3400::/56", NULL, MAPE_ERROR, "rule6", "40", "length 129"},
	{"2001:db8::/40 192.0.2.0/33 ea 16 psid-len 8", NULL, NULL, MAPE_ERROR, "rule4", "24", "length 33"},
	{"2001:db8::/40 192.0.2.0/24 ea 49", "2001:db8:12:3400::/56", NULL, MAPE_ERROR, "ea", "16", "EA length 49"},
	{V1 " offset 17", NULL, NULL, MAPE_ERROR, "offset", "6", "17 cannot be right"},
	{"2001:db8::/32 10.0.0.0/8 ea 36", NULL, NULL, MAPE_ERROR, "offset", "4",
	 "offset 6 (by default) and psid-len 12"},
	{"2001:db8::/32 192.0.2.1/32 ea 0 psid-len 17", NULL, NULL, MAPE_ERROR, "psid-len", "0", "17 bits"},
	{V1 " psid 256", NULL, NULL, MAPE_ERROR, "psid", "1", "0 to 255; it looks left-aligned"},
	{V1 " psid 0x3400", NULL, NULL, MAPE_ERROR, "psid", "52", "left-aligned"},
	{V1 " psid 257", NULL, NULL, MAPE_ERROR, "psid", "", "0 to 255"},
	{V1 " psid 257", "2001:db8:12:3400::/56", NULL, MAPE_ERROR, "psid", "52", "0 to 255"},
	{V1 " psid 34", "2001:db8:12:3400::/56", NULL, MAPE_ERROR, "psid", "52", "hexadecimal numbers begin with 0x"},
	{V1 " psid 35", "2001:db8:12:3400::/56", NULL, MAPE_ERROR, "psid", "52", "holds 52 (0x34)"},
	{"2001:db8::/40 192.0.2.0/24 ea 8 psid 1", NULL, NULL, MAPE_ERROR, "psid", "", "not shared"},
	{"2001:db8::/40 192.0.2.0/24 ea 0 psid-len 8 psid 1", NULL, NULL, MAPE_ERROR, "ea", "16",
	 "psid-len 8 needs a /32"},
	{"2001:db8::/112 192.0.2.0/24 ea 17", NULL, NULL, MAPE_ERROR, "rule6", "111", "129 bits together"},
	{"2001:db8:12::/40 192.0.2.0/24 ea 16", NULL, NULL, MAPE_ERROR, "rule6", "2001:db8::/40",
	 "bits behind its length"},
	{"2001:db8::/40 192.0.2.1/24 ea 16", NULL, NULL, MAPE_ERROR, "rule4", "192.0.2.0/24", "bits behind its length"},
	{V1, "2001:db8:12::/48", NULL, MAPE_ERROR, "pd", "/56", "shorter than rule6 /40 and EA length 16"},
	{V1, "2001:db9:12:3400::/56", NULL, MAPE_ERROR, "pd", "", "only 31 of its first 40 bits agree"},
	{V1 ";2001:db8:100::/40 192.0.3.0/24 ea 16", "2001:db8:212:3400::/56", NULL, MAPE_ERROR, "pd", "",
	 "none of the 2 rules"},
	{V1, "2001:db8:12:3412::/56", NULL, MAPE_ERROR, "pd", "2001:db8:12:3400::/56", "bits behind its length"},
	{V1, "2001:db8:12:3400::/129", NULL, MAPE_ERROR, "pd", "", "length 129"},
	{V1, "2001:db8:12:3412::/64", NULL, MAPE_WARNING, "pd", "2001:db8:12:3400::/64",
	 "behind the EA bits (the first 56)"},
	{V1, "2001:db8:12:3400::/56", "2001:db8:12:34ff::1", MAPE_ERROR, "br", "", "in the delegated prefix"},
	{V1, NULL, "2001:db8:aa::1", MAPE_WARNING, "br", "", "among the customers"},
	{V1, NULL, "::1", MAPE_ERROR, "br", "", "no address that a router elsewhere can have"},
	{V1, NULL, "fe80::1", MAPE_ERROR, "br", "", "no address"},
	{V1, NULL, "ff02::1", MAPE_ERROR, "br", "", "no address"},
	{V1, NULL, "::ffff:192.0.2.1", MAPE_ERROR, "br", "", "no address"},
	{V1 " offset 0", "2001:db8:12::/56", NULL, MAPE_WARNING, "offset", "", "the ports begin at 0"},
	{V1 " offset 1", NULL, NULL, MAPE_WARNING, "offset", "6", "keeps ports 0-32767 from everybody"},
	{"2001:db8::/56 192.0.2.0/24 ea 16", NULL, NULL, MAPE_WARNING, "rule6", "",
	 "overwrite 8 bits of the interface id"},
	{V1 ";2001:db8:100::/40 192.0.2.0/24 ea 16", NULL, NULL, MAPE_ERROR, "rule4", "",
	 "two rules are for 192.0.2.0/24"},
};

static void test_findings(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		u32 errors = checked(cases[i].rules, cases[i].pd, cases[i].br);

		check_context("%s, pd %s, br %s", cases[i].rules, cases[i].pd, cases[i].br);
		CHECK_EQ(errors, cases[i].severity == MAPE_ERROR);
		if (!CHECK(d.nfindings))
			continue;
		CHECK_EQ(d.findings[0].severity, cases[i].severity);
		CHECK_STR(d.findings[0].parameter, cases[i].parameter);
		CHECK_STR(d.findings[0].likely, cases[i].likely);
		if (!strstr(d.findings[0].text, cases[i].part))
			CHECK_STR(d.findings[0].text, cases[i].part);
	}
}

static void test_good(void)
{
	static const char *const rules[] = {
		V1,
		V1 " offset 6 psid-len 8 psid 52",
		V1 ", offset 0x4",
		"2001:db8::/32 20.0.0.0/8 ea 4",
		"2001::/16 0.0.0.0/0 ea 48 offset 0",
		SHARED("1", "43") ";" SHARED("2", "44"),
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		check_context("%s", rules[i]);
		CHECK_EQ(checked(rules[i], NULL, "2a00::1"), 0);
		CHECK_EQ(d.nfindings, 0);
	}
}

/* Every fault at once is told at once. */
static void test_all_faults(void)
{
	check_context("all faults");
	CHECK_EQ(checked("2001:db8::/129 192.0.2.0/33 ea 49 offset 17 psid-len 17", NULL, NULL), 5);
	CHECK_EQ(checked("2001:db8::/40 192.0.2.0/24 ea 49;" V1 " psid-len 4", NULL, NULL), 2);
	d.provisioned = true;
	d.nrules = d.nfindings = 0;
	d.mtu = 1279;
	CHECK_EQ(mape_domain_check(&d), 3);
}

/* The rules come out with the longest IPv4 prefix first, and the basic one is that of the longest IPv6 prefix. */
static void test_order(void)
{
	struct mape_customer c;
	char text[ADDR6_TEXT];

	check_context("order");
	CHECK_EQ(checked("2001:db8::/32 10.0.0.0/8 ea 24;2001:db8:4000::/38 192.0.2.0/28 ea 10;2001:db8:8000::/36 "
			 "192.0.0.0/16 ea 16",
			 "2001:db8:4011::/48", NULL),
		 0);
	for (u32 i = 0; i < d.nrules; i++) {
		CHECK_EQ(d.rules[i].index, i);
		CHECK(!i || d.rules[i - 1].prefix4 >= d.rules[i].prefix4);
	}
	CHECK_EQ(d.rules[d.basic].prefix4, 28);
	mape_domain_own(&d, &c);
	CHECK_EQ(c.own.psid, 0x11);
	CHECK_EQ(c.ports.count, 1008);
	CHECK_STR(addr6_print(text, c.address), "2001:db8:4011::c000:200:11");
	CHECK_EQ(mape_match(d.rules, d.nrules, 0x0a010203, 1), 2);
	/* nothing embedded: the rule's own prefix says all, no delegated prefix is needed */
	CHECK_EQ(checked("2001:db8:1::/64 192.0.2.134/32 ea 0 psid-len 6 psid 44", NULL, NULL), 0);
	CHECK_EQ(d.basic, 0);
	mape_domain_own(&d, &c);
	CHECK_STR(addr6_print(text, c.address), "2001:db8:1::c000:286:2c");
	/* a prefix from router advertisements serves */
	CHECK_EQ(checked(V1, "2001:db8:12:3400::/64", NULL), 0);
	mape_domain_own(&d, &c);
	CHECK_STR(addr6_print(text, c.address), "2001:db8:12:3400:0:c000:212:34");
	CHECK_EQ(d.nfindings, 0);
}

static void test_parse(void)
{
	static const char *const bad[][2] = {
		{"", "bad rule '': it has no IPv6 prefix, such as 2001:db8::/40"},
		{"2001:db8::/40 ea 16", "bad rule '2001:db8::/40 ea 16': it has no IPv4 prefix, such as 192.0.2.0/24"},
		{"2001:db8::/40 192.0.2.0/24", "bad rule '2001:db8::/40 192.0.2.0/24': it has no ea, such as ea 16"},
		{V1 " 2001:db8::/41", "bad rule: '2001:db8::/41' comes after another of its kind"},
		{V1 " offset", "bad offset '': give a number from 0 to 15, such as 12 or 0xc"},
		{V1 " offset 256", "bad offset '256': give a number from 0 to 15, such as 12 or 0xc"},
		{V1 " psid 65536", "bad psid '65536': give a number from 0 to 65535, such as 12 or 0xc"},
		{V1 " psid 3x", "bad psid '3x': give a number from 0 to 65535, such as 12 or 0xc"},
		{V1 " ratio 3",
		 "unknown word 'ratio': a rule is PREFIX6 PREFIX4 ea N [offset N] [psid-len N] [psid N] [fmr]"},
		{"2001:db8:/40 192.0.2.0/24 ea 16",
		 "bad rule6 '2001:db8:/40': give an IPv6 prefix, such as 2001:db8::/40"},
		{"2001:db8::/40 192.0.2/24 ea 16", "bad rule4 '192.0.2/24': give an IPv4 prefix, such as 192.0.2.0/24"},
	};
	struct mape_rule r;
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		check_context("%s", bad[i][0]);
		CHECK_EQ(mape_rule_parse(&r, bad[i][0], &err), -EINVAL);
		CHECK_STR(err.text, bad[i][1]);
	}
	check_context("parse");
	CHECK_EQ(mape_rule_parse(&r, "fmr,192.0.2.0/24,\t2001:db8::/40  ea 0x10,psid 0x34", &err), 0);
	CHECK_EQ(r.ea, 16);
	CHECK_EQ(r.psid, 52);
	CHECK_EQ(r.flags, MAPE_FORWARDING | MAPE_HAS_PSID);
}

int main(void)
{
	test_good();
	test_findings();
	test_all_faults();
	test_order();
	test_parse();
	return check_summary("mape-conf");
}
