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

dp_fn u32 flow_begin(struct gen_state *s)
{
	if (!s->sent++)
		s->first_ns = bpf_ktime_get_ns();
	return next_flow(s);
}

/* `length` is a constant, two more than a multiple of eight. */
dp_fn void template_write(u8 *data, const struct gen_state *s, u32 length)
{
#pragma unroll
	for (u32 i = 0; i < length / 8; i++)
		((u64 *)data)[i] = s->header[i];
	*(u16 *)(data + length / 8 * 8) = (u16)s->header[length / 8];
}

dp_fn void ipv4_write(struct ipv4_hdr *ip, const struct gen_state *s, u32 source, u32 destination)
{
	ip->saddr = be32_of(source);
	ip->daddr = be32_of(destination);
	ip->csum = (u16)~csum_fold(s->ip_sum + words_of(ip->saddr) + words_of(ip->daddr));
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
	flow = flow_begin(s);
	block = flow >> LOAD_BLOCK_SHIFT;
	template_write(data, s, LOAD_HEADER);
	ipv4_write(ip, s, s->host_first + block, s->remote_first + (s->spread ? flow % s->spread : block));
	udp->sport = be16_of((u16)(LOAD_PORT_FIRST + (flow & ((1 << LOAD_BLOCK_SHIFT) - 1))));
	return (int)bpf_redirect(s->ifindex, 0);
}

/* The same from MAP-E customers: each has an IPv6 address of its own in front. */
SEC("xdp")
int gen_tunnel(struct xdp_md *ctx)
{
	u8 *data = (u8 *)(long)ctx->data, *end = (u8 *)(long)ctx->data_end;
	struct ipv6_hdr *outer = (struct ipv6_hdr *)(data + sizeof(struct eth_hdr));
	struct ipv4_hdr *ip = (struct ipv4_hdr *)(outer + 1);
	struct udp_hdr *udp = (struct udp_hdr *)(ip + 1);
	u32 zero = 0, flow, customer;
	struct gen_state *s = bpf_map_lookup_elem(&gen_state, &zero);

	if (!s || data + LOAD_OUTER + LOAD_HEADER > end)
		return XDP_DROP;
	flow = flow_begin(s);
	customer = flow % s->spread;
	template_write(data, s, LOAD_OUTER + LOAD_HEADER);
#pragma unroll
	for (u32 i = 0; i < 4; i++)
		outer->saddr[i] = be32_of(s->outer_source[i] + customer * s->outer_step[i]);
	ipv4_write(ip, s, s->host_first + customer, s->remote_first + customer);
	udp->sport = be16_of((u16)(s->sport + (flow & (LOAD_SET_RANGE - 1))));
	return (int)bpf_redirect(s->ifindex, 0);
}

char LICENSE[] SEC("license") = "GPL";
