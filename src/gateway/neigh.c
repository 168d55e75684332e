/* SPDX-License-Identifier: GPL-2.0-or-later */
/* neigh.c - the next-hop table, kept as the kernel's neighbour table is
 *
 * Every neighbour on one of our ports that has a link-layer address gets an index. The packet path finds the index
 * by (interface, address) when a flow needs a route, remembers it in the flow, and reads the MAC addresses from there
 * for every packet; so one write here redirects all flows of a neighbour.
 *
 *   free --(neighbour valid)--> valid --(deleted, failed)--> spent --(no free index left)--> valid, for another
 *
 * A spent index is used again only when every flow has been told to ask for its route anew (dp_config.routes), since
 * flows may remember it.
 *
 * The kernel does not see the packets that XDP forwards, so it would never ask whether a neighbour is still there.
 * The collector marks the indices in use (neigh_used), and neigh_confirm() has the kernel probe those that are stale.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/neighbour.h>
#include <stdlib.h>
#include <string.h>

#include "gateway.h"

enum entry_state {
	ENTRY_FREE,
	ENTRY_VALID,
	ENTRY_SPENT,
};

struct entry {
	struct neighbour_key key;
	struct nexthop hop;
	u8 state; /* enum entry_state */
	u8 used;  /* by a flow, since the last confirmation */
	u16 nud;  /* NUD_* of the kernel's neighbour */
};

struct neigh {
	u32 top;   /* indices 1 .. top - 1 have been used */
	u32 valid; /* how many are valid */
	struct entry entry[DP_NEXTHOPS_MAX];
};

/* IPv4 is ::ffff:a.b.c.d there (abi/config.h). */
static struct ip_addr ip_addr_of(int family, const void *bytes)
{
	struct ip_addr addr = {0};

	if (family == AF_INET6) {
		memcpy(&addr, bytes, sizeof(addr));
	} else {
		addr.w[2] = (PORTICO_FORCE be32)htonl(0xffff);
		memcpy(&addr.w[3], bytes, sizeof(addr.w[3]));
	}
	return addr;
}

static bool ip_addr_is_ipv4(const struct ip_addr *addr)
{
	return !addr->w[0] && !addr->w[1] && addr->w[2] == (PORTICO_FORCE be32)htonl(0xffff);
}

int neigh_init(struct gateway *g)
{
	g->neigh = calloc(1, sizeof(*g->neigh));
	if (!g->neigh)
		return -ENOMEM;
	g->neigh->top = 1;
	return 0;
}

void neigh_exit(struct gateway *g)
{
	free(g->neigh);
	g->neigh = NULL;
}

static u32 find(const struct neigh *n, const struct neighbour_key *key)
{
	for (u32 i = 1; i < n->top; i++)
		if (n->entry[i].state == ENTRY_VALID && !memcmp(&n->entry[i].key, key, sizeof(*key)))
			return i;
	return 0;
}

/* An index for a new neighbour, or 0. */
static u32 take(struct gateway *g)
{
	struct neigh *n = g->neigh;
	u32 i;

	if (n->top < DP_NEXTHOPS_MAX)
		return n->top++;
	for (i = 1; i < n->top && n->entry[i].state != ENTRY_SPENT; i++)
		;
	if (i == n->top)
		return 0;
	g->dp.routes++; /* no flow remembers any index from before now */
	live_config_write(g);
	for (u32 j = 1; j < n->top; j++)
		if (n->entry[j].state == ENTRY_SPENT)
			n->entry[j].state = ENTRY_FREE;
	return i;
}

static u32 take_free(struct gateway *g)
{
	struct neigh *n = g->neigh;

	for (u32 i = 1; i < n->top; i++)
		if (n->entry[i].state == ENTRY_FREE)
			return i;
	return take(g);
}

static void forget(struct gateway *g, u32 index)
{
	struct entry *e = &g->neigh->entry[index];

	kernel_neighbour_del(g->kernel, &e->key);
	e->hop.state = NEXTHOP_NONE;
	kernel_nexthop_set(g->kernel, (u16)index, &e->hop);
	e->state = ENTRY_SPENT;
	g->neigh->valid--;
}

/* Returns the neighbour's index, 0 where there is no room: then its flows ask the routing table for each packet. */
static u16 learn(struct gateway *g, u32 port, const struct neighbour_key *key, const u8 mac[6], u16 nud)
{
	const struct dp_port *p = &g->dp.port[port];
	u32 index = find(g->neigh, key);
	bool fresh = !index;
	struct entry *e;

	if (fresh)
		index = take_free(g);
	if (!index)
		return 0;
	e = &g->neigh->entry[index];
	e->key = *key;
	e->hop = (struct nexthop){
		.vid = p->vid,
		.mtu = p->mtu,
		.ifindex = p->ifindex,
		.port = (u8)port,
		.state = NEXTHOP_VALID,
	};
	memcpy(e->hop.dmac, mac, sizeof(e->hop.dmac));
	memcpy(e->hop.smac, p->mac, sizeof(e->hop.smac));
	e->nud = nud;
	kernel_nexthop_set(g->kernel, (u16)index, &e->hop);
	if (fresh) {
		e->state = ENTRY_VALID;
		g->neigh->valid++;
		kernel_neighbour_set(g->kernel, key, (u16)index);
	}
	hold_release(g, key);
	return (u16)index;
}

u16 neigh_keep(struct gateway *g, u32 port, be32 addr, const u8 mac[6])
{
	struct neighbour_key key = {.l3_ifindex = g->dp.port[port].l3_ifindex, .addr = ip_addr_of(AF_INET, &addr)};

	return learn(g, port, &key, mac, NUD_PERMANENT);
}

static u32 port_of(const struct gateway *g, u32 l3_ifindex)
{
	u32 i;

	for (i = 0; i < g->dp.nports && g->dp.port[i].l3_ifindex != l3_ifindex; i++)
		;
	return i;
}

/* Whether a neighbour of this port can be a next hop: IPv6 goes nowhere but into the tunnel, and the port of this
 * router's own traffic has one already (neigh_keep). */
static bool wanted(const struct gateway *g, u32 port, int family)
{
	if (port == g->dp.nports || g->dp.port[port].role == ROLE_SELF)
		return false;
	return family == AF_INET || (g->conf.kind != MODE_NAT44 && port == g->tunnel.port);
}

int neigh_message(const struct nlmsghdr *message, void *gateway)
{
	const struct ndmsg *nd = mnl_nlmsg_get_payload(message);
	struct neighbour_key key = {.l3_ifindex = (u32)nd->ndm_ifindex};
	size_t size = nd->ndm_family == AF_INET ? 4 : 16;
	const struct nlattr *attr;
	struct gateway *g = gateway;
	const u8 *mac = NULL;
	bool addressed = false;
	u32 port, index;

	if (nd->ndm_family != AF_INET && nd->ndm_family != AF_INET6)
		return MNL_CB_OK;
	mnl_attr_for_each(attr, message, sizeof(*nd)) {
		if (mnl_attr_get_type(attr) == NDA_DST && mnl_attr_get_payload_len(attr) == size) {
			key.addr = ip_addr_of(nd->ndm_family, mnl_attr_get_payload(attr));
			addressed = true;
		} else if (mnl_attr_get_type(attr) == NDA_LLADDR && mnl_attr_get_payload_len(attr) == 6) {
			mac = mnl_attr_get_payload(attr);
		}
	}
	port = port_of(g, key.l3_ifindex);
	if (!addressed || !wanted(g, port, nd->ndm_family))
		return MNL_CB_OK;
	if (message->nlmsg_type == RTM_NEWNEIGH && mac &&
	    nd->ndm_state & (NUD_PERMANENT | NUD_NOARP | NUD_REACHABLE | NUD_PROBE | NUD_STALE | NUD_DELAY)) {
		learn(g, port, &key, mac, nd->ndm_state);
		return MNL_CB_OK;
	}
	index = find(g->neigh, &key);
	if (index && (message->nlmsg_type == RTM_DELNEIGH || nd->ndm_state & NUD_FAILED))
		forget(g, index);
	return MNL_CB_OK;
}

/* Starts the table anew from the kernel's: at start, and when the ports have changed. */
void neigh_sync(struct gateway *g)
{
	for (u32 i = 1; i < g->neigh->top; i++)
		if (g->neigh->entry[i].state == ENTRY_VALID)
			forget(g, i);
	nl_dump(&g->ask, RTM_GETNEIGH, AF_INET, neigh_message, g);
	nl_dump(&g->ask, RTM_GETNEIGH, AF_INET6, neigh_message, g);
}

const struct nexthop *neigh_find(const struct gateway *g, const struct neighbour_key *key)
{
	u32 index = find(g->neigh, key);

	return index ? &g->neigh->entry[index].hop : NULL;
}

/* Has the kernel resolve or probe a neighbour, as if it had a packet to send there. */
void neigh_resolve(struct gateway *g, const struct neighbour_key *key)
{
	bool ipv4 = ip_addr_is_ipv4(&key->addr);
	char buffer[256] __attribute__((aligned(8)));
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct ndmsg *nd = mnl_nlmsg_put_extra_header(message, sizeof(*nd));

	message->nlmsg_type = RTM_NEWNEIGH;
	message->nlmsg_flags = NLM_F_CREATE;
	nd->ndm_family = ipv4 ? AF_INET : AF_INET6;
	nd->ndm_ifindex = (int)key->l3_ifindex;
	nd->ndm_flags = NTF_USE;
	mnl_attr_put(message, NDA_DST, ipv4 ? 4 : 16, ipv4 ? &key->addr.w[3] : key->addr.w);
	nl_request(&g->ask, message);
}

void neigh_used(struct gateway *g, u16 index)
{
	if (index < g->neigh->top)
		g->neigh->entry[index].used = 1;
}

void neigh_confirm(struct gateway *g)
{
	for (u32 i = 1; i < g->neigh->top; i++) {
		struct entry *e = &g->neigh->entry[i];

		if (e->state == ENTRY_VALID && e->used && e->nud & NUD_STALE)
			neigh_resolve(g, &e->key);
		e->used = 0;
	}
}

u32 neigh_count(const struct gateway *g)
{
	return g->neigh->valid;
}
