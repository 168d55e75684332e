/* SPDX-License-Identifier: GPL-2.0-or-later */
/* portico_xdp.bpf.c - the packet path in XDP: for each mode a program, and one behind it for rare packets
 * (dp/kind.h) */
#include "env_xdp.h"

#include "dp/core.h"

dp_fn u32 frame_length(struct xdp_md *ctx)
{
	return (u32)((long)ctx->data_end - (long)ctx->data);
}

dp_fn void count(enum reason why, u32 bytes)
{
	u32 at = why;
	struct dp_counter *counter = bpf_map_lookup_elem(&counters, &at);

	if (counter) {
		counter->packets++;
		counter->bytes += bytes;
	}
}

/* Whether the daemon may be told of one more refusal: each CPU tells of one a tick, some sixty a second. */
dp_fn int pace(struct env *e)
{
	u32 zero = 0, now = env_tick(e);
	u32 *last = bpf_map_lookup_elem(&paces, &zero);

	if (!last || *last == now)
		return 0;
	*last = now;
	return 1;
}

/* Hands the frame to the daemon. Not 0 where nobody reads. */
dp_fn int hand_over(struct xdp_md *ctx, enum reason why, const struct way *way, const struct meta *m)
{
	u32 length = frame_length(ctx);
	struct dp_event event = {
		.reason = why,
		.ifindex = ctx->ingress_ifindex,
		.length = length,
		.mtu = way->mtu,
		.neighbour = way->who,
		.key = m->key,
	};

	return (int)bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | (u64)length << 32, &event, sizeof(event));
}

dp_fn int slow(struct xdp_md *ctx, enum reason why, const struct way *way, const struct meta *m)
{
	if (!hand_over(ctx, why, way, m))
		return (int)why;
	switch (why) {
	case REASON_SLOW_NEIGHBOUR:
		return REASON_DROP_NO_NEIGHBOUR;
	case REASON_SLOW_NO_PORT:
		return REASON_DROP_NO_PORT;
	case REASON_SLOW_FRAGMENT:
		return REASON_DROP_FRAGMENT;
	default:
		return REASON_DROP_NO_DAEMON;
	}
}

/* What becomes of the frame, by the last reason. */
dp_fn int finish(struct xdp_md *ctx, struct env *e, enum reason why, const struct way *way, const struct meta *m)
{
	u32 length = frame_length(ctx);

	if (reason_verdict(why) == VERDICT_SLOW)
		why = (enum reason)slow(ctx, why, way, m);
	else if ((why == REASON_DROP_NO_PORT || why == REASON_DROP_SHARE) && pace(e))
		hand_over(ctx, why, way, m);
	count(why, length);
	return reason_verdict(why) == VERDICT_KERNEL ? XDP_PASS : XDP_DROP;
}

dp_fn int send(struct xdp_md *ctx, enum reason why, const struct way *way, u32 length)
{
	count(why, length);
	if (way->hop.ifindex == ctx->ingress_ifindex)
		return XDP_TX;
	return (int)bpf_redirect_map(&tx, way->hop.port, 0);
}

/* Not 0 where there is nothing to work with yet. */
dp_fn int begin(struct step *s, u32 kind)
{
	s->c = env_config(s->e);
	if (kind & (KIND_CE | KIND_BR))
		s->t = env_tunnel(s->e);
	return !s->c || (kind & (KIND_CE | KIND_BR) && !s->t);
}

/* Nearly every packet. */
dp_fn int usual(struct xdp_md *ctx, u32 kind)
{
	struct pkt p = {.data = (u8 *)(long)ctx->data, .end = (u8 *)(long)ctx->data_end};
	struct env e = {.ctx = ctx};
	struct step s = {.e = &e, .p = &p, .ifindex = ctx->ingress_ifindex};
	struct meta m = {0};
	struct way way = {0};
	u32 length = pkt_length(&p);
	enum reason why;

	if (begin(&s, kind))
		return XDP_PASS;
	why = core_run(&s, kind, &m, &way);
	if (why == STEP_RARE) {
		bpf_tail_call(ctx, &programs, PROGRAM_PARSE);
		why = REASON_DROP_FAULT;
	}
	return reason_verdict(why) == VERDICT_FORWARD ? send(ctx, why, &way, length) : finish(ctx, &e, why, &way, &m);
}

/* A rare one: what it is. */
dp_fn int parse(struct xdp_md *ctx, u32 kind)
{
	struct pkt p = {.data = (u8 *)(long)ctx->data, .end = (u8 *)(long)ctx->data_end};
	struct env e = {.ctx = ctx};
	struct step s = {.e = &e, .p = &p, .ifindex = ctx->ingress_ifindex};
	struct rare *rare = env_rare(&e);
	struct way way = {0};
	enum reason why;

	if (begin(&s, kind) || !rare)
		return XDP_PASS;
	rare->m = (struct meta){0};
	why = step_parse(&s, kind, &rare->m);
	if (!why) {
		bpf_tail_call(ctx, &programs, PROGRAM_FORWARD);
		why = REASON_DROP_FAULT;
	}
	return finish(ctx, &e, why, &way, &rare->m);
}

/* A rare one: what is done with it. */
dp_fn int forward(struct xdp_md *ctx, u32 kind)
{
	struct pkt p = {.data = (u8 *)(long)ctx->data, .end = (u8 *)(long)ctx->data_end};
	struct env e = {.ctx = ctx};
	struct step s = {.e = &e, .p = &p, .ifindex = ctx->ingress_ifindex};
	struct rare *rare = env_rare(&e);
	struct way way = {0};
	u32 length = pkt_length(&p);
	enum reason why;

	if (begin(&s, kind) || !rare)
		return XDP_PASS;
	why = core_forward(&s, kind, &rare->m, &way);
	if (why == STEP_CLAIM) {
		bpf_tail_call(ctx, &programs, PROGRAM_CLAIM);
		why = REASON_DROP_FAULT;
	}
	return reason_verdict(why) == VERDICT_FORWARD ? send(ctx, why, &way, length)
						      : finish(ctx, &e, why, &way, &rare->m);
}

#define MODE(name, kind)                                                                                               \
	SEC("xdp") int portico_##name(struct xdp_md *ctx)                                                              \
	{                                                                                                              \
		return usual(ctx, kind);                                                                               \
	}                                                                                                              \
	SEC("xdp") int portico_##name##_parse(struct xdp_md *ctx)                                                      \
	{                                                                                                              \
		return parse(ctx, (kind) | KIND_RARE);                                                                 \
	}                                                                                                              \
	SEC("xdp") int portico_##name##_forward(struct xdp_md *ctx)                                                    \
	{                                                                                                              \
		return forward(ctx, (kind) | KIND_RARE);                                                               \
	}

MODE(nat44, 0)
MODE(ce, KIND_CE)
MODE(br, KIND_BR)

/* A rare one that opens a flow. */
SEC("xdp")
int portico_claim(struct xdp_md *ctx)
{
	struct env e = {.ctx = ctx};
	const struct dp_config *c = env_config(&e);
	struct rare *rare = env_rare(&e);
	struct way way = {0};
	enum reason why;

	if (!c || !rare)
		return XDP_DROP;
	why = flow_claim(&e, c, rare);
	if (!why) {
		bpf_tail_call(ctx, &programs, PROGRAM_FORWARD);
		why = REASON_DROP_FAULT;
	}
	return finish(ctx, &e, why, &way, &rare->m);
}

char LICENSE[] SEC("license") = "GPL";
