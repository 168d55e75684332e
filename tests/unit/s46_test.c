/* SPDX-License-Identifier: GPL-2.0-or-later */
/* s46_test.c - MAP-E parameters from DHCPv6: RFC 7598 on the wire, and odhcp6c's text */
#include <errno.h>
#include <stdlib.h>

#include "../check.h"
#include "conf/s46.h"

/* Parts of containers; blanks are for the reader. */
#define RULE_V1 "0059 0015  00 10 18 c0000200 28 20010db800  005d 0004 06 08 3400 "
#define RULE_BARE "0059 000d  01 10 18 c0000200 28 20010db800 "
#define BR_1 "005a 0010  20010db8ffff00000000000000000001 "
#define BR_2 "005a 0010  20010db8ffff00000000000000000002 "
#define UNKNOWN "1234 0003  aabbcc "

static struct mape_domain d;
static struct err err;

static int hex(const char *text)
{
	d = (struct mape_domain){.format = d.format};
	err.text[0] = 0;
	return s46_parse_hex(&d, text, &err);
}

static int text(const char *given)
{
	d = (struct mape_domain){.format = d.format};
	err.text[0] = 0;
	return odhcp6c_parse(&d, given, &err);
}

/* The rule with index i, as mape_rule_parse() takes it; flags apart. */
static void rule_is(u32 i, const char *want)
{
	struct mape_rule r;
	struct err unused;

	CHECK_EQ(mape_rule_parse(&r, want, &unused), 0);
	mape_rule_complete(&r, d.format);
	if (!CHECK(i < d.nrules))
		return;
	CHECK(addr6_equal(d.rules[i].prefix, r.prefix));
	CHECK_EQ(d.rules[i].prefix6, r.prefix6);
	CHECK_EQ(d.rules[i].addr, r.addr);
	CHECK_EQ(d.rules[i].prefix4, r.prefix4);
	CHECK_EQ(d.rules[i].ea, r.ea);
	CHECK_EQ(d.rules[i].offset, r.offset);
	CHECK_EQ(d.rules[i].psid_len, r.psid_len);
	CHECK_EQ(d.rules[i].psid, r.psid);
	CHECK_EQ(d.rules[i].flags & MAPE_FORWARDING, r.flags & MAPE_FORWARDING);
}

static void br_is(u32 i, const char *want)
{
	char got[ADDR6_TEXT];

	if (CHECK(i < d.nbrs))
		CHECK_STR(addr6_print(got, d.brs[i]), want);
}

static void one_rule(const char *given, const char *want)
{
	check_context("%s", given);
	CHECK_EQ(hex(given), 0);
	CHECK_STR(err.text, "");
	CHECK_EQ(d.nrules, 1);
	rule_is(0, want);
}

static void refused(const char *given, int rc, const char *want)
{
	check_context("%s", given);
	CHECK_EQ(hex(given), rc);
	CHECK_STR(err.text, want);
}

static void test_container(void)
{
	one_rule("005e 002d " RULE_V1 BR_1, "2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8 psid 52");
	CHECK_EQ(d.nbrs, 1);
	br_is(0, "2001:db8:ffff::1");
	CHECK_EQ(mape_domain_check(&d), 0);
	one_rule(RULE_V1 BR_1, "2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8 psid 52");
	one_rule("0x00:59:00:0D:01:10:18:C0:00:02:00:28:20:01:0D:B8:00\n", "2001:db8::/40 192.0.2.0/24 ea 16 fmr");
	one_rule("0001 0002 beef 005e 0025 " RULE_BARE BR_1, "2001:db8::/40 192.0.2.0/24 ea 16 fmr");
	CHECK_EQ(d.rules[0].offset, 6); /* no port parameters */
	CHECK_EQ(d.rules[0].psid_len, 8);
	d.format = MAPE_DRAFT03;
	one_rule(RULE_BARE BR_1, "2001:db8::/40 192.0.2.0/24 ea 16 fmr");
	CHECK_EQ(d.rules[0].offset, 4);
	d.format = MAPE_RFC7597;
	check_context("several");
	CHECK_EQ(hex("005e 0068 " RULE_V1 BR_1 UNKNOWN BR_2 BR_1 "0059 0008 00 00 20 c0000201 00"), 0);
	CHECK_EQ(d.nrules, 2);
	CHECK_EQ(d.nbrs, 2);
	rule_is(1, "::/0 192.0.2.1/32 ea 0");
	br_is(1, "2001:db8:ffff::2");
	check_context("two containers, and one of another kind");
	CHECK_EQ(hex("005e 0011 " RULE_BARE "005f 0000 005e 0014 " BR_1), 0);
	CHECK_EQ(d.nrules, 1);
	CHECK_EQ(d.nbrs, 1);
}

static void test_rule(void)
{
	/* zero-length prefix6 */
	one_rule("0059 0008  00 28 00 00000000 00", "::/0 0.0.0.0/0 ea 40");
	one_rule("0059 0010  00 28 00 00000000 00 005d 0004 04 08 0000", "::/0 0.0.0.0/0 ea 40 offset 4");
	/* a prefix of all bits, and one that ends within a byte */
	one_rule("0059 0018  00 00 20 c0000201 80 20010db8000000000000000000000001",
		 "2001:db8::1/128 192.0.2.1/32 ea 0");
	one_rule("0059 000d  00 0a 1c c0000200 26 20010db840", "2001:db8:4000::/38 192.0.2.0/28 ea 10");
	/* bits behind both prefixes: RFC 7598, 4.1 says ignored */
	one_rule("0059 000d  00 0a 1c c000020f 26 20010db843", "2001:db8:4000::/38 192.0.2.0/28 ea 10");
	/* openwrt, issue 25190: two zero bytes behind prefix6, offset 0; odhcp6c, request 176: PSID 2 of 3 bits */
	one_rule("0059 0018  00 0c 17 c0000200 30 20010db80001 0000 005d 0004 00 03 4000",
		 "2001:db8:1::/48 192.0.2.0/23 ea 12 offset 0 psid-len 3 psid 2");
	CHECK_EQ(d.nfindings, 0);
	one_rule("0059 0019  00 0c 17 c0000200 30 20010db80001 000000 005d 0004 00 03 4000",
		 "2001:db8:1::/48 192.0.2.0/23 ea 12 offset 0 psid-len 3 psid 2");
	one_rule("0059 0018  00 0c 17 c0000200 30 20010db80001 00000000000000000000",
		 "2001:db8:1::/48 192.0.2.0/23 ea 12");
	/* unknown sub-options */
	one_rule("0059 0023  00 10 18 c0000200 28 20010db800 " UNKNOWN "005d 0004 04 08 3400 " UNKNOWN,
		 "2001:db8::/40 192.0.2.0/24 ea 16 offset 4 psid-len 8 psid 52");
}

static void test_portparams(void)
{
	/* psid-len 0: the PSID is ignored, its length comes from ea */
	one_rule("0059 0015  00 10 18 c0000200 28 20010db800  005d 0004 04 00 ffff",
		 "2001:db8::/40 192.0.2.0/24 ea 16 offset 4 psid-len 8");
	CHECK(!(d.rules[0].flags & (MAPE_HAS_PSID | MAPE_HAS_PSID_LEN)));
	/* a provisioned PSID */
	one_rule("0059 0015  00 00 20 c0000286 28 20010db800  005d 0004 06 06 b000",
		 "2001:db8::/40 192.0.2.134/32 ea 0 offset 6 psid-len 6 psid 44");
	CHECK(d.rules[0].flags & MAPE_HAS_PSID);
	one_rule("0059 0015  00 00 20 c0000286 28 20010db800  005d 0004 00 10 ffff",
		 "2001:db8::/40 192.0.2.134/32 ea 0 offset 0 psid-len 16 psid 65535");
	/* zero beside EA bits says nothing */
	one_rule("0059 0015  00 10 18 c0000200 28 20010db800  005d 0004 06 08 0000",
		 "2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8");
	CHECK(!(d.rules[0].flags & MAPE_HAS_PSID));
	/* right-aligned: noticed */
	one_rule("0059 0015  00 00 20 c0000286 28 20010db800  005d 0004 06 06 002c",
		 "2001:db8::/40 192.0.2.134/32 ea 0 offset 6 psid-len 6 psid 0");
	CHECK_EQ(d.nfindings, 1);
	CHECK_STR(d.findings[0].text,
		  "byte 23: the PSID field 0x002c has bits behind its first 6, which are to be zero; taken "
		  "as 0");
	/* out of range: read, and left to the checker */
	one_rule("0059 0015  00 10 18 c0000200 28 20010db800  005d 0004 11 11 3400",
		 "2001:db8::/40 192.0.2.0/24 ea 16 offset 17 psid-len 17");
	CHECK(mape_domain_check(&d) >= 2);
	CHECK_STR(d.findings[0].parameter, "offset");
	CHECK_STR(d.findings[1].parameter, "psid-len");
}

static void test_refused(void)
{
	refused("", -EINVAL, "no S46_CONT_MAPE (94) in 0 bytes");
	refused("0001 0000", -EINVAL, "no S46_CONT_MAPE (94) in 4 bytes");
	refused("005f 0000", -ENOTSUP, "only S46_CONT_MAPT (95): MAP-T is not supported, MAP-E is");
	refused("0060 0001 00", -ENOTSUP, "only S46_CONT_LW (96): lightweight 4over6 is not supported, MAP-E is");
	refused("005e 00", -EINVAL, "byte 0: 3 left, and an option begins with 4");
	refused("005e 0005 0059", -EINVAL, "byte 0: S46_CONT_MAPE (94) says it has 5 bytes, and 2 are left");
	refused("005e 0003 005900", -EINVAL, "byte 4: 3 left, and an option begins with 4");
	refused("0059 0007 00000000000000", -EINVAL, "byte 0: S46_RULE (89) has 7 bytes, and must have at least 8");
	refused("0059 0008  00 10 18 c0000200 81", -EINVAL,
		"byte 11: an IPv6 prefix of 129 bits in S46_RULE (89): 128 are the most");
	refused("0059 000a  00 10 18 c0000200 28 2001", -EINVAL,
		"byte 11: S46_RULE (89) says its IPv6 prefix has 40 bits, and has 2 bytes of it");
	refused("0059 000f  00 10 18 c0000200 28 20010db800 005d", -EINVAL,
		"byte 17: 2 left, and an option begins with 4");
	refused("0059 0014  00 10 18 c0000200 28 20010db800 005d 0003 060800", -EINVAL,
		"byte 17: S46_PORTPARAMS (93) has 3 bytes, and must have 4");
	refused("0059 0013  00 10 18 c0000200 28 20010db800 005d 0004 0608", -EINVAL,
		"byte 17: S46_PORTPARAMS (93) says it has 4 bytes, and 2 are left");
	refused("005a 000f  20010db8ffff000000000000000000", -EINVAL,
		"byte 0: S46_BR (90) has 15 bytes, and must have 16");
	refused("005g", -EINVAL, "character 3: something else, where a hexadecimal digit of byte 1 must be");
	refused("005", -EINVAL, "character 3: the end, where a hexadecimal digit of byte 1 must be");
	refused("0 05e", -EINVAL, "character 1: something else, where a hexadecimal digit of byte 0 must be");
}

/* Every proper beginning of a container is refused with a position. */
static void test_truncated(void)
{
	static const char all[] = "005e002d"
				  "00590015001018c00002002820010db800005d000406083400"
				  "005a001020010db8ffff00000000000000000001";
	char part[sizeof(all)];

	for (size_t n = 2; n < strlen(all); n += 2) {
		memcpy(part, all, n);
		part[n] = 0;
		check_context("first %zu bytes", n / 2);
		CHECK_EQ(hex(part), -EINVAL);
		CHECK(strstr(err.text, "byte 0: "));
	}
	/* and every beginning of what is inside: refused, or cut between options */
	for (size_t n = 2; n < strlen(all) - 8; n += 2) {
		memcpy(part, all + 8, n);
		part[n] = 0;
		check_context("first %zu bytes inside", n / 2);
		CHECK_EQ(hex(part), n == 50 ? 0 : -EINVAL);
	}
}

static void test_too_many(void)
{
	char *many = calloc(1, 8192);

	check_context("too many");
	for (int i = 0; many && i <= MAPE_RULES_MAX; i++)
		strcat(many, RULE_BARE);
	CHECK_EQ(hex(many ? many : ""), -E2BIG);
	CHECK_STR(err.text, "too many rules: a domain has at most 32");
	for (int i = 0; many && i <= MAPE_BRS_MAX; i++)
		sprintf(many + (size_t)i * 40, "005a001020010db8ffff0000000000000000%04x", i);
	CHECK_EQ(hex(many ? many : ""), -E2BIG);
	CHECK_STR(err.text, "too many border relays: a domain has at most 8");
	free(many);
}

static void test_odhcp6c(void)
{
	static const char v1[] =
		"type=map-e,ealen=16,prefix4len=24,prefix6len=40,ipv4prefix=192.0.2.0,ipv6prefix=2001:db8::,"
		"offset=6,psidlen=8,psid=13312,br=2001:db8:ffff::1,br=2001:db8:ffff::2,";
	char both[512];

	check_context("odhcp6c");
	CHECK_EQ(text(v1), 0);
	CHECK_STR(err.text, "");
	rule_is(0, "2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8 psid 52");
	br_is(1, "2001:db8:ffff::2");
	snprintf(both, sizeof(both), "MAPE=fmr,%s fmr,%s \n", v1,
		 "type=map-e,ealen=12,prefix4len=23,prefix6len=48,ipv4prefix=192.0.4.0,ipv6prefix=2001:db8:1::,link="
		 "wan");
	CHECK_EQ(text(both), 0);
	CHECK_EQ(d.nrules, 2);
	CHECK_EQ(d.nbrs, 2);
	rule_is(1, "2001:db8:1::/48 192.0.4.0/23 ea 12 offset 6 psid-len 3 fmr");
	/* the PSID: left-aligned as odhcp6c writes it, plain as it may come to */
	CHECK_EQ(text("ealen=0,prefix4len=32,prefix6len=48,ipv4prefix=192.0.2.1,ipv6prefix=2001:db8:1::,psidlen=3,psid="
		      "16384"),
		 0);
	CHECK_EQ(d.rules[0].psid, 2);
	CHECK_EQ(text("ealen=0,prefix4len=32,prefix6len=48,ipv4prefix=192.0.2.1,ipv6prefix=2001:db8:1::,psidlen=3,psid="
		      "2"),
		 0);
	CHECK_EQ(d.rules[0].psid, 2);
	CHECK_EQ(text("ealen=0,prefix4len=32,prefix6len=48,ipv4prefix=192.0.2.1,ipv6prefix=2001:db8:1::,psidlen=3,psid="
		      "9"),
		 0);
	CHECK_EQ(mape_domain_check(&d), 1);
	CHECK_STR(d.findings[0].parameter, "psid");
	CHECK_EQ(text("ealen=8,prefix4len=24,prefix6len=48,ipv4prefix=192.0.2.1,ipv6prefix=2001:db8:1::f,psidlen=0,"
		      "psid=2"),
		 0);
	rule_is(0, "2001:db8:1::/48 192.0.2.0/24 ea 8");
}

static void test_odhcp6c_refused(void)
{
	static const struct {
		const char *given;
		int rc;
		const char *want;
	} cases[] = {
		{"", -EINVAL, "no rule: give what odhcp6c has in MAPE"},
		{"MAPE= ", -EINVAL, "no rule: give what odhcp6c has in MAPE"},
		{"type=map-t,ealen=16,dmr=64:ff9b::/96,", -ENOTSUP, "only rules of type map-t: MAP-E is supported"},
		{"type=lw4o6,", -ENOTSUP, "only rules of type lw4o6: MAP-E is supported"},
		{"ealen=16,prefix4len=24", -EINVAL, "character 0: this rule has no prefix6len="},
		{"type=map-e,ealen=x", -EINVAL, "character 11: bad 'ealen=x'"},
		{"type=map-e,ealen=-1", -EINVAL, "character 11: bad 'ealen=-1'"},
		{"type=map-e,ealen=300", -EINVAL, "character 11: bad 'ealen=300'"},
		{"type=map-e,ipv4prefix=192.0.2", -EINVAL, "character 11: bad 'ipv4prefix=192.0.2'"},
		{"type=map-e,br=,", -EINVAL, "character 11: bad 'br='"},
		{"psid=65536", -EINVAL, "character 0: bad 'psid=65536'"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check_context("%s", cases[i].given);
		CHECK_EQ(text(cases[i].given), cases[i].rc);
		CHECK_STR(err.text, cases[i].want);
	}
}

int main(void)
{
	test_container();
	test_rule();
	test_portparams();
	test_refused();
	test_truncated();
	test_too_many();
	test_odhcp6c();
	test_odhcp6c_refused();
	return check_summary("s46");
}
