/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_conf.c - portico map-e of a configuration file */
#include "map_e_conf.h"

#include <errno.h>
#include <stdio.h>

#include "cli.h"
#include "map_e_print.h"

#define MTU_DEFAULT 1500

static void mtu_set(struct mape_domain *d, unsigned int mtu)
{
	if (mtu)
		d->mtu = mtu;
	else if (!d->mtu)
		d->mtu = MTU_DEFAULT;
}

/* Takes what the DHCPv6 client has written. Too little is a word about it, and no failure. */
static int follow(struct conf *c)
{
	struct mape_domain d;
	struct err err;
	char text[CONF_FINDING_TEXT];
	int rc = conf_mape_follow(c, &d, &err);

	if (rc)
		return command_fail(rc == -ENOENT ? COMMAND_DONE : COMMAND_FAILED, "%s", err.text);
	for (u32 i = 0; i < d.nfindings; i++)
		command_fail(0, "%s: %s", c->mape.dhcpv6, conf_finding_print(text, c, &d.findings[i]));
	c->mape.domain = d;
	return COMMAND_DONE;
}

static int edge(struct conf *c, unsigned int mtu, bool ports, bool json)
{
	struct conf_mape *m = &c->mape;
	int status = m->dhcpv6[0] ? follow(c) : COMMAND_DONE;
	char text[ADDR6_TEXT];

	mtu_set(&m->domain, mtu);
	if (json)
		return command_json(map_e_json(&m->domain, ports)) ? COMMAND_FAILED : status;
	map_e_print(&m->domain, ports);
	if (m->has_address)
		printf("  tunnel's end   %s (by hand)\n", addr6_print(text, m->address));
	return status;
}

static int relays(struct conf *c, unsigned int mtu, bool ports, bool json)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < c->nrelays; i++) {
		struct conf_relay *relay = &c->relays[i];

		mtu_set(&relay->domain, mtu ? mtu : c->relay_tunnel.mtu);
		if (json) {
			json_array_append_new(list, json_pack("{s:s, s:o}", "name", relay->name, "domain",
							      map_e_json(&relay->domain, ports)));
			continue;
		}
		printf("[%s]\n", relay->name);
		map_e_print(&relay->domain, ports);
	}
	if (json)
		return command_json(list);
	json_decref(list);
	return COMMAND_DONE;
}

int map_e_conf(const char *path, unsigned int mtu, bool ports, bool json)
{
	struct conf c;
	struct err err;

	if (conf_read(&c, path, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	for (unsigned int i = 0; i < c.nwarnings; i++)
		command_fail(0, "%s", c.warnings[i].text);
	if (c.kind == MODE_CE)
		return edge(&c, mtu, ports, json);
	if (c.kind == MODE_BR)
		return relays(&c, mtu, ports, json);
	return command_fail(COMMAND_FAILED, "%s: has no [map-e] and no [border-relay]: there is nothing to explain",
			    path);
}
