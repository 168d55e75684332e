/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gen.bpf.c - the load: UDP at kernel speed, each run of the program makes one packet and sends it
 *
 * Run through BPF_PROG_TEST_RUN with BPF_F_TEST_XDP_LIVE_FRAMES. Pages come back with whatever the devices on the way
 * wrote into them, so the whole header is written for each packet.
 */
#include <linux/bpf.h>

#include "dp/csum.h"
#include "dp/wire.h"
#include "state.h"

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct gen_state);
} gen_state SEC(".maps");

dp_fn u32 words_of(be32 address)
{
	u32 a = (PORTICO_FORCE u32)address;

	return (a & 0xffff) + (a >> 16);
}

dp_fn u32 next_flow(struct gen_state *s)
{
	u32 flow = s->flow, next = flow + s->stride;

	s->flow = next >= s->flows ? next - s->flows : next;
	return flow;
}

SEC("xdp")
int gen(struct xdp_md *ctx)
{
	u8 *data = (u8 *)(long)ctx->data, *end = (u8 *)(long)ctx->data_end;
	struct ipv4_hdr *ip = (struct ipv4_hdr *)(data + sizeof(struct eth_hdr));
	struct udp_hdr *udp = (struct udp_hdr *)(ip + 1);
	u32 zero = 0, flow, block;
	struct gen_state *s = bpf_map_lookup_elem(&gen_state, &zero);

	if (!s || data + LOAD_HEADER > end)
		return XDP_DROP;
	if (!s->sent++)
		s->first_ns = bpf_ktime_get_ns();
	flow = next_flow(s);
	block = flow >> LOAD_BLOCK_SHIFT;
#pragma unroll
	for (u32 i = 0; i < LOAD_HEADER / 8; i++)
		((u64 *)data)[i] = s->header[i];
	*(u16 *)(data + LOAD_HEADER / 8 * 8) = (u16)s->header[LOAD_HEADER / 8];
	ip->saddr = be32_of(s->host_first + block);
	ip->daddr = be32_of(s->remote_first + (s->spread ? flow % s->spread : block));
	ip->csum = (u16)~csum_fold(s->ip_sum + words_of(ip->saddr) + words_of(ip->daddr));
	udp->sport = be16_of((u16)(LOAD_PORT_FIRST + (flow & ((1 << LOAD_BLOCK_SHIFT) - 1))));
	return (int)bpf_redirect(s->ifindex, 0);
}

char LICENSE[] SEC("license") = "GPL";
