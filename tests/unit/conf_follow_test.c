/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_follow_test.c - the file that a DHCPv6 client writes: too little, what cannot be right, and what comes of it */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../check.h"
#include "conf/conf.h"
#include "lib/addr.h"

#define CONF_NAME "test.conf"
#define SIDES "[lan]\ninterface = eth0\n[wan]\ninterface = eth1\n[map-e]\n"
#define RULE "type=map-e,ealen=16,prefix4len=24,prefix6len=40,ipv4prefix=192.0.2.0,ipv6prefix=2001:db8::,"
#define MAPE "MAPE=" RULE "offset=6,psidlen=8,psid=13312,br=2001:db9:ffff::1, \n"
#define PREFIXES "PREFIXES=2001:db8:12:3400::/56,7200,14400\n"
#define HEX "005e00250059000d001018c00002002820010db800005a001020010db9ffff00000000000000000001\n"

static char path[64]; /* of the followed file */
static struct conf c;
static struct mape_domain d;
static struct err err;

static void file_write(const char *name, const char *text, size_t size)
{
	FILE *f = fopen(name, "w");

	if (CHECK(f != NULL)) {
		CHECK_EQ(fwrite(text, 1, size, f), size);
		CHECK_EQ(fclose(f), 0);
	}
}

/* Reads a configuration of `keys` in [map-e]. */
static void configure(const char *keys)
{
	char text[1024];

	snprintf(text, sizeof(text), SIDES "dhcpv6 = %s\n%s", path, keys);
	file_write(CONF_NAME, text, strlen(text));
	err.text[0] = 0;
	CHECK_EQ(conf_read(&c, CONF_NAME, &err), 0);
	CHECK_STR(err.text, "");
}

static int follow(const char *text)
{
	file_write(path, text, strlen(text));
	err.text[0] = 0;
	return conf_mape_follow(&c, &d, &err);
}

/* The tunnel's end is `local`, and the first border relay `relay`. */
static void gives(const char *text, const char *local, const char *relay)
{
	char got[ADDR6_TEXT];
	struct dp_tunnel t;

	check_context("%.200s", text);
	CHECK_EQ(follow(text), 0);
	CHECK_STR(err.text, "");
	c.mape.domain = d;
	CHECK_EQ(conf_tunnel_make(&c, &t), 0);
	CHECK_STR(addr6_print(got, addr6_of_wire(t.local.w)), local);
	CHECK_STR(addr6_print(got, addr6_of_wire(t.relay[0].w)), relay);
}

/* `why` is how the sentence begins behind the file's name. */
static void refuses(const char *text, int rc, const char *why)
{
	size_t length = strlen(path);

	check_context("%.200s", text);
	CHECK_EQ(follow(text), rc);
	if (!CHECK(!strncmp(err.text, path, length) && !strncmp(err.text + length, ": ", 2)) ||
	    strncmp(err.text + length + 2, why, strlen(why)))
		CHECK_STR(err.text, why);
}

#define V1_LOCAL "2001:db8:12:3400:0:c000:212:34"
#define V1_RELAY "2001:db9:ffff::1"

static void test_whole(void)
{
	configure("");
	gives(MAPE PREFIXES, V1_LOCAL, V1_RELAY);
	gives("HOME=/\nPREFIXES='2001:db8:12:3400::/56,7200,14400,class=00000001'\nSERVER=fe80::1\n" MAPE, V1_LOCAL,
	      V1_RELAY);
	gives(HEX "PREFIX=2001:db8:12:3400::/56\n", V1_LOCAL, V1_RELAY);
	gives("# by a script\r\nPREFIX=2001:db8:12:3400::/56\r\n005e0025 0059000d 001018c00002002820010db800\r\n"
	      "  005a0010 20010db9ffff00000000000000000001",
	      V1_LOCAL, V1_RELAY);
	/* several: the first that the rule is for */
	gives(MAPE "PREFIXES=2001:db9:1::/56,7200,14400 2001:db8:12::/48,1,2 2001:db8:13:3400::/56,7200,14400 "
		   "2001:db8:14:3400::/56\n",
	      "2001:db8:13:3400:0:c000:213:34", V1_RELAY);
	/* one whose time is over */
	gives(MAPE "PREFIXES=2001:db8:12:3400::/56,0,0 2001:db8:13:3400::/56,7200,14400\n",
	      "2001:db8:13:3400:0:c000:213:34", V1_RELAY);
	/* a /64 from router advertisements, or of an address by DHCPv6 */
	gives(MAPE "RA_ADDRESSES=2001:db8:12:3400:a:b:c:d/64,7200,14400\n", V1_LOCAL, V1_RELAY);
	gives(MAPE "PREFIXES=\nADDRESSES=2001:db8:12:3400::5/128,7200,14400\n", V1_LOCAL, V1_RELAY);
	gives(MAPE PREFIXES "RA_ADDRESSES=2001:db8:13:3400:a:b:c:d/64,7200,14400\n", V1_LOCAL, V1_RELAY);
	gives(MAPE "PREFIXES=2001:db9::/56\nRA_ADDRESSES=2001:db8:12:3400:a:b:c:d/64,7200,14400\n", V1_LOCAL, V1_RELAY);
	/* as in /proc */
	check_context("variables that end with 0");
	file_write(path, "A=1\0" MAPE "\0" PREFIXES, sizeof("A=1\0" MAPE "\0" PREFIXES));
	CHECK_EQ(conf_mape_follow(&c, &d, &err), 0);
}

/* The draft's interface id and offset are the configuration's to say, and so are prefix, rules and border relays. */
static void test_by_hand(void)
{
	configure("format = draft03\n");
	gives("MAPE=" RULE "br=2001:db9:ffff::1,\n" PREFIXES, "2001:db8:12:3400:c0:2:1200:3400", V1_RELAY);
	CHECK_EQ(d.rules[0].offset, 4);
	configure("border-relay = 2001:db9::9\n");
	gives(MAPE PREFIXES, V1_LOCAL, "2001:db9::9");
	CHECK_EQ(d.nbrs, 1);
	configure("prefix = 2001:db8:14:3400::/56\n");
	gives(MAPE PREFIXES, "2001:db8:14:3400:0:c000:214:34", V1_RELAY);
	configure("rule = 2001:db8::/40 192.0.3.0/24 ea 16\nborder-relay = 2001:db9::9\n");
	gives(PREFIXES, "2001:db8:12:3400:0:c000:312:34", "2001:db9::9");
	gives("not hexadecimal\nMAPE=type=map-t,\n" PREFIXES, "2001:db8:12:3400:0:c000:312:34", "2001:db9::9");
	configure("rule = 2001:db8::/40 192.0.3.0/24 ea 16\n");
	gives(MAPE PREFIXES, "2001:db8:12:3400:0:c000:312:34", V1_RELAY);
	refuses(PREFIXES, -ENOENT, "no border relay yet");
	configure("s46 = 005e00250059000d001018c00002002820010db800005a001020010db9ffff00000000000000000001\n");
	gives(PREFIXES, V1_LOCAL, V1_RELAY);
	/* the end of the tunnel: then no prefix is needed where nothing is embedded */
	configure("address = 2001:db8::5\n");
	gives("MAPE=type=map-e,ealen=0,prefix4len=32,prefix6len=0,ipv4prefix=192.0.2.134,ipv6prefix=::,offset=6,"
	      "psidlen=6,psid=45056,br=2001:db9:ffff::1,\n",
	      "2001:db8::5", V1_RELAY);
}

/* It waits: nothing is known yet, or not any more. */
static void test_waits(void)
{
	struct dp_config dp;
	struct dp_tunnel t;

	configure("hop-limit = 32\n");
	check_context("no file");
	unlink(path);
	CHECK_EQ(conf_mape_follow(&c, &d, &err), -ENOENT);
	CHECK_STR(err.text + strlen(path), ": not there yet");
	CHECK_EQ(conf_tunnel_make(&c, &t), -EAGAIN);
	CHECK_EQ(t.hop_limit, 32);
	CHECK_EQ(t.mtu, 1500);
	CHECK_EQ(t.nrelays, 0);
	conf_dp(&c, &dp);
	CHECK_EQ(dp.mode, MODE_CE);
	CHECK_EQ(dp.ports.count, 0);
	CHECK_EQ(addr_host(dp.wan_addr), 0);
	refuses("", -ENOENT, "no rule yet");
	refuses("MAPE=\n", -ENOENT, "no rule yet");
	refuses(PREFIXES, -ENOENT, "no rule yet");
	refuses(MAPE, -ENOENT, "no delegated prefix yet");
	refuses(MAPE "PREFIXES=\n", -ENOENT, "no delegated prefix yet");
	refuses(HEX, -ENOENT, "no delegated prefix yet");
	refuses(MAPE "PREFIXES=2001:db8:12:3400::/56,0,0\n", -ENOENT, "no delegated prefix yet");
	refuses(MAPE "RA_ADDRESSES=2001:db9::1/64,7200,14400\n", -ENOENT, "no delegated prefix yet");
	/* comes, changes, goes */
	gives(MAPE PREFIXES, V1_LOCAL, V1_RELAY);
	gives(MAPE "PREFIXES=2001:db8:13:3400::/56\n", "2001:db8:13:3400:0:c000:213:34", V1_RELAY);
	refuses(MAPE, -ENOENT, "no delegated prefix yet");
	c.mape.domain = d;
	CHECK_EQ(conf_tunnel_make(&c, &t), -EAGAIN);
	conf_dp(&c, &dp);
	CHECK_EQ(dp.ports.count, 0);
}

/* What cannot be right is named. */
static void test_refused(void)
{
	char *large = malloc(40000);

	configure("");
	refuses(MAPE "PREFIXES=2001:db9::/56\n", -EINVAL,
		"prefix: the delegated prefix 2001:db9::/56 is not in rule6 ");
	refuses(MAPE "PREFIXES=2001:db8:12::/48\n", -EINVAL, "prefix: the delegated prefix is a /48, shorter than ");
	refuses(MAPE "PREFIXES=2001:db8:12:3412::/56\n", -EINVAL,
		"prefix: the delegated prefix 2001:db8:12:3412::/56 has bits behind its length: address or length "
		"cannot "
		"be right; likely 2001:db8:12:3400::/56");
	refuses(MAPE "PREFIXES=2001:db8:12:3400::\n", -EINVAL,
		"bad PREFIXES '2001:db8:12:3400::': give ADDRESS/LENGTH");
	refuses(MAPE "PREFIX=x/56\n", -EINVAL, "bad PREFIX 'x/56': give ADDRESS/LENGTH, such as 2001:db8:12:3400::/56");
	refuses("MAPE=type=map-t,ealen=16\n" PREFIXES, -EINVAL, "MAPE: only rules of type map-t: MAP-E is supported");
	refuses("MAPE=type=map-e,ealen=x\n" PREFIXES, -EINVAL, "MAPE: character 11: bad 'ealen=x'");
	refuses("MAPE=type=map-e,ealen=49,prefix4len=24,prefix6len=40,ipv4prefix=192.0.2.0,ipv6prefix=2001:db8::,"
		"br=2001:db9::1,\n" PREFIXES,
		-EINVAL, "ea: IPv4 address and port have 48 bits together: EA length 49 cannot be right; likely 16");
	refuses("MAPE=" RULE "offset=17,br=2001:db9::1,\n" PREFIXES, -EINVAL, "offset: a PSID offset is 0 to 15: 17 ");
	refuses("MAPE=type=map-e,ealen=16,prefix4len=24,prefix6len=129,ipv4prefix=192.0.2.0,ipv6prefix=2001:db8::,"
		"br=2001:db9::1,\n" PREFIXES,
		-EINVAL, "rule6: an IPv6 prefix has at most 128 bits: length 129 cannot be right; likely 40");
	refuses("MAPE=" RULE "\n" PREFIXES, -EINVAL,
		"border-relay: there is no border relay: a MAP-E container has at ");
	refuses("MAPE=" RULE "br=2001:db8:12:3400::1,\n" PREFIXES, -EINVAL, "border-relay: the border relay ");
	refuses("005e0025\n" PREFIXES, -EINVAL, "byte 0: S46_CONT_MAPE (94) says it has 37 bytes, and 0 are left");
	refuses("what is this\n", -EINVAL, "character 0: something else, where a hexadecimal digit ");
	memset(large, 'a', 40000);
	check_context("a large file");
	file_write(path, large, 32768);
	CHECK_EQ(conf_mape_follow(&c, &d, &err), -EINVAL);
	CHECK_STR(err.text + strlen(path), ": more than 32767 bytes: this is no file of a DHCPv6 client");
	file_write(path, large, 32767);
	CHECK_EQ(conf_mape_follow(&c, &d, &err), -EINVAL);
	CHECK(strstr(err.text, ": character 32767: "));
	free(large);
	check_context("a directory");
	unlink(path);
	CHECK_EQ(mkdir(path, 0700), 0);
	CHECK(conf_mape_follow(&c, &d, &err) < 0);
	CHECK_STR(err.text + strlen(path), ": cannot be read: Is a directory");
	CHECK_EQ(rmdir(path), 0);
}

int main(void)
{
	char dir[] = "/tmp/portico-follow-XXXXXX";

	if (!mkdtemp(dir) || chdir(dir)) {
		perror(dir);
		return 1;
	}
	snprintf(path, sizeof(path), "%s/dhcpv6", dir);
	test_whole();
	test_by_hand();
	test_waits();
	test_refused();
	unlink(path);
	unlink(CONF_NAME);
	rmdir(dir);
	return check_summary("conf-follow");
}
