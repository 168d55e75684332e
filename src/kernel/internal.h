/* SPDX-License-Identifier: GPL-2.0-or-later */
/* internal.h - what the files of this room share */
#ifndef PORTICO_KERNEL_INTERNAL_H
#define PORTICO_KERNEL_INTERNAL_H

#include <bpf/libbpf.h>

#include "kernel.h"

#define KERNEL_BPFFS "/sys/fs/bpf"
#define KERNEL_DIR KERNEL_BPFFS "/portico"
#define KERNEL_DIR_SIZE 96 /* instance names have at most 31 characters */
#define KERNEL_PATH_MAX 256
#define KERNEL_LINK_PREFIX "link-"

enum kernel_map { /* in the order of map_names in load.c */
	MAP_FLOWS,
	MAP_CONFIG,
	MAP_RESERVED,
	MAP_NEXTHOPS,
	MAP_NEIGHBOURS,
	MAP_TX,
	MAP_COUNTERS,
	MAP_EVENTS,
	MAP_TUNNEL,
	MAP_FRAGMENTS,
	MAP_DESTS,
	MAP_BLANK,
	MAP_SHARES,
	MAP_PROGRAMS,
	MAP_COUNT
};

extern const char *const kernel_map_names[MAP_COUNT];

struct kernel {
	char dir[KERNEL_DIR_SIZE]; /* where everything of the instance is pinned */
	struct bpf_object *object; /* NULL after kernel_peek() */
	struct perf_buffer *events;
	kernel_event *handle;
	void *handle_arg;
	int prog;
	int map[MAP_COUNT];
};

/* "DIR/ITEM"; the buffer is KERNEL_PATH_MAX bytes. */
void kernel_path(char *path, const char *dir, const char *item);

/* Detaches the link pinned at `path`, and removes the pin. 0 or -errno. */
int kernel_link_remove(const char *path);

#endif
