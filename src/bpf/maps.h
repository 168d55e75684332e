/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maps.h - the tables in the kernel; sizes that depend on the configuration are set at load (kernel/load.c) */
#ifndef PORTICO_BPF_MAPS_H
#define PORTICO_BPF_MAPS_H

#include <linux/bpf.h>

#include "abi/config.h"
#include "abi/flow.h"
#include "abi/tunnel.h"
#include "dp/rare.h"
#include "dp/reason.h"

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 131072); /* two halves a flow */
	__type(key, struct flow_key);
	__type(value, struct flow_half);
} flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct dp_config);
} config SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct dp_tunnel);
} tunnel SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct frag_key);
	__type(value, struct frag);
} fragments SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct dest_key);
	__type(value, struct dest);
} dests SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct dest);
} blank SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct share_key);
	__type(value, u32);
} shares SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, DP_WAYS);
	__type(key, u32);
	__type(value, struct dp_way);
} ways SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32); /* tick */
} paces SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct rare);
} rares SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, DP_PROGRAMS);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u32));
} programs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DP_RESERVED_WORDS);
	__type(key, u32);
	__type(value, u64);
} reserved SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DP_NEXTHOPS_MAX);
	__type(key, u32);
	__type(value, struct nexthop);
} nexthops SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, DP_NEXTHOPS_MAX);
	__type(key, struct neighbour_key);
	__type(value, u32);
} neighbours SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, DP_PORTS_MAX);
	__type(key, u32);
	__type(value, u32);
} tx SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, REASON_COUNT);
	__type(key, u32);
	__type(value, struct dp_counter);
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u32));
} events SEC(".maps");

#endif
