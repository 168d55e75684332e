/* SPDX-License-Identifier: GPL-2.0-or-later */
/* portico_xdp.bpf.c - the packet path in XDP */
#include "env_xdp.h"

#include "dp/step.h"

dp_fn void count(enum reason why, u32 bytes)
{
	u32 at = why;
	struct dp_counter *counter = bpf_map_lookup_elem(&counters, &at);

	if (counter) {
		counter->packets++;
		counter->bytes += bytes;
	}
}

/* Hands the frame to the daemon; where nobody reads, the packet is dropped under its own reason. */
dp_fn int hand_over(struct xdp_md *ctx, enum reason why, const struct step_out *out, u32 length)
{
	struct dp_event event = {
		.reason = why,
		.ifindex = ctx->ingress_ifindex,
		.l3_ifindex = out->hop.l3_ifindex,
		.addr = out->hop.addr,
		.length = length,
	};
	u64 flags = BPF_F_CURRENT_CPU | (u64)length << 32;

	if (bpf_perf_event_output(ctx, &events, flags, &event, sizeof(event)))
		why = REASON_DROP_NO_NEIGHBOUR;
	count(why, length);
	return XDP_DROP;
}

SEC("xdp")
int portico_xdp(struct xdp_md *ctx)
{
	struct pkt p = {.data = (u8 *)(long)ctx->data, .end = (u8 *)(long)ctx->data_end};
	struct env e = {.ctx = ctx};
	struct step_out out = {0};
	u32 length = pkt_length(&p);
	enum reason why = step_run(&e, &p, ctx->ingress_ifindex, &out);

	if (why == REASON_SLOW_NEIGHBOUR)
		return hand_over(ctx, why, &out, length);
	count(why, length);
	switch (reason_verdict(why)) {
	case VERDICT_FORWARD:
		if (out.hop.ifindex == ctx->ingress_ifindex)
			return XDP_TX;
		return (int)bpf_redirect_map(&tx, out.hop.port, 0);
	case VERDICT_KERNEL:
		return XDP_PASS;
	default:
		return XDP_DROP;
	}
}

char LICENSE[] SEC("license") = "GPL";
