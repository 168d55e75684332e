/* SPDX-License-Identifier: GPL-2.0-or-later */
/* home.c - a home router without a system below it */
#include "home.h"

#include <string.h>

#include "dp/wire.h"

/* l3_ifindex of port i is this plus i: apart from all ifindexes, which are 1 .. DP_PORTS_MAX */
#define L3_IFINDEX 101

static u32 link_ifindex(const struct home_port *ports, u32 at)
{
	for (u32 i = 0; i < at; i++)
		if (!strcmp(ports[i].link, ports[at].link))
			return i + 1;
	return at + 1;
}

void home_config(const struct home_port *ports, u32 seed, struct dp_config *config)
{
	for (u32 i = 0; i < config->nports; i++) {
		struct dp_port *p = &config->port[i];

		p->ifindex = link_ifindex(ports, i);
		p->l3_ifindex = L3_IFINDEX + i;
		if (!p->mtu)
			p->mtu = HOME_MTU_DEFAULT;
		memcpy(p->mac, (u8[6]){2, 0, 0, 0, 0, (u8)(i + 1)}, sizeof(p->mac));
		if (ports[i].has_lladdr)
			memcpy(p->mac, ports[i].lladdr, sizeof(p->mac));
	}
	config->secret[0] = seed;
	config->secret[1] = ~seed;
}

void home_self(struct home_port *ports, u16 mtu, struct dp_config *config)
{
	ports[config->nports] = (struct home_port){
		.link = "self",
		.address = be32_of(HOME_SELF_ADDRESS),
		.prefix = HOME_SELF_PREFIX,
		.gateway = be32_of(HOME_SELF_GATEWAY),
	};
	config->port[config->nports++] = (struct dp_port){.role = ROLE_SELF, .mtu = mtu};
	config->self = be32_of(HOME_SELF_ADDRESS);
}

static u32 subnet_routes(const struct home_port *p, u8 port, struct engine_route *r)
{
	u32 mask = p->prefix ? ~0u << (32 - p->prefix) : 0, addr = host32(p->address), n = 0;

	r[n++] = (struct engine_route){.prefix = p->address, .length = 32, .local = 1};
	if (p->prefix < 32)
		r[n++] = (struct engine_route){.prefix = be32_of(addr & mask), .length = p->prefix, .port = port};
	/* the lowest address is a host's since Linux 5.14; a subnet of two has no broadcast (RFC 3021) */
	if (p->prefix < 31)
		r[n++] = (struct engine_route){.prefix = be32_of(addr | ~mask), .length = 32, .local = 1};
	return n;
}

u32 home_routes(const struct home_port *ports, const struct dp_config *config, struct engine_route *routes)
{
	enum dp_role out = config->mode == MODE_CE ? ROLE_SELF : ROLE_WAN;
	u32 n = 0;

	for (u32 i = 0; i < config->nports; i++) {
		if (ports[i].address)
			n += subnet_routes(&ports[i], (u8)i, routes + n);
		if (config->port[i].role == out)
			routes[n++] = (struct engine_route){.port = (u8)i, .gateway = ports[i].gateway};
	}
	return n;
}
