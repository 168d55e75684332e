/* SPDX-License-Identifier: GPL-2.0-or-later */
/* redirect.bpf.c - the floor: a router that writes the Ethernet addresses and the VLAN and sends on, nothing else */
#include <linux/bpf.h>
#include <stdbool.h>

#include "dp/wire.h"
#include "state.h"

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, u32);
	__type(value, struct redirect_hop);
} redirect_hop SEC(".maps");

/* Each round needs the one before. */
static long hash_round(u32 i, void *arg)
{
	u32 *hash = arg;

	*hash = (*hash ^ i) * 0x9e3779b1;
	*hash ^= *hash >> 15;
	return 0;
}

dp_fn void work(struct redirect_hop *hop)
{
	u32 hash = hop->hash;

	if (!hop->work)
		return;
	bpf_loop(hop->work, hash_round, &hash, 0);
	hop->hash = hash; /* somebody could read it: it cannot be left out */
}

dp_fn bool from(const struct redirect_hop *hop, u32 ifindex, u16 vid)
{
	return hop->ifindex == ifindex && hop->vid == vid;
}

SEC("xdp")
int redirect(struct xdp_md *ctx)
{
	u8 *data = (u8 *)(long)ctx->data, *end = (u8 *)(long)ctx->data_end;
	struct eth_hdr *eth = (struct eth_hdr *)data;
	struct vlan_tag *tag = (struct vlan_tag *)(eth + 1);
	u32 zero = 0, one = 1, ifindex = ctx->ingress_ifindex;
	struct redirect_hop *in = bpf_map_lookup_elem(&redirect_hop, &zero);
	struct redirect_hop *to = bpf_map_lookup_elem(&redirect_hop, &one), *swap;
	be16 type;
	u16 vid = 0;

	if (!in || !to || (u8 *)(tag + 1) > end)
		return XDP_PASS;
	type = eth->type;
	if (type == be16_of(ETH_TYPE_VLAN)) {
		vid = host16(tag->tci) & VLAN_VID_MASK;
		type = tag->type;
	}
	if (type != be16_of(ETH_TYPE_IPV4) && type != be16_of(ETH_TYPE_IPV6))
		return XDP_PASS;
	if (!from(in, ifindex, vid)) {
		swap = in;
		in = to;
		to = swap;
		if (!from(in, ifindex, vid))
			return XDP_PASS;
	}
	work(in);
	__builtin_memcpy(eth, to->macs, sizeof(to->macs));
	if (vid)
		tag->tci = to->tag;
	return (int)bpf_redirect(to->ifindex, 0);
}

char LICENSE[] SEC("license") = "GPL";
