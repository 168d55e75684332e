/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maps.c - the tables of the packet path, read and written */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int put(struct kernel *k, enum kernel_map map, const void *key, const void *value)
{
	return bpf_map_update_elem(k->map[map], key, value, BPF_ANY) ? -errno : 0;
}

int kernel_config_set(struct kernel *k, const struct dp_config *config)
{
	u32 zero = 0;

	return put(k, MAP_CONFIG, &zero, config);
}

int kernel_config_get(struct kernel *k, struct dp_config *config)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(k->map[MAP_CONFIG], &zero, config) ? -errno : 0;
}

int kernel_tunnel_get(struct kernel *k, struct dp_tunnel *tunnel)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(k->map[MAP_TUNNEL], &zero, tunnel) ? -errno : 0;
}

int kernel_tunnel_set(struct kernel *k, const struct dp_tunnel *tunnel)
{
	u32 zero = 0;

	return put(k, MAP_TUNNEL, &zero, tunnel);
}

int kernel_tx_set(struct kernel *k, u32 port, u32 ifindex)
{
	return put(k, MAP_TX, &port, &ifindex);
}

int kernel_reserved_get(struct kernel *k, u64 words[DP_RESERVED_WORDS])
{
	for (u32 i = 0; i < DP_RESERVED_WORDS; i++)
		if (bpf_map_lookup_elem(k->map[MAP_RESERVED], &i, &words[i]))
			return -errno;
	return 0;
}

int kernel_reserved_set(struct kernel *k, const u64 words[DP_RESERVED_WORDS])
{
	int rc = 0;

	for (u32 i = 0; i < DP_RESERVED_WORDS && !rc; i++)
		rc = put(k, MAP_RESERVED, &i, &words[i]);
	return rc;
}

int kernel_nexthop_set(struct kernel *k, u16 index, const struct nexthop *hop)
{
	u32 at = index;

	return put(k, MAP_NEXTHOPS, &at, hop);
}

int kernel_neighbour_set(struct kernel *k, const struct neighbour_key *key, u16 index)
{
	u32 value = index;

	return put(k, MAP_NEIGHBOURS, key, &value);
}

int kernel_neighbour_del(struct kernel *k, const struct neighbour_key *key)
{
	return bpf_map_delete_elem(k->map[MAP_NEIGHBOURS], key) ? -errno : 0;
}

/* Empties a map whose key fits `key`. */
static int clear(struct kernel *k, enum kernel_map map, void *key)
{
	while (!bpf_map_get_next_key(k->map[map], NULL, key))
		if (bpf_map_delete_elem(k->map[map], key) && errno != ENOENT)
			return -errno;
	return errno == ENOENT ? 0 : -errno;
}

int kernel_neighbours_clear(struct kernel *k)
{
	struct neighbour_key key;

	return clear(k, MAP_NEIGHBOURS, &key);
}

int kernel_frag_get(struct kernel *k, const struct frag_key *key, struct frag *frag)
{
	return bpf_map_lookup_elem(k->map[MAP_FRAGMENTS], key, frag) ? -errno : 0;
}

int kernel_dest_get(struct kernel *k, const struct dest_key *key, struct dest *dest)
{
	return bpf_map_lookup_elem(k->map[MAP_DESTS], key, dest) ? -errno : 0;
}

int kernel_dest_set(struct kernel *k, const struct dest_key *key, const struct dest *dest)
{
	return put(k, MAP_DESTS, key, dest);
}

int kernel_dests_clear(struct kernel *k)
{
	struct dest_key key;

	return clear(k, MAP_DESTS, &key);
}

int kernel_dest_blank_set(struct kernel *k, const struct dest *dest)
{
	u32 zero = 0;

	return put(k, MAP_BLANK, &zero, dest);
}

int kernel_share_next(struct kernel *k, bool *started, struct share_key *key, u32 *held)
{
	struct share_key next;

	do {
		if (bpf_map_get_next_key(k->map[MAP_SHARES], *started ? key : NULL, &next))
			return -errno;
		*started = true;
		*key = next;
	} while (bpf_map_lookup_elem(k->map[MAP_SHARES], key, held)); /* gone meanwhile: the next one */
	return 0;
}

int kernel_share_set(struct kernel *k, const struct share_key *key, u32 held)
{
	return put(k, MAP_SHARES, key, &held);
}

int kernel_share_del(struct kernel *k, const struct share_key *key)
{
	return bpf_map_delete_elem(k->map[MAP_SHARES], key) ? -errno : 0;
}

int kernel_counters(struct kernel *k, struct dp_counter counters[REASON_COUNT])
{
	int cpus = libbpf_num_possible_cpus();
	struct dp_counter *each;
	int rc = 0;

	if (cpus < 0)
		return cpus;
	each = calloc((size_t)cpus, sizeof(*each));
	if (!each)
		return -ENOMEM;
	memset(counters, 0, REASON_COUNT * sizeof(*counters));
	for (u32 i = 0; i < REASON_COUNT && !rc; i++) {
		if (bpf_map_lookup_elem(k->map[MAP_COUNTERS], &i, each))
			rc = -errno;
		for (int cpu = 0; cpu < cpus && !rc; cpu++) {
			counters[i].packets += each[cpu].packets;
			counters[i].bytes += each[cpu].bytes;
		}
	}
	free(each);
	return rc;
}

int kernel_flows(struct kernel *k, struct kernel_walk *walk, struct flow_key *keys, struct flow_half *halves, u32 room)
{
	u32 count = room;
	int rc;

	if (walk->ended) {
		*walk = (struct kernel_walk){0};
		return 0;
	}
	rc = bpf_map_lookup_batch(k->map[MAP_FLOWS], walk->started ? &walk->token : NULL, &walk->token, keys, halves,
				  &count, NULL);
	if (rc && errno != ENOENT) {
		rc = -errno;
		*walk = (struct kernel_walk){0};
		return rc;
	}
	walk->started = true;
	walk->ended = rc != 0;
	if (!count && walk->ended)
		*walk = (struct kernel_walk){0};
	return (int)count;
}

int kernel_flow_get(struct kernel *k, const struct flow_key *key, struct flow_half *half)
{
	return bpf_map_lookup_elem(k->map[MAP_FLOWS], key, half) ? -errno : 0;
}

int kernel_flow_set(struct kernel *k, const struct flow_key *key, const struct flow_half *half)
{
	return bpf_map_update_elem(k->map[MAP_FLOWS], key, half, BPF_EXIST) ? -errno : 0;
}

int kernel_flow_del(struct kernel *k, const struct flow_key *key)
{
	return bpf_map_delete_elem(k->map[MAP_FLOWS], key) ? -errno : 0;
}

static int map_info(struct kernel *k, enum kernel_map map, struct bpf_map_info *info)
{
	u32 size = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return bpf_obj_get_info_by_fd(k->map[map], info, &size) ? -errno : 0;
}

u32 kernel_flows_max(struct kernel *k)
{
	struct bpf_map_info info;

	return map_info(k, MAP_FLOWS, &info) ? 0 : info.max_entries;
}

u64 kernel_memory(struct kernel *k)
{
	u64 total = 0;

	for (int i = 0; i < MAP_COUNT; i++) {
		char path[64], line[128];
		unsigned long long bytes;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", k->map[i]);
		f = fopen(path, "re");
		if (!f)
			return 0;
		while (fgets(line, sizeof(line), f))
			if (sscanf(line, "memlock: %llu", &bytes) == 1)
				total += bytes;
		fclose(f);
	}
	return total;
}
