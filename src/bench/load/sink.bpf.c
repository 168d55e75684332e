/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sink.bpf.c - the far end of the load: counts the packets that are as they should be, and drops them */
#include <linux/bpf.h>

#include "dp/wire.h"
#include "state.h"

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct sink_state);
} sink_state SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct sink_want);
} sink_want SEC(".maps");

SEC("xdp")
int sink(struct xdp_md *ctx)
{
	u8 *data = (u8 *)(long)ctx->data, *end = (u8 *)(long)ctx->data_end;
	struct eth_hdr *eth = (struct eth_hdr *)data;
	be16 type = be16_of(ETH_TYPE_IPV4);
	struct ipv4_hdr *ip;
	struct udp_hdr *udp;
	u32 zero = 0;
	struct sink_state *s = bpf_map_lookup_elem(&sink_state, &zero);
	struct sink_want *want = bpf_map_lookup_elem(&sink_want, &zero);

	if (!s || !want)
		return XDP_PASS;
	ip = (struct ipv4_hdr *)(data + sizeof(*eth));
	if (want->outer) {
		ip = (struct ipv4_hdr *)(data + sizeof(*eth) + sizeof(struct ipv6_hdr));
		type = be16_of(ETH_TYPE_IPV6);
	}
	udp = (struct udp_hdr *)(ip + 1);
	if ((u8 *)(udp + 1) > end || eth->type != type || ip->version_ihl != 0x45 || ip->proto != PROTO_UDP ||
	    udp->dport != want->dport) {
		s->other++;
		return XDP_PASS;
	}
	if ((ip->saddr & want->mask) != want->source) {
		s->foreign++;
		s->foreign_source = ip->saddr;
		return XDP_DROP;
	}
	if (!(++s->packets % LOAD_STAMP)) {
		s->last_ns = bpf_ktime_get_ns();
		s->last_packets = s->packets;
	}
	return XDP_DROP;
}

char LICENSE[] SEC("license") = "GPL";
