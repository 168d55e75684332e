/* SPDX-License-Identifier: GPL-2.0-or-later */
/* net.h - network namespaces with cables between them, made from a table
 *
 * A place is a namespace, portico-WORD-PID; a cable is a veth pair between two of them. Neighbours are permanent
 * entries, nothing is asked by ARP. Ethernet addresses follow from the table: each net made from it is the same.
 *
 * Whatever ends the program, the net goes: a keeper, forked at the start, waits for the program to close its end of a
 * pipe - by net_close(), by a signal, by dying - and then kills what still runs in the namespaces and removes them.
 */
#ifndef PORTICO_BENCH_LAB_NET_H
#define PORTICO_BENCH_LAB_NET_H

#include <stddef.h>
#include <sys/types.h>

#include "abi/types.h"
#include "lib/err.h"

#define NET_PLACES 4
#define NET_PORTS 8
#define NET_NEIGHBOURS 12
#define NET_HERE NET_PLACES /* as a place: where the program came from */

/* One end of a cable. */
struct net_port {
	const char *name;
	u8 place;
	const char *title;    /* in net_trace() */
	const char *address;  /* "192.168.1.1/24"; NULL: none */
	const char *offloads; /* for ethtool -K, besides "tx off gro on"; NULL: none */
};

/* `count` addresses from `address` on, IPv4 where there are more than one, behind `device` of a place: all of them the
 * interface of a port. */
struct net_neighbour {
	u8 place;
	const char *device;
	u8 port;
	const char *address;
	u32 count;
};

struct net_plan {
	const char *place[NET_PLACES];
	struct net_port port[NET_PORTS]; /* 0 and 1 are the ends of a cable, 2 and 3 of the next ... */
	struct net_neighbour neighbour[NET_NEIGHBOURS];
	u32 routers;		   /* bit i: place i forwards */
	u32 ipv6;		   /* bit i: place i has IPv6; elsewhere it is off */
	const char *const *routes; /* for each place lines for ip -batch, or NULL */
};

struct net_end {
	u32 ifindex;
	u8 mac[6];
};

struct net {
	const struct net_plan *plan;
	char name[NET_PLACES][32]; /* of the namespaces, in /run/netns */
	int ns[NET_PLACES + 1];	   /* file descriptors of the namespaces, -1: none; the last one NET_HERE */
	struct net_end end[NET_PORTS];
	int leash; /* the program's end of the pipe to its keeper */
	pid_t keeper;
};

/* Makes the net of a plan, which stays the caller's. `undo`, which may be NULL, is called by the keeper when nothing
 * runs in the namespaces any more. SIGINT, SIGTERM, SIGHUP and SIGALRM then wait for the keeper before they end the
 * program. One net at a time. 0, or -errno and nothing is left. */
int net_open(struct net *n, const struct net_plan *plan, void (*undo)(void *arg), void *arg, struct err *err);
void net_close(struct net *n);

/* Moves this thread into a place, or back (NET_HERE). */
int net_enter(const struct net *n, u32 place, struct err *err);

/* Runs a command line in a place: see lib/run.h. */
int net_run(const struct net *n, u32 place, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Runs lines of ip(8) in a place. */
int net_batch(const struct net *n, u32 place, const char *lines, struct err *err);

/* How many packets went over each interface, in words: to say where a packet got lost. */
void net_trace(const struct net *n, char *text, size_t room);

#endif
