/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gateway.h - the daemon's state, and the prototypes of its files
 *
 * One thread, one loop. What the packet path needs is computed from the configuration and the live system and written
 * into its maps; nothing that the packet path needs is only here, so that the daemon can die at any point.
 */
#ifndef PORTICO_GATEWAY_GATEWAY_H
#define PORTICO_GATEWAY_GATEWAY_H

#include <stdbool.h>
#include <time.h>

#include "conf/conf.h"
#include "engine/flow.h"
#include "kernel/kernel.h"
#include "lib/links.h"
#include "lib/nl.h"

struct domain;
struct neigh;
struct gc;
struct slow;
struct sweep;

/* What the packet path's counters say over time: oneway.c */
enum oneway_watched {
	ONEWAY_OUT,
	ONEWAY_IN,
	ONEWAY_SOURCE,
	ONEWAY_ERROR,
	ONEWAY_NO_FLOW,
	ONEWAY_WATCHED
};

#define ONEWAY_PLACES 11
#define ONEWAY_SPOKEN 2

struct oneway {
	u64 seen[ONEWAY_PLACES][ONEWAY_WATCHED]; /* packets, by second, as a ring */
	u32 place;				 /* the next one */
	bool started;
	bool noticed;
	char problem[160];
	u64 reported[ONEWAY_SPOKEN]; /* packets already spoken of */
	time_t spoken[ONEWAY_SPOKEN];
};

/* What the system says of a configured port. */
struct live_port {
	u32 attached; /* interface the program is on, 0: none */
	int mode;     /* enum kernel_mode there */
	be32 address; /* of the interface, 0: none */
	u8 prefix;
	bool present;
};

/* The pair of interfaces by which Linux sees a customer edge's tunnel: device.c */
struct device {
	u32 ifindex;
	u32 peer;
	u32 mtu;
	u8 mac[6];
	u8 peer_mac[6];
	bool made; /* by this process */
	bool up;   /* both ends */
	u32 rival; /* interface where the IPv4 default route leads in its place, 0: none */
};

#define DEVICE_ADDRESS 0xc0000002u /* 192.0.0.2 */
#define DEVICE_GATEWAY 0xc0000001u /* 192.0.0.1 */
#define DEVICE_ALIAS "portico "	   /* and the instance's name */

struct gateway {
	struct conf conf;
	struct kernel *kernel;
	bool adopted;
	bool stop;
	struct nl ask;		 /* requests and dumps */
	struct nl listen;	 /* changes of links, addresses, routes, neighbours */
	struct dp_config dp;	 /* as last written to the kernel */
	struct dp_tunnel tunnel; /* likewise, of a customer edge or border relay */
	struct device device;
	struct domain *domain;
	struct oneway oneway;
	u16 path_mtu; /* of the tunnel, as routers on the way have told; 0: they have not */
	time_t path_mtu_until;
	struct live_port live[DP_PORTS_MAX];
	struct neigh *neigh;
	struct slow *slow;
	struct gc *gc;
	struct sweep *sweep;
	time_t started;	   /* CLOCK_MONOTONIC, seconds */
	char problem[256]; /* what keeps packets from flowing, in words; "": nothing known */
};

/* live.c: from configuration and system to the packet path's configuration */
int live_start(struct gateway *g, struct err *err);
void live_refresh(struct gateway *g);
int live_config_write(struct gateway *g);

/* tunnel.c: the tunnel, and this router's addresses for it */
void tunnel_plan(const struct gateway *g, struct dp_config *dp, struct dp_tunnel *t);
/* The port where a customer edge's own traffic comes in, behind the configured ones. */
void tunnel_plan_self(const struct gateway *g, struct dp_config *dp, const struct dp_tunnel *t);
int tunnel_apply(struct gateway *g, const struct dp_tunnel *t);
void tunnel_undo(struct gateway *g); /* the addresses */
/* What a router on the tunnel's way can carry, bytes of IPv6 (RFC 8201, 4): believed for ten minutes. */
void tunnel_path_mtu(struct gateway *g, u32 mtu);
void tunnel_age(struct gateway *g);

/* device.c: the interface by which Linux sees the tunnel. Made, or found and completed. */
int device_open(struct gateway *g, const struct links *links, u32 mtu, struct err *err);
void device_remove(struct gateway *g);

/* problem.c: sets g->problem, and says what has changed of it */
void problem_look(struct gateway *g);

/* domain.c: the DHCPv6 file of a customer edge */
int domain_init(struct gateway *g);
void domain_exit(struct gateway *g);
/* Each second, and at start: reads the file if it has changed. Whether it has. */
bool domain_follow(struct gateway *g);
/* Why there is no domain. */
const char *domain_problem(const struct gateway *g);
/* What is wrong with a file that is not followed, in words; "": nothing. */
const char *domain_complaint(const struct gateway *g);

/* oneway.c: packets go out, none come back; and other things that only counters know */
void oneway_tick(struct gateway *g);
/* That in words, and what is likely wrong; "": it is not so. */
const char *oneway_problem(const struct gateway *g);

/* ports.c: what is noted of destinations (abi/flow.h) */
int ports_blank(struct gateway *g);
void ports_blank_make(const struct gateway *g, struct dest *blank);
bool ports_taken(const struct dest *d, u32 index);
void ports_note(struct dest *d, u32 index, bool taken);

/* follow.c: netlink messages */
int follow_open(struct gateway *g, struct err *err);
void follow_read(struct gateway *g);

/* neigh.c: the next-hop table */
int neigh_init(struct gateway *g);
void neigh_exit(struct gateway *g);
void neigh_sync(struct gateway *g);
int neigh_message(const struct nlmsghdr *message, void *gateway);
const struct nexthop *neigh_find(const struct gateway *g, const struct neighbour_key *key);
void neigh_resolve(struct gateway *g, const struct neighbour_key *key);
/* A neighbour that Linux need not know. Its index, 0 where there is no room. */
u16 neigh_keep(struct gateway *g, u32 port, be32 addr, const u8 mac[6]);
void neigh_used(struct gateway *g, u16 index);
void neigh_confirm(struct gateway *g);
u32 neigh_count(const struct gateway *g);

/* What has become of the packets that were handed up. */
struct slow_counts {
	u64 received;
	u64 held; /* for a neighbour, or the first fragment */
	u64 sent;
	u64 dropped;
	u64 cut; /* into fragments */
	u64 reassembled;
	u64 answered; /* with an ICMP error */
	u64 searched; /* for a port */
	u64 refused;  /* since there was none */
};

/* slow.c: the slow path; its parts are in slow.h */
int slow_init(struct gateway *g, struct err *err); /* returns the descriptor of the slow path's events */
void slow_exit(struct gateway *g);
void slow_read(struct gateway *g);
struct slow_counts slow_counts(const struct gateway *g);
void hold_release(struct gateway *g, const struct neighbour_key *key); /* the neighbour is known now */
void hold_age(struct gateway *g);				       /* each second */
int wait_fd(const struct gateway *g);
void wait_look(struct gateway *g); /* when that is readable */

/* gc.c: the collector of idle flows */
int gc_init(struct gateway *g);
void gc_exit(struct gateway *g);
void gc_tick(struct gateway *g);
void gc_flush(struct gateway *g);
u32 gc_count(struct gateway *g);

/* sweep.c: what a whole pass of the collector knows */
int sweep_init(struct gateway *g);
void sweep_exit(struct gateway *g);
void sweep_begin(struct gateway *g, u32 now);
void sweep_flow(struct gateway *g, const struct flow_key *key, const struct flow_half *half);
void sweep_map(struct gateway *g, const struct flow_key *key, const struct flow_half *half);
void sweep_port_free(struct gateway *g, const struct flow_key *in);
void sweep_end(struct gateway *g);
void sweep_abandon(struct gateway *g); /* before sweep_end(), of a pass that has not seen all */

/* control.c: the control socket */
int control_open(struct gateway *g, struct err *err); /* returns the listening descriptor */
void control_accept(struct gateway *g, int fd);

#endif
