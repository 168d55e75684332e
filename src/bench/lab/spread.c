/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spread.c - a path receives what is generated on another CPU
 *
 * With threaded NAPI a device's receiving is a thread of the kernel, "napi/DEVICE-NUMBER": the one that comes into
 * being when it is switched on. Only the two ports that the generators' frames come in by have one. What happens behind
 * them happens on its CPU, in softirq, which divides the time finely: more threads there would have it in slices of
 * milliseconds, and lose what comes meanwhile.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

#define THREADS 256

/* The NAPI threads there are, ascending. Returns how many. */
static u32 threads_list(pid_t threads[THREADS])
{
	DIR *all = opendir("/proc");
	struct dirent *entry;
	char path[300], comm[64];
	u32 count = 0;

	while (all && (entry = readdir(all)) && count < THREADS) {
		FILE *f;

		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		f = fopen(path, "re");
		if (f && fgets(comm, sizeof(comm), f) && !strncmp(comm, "napi/", 5))
			threads[count++] = atoi(entry->d_name);
		if (f)
			fclose(f);
	}
	if (all)
		closedir(all);
	return count;
}

static bool among(const pid_t *threads, u32 count, pid_t pid)
{
	for (u32 i = 0; i < count; i++)
		if (threads[i] == pid)
			return true;
	return false;
}

/* As interrupts are: before whatever else runs there. */
static int threads_pin(u32 cpu, const pid_t *before, u32 nbefore, struct err *err)
{
	const struct sched_param first = {.sched_priority = 1};
	pid_t now[THREADS];
	u32 count = threads_list(now), pinned = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	for (u32 i = 0; i < count; i++) {
		if (among(before, nbefore, now[i]))
			continue;
		if (sched_setaffinity(now[i], sizeof(set), &set) || sched_setscheduler(now[i], SCHED_FIFO, &first))
			return err_set(err, -errno, "a device's receiving thread cannot be put on CPU %u: %s", cpu,
				       strerror(errno));
		pinned++;
	}
	return pinned ? 0 : err_set(err, -ENOTSUP, "this kernel has no threaded NAPI for the devices of the path");
}

static int port_spread(const struct path *p, u32 which, u32 cpu, struct err *err)
{
	const struct net_port *port = &p->plan.port[which];
	char line[128];
	struct hook h = {.what = p->net.name[port->place], .line = line, .ns = -1, .limit = 20};
	pid_t before[THREADS];
	u32 nbefore = threads_list(before);
	struct err cause;

	snprintf(line, sizeof(line), "echo 1 >/sys/class/net/%s/threaded", port->name);
	if (netns_shell(h.what, h, NULL, &cause))
		return err_set(err, -ENOTSUP,
			       "threaded NAPI cannot be switched on (Linux 5.12 and later have it): %.300s",
			       cause.text);
	return threads_pin(cpu, before, nbefore, err);
}

int path_spread(struct path *p, const u32 cpu[2], struct err *err)
{
	const struct topology *t = p->topology;
	int rc;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return err_set(err, -ENOTSUP,
			       "a router can be offered more than it forwards only where the generator has a "
			       "CPU of its own; this machine has one");
	if (t == &topology_wire)
		return 0; /* what forwards there is not on the generator's CPU, or is set up by hand */
	rc = port_spread(p, t->near.across, cpu[0], err);
	return rc || t->near.across == t->far.across ? rc : port_spread(p, t->far.across, cpu[1], err);
}
