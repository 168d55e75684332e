/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.c - every key of the configuration file, in one table */
#include "keys.h"

#include <string.h>

#include "conf.h"
#include "values.h"

#define FIELD(type, field) .offset = offsetof(type, field), .size = sizeof(((type *)0)->field)
#define DAY 86400u
#define TIME_FORM "TIME (seconds, or with s, m, h, d)"
#define TIME(field) .parse = value_time, FIELD(struct conf, timers.field), .min = 1, .max = 24 * DAY

const struct conf_key conf_keys[KEY_COUNT] = {
	[KEY_NAME] = {SECTION_GATEWAY, "name", "NAME (a-z, 0-9, -)", "gateway",
		      "Name of this gateway; several can run on one machine.", .parse = value_name,
		      FIELD(struct conf, name)},
	[KEY_FLOWS] = {SECTION_GATEWAY, "flows", "NUMBER (256 to 16777216)", "65536",
		       "Flows that the table holds. New flows beyond it are refused; old ones are never thrown out.",
		       .parse = value_number, FIELD(struct conf, flows), .min = 256, .max = 16777216},
	[KEY_MODE] = {SECTION_GATEWAY, "mode", "auto|native|generic", "auto",
		      "How to attach: in the driver (native), behind it (generic, slower, works with every driver), or "
		      "native where the driver can (auto).",
		      .parse = value_word, FIELD(struct conf, mode)},
	[KEY_UNTRANSLATED] =
		{SECTION_GATEWAY, "untranslated", "drop|kernel", "drop",
		 "What to do with traffic from the LAN to the WAN that Portico cannot translate: drop it, or "
		 "leave it to Linux.",
		 .parse = value_word, FIELD(struct conf, untranslated)},
	[KEY_INTERFACE] = {SECTION_PORT, "interface", "INTERFACE", NULL,
			   "Network interface that has this side's addresses, routes and neighbours.",
			   .parse = value_interface, FIELD(struct conf_port, interface)},
	[KEY_PORT] =
		{SECTION_PORT, "port", "INTERFACE", "the interface itself",
		 "Network interface where the frames are, when that is another one and Linux does not know it. For "
		 "an 802.1Q interface it is found by itself.",
		 .parse = value_interface, FIELD(struct conf_port, port)},
	[KEY_VLAN] = {SECTION_PORT, "vlan", "NUMBER (1 to 4094)", "untagged", "VLAN of the frames on port.",
		      .parse = value_number, FIELD(struct conf_port, vid), .min = 1, .max = 4094},
	[KEY_ADDRESS] =
		{SECTION_PORT, "address", "ADDRESS/LENGTH", "the interface's first",
		 "This router's address, such as 192.168.1.1/24. On the WAN it is what packets are translated to.",
		 .parse = value_prefix, FIELD(struct conf_port, address)},
	[KEY_MTU] =
		{SECTION_PORT, "mtu", "NUMBER (68 to 65535)", "the interface's",
		 "Bytes of the largest IPv4 packet, for replay, which takes 1500 where none is given. A live gateway "
		 "takes the interface's, and does not start where that is larger than what is given here: Linux "
		 "answers packets that are too big, by the MTU it knows.",
		 .parse = value_number, FIELD(struct conf_port, mtu), .min = 68, .max = 65535},
	[KEY_GATEWAY] = {SECTION_WAN, "gateway", "ADDRESS", "none: all destinations are neighbours",
			 "Default gateway, for replay only; a live gateway takes it from the routing table.",
			 .parse = value_address, FIELD(struct conf_port, gateway)},
	[KEY_LLADDR] = {SECTION_PORT, "lladdr", "MAC",
			"02:00:00:00:00:01 in the first [lan] or [wan] section, then counting up",
			"MAC address of this port, for replay only; a live gateway takes the interface's.",
			.parse = value_lladdr, FIELD(struct conf_port, lladdr)},
	[KEY_NEIGHBOUR] = {SECTION_PORT, "neighbour", "ADDRESS MAC", "02:00 followed by the address",
			   "MAC address of a neighbour, for replay only. May be given again.", .repeats = true,
			   .parse = value_neighbour},
	[KEY_PORTS] = {SECTION_NAT, "ports", "LOW-HIGH", "1024-65535",
		       "Ports and ICMP echo identifiers that translated flows get on the WAN address.",
		       .parse = value_ports},
	[KEY_RESERVE] = {SECTION_NAT, "reserve", "PORT or LOW-HIGH, ...", "",
			 "Ports that are never handed out: servers and forwards of this router. May be given again.",
			 .repeats = true, .parse = value_reserve},
	[KEY_PROBES] = {SECTION_NAT, "probes", "NUMBER (1 to 16)", "16",
			"Ports that are tried for a new flow before it is refused.", .parse = value_number,
			FIELD(struct conf, probes), .min = 1, .max = 16},
	[KEY_SEED] = {SECTION_NAT, "seed", "NUMBER", "1",
		      "Seed of the port choice, for replay only; a live gateway draws a secret.", .parse = value_number,
		      FIELD(struct conf, seed), .max = 0xffffffff},
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
				     .parse = value_word, FIELD(struct conf, timers.udp_inbound_refresh)},
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
