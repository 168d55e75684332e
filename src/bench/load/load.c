/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - UDP at kernel speed through a path, counted at its far end */
#include "load.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dp/csum.h"
#include "dp/wire.h"
#include "object.h"
#include "state.h"

#define FRAME_MIN 60 /* without the frame check sequence */
#define FRAME_MAX 1514
#define FRAME_CHECK 4
#define LIVE_BATCH 64 /* frames that the kernel makes at once */
#define SETTLE_STEP_NS 2000000
#define SETTLE_STEPS 100 /* without another packet: nothing more comes */

struct load {
	struct load_path path;
	struct bpf_object *gen, *sink;
	int sink_link;
	int gen_prog, gen_map, sink_map;
	int cpus;
};

static int libbpf_silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static u16 dport_of(const struct load *l)
{
	return l->path.dport ? l->path.dport : LOAD_PORT_SINK;
}

static int sink_open(struct load *l, struct err *err)
{
	struct sink_want want = {.source = l->path.source,
				 .mask = l->path.mask,
				 .dport = be16_of(dport_of(l)),
				 .outer = l->path.tunnelled ? LOAD_OUTER : 0};
	u32 zero = 0;

	l->sink = load_object(load_sink_object, load_sink_object_end, err);
	if (!l->sink)
		return -EIO;
	l->sink_map = load_object_map(l->sink, "sink_state");
	if (bpf_map_update_elem(load_object_map(l->sink, "sink_want"), &zero, &want, BPF_ANY))
		return err_set(err, -errno, "setting up the sink: %s", strerror(errno));
	l->sink_link = load_attach(load_object_prog(l->sink, "sink"), l->path.to_ns, l->path.to_ifindex, err);
	return l->sink_link < 0 ? l->sink_link : 0;
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
	l->sink_link = -1;
	l->cpus = libbpf_num_possible_cpus();
	l->gen = load_object(load_gen_object, load_gen_object_end, err);
	if (!l->gen || sink_open(l, err)) {
		load_close(l);
		return NULL;
	}
	l->gen_prog = load_object_prog(l->gen, path->customers.sport ? "gen_tunnel" : "gen");
	l->gen_map = load_object_map(l->gen, "gen_state");
	return l;
}

void load_close(struct load *l)
{
	if (!l)
		return;
	if (l->sink_link >= 0)
		close(l->sink_link);
	bpf_object__close(l->sink);
	bpf_object__close(l->gen);
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

/* Bytes in front of the IPv4 header, behind Ethernet's. */
static u32 outer_of(const struct load *l)
{
	return l->path.customers.sport ? LOAD_OUTER : 0;
}

static void outer_make(const struct load_customers *c, u32 payload, struct ipv6_hdr *outer)
{
	outer->version_class_label = be32_of(6U << 28);
	outer->payload_length = be16_of((u16)payload);
	outer->next = PROTO_IPV4;
	outer->hop_limit = 64;
	for (u32 i = 0; i < 4; i++)
		outer->daddr[i] = be32_of(c->destination[i]);
}

/* The frame that the generator varies: source addresses and port, destination and IPv4 checksum are its own. */
static void frame_make(const struct load *l, u32 length, u8 *frame)
{
	u32 front = sizeof(struct eth_hdr) + outer_of(l);
	struct eth_hdr *eth = (struct eth_hdr *)frame;
	struct ipv4_hdr *ip = (struct ipv4_hdr *)(frame + front);
	struct udp_hdr *udp = (struct udp_hdr *)(ip + 1);

	memset(frame, 0, length);
	memcpy(eth->dst, l->path.dmac, 6);
	memcpy(eth->src, l->path.smac, 6);
	eth->type = be16_of(outer_of(l) ? ETH_TYPE_IPV6 : ETH_TYPE_IPV4);
	if (outer_of(l))
		outer_make(&l->path.customers, length - front, (struct ipv6_hdr *)(eth + 1));
	ip->version_ihl = 0x45;
	ip->ttl = 64;
	ip->proto = PROTO_UDP;
	ip->total_length = be16_of((u16)(length - front));
	udp->dport = be16_of(dport_of(l));
	udp->length = be16_of((u16)(length - front - sizeof(*ip)));
}

static int state_set(const struct load *l, const struct load_plan *plan, const u8 *frame)
{
	struct gen_state state = {
		.ifindex = l->path.from_ifindex,
		.host_first = l->path.host_first,
		.remote_first = l->path.remote_first,
		.ip_sum = csum_words(frame + sizeof(struct eth_hdr) + outer_of(l), sizeof(struct ipv4_hdr) / 2),
		.flow = plan->first,
		.stride = plan->stride,
		.flows = plan->flows,
		.spread = l->path.spread,
		.sport = l->path.customers.sport,
	};
	struct sink_state *zeros = calloc((size_t)l->cpus, sizeof(*zeros));
	u32 zero = 0;
	int rc;

	if (!zeros)
		return -ENOMEM;
	memcpy(state.header, frame, outer_of(l) + LOAD_HEADER);
	memcpy(state.outer_source, l->path.customers.source, sizeof(state.outer_source));
	memcpy(state.outer_step, l->path.customers.step, sizeof(state.outer_step));
	rc = bpf_map_update_elem(l->gen_map, &zero, &state, BPF_ANY);
	if (!rc)
		rc = bpf_map_update_elem(l->sink_map, &zero, zeros, BPF_ANY);
	free(zeros);
	return rc ? -errno : 0;
}

/* The sink's sums over all CPUs; the clock of the path's CPU. */
static void sink_read(const struct load *l, struct sink_state *sum)
{
	struct sink_state *each = calloc((size_t)l->cpus, sizeof(*each));
	u32 zero = 0;

	memset(sum, 0, sizeof(*sum));
	if (each && !bpf_map_lookup_elem(l->sink_map, &zero, each)) {
		*sum = each[l->path.cpu];
		for (int i = 0; i < l->cpus; i++) {
			if (i == (int)l->path.cpu)
				continue;
			sum->packets += each[i].packets;
			sum->foreign += each[i].foreign;
			sum->other += each[i].other;
			if (each[i].foreign)
				sum->foreign_source = each[i].foreign_source;
		}
	}
	free(each);
}

/* Packets may still be in a queue when the generator is done. */
static void sink_settle(const struct load *l, u64 sent, struct sink_state *sum)
{
	const struct timespec step = {.tv_nsec = SETTLE_STEP_NS};
	u64 before = 0;

	for (int still = 0; still < SETTLE_STEPS; still++) {
		sink_read(l, sum);
		if (sum->packets + sum->foreign >= sent)
			return;
		if (sum->packets != before)
			still = 0;
		before = sum->packets;
		nanosleep(&step, NULL);
	}
}

/* Puts the process ahead of everything else, within its session and (autogroup) among sessions. Both are wishes. */
static void hurry(void)
{
	FILE *f;

	setsid();
	f = fopen("/proc/self/autogroup", "we");
	if (f) {
		fputs("-20", f);
		fclose(f);
	}
	setpriority(PRIO_PROCESS, 0, -20);
}

/* In a process of its own, which goes with its parent: never returns. Generator, devices and sink are on one CPU, as
 * what a packet wakes runs where it was sent; the clock on the wall would count what others do there in between. */
static void generate_here(const struct load *l, struct bpf_test_run_opts *opts)
{
	cpu_set_t one;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	hurry();
	CPU_ZERO(&one);
	CPU_SET(l->path.cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) || setns(l->path.from_ns, CLONE_NEWNET) ||
	    bpf_prog_test_run_opts(l->gen_prog, opts))
		_exit(errno);
	_exit(0);
}

static int generate(struct load *l, u32 packets, u8 *frame, u32 length, struct err *err)
{
	struct xdp_md ctx = {.data_end = length, .ingress_ifindex = l->path.from_ifindex};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame, .data_size_in = length, .ctx_in = &ctx,
		    .ctx_size_in = sizeof(ctx), .repeat = (int)packets, .flags = BPF_F_TEST_XDP_LIVE_FRAMES,
		    .batch_size = packets < LIVE_BATCH ? packets : LIVE_BATCH);
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (!child)
		generate_here(l, &opts);
	if (child < 0)
		return err_set(err, -errno, "cannot start the load generator: %s", strerror(errno));
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, -errno, "lost the load generator: %s", strerror(errno));
	if (!WIFEXITED(status))
		return err_set(err, -EINTR, "the load generator was killed");
	if (!WEXITSTATUS(status))
		return 0;
	return err_set(err, -WEXITSTATUS(status), "the load generator stopped: %s", strerror(WEXITSTATUS(status)));
}

static int judge(const struct load *l, u64 sent, const struct sink_state *sum, struct err *err)
{
	struct in_addr source = {.s_addr = (PORTICO_FORCE in_addr_t)sum->foreign_source};
	struct in_addr want = {.s_addr = (PORTICO_FORCE in_addr_t)l->path.source};
	char text[INET_ADDRSTRLEN];

	if (sum->foreign) {
		snprintf(text, sizeof(text), "%s", inet_ntoa(source));
		return err_set(err, -ENETUNREACH, "%llu of %llu packets came out with source %s instead of %s",
			       sum->foreign, sent, text, inet_ntoa(want));
	}
	if (sum->packets > sent)
		return err_set(err, -ERANGE, "%llu packets received, only %llu sent", sum->packets, sent);
	if (sent - sum->packets > sent / 1000)
		return err_set(err, -ENOBUFS, "%llu of %llu packets got lost", sent - sum->packets, sent);
	return 0;
}

int load_run(struct load *l, const struct load_plan *plan, struct load_result *result, struct err *err)
{
	u32 length = plan->size - FRAME_CHECK + outer_of(l), zero = 0;
	struct sink_state sum;
	struct gen_state state;
	u8 memory[2 + FRAME_MAX] __attribute__((aligned(4))), *frame = memory + 2; /* as dp/wire.h has it */
	int rc;

	if (plan->size < FRAME_MIN + FRAME_CHECK || length > FRAME_MAX || !plan->flows || plan->stride > plan->flows ||
	    (outer_of(l) && !l->path.spread))
		return err_set(err, -EINVAL, "a load of %u flows in frames of %u bytes cannot be made", plan->flows,
			       plan->size);
	frame_make(l, length, frame);
	rc = state_set(l, plan, frame);
	if (rc)
		return err_set(err, rc, "setting up the load: %s", strerror(-rc));
	rc = generate(l, plan->packets, frame, length, err);
	if (rc)
		return rc;
	if (bpf_map_lookup_elem(l->gen_map, &zero, &state))
		return err_set(err, -errno, "reading the generator: %s", strerror(errno));
	sink_settle(l, state.sent, &sum);
	result->sent = state.sent;
	result->received = sum.packets;
	result->ns = sum.last_packets ? (double)(sum.last_ns - state.first_ns) / (double)sum.last_packets : 0;
	return judge(l, state.sent, &sum, err);
}

int load_probe(struct load *l, struct err *err)
{
	const struct load_plan one = {.flows = 1, .stride = 1, .packets = 1, .size = 64};
	struct load_result result;

	return load_run(l, &one, &result, err);
}
