/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow_print.c - a flow as a line of text or as JSON */
#include "flow_print.h"

#include <jansson.h>
#include <netinet/in.h>
#include <stdio.h>

#include "lib/addr.h"

const char *flow_proto_name(char text[8], u8 proto)
{
	switch (proto) {
	case IPPROTO_TCP:
		return "tcp";
	case IPPROTO_UDP:
		return "udp";
	case IPPROTO_ICMP:
		return "icmp";
	default:
		snprintf(text, 8, "%u", (unsigned int)proto);
		return text;
	}
}

/* One direction: what its packets carry on arrival, and how many there were. */
static void tuple_print(const struct flow_key *key, const struct flow_half *half)
{
	char saddr[ADDR_TEXT], daddr[ADDR_TEXT];

	printf(" src=%s dst=%s", addr_print(saddr, key->saddr), addr_print(daddr, key->daddr));
	if (key->proto == IPPROTO_ICMP) /* the identifier is the port of the inside end */
		printf(" id=%u", port_host(key->dir == FLOW_OUT ? key->sport : key->dport));
	else
		printf(" sport=%u dport=%u", port_host(key->sport), port_host(key->dport));
	printf(" packets=%u bytes=%llu", half->packets, half->bytes);
}

void flow_print(const struct flow *f)
{
	struct flow_key reply = flow_other(&f->key, &f->out);
	char proto[8];

	printf("%-4s %5u %-11s", flow_proto_name(proto, f->key.proto), f->left,
	       flow_state_name(f->key.proto, f->state));
	tuple_print(&f->key, &f->out);
	tuple_print(&reply, &f->in);
	putchar('\n');
}

static json_t *tuple_json(const struct flow_key *key, const struct flow_half *half)
{
	char saddr[ADDR_TEXT], daddr[ADDR_TEXT];
	json_t *tuple =
		json_pack("{s:s, s:s}", "src", addr_print(saddr, key->saddr), "dst", addr_print(daddr, key->daddr));

	if (key->proto == IPPROTO_ICMP) {
		json_object_set_new(tuple, "id",
				    json_integer(port_host(key->dir == FLOW_OUT ? key->sport : key->dport)));
	} else {
		json_object_set_new(tuple, "sport", json_integer(port_host(key->sport)));
		json_object_set_new(tuple, "dport", json_integer(port_host(key->dport)));
	}
	json_object_set_new(tuple, "packets", json_integer(half->packets));
	json_object_set_new(tuple, "bytes", json_integer((json_int_t)half->bytes));
	return tuple;
}

int flow_print_json(const struct flow *f, bool first)
{
	struct flow_key reply = flow_other(&f->key, &f->out);
	char proto[8];
	json_t *flow = json_pack("{s:s, s:s, s:i, s:o, s:o}", "proto", flow_proto_name(proto, f->key.proto), "state",
				 flow_state_name(f->key.proto, f->state), "seconds_left", (int)f->left, "original",
				 tuple_json(&f->key, &f->out), "reply", tuple_json(&reply, &f->in));
	int rc;

	fputs(first ? "[\n" : ",\n", stdout);
	rc = flow ? json_dumpf(flow, stdout, JSON_COMPACT) : -1;
	json_decref(flow);
	return rc;
}
