/* SPDX-License-Identifier: GPL-2.0-or-later */
/* way.h - where a packet goes next, as a host's routing finds it */
#ifndef PORTICO_DP_WAY_H
#define PORTICO_DP_WAY_H

#include "abi/config.h"
#include "types.h"

struct way {
	struct nexthop hop;	  /* where to send; where it is not resolved, only hop.port is filled */
	struct neighbour_key who; /* SLOW_NEIGHBOUR: whom to resolve */
	u16 index;		  /* of the hop in the next-hop table, 0: it is not there */
	u8 tunnel;		  /* of a customer edge, as in struct flow_half */
	u16 mtu;		  /* bytes that an IPv4 packet may have there, less than hop.mtu behind a tunnel */
};

/* RFC 4291, 2.5.5.2 */
dp_fn struct ip_addr way_ipv4(be32 addr)
{
	return (struct ip_addr){{0, 0, be32_of(0xffff), addr}};
}

dp_fn int way_equal(const struct ip_addr *a, const struct ip_addr *b)
{
	return !((a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2]) | (a->w[3] ^ b->w[3]));
}

#endif
