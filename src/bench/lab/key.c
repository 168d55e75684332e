/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key.c - every key of a lab file, in one table */
#include "key.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

const char *const lab_topology_names[] = {
	[LAB_HOME] = "home", [LAB_MAP_E] = "map-e", [LAB_TRUNK] = "trunk", [LAB_WIRE] = "wire", NULL};
const char *const lab_router_names[] = {[LAB_FORWARD] = "forward",
					[LAB_REDIRECT] = "bare-redirect",
					[LAB_NFTABLES] = "nftables",
					[LAB_RULESET] = "ruleset",
					[LAB_PORTICO] = "portico",
					[LAB_HOOKS] = "hooks",
					NULL};
const char *const lab_setting_names[] = {[LAB_SYSCTL] = "sysctl", [LAB_ETHTOOL] = "ethtool", [LAB_RPS] = "rps",
					 [LAB_XPS] = "xps",	  [LAB_RUN] = "run",	     NULL};
const char *const lab_kind_names[] = {[LAB_UDP] = "udp",
				      [LAB_CONNECT] = "connect",
				      [LAB_TABLE] = "table",
				      [LAB_LATENCY] = "latency",
				      [LAB_THROUGHPUT] = "throughput",
				      [LAB_TCP] = "tcp",
				      [LAB_HOOK] = "hook",
				      NULL};
const char *const lab_way_names[] = {"",  [LAB_OUT] = "out", [LAB_IN] = "in", [LAB_EACH] = "each", [LAB_BOTH] = "both",
				     NULL};
static const char *const searches[] = {"short", "binary", NULL};

#define FIELD(type, field) .offset = offsetof(type, field), .size = sizeof(((type *)0)->field)
#define IN(section_, field) .section = LAB_SECTION_##section_, FIELD(struct lab, field)
#define TEXT .take = take_text, .write = write_text
#define WORD(words_) .take = take_word, .write = write_word, .words = (words_)
#define NUMBER(least, most) .take = take_number, .write = write_number, .min = (least), .max = (most)
#define REAL(least, most) .take = take_real, .write = write_real, .min = (least), .max = (most)
#define OF_VARIANT(field) .section = LAB_SECTION_VARIANT, FIELD(struct lab_variant, field)
#define SETTING(kind, take_)                                                                                           \
	.section = LAB_SECTION_VARIANT, .offset = (kind), .take = (take_), .write = write_setting, .repeats = true
#define SCRIPT(field)                                                                                                  \
	OF_VARIANT(field), .take = take_lines, .write = write_lines, .repeats = true, .script = true,                  \
			   .form = "a line for sh"

const struct lab_key lab_keys[] = {
	{.name = "summary", IN(LAB, summary), TEXT, .form = "a few words"},
	{.name = "topology", IN(LAB, topology), WORD(lab_topology_names)},
	{.name = "link", IN(LAB, link), REAL(1, 1e13), .form = "bit/s of the link, such as 1G"},

	{.name = "kind", IN(LOAD, load.kind), WORD(lab_kind_names)},
	{.name = "way", IN(LOAD, load.way), WORD(lab_way_names)},
	{.name = "frame",
	 IN(LOAD, load.frame),
	 .take = take_frame,
	 .write = write_frame,
	 .min = 64,
	 .max = 1518,
	 .form = "bytes from 64 to 1518, or imix"},
	{.name = "flows", IN(LOAD, load.flows), NUMBER(1, LAB_FLOWS_MAX), .form = "a number from 1 to 2M"},
	{.name = "destinations", IN(LOAD, load.destinations), NUMBER(1, 250), .form = "a number from 1 to 250"},
	{.name = "packets", IN(LOAD, load.packets), NUMBER(1000, 1e9), .form = "a number from 1k to 1G"},
	{.name = "rate", IN(LOAD, load.rate), REAL(10, 1e9), .form = "packets a second from 10 to 1G, such as 100k"},
	{.name = "loss", IN(LOAD, load.loss), REAL(0, 0.5), .form = "a part from 0 to 0.5, such as 0.001 or 0.1%"},
	{.name = "resolution",
	 IN(LOAD, load.resolution),
	 REAL(0.001, 0.5),
	 .form = "a part from 0.001 to 0.5, such as 0.02 or 2%"},
	{.name = "search", IN(LOAD, load.search_binary), WORD(searches)},
	{.name = "seconds", IN(LOAD, load.seconds), REAL(0.05, 3600), .form = "seconds from 0.05 to 3600"},
	{.name = "omit", IN(LOAD, load.omit), NUMBER(0, 60), .form = "seconds from 0 to 60"},
	{.name = "streams", IN(LOAD, load.streams), NUMBER(1, 128), .form = "a number from 1 to 128"},
	{.name = "hook-limit", IN(LOAD, load.hook_limit), REAL(0.1, 86400), .form = "seconds from 0.1 to 86400"},

	{.name = "near",
	 IN(WIRE, wire),
	 .take = take_interface,
	 .write = write_interface,
	 .form = "an interface, such as eth1 or NETNS/eth1"},
	{.name = "far",
	 IN(WIRE, wire),
	 .take = take_interface,
	 .write = write_interface,
	 .form = "an interface, such as eth2 or NETNS/eth2"},
	{.name = "near-hop",
	 IN(WIRE, wire.near_hop),
	 .take = take_mac,
	 .write = write_mac,
	 .form = "the MAC address of the router on that side, such as 02:00:00:00:00:01"},
	{.name = "far-hop",
	 IN(WIRE, wire.far_hop),
	 .take = take_mac,
	 .write = write_mac,
	 .form = "the MAC address of the router on that side, such as 02:00:00:00:00:02"},
	{.name = "hosts",
	 IN(WIRE, wire.hosts),
	 .take = take_address,
	 .write = write_address,
	 .form = "the first IPv4 address of the near side, such as 192.168.1.10"},
	{.name = "remotes",
	 IN(WIRE, wire.remotes),
	 .take = take_address,
	 .write = write_address,
	 .form = "the first IPv4 address of the far side, such as 198.51.100.1"},
	{.name = "outside",
	 IN(WIRE, wire.outside),
	 .take = take_address,
	 .write = write_address,
	 .form = "the IPv4 address that packets come out with, such as 203.0.113.2"},

	{.name = "router", OF_VARIANT(router), WORD(lab_router_names)},
	{.name = "ruleset", OF_VARIANT(ruleset), TEXT, .form = "a file for nft -f"},
	{.name = "work", OF_VARIANT(work), NUMBER(0, 100000), .form = "a number from 0 to 100k"},
	{.name = "build", OF_VARIANT(build), TEXT, .form = "a build directory of Portico"},
	{.name = "nat",
	 OF_VARIANT(nat),
	 .take = take_nat,
	 .write = write_nat,
	 .repeats = true,
	 .form = "a line of portico.conf's [nat], such as mapping=shared"},
	{.name = "sysctl", SETTING(LAB_SYSCTL, take_sysctl), .form = "NAME=VALUE, such as net.core.netdev_budget=600"},
	{.name = "ethtool", SETTING(LAB_ETHTOOL, take_ethtool), .form = "arguments of ethtool, such as -K lan gro off"},
	{.name = "rps", SETTING(LAB_RPS, take_queues), .form = "INTERFACE MASK, such as lan 2"},
	{.name = "xps", SETTING(LAB_XPS, take_queues), .form = "INTERFACE MASK, such as wan 1"},
	{.name = "run", SETTING(LAB_RUN, take_run), .script = true, .form = "a command line"},
	{.name = "setup", SCRIPT(setup)},
	{.name = "measure", SCRIPT(measure)},
	{.name = "teardown", SCRIPT(teardown)},
	{.name = NULL},
};

const struct lab_key *lab_key_find(enum lab_section section, const char *name)
{
	for (const struct lab_key *key = lab_keys; key->name; key++)
		if (key->section == section && !strcmp(key->name, name))
			return key;
	return NULL;
}

/* "a, b, c": words that are not empty. */
static const char *words_list(char text[LAB_TEXT], const char *const *words)
{
	size_t at = 0;

	*text = '\0';
	for (; *words; words++)
		if (**words)
			at += (size_t)snprintf(text + at, LAB_TEXT - at, "%s%s", at ? ", " : "", *words);
	return text;
}

const char *lab_key_list(char text[LAB_TEXT], enum lab_section section)
{
	const char *names[64];
	u32 count = 0;

	for (const struct lab_key *key = lab_keys; key->name; key++)
		if (key->section == section)
			names[count++] = key->name;
	names[count] = NULL;
	return words_list(text, names);
}

int lab_key_set(const struct lab_key *key, void *base, const char *value, int line, struct err *err)
{
	int rc = strlen(value) > LAB_VALUE ? -E2BIG : key->take(key, base, value, line);
	char words[LAB_TEXT];

	if (!rc)
		return 0;
	if (rc == -E2BIG)
		return err_set(err, -EINVAL, "too much for %s: a value has at most %d characters%s", key->name,
			       LAB_VALUE, key->repeats ? ", and there is no room for more of them" : "");
	return err_set(err, -EINVAL, "bad %s '%s': give %s%s", key->name, value, key->words ? "one of " : "",
		       key->words ? words_list(words, key->words) : key->form);
}
