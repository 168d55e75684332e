/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_xdp.h - the core's host in XDP: maps, the kernel's routing table and sockets, direct packet access */
#ifndef PORTICO_BPF_ENV_XDP_H
#define PORTICO_BPF_ENV_XDP_H

#include "maps.h"

#define DP_ENV
#include "dp/env.h"
#include "dp/pkt.h"
#include "dp/port.h"

#ifndef AF_INET
#define AF_INET 2
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

dp_fn enum reason env_route(struct env *e, const struct meta *m, be32 dst, struct nexthop *hop, u16 *index)
{
	const struct dp_config *c = env_config(e);
	struct bpf_fib_lookup fib = {.family = AF_INET};
	struct neighbour_key key;
	const struct dp_port *port;
	u32 at, *known;
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
	at = port_of_l3(c, fib.ifindex);
	if (at >= DP_PORTS_MAX)
		return REASON_KERNEL_ROUTE;
	port = port_at(c, at);
	*hop = (struct nexthop){
		.vid = port->vid,
		.mtu = port->mtu,
		.ifindex = port->ifindex,
		.port = (u8)at,
		.state = NEXTHOP_VALID,
		.addr = (PORTICO_FORCE be32)fib.ipv4_dst,
		.l3_ifindex = fib.ifindex,
	};
	if (rc == BPF_FIB_LKUP_RET_NO_NEIGH)
		return REASON_SLOW_NEIGHBOUR;
	__builtin_memcpy(hop->dmac, fib.dmac, sizeof(hop->dmac));
	__builtin_memcpy(hop->smac, port->mac, sizeof(hop->smac));
	key = (struct neighbour_key){.l3_ifindex = hop->l3_ifindex, .addr = hop->addr};
	known = bpf_map_lookup_elem(&neighbours, &key);
	*index = known ? (u16)*known : 0;
	return REASON_NONE;
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
