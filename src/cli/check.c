/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - portico check: reads a configuration file and says what it means here; lists all keys */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check_mape.h"
#include "cli.h"
#include "conf/keys.h"
#include "dp/portset.h"
#include "lib/addr.h"
#include "lib/links.h"

struct check {
	bool json;
	bool keys;
};

static const char *const modes[] = {
	[CONF_MODE_AUTO] = "auto",
	[CONF_MODE_NATIVE] = "native",
	[CONF_MODE_GENERIC] = "generic",
};

static const char *const kinds[] = {
	[MODE_NAT44] = "nat44",
	[MODE_CE] = "customer-edge",
	[MODE_BR] = "border-relay",
};

/* Text at `width` columns, indented, broken at blanks. */
static void wrapped(const char *text, const char *indent, size_t width)
{
	while (*text) {
		size_t n = strlen(text);

		if (n > width) {
			n = width;
			while (n > 1 && text[n] != ' ')
				n--;
		}
		printf("%s%.*s\n", indent, (int)n, text);
		text += n;
		text += strspn(text, " ");
	}
}

static void keys_print(void)
{
	unsigned int sections = 0; /* of the heading */

	for (unsigned int i = 0; i < KEY_COUNT; i++) {
		const struct conf_key *key = &conf_keys[i];

		if (!(key->sections & sections)) {
			printf("%s%s\n", i ? "\n" : "", conf_section_names(key->sections));
			sections = key->sections;
		}
		printf("  %s = %s\n", key->name, key->form);
		if (!key->initial)
			printf("      must be given\n");
		else if (*key->initial)
			printf("      default: %s\n", key->initial);
		if (key->sections != sections)
			printf("      in %s only\n", conf_section_names(key->sections));
		wrapped(key->text, "      ", 90);
	}
}

static json_t *keys_json(void)
{
	json_t *keys = json_array();

	for (unsigned int i = 0; i < KEY_COUNT; i++) {
		const struct conf_key *key = &conf_keys[i];

		json_array_append_new(keys,
				      json_pack("{s:s, s:s, s:s, s:s?, s:b, s:s}", "sections",
						conf_section_names(key->sections), "key", key->name, "form", key->form,
						"default", key->initial, "repeats", key->repeats, "text", key->text));
	}
	return keys;
}

/* What a port of the file is on this system; `here` is all zero where the interface does not exist. */
struct here {
	const struct link *interface, *carrier;
	u16 vid;
	be32 address;
	u8 prefix;
};

static struct here port_here(const struct conf_port *port, const struct links *links)
{
	struct here h = {.interface = links_by_name(links, port->interface), .vid = port->vid};

	h.carrier = h.interface;
	if (port->port[0]) {
		h.carrier = links_by_name(links, port->port);
	} else if (h.interface && h.interface->parent) {
		h.carrier = links_by_index(links, h.interface->parent);
		h.vid = h.interface->vid;
	}
	h.address = port->address;
	h.prefix = port->prefix;
	if (!h.address && h.interface && h.interface->naddresses) {
		h.address = h.interface->addresses[0].address;
		h.prefix = h.interface->addresses[0].prefix;
	}
	return h;
}

static bool has_address(const struct link *link, be32 address)
{
	for (unsigned int i = 0; i < link->naddresses; i++)
		if (link->addresses[i].address == address)
			return true;
	return false;
}

/* Prints what keeps this port from working on this system. Whether there was something. */
static bool port_missing(const struct conf *c, const struct conf_port *port, const struct here *h)
{
	char text[ADDR_TEXT];

	if (!h->interface)
		command_fail(0,
			     "%s:%d: interface %s does not exist: make it, or give one of those that 'ip link' lists",
			     c->path, port->line, port->interface);
	else if (!h->carrier)
		command_fail(0, "%s:%d: port %s does not exist: make it, or give one of those that 'ip link' lists",
			     c->path, port->port_line, port->port);
	else if (!h->interface->ethernet || !h->carrier->ethernet)
		command_fail(0, "%s:%d: %s is no Ethernet interface: give one that is", c->path, port->line,
			     port->interface);
	else if (port->address && !has_address(h->interface, port->address))
		command_fail(0, "%s:%d: interface %s does not have the address %s: add it with 'ip address add'",
			     c->path, port->line, port->interface, addr_print(text, port->address));
	else if (port->mtu && port->mtu < h->interface->mtu)
		command_fail(0, "%s:%d: [%s] mtu = %u is below the MTU of '%s' (%u): ip link set dev %s mtu %u",
			     c->path, port->mtu_line, port->name, port->mtu, port->interface, h->interface->mtu,
			     port->interface, port->mtu);
	else if (port->role == ROLE_WAN && !h->address && c->kind == MODE_NAT44)
		command_fail(0, "%s:%d: interface %s has no IPv4 address yet: nothing is translated until it has",
			     c->path, port->line, port->interface);
	else
		return false;
	return true;
}

static void port_print(const struct conf_port *port, const struct here *h)
{
	char text[ADDR_TEXT], address[ADDR_TEXT + 4] = "-";
	const char *carrier = port->port[0] ? port->port : h->carrier ? h->carrier->name : port->interface;

	if (h->address)
		snprintf(address, sizeof(address), "%s/%u", addr_print(text, h->address), (unsigned int)h->prefix);
	printf("  %-14s %-15s %-18s", port->name, port->interface, address);
	if (port->mtu || h->interface)
		printf(" mtu %u", h->interface ? h->interface->mtu : port->mtu);
	else
		printf(" does not exist");
	if (h->vid)
		printf(", vlan %u on %s", h->vid, carrier);
	else if (strcmp(carrier, port->interface))
		printf(", frames on %s", carrier);
	puts("");
}

static unsigned int reserved_count(const struct conf *c)
{
	struct dp_config dp;
	unsigned int n = 0;

	conf_dp(c, &dp);
	for (u32 i = 0; i < dp.ports.count; i++) {
		u16 port = portset_port(&dp.ports, i);

		n += c->reserved[port >> 6] >> (port & 63) & 1;
	}
	return n;
}

static void nat_print(const struct conf *c)
{
	if (c->kind == MODE_NAT44)
		printf("  ports          %u-%u, %u of them reserved, %u tried for a new flow\n", c->port_lo, c->port_hi,
		       reserved_count(c), (unsigned int)c->probes);
	check_policy_print(c);
	printf("  flows          %u\n", c->flows);
	printf("  timers         tcp %u s established, %u s transitory; udp %u s%s; icmp %u s\n",
	       c->timers.tcp_established, c->timers.tcp_transitory, c->timers.udp,
	       c->timers.udp_inbound_refresh ? " (inbound refreshes)" : "", c->timers.icmp);
}

static void conf_print(const struct conf *c, const struct here here[])
{
	printf("%s: no error in the file\n", c->path);
	printf("  gateway        %s\n", c->name);
	for (unsigned int i = 0; i < c->nports; i++)
		port_print(&c->ports[i], &here[i]);
	check_mape_print(c, reserved_count(c));
	if (c->kind != MODE_BR)
		nat_print(c);
	printf("  mode           %s\n", modes[c->mode]);
	printf("  untranslated   %s\n", c->untranslated == DP_UNTRANSLATED_DROP ? "drop" : "left to Linux");
}

static json_t *port_json(const struct conf_port *port, const struct here *h)
{
	char address[ADDR_TEXT];

	return json_pack("{s:s, s:s, s:b, s:s, s:s, s:i, s:o, s:i, s:i}", "name", port->name, "interface",
			 port->interface, "exists", h->interface && h->carrier, "port",
			 port->port[0] ? port->port
			 : h->carrier  ? h->carrier->name
				       : port->interface,
			 "role", port->role == ROLE_LAN ? "lan" : "wan", "vlan", (int)h->vid, "address",
			 h->address ? json_string(addr_print(address, h->address)) : json_null(), "prefix",
			 (int)h->prefix, "mtu",
			 (int)(h->interface ? h->interface->mtu
			       : port->mtu  ? port->mtu
					    : 0));
}

static json_t *conf_json(const struct conf *c, const struct here here[])
{
	json_t *ports = json_array(), *warnings = json_array();
	char range[16];

	for (unsigned int i = 0; i < c->nports; i++)
		json_array_append_new(ports, port_json(&c->ports[i], &here[i]));
	for (unsigned int i = 0; i < c->nwarnings; i++)
		json_array_append_new(warnings, json_string(c->warnings[i].text));
	snprintf(range, sizeof(range), "%u-%u", c->port_lo, c->port_hi);
	return json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:o, s:o, s:i, s:i, s:{s:i, s:i, s:i, s:i, s:b}, s:o, s:o, "
			 "s:o}",
			 "path", c->path, "name", c->name, "kind", kinds[c->kind], "flows", (int)c->flows, "mode",
			 modes[c->mode], "untranslated", c->untranslated == DP_UNTRANSLATED_DROP ? "drop" : "kernel",
			 "interfaces", ports, "ports", c->kind == MODE_NAT44 ? json_string(range) : json_null(),
			 "reserved", (int)reserved_count(c), "probes", (int)c->probes, "timers", "tcp_established",
			 (int)c->timers.tcp_established, "tcp_transitory", (int)c->timers.tcp_transitory, "udp",
			 (int)c->timers.udp, "icmp", (int)c->timers.icmp, "udp_inbound_refresh",
			 (int)c->timers.udp_inbound_refresh, "policy", check_policy_json(c), "map_e",
			 check_mape_json(c), "warnings", warnings);
}

/* What the file means on this system. */
static int conf_show(const struct conf *c, const struct links *links, bool json)
{
	struct here here[DP_PORTS_MAX] = {0};
	int status = COMMAND_DONE;

	for (unsigned int i = 0; i < c->nports; i++)
		here[i] = port_here(&c->ports[i], links);
	if (json)
		status = command_json(conf_json(c, here));
	else
		conf_print(c, here);
	for (unsigned int i = 0; i < c->nwarnings; i++)
		command_fail(0, "%s", c->warnings[i].text);
	for (unsigned int i = 0; i < c->nports; i++)
		if (port_missing(c, &c->ports[i], &here[i]))
			status = COMMAND_FAILED;
	return status;
}

static int run(const void *options, char **operands)
{
	const struct check *o = options;
	struct links links;
	struct conf conf;
	struct err err;
	struct nl nl;
	int rc, missing;

	if (o->keys && o->json)
		return command_json(keys_json());
	if (o->keys) {
		keys_print();
		return COMMAND_DONE;
	}
	if (!operands[0])
		return command_fail(COMMAND_USAGE, "check: CONF is missing; see 'portico check --help'");
	if (conf_read(&conf, operands[0], &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	rc = nl_open(&nl, 0);
	if (rc)
		return command_fail(COMMAND_FAILED, "asking for the interfaces: %s", strerror(-rc));
	rc = links_init(&links, &nl);
	nl_close(&nl);
	if (rc)
		return command_fail(COMMAND_FAILED, "asking for the interfaces: %s", strerror(-rc));
	missing = check_mape_follow(&conf);
	rc = conf_show(&conf, &links, o->json);
	links_exit(&links);
	return rc ? rc : missing;
}

static const struct opt options[] = {
	{'k', "keys", NULL, opt_flag, offsetof(struct check, keys), "list every key of the file, with its default", 0,
	 0},
	{0, "json", NULL, opt_flag, offsetof(struct check, json), "print JSON", 0, 0},
	{0},
};

const struct command command_check = {
	.name = "check",
	.operands = "CONF",
	.min = 0,
	.max = 1,
	.summary = "check a configuration file, and say what it means here",
	.text = "Reads CONF as the daemon would, prints what it means on this system, and says what is wrong or "
		"missing:\n"
		"FILE:LINE: what, and what to do. Changes nothing. With --keys, CONF is not needed.",
	.example = "  portico check home.conf\n"
		   "  portico check --keys",
	.options = options,
	.run = run,
};
