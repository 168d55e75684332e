/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route.c - routes and neighbours that are given, not asked for: longest prefix, then the neighbour's next hop */
#include "env_user.h"

#include <errno.h>
#include <string.h>

static int route_covers(const struct engine_route *r, be32 dst)
{
	u32 mask = r->length ? ~0u << (32 - r->length) : 0;

	return ((host32(dst) ^ host32(r->prefix)) & mask) == 0;
}

static u32 neighbour_find(const struct env *e, u8 port, const struct ip_addr *addr)
{
	u32 i;

	for (i = 1; i < e->nhops; i++)
		if (way_equal(&e->hop_addr[i], addr) && e->hops[i].port == port)
			break;
	return i;
}

/* A neighbour that nobody has named gets the address 02:00 and the last 32 bits of its address, so that a capture
 * replays without a list of stations. Beyond the table's size, next hops have no index and are computed each time. */
static void neighbour_make(const struct env *e, u8 port, const struct ip_addr *addr, struct nexthop *hop)
{
	const struct dp_port *p = &e->config.port[port];

	*hop = (struct nexthop){
		.vid = p->vid,
		.mtu = p->mtu,
		.ifindex = p->ifindex,
		.port = port,
		.state = NEXTHOP_VALID,
		.dmac = {2, 0},
	};
	memcpy(hop->dmac + 2, &addr->w[3], sizeof(addr->w[3]));
	memcpy(hop->smac, p->mac, sizeof(hop->smac));
}

int neighbour_add(struct env *e, u8 port, const struct ip_addr *addr, const u8 mac[6])
{
	u32 i = neighbour_find(e, port, addr);

	if (i >= DP_NEXTHOPS_MAX)
		return -ENOSPC;
	neighbour_make(e, port, addr, &e->hops[i]);
	e->hop_addr[i] = *addr;
	if (mac)
		memcpy(e->hops[i].dmac, mac, sizeof(e->hops[i].dmac));
	if (i == e->nhops)
		e->nhops++;
	return 0;
}

static enum reason neighbour_way(struct env *e, u8 port, const struct ip_addr *addr, struct way *way)
{
	u32 i = neighbour_find(e, port, addr);

	if (i == e->nhops && neighbour_add(e, port, addr, NULL)) {
		neighbour_make(e, port, addr, &way->hop);
		way->index = 0;
		return REASON_NONE;
	}
	way->hop = e->hops[i];
	way->index = (u16)i;
	return REASON_NONE;
}

enum reason route_lookup(struct env *e, be32 dst, struct way *way)
{
	const struct engine_route *best = NULL;
	struct ip_addr addr;

	for (u32 i = 0; i < e->nroutes; i++)
		if (route_covers(&e->routes[i], dst) && (!best || e->routes[i].length > best->length))
			best = &e->routes[i];
	if (!best || best->local || best->port >= e->config.nports)
		return REASON_KERNEL_ROUTE;
	addr = way_ipv4(best->gateway ? best->gateway : dst);
	return neighbour_way(e, best->port, &addr, way);
}

enum reason route_lookup6(struct env *e, u32 port, const struct ip_addr *dst, struct way *way)
{
	static const struct ip_addr none;

	if (port >= e->config.nports)
		return REASON_DROP_NO_ROUTE;
	return neighbour_way(e, (u8)port, way_equal(&e->gateway6, &none) ? dst : &e->gateway6, way);
}
