/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - UDP at kernel speed through a path, counted at its ends */
#include "load.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dp/wire.h"
#include "inside.h"
#include "object.h"

#define RATE_MIN 10	  /* packets/s: longer the generator does not wait for a packet */
#define STEP_UNIT 65536e9 /* of gen_way.step in a second */

static int libbpf_silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static bool same_interface(const struct load_end *a, const struct load_end *b)
{
	struct stat x, y;

	return a->ifindex == b->ifindex && !fstat(a->ns, &x) && !fstat(b->ns, &y) && x.st_ino == y.st_ino &&
	       x.st_dev == y.st_dev;
}

static int sink_attach(struct load *l, struct err *err)
{
	int prog = load_object_prog(l->sink, "sink");

	l->link[0] = load_attach(prog, l->path.far.ns, l->path.far.ifindex, err);
	if (l->link[0] < 0)
		return l->link[0];
	if (same_interface(&l->path.near, &l->path.far))
		return 0;
	l->link[1] = load_attach(prog, l->path.near.ns, l->path.near.ifindex, err);
	return l->link[1] < 0 ? l->link[1] : 0;
}

/* Generator and sinks have one map of what was learned. */
static int objects_load(struct load *l, struct err *err)
{
	struct bpf_map *learned;
	int rc;

	l->sink = load_object_open(load_sink_object, load_sink_object_end, err);
	l->gen = l->sink ? load_object_open(load_gen_object, load_gen_object_end, err) : NULL;
	if (!l->gen)
		return -EIO;
	learned = bpf_object__find_map_by_name(l->sink, "learned");
	bpf_map__set_max_entries(learned, l->path.flows_max ? l->path.flows_max : 1);
	rc = load_object_load(l->sink, err);
	if (rc)
		return rc;
	rc = bpf_map__reuse_fd(bpf_object__find_map_by_name(l->gen, "learned"), bpf_map__fd(learned));
	return rc ? err_set(err, rc, "sharing a map: %s", strerror(-rc)) : load_object_load(l->gen, err);
}

struct load *load_open(const struct load_path *path, struct err *err)
{
	struct load *l = calloc(1, sizeof(*l));

	if (!l) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	libbpf_set_print(libbpf_silent);
	l->path = *path;
	l->link[0] = l->link[1] = -1;
	l->cpus = libbpf_num_possible_cpus();
	if (objects_load(l, err))
		goto fail;
	l->gen_way = load_object_map(l->gen, "gen_way");
	l->sink_way = load_object_map(l->sink, "sink_way");
	l->sink_count = load_object_map(l->sink, "sink_count");
	l->sink_delay = load_object_map(l->sink, "sink_delay");
	if (!sink_attach(l, err))
		return l;
fail:
	load_close(l);
	return NULL;
}

void load_close(struct load *l)
{
	if (!l)
		return;
	for (int i = 0; i < 2; i++)
		if (l->link[i] >= 0)
			close(l->link[i]);
	bpf_object__close(l->gen);
	bpf_object__close(l->sink);
	free(l);
}

u32 load_flows_max(u32 hosts)
{
	return hosts << LOAD_BLOCK_SHIFT;
}

static u32 common_divisor(u32 a, u32 b)
{
	while (b) {
		u32 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

u32 load_stride(u32 flows)
{
	u32 stride = (u32)(flows * 0.6180339887) | 1;

	while (stride > 1 && common_divisor(flows, stride) != 1)
		stride -= 2;
	return stride < flows ? stride : 0;
}

static int plan_check(const struct load *l, const struct load_plan *plan, struct err *err)
{
	if (!plan->flows || plan->flows > l->path.flows_max || plan->first >= plan->flows ||
	    plan->stride > plan->flows || !plan->packets)
		return err_set(err, -EINVAL, "a load of %u packets of %u flows from flow %u on cannot be made",
			       plan->packets, plan->flows, plan->first);
	if (plan->rate < 0 || (plan->rate > 0 && plan->rate < RATE_MIN))
		return err_set(err, -EINVAL, "a rate of %g packets/s cannot be kept; %d is the lowest", plan->rate,
			       RATE_MIN);
	return load_frame_check(l, plan, err);
}

static int way_start(const struct load *l, const struct load_plan *plan, enum load_way way, struct load_frame *frame,
		     struct err *err)
{
	const struct load_customers *c = &l->path.customers;
	struct gen_way gen = {
		.ifindex = load_sender(&l->path, way)->ifindex,
		.host_first = l->path.host_first,
		.remote_first = l->path.remote_first,
		.flow = plan->first,
		.stride = plan->stride,
		.flows = plan->flows,
		.spread = l->path.spread,
		.sport = c->sport,
		.packets = plan->packets,
		.dport = be16_of(load_dport(&l->path)),
		.delay = plan->delay,
		.step = plan->rate > 0 ? (u64)(STEP_UNIT / plan->rate) : 0,
	};
	u32 key = way;

	memcpy(gen.outer_source, c->source, sizeof(gen.outer_source));
	memcpy(gen.outer_step, c->step, sizeof(gen.outer_step));
	load_frame_make(l, plan, way, frame, &gen);
	if (bpf_map_update_elem(l->gen_way, &key, &gen, BPF_ANY))
		return err_set(err, -errno, "setting up the load: %s", strerror(errno));
	return 0;
}

static int generate(struct load *l, const struct load_plan *plan, struct err *err)
{
	struct load_frame frame[LOAD_WAYS];
	int rc = 0;

	l->run++;
	for (int way = 0; !rc && way < LOAD_WAYS; way++)
		if (load_goes(plan, (enum load_way)way))
			rc = way_start(l, plan, (enum load_way)way, &frame[way], err);
	if (!rc)
		rc = load_count_start(l, plan, err);
	return rc ? rc : load_generate(l, plan, frame, err);
}

/* What was sent is read before what was received: so no packet can be seen that was not sent. */
static int result_read(const struct load *l, const struct load_plan *plan, struct load_result *result, struct err *err)
{
	struct sink_count last[LOAD_WAYS];
	struct gen_way gen[LOAD_WAYS] = {0};
	int rc;

	for (u32 way = 0; way < LOAD_WAYS; way++) {
		if (!load_goes(plan, (enum load_way)way))
			continue;
		if (bpf_map_lookup_elem(l->gen_way, &way, &gen[way]))
			return err_set(err, -errno, "reading the generator: %s", strerror(errno));
		result->way[way].sent = gen[way].sent;
		result->way[way].seconds = (double)(gen[way].last_ns - gen[way].first_ns) / 1e9;
	}
	load_count_settle(l, result, last);
	for (int way = 0; way < LOAD_WAYS; way++) {
		if (last[way].last_packets)
			result->way[way].ns =
				(double)(last[way].last_ns - gen[way].first_ns) / (double)last[way].last_packets;
		if (plan->delay)
			load_delay_read(l, (enum load_way)way, &result->delay[way]);
	}
	rc = load_judge_unknown(&gen[LOAD_IN], err);
	return rc ? rc : load_judge(l, plan, result, last, err);
}

int load_run(struct load *l, const struct load_plan *plan, struct load_result *result, struct err *err)
{
	int rc = plan_check(l, plan, err);

	*result = (struct load_result){0};
	if (!rc)
		rc = generate(l, plan, err);
	return rc ? rc : result_read(l, plan, result, err);
}

int load_probe(struct load *l, u32 cpu, struct err *err)
{
	const struct load_plan one = {
		.way = LOAD_OUT, .flows = 1, .stride = 1, .packets = 1, .size = 64, .cpu = cpu, .all = true};
	struct load_result result;

	return load_run(l, &one, &result, err);
}
