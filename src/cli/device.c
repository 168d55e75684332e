/* SPDX-License-Identifier: GPL-2.0-or-later */
/* device.c - removes what a gateway with a tunnel leaves in the system beside the packet path
 *
 * The interface is known by its alias, the addresses by what the packet path was told; neither needs the daemon or its
 * configuration. In another network namespace than the daemon's there is nothing of it to be found: there, the daemon
 * has removed it when it was told to leave (down.c).
 */
#include "device.h"

#include <stdio.h>
#include <sys/socket.h>

#include "kernel/kernel.h"
#include "lib/links.h"
#include "lib/rt.h"

/* This router's ends of the tunnel. */
static void addresses_remove(struct nl *nl, const char *name)
{
	struct dp_config config;
	struct dp_tunnel tunnel;
	struct err ignored;
	struct kernel *k = kernel_peek(name, &ignored);

	if (!k)
		return;
	if (!kernel_config_get(k, &config) && config.mode != MODE_NAT44 && !kernel_tunnel_get(k, &tunnel) &&
	    tunnel.port < DP_PORTS_MAX && tunnel.nrelays <= TUNNEL_RELAYS_MAX) {
		const struct ip_addr *end = config.mode == MODE_CE ? &tunnel.local : tunnel.relay;
		u32 n = config.mode == MODE_CE ? 1 : tunnel.nrelays;

		for (u32 i = 0; i < n; i++)
			rt_address_del(nl,
				       &(struct rt_addr){AF_INET6, 128, config.port[tunnel.port].l3_ifindex, &end[i]});
	}
	kernel_close(k);
}

void device_remove(const char *name)
{
	char alias[LINK_ALIAS_MAX];
	const struct link *link;
	struct links links;
	struct nl nl;

	if (nl_open(&nl, 0))
		return;
	addresses_remove(&nl, name);
	snprintf(alias, sizeof(alias), "portico %s", name);
	if (!links_init(&links, &nl)) {
		link = links_by_alias(&links, alias);
		if (link)
			rt_link_del(&nl, link->ifindex);
		links_exit(&links);
	}
	nl_close(&nl);
}
