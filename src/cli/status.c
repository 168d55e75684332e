/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.c - portico status: how a gateway stands, from its daemon or, where that has died, from the kernel */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "dp/portset.h"
#include "engine/flow.h"
#include "kernel/kernel.h"
#include "lib/addr.h"
#include "lib/links.h"

struct status {
	const char *name;
	bool json;
};

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && *text ? text : "-";
}

static long long number_of(json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

void status_line(json_t *status)
{
	json_t *interface;
	size_t i;

	printf("%s: up, ", text_of(status, "name"));
	json_array_foreach(json_object_get(status, "interfaces"), i, interface)
		printf("%s %s (%s), ", text_of(interface, "name"), text_of(interface, "interface"),
		       text_of(interface, "xdp"));
	if (!strcmp(text_of(status, "kind"), "border-relay"))
		printf("border relay\n");
	else
		printf("%s, ports %s\n", text_of(status, "wan_address"), text_of(status, "ports"));
	if (json_string_length(json_object_get(status, "problem")))
		fprintf(stderr, "portico: %s: %s\n", text_of(status, "name"), text_of(status, "problem"));
}

/* "2d 3h", "4m 5s": the two largest units. */
static char *duration(char text[32], long long s)
{
	if (s >= 86400)
		snprintf(text, 32, "%lldd %lldh", s / 86400, s % 86400 / 3600);
	else if (s >= 3600)
		snprintf(text, 32, "%lldh %lldm", s / 3600, s % 3600 / 60);
	else if (s >= 60)
		snprintf(text, 32, "%lldm %llds", s / 60, s % 60);
	else
		snprintf(text, 32, "%llds", s);
	return text;
}

static void interface_print(json_t *interface)
{
	const char *name = text_of(interface, "interface"), *port = text_of(interface, "port");
	long long vlan = number_of(interface, "vlan");
	char place[64] = "", address[32] = "-";

	if (vlan)
		snprintf(place, sizeof(place), ", vlan %lld on %s", vlan, port);
	else if (strcmp(port, name))
		snprintf(place, sizeof(place), ", frames on %s", port);
	if (json_is_string(json_object_get(interface, "address")))
		snprintf(address, sizeof(address), "%.15s/%lld", text_of(interface, "address"),
			 number_of(interface, "prefix"));
	printf("  %-12s %-15s %-18s %-8s mtu %lld%s\n", text_of(interface, "name"), name, address,
	       text_of(interface, "xdp"), number_of(interface, "mtu"), place);
}

static void daemon_print(json_t *status)
{
	json_t *slow = json_object_get(status, "slow");
	char text[32];

	if (!json_is_true(json_object_get(status, "running"))) {
		printf("  daemon       not running (the packet path goes on; restart with: portico up CONF)\n");
		return;
	}
	printf("  daemon       pid %lld, up %s%s\n", number_of(status, "pid"),
	       duration(text, number_of(status, "uptime_s")),
	       json_is_true(json_object_get(status, "adopted")) ? ", adopted the running packet path" : "");
	printf("  neighbours   %lld\n", number_of(status, "neighbours"));
	printf("  slow path    %lld packets, %lld held, %lld sent, %lld dropped\n", number_of(slow, "received"),
	       number_of(slow, "held"), number_of(slow, "sent"), number_of(slow, "dropped"));
}

static const char *plural(long long n)
{
	return n == 1 ? "" : "s";
}

static void edge_print(json_t *tunnel, json_t *own)
{
	json_t *relays = json_object_get(tunnel, "border_relays"), *relay;
	long long rules = number_of(tunnel, "rules");
	size_t i;

	printf("  own traffic  through %s\n", text_of(tunnel, "device"));
	if (!json_is_object(own)) {
		printf("  tunnel       none yet\n");
		return;
	}
	printf("  tunnel       %s to ", text_of(tunnel, "local"));
	json_array_foreach(relays, i, relay)
		printf("%s%s", i ? ", " : "", json_string_value(relay));
	printf(", mtu %lld", number_of(tunnel, "mtu"));
	if (rules)
		printf(", %lld forwarding rule%s", rules, plural(rules));
	printf("\n  MAP-E        PSID %lld of %lld bits, offset %lld: %lld ports; from %s\n", number_of(own, "psid"),
	       number_of(own, "psid_len"), number_of(own, "offset"), number_of(own, "ports"), text_of(own, "from"));
}

static void relay_print(json_t *tunnel)
{
	json_t *domain;
	size_t i;

	json_array_foreach(json_object_get(tunnel, "domains"), i, domain)
		printf("  domain       %s: %s, %lld rule%s\n", text_of(domain, "name"), text_of(domain, "address"),
		       number_of(domain, "rules"), plural(number_of(domain, "rules")));
	printf("  tunnel       mtu %lld\n", number_of(tunnel, "mtu"));
}

static void tunnel_print(json_t *status)
{
	json_t *tunnel = json_object_get(status, "tunnel");

	if (!json_is_object(tunnel))
		return;
	if (!strcmp(text_of(status, "kind"), "border-relay"))
		relay_print(tunnel);
	else
		edge_print(tunnel, json_object_get(status, "map_e"));
}

static void status_print(json_t *status)
{
	json_t *flows = json_object_get(status, "flows"), *interface;
	size_t i;

	printf("%s: up%s\n", text_of(status, "name"),
	       json_string_length(json_object_get(status, "problem")) ? ", with a problem" : "");
	if (json_string_length(json_object_get(status, "problem")))
		printf("  problem      %s\n", text_of(status, "problem"));
	json_array_foreach(json_object_get(status, "interfaces"), i, interface)
		interface_print(interface);
	tunnel_print(status);
	if (strcmp(text_of(status, "kind"), "border-relay")) {
		printf("  translates   to %s, ports %s\n", text_of(status, "wan_address"), text_of(status, "ports"));
		printf("  flows        %lld of %lld\n", number_of(flows, "used"), number_of(flows, "max"));
	}
	printf("  memory       %.1f MiB in the kernel\n", (double)number_of(status, "memory") / (1 << 20));
	daemon_print(status);
}

/* What the kernel knows of a port: the packet path's configuration, and the interface itself. */
static json_t *port_json(struct kernel *k, const struct dp_port *port, const struct links *links)
{
	const struct link *carrier = links_by_index(links, port->ifindex);
	const struct link *interface = links_by_index(links, port->l3_ifindex);
	bool addressed = interface && interface->naddresses;
	const char *role = port->role == ROLE_LAN ? "lan" : port->role == ROLE_WAN ? "wan" : "self";
	char mac[MAC_TEXT], address[ADDR_TEXT];
	int mode = kernel_mode_of(k, port->ifindex);

	return json_pack(
		"{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:i, s:s, s:o, s:i}", "role", role, "name", role, "interface",
		interface ? interface->name : "", "port", carrier ? carrier->name : "", "vlan", port->vid, "ifindex",
		(int)port->ifindex, "mac", mac_print(mac, port->mac), "mtu", port->mtu, "xdp",
		mode < 0		 ? "none"
		: mode == KERNEL_GENERIC ? "generic"
					 : "native",
		"address", addressed ? json_string(addr_print(address, interface->addresses[0].address)) : json_null(),
		"prefix", addressed ? interface->addresses[0].prefix : 0);
}

static json_t *ports_json(struct kernel *k, const struct dp_config *c)
{
	json_t *ports = json_array();
	struct links links = {0};
	struct nl nl;

	if (!nl_open(&nl, 0)) {
		links_init(&links, &nl);
		nl_close(&nl);
	}
	for (u32 i = 0; i < c->nports && i < DP_PORTS_MAX; i++)
		json_array_append_new(ports, port_json(k, &c->port[i], &links));
	links_exit(&links);
	return ports;
}

#define PIECE 1024

static u32 flows_count(struct kernel *k)
{
	static struct flow_key keys[PIECE];
	static struct flow_half halves[PIECE];
	struct kernel_walk walk = {0};
	u32 count = 0;
	int n;

	while ((n = kernel_flows(k, &walk, keys, halves, PIECE)) > 0)
		for (int i = 0; i < n; i++)
			count += keys[i].dir == FLOW_OUT;
	return count;
}

static json_t *kernel_json(struct kernel *k, const char *name, const struct dp_config *c)
{
	char address[ADDR_TEXT], ports[32];

	if (c->mode == MODE_NAT44)
		snprintf(ports, sizeof(ports), "%u-%u", portset_port(&c->ports, 0),
			 portset_port(&c->ports, c->ports.count - 1));
	else
		snprintf(ports, sizeof(ports), "%u of its set", c->ports.count);
	return json_pack("{s:s, s:s, s:i, s:n, s:o, s:s, s:{s:i, s:i}, s:o, s:I}", "name", name, "kind",
			 c->mode == MODE_CE   ? "map-e"
			 : c->mode == MODE_BR ? "border-relay"
					      : "nat44",
			 "layout", (int)c->layout, "pid", "wan_address",
			 c->wan_addr ? json_string(addr_print(address, c->wan_addr)) : json_null(), "ports", ports,
			 "flows", "used", (int)flows_count(k), "max", (int)(kernel_flows_max(k) / flow_entries(c)),
			 "interfaces", ports_json(k, c), "memory", (json_int_t)kernel_memory(k));
}

/* The daemon's answer in the kernel's words. NULL with *err filled. */
static json_t *kernel_status(const char *name, struct err *err)
{
	struct kernel *k = kernel_peek(name, err);
	struct dp_config config;
	json_t *status;
	int rc;

	if (!k)
		return NULL;
	rc = kernel_config_get(k, &config);
	status = rc ? NULL : kernel_json(k, name, &config);
	kernel_close(k);
	if (!status)
		err_set(err, rc, "%s: reading the packet path: %s", name, strerror(rc ? -rc : ENOMEM));
	return status;
}

static int run(const void *options, char **operands)
{
	const struct status *o = options;
	char name[CONF_NAME_MAX];
	struct err err;
	json_t *status;
	bool running;
	int rc;

	(void)operands;
	rc = instance_pick(o->name, name, &err);
	if (rc)
		return command_fail(rc == -ENOENT ? COMMAND_NOT_RUNNING : COMMAND_FAILED, "%s", err.text);
	status = instance_ask(name, "status", &rc, &err);
	running = status != NULL;
	if (!status && rc == -ECONNREFUSED)
		status = kernel_status(name, &err);
	if (!status)
		return command_fail(rc == -ECONNREFUSED ? COMMAND_NOT_RUNNING : COMMAND_FAILED, "%s", err.text);
	json_object_set_new(status, "running", json_boolean(running));
	if (o->json) {
		rc = command_json(status);
	} else {
		status_print(status);
		json_decref(status);
		rc = COMMAND_DONE;
	}
	return rc ? rc : running ? COMMAND_DONE : COMMAND_NOT_RUNNING;
}

static const struct opt options[] = {
	{'n', "name", "NAME", opt_text, offsetof(struct status, name), "the gateway; default: the only one", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct status, json), "print JSON", 0, 0},
	{0},
};

const struct command command_status = {
	.name = "status",
	.operands = "",
	.summary = "show how a gateway stands",
	.text = "Shows interfaces with their mode (native XDP, or generic where the driver has none), the address "
		"that\n"
		"packets are translated to, flows, memory and the daemon. Exit status: 0 running, 3 not running.",
	.example = "  portico status --json | jq .flows.used",
	.options = options,
	.run = run,
};
