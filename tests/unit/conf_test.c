/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_test.c - the configuration file: what good ones mean, and the exact sentence about each bad one */
#include <sys/stat.h>

#include "conf_file.h"
#include "dp/portset.h"
#include "lib/addr.h"

#define LAN "[lan]\ninterface = eth0\n"
#define WAN "[wan]\ninterface = eth1\n"
#define BOTH LAN WAN /* four lines */
#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

/* `wrong` stands behind "test.conf:". */
static const struct {
	const char *text;
	const char *wrong;
} bad[] = {
	{"", " the file is empty: write at least [lan] and [wan], each with an interface; see portico.conf(5)"},
	{"# nothing\n", "1: no [lan] section: add one, with interface = ..."},
	{WAN, "2: no [lan] section: add one, with interface = ..."},
	{LAN, "2: no [wan] section: add one, with interface = ..."},
	{BOTH "[wan]\n", "5: section [wan] again: there is one WAN"},
	{BOTH "[lan]\n", "5: section [lan] again: give the other LAN a name, such as [lan guest]"},
	{LAN "[lan a]\ninterface = eth2\n[lan a]\n",
	 "5: section [lan a] again: give the other LAN a name, such as [lan guest]"},
	{BOTH "[wan dsl]\n", "5: section [wan dsl] takes no name: write [wan]"},
	{BOTH "[nat]\n[nat]\n", "6: section [nat] again: put its keys in one"},
	{"[nat x]\n", "1: section [nat x] takes no name: write [nat]"},
	{"[lans]\n", "1: unknown section [lans]: there are [gateway], [lan], [lan NAME], [wan], [nat], [map-e], "
		     "[border-relay], [border-relay NAME] and [timers]"},
	{"[]\n", "1: unknown section []: there are [gateway], [lan], [lan NAME], [wan], [nat], [map-e], "
		 "[border-relay], [border-relay NAME] and [timers]"},
	{"[lan\ninterface = eth0\n", "1: bad section '[lan': write it as [name]"},
	{"[lan] interface = eth0\n", "1: 'interface = eth0' behind a section: write it on a line of its own"},
	{"[lan " X50 X50 "]\n", "1: bad section '[lan " X50 X50 "]': write it as [name]"},
	{"[lan " X50 "]\n", "1: the name of section [lan " X50 "] is too long: at most 31 characters"},
	{"[lan a]\n[lan b]\n[lan c]\n[lan d]\n[lan e]\n[lan f]\n[lan g]\n[wan]\n[lan i]\n",
	 "9: too many [lan] and [wan] sections: at most 8"},

	{"interface = eth0\n", "1: key 'interface' before the first section: put it below one, such as [gateway]"},
	{LAN "adress = 1\n", "3: unknown key 'adress' in [lan]: did you mean 'address'?"},
	{LAN "mtus = 1\n", "3: unknown key 'mtus' in [lan]: did you mean 'mtu'?"},
	{LAN "colour = red\n", "3: unknown key 'colour' in [lan]: 'portico check --keys' lists them"},
	{LAN "x = 1\n", "3: unknown key 'x' in [lan]: 'portico check --keys' lists them"},
	{LAN "= 1\n", "3: unknown key '' in [lan]: 'portico check --keys' lists them"},
	{LAN X50 " = 1\n", "3: unknown key '" X50 "' in [lan]: 'portico check --keys' lists them"},
	{LAN "ports = 1-2\n", "3: key 'ports' does not belong in [lan]: put it below [nat]"},
	{LAN "gateway = 192.0.2.1\n", "3: key 'gateway' does not belong in [lan]: put it below [wan]"},
	{LAN "gateway6 = 192.0.2.1\n",
	 "3: bad gateway6 '192.0.2.1': give the IPv6 address of a router, such as 2001:db8:f::1"},
	{LAN "gateway6 = ::\n", "3: bad gateway6 '::': give the IPv6 address of a router, such as 2001:db8:f::1"},
	{LAN "gateway6 = ff02::1\n",
	 "3: bad gateway6 'ff02::1': give the IPv6 address of a router, such as 2001:db8:f::1"},
	{"[nat]\nmtu = 1500\n", "2: key 'mtu' does not belong in [nat]: put it below [lan], [wan]"},
	{LAN "interface = eth0\n", "3: interface again: it stands in line 2 already; keep one"},
	{BOTH "[nat]\nports = 1-2\nports = 1-2\n", "7: ports again: it stands in line 6 already; keep one"},
	{LAN "address\n", "3: neither [section] nor key = value: put a '#' before it if it is a comment"},
	{LAN "address\nbogus = 1\n", "3: neither [section] nor key = value: put a '#' before it if it is a comment"},
	{LAN "bogus = 1\naddress\n", "3: unknown key 'bogus' in [lan]: 'portico check --keys' lists them"},
	{LAN "address =\n", "3: address has no value: give ADDRESS/LENGTH, or take the line out"},
	{LAN "address = # 192.168.1.1/24\n", "3: address has no value: give ADDRESS/LENGTH, or take the line out"},
	{"[nat]\nreserve = 80,\n  8000-8010\n",
	 "2: bad reserve '': give a port such as 5060 or a range such as 8000-8010, with ports from 1 to 65535"},
	{"[nat]\nreserve = 80\n  8000-8010\n",
	 "3: neither [section] nor key = value: put a '#' before it if it is a comment"},
	{"[nat]\nreserve = " X50 X50 X50 X50 "\n",
	 "2: line longer than 197 characters: break it up; reserve, neighbour and s46 may be given again"},

	{"[gateway]\nname = Home\n", "2: bad name 'Home': use 1 to 31 of a-z, 0-9 and '-', not '-' first"},
	{"[gateway]\nname = -n\n", "2: bad name '-n': use 1 to 31 of a-z, 0-9 and '-', not '-' first"},
	{"[gateway]\nname = ../x\n", "2: bad name '../x': use 1 to 31 of a-z, 0-9 and '-', not '-' first"},
	{"[gateway]\nname = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
	 "2: bad name 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': use 1 to 31 of a-z, 0-9 and '-', not '-' first"},
	{"[gateway]\nflows = 255\n", "2: bad flows '255': give a number from 256 to 16777216"},
	{"[gateway]\nflows = 16777217\n", "2: bad flows '16777217': give a number from 256 to 16777216"},
	{"[gateway]\nflows = 99999999999999999999\n",
	 "2: bad flows '99999999999999999999': give a number from 256 to 16777216"},
	{"[gateway]\nflows = -1\n", "2: bad flows '-1': give a number from 256 to 16777216"},
	{"[gateway]\nflows = 1000 k\n", "2: bad flows '1000 k': give a number from 256 to 16777216"},
	{"[gateway]\nmode = fast\n", "2: bad mode 'fast': give one of auto|native|generic"},
	{"[gateway]\nmode = nat\n", "2: bad mode 'nat': give one of auto|native|generic"},
	{"[gateway]\nuntranslated = pass\n", "2: bad untranslated 'pass': give one of drop|kernel"},

	{"[lan]\ninterface = eth0/1\n",
	 "2: bad interface 'eth0/1': give the name of one interface, as 'ip link' shows it"},
	{"[lan]\ninterface = eth0 eth1\n",
	 "2: bad interface 'eth0 eth1': give the name of one interface, as 'ip link' shows it"},
	{"[lan]\ninterface = ..\n", "2: bad interface '..': give the name of one interface, as 'ip link' shows it"},
	{"[lan]\ninterface = eth0123456789abc\n",
	 "2: bad interface 'eth0123456789abc': the name of an interface has at most 15 characters"},
	{"[lan]\n" WAN, "1: section [lan] has no interface: add interface = ..."},
	{"[lan]\nmtu = 1500\n" WAN, "1: section [lan] has no interface: add interface = ..."},
	{LAN "[wan]\n", "3: section [wan] has no interface: add interface = ..."},
	{BOTH "vlan = 2\n",
	 "5: vlan without port: add port = the interface that carries the VLAN, or take vlan out and give the 802.1Q "
	 "interface as interface"},
	{BOTH "port = eth9\nvlan = 0\n", "6: bad vlan '0': give a number from 1 to 4094"},
	{BOTH "port = eth9\nvlan = 4095\n", "6: bad vlan '4095': give a number from 1 to 4094"},
	{LAN "[wan]\ninterface = eth0\n", "4: interface eth0 is [lan]'s already: give [wan] another"},
	{LAN "port = eth9\nvlan = 3\n" WAN "port = eth9\nvlan = 3\n",
	 "7: vlan 3 of port eth9 is [lan]'s already: give [wan] another"},
	{LAN WAN "port = eth0\n", "5: untagged frames of eth0 are [lan]'s already: give [wan] another port or a vlan"},
	{LAN "port = eth1\n" WAN "\n",
	 "5: untagged frames of eth1 are [lan]'s already: give [wan] another port or a vlan"},
	{LAN "mtu = 67\n", "3: bad mtu '67': give a number from 68 to 65535"},

	{LAN "address = 192.168.1.1\n",
	 "3: bad address '192.168.1.1': give an IPv4 address and the length of its prefix, such as 192.168.1.1/24"},
	{LAN "address = 192.168.1.1/33\n",
	 "3: bad address '192.168.1.1/33': give an IPv4 address and the length of its prefix, such as 192.168.1.1/24"},
	{LAN "address = 192.168.1.1/0\n",
	 "3: bad address '192.168.1.1/0': give an IPv4 address and the length of its prefix, such as 192.168.1.1/24"},
	{LAN "address = 192.168.1.256/24\n", "3: bad address '192.168.1.256/24': give an IPv4 address and the length "
					     "of its prefix, such as 192.168.1.1/24"},
	{LAN "address = 2001:db8::1/64\n",
	 "3: bad address '2001:db8::1/64': give an IPv4 address and the length of its prefix, such as 192.168.1.1/24"},
	{LAN "address = 192.168.1.0/24\n",
	 "3: bad address '192.168.1.0/24': that is the network's own address; give this router's"},
	{LAN "address = 192.168.1.255/24\n",
	 "3: bad address '192.168.1.255/24': that is the network's broadcast address; give this router's"},
	{LAN "address = 127.0.0.1/8\n",
	 "3: bad address '127.0.0.1/8': no host can have this address; give this router's"},
	{LAN "address = 224.0.0.1/8\n",
	 "3: bad address '224.0.0.1/8': no host can have this address; give this router's"},
	{LAN "address = 0.0.0.1/8\n", "3: bad address '0.0.0.1/8': no host can have this address; give this router's"},
	{LAN "address = 10.0.0.1/8\n" WAN "address = 10.1.2.3/24\n",
	 "6: 10.1.2.0/24 of [wan] overlaps 10.0.0.0/8 of [lan]: give one of them another network"},
	{LAN "address = 10.0.0.1/24\n[lan guest]\ninterface = eth2\naddress = 10.0.0.2/25\n" WAN,
	 "6: 10.0.0.0/25 of [lan guest] overlaps 10.0.0.0/24 of [lan]: give one of them another network"},
	{BOTH "gateway = 203.0.113\n",
	 "5: bad gateway '203.0.113': give the IPv4 address of a host, such as 203.0.113.1"},
	{BOTH "address = 203.0.113.2/24\ngateway = 203.0.114.1\n",
	 "6: gateway 203.0.114.1 is not in 203.0.113.0/24 of [wan]: check both"},
	{BOTH "gateway = 203.0.113.2\naddress = 203.0.113.2/24\n",
	 "5: gateway 203.0.113.2 is this router's own address: give the provider's router"},
	{LAN "lladdr = 01:00:5e:00:00:01\n",
	 "3: bad lladdr '01:00:5e:00:00:01': give the MAC address of one station, such as 02:00:00:00:00:01"},
	{LAN "lladdr = 02:00:00:00:00\n",
	 "3: bad lladdr '02:00:00:00:00': give the MAC address of one station, such as 02:00:00:00:00:01"},
	{LAN "lladdr = 02:00:00:00:00:0g\n",
	 "3: bad lladdr '02:00:00:00:00:0g': give the MAC address of one station, such as 02:00:00:00:00:01"},
	{LAN "lladdr = 02:00:00:00:00:011\n",
	 "3: bad lladdr '02:00:00:00:00:011': give the MAC address of one station, such as 02:00:00:00:00:01"},
	{LAN "neighbour = 192.168.1.72\n",
	 "3: bad neighbour '192.168.1.72': give the address and the MAC address of one station, such as 192.168.1.72 "
	 "02:00:00:00:01:48"},
	{LAN "address = 192.168.1.1/24\nneighbour = 192.168.2.72 02:00:00:00:01:48\n" WAN,
	 "4: neighbour 192.168.2.72 is not in 192.168.1.0/24 of [lan]: check both"},

	{"[nat]\nports = 65535-1024\n", "2: bad ports '65535-1024': the range is upside down; write 1024-65535"},
	{"[nat]\nports = 0-1024\n",
	 "2: bad ports '0-1024': give a range such as 1024-65535, with ports from 1 to 65535"},
	{"[nat]\nports = 1-65536\n",
	 "2: bad ports '1-65536': give a range such as 1024-65535, with ports from 1 to 65535"},
	{"[nat]\nports = 1024-\n", "2: bad ports '1024-': give a range such as 1024-65535, with ports from 1 to 65535"},
	{"[nat]\nports = 1-2-3\n", "2: bad ports '1-2-3': give a range such as 1024-65535, with ports from 1 to 65535"},
	{"[nat]\nports =\n", "2: ports has no value: give LOW-HIGH, or take the line out"},
	{"[nat]\nports = 1-2, 5-6\n",
	 "2: bad ports '1-2, 5-6': give one range; ports within it that must stay free go to reserve"},
	{"[nat]\nreserve = 0\n",
	 "2: bad reserve '0': give a port such as 5060 or a range such as 8000-8010, with ports from 1 to 65535"},
	{"[nat]\nreserve = 80, http\n",
	 "2: bad reserve ' http': give a port such as 5060 or a range such as 8000-8010, with ports from 1 to 65535"},
	{"[nat]\nreserve = 80, 90-85\n", "2: bad reserve ' 90-85': the range is upside down; write 85-90"},
	{BOTH "[nat]\nports = 2000-2001\nreserve = 2000\nreserve = 2001\n",
	 "6: range without ports: reserve takes all of 2000-2001; widen ports or shorten reserve"},
	{BOTH "[nat]\nreserve = 1-65535\n",
	 "6: range without ports: reserve takes all of 1024-65535; widen ports or shorten reserve"},
	{"[nat]\nprobes = 0\n", "2: bad probes '0': give a number from 1 to 16"},
	{"[nat]\nprobes = 17\n", "2: bad probes '17': give a number from 1 to 16"},
	{"[nat]\nseed = 4294967296\n", "2: bad seed '4294967296': give a number from 0 to 4294967295"},

	{"[timers]\nudp = 0\n", "2: bad udp '0': give a time from 1 s to 24 d, such as 300, 5m, 2h or 1d"},
	{"[timers]\nudp = 25d\n", "2: bad udp '25d': give a time from 1 s to 24 d, such as 300, 5m, 2h or 1d"},
	{"[timers]\nudp = 5 m\n", "2: bad udp '5 m': give a time from 1 s to 24 d, such as 300, 5m, 2h or 1d"},
	{"[timers]\nudp = 5mm\n", "2: bad udp '5mm': give a time from 1 s to 24 d, such as 300, 5m, 2h or 1d"},
	{"[timers]\nudp = m\n", "2: bad udp 'm': give a time from 1 s to 24 d, such as 300, 5m, 2h or 1d"},
	{"[timers]\nudp-inbound-refresh = maybe\n", "2: bad udp-inbound-refresh 'maybe': give one of no|yes"},
};

static void test_bad(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct conf c, before;
		struct err err = {""};

		memset(&c, 0xa5, sizeof(c));
		before = c;
		check_context("bad file %zu", i);
		CHECK_EQ(read_text(&c, bad[i].text, &err), -EINVAL);
		if (CHECK(!strncmp(err.text, FILE_NAME ":", sizeof(FILE_NAME))))
			CHECK_STR(err.text + sizeof(FILE_NAME), bad[i].wrong);
		CHECK_MEM(&c, &before, sizeof(c));
	}
	check_context("%s", "");
}

static void test_no_file(void)
{
	static const char nul[] = BOTH "[nat]\npo\0rts = 1-2\n";
	char longer[400];
	struct conf c;
	struct err err;

	CHECK_EQ(conf_read(&c, "absent.conf", &err), -ENOENT);
	CHECK_STR(err.text, "absent.conf: cannot be read: No such file or directory");
	CHECK_EQ(mkdir("directory", 0700), 0);
	CHECK_EQ(conf_read(&c, "directory", &err), -EISDIR);
	CHECK_STR(err.text, "directory: is a directory: give the configuration file");
	CHECK_EQ(rmdir("directory"), 0);
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = 0;
	CHECK_EQ(conf_read(&c, longer, &err), -ENAMETOOLONG);
	file_write(nul, sizeof(nul) - 1);
	CHECK_EQ(conf_read(&c, FILE_NAME, &err), -EINVAL);
	CHECK_STR(err.text, FILE_NAME ":6: NUL byte in the line: save the file as plain UTF-8 text");
	if (getuid()) { /* root reads everything */
		CHECK_EQ(chmod(FILE_NAME, 0), 0);
		CHECK_EQ(conf_read(&c, FILE_NAME, &err), -EACCES);
		CHECK_STR(err.text, FILE_NAME ": cannot be read: Permission denied");
	}
	CHECK_EQ(unlink(FILE_NAME), 0);
}

static void test_defaults(void)
{
	struct dp_config dp;
	struct conf c;
	struct err err = {""};

	check_context("shortest file");
	CHECK_EQ(read_text(&c, BOTH, &err), 0);
	CHECK_STR(err.text, "");
	CHECK_STR(c.path, FILE_NAME);
	CHECK_STR(c.name, "gateway");
	CHECK_EQ(c.flows, 65536);
	CHECK_EQ(c.mode, CONF_MODE_AUTO);
	CHECK_EQ(c.untranslated, DP_UNTRANSLATED_DROP);
	CHECK_EQ(c.probes, 16);
	CHECK_EQ(c.port_lo, 1024);
	CHECK_EQ(c.port_hi, 65535);
	CHECK_EQ(c.seed, 1);
	CHECK_EQ(c.timers.tcp_established, 7440);
	CHECK_EQ(c.timers.tcp_transitory, 240);
	CHECK_EQ(c.timers.udp, 300);
	CHECK_EQ(c.timers.icmp, 60);
	CHECK_EQ(c.timers.udp_inbound_refresh, 0);
	CHECK_EQ(c.nports, 2);
	CHECK_EQ(c.ports[0].role, ROLE_LAN);
	CHECK_EQ(c.ports[0].line, 2);
	CHECK_EQ(c.ports[0].port_line, 0);
	CHECK_EQ(c.ports[0].mtu_line, 0);
	CHECK_STR(c.ports[0].interface, "eth0");
	CHECK_STR(c.ports[0].port, "");
	CHECK_EQ(c.ports[1].role, ROLE_WAN);
	CHECK_EQ(c.nneighbours, 0);
	CHECK_EQ(c.nwarnings, 0);
	for (unsigned int i = 0; i < DP_RESERVED_WORDS; i++)
		CHECK_EQ(c.reserved[i], 0);

	conf_dp(&c, &dp);
	CHECK_EQ(dp.layout, ABI_LAYOUT);
	CHECK_EQ(dp.nports, 2);
	CHECK_EQ(dp.port[0].role, ROLE_LAN);
	CHECK_EQ(dp.port[1].role, ROLE_WAN);
	CHECK_EQ(dp.port[1].mtu, 0);
	CHECK_EQ(addr_host(dp.wan_addr), 0);
	CHECK_EQ(dp.ports.count, 64512);
	CHECK_EQ(portset_port(&dp.ports, 0), 1024);
	CHECK_EQ(portset_port(&dp.ports, dp.ports.count - 1), 65535);
}

/* Every key, with BOM, CRLF, comments, indentation, odd blanks, no newline at the end. */
static const char full[] = "\xef\xbb\xbf# a comment\r\n"
			   "; another\r\n"
			   "[gateway]   # the whole\r\n"
			   "name=home\r\n"
			   "  flows  =  1024 ; small\r\n"
			   "mode = generic\t# no driver support\r\n"
			   "untranslated = kernel\r\n"
			   "\r\n"
			   "[wan]\r\n"
			   "interface = wan0\r\n"
			   "port = eth0\r\n"
			   "vlan = 2\r\n"
			   "address = 203.0.113.2/24\r\n"
			   "gateway = 203.0.113.1\r\n"
			   "mtu = 1492\r\n"
			   "lladdr = 02:00:00:00:00:BE\r\n"
			   "neighbour = 203.0.113.1   02:00:00:00:00:fe\r\n"
			   "\t[lan]\r\n"
			   "\tinterface = lan0\r\n"
			   "\tport = eth0\r\n"
			   "\tvlan = 1\r\n"
			   "\taddress = 192.168.1.1/24\r\n"
			   "\tneighbour = 192.168.1.72 02:00:00:00:01:48\r\n"
			   "\tneighbour = 192.168.1.73\t02:00:00:00:01:49\r\n"
			   "[lan guest]\r\n"
			   "interface = a#b\r\n"
			   "[nat]\r\n"
			   "ports = 2000 - 4999\r\n"
			   "reserve = 2005 , 3000-3002,65535\r\n"
			   "reserve =\r\n"
			   "reserve = 4000\r\n"
			   "probes = 12\r\n"
			   "seed = 0\r\n"
			   "[timers]\r\n"
			   "tcp-established = 1d\r\n"
			   "tcp-transitory = 4m\r\n"
			   "udp = 119s\r\n"
			   "icmp = 2\r\n"
			   "udp-inbound-refresh = yes";

static bool reserved(const struct conf *c, unsigned int port)
{
	return c->reserved[port >> 6] >> (port & 63) & 1;
}

static void test_full_ports(const struct conf *c)
{
	static const u8 lladdr[6] = {2, 0, 0, 0, 0, 0xbe}, neighbour[6] = {2, 0, 0, 0, 1, 0x49};
	const struct conf_port *wan = &c->ports[0], *lan = &c->ports[1], *guest = &c->ports[2];

	CHECK_EQ(c->nports, 3);
	CHECK_STR(wan->name, "wan");
	CHECK_EQ(wan->line, 10);
	CHECK_EQ(wan->port_line, 11);
	CHECK_EQ(wan->mtu_line, 15);
	CHECK_STR(wan->port, "eth0");
	CHECK_EQ(wan->vid, 2);
	CHECK_EQ(wan->mtu, 1492);
	CHECK_EQ(addr_host(wan->address), 0xcb007102);
	CHECK_EQ(wan->prefix, 24);
	CHECK_EQ(addr_host(wan->gateway), 0xcb007101);
	CHECK(wan->has_lladdr);
	CHECK_MEM(wan->lladdr, lladdr, 6);
	CHECK_STR(lan->name, "lan");
	CHECK_EQ(lan->vid, 1);
	CHECK(!lan->has_lladdr);
	CHECK_STR(guest->name, "lan guest");
	CHECK_STR(guest->interface, "a#b");
	CHECK_EQ(c->nneighbours, 3);
	CHECK_EQ(c->neighbours[0].port, 0);
	CHECK_EQ(c->neighbours[2].port, 1);
	CHECK_EQ(addr_host(c->neighbours[2].address), 0xc0a80149);
	CHECK_MEM(c->neighbours[2].lladdr, neighbour, 6);
}

static void test_full(void)
{
	struct dp_config dp;
	struct conf c;
	struct err err = {""};

	check_context("full file");
	CHECK_EQ(read_text(&c, full, &err), 0);
	CHECK_STR(err.text, "");
	CHECK_STR(c.name, "home");
	CHECK_EQ(c.flows, 1024);
	CHECK_EQ(c.mode, CONF_MODE_GENERIC);
	CHECK_EQ(c.untranslated, DP_UNTRANSLATED_KERNEL);
	test_full_ports(&c);
	CHECK(reserved(&c, 2005) && reserved(&c, 3000) && reserved(&c, 3002) && reserved(&c, 4000));
	CHECK(reserved(&c, 65535));
	CHECK(!reserved(&c, 2004) && !reserved(&c, 2006) && !reserved(&c, 2999) && !reserved(&c, 3003));
	CHECK_EQ(c.probes, 12);
	CHECK_EQ(c.seed, 0);
	CHECK_EQ(c.timers.tcp_established, 86400);
	CHECK_EQ(c.timers.tcp_transitory, 240);
	CHECK_EQ(c.timers.udp, 119);
	CHECK_EQ(c.timers.icmp, 2);
	CHECK_EQ(c.timers.udp_inbound_refresh, 1);
	CHECK_EQ(c.nwarnings, 2);
	CHECK_STR(c.warnings[0].text, FILE_NAME ":37: udp = 119 s is shorter than the 120 s that RFC 4787, REQ-5 asks "
						"for: idle connections may break");
	CHECK_STR(c.warnings[1].text, FILE_NAME ":38: icmp = 2 s is shorter than the 60 s that RFC 5508, REQ-2 asks "
						"for: idle connections may break");

	conf_dp(&c, &dp);
	CHECK_EQ(addr_host(dp.wan_addr), 0xcb007102);
	CHECK_EQ(dp.untranslated, DP_UNTRANSLATED_KERNEL);
	CHECK_EQ(dp.probes, 12);
	CHECK_EQ(dp.port[0].vid, 2);
	CHECK_EQ(dp.port[0].mtu, 1492);
	CHECK(!portset_has(&dp.ports, 1999) && portset_has(&dp.ports, 2000));
	CHECK(portset_has(&dp.ports, 4999) && !portset_has(&dp.ports, 5000));
}

/* What must not be refused. */
static const char *const good[] = {
	BOTH "address = 203.0.113.2/32\ngateway = 10.64.0.1\n",
	BOTH "address = 203.0.113.2/31\ngateway = 203.0.113.3\n",
	BOTH "address = 203.0.113.2/24\nneighbour = 198.51.100.9 02:00:00:00:00:09\n",
	BOTH "[nat]\nports = 65535-65535\n",
	BOTH "[nat]\nports = 7\nreserve = 6, 8\n",
	BOTH "[timers]\nudp = 24d\n",
	LAN "port = eth9\n" WAN "port = eth9\nvlan = 2\n",
	LAN "address = 10.0.0.1/24\n[lan guest]\ninterface = eth2\naddress = 10.0.1.1/24\n" WAN,
};

static void test_good(void)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct err err = {""};
		struct conf c;

		check_context("good file %zu", i);
		CHECK_EQ(read_text(&c, good[i], &err), 0);
		CHECK_STR(err.text, "");
	}
	check_context("%s", "");
}

static void test_all(void)
{
	test_bad();
	test_no_file();
	test_defaults();
	test_full();
	test_good();
}

int main(void)
{
	return conf_file_run("conf", test_all);
}
