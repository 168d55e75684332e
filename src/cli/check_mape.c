/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check_mape.c - what a configuration file says about MAP-E and the policy of ports, for `portico check` */
#include "check_mape.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "lib/addr.h"
#include "map_e_print.h"

static const char *const mappings[] = {
	[MAPPING_ENDPOINT_DEPENDENT] = "endpoint-dependent",
	[MAPPING_SHARED] = "shared",
	[MAPPING_ENDPOINT_INDEPENDENT] = "endpoint-independent",
};

static const char *const filterings[] = {
	[FILTERING_ADDRESS_AND_PORT] = "address-and-port",
	[FILTERING_ADDRESS] = "address",
	[FILTERING_ENDPOINT_INDEPENDENT] = "endpoint-independent",
};

static const char *const ecns[] = {
	[TUNNEL_ECN_NORMAL] = "normal",
	[TUNNEL_ECN_COMPATIBILITY] = "compatibility",
};

static const char *refusal(u8 code)
{
	return code == 13 ? "admin-prohibited" : code ? "host-unreachable" : "silent";
}

int check_mape_follow(struct conf *c)
{
	struct mape_domain d;
	struct err err;

	if (c->kind != MODE_CE || !c->mape.dhcpv6[0])
		return 0;
	if (conf_mape_follow(c, &d, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	c->mape.domain = d;
	return 0;
}

static const char *dscp(char text[8], u8 value)
{
	snprintf(text, 8, value == TUNNEL_DSCP_COPY ? "copied" : "%u", value);
	return text;
}

static void header_print(const struct conf_tunnel *t)
{
	char text[8];

	printf("  outer header   hop limit %u, DSCP %s, ECN %s", t->hop_limit, dscp(text, t->dscp), ecns[t->ecn]);
	if (t->mtu)
		printf(", MTU %u", t->mtu);
	puts("");
}

static void edge_print(const struct conf_mape *m, unsigned int reserved)
{
	struct mape_customer own = {.has_address = false};
	char text[ADDR6_TEXT], psid[32] = "not shared";

	if (m->domain.basic >= 0 && m->domain.nrules) {
		mape_domain_own(&m->domain, &own);
		if (m->domain.rules[m->domain.basic].psid_len)
			snprintf(psid, sizeof(psid), "PSID %u (0x%x)", own.own.psid, own.own.psid);
		printf("  map-e          %s, %s: %u ports, %u of them reserved\n",
		       addr_print(text, be32_of(own.own.addr)), psid, own.ports.count, reserved);
	} else {
		printf("  map-e          waits for %s\n", m->dhcpv6);
	}
	if (m->has_address || own.has_address)
		printf("  tunnel's end   %s\n", addr6_print(text, m->has_address ? m->address : own.address));
	for (u32 i = 0; i < m->domain.nbrs; i++)
		printf("  border relay   %s\n", addr6_print(text, m->domain.brs[i]));
	header_print(&m->tunnel);
	printf("  device         %s\n", m->device);
}

void check_mape_print(const struct conf *c, unsigned int reserved)
{
	char text[ADDR6_TEXT];

	if (c->kind == MODE_CE)
		edge_print(&c->mape, reserved);
	for (unsigned int i = 0; i < c->nrelays; i++)
		printf("  %-14s %s, %u rule%s\n", c->relays[i].name, addr6_print(text, c->relays[i].address),
		       c->relays[i].domain.nrules, c->relays[i].domain.nrules > 1 ? "s" : "");
	if (c->kind == MODE_BR)
		header_print(&c->relay_tunnel);
}

static json_t *header_json(const struct conf_tunnel *t)
{
	return json_pack("{s:i, s:o, s:s, s:o}", "hop_limit", (int)t->hop_limit, "dscp",
			 t->dscp == TUNNEL_DSCP_COPY ? json_string("copy") : json_integer(t->dscp), "ecn", ecns[t->ecn],
			 "mtu", t->mtu ? json_integer(t->mtu) : json_null());
}

static json_t *edge_json(const struct conf_mape *m)
{
	char text[ADDR6_TEXT];

	return json_pack("{s:o, s:o, s:o, s:o, s:s}", "domain", map_e_json(&m->domain, false), "address",
			 m->has_address ? json_string(addr6_print(text, m->address)) : json_null(), "dhcpv6",
			 m->dhcpv6[0] ? json_string(m->dhcpv6) : json_null(), "outer", header_json(&m->tunnel),
			 "device", m->device);
}

json_t *check_mape_json(const struct conf *c)
{
	json_t *list;
	char text[ADDR6_TEXT];

	if (c->kind == MODE_CE)
		return edge_json(&c->mape);
	if (c->kind != MODE_BR)
		return json_null();
	list = json_array();
	for (unsigned int i = 0; i < c->nrelays; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", c->relays[i].name, "address",
						      addr6_print(text, c->relays[i].address), "domain",
						      map_e_json(&c->relays[i].domain, false)));
	return json_pack("{s:o, s:o}", "relays", list, "outer", header_json(&c->relay_tunnel));
}

void check_policy_print(const struct conf *c)
{
	printf("  policy         mapping %s, filtering %s, a host has at most %u %% of the ports\n",
	       mappings[c->mapping], filterings[c->filtering], c->host_share);
	printf("  without ports  refusal %s; a port rests %u s\n", refusal(c->refusal), c->cooling);
}

json_t *check_policy_json(const struct conf *c)
{
	return json_pack("{s:s, s:s, s:i, s:i, s:s}", "mapping", mappings[c->mapping], "filtering",
			 filterings[c->filtering], "host_share", (int)c->host_share, "cooling", (int)c->cooling,
			 "refusal", refusal(c->refusal));
}
