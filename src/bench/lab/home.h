/* SPDX-License-Identifier: GPL-2.0-or-later */
/* home.h - a home in network namespaces: a LAN host, the router, the internet
 *
 *      portico-lan-PID              portico-gw-PID                        portico-wan-PID
 *   +-----------------------+   +-----------------------------+   +---------------------------+
 *   | host                  |   | lan                     wan |   | isp                       |
 *   | 192.168.1.10/24, .... |===| 192.168.1.1/24              |   | 203.0.113.1/24            |
 *   | (HOME_HOSTS of them)  |   |              203.0.113.2/24 |===| 198.51.100.0/24 are its   |
 *   +-----------------------+   +-----------------------------+   +---------------------------+
 *
 * Every LAN host is the one interface `host`, every address of 198.51.100.0/24 the one interface `isp`. The internet
 * knows the way back to the LAN, for routers that translate nothing. IPv6 is off.
 */
#ifndef PORTICO_BENCH_LAB_HOME_H
#define PORTICO_BENCH_LAB_HOME_H

#include "net.h"

#define HOME_HOSTS 64		      /* LAN hosts 192.168.1.10, .11, ... */
#define HOME_HOST_FIRST 0xc0a8010aU   /* 192.168.1.10 */
#define HOME_REMOTE_FIRST 0xc6336401U /* 198.51.100.1 */
#define HOME_WAN_ADDRESS 0xcb007102U  /* 203.0.113.2 */
#define HOME_ISP_ADDRESS 0xcb007101U  /* 203.0.113.1 */

enum home_place {
	HOME_LAN,
	HOME_GW,
	HOME_WAN,
};

enum home_port {
	HOME_PORT_HOST, /* "host" in HOME_LAN */
	HOME_PORT_LAN,	/* "lan" in HOME_GW */
	HOME_PORT_WAN,	/* "wan" in HOME_GW */
	HOME_PORT_ISP,	/* "isp" in HOME_WAN */
};

extern const struct net_plan home_plan;

/* net_open() of a home. */
int home_open(struct net *n, void (*undo)(void *arg), void *arg, struct err *err);

#endif
