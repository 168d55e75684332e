/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slow.c - between packet path and daemon: frames handed up, frames run again */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "internal.h"

#define EVENT_PAGES 32 /* a CPU; at 4 KiB: about 80 full-size frames */

static void sample(void *arg, int cpu, void *data, u32 size)
{
	struct kernel *k = arg;
	struct dp_event event;

	(void)cpu;
	if (size < sizeof(event))
		return;
	memcpy(&event, data, sizeof(event));
	if (event.length > size - sizeof(event))
		return;
	k->handle(k->handle_arg, &event, (const u8 *)data + sizeof(event));
}

int kernel_events_open(struct kernel *k, kernel_event *handle, void *arg, struct err *err)
{
	k->handle = handle;
	k->handle_arg = arg;
	k->events = perf_buffer__new(k->map[MAP_EVENTS], EVENT_PAGES, sample, NULL, k, NULL);
	if (!k->events)
		return err_set(err, -errno, "opening the slow path's buffer: %s (CONFIG_PERF_EVENTS)", strerror(errno));
	return perf_buffer__epoll_fd(k->events);
}

void kernel_events_read(struct kernel *k)
{
	perf_buffer__consume(k->events);
}

int kernel_run(struct kernel *k, const void *frame, u32 size, u32 ifindex, struct kernel_result *result)
{
	struct xdp_md in = {.data_end = size, .ingress_ifindex = ifindex};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame, .data_size_in = size, .data_out = result->frame,
		    .data_size_out = sizeof(result->frame), .ctx_in = &in, .ctx_size_in = sizeof(in), .repeat = 1);

	if (bpf_prog_test_run_opts(k->prog, &opts))
		return -errno;
	result->length = opts.data_size_out;
	result->action = opts.retval;
	return 0;
}
