/* SPDX-License-Identifier: GPL-2.0-or-later */
/* home.h - a home router without a system below it: what replay puts in place of interfaces and a routing table */
#ifndef PORTICO_ENGINE_HOME_H
#define PORTICO_ENGINE_HOME_H

#include <stdbool.h>

#include "abi/config.h"
#include "engine.h"

/* What a port is, beside dp_config.port with the same index. */
struct home_port {
	const char *link; /* name of the interface that carries its frames: ports with one name share the interface */
	be32 address;	  /* 0: none */
	u8 prefix;	  /* length */
	be32 gateway;	  /* WAN, SELF; 0: every destination is a neighbour */
	bool has_lladdr;
	u8 lladdr[6]; /* MAC address */
};

#define HOME_ROUTES_MAX (DP_PORTS_MAX * 4)
#define HOME_MTU_DEFAULT 1500

/* A customer edge's own address in front of the tunnel, what is behind it, and their network (RFC 7335). */
#define HOME_SELF_ADDRESS 0xc0000002 /* 192.0.0.2 */
#define HOME_SELF_GATEWAY 0xc0000001
#define HOME_SELF_PREFIX 29

/* Adds the port where a customer edge's own traffic comes in, behind the others, of which there are less than
 * DP_PORTS_MAX. */
void home_self(struct home_port *ports, u16 mtu, struct dp_config *config);

/* Completes `config`, which has nports, roles, VLANs, the given MTUs and the rest: numbers the interfaces (ports with
 * one link have one ifindex; l3_ifindex is each port's own), gives MAC addresses (default 02:00:00:00:00:01 for the
 * first port, ...) and MTUs (default HOME_MTU_DEFAULT), and makes the secret from `seed`. */
void home_config(const struct home_port *ports, u32 seed, struct dp_config *config);

/* The routing table of that home: each port's own address and its subnet's broadcast are local, the subnet is behind
 * its port, everything else behind the WAN, or, at a customer edge, the tunnel. Returns how many it wrote to `routes`,
 * which takes HOME_ROUTES_MAX. */
u32 home_routes(const struct home_port *ports, const struct dp_config *config, struct engine_route *routes);

#endif
