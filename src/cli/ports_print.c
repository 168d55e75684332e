/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ports_print.c - how the port set is used, for a person and as JSON */
#include "ports_print.h"

#include <stdio.h>

#include "dp/portset.h"
#include "lib/addr.h"

static u32 unused(const struct ports_count *c, const struct ports_protocol *p)
{
	return c->set->count - c->reserved - p->used;
}

/* "1232-1235", or "1232": the ports from index `at` on whose use is the same; returns the index behind them. */
static u32 run_print(const struct ports_count *c, const struct ports_protocol *p, u32 at)
{
	u16 first = portset_port(c->set, at), last = first;
	char host[ADDR_TEXT];
	u32 i = at + 1;

	while (i < c->set->count && !p->use[i].flows == !p->use[at].flows && !p->use[at].flows &&
	       portset_port(c->set, i) == last + 1)
		last = portset_port(c->set, i++);
	if (!p->use[at].flows)
		return i;
	printf("    %5u  %4u flow%s  %s%s\n", first, p->use[at].flows, p->use[at].flows == 1 ? " " : "s",
	       addr_print(host, p->use[at].host), p->use[at].shared ? " and others" : "");
	return i;
}

void ports_print(const struct ports_count *c, bool all)
{
	char text[ADDR_TEXT];

	printf("%s: %u ports of %s, %u reserved, %llu flows refused\n", c->name, c->set->count,
	       addr_print(text, c->address), c->reserved, c->refused);
	printf("  %-9s %8s %8s %8s %8s\n", "protocol", "flows", "used", "shared", "free");
	for (u32 i = 0; i < PORTS_PROTOCOLS; i++) {
		const struct ports_protocol *p = &c->protocol[i];

		if (!p->flows && i > 2)
			continue;
		printf("  %-9s %8u %8u %8u %8u\n", p->name, p->flows, p->used, p->shared, unused(c, p));
		for (u32 at = 0; all && at < c->set->count;)
			at = run_print(c, p, at);
	}
	if (c->nhosts)
		printf("  %-15s %8s %8s\n", "inside host", "flows", "ports");
	for (u32 i = 0; i < c->nhosts; i++)
		printf("  %-15s %8u %8u\n", addr_print(text, c->hosts[i].host), c->hosts[i].flows, c->hosts[i].ports);
}

static json_t *used_json(const struct ports_count *c, const struct ports_protocol *p)
{
	json_t *list = json_array();

	for (u32 i = 0; i < c->set->count; i++)
		if (p->use[i].flows)
			json_array_append_new(list,
					      json_pack("{s:i, s:i, s:b}", "port", portset_port(c->set, i), "flows",
							(int)p->use[i].flows, "shared", p->use[i].shared));
	return list;
}

json_t *ports_json(const struct ports_count *c, bool all)
{
	json_t *protocols = json_object(), *hosts = json_array();
	char text[ADDR_TEXT];

	for (u32 i = 0; i < PORTS_PROTOCOLS; i++) {
		const struct ports_protocol *p = &c->protocol[i];
		json_t *one = json_pack("{s:i, s:i, s:i, s:i}", "flows", (int)p->flows, "used", (int)p->used, "shared",
					(int)p->shared, "free", (int)unused(c, p));

		if (all)
			json_object_set_new(one, "ports", used_json(c, p));
		json_object_set_new(protocols, p->name, one);
	}
	for (u32 i = 0; i < c->nhosts; i++)
		json_array_append_new(hosts,
				      json_pack("{s:s, s:i, s:i}", "host", addr_print(text, c->hosts[i].host), "flows",
						(int)c->hosts[i].flows, "ports", (int)c->hosts[i].ports));
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:I, s:o, s:o}", "name", c->name, "address",
			 addr_print(text, c->address), "ports", (int)c->set->count, "reserved", (int)c->reserved,
			 "share", (int)c->share, "refused", (json_int_t)c->refused, "protocols", protocols, "hosts",
			 hosts);
}
