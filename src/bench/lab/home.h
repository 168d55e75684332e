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
 * Every LAN host is the one interface `host`, every address of 198.51.100.0/24 the one interface `isp`: neighbours are
 * permanent entries, nothing is asked by ARP. IPv6 is off.
 *
 * Whatever ends the program, the home goes: a keeper, forked at the start, waits for the program to close its end of a
 * pipe - by home_close(), by a signal, by dying - and then kills what still runs in the namespaces and removes them.
 */
#ifndef PORTICO_BENCH_LAB_HOME_H
#define PORTICO_BENCH_LAB_HOME_H

#include <sys/types.h>

#include "abi/types.h"
#include "lib/err.h"

#define HOME_HOSTS 64		      /* LAN hosts 192.168.1.10, .11, ... */
#define HOME_HOST_FIRST 0xc0a8010aU   /* 192.168.1.10 */
#define HOME_REMOTE_FIRST 0xc6336401U /* 198.51.100.1 */
#define HOME_WAN_ADDRESS 0xcb007102U  /* 203.0.113.2 */
#define HOME_ISP_ADDRESS 0xcb007101U  /* 203.0.113.1 */

enum home_place {
	HOME_LAN,
	HOME_GW,
	HOME_WAN,
	HOME_PLACES,
	HOME_HERE = HOME_PLACES, /* where the program came from */
};

enum home_port {
	HOME_PORT_HOST, /* "host" in HOME_LAN */
	HOME_PORT_LAN,	/* "lan" in HOME_GW */
	HOME_PORT_WAN,	/* "wan" in HOME_GW */
	HOME_PORT_ISP,	/* "isp" in HOME_WAN */
	HOME_PORTS
};

/* One end of a cable. */
struct home_end {
	u32 ifindex;
	u8 mac[6];
};

struct home {
	char name[HOME_PLACES][32]; /* of the namespaces, in /run/netns */
	int ns[HOME_PLACES + 1];    /* file descriptors of the namespaces, the last one HOME_HERE */
	struct home_end end[HOME_PORTS];
	int leash; /* the program's end of the pipe to its keeper */
	pid_t keeper;
};

/* Builds the home. `undo`, which may be NULL, is called by the keeper when nothing runs in the namespaces any more.
 * SIGINT, SIGTERM, SIGHUP and SIGALRM then wait for the keeper before they end the program. One home at a time. 0, or
 * -errno and nothing is left. */
int home_open(struct home *h, void (*undo)(void *arg), void *arg, struct err *err);
void home_close(struct home *h);

/* Moves this thread into a namespace of the home, or back (HOME_HERE). */
int home_enter(const struct home *h, enum home_place place, struct err *err);

/* Runs a command line in `place`: see lib/run.h. */
int home_run(const struct home *h, enum home_place place, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* How many packets went over each interface, in words: to say where a packet got lost. */
void home_trace(const struct home *h, char *text, size_t room);

#endif
