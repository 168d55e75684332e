/* SPDX-License-Identifier: GPL-2.0-or-later */
/* redirect.bpf.c - the floor: a router that writes the Ethernet addresses and sends on, and does nothing else */
#include <linux/bpf.h>

#include "dp/wire.h"
#include "state.h"

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct redirect_to);
} redirect_to SEC(".maps");

SEC("xdp")
int redirect(struct xdp_md *ctx)
{
	u8 *data = (u8 *)(long)ctx->data, *end = (u8 *)(long)ctx->data_end;
	struct eth_hdr *eth = (struct eth_hdr *)data;
	u32 zero = 0;
	struct redirect_to *to = bpf_map_lookup_elem(&redirect_to, &zero);

	if (!to || data + sizeof(*eth) > end)
		return XDP_PASS;
	if (eth->type != be16_of(ETH_TYPE_IPV4) && eth->type != be16_of(ETH_TYPE_IPV6))
		return XDP_PASS;
	__builtin_memcpy(eth, to->macs, sizeof(to->macs));
	return (int)bpf_redirect(to->ifindex, 0);
}

char LICENSE[] SEC("license") = "GPL";
