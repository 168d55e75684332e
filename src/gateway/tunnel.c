/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel.c - the tunnel of a customer edge or border relay: its ends, its MTU, and this router's addresses for it
 *
 * What comes to a tunnel's end is taken by the packet path before Linux sees it. But where the link's other router asks
 * who has that address, Linux must answer: so it is put on the interface, for answering only.
 */
#include <string.h>

#include "gateway.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "lib/rt.h"

#define PATH_MTU_SECONDS 600

/* The role of the port where the tunnel's IPv6 packets go. */
static enum dp_role side(const struct gateway *g)
{
	return g->conf.kind == MODE_CE ? ROLE_WAN : ROLE_LAN;
}

static u8 port_of_role(const struct dp_config *dp, enum dp_role role)
{
	u8 i;

	for (i = 0; i < dp->nports && dp->port[i].role != role; i++)
		;
	return i;
}

void tunnel_plan(const struct gateway *g, struct dp_config *dp, struct dp_tunnel *t)
{
	const struct conf_tunnel *conf = g->conf.kind == MODE_CE ? &g->conf.mape.tunnel : &g->conf.relay_tunnel;
	u8 port = port_of_role(dp, side(g));

	if (conf_tunnel_make(&g->conf, t))
		dp->wan_addr = 0; /* a customer edge that has no domain yet */
	t->port = port;
	t->mtu = dp->port[port].mtu ? dp->port[port].mtu : MAPE_MTU_LEAST;
	if (conf->mtu && conf->mtu < t->mtu)
		t->mtu = conf->mtu;
	if (g->path_mtu && g->path_mtu < t->mtu)
		t->mtu = g->path_mtu;
	if (t->mtu < MAPE_MTU_LEAST)
		t->mtu = MAPE_MTU_LEAST;
}

void tunnel_plan_self(const struct gateway *g, struct dp_config *dp, const struct dp_tunnel *t)
{
	struct dp_port *self = &dp->port[dp->nports++];

	*self = (struct dp_port){
		.ifindex = g->device.peer,
		.role = ROLE_SELF,
		.l3_ifindex = g->device.ifindex,
		.mtu = (u16)(t->mtu - TUNNEL_HEADER),
	};
	memcpy(self->mac, g->device.peer_mac, sizeof(self->mac));
	dp->self = (PORTICO_FORCE be32)htonl(DEVICE_ADDRESS);
	dp->self_hop = g->dp.self_hop;
}

/* This router's ends of the tunnel. */
static u32 ends(const struct dp_tunnel *t, enum dp_mode kind, const struct ip_addr **end)
{
	static const struct ip_addr none;

	*end = kind == MODE_CE ? &t->local : t->relay;
	if (kind == MODE_CE)
		return memcmp(&t->local, &none, sizeof(none)) != 0;
	return t->nrelays;
}

static bool is_end(const struct dp_tunnel *t, enum dp_mode kind, const struct ip_addr *addr)
{
	const struct ip_addr *end;
	u32 n = ends(t, kind, &end);

	for (u32 i = 0; i < n; i++)
		if (!memcmp(&end[i], addr, sizeof(*addr)))
			return true;
	return false;
}

/* Takes the addresses of tunnel `t` from `ifindex`, but those of tunnel `keep`, which may be NULL. */
static void addresses_del(struct gateway *g, const struct dp_tunnel *t, u32 ifindex, const struct dp_tunnel *keep)
{
	const struct ip_addr *end;
	u32 n = ends(t, g->conf.kind, &end);

	for (u32 i = 0; i < n; i++)
		if (!keep || !is_end(keep, g->conf.kind, &end[i]))
			rt_address_del(&g->ask, &(struct rt_addr){AF_INET6, 128, ifindex, &end[i]});
}

static void addresses_add(struct gateway *g, const struct dp_tunnel *t, u32 ifindex)
{
	const struct ip_addr *end;
	u32 n = ends(t, g->conf.kind, &end);

	for (u32 i = 0; i < n && ifindex; i++)
		rt_address_add(&g->ask, &(struct rt_addr){AF_INET6, 128, ifindex, &end[i]});
}

int tunnel_apply(struct gateway *g, const struct dp_tunnel *t)
{
	u32 ifindex = g->dp.port[t->port].l3_ifindex;

	if (g->conf.kind == MODE_NAT44)
		return 0;
	addresses_del(g, &g->tunnel, ifindex, t);
	g->tunnel = *t;
	addresses_add(g, t, ifindex);
	return kernel_tunnel_set(g->kernel, t);
}

void tunnel_undo(struct gateway *g)
{
	if (g->conf.kind != MODE_NAT44)
		addresses_del(g, &g->tunnel, g->dp.port[g->tunnel.port].l3_ifindex, NULL);
}

void tunnel_path_mtu(struct gateway *g, u32 mtu)
{
	if (mtu < MAPE_MTU_LEAST)
		mtu = MAPE_MTU_LEAST;
	g->path_mtu_until = clock_seconds() + PATH_MTU_SECONDS;
	if (mtu >= g->tunnel.mtu)
		return;
	log_info("the tunnel's way carries packets of %u bytes only", mtu);
	g->path_mtu = (u16)mtu;
	live_refresh(g);
}

void tunnel_age(struct gateway *g)
{
	if (!g->path_mtu || clock_seconds() < g->path_mtu_until)
		return;
	g->path_mtu = 0;
	live_refresh(g);
}
