/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_mape_test.c - [map-e], [border-relay] and the policy of ports: what good files mean, what bad ones are told */

#include "conf_file.h"
#include "dp/portset.h"
#include "lib/addr.h"

#define SIDES "[lan]\ninterface = eth0\n[wan]\ninterface = eth1\n" /* four lines */
#define V1 "2001:db8::/40 192.0.2.0/24 ea 16"
#define PD "prefix = 2001:db8:12:3400::/56\n"
#define BR "border-relay = 2001:db9:ffff::1\n"
#define EDGE(rule) SIDES "[map-e]\n" BR PD "rule = " rule "\n" /* the rule is line 8 */
#define RELAY "[border-relay]\naddress = 2001:db9::1\n"
#define RULE "rule = " V1 "\n"
#define S46 "s46 = 005e00250059000d001018c00002002820010db800005a001020010db9ffff00000000000000000001\n"

/* `wrong` is the sentence, or how it begins, behind "test.conf:". */
static const struct {
	const char *text;
	const char *wrong;
} bad[] = {
	/* what a rule cannot be, by itself */
	{EDGE("2001:db8::/129 192.0.2.0/24 ea 16"),
	 "8: rule6: an IPv6 prefix has at most 128 bits: length 129 cannot be right; likely 40"},
	{EDGE("2001:db8::/40 192.0.2.0/33 ea 16 psid-len 8"),
	 "8: rule4: an IPv4 prefix has at most 32 bits: length 33 cannot be right; likely 24"},
	{EDGE("2001:db8::/40 192.0.2.0/24 ea 49"),
	 "8: ea: IPv4 address and port have 48 bits together: EA length 49 cannot be right; likely 16"},
	{EDGE(V1 " offset 17"), "8: offset: a PSID offset is 0 to 15: 17 cannot be right; likely 6"},
	{EDGE(V1 " psid-len 17"), "8: psid-len: a port has 16 bits: a PSID of 17 bits cannot be right; likely 8"},
	{EDGE(V1 " psid 256"), "8: psid: psid 256 (0x100) cannot be right: with psid-len 8 it is 0 to 255; it looks "
			       "left-aligned, as it is on the wire; likely 52"},
	{EDGE(V1 " psid 34"),
	 "8: psid: psid 34 (0x22) was given, but the delegated prefix holds 52 (0x34): hexadecimal "
	 "numbers begin with 0x; likely 52"},
	/* ... and by what it says elsewhere */
	{EDGE("2001:db8::/48 20.0.0.0/16 ea 16 psid-len 8"),
	 "8: ea: a /16 IPv4 prefix leaves 16 bits of address, and psid-len is 8: EA length 16 cannot be right, it must "
	 "be 16 + 8; likely 24"},
	{EDGE("2001:db8::/40 192.0.0.0/20 ea 16 psid-len 8"), "8: psid-len: EA length 16 with a /20 IPv4 prefix leaves "
							      "4 bits of PSID: psid-len 8 cannot be right; likely 4"},
	{EDGE("2001:db8::/32 10.0.0.0/8 ea 36"), "8: offset: offset 6 (by default) and psid-len 12 take 18 of a port's "
						 "16 bits: offset is at most 4 here; likely 4"},
	{EDGE("2001:db8::/40 192.0.2.0/24 ea 0 psid-len 8 psid 1"), "8: ea: EA length 0 with a /24 IPv4 prefix gives "},
	{EDGE("2001:db8:12::/40 192.0.2.0/24 ea 16"),
	 "8: rule6: 2001:db8:12::/40 has bits behind its length: address or "
	 "length cannot be right; likely 2001:db8::/40"},
	{EDGE("2001:db8::/40 192.0.2.1/24 ea 16"),
	 "8: rule4: 192.0.2.1/24 has bits behind its length: address or length "
	 "cannot be right; likely 192.0.2.0/24"},
	{EDGE(V1 "\nrule = 2001:db8:100::/40 192.0.3.0/24 ea 16 offset 16"),
	 "9: offset: a PSID offset is 0 to 15: 16 cannot be right; likely 6"},
	{EDGE(V1 "\nrule = 2001:db8:100::/40 192.0.2.0/24 ea 16"),
	 "9: rule4: two rules are for 192.0.2.0/24: one of them is too much"},
	{EDGE(V1 "\nrule = ::/0 192.0.3.1/32 ea 0 fmr"), "9: rule6: with no IPv6 prefix and nothing embedded, the rule "
							 "does not say where its customers are"},
	{EDGE("2001:db8::/40 224.0.2.0/24 ea 16"), "5: rule4: this customer would be 224.0.2.18, which no host can be"},
	/* what cannot be read */
	{EDGE("2001:db8::/40 192.0.2.0/24"), "8: bad rule '2001:db8::/40 192.0.2.0/24': it has no ea, such as ea 16"},
	{EDGE(V1 " ratio 3"), "8: unknown word 'ratio': a rule is PREFIX6 PREFIX4 ea N "},
	{EDGE(V1 " psid 65536"), "8: bad psid '65536': give a number from 0 to 65535, such as 12 or 0xc"},
	/* the customer */
	{SIDES "[map-e]\n" BR RULE "prefix = 2001:db8:12::/48\n",
	 "8: prefix: the delegated prefix is a /48, shorter than rule6 /40 and EA length 16: it must have at least 56 "
	 "bits; likely /56"},
	{SIDES "[map-e]\n" BR RULE "prefix = 2001:db9:12:3400::/56\n",
	 "8: prefix: the delegated prefix 2001:db9:12:3400::/56 is not in rule6 2001:db8::/40: only 31 of its first 40 "
	 "bits agree"},
	{SIDES "[map-e]\n" BR RULE "prefix = 2001:db8:12:3412::/56\n",
	 "8: prefix: the delegated prefix 2001:db8:12:3412::/56 has bits behind its length: address or length cannot "
	 "be "
	 "right; likely 2001:db8:12:3400::/56"},
	{SIDES "[map-e]\n" BR RULE "prefix = 2001:db8:12:3400::/129\n",
	 "8: prefix: an IPv6 prefix has at most 128 bits: length 129 cannot be right"},
	{SIDES "[map-e]\nprefix = 2001:db8::1\n",
	 "6: bad prefix '2001:db8::1': give an IPv6 prefix, such as 2001:db8:12:3400::/56"},
	{SIDES "[map-e]\n" RULE PD "border-relay = 2001:db8:12:3400::1\n",
	 "8: border-relay: the border relay 2001:db8:12:3400::1 is in the delegated prefix 2001:db8:12:3400::/56: that "
	 "is "
	 "this customer's own"},
	{SIDES "[map-e]\nborder-relay = 192.0.2.1\n",
	 "6: bad border-relay '192.0.2.1': give an IPv6 address, such as 2001:db8:ffff::1"},
	{SIDES "[map-e]\nborder-relay = fe80::1\n",
	 "6: bad border-relay 'fe80::1': a tunnel's end cannot have it; give "
	 "an address that a router elsewhere can reach"},
	{SIDES "[map-e]\naddress = ff02::1\n", "6: bad address 'ff02::1': a tunnel's end cannot have it; "},
	{SIDES "[map-e]\n" PD BR, "5: [map-e] has no rule: add rule = ..., s46 = ... or dhcpv6 = FILE"},
	{SIDES "[map-e]\n" PD RULE, "5: [map-e] has no border-relay: add border-relay = ADDRESS6"},
	{SIDES "[map-e]\n" BR RULE,
	 "5: [map-e] has no prefix, and the rule is for many customers: add prefix = PREFIX6 "
	 "or dhcpv6 = FILE"},
	{SIDES "[map-e]\n" BR "rule = ::/0 192.0.2.134/32 ea 0 offset 6 psid-len 6 psid 44\n",
	 "5: [map-e] has no address, and the rule has no IPv6 prefix to make one of: add address = ADDRESS6 or prefix "
	 "= "
	 "PREFIX6"},
	{SIDES "[map-e]\n" BR "rule = ::/0 192.0.2.134/32 ea 0 offset 6 psid-len 6 psid 64\n",
	 "7: psid: psid 64 (0x40) cannot be right: with psid-len 6 it is 0 to 63"},
	/* DHCPv6 */
	{SIDES "[map-e]\n" RULE S46, "7: s46 beside rule in line 6: give the rules once"},
	{SIDES "[map-e]\ns46 = 005e 0025 0059\n",
	 "6: s46: byte 0: S46_CONT_MAPE (94) says it has 37 bytes, and 2 are left"},
	{SIDES "[map-e]\ns46 = 005f 0000\n", "6: s46: only S46_CONT_MAPT (95): MAP-T is not supported, MAP-E is"},
	{SIDES "[map-e]\n" BR PD "s46 = 0059000d003118c00002002820010db800\n",
	 "8: ea: IPv4 address and port have 48 bits together: EA length 49 cannot be right; likely 16"},
	{SIDES "[map-e]\n" PD "s46 = 0059000d001018c00002002820010db800\n",
	 "5: [map-e] has no border-relay: add border-relay = ADDRESS6"},
	{SIDES "[map-e]\ndhcpv6 = dhcpv6.env\n", "6: bad dhcpv6 'dhcpv6.env': give a file's whole name, such as "
						 "/run/dhcpv6.env, of at most 255 characters"},
	{SIDES "[map-e]\ndhcpv6 =\n", "6: dhcpv6 has no value: give FILE, or take the line out"},
	/* the tunnel */
	{SIDES "[map-e]\nformat = rfc\n", "6: bad format 'rfc': give one of rfc7597|draft03"},
	{SIDES "[map-e]\nhop-limit = 0\n", "6: bad hop-limit '0': give a number from 1 to 255"},
	{SIDES "[map-e]\nhop-limit = 256\n", "6: bad hop-limit '256': give a number from 1 to 255"},
	{SIDES "[map-e]\ndscp = 64\n", "6: bad dscp '64': give copy, or a number from 0 to 63"},
	{SIDES "[map-e]\ndscp = ef\n", "6: bad dscp 'ef': give copy, or a number from 0 to 63"},
	{SIDES "[map-e]\necn = none\n", "6: bad ecn 'none': give one of normal|compatibility"},
	{SIDES "[map-e]\nmtu = 1279\n", "6: bad mtu '1279': give a number from 1280 to 65535"},
	{SIDES "[map-e]\ndevice = a/b\n", "6: bad device 'a/b': give the name of one interface, "},
	{EDGE(V1) "device = eth1\n",
	 "9: device eth1 is [wan]'s: Portico makes this interface; give a name that is free"},
	{SIDES "[map-e]\n[map-e]\n", "6: section [map-e] again: put its keys in one"},
	{SIDES "[map-e x]\n", "5: section [map-e x] takes no name: write [map-e]"},
	{SIDES "[map-e]\ngateway = 192.0.2.1\n", "6: key 'gateway' does not belong in [map-e]: put it below [wan]"},
	{SIDES "[border-relay]\n" PD, "6: key 'prefix' does not belong in [border-relay]: put it below [map-e]"},
	{SIDES "[map-e]\nborder-relais = ::1\n",
	 "6: unknown key 'border-relais' in [map-e]: did you mean 'border-relay'?"},
	/* ports */
	{EDGE(V1) "[nat]\nports = 1024-65535\n",
	 "10: ports beside [map-e]: the rule says them; take ports out, and give "
	 "those that must stay free to reserve"},
	{EDGE(V1) "[nat]\nreserve = 1-65535\n",
	 "10: port set without ports: reserve takes all 252 of them; shorten it"},
	{SIDES "[nat]\nfiltering = endpoint-independent\n", "6: filtering = endpoint-independent needs mapping = "
							    "endpoint-independent: where hosts share a port, who sends "
							    "to it says whose the packet is"},
	{SIDES "[nat]\nmapping = shared\nfiltering = endpoint-independent\n",
	 "7: filtering = endpoint-independent needs "},
	{EDGE(V1) "[nat]\nfiltering = endpoint-independent\n", "10: filtering = endpoint-independent needs "},
	{SIDES "[nat]\nmapping = symmetric\n",
	 "6: bad mapping 'symmetric': give one of endpoint-dependent|shared|endpoint-independent"},
	{SIDES "[nat]\nfiltering = none\n",
	 "6: bad filtering 'none': give one of address-and-port|address|endpoint-independent"},
	{SIDES "[nat]\nrefusal = 13\n", "6: bad refusal '13': give one of admin-prohibited|host-unreachable|silent"},
	{SIDES "[nat]\nhost-share = 0\n", "6: bad host-share '0': give a number from 1 to 100"},
	{SIDES "[nat]\nhost-share = 101\n", "6: bad host-share '101': give a number from 1 to 100"},
	{SIDES "[nat]\ncooling = 25d\n",
	 "6: bad cooling '25d': give a time from 0 s to 24 d, such as 300, 5m, 2h or 1d"},
	/* border relays */
	{EDGE(V1) RELAY RULE, "9: [border-relay] beside [map-e] in line 5: a gateway is one end of the tunnel; put the "
			      "other into a file of its own"},
	{SIDES RELAY, "5: section [border-relay] has no rule: add rule = ..."},
	{SIDES "[border-relay east]\n" RULE, "5: section [border-relay east] has no address: add address = ADDRESS6"},
	{SIDES RELAY RULE "[border-relay]\n",
	 "8: section [border-relay] again: give the other domain a name, such as [border-relay east]"},
	{SIDES "[border-relay aaaaaaaaaaaaaaaaaaaaaaaaa]\n",
	 "5: the name of section [border-relay aaaaaaaaaaaaaaaaaaaaaaaaa] is too long: at most 31 characters"},
	{SIDES "[border-relay 1]\n[border-relay 2]\n[border-relay 3]\n[border-relay 4]\n[border-relay 5]\n"
	       "[border-relay 6]\n[border-relay 7]\n[border-relay 8]\n[border-relay 9]\n",
	 "13: too many [border-relay] sections: at most 8"},
	{SIDES RELAY "rule = 2001:db8::/40 192.0.2.0/24 ea 49\n",
	 "7: ea: IPv4 address and port have 48 bits together: EA length 49 cannot be right"},
	{SIDES RELAY "rule = ::/0 192.0.2.1/32 ea 0\n", "7: rule6: with no IPv6 prefix and nothing embedded, "},
	{SIDES RELAY RULE "[border-relay b]\naddress = 2001:db9::2\nrule = 2001:db8:100::/40 192.0.2.0/24 ea 16\n",
	 "8: rule4: 192.0.2.0/24 is in [border-relay] and in [border-relay b]: one of them is too much"},
	{SIDES RELAY RULE
	 "hop-limit = 32\n[border-relay b]\naddress = 2001:db9::2\nrule = 2001:db8:100::/40 192.0.3.0/24 "
	 "ea 16\nhop-limit = 64\n",
	 "12: hop-limit is another one in line 8: all [border-relay] sections have one; give it once"},
	{SIDES "[border-relay]\naddress = ::1\n", "6: bad address '::1': a tunnel's end cannot have it; "},
	{SIDES "[border-relay]\n" BR, "6: key 'border-relay' does not belong in [border-relay]: put it below [map-e]"},
	{"[lan]\ninterface = eth0\n" RELAY RULE, "5: no [wan] section: add one, with interface = ..."},
};

static void test_bad(void)
{
	static struct conf c;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct err err = {""};
		const char *wrong = err.text + sizeof(FILE_NAME);

		check_context("bad file %zu", i);
		CHECK_EQ(read_text(&c, bad[i].text, &err), -EINVAL);
		if (CHECK(!strncmp(err.text, FILE_NAME ":", sizeof(FILE_NAME))) &&
		    strncmp(wrong, bad[i].wrong, strlen(bad[i].wrong)))
			CHECK_STR(wrong, bad[i].wrong);
	}
	check_context("%s", "");
}

/* Accepted with one warning, which begins so; or with none. */
static const struct {
	const char *text;
	const char *warning;
} unwise[] = {
	{EDGE(V1), NULL},
	{EDGE(V1) "[nat]\nreserve = 5060\n",
	 "10: reserve: 5060 is not in this customer's port set: what comes to it goes to others; "
	 "'portico map-e test.conf --ports' lists the set"},
	{EDGE(V1) "[nat]\nreserve = 1230-1240\n", NULL},
	{EDGE(V1) "[nat]\nreserve = 1236-1240\n", "10: reserve: 1236-1240 is not in this customer's port set: "},
	{EDGE(V1) "address = 2001:db8:12:3400::1\n",
	 "9: address: rule and prefix make another one, and border relays drop what comes from elsewhere; likely "
	 "2001:db8:12:3400:0:c000:212:34"},
	{EDGE(V1) "address = 2001:db8:12:3400:0:c000:212:34\n", NULL},
	{EDGE(V1) "dhcpv6 = /run/x\n", "9: dhcpv6: rule, border-relay and prefix are given by hand; nothing is left "},
	{SIDES "address = 203.0.113.2/24\n[map-e]\n" BR PD RULE,
	 "5: address: with [map-e] the rule says what packets are translated to; this one is not used"},
	{SIDES "gateway = 203.0.113.1\n[map-e]\n" BR PD RULE,
	 "5: gateway: with [map-e] packets go to border-relay over IPv6; this one is not used"},
	{SIDES "gateway6 = fe80::1\n[map-e]\n" BR PD RULE, NULL},
	{"[lan]\ninterface = eth0\ngateway6 = 2001:db8:f::1\n[wan]\ninterface = eth1\n" RELAY RULE, NULL},
	{SIDES "gateway6 = 2001:db8:f::1\n" RELAY RULE, "5: gateway6: no tunnel begins at [wan]; this one is not used"},
	{SIDES "[map-e]\n" PD RULE "border-relay = 2001:db8:aa::1\n",
	 "8: border-relay: the border relay 2001:db8:aa::1 is in rule6 2001:db8::/40, among the customers"},
	{EDGE(V1 "\nrule = 2001:db8:100::/40 192.0.3.0/24 ea 16 offset 1"),
	 "9: offset: offset 1 keeps ports 0-32767 from everybody; likely 6"},
	{SIDES "[map-e]\ndhcpv6 = /run/x\n", NULL},
	{SIDES "[map-e]\n" RULE "dhcpv6 = /run/x\n", NULL},
	{EDGE(V1) "[nat]\nmapping = endpoint-independent\nfiltering = endpoint-independent\n", NULL},
	{SIDES RELAY RULE, NULL},
	{SIDES RELAY RULE "[nat]\nmapping = shared\n", " [nat] and [timers] say nothing in a border relay"},
};

static void test_unwise(void)
{
	static struct conf c;

	for (size_t i = 0; i < sizeof(unwise) / sizeof(*unwise); i++) {
		struct err err = {""};
		const char *text = c.warnings[0].text + sizeof(FILE_NAME);

		check_context("unwise file %zu", i);
		CHECK_EQ(read_text(&c, unwise[i].text, &err), 0);
		CHECK_STR(err.text, "");
		CHECK_EQ(c.nwarnings, unwise[i].warning ? 1 : 0);
		if (c.nwarnings && unwise[i].warning && strncmp(text, unwise[i].warning, strlen(unwise[i].warning)))
			CHECK_STR(text, unwise[i].warning);
	}
	check_context("%s", "");
}

static void address_is(const struct ip_addr *got, const char *want)
{
	char text[ADDR6_TEXT];

	CHECK_STR(addr6_print(text, addr6_of_wire(got->w)), want);
}

/* Every key of a customer edge. */
static void test_edge(void)
{
	static const char full[] = SIDES
		"[map-e]\nborder-relay = 2001:db9::1\nborder-relay = 2001:db9::2\n" PD
		"rule = 2001:db8:100::/40 192.0.3.0/24 ea 16 fmr\n" RULE
		"rule = 2001:db8:200::/40 192.0.4.0/28 ea 12 fmr\nformat = draft03\nhop-limit = 255\ndscp = 46\n"
		"ecn = compatibility\nmtu = 1454\ndevice = tun-a\n[nat]\nmapping = endpoint-independent\n"
		"filtering = address\nhost-share = 50\ncooling = 2m\nrefusal = host-unreachable\nreserve = 4928\n";
	static struct conf c;
	struct dp_config dp;
	struct dp_tunnel t;
	struct err err = {""};

	check_context("customer edge");
	CHECK_EQ(read_text(&c, full, &err), 0);
	CHECK_STR(err.text, "");
	CHECK_EQ(c.nwarnings, 0);
	CHECK_EQ(c.kind, MODE_CE);
	CHECK_EQ(c.host_share, 50);
	CHECK_EQ(c.cooling, 120);
	CHECK_STR(c.mape.device, "tun-a");
	CHECK(c.mape.has_rules && c.mape.has_relays && c.mape.has_prefix && !c.mape.has_address);
	conf_dp(&c, &dp);
	CHECK_EQ(dp.mode, MODE_CE);
	CHECK_EQ(dp.mapping, MAPPING_ENDPOINT_INDEPENDENT);
	CHECK_EQ(dp.filtering, FILTERING_ADDRESS);
	CHECK_EQ(dp.refusal, 1);
	CHECK_EQ(dp.share, 0);
	CHECK_EQ(addr_host(dp.wan_addr), 0xc0000212);
	CHECK_EQ(dp.ports.count, 15 * 16);			     /* the draft's offset: 4 */
	CHECK_EQ(portset_port(&dp.ports, 0), (1 << 12) + (52 << 4)); /* 4928 */
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	address_is(&t.local, "2001:db8:12:3400:c0:2:1200:3400");
	CHECK_EQ(t.nrelays, 2);
	address_is(&t.relay[0], "2001:db9::1");
	address_is(&t.relay[1], "2001:db9::2");
	CHECK_EQ(t.nrules, 2);
	for (u32 i = 0; i < t.nrules; i++)
		CHECK_EQ(t.rules[i].index, i);
	CHECK_EQ(t.rules[0].prefix4, 28);
	CHECK_EQ(t.rules[1].addr, 0xc0000300);
	CHECK_EQ(t.mtu, 1454);
	CHECK_EQ(t.hop_limit, 255);
	CHECK_EQ(t.dscp, 46);
	CHECK_EQ(t.ecn, TUNNEL_ECN_COMPATIBILITY);
}

static void test_edge_defaults(void)
{
	static struct conf c;
	struct dp_config dp;
	struct dp_tunnel t;
	struct err err = {""};

	check_context("customer edge's defaults");
	CHECK_EQ(read_text(&c, EDGE(V1), &err), 0);
	CHECK_EQ(c.host_share, 75);
	CHECK_EQ(c.cooling, 0);
	CHECK_STR(c.mape.device, "mape-gateway");
	conf_dp(&c, &dp);
	CHECK_EQ(dp.mapping, MAPPING_SHARED);
	CHECK_EQ(dp.filtering, FILTERING_ADDRESS_AND_PORT);
	CHECK_EQ(dp.refusal, 13);
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	address_is(&t.local, "2001:db8:12:3400:0:c000:212:34");
	CHECK_EQ(t.mtu, 1500);
	CHECK_EQ(t.hop_limit, 64);
	CHECK_EQ(t.dscp, TUNNEL_DSCP_COPY);
	CHECK_EQ(t.ecn, TUNNEL_ECN_NORMAL);
	CHECK_EQ(t.nrules, 0);
	CHECK_EQ(read_text(&c, "[gateway]\nname = a-very-long-name-of-a-gateway\n" EDGE(V1), &err), 0);
	CHECK_STR(c.mape.device, "mape-a-very-lon");
	/* port 0 is nobody's, even where the set begins there */
	CHECK_EQ(read_text(&c, SIDES "[map-e]\n" BR "prefix = 2001:db8:12::/56\n" RULE "rule = " V1 "\n", &err),
		 -EINVAL);
	CHECK_EQ(read_text(&c, SIDES "[map-e]\n" BR "prefix = 2001:db8:12::/56\nrule = " V1 " offset 0\n", &err), 0);
	conf_dp(&c, &dp);
	CHECK_EQ(portset_port(&dp.ports, 0), 0);
	CHECK(c.reserved[0] & 1);
	/* without [map-e] */
	CHECK_EQ(read_text(&c, SIDES "[nat]\nrefusal = silent\n", &err), 0);
	CHECK_EQ(c.kind, MODE_NAT44);
	CHECK_EQ(c.mapping, MAPPING_ENDPOINT_DEPENDENT);
	CHECK_EQ(c.refusal, 0);
	CHECK_EQ(conf_tunnel_make(&c, &t), -EINVAL);
}

/* A rule for one address, with nothing in any IPv6 prefix. */
static void test_provisioned(void)
{
	static struct conf c;
	struct dp_config dp;
	struct dp_tunnel t;
	struct err err = {""};

	check_context("provisioned");
	CHECK_EQ(read_text(&c,
			   SIDES "[map-e]\n" BR "rule = ::/0 192.0.2.134/32 ea 0 offset 6 psid-len 6 psid 44\n"
				 "address = 2001:db8::2\n[nat]\nreserve = 65200-65231\n",
			   &err),
		 0);
	CHECK_STR(err.text, "");
	CHECK_EQ(c.nwarnings, 0);
	conf_dp(&c, &dp);
	CHECK_EQ(addr_host(dp.wan_addr), 0xc0000286);
	CHECK_EQ(dp.ports.count, 1008);
	CHECK_EQ(portset_port(&dp.ports, 1007), 65231);
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	address_is(&t.local, "2001:db8::2");
	/* the rule's prefix serves */
	CHECK_EQ(read_text(&c, SIDES "[map-e]\n" BR "rule = 2001:db8:1::/64 192.0.2.134/32 ea 0 psid-len 6 psid 44\n",
			   &err),
		 0);
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	address_is(&t.local, "2001:db8:1::c000:286:2c");
}

static void test_s46(void)
{
	static struct conf c;
	struct dp_tunnel t;
	struct err err = {""};

	check_context("s46");
	CHECK_EQ(read_text(&c, SIDES "[map-e]\n" S46 PD, &err), 0);
	CHECK_STR(err.text, "");
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	address_is(&t.local, "2001:db8:12:3400:0:c000:212:34");
	address_is(&t.relay[0], "2001:db9:ffff::1");
	/* in two lines, and another border relay by hand */
	CHECK_EQ(read_text(&c,
			   SIDES "[map-e]\ns46 = 005e0025 0059000d 001018c0000200\ns46 = 2820010db800 "
				 "005a001020010db9ffff00000000000000000001\nborder-relay = 2001:db9::9\n" PD,
			   &err),
		 0);
	CHECK_STR(err.text, "");
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	CHECK_EQ(t.nrelays, 1);
	address_is(&t.relay[0], "2001:db9::9");
}

/* Domains of a border relay come together, longest IPv4 prefix first. */
static void test_relays(void)
{
	static struct conf c;
	struct dp_config dp;
	struct dp_tunnel t;
	struct err err = {""};

	check_context("border relays");
	CHECK_EQ(read_text(&c,
			   SIDES "address = 198.51.100.1/24\n" RELAY "rule = 2001:db8:200::/40 10.0.0.0/8 ea 24\n" RULE
				 "hop-limit = 32\nmtu = 1400\n[border-relay east]\naddress = 2001:db9::2\nformat = "
				 "draft03\nrule = 2001:db8:100::/40 192.0.3.0/24 ea 16\nrule = 2001:db8:300::/40 "
				 "192.0.2.16/28 ea 12\nhop-limit = 32\ndscp = 0\n",
			   &err),
		 0);
	CHECK_STR(err.text, "");
	CHECK_EQ(c.nwarnings, 0);
	CHECK_EQ(c.kind, MODE_BR);
	CHECK_EQ(c.nrelays, 2);
	CHECK_STR(c.relays[1].name, "border-relay east");
	conf_dp(&c, &dp);
	CHECK_EQ(dp.mode, MODE_BR);
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	CHECK_EQ(t.nrelays, 2);
	address_is(&t.relay[0], "2001:db9::1");
	address_is(&t.relay[1], "2001:db9::2");
	CHECK_EQ(t.nrules, 4);
	for (u32 i = 0; i < t.nrules; i++) {
		CHECK_EQ(t.rules[i].index, i);
		CHECK(!i || t.rules[i - 1].prefix4 >= t.rules[i].prefix4);
	}
	CHECK_EQ(t.rules[0].relay, 1);
	CHECK_EQ(t.rules[0].prefix4, 28);
	CHECK_EQ(t.rules[0].format, MAPE_DRAFT03);
	CHECK_EQ(t.rules[1].relay, 0);
	CHECK_EQ(t.rules[1].format, MAPE_RFC7597);
	CHECK_EQ(t.rules[2].addr, 0xc0000300);
	CHECK_EQ(t.rules[2].relay, 1);
	CHECK_EQ(t.rules[3].prefix4, 8);
	CHECK_EQ(mape_match(t.rules, t.nrules, 0xc0000211, 5000), 0);
	CHECK_EQ(mape_match(t.rules, t.nrules, 0xc0000212 + 64, 5000), 1);
	CHECK_EQ(mape_match(t.rules, t.nrules, 0x08080808, 5000), 4);
	CHECK_EQ(t.hop_limit, 32);
	CHECK_EQ(t.mtu, 1400);
	CHECK_EQ(t.dscp, 0);
	CHECK_EQ(t.ecn, TUNNEL_ECN_NORMAL);
}

/* 32 rules fit, wherever they are; one more does not. */
static void test_many_rules(void)
{
	static struct conf c;
	static struct dp_tunnel t;
	char *text = calloc(1, 8192);
	struct err err = {""};
	int length = sprintf(text, "%s%s", SIDES, RELAY);

	check_context("many rules");
	for (int i = 0; i < 32; i++)
		length += sprintf(text + length, "%srule = 2001:db8:%x00::/40 192.0.%d.0/24 ea 16\n",
				  i == 20 ? "[border-relay b]\naddress = 2001:db9::2\n" : "", i, i);
	CHECK_EQ(read_text(&c, text, &err), 0);
	CHECK_STR(err.text, "");
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	CHECK_EQ(t.nrules, 32);
	CHECK_EQ(t.rules[31].relay, 1);
	sprintf(text + length, "rule = 2001:db9:100::/40 192.1.0.0/24 ea 16\n");
	CHECK_EQ(read_text(&c, text, &err), -EINVAL);
	CHECK_STR(err.text, FILE_NAME ":27: too many rules: all [border-relay] sections have at most 32 together");
	free(text);
}

static void test_all(void)
{
	test_bad();
	test_unwise();
	test_edge();
	test_edge_defaults();
	test_provisioned();
	test_s46();
	test_relays();
	test_many_rules();
}

int main(void)
{
	return conf_file_run("conf-mape", test_all);
}
