/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attach.c - the program on its interfaces: attach, swap, detach
 *
 * An attachment is a BPF link pinned as link-IFINDEX, and a program is swapped inside the link without a packet in
 * between. The kernel detaches some time after the pin has gone; so the link is detached first, to have it done. The
 * link of an interface that has gone stays as a pin without an interface; it is replaced when its index is used again.
 */
#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static void link_path(const struct kernel *k, u32 ifindex, char *path)
{
	char item[32];

	snprintf(item, sizeof(item), KERNEL_LINK_PREFIX "%u", ifindex);
	kernel_path(path, k->dir, item);
}

/* The pinned link, if it still has its interface; a dead pin is removed. */
static int link_open(const struct kernel *k, u32 ifindex)
{
	struct bpf_link_info info = {0};
	u32 size = sizeof(info);
	char path[KERNEL_PATH_MAX];
	int fd;

	link_path(k, ifindex, path);
	fd = bpf_obj_get(path);
	if (fd < 0)
		return -errno;
	if (bpf_obj_get_info_by_fd(fd, &info, &size) || info.xdp.ifindex != ifindex) {
		close(fd);
		unlink(path);
		return -ENOENT;
	}
	return fd;
}

static const char *name_of(u32 ifindex, char *name)
{
	return if_indextoname(ifindex, name) ? name : "(gone)";
}

static int attach_error(struct err *err, int rc, u32 ifindex, enum kernel_mode mode)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);
	char name[IFNAMSIZ];

	name_of(ifindex, name);
	if (bpf_xdp_query((int)ifindex, 0, &query) == 0 && query.prog_id)
		return err_set(err, -EBUSY,
			       "%s: another XDP program (id %u) is attached; see it with 'bpftool net', remove it with "
			       "'ip link set dev %s xdp off'",
			       name, query.prog_id, name);
	if (rc == -EPERM)
		return err_set(err, rc, "%s: attaching XDP is not permitted; run as root", name);
	if (mode == KERNEL_NATIVE)
		return err_set(err, rc, "%s: no native XDP (%s); use 'mode = auto' or 'mode = generic'", name,
			       strerror(-rc));
	return err_set(err, rc, "%s: cannot attach XDP: %s", name, strerror(-rc));
}

static int attach_fresh(struct kernel *k, u32 ifindex, u32 flags)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = flags);
	LIBBPF_OPTS(bpf_xdp_query_opts, query);
	char path[KERNEL_PATH_MAX];
	int fd, rc = 0;

	/* native and generic programs can stand side by side on one interface: not with us */
	if (bpf_xdp_query((int)ifindex, 0, &query) == 0 && query.prog_id)
		return -EBUSY;
	fd = bpf_link_create(k->prog, (int)ifindex, BPF_XDP, &opts);
	if (fd < 0)
		return -errno;
	link_path(k, ifindex, path);
	if (bpf_obj_pin(fd, path))
		rc = -errno;
	close(fd);
	return rc;
}

static int attach_swap(struct kernel *k, int link)
{
	int rc = bpf_link_update(link, k->prog, NULL) ? -errno : 0;

	close(link);
	return rc;
}

/* The pinned link, if its mode is one that `mode` allows; one that is not is detached. */
static int link_keep(struct kernel *k, u32 ifindex, enum kernel_mode mode)
{
	int link = link_open(k, ifindex);

	if (link < 0 || mode == KERNEL_AUTO || kernel_mode_of(k, ifindex) == (int)mode)
		return link;
	close(link);
	return kernel_detach(k, ifindex) ? -EBUSY : -ENOENT;
}

int kernel_attach(struct kernel *k, u32 ifindex, enum kernel_mode mode, struct err *err)
{
	int rc, link = link_keep(k, ifindex, mode);

	if (link >= 0)
		rc = attach_swap(k, link);
	else if (mode == KERNEL_GENERIC)
		rc = attach_fresh(k, ifindex, XDP_FLAGS_SKB_MODE);
	else
		rc = attach_fresh(k, ifindex, XDP_FLAGS_DRV_MODE);
	if (rc && link < 0 && mode == KERNEL_AUTO && rc != -EBUSY && rc != -EPERM)
		rc = attach_fresh(k, ifindex, XDP_FLAGS_SKB_MODE);
	return rc ? attach_error(err, rc, ifindex, mode) : kernel_mode_of(k, ifindex);
}

int kernel_link_remove(const char *path)
{
	int fd = bpf_obj_get(path);

	if (fd >= 0) {
		bpf_link_detach(fd);
		close(fd);
	}
	return unlink(path) ? -errno : 0;
}

int kernel_detach(struct kernel *k, u32 ifindex)
{
	char path[KERNEL_PATH_MAX];

	link_path(k, ifindex, path);
	return kernel_link_remove(path);
}

int kernel_mode_of(struct kernel *k, u32 ifindex)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);
	int link = link_open(k, ifindex);

	if (link < 0)
		return link;
	close(link);
	if (bpf_xdp_query((int)ifindex, 0, &query))
		return -errno;
	return query.attach_mode == XDP_ATTACHED_SKB ? KERNEL_GENERIC : KERNEL_NATIVE;
}

void kernel_attachments(struct kernel *k, void (*visit)(void *arg, u32 ifindex), void *arg)
{
	DIR *d = opendir(k->dir);
	struct dirent *entry;

	if (!d)
		return;
	while ((entry = readdir(d)))
		if (!strncmp(entry->d_name, KERNEL_LINK_PREFIX, strlen(KERNEL_LINK_PREFIX)))
			visit(arg, (u32)strtoul(entry->d_name + strlen(KERNEL_LINK_PREFIX), NULL, 10));
	closedir(d);
}
