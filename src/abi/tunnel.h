/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel.h - the IPv4-in-IPv6 tunnel of a customer edge or a border relay (RFC 2473, RFC 7597) */
#ifndef PORTICO_ABI_TUNNEL_H
#define PORTICO_ABI_TUNNEL_H

#include "config.h"
#include "mape.h"

#define TUNNEL_RELAYS_MAX 8

#define TUNNEL_HEADER 40 /* bytes: an IPv6 header, no options (RFC 2473, 4.1.1: no encapsulation limit) */

#define TUNNEL_DSCP_COPY 0xff

/* RFC 6040, 4.1 */
enum tunnel_ecn {
	TUNNEL_ECN_NORMAL = 0,	      /* the outer header has the inner one's */
	TUNNEL_ECN_COMPATIBILITY = 1, /* the outer header says Not-ECT */
};

/* The one element of map "tunnel". Writer: the daemon.
 *
 *              customer edge                              border relay
 *  local       its MAP-E address                          -
 *  relay       border relays; packets go to the first,    its own addresses, one for each domain
 *              and are accepted from all
 *  rules       forwarding rules, for the mesh             the rules of all domains; rule.relay is the domain
 */
struct dp_tunnel {
	struct ip_addr local;
	struct ip_addr relay[TUNNEL_RELAYS_MAX];
	u32 nrelays;
	u32 nrules;
	u16 mtu;      /* of IPv6 packets: what is known of the path; never 0 */
	u8 hop_limit; /* of the outer header */
	u8 dscp;      /* of the outer header, 0 to 63, or TUNNEL_DSCP_COPY */
	u8 ecn;	      /* enum tunnel_ecn */
	u8 port;      /* index into dp_config.port: where the tunnel's IPv6 packets go */
	u8 pad[2];
	struct mape_rule rules[MAPE_RULES_MAX]; /* longest IPv4 prefix first, prepared */
};

ABI_SIZE(struct dp_tunnel, 1952);

#endif
