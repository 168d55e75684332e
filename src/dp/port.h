/* SPDX-License-Identifier: GPL-2.0-or-later */
/* port.h - the configured ports: which one a frame came in by, which one the routing table means */
#ifndef PORTICO_DP_PORT_H
#define PORTICO_DP_PORT_H

#include "abi/config.h"
#include "types.h"

_Static_assert((DP_PORTS_MAX & (DP_PORTS_MAX - 1)) == 0, "a mask bounds the index");

/* The port with index i. The mask is for the verifier, as in pkt_at(); hidden, or the compiler would drop it. */
dp_fn const struct dp_port *port_at(const struct dp_config *c, u32 i)
{
	dp_hide(i);
	return &c->port[i & (DP_PORTS_MAX - 1)];
}

/* x, but the verifier no longer knows anything of it. Where paths with different known values of x meet, it would
 * follow all that comes behind once for each of them; older kernels then give up at a million instructions. */
dp_fn u32 port_blur(const struct dp_config *c, u32 x)
{
	return x + c->zero;
}

/* Unused ports have interface 0, which no frame has.
 *
 * The index of the port that frames of VLAN `vid` (0: untagged) on interface `ifindex` belong to, or DP_PORTS_MAX. */
dp_fn u32 port_find(const struct dp_config *c, u32 ifindex, u16 vid)
{
	u32 i;

	for (i = 0; i < DP_PORTS_MAX; i++)
		if (c->port[i].ifindex == ifindex && c->port[i].vid == vid)
			break;
	return port_blur(c, i);
}

/* The index of the port whose addresses and routes are those of interface `l3_ifindex`, or DP_PORTS_MAX. */
dp_fn u32 port_of_l3(const struct dp_config *c, u32 l3_ifindex)
{
	u32 i;

	for (i = 0; i < DP_PORTS_MAX; i++)
		if (c->port[i].l3_ifindex == l3_ifindex)
			break;
	return port_blur(c, i);
}

#endif
