/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gen.bpf.c - the load: UDP at kernel speed, each run of a program makes one packet and sends it
 *
 * Run through BPF_PROG_TEST_RUN with BPF_F_TEST_XDP_LIVE_FRAMES. Pages come back with whatever the devices on the way
 * wrote into them, so the whole header is written for each packet; only what is behind it is left as it was: zeros.
 * There is a program for each way and form of frame, so that the template is copied in a known number of words.
 */
#include <linux/bpf.h>

#include "dp/csum.h"
#include "dp/wire.h"
#include "load.h"
#include "state.h"
#include "sum.h"

#include <bpf/bpf_helpers.h>

#define PACE_LOOPS (1 << 22) /* looks at the clock before one packet: 0.1 s and more */
#define PACE_SHIFT 16

/* Whose frames a program makes. */
enum form {
	FORM_PLAIN,
	FORM_TAGGED,   /* 802.1Q */
	FORM_TUNNELLED /* from MAP-E customers: each has an IPv6 address of its own in front */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LOAD_WAYS);
	__type(key, u32);
	__type(value, struct gen_way);
} gen_way SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* load.c knows better */
	__type(key, u32);
	__type(value, struct learned);
} learned SEC(".maps");

/* From whom to whom one packet goes. */
struct ends {
	be32 saddr, daddr;
	be16 sport, dport;
};

dp_fn u32 next_flow(struct gen_way *w)
{
	u32 flow = w->flow, next = flow + w->stride;

	w->flow = next >= w->flows ? next - w->flows : next;
	return flow;
}

dp_fn const struct gen_frame *next_frame(struct gen_way *w)
{
	u32 turn = w->turn;

	w->turn = turn + 1 < GEN_TURNS ? turn + 1 : 0;
	return &w->frame[w->pattern[turn % sizeof(w->pattern)] % GEN_FRAMES];
}

dp_fn void ends_of_host(struct ends *e, const struct gen_way *w, u32 flow)
{
	u32 block = flow >> LOAD_BLOCK_SHIFT;

	e->saddr = be32_of(w->host_first + block);
	e->daddr = be32_of(w->remote_first + (w->spread ? flow % w->spread : block));
	e->sport = be16_of((u16)(LOAD_PORT_FIRST + (flow & ((1 << LOAD_BLOCK_SHIFT) - 1))));
	e->dport = w->dport;
}

dp_fn void ends_of_customer(struct ends *e, const struct gen_way *w, u32 flow, u32 customer)
{
	e->saddr = be32_of(w->host_first + customer);
	e->daddr = be32_of(w->remote_first + customer);
	e->sport = be16_of((u16)(w->sport + (flow & (LOAD_SET_RANGE - 1))));
	e->dport = w->dport;
}

/* Back from where the flow goes to where it came from; false where it never came. */
dp_fn bool ends_of_learned(struct ends *e, const struct gen_way *w, u32 flow)
{
	struct learned *to = bpf_map_lookup_elem(&learned, &flow);
	struct ends out;

	if (!to || !to->port)
		return false;
	ends_of_host(&out, w, flow);
	*e = (struct ends){.saddr = out.daddr, .daddr = to->address, .sport = out.dport, .dport = to->port};
	return true;
}

static long due(u32 i, void *until)
{
	(void)i;
	return bpf_ktime_get_ns() >= *(u64 *)until;
}

/* Waits until the packet is due; the number of the packet. Behind time, packets follow each other at once. */
dp_fn u32 begin(struct gen_way *w)
{
	u32 n = w->sent++;
	u64 until;

	if (!n) {
		w->first_ns = w->last_ns = bpf_ktime_get_ns();
	} else if (w->step) {
		w->due += w->step;
		until = w->first_ns + (w->due >> PACE_SHIFT);
		bpf_loop(PACE_LOOPS, due, &until, 0);
	}
	if (n && n + 1 == w->packets)
		w->last_ns = bpf_ktime_get_ns();
	return n;
}

/* `length` is a constant, a multiple of 4. */
dp_fn void template_write(u8 *data, const struct gen_frame *f, u32 length)
{
#pragma unroll
	for (u32 i = 0; i < length / 8; i++)
		((u64 *)data)[i] = f->header[i];
	if (length % 8)
		*(u32 *)(data + length - 4) = *(const u32 *)&f->header[length / 8];
}

/* UDP's checksum covers zeros behind the payload, which add nothing, and the pseudo header (RFC 768). */
dp_fn void packet_write(struct ipv4_hdr *ip, const struct gen_frame *f, const struct ends *e,
			const struct load_payload *what)
{
	struct udp_hdr *udp = (struct udp_hdr *)(ip + 1);
	struct load_payload *payload = (struct load_payload *)(udp + 1);
	u64 addresses = (u64)(PORTICO_FORCE u32)e->saddr + (PORTICO_FORCE u32)e->daddr;
	u64 sum = f->udp_sum + addresses + (PORTICO_FORCE u16)e->sport + (PORTICO_FORCE u16)e->dport;
	u16 csum;

	ip->saddr = e->saddr;
	ip->daddr = e->daddr;
	ip->csum = (u16)~load_sum_fold(f->ip_sum + addresses);
	udp->sport = e->sport;
	udp->dport = e->dport;
	payload->flow = what->flow;
	payload->sequence = what->sequence;
	payload->ns[0] = what->ns[0];
	payload->ns[1] = what->ns[1];
	sum += (u64)what->flow + what->sequence + what->ns[0] + what->ns[1];
	csum = (u16)~load_sum_fold(sum);
	udp->csum = csum ? csum : 0xffff;
}

dp_fn void outer_write(struct ipv6_hdr *outer, const struct gen_way *w, u32 customer)
{
#pragma unroll
	for (u32 i = 0; i < 4; i++)
		outer->saddr[i] = be32_of(w->outer_source[i] + customer * w->outer_step[i]);
}

/* Which flow's packet is next, and from whom to whom it goes; false: it cannot be sent. */
dp_fn bool packet_next(struct gen_way *w, u32 way, u32 customers, struct ends *e, struct load_payload *what)
{
	what->flow = next_flow(w);
	if (customers)
		ends_of_customer(e, w, what->flow, what->flow % w->spread);
	else if (way == LOAD_OUT)
		ends_of_host(e, w, what->flow);
	else if (!ends_of_learned(e, w, what->flow))
		return false;
	return true;
}

/* `way` and `form` are constants. */
dp_fn int generate(struct xdp_md *ctx, u32 way, enum form form)
{
	const u32 ethernet = LOAD_ETHERNET + (form == FORM_TAGGED ? LOAD_TAG : 0);
	const u32 front = ethernet + (form == FORM_TUNNELLED ? LOAD_OUTER : 0);
	struct gen_way *w = bpf_map_lookup_elem(&gen_way, &way);
	struct load_payload what = {0};
	const struct gen_frame *f;
	struct ends ends;
	u8 *data;
	u64 now;

	if (!w)
		return XDP_DROP;
	if (!packet_next(w, way, form == FORM_TUNNELLED, &ends, &what)) {
		w->unknown++;
		return XDP_DROP;
	}
	f = next_frame(w);
	if (f->cut && bpf_xdp_adjust_tail(ctx, -(int)f->cut))
		return XDP_DROP;
	data = (u8 *)(long)ctx->data;
	if (data + front + LOAD_INNER > (u8 *)(long)ctx->data_end)
		return XDP_DROP;
	what.sequence = begin(w);
	if (w->delay) {
		now = bpf_ktime_get_ns();
		what.ns[0] = (u32)now;
		what.ns[1] = (u32)(now >> 32);
	}
	template_write(data, f, front + LOAD_INNER);
	if (form == FORM_TUNNELLED)
		outer_write((struct ipv6_hdr *)(data + ethernet), w, what.flow % w->spread);
	packet_write((struct ipv4_hdr *)(data + front), f, &ends, &what);
	return (int)bpf_redirect(w->ifindex, 0);
}

SEC("xdp")
int out(struct xdp_md *ctx)
{
	return generate(ctx, LOAD_OUT, FORM_PLAIN);
}

SEC("xdp")
int out_tagged(struct xdp_md *ctx)
{
	return generate(ctx, LOAD_OUT, FORM_TAGGED);
}

SEC("xdp")
int out_tunnelled(struct xdp_md *ctx)
{
	return generate(ctx, LOAD_OUT, FORM_TUNNELLED);
}

SEC("xdp")
int in(struct xdp_md *ctx)
{
	return generate(ctx, LOAD_IN, FORM_PLAIN);
}

SEC("xdp")
int in_tagged(struct xdp_md *ctx)
{
	return generate(ctx, LOAD_IN, FORM_TAGGED);
}

char LICENSE[] SEC("license") = "GPL";
