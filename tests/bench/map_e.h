/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e.h - the parts of portico-bench-map-e: kinds of trials, routers, figures */
#ifndef PORTICO_TESTS_BENCH_MAP_E_H
#define PORTICO_TESTS_BENCH_MAP_E_H

#include <stdbool.h>

#include "bench/lab/home.h"
#include "bench/load/load.h"
#include "figure.h"
#include "lib/err.h"
#include "trial.h"

#define MAP_E_SHARED_ADDRESS 0xc0000286U /* 192.0.2.134, of which the edge has the ports of PSID 44 */
#define MAP_E_CUSTOMERS 250		 /* of the relay, 192.0.2.1 and on */
#define MAP_E_PORT 1728			 /* the first port of PSID 44 */

/* Each kind and what it is compared with stand side by side. */
enum map_e_kind {
	MAP_E_FLOOR,
	MAP_E_NAT44,
	MAP_E_EDGE,
	MAP_E_RANGES,	   /* nftables with 63 ranges, no tunnel */
	MAP_E_EDGE_SPREAD, /* to as many destinations */
	MAP_E_FLOOR_ENCAP,
	MAP_E_RELAY_ENCAP,
	MAP_E_FLOOR_DECAP,
	MAP_E_RELAY_DECAP,
	MAP_E_EDGE_FULL, /* 5,000 flows to 5 destinations */
	MAP_E_RANGES_FULL,
	MAP_E_EDGE_CROWDED, /* new flows where 99 % of the ports are taken */
	MAP_E_KINDS
};

extern const char *const map_e_names[MAP_E_KINDS];

struct map_e_trial {
	double ns;	 /* wall, a packet */
	double empty_ns; /* of a crowded set: a new flow where 1 % is taken; else 0 */
	u64 sent, received;
	u64 refused; /* by Portico's counters: no port, the host's share, table full */
	u64 slow;    /* handed to the daemon to look at all ports */
};

/* Nanoseconds a new flow takes the packet core in process. */
struct map_e_ports {
	double full; /* 99 % of the ports towards the destination taken */
	double empty;
};

struct map_e_round {
	struct map_e_trial trial[MAP_E_KINDS];
	struct map_e_ports ports;
};

/* Runs a trial in a fresh home; 0, or -errno and nothing is left. */
int map_e_trial_run(struct map_e_trial *t, enum map_e_kind kind, const struct trial_plan *plan, struct err *err);

/* Makes the home's router one of the kinds. *floor is the redirect of a bare one, else NULL. */
int map_e_router_up(struct net *h, enum map_e_kind kind, struct load_floor **floor, struct err *err);

/* The relay's customers as the load's sources. */
struct load_customers map_e_customers(void);

/* In process: 0, or -ENOMEM or -ENOSPC (a flow was refused). */
int map_e_ports_measure(struct map_e_ports *p, struct err *err);

/* Fills `figures` (FIGURES_MAX of them) from `n` rounds; returns how many. `core`: with those in process. */
int map_e_figures_make(struct figure *figures, const struct map_e_round *rounds, int n, bool core);

#endif
