/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.h - the packet path in the kernel, seen from user space: load, attach, adopt, read, remove
 *
 * An instance NAME lives in the directory /sys/fs/bpf/portico/NAME:
 *
 *   prog              the program            link-IFINDEX   its attachment to an interface
 *   flows config ...  the maps of bpf/maps.h
 *
 *   absent --kernel_open--> loaded --kernel_attach (each interface)--> forwarding
 *   forwarding --process ends--> forwarding --kernel_open (adopts: same maps, new program swapped into each link)-->
 *   any --kernel_remove--> absent
 *
 * What is pinned outlives every process. One writer (porticod, which holds the instance's lock); any number of readers
 * through kernel_peek().
 */
#ifndef PORTICO_KERNEL_KERNEL_H
#define PORTICO_KERNEL_KERNEL_H

#include <stdbool.h>

#include "abi/config.h"
#include "abi/flow.h"
#include "abi/tunnel.h"
#include "dp/reason.h"
#include "lib/err.h"

struct kernel;

/* Loads the packet path of instance `name`, which is to be a `mode` with room for `entries` in its flow table
 * (engine/flow.h), or adopts the one that is pinned. NULL with *err filled: no privileges, a kernel without a needed
 * feature, a pinned layout that is not ABI_LAYOUT, another mode. Nothing is left behind then. `*adopted` says which it
 * was. */
struct kernel *kernel_open(const char *name, enum dp_mode mode, u32 entries, bool *adopted, struct err *err);

/* The pinned packet path of `name`, for reading; NULL with *err filled where there is none. */
struct kernel *kernel_peek(const char *name, struct err *err);

/* Closes the handles; what is pinned stays. */
void kernel_close(struct kernel *k);

/* Unpins, and so detaches, everything of `name`. 0, -ENOENT where there was nothing, or another -errno. */
int kernel_remove(const char *name, struct err *err);

/* Calls `visit` for the name of each pinned instance. */
void kernel_instances(void (*visit)(void *arg, const char *name), void *arg);

enum kernel_mode {
	KERNEL_AUTO, /* native, else generic */
	KERNEL_NATIVE,
	KERNEL_GENERIC,
};

/* Attaches to an interface, or swaps the program of the pinned attachment where that has a mode that `mode` allows.
 * Returns the mode in force (KERNEL_NATIVE or KERNEL_GENERIC), or -errno with *err filled (-EBUSY: another XDP program
 * is attached). */
int kernel_attach(struct kernel *k, u32 ifindex, enum kernel_mode mode, struct err *err);
int kernel_detach(struct kernel *k, u32 ifindex);
/* The mode of the pinned attachment, or -ENOENT. */
int kernel_mode_of(struct kernel *k, u32 ifindex);
/* Calls `visit` for each pinned attachment. */
void kernel_attachments(struct kernel *k, void (*visit)(void *arg, u32 ifindex), void *arg);

/* Writers: 0 or -errno. */
int kernel_config_set(struct kernel *k, const struct dp_config *config);
int kernel_config_get(struct kernel *k, struct dp_config *config);
int kernel_tunnel_get(struct kernel *k, struct dp_tunnel *tunnel);
int kernel_tunnel_set(struct kernel *k, const struct dp_tunnel *tunnel);
int kernel_tx_set(struct kernel *k, u32 port, u32 ifindex);
int kernel_reserved_get(struct kernel *k, u64 words[DP_RESERVED_WORDS]);
int kernel_reserved_set(struct kernel *k, const u64 words[DP_RESERVED_WORDS]);
int kernel_nexthop_set(struct kernel *k, u16 index, const struct nexthop *hop);
int kernel_neighbour_set(struct kernel *k, const struct neighbour_key *key, u16 index);
int kernel_neighbour_del(struct kernel *k, const struct neighbour_key *key);
int kernel_neighbours_clear(struct kernel *k);

/* What is known of a fragmented datagram; -ENOENT: its first fragment has not come. */
int kernel_frag_get(struct kernel *k, const struct frag_key *key, struct frag *frag);

/* The ports towards a destination, as far as they are noted (abi/flow.h); -ENOENT: nothing is. */
int kernel_dest_get(struct kernel *k, const struct dest_key *key, struct dest *dest);
int kernel_dest_set(struct kernel *k, const struct dest_key *key, const struct dest *dest);
int kernel_dests_clear(struct kernel *k);
/* What a destination starts with: ports that do not exist or are reserved are taken. */
int kernel_dest_blank_set(struct kernel *k, const struct dest *dest);

/* Ports a host holds towards a destination. kernel_share_next(): *key is the last one (*started false: none yet); the
 * next into *key and *held, -ENOENT at the end. */
int kernel_share_next(struct kernel *k, bool *started, struct share_key *key, u32 *held);
int kernel_share_set(struct kernel *k, const struct share_key *key, u32 held);
int kernel_share_del(struct kernel *k, const struct share_key *key);

/* Counters summed over CPUs, one for each reason. 0 or -errno. */
int kernel_counters(struct kernel *k, struct dp_counter counters[REASON_COUNT]);

/* Walks the flow table in pieces: copies up to `room` halves, at least 256, behind the point where the last call with
 * this walk stopped. Returns how many, 0 at the end (the walk then starts anew), or -errno. */
struct kernel_walk {
	u32 token;
	bool started;
	bool ended;
};
int kernel_flows(struct kernel *k, struct kernel_walk *walk, struct flow_key *keys, struct flow_half *halves, u32 room);
int kernel_flow_get(struct kernel *k, const struct flow_key *key, struct flow_half *half);
/* Writes a half that is there; -ENOENT where it is not. */
int kernel_flow_set(struct kernel *k, const struct flow_key *key, const struct flow_half *half);
int kernel_flow_del(struct kernel *k, const struct flow_key *key);
u32 kernel_flows_max(struct kernel *k); /* entries of the table */
/* Bytes that all maps occupy, as the kernel accounts them (fdinfo), or 0. */
u64 kernel_memory(struct kernel *k);

/* Runs one frame of `size` bytes, as if it had come in by `ifindex`, through the program (BPF_PROG_TEST_RUN; nothing is
 * sent). 0 or -errno. */
struct kernel_result {
	u32 action; /* XDP_* */
	u32 length; /* bytes */
	u8 frame[4096 - 512];
};
int kernel_run(struct kernel *k, const void *frame, u32 size, u32 ifindex, struct kernel_result *result);

/* Events of the slow path. */
typedef void kernel_event(void *arg, const struct dp_event *event, const u8 *frame);
int kernel_events_open(struct kernel *k, kernel_event *handle, void *arg, struct err *err); /* returns a pollable fd */
void kernel_events_read(struct kernel *k);

#endif
