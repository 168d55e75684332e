/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.c - opening the compiled programs of the load */
#include "object.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "abi/types.h"

static int failed(int rc, struct err *err)
{
	return err_set(err, rc, "loading the load generator: %s%s", strerror(-rc),
		       rc == -EPERM ? "; run as root" : "; it needs Linux 5.18 or newer (live frames)");
}

struct bpf_object *load_object_open(const unsigned char *from, const unsigned char *to, struct err *err)
{
	struct bpf_object *object = bpf_object__open_mem(from, (size_t)(to - from), NULL);

	if (!object)
		failed(-errno, err);
	return object;
}

int load_object_load(struct bpf_object *object, struct err *err)
{
	int rc = bpf_object__load(object);

	return rc ? failed(rc, err) : 0;
}

int load_object_prog(struct bpf_object *object, const char *name)
{
	return bpf_program__fd(bpf_object__find_program_by_name(object, name));
}

int load_object_map(struct bpf_object *object, const char *name)
{
	return bpf_object__find_map_fd_by_name(object, name);
}

/* Enters a namespace; returns a file descriptor of the one left, or -errno. */
static int enter(int ns, struct err *err)
{
	int back = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);

	if (back >= 0 && !setns(ns, CLONE_NEWNET))
		return back;
	err_set(err, -errno, "cannot enter the network namespace: %s; run as root", strerror(errno));
	if (back >= 0)
		close(back);
	return -EPERM;
}

static void leave(int back)
{
	setns(back, CLONE_NEWNET);
	close(back);
}

static int attach(int prog, unsigned int ifindex, u32 mode)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = mode);

	return bpf_link_create(prog, (int)ifindex, BPF_XDP, &opts);
}

int load_attach(int prog, int ns, unsigned int ifindex, struct err *err)
{
	int link, back = enter(ns, err);

	if (back < 0)
		return back;
	link = attach(prog, ifindex, XDP_FLAGS_DRV_MODE);
	if (link == -EOPNOTSUPP)
		link = attach(prog, ifindex, XDP_FLAGS_SKB_MODE);
	if (link < 0)
		err_set(err, link, "attaching to interface %u: %s%s", ifindex, strerror(-link),
			link == -EBUSY || link == -EEXIST ? "; another XDP program is there" : "");
	leave(back);
	return link;
}
