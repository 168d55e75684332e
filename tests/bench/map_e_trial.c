/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_trial.c - one trial of MAP-E: a fresh home, one kind of router, one load
 *
 * Most kinds are about time: flows are opened in order, then measured far apart. A full set is about what gets through.
 * A crowded set is about new flows: with CROWD_TAKEN of the 1008 ports towards each of CROWD destinations taken, the
 * next CROWD_NEW flows to each are timed; then, in the same tables, as many to other destinations that have CROWD_FIRST
 * each. Every flow is a socket of its own.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "map_e.h"
#include "router.h"

#define CROWD 400 /* destinations */
#define CROWD_TAKEN 992
#define CROWD_NEW 8
#define CROWD_FIRST 8

const char *const map_e_names[MAP_E_KINDS] = {
	[MAP_E_FLOOR] = "bare redirect",
	[MAP_E_NAT44] = "NAT44",
	[MAP_E_EDGE] = "MAP-E edge",
	[MAP_E_RANGES] = "nftables, 63 ranges, 500 destinations",
	[MAP_E_EDGE_SPREAD] = "MAP-E edge, 500 destinations",
	[MAP_E_FLOOR_ENCAP] = "bare redirect, from the internet",
	[MAP_E_RELAY_ENCAP] = "MAP-E relay, encapsulation",
	[MAP_E_FLOOR_DECAP] = "bare redirect, from customers",
	[MAP_E_RELAY_DECAP] = "MAP-E relay, decapsulation",
	[MAP_E_EDGE_FULL] = "MAP-E edge, 5,000 flows to 5 destinations",
	[MAP_E_RANGES_FULL] = "nftables, 5,000 flows to 5 destinations",
	[MAP_E_EDGE_CROWDED] = "MAP-E edge, new flows, 99 % of ports taken",
};

enum from {
	FROM_HOME,
	FROM_INTERNET,
	FROM_CUSTOMERS,
};

static const struct kind_plan {
	u32 flows, spread;
	enum from from;
	bool tunnelled; /* at the far end */
	u32 source;	/* at the far end, and its mask */
	u32 mask;
} plans[MAP_E_KINDS] = {
	[MAP_E_FLOOR] = {1000, 0, FROM_HOME, false, 0xc0a80100, 0xffffff00},
	[MAP_E_NAT44] = {1000, 0, FROM_HOME, false, HOME_WAN_ADDRESS, 0xffffffff},
	[MAP_E_EDGE] = {1000, 0, FROM_HOME, true, MAP_E_SHARED_ADDRESS, 0xffffffff},
	[MAP_E_RANGES] = {500, 500, FROM_HOME, false, MAP_E_SHARED_ADDRESS, 0xffffffff},
	[MAP_E_EDGE_SPREAD] = {500, 500, FROM_HOME, true, MAP_E_SHARED_ADDRESS, 0xffffffff},
	[MAP_E_FLOOR_ENCAP] = {1000, MAP_E_CUSTOMERS, FROM_INTERNET, false, 0xc6336400, 0xffffff00},
	[MAP_E_RELAY_ENCAP] = {1000, MAP_E_CUSTOMERS, FROM_INTERNET, true, 0xc6336400, 0xffffff00},
	[MAP_E_FLOOR_DECAP] = {1000, MAP_E_CUSTOMERS, FROM_CUSTOMERS, true, 0xc0000200, 0xffffff00},
	[MAP_E_RELAY_DECAP] = {1000, MAP_E_CUSTOMERS, FROM_CUSTOMERS, false, 0xc0000200, 0xffffff00},
	[MAP_E_EDGE_FULL] = {5000, 5, FROM_HOME, true, MAP_E_SHARED_ADDRESS, 0xffffffff},
	[MAP_E_RANGES_FULL] = {5000, 5, FROM_HOME, false, MAP_E_SHARED_ADDRESS, 0xffffffff},
	[MAP_E_EDGE_CROWDED] = {0, CROWD, FROM_HOME, true, MAP_E_SHARED_ADDRESS, 0xffffffff},
};

static void undo(void *arg)
{
	router_undo(*(int *)arg);
}

static bool portico(enum map_e_kind kind)
{
	switch (kind) {
	case MAP_E_FLOOR:
	case MAP_E_FLOOR_ENCAP:
	case MAP_E_FLOOR_DECAP:
	case MAP_E_RANGES:
	case MAP_E_RANGES_FULL:
		return false;
	default:
		return true;
	}
}

static struct load_path path_of(const struct net *h, const struct kind_plan *plan)
{
	bool inward = plan->from == FROM_INTERNET;
	struct load_path path = {
		.near = router_end(h, inward ? HOME_PORT_ISP : HOME_PORT_HOST),
		.far = router_end(h, inward ? HOME_PORT_HOST : HOME_PORT_ISP),
		.host_first = inward ? HOME_REMOTE_FIRST : HOME_HOST_FIRST,
		.remote_first = inward ? 0xc0000201U : HOME_REMOTE_FIRST,
		.source = (be32)htonl(plan->source),
		.mask = (be32)htonl(plan->mask),
		.spread = plan->spread,
		.dport = inward ? MAP_E_PORT : 0,
		.tunnelled = plan->tunnelled,
		.flows_max = plan->flows ? plan->flows : CROWD * (CROWD_TAKEN + 2 * CROWD_NEW + CROWD_FIRST),
	};

	if (plan->from == FROM_CUSTOMERS) {
		path.customers = map_e_customers();
		path.host_first = 0xc0000201U;
	}
	return path;
}

/* New flows, in order: `n` of them from `first` on. */
static struct load_plan opening(const struct trial_plan *plan, u32 first, u32 n)
{
	return (struct load_plan){
		.flows = first + n, .first = first, .stride = 1, .packets = n, .size = plan->size, .cpu = plan->cpu};
}

static int flows_open(struct load *l, const struct load_plan *plan, struct map_e_trial *t, struct err *err)
{
	struct load_result result = {0};
	int rc = load_run(l, plan, &result, err);

	t->sent += result.way[LOAD_OUT].sent;
	t->received += result.way[LOAD_OUT].received;
	t->ns = result.way[LOAD_OUT].ns;
	return rc;
}

/* Opens flows to prepare, then those whose time t->ns is. */
static int crowd_open(const struct load_path *path, const struct load_plan steps[2], struct map_e_trial *t,
		      struct err *err)
{
	struct load *l = load_open(path, err);
	int rc;

	if (!l)
		return -EIO;
	rc = flows_open(l, &steps[0], t, err);
	if (!rc)
		rc = flows_open(l, &steps[1], t, err);
	load_close(l);
	return rc;
}

static int crowd_measure(struct load_path *path, const struct trial_plan *plan, struct map_e_trial *t, struct err *err)
{
	u32 full = CROWD * CROWD_TAKEN, other = full + CROWD * CROWD_NEW;
	const struct load_plan crowded[2] = {opening(plan, 0, full), opening(plan, full, CROWD * CROWD_NEW)};
	const struct load_plan empty[2] = {opening(plan, other, CROWD * CROWD_FIRST),
					   opening(plan, other + CROWD * CROWD_FIRST, CROWD * CROWD_NEW)};
	double full_ns;
	int rc = crowd_open(path, crowded, t, err);

	if (rc)
		return rc;
	full_ns = t->ns;
	path->remote_first += CROWD;
	rc = crowd_open(path, empty, t, err);
	t->empty_ns = t->ns;
	t->ns = full_ns;
	return rc;
}

static int measure(struct load *l, enum map_e_kind kind, const struct trial_plan *plan, struct map_e_trial *t,
		   struct err *err)
{
	u32 flows = plans[kind].flows;
	struct load_plan fill = opening(plan, 0, flows);
	struct load_plan run = {.flows = flows,
				.stride = load_stride(flows),
				.packets = plan->packets,
				.size = plan->size,
				.cpu = plan->cpu};
	struct load_result result = {0};
	int rc = load_probe(l, plan->cpu, err);

	if (!rc)
		rc = flows_open(l, &fill, t, err);
	if (kind == MAP_E_EDGE_FULL || kind == MAP_E_RANGES_FULL)
		return rc == -ENOBUFS ? 0 : rc; /* that is what it is about */
	if (!rc)
		rc = load_run(l, &run, &result, err);
	t->ns = result.way[LOAD_OUT].ns;
	return rc;
}

static int run_load(struct net *h, enum map_e_kind kind, const struct trial_plan *plan, struct map_e_trial *t,
		    struct err *err)
{
	struct load_path path = path_of(h, &plans[kind]);
	struct err cause;
	struct load *l;
	char trace[300];
	int rc;

	if (kind == MAP_E_EDGE_CROWDED) {
		rc = crowd_measure(&path, plan, t, err);
	} else {
		l = load_open(&path, err);
		rc = l ? measure(l, kind, plan, t, err) : -EIO;
		load_close(l);
	}
	if (!rc)
		return 0;
	cause = *err;
	net_trace(h, trace, sizeof(trace));
	return err_set(err, rc, "%s: %.200s. Packets on the way: %s", map_e_names[kind], cause.text, trace);
}

/* What Portico's own counters say of flows that got no port. */
static int counters_read(struct map_e_trial *t, struct err *err)
{
	struct dp_counter counters[REASON_COUNT];
	struct kernel *k;
	char name[32];
	int rc;

	snprintf(name, sizeof(name), "bench-%d", getpid());
	k = kernel_peek(name, err);
	if (!k)
		return -EIO;
	rc = kernel_counters(k, counters);
	kernel_close(k);
	if (rc)
		return err_set(err, rc, "reading the counters: %s", strerror(-rc));
	t->refused = counters[REASON_DROP_NO_PORT].packets + counters[REASON_DROP_SHARE].packets +
		     counters[REASON_DROP_TABLE_FULL].packets;
	t->slow = counters[REASON_SLOW_NO_PORT].packets;
	return 0;
}

int map_e_trial_run(struct map_e_trial *t, enum map_e_kind kind, const struct trial_plan *plan, struct err *err)
{
	struct load_floor *floor = NULL;
	int pid = getpid(), rc;
	struct net h;

	memset(t, 0, sizeof(*t));
	rc = home_open(&h, undo, &pid, err);
	if (rc)
		return rc;
	rc = map_e_router_up(&h, kind, &floor, err);
	if (!rc)
		rc = run_load(&h, kind, plan, t, err);
	if (!rc && portico(kind))
		rc = counters_read(t, err);
	load_floor_close(floor);
	if (portico(kind))
		router_undo(pid);
	net_close(&h);
	return rc;
}
