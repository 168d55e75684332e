/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.c - every key of the configuration file, in one table */
#include "keys.h"

#include <string.h>

#include "conf.h"
#include "values.h"

#define FIELD(in, type, field) .home = (in), .offset = offsetof(type, field), .size = sizeof(((type *)0)->field)
#define IN_CONF(field) FIELD(HOME_CONF, struct conf, field)
#define IN_PORT(field) FIELD(HOME_PORT, struct conf_port, field)
#define IN_DOMAIN(field) FIELD(HOME_DOMAIN, struct mape_domain, field)
#define IN_TUNNEL(field) FIELD(HOME_TUNNEL, struct conf_tunnel, field)
#define DAY 86400u
#define TIME_FORM "TIME (seconds, or with s, m, h, d)"
#define TIME(field) .parse = value_time, IN_CONF(timers.field), .min = 1, .max = 24 * DAY

const struct conf_key conf_keys[KEY_COUNT] = {
	[KEY_NAME] = {SECTION_GATEWAY, "name", "NAME (a-z, 0-9, -)", "gateway",
		      "Name of this gateway; several can run on one machine.", .parse = value_name, IN_CONF(name)},
	[KEY_FLOWS] = {SECTION_GATEWAY, "flows", "NUMBER (256 to 16777216)", "65536",
		       "Flows that the table holds, each of its own inside socket. New flows beyond it are refused; "
		       "old ones are "
		       "never thrown out.",
		       .parse = value_number, IN_CONF(flows), .min = 256, .max = 16777216},
	[KEY_MODE] = {SECTION_GATEWAY, "mode", "auto|native|generic", "auto",
		      "How to attach: in the driver (native), behind it (generic, slower, works with every driver), or "
		      "native where the driver can (auto).",
		      .parse = value_word, IN_CONF(mode)},
	[KEY_UNTRANSLATED] =
		{SECTION_GATEWAY, "untranslated", "drop|kernel", "drop",
		 "What to do with traffic from the LAN to the WAN that Portico cannot translate: drop it, or "
		 "leave it to Linux.",
		 .parse = value_word, IN_CONF(untranslated)},
	[KEY_INTERFACE] = {SECTION_PORT, "interface", "INTERFACE", NULL,
			   "Network interface that has this side's addresses, routes and neighbours.",
			   .parse = value_interface, IN_PORT(interface)},
	[KEY_PORT] =
		{SECTION_PORT, "port", "INTERFACE", "the interface itself",
		 "Network interface where the frames are, when that is another one and Linux does not know it. For "
		 "an 802.1Q interface it is found by itself.",
		 .prose = true, .parse = value_interface, IN_PORT(port)},
	[KEY_VLAN] = {SECTION_PORT, "vlan", "NUMBER (1 to 4094)", "untagged", "VLAN of the frames on port.",
		      .prose = true, .parse = value_number, IN_PORT(vid), .min = 1, .max = 4094},
	[KEY_ADDRESS] =
		{SECTION_PORT, "address", "ADDRESS/LENGTH", "the interface's first",
		 "This router's address, such as 192.168.1.1/24. On the WAN it is what packets are translated to; "
		 "with [map-e] the rule says that.",
		 .prose = true, .parse = value_prefix, IN_PORT(address)},
	[KEY_MTU] =
		{SECTION_PORT, "mtu", "NUMBER (68 to 65535)", "the interface's",
		 "Bytes of the largest IPv4 packet, for replay, which takes 1500 where none is given. A live gateway "
		 "takes the interface's, and does not start where that is larger than what is given here: Linux "
		 "answers packets that are too big, by the MTU it knows.",
		 .prose = true, .parse = value_number, IN_PORT(mtu), .min = 68, .max = 65535},
	[KEY_GATEWAY] = {SECTION_WAN, "gateway", "ADDRESS", "none: all destinations are neighbours",
			 "Default gateway, for replay only; a live gateway takes it from the routing table.",
			 .prose = true, .parse = value_address, IN_PORT(gateway)},
	[KEY_GATEWAY6] =
		{SECTION_PORT, "gateway6", "ADDRESS6", "none: the tunnel's other ends are neighbours",
		 "Next hop of the tunnel's IPv6 packets: in [wan] with [map-e], in [lan] with [border-relay]. For "
		 "replay only; a live gateway takes it from the routing table.",
		 .prose = true, .parse = value_gateway6, IN_PORT(gateway6)},
	[KEY_LLADDR] = {SECTION_PORT, "lladdr", "MAC",
			"02:00:00:00:00:01 in the first [lan] or [wan] section, then counting up",
			"MAC address of this port, for replay only; a live gateway takes the interface's.",
			.prose = true, .parse = value_lladdr, IN_PORT(lladdr)},
	[KEY_NEIGHBOUR] = {SECTION_PORT, "neighbour", "ADDRESS MAC", "02:00 followed by the address",
			   "MAC address of a neighbour, for replay only. May be given again.", .prose = true,
			   .repeats = true, .parse = value_neighbour},
	[KEY_PORTS] = {SECTION_NAT, "ports", "LOW-HIGH", "1024-65535",
		       "Ports and ICMP echo identifiers that translated flows get on the WAN address. Not with "
		       "[map-e]: there the rule says them.",
		       .parse = value_ports},
	[KEY_RESERVE] = {SECTION_NAT, "reserve", "PORT or LOW-HIGH, ...", "",
			 "Ports that are never handed out: servers and forwards of this router. May be given again.",
			 .repeats = true, .parse = value_reserve},
	[KEY_PROBES] = {SECTION_NAT, "probes", "NUMBER (1 to 16)", "16",
			"Ports that are tried for a new flow before it is refused.", .parse = value_number,
			IN_CONF(probes), .min = 1, .max = 16},
	[KEY_MAPPING] =
		{SECTION_NAT, "mapping", "endpoint-dependent|shared|endpoint-independent",
		 "shared with [map-e], else endpoint-dependent",
		 "Which port a host's socket gets (RFC 4787, 4.1): one for each flow; one towards all destinations, "
		 "which others share where their destinations differ; or one that nobody else has.",
		 .prose = true, .parse = value_word, IN_CONF(mapping)},
	[KEY_FILTERING] =
		{SECTION_NAT, "filtering", "address-and-port|address|endpoint-independent", "address-and-port",
		 "Who may send to a host's port from outside (RFC 4787, 5): whom the host sent to, from the port it "
		 "sent to or from any, or everybody. The last needs mapping = endpoint-independent.",
		 .parse = value_word, IN_CONF(filtering)},
	[KEY_HOST_SHARE] = {SECTION_NAT, "host-share", "NUMBER (1 to 100)", "75",
			    "How much of the ports one inside host may hold towards one destination while other hosts "
			    "are active, in percent.",
			    .parse = value_number, IN_CONF(host_share), .min = 1, .max = 100},
	[KEY_COOLING] = {SECTION_NAT, "cooling", TIME_FORM, "0",
			 "Rest of a port before another flow gets it (RFC 6888, REQ-8, asks carriers for 120 s).",
			 .parse = value_time, IN_CONF(cooling), .max = 24 * DAY},
	[KEY_REFUSAL] = {SECTION_NAT, "refusal", "admin-prohibited|host-unreachable|silent", "admin-prohibited",
			 "What a host is told when there is no port for it: ICMP unreachable with code 13 (RFC 5508, "
			 "REQ-8), with code 1 (RFC 6888, REQ-11), or nothing.",
			 .parse = value_refusal, IN_CONF(refusal)},
	[KEY_SEED] = {SECTION_NAT, "seed", "NUMBER", "1",
		      "Seed of the port choice, for replay only; a live gateway draws a secret.", .parse = value_number,
		      IN_CONF(seed), .max = 0xffffffff},
	[KEY_RULE] =
		{SECTION_TUNNEL, "rule", "PREFIX6 PREFIX4 ea N [offset N] [psid-len N] [psid N] [fmr]",
		 "what s46 or dhcpv6 brings; [border-relay] must have one",
		 "Mapping rule (RFC 7597, 5): IPv6 and IPv4 prefix, number of embedded address bits, and what is not "
		 "as "
		 "usual: PSID offset (6), length of the PSID (what ea leaves), the PSID itself (where ea is 0). "
		 "Numbers "
		 "are decimal, or hexadecimal with 0x. fmr: its customers are reached directly. May be given again.",
		 .prose = true, .repeats = true, .parse = value_rule},
	[KEY_FORMAT] = {SECTION_TUNNEL, "format", "rfc7597|draft03", "rfc7597",
			"How an IPv6 address holds the IPv4 address and the PSID: as RFC 7597, 6 has it, or as "
			"draft-ietf-softwire-map-03, whose usual PSID offset is 4.",
			.parse = value_word, IN_DOMAIN(format)},
	[KEY_HOP_LIMIT] =
		{SECTION_TUNNEL, "hop-limit", "NUMBER (1 to 255)", "64",
		 "Hop limit of the IPv6 packets that carry IPv4. All [border-relay] sections have one, as they "
		 "have one dscp, ecn and mtu.",
		 .parse = value_number, IN_TUNNEL(hop_limit), .min = 1, .max = 255},
	[KEY_DSCP] = {SECTION_TUNNEL, "dscp", "copy|NUMBER (0 to 63)", "copy",
		      "Their DSCP: that of the packet they carry, or always the same.", .parse = value_dscp,
		      IN_TUNNEL(dscp)},
	[KEY_ECN] = {SECTION_TUNNEL, "ecn", "normal|compatibility", "normal",
		     "Their ECN (RFC 6040, 4.1): that of the packet they carry, or Not-ECT.", .parse = value_word,
		     IN_TUNNEL(ecn)},
	[KEY_PATH_MTU] = {SECTION_TUNNEL, "mtu", "NUMBER (1280 to 65535)", "the interface's",
			  "Bytes of the largest IPv6 packet on the way to the other end; IPv4 packets are 40 smaller.",
			  .prose = true, .parse = value_number, IN_TUNNEL(mtu), .min = MAPE_MTU_LEAST, .max = 65535},
	[KEY_PREFIX] = {SECTION_MAP_E, "prefix", "PREFIX6", "what dhcpv6 brings",
			"Delegated prefix, such as 2001:db8:12:3400::/56.", .prose = true, .parse = value_delegated},
	[KEY_CE_ADDRESS] = {SECTION_MAP_E, "address", "ADDRESS6", "what rule and prefix say",
			    "IPv6 address of this end of the tunnel.", .prose = true, .parse = value_tunnel_end},
	[KEY_BORDER_RELAY] =
		{SECTION_MAP_E, "border-relay", "ADDRESS6", "what s46 or dhcpv6 brings",
		 "IPv6 address of the other end. May be given again: packets go to the first, and may come "
		 "from all.",
		 .prose = true, .repeats = true, .parse = value_relay},
	[KEY_S46] = {SECTION_MAP_E, "s46", "HEX", "",
		     "Rules and border relays as DHCPv6 has them: option 94 (RFC 7598), or what is in it, in "
		     "hexadecimal. Where a line is too short for it, the next s46 goes on.",
		     .prose = true, .repeats = true, .parse = value_s46},
	[KEY_DHCPV6] =
		{SECTION_MAP_E, "dhcpv6", "FILE", "",
		 "A file that the DHCPv6 client's script writes, and that is followed: what odhcp6c has in MAPE, "
		 "PREFIXES, RA_ADDRESSES and ADDRESSES, as env prints it; or a line of hexadecimal as in s46, and a "
		 "line PREFIX=PREFIX6. What is given by hand counts more. See DHCPV6.",
		 .prose = true, .parse = value_file, IN_CONF(mape.dhcpv6)},
	[KEY_DEVICE] = {SECTION_MAP_E, "device", "INTERFACE", "mape- followed by the gateway's name",
			"Interface that Portico makes for the router's own IPv4 traffic.", .prose = true,
			.parse = value_interface, IN_CONF(mape.device)},
	[KEY_BR_ADDRESS] = {SECTION_RELAY, "address", "ADDRESS6", NULL,
			    "This router's end of the tunnel, where the customers of this domain send to.",
			    .parse = value_tunnel_end},
	[KEY_TCP_ESTABLISHED] = {SECTION_TIMERS, "tcp-established", TIME_FORM, "7440",
				 "Silence after which an established TCP connection is forgotten.",
				 TIME(tcp_established), .low = 7440, .rfc = "RFC 5382, REQ-5"},
	[KEY_TCP_TRANSITORY] = {SECTION_TIMERS, "tcp-transitory", TIME_FORM, "240",
				"The same for a TCP connection that is opening or closing.", TIME(tcp_transitory),
				.low = 240, .rfc = "RFC 5382, REQ-5"},
	[KEY_UDP] = {SECTION_TIMERS, "udp", TIME_FORM, "300", "The same for UDP.", TIME(udp), .low = 120,
		     .rfc = "RFC 4787, REQ-5"},
	[KEY_ICMP] = {SECTION_TIMERS, "icmp", TIME_FORM, "60", "The same for ICMP echo.", TIME(icmp), .low = 60,
		      .rfc = "RFC 5508, REQ-2"},
	[KEY_UDP_INBOUND_REFRESH] = {SECTION_TIMERS, "udp-inbound-refresh", "no|yes", "no",
				     "Whether packets from the WAN keep a UDP flow alive as well (RFC 4787, REQ-6).",
				     .parse = value_word, IN_CONF(timers.udp_inbound_refresh)},
};

const char *conf_section_names(unsigned int sections)
{
	switch (sections) {
	case SECTION_GATEWAY:
		return "[gateway]";
	case SECTION_LAN:
		return "[lan]";
	case SECTION_WAN:
		return "[wan]";
	case SECTION_PORT:
		return "[lan], [wan]";
	case SECTION_NAT:
		return "[nat]";
	case SECTION_TIMERS:
		return "[timers]";
	case SECTION_MAP_E:
		return "[map-e]";
	case SECTION_RELAY:
		return "[border-relay]";
	case SECTION_TUNNEL:
		return "[map-e], [border-relay]";
	default:
		return "";
	}
}

const struct conf_key *conf_key_find(enum conf_section section, const char *name)
{
	for (unsigned int i = 0; i < KEY_COUNT; i++)
		if ((conf_keys[i].sections & section) && !strcmp(conf_keys[i].name, name))
			return &conf_keys[i];
	return NULL;
}

#define TYPO_MAX 32

/* Edits (insert, remove, replace) between two words, Levenshtein's, one row at a time. */
static unsigned int typos(const char *a, const char *b)
{
	unsigned int row[TYPO_MAX + 1], length = (unsigned int)strlen(b);

	if (strlen(a) > TYPO_MAX || length > TYPO_MAX)
		return TYPO_MAX;
	for (unsigned int j = 0; j <= length; j++)
		row[j] = j;
	for (unsigned int i = 1; a[i - 1]; i++) {
		unsigned int diagonal = row[0];

		row[0] = i;
		for (unsigned int j = 1; j <= length; j++) {
			unsigned int best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[length];
}

const struct conf_key *conf_key_meant(enum conf_section section, const char *name)
{
	const struct conf_key *meant = conf_key_find((enum conf_section) ~0u, name);
	unsigned int least = 3;

	if (meant)
		return meant;
	for (unsigned int i = 0; i < KEY_COUNT; i++) {
		unsigned int n = typos(name, conf_keys[i].name);

		if ((conf_keys[i].sections & section) && n < least && n < strlen(name)) {
			least = n;
			meant = &conf_keys[i];
		}
	}
	return meant;
}
