/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.h - where the load is tried: two hosts with a router between them, and one host on a trunk
 *
 *      portico-load-a-PID          portico-load-r-PID                    portico-load-b-PID
 *   +------------------------+   +------------------------------+   +--------------------------+
 *   | near                   |===| lan                          |   |                          |
 *   | 192.168.1.10, ....     |   | 192.168.1.1/24               |   |                          |
 *   |                        |   |               203.0.113.2/24 |   | 198.51.100.0/24          |
 *   |                        |   |                          wan |===| far                      |
 *   | trunk (VLANs 10, 20)   |===| port                         |   |                          |
 *   +------------------------+   +------------------------------+   +--------------------------+
 */
#ifndef PORTICO_TESTS_LOAD_PLACE_H
#define PORTICO_TESTS_LOAD_PLACE_H

#include "bench/lab/net.h"

enum place_host {
	PLACE_A,
	PLACE_R,
	PLACE_B,
};

enum place_port {
	PLACE_NEAR,
	PLACE_LAN,
	PLACE_WAN,
	PLACE_FAR,
	PLACE_TRUNK,
	PLACE_PORT,
};

extern struct net place;

/* Builds it; it is removed by place_close(), and whatever ends the program. */
int place_open(struct err *err);
void place_close(void);
/* Runs a command line in the router. */
int place_router(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Bytes that an interface has received. */
u64 place_received(enum place_port port);

#endif
