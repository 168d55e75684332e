/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sink.bpf.c - where the load ends, both ways: counts the packets that are as they should be, and drops them
 *
 * One program is on both ends, be they one interface with two tags or two interfaces. A packet says which way it goes;
 * it is one of that way if it came to that way's end: by destination address of the frame, tag, and what is in front.
 */
#include <linux/bpf.h>

#include "dp/wire.h"
#include "load.h"
#include "state.h"
#include "sum.h"

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LOAD_WAYS);
	__type(key, u32);
	__type(value, struct sink_way);
} sink_way SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOAD_WAYS);
	__type(key, u32);
	__type(value, struct sink_count);
} sink_count SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOAD_WAYS);
	__type(key, u32);
	__type(value, struct sink_delay);
} sink_delay SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* load.c knows better */
	__type(key, u32);
	__type(value, struct learned);
} learned SEC(".maps");

/* A packet of the load, and how it came. */
struct packet {
	const struct eth_hdr *eth;
	const struct ipv4_hdr *ip;
	const struct udp_hdr *udp;
	const struct load_payload *payload;
	u16 tag;
	u16 outer;
};

/* False: it is none of the load's. */
dp_fn bool packet_parse(struct packet *p, struct xdp_md *ctx)
{
	u8 *data = (u8 *)(long)ctx->data, *end = (u8 *)(long)ctx->data_end;
	const struct vlan_tag *tag = (struct vlan_tag *)(data + sizeof(*p->eth));
	u32 front = LOAD_ETHERNET;
	be16 type;

	p->eth = (struct eth_hdr *)data;
	if (data + LOAD_ETHERNET + LOAD_INNER > end)
		return false;
	type = p->eth->type;
	p->tag = 0;
	if (type == be16_of(ETH_TYPE_VLAN)) {
		type = tag->type;
		p->tag = host16(tag->tci) & VLAN_VID_MASK;
		front += LOAD_TAG;
	}
	p->outer = type == be16_of(ETH_TYPE_IPV6);
	if (p->outer)
		front += LOAD_OUTER;
	else if (type != be16_of(ETH_TYPE_IPV4))
		return false;
	p->ip = (struct ipv4_hdr *)(data + front);
	p->udp = (struct udp_hdr *)(p->ip + 1);
	p->payload = (struct load_payload *)(p->udp + 1);
	if ((u8 *)p->ip + LOAD_INNER > end || p->ip->version_ihl != 0x45 || p->ip->proto != PROTO_UDP)
		return false;
	return (p->payload->mark & LOAD_MARK_MASK) == LOAD_MARK;
}

dp_fn bool at_its_end(const struct packet *p, const struct sink_way *w)
{
	return *(u32 *)p->eth->dst == *(u32 *)w->mac && *(u16 *)(p->eth->dst + 4) == *(u16 *)(w->mac + 4) &&
	       p->tag == w->tag && p->outer == w->outer;
}

dp_fn bool foreign(const struct packet *p, const struct sink_way *w, u32 way)
{
	u32 flow = p->payload->flow;

	if (way == LOAD_OUT)
		return (p->ip->saddr & w->mask) != w->source || p->udp->dport != w->dport;
	return p->ip->daddr != be32_of(w->host_first + (flow >> LOAD_BLOCK_SHIFT)) ||
	       p->udp->dport != be16_of((u16)(LOAD_PORT_FIRST + (flow & ((1 << LOAD_BLOCK_SHIFT) - 1)))) ||
	       p->udp->sport != w->dport;
}

dp_fn void packet_note(struct sink_packet *to, const struct packet *p, u16 ip_sum, u16 udp_sum)
{
	to->saddr = p->ip->saddr;
	to->daddr = p->ip->daddr;
	to->sport = p->udp->sport;
	to->dport = p->udp->dport;
	to->flow = p->payload->flow;
	to->ip_csum = p->ip->csum;
	to->udp_csum = p->udp->csum;
	to->ip_sum = ip_sum;
	to->udp_sum = udp_sum;
}

/* Whether both checksums are right. Behind the payload the generator sent zeros, which add nothing: what a router did
 * to them is not seen. */
dp_fn bool sums_right(struct sink_count *c, const struct packet *p)
{
	u64 udp =
		load_sum(&p->ip->saddr, 2) + load_sum(p->udp, (sizeof(*p->udp) + LOAD_PAYLOAD) / 4) + p->payload->mark;
	u16 ip_sum = load_sum_fold(load_sum(p->ip, sizeof(*p->ip) / 4)), udp_sum;

	udp_sum = load_sum_fold(udp + (PORTICO_FORCE u16)be16_of(PROTO_UDP) + (PORTICO_FORCE u16)p->udp->length);
	if (ip_sum == 0xffff && udp_sum == 0xffff)
		return true;
	c->wrong++;
	packet_note(&c->last_wrong, p, ip_sum, udp_sum);
	return false;
}

dp_fn void learn(const struct packet *p)
{
	u32 flow = p->payload->flow;
	struct learned *l = bpf_map_lookup_elem(&learned, &flow);

	if (!l)
		return;
	l->address = p->ip->saddr;
	l->port = p->udp->sport;
}

/* Position of the highest bit that is set, from 0 on. */
dp_fn u32 highest_bit(u64 v)
{
	u32 bit = 0;

#pragma unroll
	for (u32 half = 32; half; half /= 2) {
		if (v >> half) {
			bit += half;
			v >>= half;
		}
	}
	return bit;
}

dp_fn void delay_note(u32 way, u64 ns)
{
	struct sink_delay *d = bpf_map_lookup_elem(&sink_delay, &way);
	u32 bit = highest_bit(ns), e = bit > DELAY_STEP_BITS ? bit - DELAY_STEP_BITS : 0;
	u64 step = ((u64)e << DELAY_STEP_BITS) + (ns >> e);

	if (!d)
		return;
	if (!d->longest || ns < d->shortest)
		d->shortest = ns;
	if (ns > d->longest)
		d->longest = ns;
	if (step >= DELAY_STEPS)
		step = DELAY_STEPS - 1;
	d->steps[step]++;
}

dp_fn void count(struct sink_count *c, struct sink_way *w, u32 sequence)
{
	if (sequence < w->next)
		c->out_of_order++;
	else
		w->next = sequence + 1;
	if (!(++c->packets % LOAD_STAMP)) {
		c->last_ns = bpf_ktime_get_ns();
		c->last_packets = c->packets;
	}
}

SEC("xdp")
int sink(struct xdp_md *ctx)
{
	struct sink_count *c;
	struct sink_way *w;
	struct packet p;
	u32 way;

	if (!packet_parse(&p, ctx))
		return XDP_PASS;
	way = p.payload->mark >> LOAD_MARK_WAY & 1;
	w = bpf_map_lookup_elem(&sink_way, &way);
	c = bpf_map_lookup_elem(&sink_count, &way);
	if (!w || !c || !at_its_end(&p, w))
		return XDP_PASS;
	if (p.payload->mark != w->mark)
		return XDP_DROP; /* of an earlier run */
	if (foreign(&p, w, way)) {
		c->foreign++;
		packet_note(&c->last_foreign, &p, 0, 0);
		return XDP_DROP;
	}
	if ((w->all || !(p.payload->sequence * 0x9e3779b1 >> LOAD_SAMPLE)) && !sums_right(c, &p))
		return XDP_DROP;
	if (w->learn)
		learn(&p);
	if (w->delay)
		delay_note(way, bpf_ktime_get_ns() - ((u64)p.payload->ns[1] << 32 | p.payload->ns[0]));
	count(c, w, p.payload->sequence);
	return XDP_DROP;
}

char LICENSE[] SEC("license") = "GPL";
