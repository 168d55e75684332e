/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ports.c - portico ports: how the port set is used, from the flow table in the kernel */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "dp/portset.h"
#include "kernel/kernel.h"
#include "lib/addr.h"
#include "ports_print.h"

#define PIECE 1024

struct ports {
	const char *name;
	bool all;
	bool json;
};

_Static_assert(sizeof(struct ports) <= COMMAND_OPTIONS_SIZE, "room for options");

static const struct {
	u8 number;
	const char *name;
} protocols[PORTS_PROTOCOLS] = {
	{IPPROTO_TCP, "tcp"},	      {IPPROTO_UDP, "udp"},   {IPPROTO_ICMP, "icmp"},
	{IPPROTO_UDPLITE, "udplite"}, {IPPROTO_SCTP, "sctp"}, {IPPROTO_DCCP, "dccp"},
};

/* Which host has a flow at which port: what a host holds is counted when all are known, each once. */
struct held {
	be32 host;
	be16 port;
	u8 proto;
	u8 pad;
};

struct held_list {
	struct held *at;
	size_t count, room;
};

static int held_add(struct held_list *list, struct held held)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 1024;
		struct held *more = realloc(list->at, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		list->at = more;
		list->room = room;
	}
	list->at[list->count++] = held;
	return 0;
}

static int held_compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct held));
}

static struct ports_host *host_of(struct ports_count *c, be32 host)
{
	u32 i;

	for (i = 0; i < c->nhosts; i++)
		if (c->hosts[i].host == host)
			return &c->hosts[i];
	if (i == PORTS_HOSTS_MAX)
		return &c->hosts[i - 1];
	c->hosts[c->nhosts++] = (struct ports_host){.host = host};
	return &c->hosts[i];
}

/* A flow, by its out half. */
static void count(struct ports_count *c, const struct flow_key *key, const struct flow_half *half)
{
	u32 index = portset_index(c->set, port_host(half->port)), i;
	struct ports_protocol *p;
	struct ports_use *use;

	for (i = 0; i < PORTS_PROTOCOLS && c->protocol[i].number != key->proto; i++)
		;
	host_of(c, key->saddr)->flows++;
	if (i == PORTS_PROTOCOLS || index >= c->set->count)
		return;
	p = &c->protocol[i];
	use = &p->use[index];
	p->flows++;
	if (!use->flows++) {
		p->used++;
		use->host = key->saddr;
		use->port = key->sport;
	} else if ((use->host != key->saddr || use->port != key->sport) && !use->shared) {
		use->shared = true;
		p->shared++;
	}
}

static void held_count(struct ports_count *c, struct held_list *list)
{
	if (list->count)
		qsort(list->at, list->count, sizeof(*list->at), held_compare);
	for (size_t i = 0; i < list->count; i++)
		if (!i || held_compare(&list->at[i - 1], &list->at[i]))
			host_of(c, list->at[i].host)->ports++;
}

static int flows_count(struct kernel *k, struct ports_count *c)
{
	static struct flow_key keys[PIECE];
	static struct flow_half halves[PIECE];
	struct kernel_walk walk = {0};
	struct held_list list = {0};
	int n, rc = 0;

	while (!rc && (n = kernel_flows(k, &walk, keys, halves, PIECE)) > 0)
		for (int i = 0; i < n && !rc; i++) {
			if (keys[i].dir != FLOW_OUT)
				continue;
			count(c, &keys[i], &halves[i]);
			rc = held_add(&list, (struct held){keys[i].saddr, halves[i].port, keys[i].proto, 0});
		}
	if (!rc)
		held_count(c, &list);
	free(list.at);
	return rc ? rc : n;
}

static u32 reserved_count(struct kernel *k, const struct dp_portset *set)
{
	u64 words[DP_RESERVED_WORDS];
	u32 n = 0;

	if (kernel_reserved_get(k, words))
		return 0;
	for (u32 i = 0; i < set->count; i++) {
		u16 port = portset_port(set, i);

		n += words[port >> 6] >> (port & 63) & 1;
	}
	return n;
}

static int ports_read(struct kernel *k, struct ports_count *c, const struct dp_config *config)
{
	struct dp_counter counters[REASON_COUNT];
	int rc;

	c->address = config->wan_addr;
	c->set = &config->ports;
	c->share = config->share;
	c->reserved = reserved_count(k, c->set);
	for (u32 i = 0; i < PORTS_PROTOCOLS; i++) {
		c->protocol[i].number = protocols[i].number;
		c->protocol[i].name = protocols[i].name;
		c->protocol[i].use = calloc(c->set->count + 1, sizeof(*c->protocol[i].use));
		if (!c->protocol[i].use)
			return -ENOMEM;
	}
	rc = kernel_counters(k, counters);
	if (rc)
		return rc;
	c->refused = counters[REASON_DROP_NO_PORT].packets + counters[REASON_DROP_SHARE].packets;
	return flows_count(k, c);
}

static int show(struct kernel *k, const struct ports *o, const char *name)
{
	static struct ports_count c;
	struct dp_config config;
	int rc = kernel_config_get(k, &config);

	if (!rc && config.mode == MODE_BR)
		return command_fail(COMMAND_FAILED, "%s: a border relay has no ports of its own", name);
	c.name = name;
	if (!rc)
		rc = ports_read(k, &c, &config);
	if (rc)
		rc = command_fail(COMMAND_FAILED, "%s: reading the packet path: %s", name, strerror(-rc));
	else if (o->json)
		rc = command_json(ports_json(&c, o->all));
	else
		ports_print(&c, o->all);
	for (u32 i = 0; i < PORTS_PROTOCOLS; i++)
		free(c.protocol[i].use);
	return rc;
}

static int run(const void *options, char **operands)
{
	const struct ports *o = options;
	char name[CONF_NAME_MAX];
	struct kernel *k = instance_peek(o->name, name);
	int rc;

	(void)operands;
	if (!k)
		return COMMAND_FAILED;
	rc = show(k, o, name);
	kernel_close(k);
	return rc;
}

static const struct opt options[] = {
	{'n', "name", "NAME", opt_text, offsetof(struct ports, name), "the gateway; default: the only one", 0, 0},
	{'a', "all", NULL, opt_flag, offsetof(struct ports, all), "every port that is used", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct ports, json), "print JSON", 0, 0},
	{0},
};

const struct command command_ports = {
	.name = "ports",
	.operands = "",
	.summary = "show how the ports are used, by protocol and inside host",
	.text = "Counts, from the flow table: ports that have flows (used), ports that flows of several inside "
		"sockets\n"
		"have (shared: their destinations differ), ports without flows (free), and flows that were refused\n"
		"since the gateway is up; and what each inside host holds. Works when the daemon has died.",
	.example = "  portico ports\n"
		   "  portico ports --all --json | jq .protocols.udp",
	.options = options,
	.run = run,
};
