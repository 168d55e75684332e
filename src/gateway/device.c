/* SPDX-License-Identifier: GPL-2.0-or-later */
/* device.c - the interface by which Linux sees a customer edge's tunnel
 *
 *      Linux: 192.0.0.2/29 on DEVICE, default via 192.0.0.1        the packet path: port of role SELF
 *             '---- what Linux routes there ----------------> peer: translated, put into the tunnel
 *             '<--- replies to 192.0.0.2 ------------------- peer
 *
 * A pair of virtual Ethernet interfaces. So the router's own traffic, and what Linux forwards in the packet path's place,
 * goes through the port set like that of a LAN host (192.0.0.0/29: RFC 7335, RFC 6333, 5.7); and since the tunnel's MTU is
 * the interface's, Linux answers packets that are too big, or have lived too long, as it would with any interface.
 *
 * It is known by its alias, "portico NAME", and stays when the daemon ends: `portico down` takes it away.
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

static int find(struct gateway *g, const struct links *links)
{
	char peer[IFNAMSIZ];
	const struct link *near = links_by_name(links, g->conf.mape.device), *far;

	peer_name(g, peer);
	far = links_by_name(links, peer);
	if (!near || !far)
		return -ENODEV;
	g->device.ifindex = near->ifindex;
	g->device.peer = far->ifindex;
	memcpy(g->device.mac, near->mac, sizeof(near->mac));
	memcpy(g->device.peer_mac, far->mac, sizeof(far->mac));
	return 0;
}

static int look(struct gateway *g, struct err *err)
{
	struct links links;
	int rc = links_init(&links, &g->ask);

	if (rc)
		return err_set(err, rc, "asking for the interfaces: %s", strerror(-rc));
	rc = find(g, &links);
	links_exit(&links);
	return rc;
}

static int make(struct gateway *g, struct err *err)
{
	const char *name = g->conf.mape.device;
	char peer[IFNAMSIZ];
	int rc;

	peer_name(g, peer);
	rc = rt_veth_add(&g->ask, name, peer);
	if (rc)
		return err_set(err, rc, "making the pair of interfaces %s and %s: %s", name, peer, strerror(-rc));
	g->device.made = true;
	/* nothing but the tunnel's IPv4 is to be on them */
	rt_sysctl_set("ipv6", name, "disable_ipv6", "1");
	rt_sysctl_set("ipv6", peer, "disable_ipv6", "1");
	rt_sysctl_set("ipv4", name, "rp_filter", "0");
	rt_sysctl_set("ipv4", name, "forwarding", "1");
	rc = link_offloads_set(name);
	if (rc)
		return err_set(err, rc, "%s: setting offloads as 'ethtool -K %s tx off gro on' does: %s", name, name,
			       strerror(-rc));
	return look(g, err);
}

/* The address, and the neighbour behind which everything is. */
static int furnish(struct gateway *g, struct err *err)
{
	be32 far = far_address();
	struct rt_addr address = {AF_INET, PREFIX, g->device.ifindex, own_address()};
	struct rt_addr gateway = {AF_INET, 32, g->device.ifindex, &far};
	int rc = rt_address_add(&g->ask, &address);

	if (!rc || rc == -EEXIST)
		rc = rt_neighbour_set(&g->ask, &gateway, g->device.peer_mac);
	if (rc)
		return err_set(err, rc, "%s: addresses: %s", g->conf.mape.device, strerror(-rc));
	rc = rt_default_add(&g->ask, g->device.ifindex, &far);
	if (rc && rc != -EEXIST)
		return err_set(err, rc, "%s: default route: %s", g->conf.mape.device, strerror(-rc));
	return 0;
}

int device_mtu_set(struct gateway *g, u32 mtu)
{
	char alias[LINK_ALIAS_MAX];
	int rc;

	if (g->device.mtu == mtu)
		return 0;
	snprintf(alias, sizeof(alias), DEVICE_ALIAS "%s", g->conf.name);
	rc = rt_link_set(&g->ask, g->device.peer, mtu, "");
	if (!rc)
		rc = rt_link_set(&g->ask, g->device.ifindex, mtu, alias);
	if (!rc)
		g->device.mtu = mtu;
	return rc;
}

int device_open(struct gateway *g, u32 mtu, struct err *err)
{
	int rc = look(g, err);

	if (rc == -ENODEV)
		rc = make(g, err);
	if (rc)
		return rc;
	rc = device_mtu_set(g, mtu);
	if (rc)
		return err_set(err, rc, "%s: %s", g->conf.mape.device, strerror(-rc));
	return furnish(g, err);
}

void device_undo(struct gateway *g)
{
	if (g->device.made)
		rt_link_del(&g->ask, g->device.ifindex);
}
