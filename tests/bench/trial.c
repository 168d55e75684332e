/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - one trial: one kind of router, the load at three numbers of flows
 *
 * A stage is a fresh home whose router has tables of a size that fits: 65,536 flows for 1,000 and for 50,000, a million
 * for a million. Flows are opened in order; the measurement takes them far apart in time and place, so that neither the
 * caches nor the prefetcher know what comes. Nothing of a stage is left for the next one.
 */
#include "trial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/lab/conntrack.h"
#include "bench/load/load.h"

#define SMALL_TABLE 65536
#define LARGE_TABLE 1000000

const u32 trial_flows[TRIAL_SIZES] = {1000, 50000, LARGE_TABLE};

/* What a stage measures: trial_flows[first] to trial_flows[last]. */
struct stage {
	u32 table; /* flows */
	int first, last;
	const struct trial_plan *plan;
};

struct leftover {
	struct conntrack_room conntrack;
	int pid;
};

static void undo(void *arg)
{
	const struct leftover *left = arg;
	struct err ignored;

	conntrack_room_set(&left->conntrack, &ignored);
	router_undo(left->pid);
}

static struct load_path path_of(const struct net *h, enum router_kind kind)
{
	bool translated = kind != ROUTER_FLOOR;

	return (struct load_path){
		.near = router_end(h, HOME_PORT_HOST),
		.far = router_end(h, HOME_PORT_ISP),
		.host_first = HOME_HOST_FIRST,
		.remote_first = HOME_REMOTE_FIRST,
		.source = (be32)htonl(translated ? HOME_WAN_ADDRESS : HOME_HOST_FIRST & 0xffffff00),
		.mask = (be32)htonl(translated ? 0xffffffff : 0xffffff00),
		.flows_max = LARGE_TABLE,
	};
}

/* Kernel memory that cannot be given back on demand, bytes: what connection tracking takes is part of it. */
static double slab_bytes(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	unsigned long kib = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "SUnreclaim: %lu kB", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib * 1024.0;
}

static int measure(struct trial *t, struct load *l, const struct stage *stage, struct err *err)
{
	const struct trial_plan *plan = stage->plan;
	u32 open = 0;

	for (int i = stage->first; i <= stage->last; i++) {
		struct load_plan fill = {.flows = trial_flows[i],
					 .first = open,
					 .stride = 1,
					 .packets = trial_flows[i] - open,
					 .size = plan->size,
					 .cpu = plan->cpu};
		struct load_plan run = {.flows = trial_flows[i],
					.stride = load_stride(trial_flows[i]),
					.packets = plan->packets,
					.size = plan->size,
					.cpu = plan->cpu};
		struct load_result filled, result;
		int rc;

		if ((rc = load_run(l, &fill, &filled, err)) || (rc = load_run(l, &run, &result, err)))
			return rc;
		open = trial_flows[i];
		t->ns[i] = result.way[LOAD_OUT].ns;
		t->new_ns = filled.way[LOAD_OUT].ns;
	}
	return 0;
}

static int probe(const struct net *h, const struct router *r, struct load *l, u32 cpu, struct err *err)
{
	int rc = load_probe(l, cpu, err);
	struct err cause = *err;
	char trace[300];

	if (!rc)
		return 0;
	net_trace(h, trace, sizeof(trace));
	return err_set(err, rc, "%s: the probe packet did not come through: %.200s. Packets on the way: %s",
		       router_names[r->kind], cause.text, trace);
}

/* Memory is that of the last stage. */
static int run_load(struct trial *t, const struct net *h, const struct router *r, const struct stage *stage,
		    struct err *err)
{
	struct load_path path = path_of(h, r->kind);
	struct load *l = load_open(&path, err);
	double slab = slab_bytes();
	u32 capacity = 0;
	u64 memory;
	int rc;

	if (!l)
		return -EIO;
	rc = probe(h, r, l, stage->plan->cpu, err);
	if (!rc)
		rc = measure(t, l, stage, err);
	memory = router_memory(r, &capacity);
	if (memory)
		t->memory = (double)memory / capacity;
	else if (r->kind == ROUTER_NFTABLES)
		t->memory = (slab_bytes() - slab) / trial_flows[stage->last];
	load_close(l);
	return rc;
}

static int stage_run(struct trial *t, enum router_kind kind, const struct stage *stage, struct err *err)
{
	struct leftover left = {.pid = getpid()};
	struct router router;
	struct net home;
	int rc = conntrack_room_get(&left.conntrack, err);

	if (!rc)
		rc = home_open(&home, undo, &left, err);
	if (rc)
		return rc;
	rc = conntrack_room_widen(&left.conntrack, stage->table, err);
	if (!rc)
		rc = router_start(&router, kind, &home, stage->table, err);
	if (!rc) {
		rc = run_load(t, &home, &router, stage, err);
		router_stop(&router);
	}
	net_close(&home);
	return rc;
}

int trial_run(struct trial *t, enum router_kind kind, const struct trial_plan *plan, struct err *err)
{
	const struct stage small = {SMALL_TABLE, 0, 1, plan}, large = {LARGE_TABLE, 2, 2, plan};
	int rc;

	memset(t, 0, sizeof(*t));
	rc = stage_run(t, kind, &small, err);
	return rc ? rc : stage_run(t, kind, &large, err);
}
