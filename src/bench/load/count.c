/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count.c - what the sinks expect and what they have counted */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dp/wire.h"
#include "inside.h"

#define SETTLE_STEP_NS 2000000
#define SETTLE_STEPS 100 /* without another packet: nothing more comes */
#define SETTLE_FIRST 10	 /* without another packet: what comes now is late */

static struct sink_way expected(const struct load *l, const struct load_plan *plan, enum load_way way)
{
	const struct load_path *path = &l->path;
	const struct load_end *end = way == LOAD_OUT ? &path->far : &path->near;
	struct sink_way w = {
		.tag = end->vid,
		.mark = load_mark(way, l->run),
		.outer = way == LOAD_OUT ? path->tunnelled : path->customers.sport != 0,
		.source = path->source,
		.mask = path->mask,
		.host_first = path->host_first,
		.dport = be16_of(load_dport(path)),
		.all = plan->all,
		.learn = plan->learn && way == LOAD_OUT,
		.delay = plan->delay,
	};

	memcpy(w.mac, end->mac, 6);
	return w;
}

int load_count_start(struct load *l, const struct load_plan *plan, struct err *err)
{
	size_t each = sizeof(struct sink_delay) > sizeof(struct sink_count) ? sizeof(struct sink_delay)
									    : sizeof(struct sink_count);
	void *zeros = calloc((size_t)l->cpus, each);
	int rc = zeros ? 0 : -ENOMEM;

	for (u32 way = 0; !rc && way < LOAD_WAYS; way++) {
		struct sink_way w = expected(l, plan, (enum load_way)way);

		if (bpf_map_update_elem(l->sink_count, &way, zeros, BPF_ANY) ||
		    (plan->delay && bpf_map_update_elem(l->sink_delay, &way, zeros, BPF_ANY)) ||
		    bpf_map_update_elem(l->sink_way, &way, &w, BPF_ANY))
			rc = -errno;
	}
	free(zeros);
	return rc ? err_set(err, rc, "setting up the sink: %s", strerror(-rc)) : 0;
}

/* All CPUs together. */
static void count_read(const struct load *l, enum load_way way, struct sink_count *sum)
{
	struct sink_count *each = calloc((size_t)l->cpus, sizeof(*each));
	u32 key = way;

	memset(sum, 0, sizeof(*sum));
	if (each && !bpf_map_lookup_elem(l->sink_count, &key, each)) {
		for (int i = 0; i < l->cpus; i++) {
			sum->packets += each[i].packets;
			sum->out_of_order += each[i].out_of_order;
			sum->foreign += each[i].foreign;
			sum->wrong += each[i].wrong;
			sum->last_packets += each[i].last_packets;
			if (each[i].last_ns > sum->last_ns)
				sum->last_ns = each[i].last_ns;
			if (each[i].foreign)
				sum->last_foreign = each[i].last_foreign;
			if (each[i].wrong)
				sum->last_wrong = each[i].last_wrong;
		}
	}
	free(each);
}

static u64 arrived(const struct sink_count *c)
{
	return c->packets + c->foreign + c->wrong;
}

/* Reads both ways; how many packets have come, and whether that is all of them. */
static u64 all_read(const struct load *l, const struct load_result *result, struct sink_count last[LOAD_WAYS],
		    bool *complete)
{
	u64 sum = 0;

	*complete = true;
	for (int way = 0; way < LOAD_WAYS; way++) {
		count_read(l, (enum load_way)way, &last[way]);
		sum += arrived(&last[way]);
		*complete &= arrived(&last[way]) >= result->way[way].sent;
	}
	return sum;
}

/* Packets may still be in a queue when the generators are done. */
void load_count_settle(const struct load *l, struct load_result *result, struct sink_count last[LOAD_WAYS])
{
	const struct timespec step = {.tv_nsec = SETTLE_STEP_NS};
	u64 in_time[LOAD_WAYS] = {0}, before = 0;
	bool complete, settled = false;

	for (int still = 0; still < SETTLE_STEPS; still++) {
		u64 sum = all_read(l, result, last, &complete);

		if (sum != before)
			still = 0;
		before = sum;
		if (!settled)
			for (int way = 0; way < LOAD_WAYS; way++)
				in_time[way] = last[way].packets;
		settled |= still >= SETTLE_FIRST;
		if (complete)
			break;
		nanosleep(&step, NULL);
	}
	for (int way = 0; way < LOAD_WAYS; way++) {
		struct load_count *c = &result->way[way];

		c->received = last[way].packets;
		c->out_of_order = last[way].out_of_order;
		c->late = last[way].packets - in_time[way];
		c->wrong = last[way].wrong;
		c->foreign = last[way].foreign;
	}
}

/* The middle of a step. */
static double step_ns(u32 step)
{
	u32 e = step >> DELAY_STEP_BITS;

	if (e < 2)
		return step;
	e--;
	return ((double)(step - (e << DELAY_STEP_BITS)) + 0.5) * (double)(1ULL << e);
}

/* What `part` of the packets did not take longer than. */
static double percentile(const struct sink_delay *d, u64 packets, double part)
{
	double wanted = part * (double)packets, ns = (double)d->longest;
	u64 seen = 0;

	for (u32 step = 0; step < DELAY_STEPS; step++) {
		seen += d->steps[step];
		if ((double)seen >= wanted) {
			ns = step_ns(step);
			break;
		}
	}
	if (ns < (double)d->shortest)
		return (double)d->shortest;
	return ns > (double)d->longest ? (double)d->longest : ns;
}

/* All CPUs together, in the first one's; returns how many packets. */
static u64 delays_sum(struct sink_delay *each, int cpus)
{
	u64 packets = 0;

	for (int i = 1; i < cpus; i++) {
		if (!each[i].longest)
			continue;
		if (!each->longest || each[i].shortest < each->shortest)
			each->shortest = each[i].shortest;
		if (each[i].longest > each->longest)
			each->longest = each[i].longest;
		for (u32 step = 0; step < DELAY_STEPS; step++)
			each->steps[step] += each[i].steps[step];
	}
	for (u32 step = 0; step < DELAY_STEPS; step++)
		packets += each->steps[step];
	return packets;
}

void load_delay_read(const struct load *l, enum load_way way, struct load_delay *delay)
{
	struct sink_delay *d = calloc((size_t)l->cpus, sizeof(*d));
	u32 key = way;

	*delay = (struct load_delay){0};
	if (d && !bpf_map_lookup_elem(l->sink_delay, &key, d)) {
		u64 packets = delays_sum(d, l->cpus);

		delay->packets = packets;
		delay->min = (double)d->shortest;
		delay->max = (double)d->longest;
		delay->p50 = percentile(d, packets, .5);
		delay->p90 = percentile(d, packets, .9);
		delay->p99 = percentile(d, packets, .99);
		delay->p999 = percentile(d, packets, .999);
		delay->pdv = delay->p999 - delay->min;
	}
	free(d);
}
