/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flows.c - portico flows: the flow table, read from the kernel piece by piece, so that its size does not matter */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "flow_print.h"
#include "kernel/kernel.h"
#include "lib/addr.h"
#include "lib/clock.h"

#define PIECE 4096 /* halves */

struct prefix {
	bool given;
	be32 addr;
	u8 length;
};

/* A port, and whether it was asked for: 0 can be. */
struct number {
	bool given;
	be16 value;
};

struct flows {
	const char *name;
	bool json;
	bool count;
	u8 proto; /* 0: any */
	struct prefix source, destination;
	struct number sport, dport, nat_port;
	const char *state;
};

_Static_assert(sizeof(struct flows) <= COMMAND_OPTIONS_SIZE, "options of flows");

static int opt_proto(const struct opt *o, void *field, const char *value, struct err *err)
{
	static const u8 protos[] = {IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP};
	char text[8];

	for (size_t i = 0; i < sizeof(protos); i++) {
		if (!strcmp(value, flow_proto_name(text, protos[i]))) {
			*(u8 *)field = protos[i];
			return 0;
		}
	}
	return err_set(err, -EINVAL, "bad --%s '%s': give tcp, udp or icmp", o->name, value);
}

static int opt_prefix(const struct opt *o, void *field, const char *value, struct err *err)
{
	struct prefix *p = field;

	*p = (struct prefix){.given = true, .length = 32};
	if (addr_parse(value, &p->addr) && addr_parse_prefix(value, &p->addr, &p->length))
		return err_set(err, -EINVAL, "bad --%s '%s': give an address or a prefix, such as 192.168.1.0/24",
			       o->name, value);
	return 0;
}

static int opt_port(const struct opt *o, void *field, const char *value, struct err *err)
{
	unsigned int port;
	int rc = opt_number(o, &port, value, err);

	if (!rc)
		*(struct number *)field = (struct number){.given = true, .value = port_net((u16)port)};
	return rc;
}

static int opt_state(const struct opt *o, void *field, const char *value, struct err *err)
{
	static const u8 protos[] = {IPPROTO_TCP, IPPROTO_UDP};

	for (size_t p = 0; p < sizeof(protos); p++)
		for (int s = 0; s < FLOW_STATE_COUNT; s++)
			if (*value && !strcmp(value, flow_state_name(protos[p], (enum flow_state)s))) {
				*(const char **)field = value;
				return 0;
			}
	return err_set(err, -EINVAL, "bad --%s '%s': give opening, established, closing, reset, unreplied or replied",
		       o->name, value);
}

static bool port_meant(const struct number *want, be16 port)
{
	return !want->given || want->value == port;
}

static bool addr_meant(const struct prefix *want, be32 addr)
{
	return !want->given || addr_in(addr, want->addr, want->length);
}

/* What can be said before the other half is fetched. */
static bool meant(const struct flows *o, const struct flow_key *key, const struct flow_half *out)
{
	return (!o->proto || o->proto == key->proto) && addr_meant(&o->source, key->saddr) &&
	       addr_meant(&o->destination, key->daddr) && port_meant(&o->sport, key->sport) &&
	       port_meant(&o->dport, key->dport) && port_meant(&o->nat_port, out->port);
}

static u32 seconds_left(const struct flow *f, const struct dp_timers *timers, u32 now)
{
	u32 idle = now - flow_last(timers, f->key.proto, &f->out, &f->in);
	u32 timeout = flow_timeout(timers, f->key.proto, f->state);
	u64 seconds = (int)idle < 0 ? 0 : ((u64)idle << TICK_SHIFT) / 1000000000u;

	return seconds < timeout ? timeout - (u32)seconds : 0;
}

struct listing {
	const struct flows *options;
	struct kernel *kernel;
	struct dp_timers timers;
	unsigned long printed; /* or counted */
};

/* One half of the table. 0, or -1 where nothing more can be written. */
static int list_half(struct listing *l, const struct flow_key *key, const struct flow_half *half)
{
	const struct flows *o = l->options;
	struct flow f = {.key = *key, .out = *half};
	struct flow_key other = flow_other(key, half);
	int rc = 0;

	if (key->dir != FLOW_OUT || !meant(o, key, half)) /* every flow has one out half */
		return 0;
	if (o->count && !o->state) {
		l->printed++;
		return 0;
	}
	if (kernel_flow_get(l->kernel, &other, &f.in)) /* the flow ends in this moment */
		return 0;
	f.state = flow_state(key->proto, &f.out, &f.in);
	if (o->state && strcmp(o->state, flow_state_name(key->proto, f.state)))
		return 0;
	f.left = seconds_left(&f, &l->timers, (u32)(clock_ns() >> TICK_SHIFT));
	if (o->json && !o->count)
		rc = flow_print_json(&f, !l->printed);
	else if (!o->count)
		flow_print(&f);
	l->printed++;
	return rc || ferror(stdout) ? -1 : 0;
}

static int list_all(struct listing *l)
{
	static struct flow_key keys[PIECE];
	static struct flow_half halves[PIECE];
	struct kernel_walk walk = {0};
	int n;

	while ((n = kernel_flows(l->kernel, &walk, keys, halves, PIECE)) > 0)
		for (int i = 0; i < n; i++)
			if (list_half(l, &keys[i], &halves[i]))
				return -EIO;
	return n;
}

static int list(struct listing *l, const char *name)
{
	const struct flows *o = l->options;
	int rc = list_all(l);

	if (o->count && o->json)
		printf("{\"flows\": %lu}\n", l->printed);
	else if (o->count)
		printf("%lu\n", l->printed);
	else if (o->json)
		puts(l->printed ? "\n]" : "[]");
	return rc ? command_fail(COMMAND_FAILED, "%s: reading the flow table: %s", name, strerror(-rc)) : COMMAND_DONE;
}

static int run(const void *options, char **operands)
{
	struct listing l = {.options = options};
	char name[CONF_NAME_MAX];
	int rc;

	(void)operands;
	l.kernel = instance_peek(l.options->name, name);
	if (!l.kernel)
		return COMMAND_FAILED;
	if (!l.options->count)
		l.timers = instance_timers(name);
	rc = list(&l, name);
	kernel_close(l.kernel);
	return rc;
}

static const struct opt options[] = {
	{'n', "name", "NAME", opt_text, offsetof(struct flows, name), "the gateway; default: the only one", 0, 0},
	{'p', "proto", "PROTO", opt_proto, offsetof(struct flows, proto), "tcp, udp or icmp", 0, 0},
	{'s', "src", "ADDR[/LEN]", opt_prefix, offsetof(struct flows, source), "the LAN host", 0, 0},
	{'d', "dst", "ADDR[/LEN]", opt_prefix, offsetof(struct flows, destination), "whom it talks to", 0, 0},
	{0, "sport", "PORT", opt_port, offsetof(struct flows, sport), "port or echo identifier of the LAN host", 0,
	 65535},
	{0, "dport", "PORT", opt_port, offsetof(struct flows, dport), "port it talks to", 0, 65535},
	{0, "nat-port", "PORT", opt_port, offsetof(struct flows, nat_port), "port or identifier on the WAN address", 0,
	 65535},
	{0, "state", "STATE", opt_state, offsetof(struct flows, state),
	 "opening, established, closing, reset; unreplied, replied", 0, 0},
	{0, "count", NULL, opt_flag, offsetof(struct flows, count), "print only how many there are", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct flows, json), "print JSON", 0, 0},
	{0},
};

const struct command command_flows = {
	.name = "flows",
	.operands = "",
	.summary = "list flows, like conntrack -L",
	.text = "Lists the flows of a gateway, one a line: protocol, seconds until the flow ends if nothing more "
		"comes,\n"
		"state, then what its packets carry from the LAN and what the replies carry from the WAN, with "
		"packets\n"
		"and bytes of each. Options choose flows; all must hold.",
	.example = "  portico flows -p tcp -s 192.168.1.0/24 --dport 443 --state established\n"
		   "  portico flows --json | jq '.[] | select(.reply.packets == 0)'",
	.options = options,
	.run = run,
};
