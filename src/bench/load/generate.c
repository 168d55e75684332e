/* SPDX-License-Identifier: GPL-2.0-or-later */
/* generate.c - runs the generator's programs, each way in a process of its own
 *
 * Generator, devices and sink of a way are on one CPU, as what a packet wakes runs where it was sent.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"
#include "object.h"

#define BATCH_MAX 64 /* frames that the kernel makes at once, and sends only then */
#define BATCH_S 20e-6
#define BATCH_DELAY_S 2e-6 /* waiting for the batch must not be much of the delay */

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

/* In a process of its own, which goes with its parent: never returns. */
static void generate_here(int prog, const struct load_end *end, u32 cpu, struct bpf_test_run_opts *opts)
{
	cpu_set_t one;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	hurry();
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) || setns(end->ns, CLONE_NEWNET) ||
	    bpf_prog_test_run_opts(prog, opts))
		_exit(errno);
	_exit(0);
}

static u32 batch_of(const struct load_plan *plan)
{
	double batch = plan->rate > 0 ? plan->rate * (plan->delay ? BATCH_DELAY_S : BATCH_S) : BATCH_MAX;

	if (batch > plan->packets)
		batch = plan->packets;
	return batch < 1 ? 1 : batch > BATCH_MAX ? BATCH_MAX : (u32)batch;
}

/* Both ways at once take a CPU each, if they have queues of their own or leave each other time. */
static u32 cpu_of(const struct load *l, const struct load_plan *plan, enum load_way way)
{
	u32 cpus = (u32)sysconf(_SC_NPROCESSORS_ONLN);

	if (plan->way != LOAD_BOTH || way == LOAD_OUT || (l->link[1] < 0 && plan->rate <= 0))
		return plan->cpu;
	return plan->cpu ? plan->cpu - 1 : cpus - 1;
}

static int prog_of(const struct load *l, enum load_way way)
{
	bool tagged = load_sender(&l->path, way)->vid;

	if (way == LOAD_IN)
		return load_object_prog(l->gen, tagged ? "in_tagged" : "in");
	if (l->path.customers.sport)
		return load_object_prog(l->gen, "out_tunnelled");
	return load_object_prog(l->gen, tagged ? "out_tagged" : "out");
}

static pid_t start(const struct load *l, const struct load_plan *plan, enum load_way way,
		   const struct load_frame *frame, struct err *err)
{
	const struct load_end *end = load_sender(&l->path, way);
	struct xdp_md ctx = {.data_end = frame->length, .ingress_ifindex = end->ifindex};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame->data, .data_size_in = frame->length, .ctx_in = &ctx,
		    .ctx_size_in = sizeof(ctx), .repeat = (int)plan->packets, .flags = BPF_F_TEST_XDP_LIVE_FRAMES,
		    .batch_size = batch_of(plan));
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		generate_here(prog_of(l, way), end, cpu_of(l, plan, way), &opts);
	if (child < 0)
		return err_set(err, -errno, "cannot start the load generator: %s", strerror(errno));
	return child;
}

static int end_wait(pid_t child, struct err *err)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, -errno, "lost the load generator: %s", strerror(errno));
	if (!WIFEXITED(status))
		return err_set(err, -EINTR, "the load generator was killed");
	if (!WEXITSTATUS(status))
		return 0;
	return err_set(err, -WEXITSTATUS(status), "the load generator stopped: %s", strerror(WEXITSTATUS(status)));
}

int load_generate(struct load *l, const struct load_plan *plan, const struct load_frame frame[LOAD_WAYS],
		  struct err *err)
{
	pid_t child[LOAD_WAYS] = {0};
	struct err ignored;
	int rc = 0;

	for (int way = 0; !rc && way < LOAD_WAYS; way++) {
		if (load_goes(plan, (enum load_way)way))
			child[way] = start(l, plan, (enum load_way)way, &frame[way], err);
		rc = child[way] < 0 ? child[way] : 0;
	}
	for (int way = 0; way < LOAD_WAYS; way++) {
		int ended = child[way] > 0 ? end_wait(child[way], rc ? &ignored : err) : 0;

		rc = rc ? rc : ended;
	}
	return rc;
}
