/* SPDX-License-Identifier: GPL-2.0-or-later */
/* device.c - the interface by which Linux sees a customer edge's tunnel
 *
 *      Linux: 192.0.0.2/29 on DEVICE, default via 192.0.0.1        the packet path: port of role SELF
 *             '---- what Linux routes there ----------------> peer: translated, put into the tunnel
 *             '<--- replies to 192.0.0.2 ------------------- peer
 *
 * A pair of virtual Ethernet interfaces. So the router's own traffic, and what Linux forwards in the packet path's
 * place, goes through the port set like that of a LAN host (192.0.0.0/29: RFC 7335, RFC 6333, 5.7); and since the
 * tunnel's MTU is the interface's, Linux answers packets that are too big, or have lived too long, as it would with any
 * interface.
 *
 * It is known by its alias, "portico NAME", and stays when the daemon ends: `portico down` takes it away. The default
 * route is made where there is none; another one is not touched, but said to be in the way. What is missing is made
 * again.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gateway.h"
#include "lib/log.h"
#include "lib/rt.h"

#define PREFIX 29

static const be32 *own_address(void)
{
	static be32 address;

	address = (PORTICO_FORCE be32)htonl(DEVICE_ADDRESS);
	return &address;
}

static be32 far_address(void)
{
	return (PORTICO_FORCE be32)htonl(DEVICE_GATEWAY);
}

static void peer_name(const struct gateway *g, char name[IFNAMSIZ])
{
	snprintf(name, IFNAMSIZ, "%.13s.p", g->conf.mape.device);
}

static char *alias_of(const struct gateway *g, char alias[LINK_ALIAS_MAX])
{
	snprintf(alias, LINK_ALIAS_MAX, DEVICE_ALIAS "%s", g->conf.name);
	return alias;
}

/* Fills g->device by what is there: 0; -ENODEV where it is not; -EEXIST where it is somebody else's. */
static int find(struct gateway *g, const struct links *links)
{
	const struct link *near = links_by_name(links, g->conf.mape.device), *far;
	char peer[IFNAMSIZ], alias[LINK_ALIAS_MAX];

	peer_name(g, peer);
	far = links_by_name(links, peer);
	if (!near)
		return -ENODEV;
	if (!far || strcmp(near->alias, alias_of(g, alias)))
		return -EEXIST;
	g->device.ifindex = near->ifindex;
	g->device.peer = far->ifindex;
	g->device.up = near->up && far->up;
	memcpy(g->device.mac, near->mac, sizeof(near->mac));
	memcpy(g->device.peer_mac, far->mac, sizeof(far->mac));
	return 0;
}

static int find_now(struct gateway *g)
{
	struct links links;
	int rc = links_init(&links, &g->ask);

	if (rc)
		return rc;
	rc = find(g, &links);
	links_exit(&links);
	return rc;
}

/* So that `portico down` and the next daemon know it. */
static int name_it(struct gateway *g)
{
	char alias[LINK_ALIAS_MAX];

	g->device = (struct device){.ifindex = if_nametoindex(g->conf.mape.device), .made = true};
	return rt_link_alias(&g->ask, g->device.ifindex, alias_of(g, alias));
}

static int make(struct gateway *g, struct err *err)
{
	const char *name = g->conf.mape.device;
	char peer[IFNAMSIZ];
	int rc;

	peer_name(g, peer);
	rc = rt_veth_add(&g->ask, name, peer);
	if (!rc)
		rc = name_it(g);
	if (rc)
		return err_set(err, rc, "making the pair of interfaces %s and %s: %s", name, peer, strerror(-rc));
	/* nothing but the tunnel's IPv4 is to be on them */
	rt_sysctl_set("ipv6", name, "disable_ipv6", "1");
	rt_sysctl_set("ipv6", peer, "disable_ipv6", "1");
	/* sources from everywhere: loose, where the system has it strict for all (RFC 3704, 2.4) */
	rt_sysctl_set("ipv4", name, "rp_filter", "2");
	rc = link_offloads_set(name);
	if (rc)
		return err_set(err, rc, "%s: setting offloads as 'ethtool -K %s tx off gro on' does: %s", name, name,
			       strerror(-rc));
	return find_now(g);
}

/* The default route, unless there is one. Where that leads goes to g->device.rival. */
static int route(struct gateway *g)
{
	be32 far = far_address();
	u32 leads = 0;
	int rc = rt_default_get(&g->ask, &leads);

	g->device.rival = leads == g->device.ifindex ? 0 : leads;
	if (rc || leads || !g->device.up)
		return rc;
	rc = rt_default_add(&g->ask, g->device.ifindex, &far);
	return rc == -EEXIST ? 0 : rc;
}

/* The address, and the neighbour behind which everything is. */
static int furnish(struct gateway *g)
{
	be32 far = far_address();
	struct rt_addr address = {AF_INET, PREFIX, g->device.ifindex, own_address()};
	struct rt_addr gateway = {AF_INET, 32, g->device.ifindex, &far};
	int rc = rt_address_add(&g->ask, &address);

	if (!rc || rc == -EEXIST)
		rc = rt_neighbour_set(&g->ask, &gateway, g->device.peer_mac);
	return rc ? rc : route(g);
}

/* Takes the pair up; afterwards, up and down are the administrator's. */
static int mtu_set(struct gateway *g, u32 mtu)
{
	int rc;

	if (g->device.mtu == mtu)
		return 0;
	rc = rt_link_set(&g->ask, g->device.peer, mtu);
	if (!rc)
		rc = rt_link_set(&g->ask, g->device.ifindex, mtu);
	if (rc)
		return rc;
	g->device.mtu = mtu;
	g->device.up = true;
	return 0;
}

int device_open(struct gateway *g, const struct links *links, u32 mtu, struct err *err)
{
	const char *name = g->conf.mape.device;
	int rc = find(g, links);

	if (rc == -EEXIST)
		return err_set(err, rc,
			       "%s: there is such an interface, and it is not Portico's: remove it, or give another "
			       "name as device in [map-e]",
			       name);
	if (rc == -ENODEV)
		rc = make(g, err);
	if (rc)
		return rc;
	rc = mtu_set(g, mtu);
	if (!rc)
		rc = furnish(g);
	return rc ? err_set(err, rc, "%s: MTU, address and route: %s", name, strerror(-rc)) : 0;
}

void device_remove(struct gateway *g)
{
	if (g->device.ifindex)
		rt_link_del(&g->ask, g->device.ifindex);
}
