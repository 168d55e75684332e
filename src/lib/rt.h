/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rt.h - changes to interfaces, addresses, routes and neighbours, one route netlink request each
 *
 * All return 0 or -errno. Addresses are as on the wire: 4 bytes for AF_INET, 16 for AF_INET6.
 */
#ifndef PORTICO_LIB_RT_H
#define PORTICO_LIB_RT_H

#include <stdbool.h>
#include <stdint.h>

#include "nl.h"

/* An address, or the destination of a route or neighbour, on interface `ifindex`. */
struct rt_addr {
	unsigned char family;
	uint8_t length; /* of the prefix */
	uint32_t ifindex;
	const void *addr;
};

/* A pair of virtual Ethernet interfaces, both down. */
int rt_veth_add(struct nl *n, const char *name, const char *peer);
int rt_link_del(struct nl *n, uint32_t ifindex);
/* Sets the MTU, and takes the interface up. */
int rt_link_set(struct nl *n, uint32_t ifindex, uint32_t mtu);
int rt_link_alias(struct nl *n, uint32_t ifindex, const char *alias);

/* An IPv6 address is added so that it is answered for and nothing else: without duplicate address detection and a route
 * to its prefix, and deprecated, so that it is nobody's source who does not ask for it. Only an IPv6 address that is so
 * is deleted: -ENOENT for another. */
int rt_address_add(struct nl *n, const struct rt_addr *a);
int rt_address_del(struct nl *n, const struct rt_addr *a);

/* The IPv4 default route through `gateway` on `ifindex`, as `ip route add` makes it: -EEXIST where there is one. */
int rt_default_add(struct nl *n, uint32_t ifindex, const void *gateway);
/* Where the IPv4 default route with the least metric leads, 0: there is none. */
int rt_default_get(struct nl *n, uint32_t *ifindex);

/* Whether packets to an IPv6 address can leave by `ifindex`: 0, -ENETUNREACH or another -errno. */
int rt_route6_by(struct nl *n, const void *addr, uint32_t ifindex);

/* A permanent neighbour. */
int rt_neighbour_set(struct nl *n, const struct rt_addr *a, const uint8_t mac[6]);

/* Writes `value` to /proc/sys/net/FAMILY/conf/NAME/KEY ("ipv4", "ipv6"). 0 or -errno. */
int rt_sysctl_set(const char *family, const char *name, const char *key, const char *value);
/* The number there, or -1. */
int rt_sysctl_get(const char *family, const char *name, const char *key);

#endif
