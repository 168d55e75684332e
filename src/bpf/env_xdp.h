/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_xdp.h - the core's host in XDP: maps, the kernel's routing table and sockets, direct packet access */
#ifndef PORTICO_BPF_ENV_XDP_H
#define PORTICO_BPF_ENV_XDP_H

#include "maps.h"

#define DP_ENV
#include "dp/env.h"
#include "dp/pkt.h"
#include "dp/port.h"
#include "dp/way.h"

#ifndef AF_INET
#define AF_INET 2
#define AF_INET6 10
#endif

#define ENV_EEXIST 17

struct env {
	struct xdp_md *ctx;
};

dp_fn const struct dp_config *env_config(struct env *e)
{
	u32 zero = 0;

	(void)e;
	return bpf_map_lookup_elem(&config, &zero);
}

dp_fn const struct dp_tunnel *env_tunnel(struct env *e)
{
	u32 zero = 0;

	(void)e;
	return bpf_map_lookup_elem(&tunnel, &zero);
}

dp_fn u32 env_tick(struct env *e)
{
	(void)e;
	return (u32)(bpf_ktime_get_coarse_ns() >> TICK_SHIFT);
}

dp_fn struct flow_half *env_flow_get(struct env *e, const struct flow_key *key)
{
	(void)e;
	return bpf_map_lookup_elem(&flows, key);
}

dp_fn int env_flow_add(struct env *e, const struct flow_key *key, const struct flow_half *half)
{
	/* before Linux 6.4 only the lower half counts: the map's own function, an int, stands in for the helper */
	int rc = (int)bpf_map_update_elem(&flows, key, half, BPF_NOEXIST);

	(void)e;
	if (!rc)
		return ENV_OK;
	return rc == -ENV_EEXIST ? ENV_EXISTS : ENV_FULL;
}

dp_fn void env_flow_del(struct env *e, const struct flow_key *key)
{
	(void)e;
	bpf_map_delete_elem(&flows, key);
}

dp_fn const struct frag *env_frag_get(struct env *e, const struct frag_key *key)
{
	(void)e;
	return bpf_map_lookup_elem(&fragments, key);
}

dp_fn void env_frag_put(struct env *e, const struct frag_key *key, const struct frag *frag)
{
	(void)e;
	bpf_map_update_elem(&fragments, key, frag, BPF_ANY);
}

dp_fn struct dest *env_dest_get(struct env *e, const struct dest_key *key)
{
	(void)e;
	return bpf_map_lookup_elem(&dests, key);
}

dp_fn struct dest *env_dest_make(struct env *e, const struct dest_key *key)
{
	u32 zero = 0;
	struct dest *fresh = bpf_map_lookup_elem(&blank, &zero);

	(void)e;
	if (fresh)
		bpf_map_update_elem(&dests, key, fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&dests, key);
}

dp_fn u32 *env_share(struct env *e, const struct share_key *key)
{
	u32 *held = bpf_map_lookup_elem(&shares, key), zero = 0;

	(void)e;
	if (held)
		return held;
	bpf_map_update_elem(&shares, key, &zero, BPF_NOEXIST);
	return bpf_map_lookup_elem(&shares, key);
}

dp_fn struct rare *env_rare(struct env *e)
{
	u32 zero = 0;

	(void)e;
	return bpf_map_lookup_elem(&rares, &zero);
}

dp_fn int env_reserved(struct env *e, u16 port)
{
	u32 at = port >> 6;
	u64 *word = bpf_map_lookup_elem(&reserved, &at);

	(void)e;
	return word && (*word >> (port & 63) & 1);
}

dp_fn int env_local(struct env *e, const struct flow_key *in)
{
	struct bpf_sock_tuple tuple = {
		.ipv4 = {.saddr = (PORTICO_FORCE __be32)in->saddr,
			 .daddr = (PORTICO_FORCE __be32)in->daddr,
			 .sport = (PORTICO_FORCE __be16)in->sport,
			 .dport = (PORTICO_FORCE __be16)in->dport},
	};
	struct bpf_sock *sk = 0;

	if (in->proto == PROTO_TCP)
		sk = bpf_skc_lookup_tcp(e->ctx, &tuple, sizeof(tuple.ipv4), BPF_F_CURRENT_NETNS, 0);
	else if (in->proto == PROTO_UDP)
		sk = bpf_sk_lookup_udp(e->ctx, &tuple, sizeof(tuple.ipv4), BPF_F_CURRENT_NETNS, 0);
	if (!sk)
		return 0;
	bpf_sk_release(sk);
	return 1;
}

dp_fn const struct nexthop *env_nexthop(struct env *e, u16 index)
{
	u32 at = index;

	(void)e;
	return bpf_map_lookup_elem(&nexthops, &at);
}

dp_fn struct dp_way *env_way(struct env *e, u32 index)
{
	(void)e;
	return bpf_map_lookup_elem(&ways, &index);
}

/* What the kernel's routing table said, as a way. `way->who` is filled. */
dp_fn enum reason env_way_of(const struct dp_config *c, const struct bpf_fib_lookup *fib, long rc, struct way *way)
{
	u32 at = port_of_l3(c, fib->ifindex), *known;
	const struct dp_port *port = port_at(c, at);

	if (at >= DP_PORTS_MAX)
		return REASON_KERNEL_ROUTE;
	way->hop = (struct nexthop){
		.vid = port->vid,
		.mtu = port->mtu,
		.ifindex = port->ifindex,
		.port = (u8)at,
		.state = NEXTHOP_VALID,
	};
	way->who.l3_ifindex = fib->ifindex;
	if (rc == BPF_FIB_LKUP_RET_NO_NEIGH)
		return REASON_SLOW_NEIGHBOUR;
	__builtin_memcpy(way->hop.dmac, fib->dmac, sizeof(way->hop.dmac));
	__builtin_memcpy(way->hop.smac, port->mac, sizeof(way->hop.smac));
	known = bpf_map_lookup_elem(&neighbours, &way->who);
	way->index = known ? (u16)*known : 0;
	return REASON_NONE;
}

dp_fn enum reason env_route(struct env *e, const struct meta *m, be32 dst, struct way *way)
{
	const struct dp_config *c = env_config(e);
	struct bpf_fib_lookup fib = {.family = AF_INET};
	long rc;

	if (!c)
		return REASON_DROP_FAULT;
	fib.l4_protocol = m->key.proto;
	fib.ifindex = port_at(c, m->port)->l3_ifindex;
	fib.ipv4_src = (PORTICO_FORCE __be32)m->key.saddr;
	fib.ipv4_dst = (PORTICO_FORCE __be32)dst;
	rc = bpf_fib_lookup(e->ctx, &fib, sizeof(fib), 0);
	if (rc != BPF_FIB_LKUP_RET_SUCCESS && rc != BPF_FIB_LKUP_RET_NO_NEIGH)
		return REASON_KERNEL_ROUTE;
	way->who.addr = way_ipv4((PORTICO_FORCE be32)fib.ipv4_dst);
	return env_way_of(c, &fib, rc, way);
}

dp_fn enum reason env_route6(struct env *e, u32 port, const struct ip_addr *dst, struct way *way)
{
	const struct dp_config *c = env_config(e);
	struct bpf_fib_lookup fib = {.family = AF_INET6};
	enum reason why;
	long rc;

	if (!c)
		return REASON_DROP_FAULT;
	fib.ifindex = port_at(c, port)->l3_ifindex;
	__builtin_memcpy(fib.ipv6_dst, dst, sizeof(*dst));
	rc = bpf_fib_lookup(e->ctx, &fib, sizeof(fib), BPF_FIB_LOOKUP_OUTPUT);
	if (rc != BPF_FIB_LKUP_RET_SUCCESS && rc != BPF_FIB_LKUP_RET_NO_NEIGH)
		return REASON_DROP_NO_ROUTE;
	__builtin_memcpy(&way->who.addr, fib.ipv6_dst, sizeof(way->who.addr));
	why = env_way_of(c, &fib, rc, way);
	return why == REASON_KERNEL_ROUTE ? REASON_DROP_NO_ROUTE : why;
}

dp_fn int env_head(struct env *e, struct pkt *p, int bytes)
{
	if (bpf_xdp_adjust_head(e->ctx, -bytes))
		return 1;
	p->data = (u8 *)(long)e->ctx->data;
	p->end = (u8 *)(long)e->ctx->data_end;
	return 0;
}

#endif
