/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slow_fixture.h - the daemon's slow path with nothing below it: what it asks of the kernel is answered from here
 *
 *   kernel_run()          notes the frame; `opens` says what the packet path does with it
 *   kernel_flow_get() ... a few entries in arrays
 *   sendto()              notes the message
 */
#ifndef PORTICO_TESTS_SLOW_FIXTURE_H
#define PORTICO_TESTS_SLOW_FIXTURE_H

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "dp/csum.h"
#include "gateway/slow.h"
#include "lib/clock.h"
#include "packet.h"

#define LAN 0 /* ports, and their ifindex - 1 */
#define WAN 1
#define SELF 2

#define FRAME_ROOM (PACKET_MAX + 100) /* bytes */

#define PACKET_SOCKET 1000
#define ICMP_SOCKET 1001

struct bytes {
	u32 length;
	u32 ifindex; /* of a frame that was run */
	u8 at[4096];
};

struct entry {
	struct flow_key key;
	struct flow_half half;
};

static struct {
	struct gateway g;
	bool opens;   /* a frame that is run is sent; else it is dropped */
	u32 nruns;    /* kernel_run() */
	u32 nframes;  /* sent */
	u32 nerrors;  /* ICMP messages sent by the raw socket */
	u32 lookups;  /* kernel_flow_get() */
	u32 path_mtu; /* as last told, 0: never */
	u32 nentries;
	struct bytes run[64];	  /* each frame that was run */
	struct bytes error[8];	  /* each ICMP message by the raw socket */
	struct entry entry[2048]; /* the flow table */
	bool noted;		  /* a destination, by the one key there is */
	struct dest_key dest_key;
	struct dest dest;
	bool first_came; /* of fragments, each that is asked for */
	u32 first_last;	 /* tick */
} world;

CHECK_UNUSED static u32 tick_now(void)
{
	return (u32)(clock_ns() >> TICK_SHIFT);
}

/* The kernel room, as far as the slow path asks it. */
int kernel_run(struct kernel *k, const void *frame, u32 size, u32 ifindex, struct kernel_result *result)
{
	struct bytes *run = &world.run[world.nruns++ % 64];

	(void)k;
	run->length = size;
	run->ifindex = ifindex;
	memcpy(run->at, frame, size);
	result->action = world.opens ? XDP_TX : XDP_DROP;
	result->length = size;
	memcpy(result->frame, frame, size);
	memcpy(result->frame + 6, world.g.dp.port[LAN].mac, 6);
	return 0;
}

int kernel_flow_get(struct kernel *k, const struct flow_key *key, struct flow_half *half)
{
	(void)k;
	world.lookups++;
	for (u32 i = 0; i < world.nentries; i++)
		if (!memcmp(&world.entry[i].key, key, sizeof(*key))) {
			*half = world.entry[i].half;
			return 0;
		}
	return -ENOENT;
}

int kernel_frag_get(struct kernel *k, const struct frag_key *key, struct frag *frag)
{
	(void)k;
	(void)key;
	*frag = (struct frag){.last = world.first_last};
	return world.first_came ? 0 : -ENOENT;
}

int kernel_dest_get(struct kernel *k, const struct dest_key *key, struct dest *dest)
{
	(void)k;
	if (!world.noted || memcmp(key, &world.dest_key, sizeof(*key)))
		return -ENOENT;
	*dest = world.dest;
	return 0;
}

int kernel_dest_set(struct kernel *k, const struct dest_key *key, const struct dest *dest)
{
	(void)k;
	world.noted = true;
	world.dest_key = *key;
	world.dest = *dest;
	return 0;
}

int kernel_dest_blank_set(struct kernel *k, const struct dest *dest)
{
	(void)k;
	(void)dest;
	return 0;
}

int kernel_dests_clear(struct kernel *k)
{
	(void)k;
	return 0;
}

int kernel_events_open(struct kernel *k, kernel_event *handle, void *arg, struct err *err)
{
	(void)k;
	(void)handle;
	(void)arg;
	(void)err;
	return -1;
}

void kernel_events_read(struct kernel *k)
{
	(void)k;
}

/* The rest of the daemon. */
const struct nexthop *neigh_find(const struct gateway *g, const struct neighbour_key *key)
{
	(void)g;
	(void)key;
	return NULL;
}

void neigh_resolve(struct gateway *g, const struct neighbour_key *key)
{
	(void)g;
	(void)key;
}

void tunnel_path_mtu(struct gateway *g, u32 mtu)
{
	(void)g;
	world.path_mtu = mtu;
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
	struct bytes *error = &world.error[world.nerrors % 8];

	(void)flags;
	(void)to;
	(void)length;
	if (fd == ICMP_SOCKET) {
		error->length = (u32)size;
		memcpy(error->at, data, size);
		world.nerrors++;
	} else {
		world.nframes++;
	}
	return (ssize_t)size;
}

/* A gateway of this kind with a LAN, a WAN and, at an edge, its own port; its set is 1024-2047 or what the test makes
 * of it. */
CHECK_UNUSED static struct gateway *world_start(enum dp_mode kind)
{
	struct gateway *g = &world.g;

	memset(&world, 0, sizeof(world));
	g->conf.kind = kind;
	g->dp = (struct dp_config){
		.nports = kind == MODE_CE ? 3 : 2,
		.port = {{.ifindex = 1, .role = ROLE_LAN, .mac = {2, 0, 0, 0, 0, 0xa1}, .mtu = 1500},
			 {.ifindex = 2, .role = ROLE_WAN, .mac = {2, 0, 0, 0, 0, 0xb1}, .mtu = 1500},
			 {.ifindex = 3, .role = ROLE_SELF, .mac = {2, 0, 0, 0, 0, 0xc1}, .mtu = 1460}},
		.wan_addr = address(192, 0, 2, 134),
		.ports = {.base = 1024, .count = 1024, .m = 16, .shift = 16},
		.mode = (u8)kind,
		.refusal = 13,
		.self = address(192, 0, 0, 2),
	};
	g->tunnel = (struct dp_tunnel){.nrelays = 1, .mtu = 1500, .port = kind == MODE_CE ? WAN : LAN};
	g->tunnel.local = (struct ip_addr){{be32_of(0x20010db8), be32_of(0x0086b000), 0, be32_of(1)}};
	g->tunnel.relay[0] = (struct ip_addr){{be32_of(0x20010db8), be32_of(0xffff0000), 0, be32_of(1)}};
	g->slow = calloc(1, sizeof(*g->slow));
	g->slow->packet = PACKET_SOCKET;
	g->slow->icmp = ICMP_SOCKET;
	CHECK(!hold_init(g) && !wait_init(g) && !reassemble_init(g));
	return g;
}

CHECK_UNUSED static void world_end(void)
{
	hold_exit(&world.g);
	wait_exit(&world.g);
	reassemble_exit(&world.g);
	free(world.g.slow);
}

/* An entry of the flow table. */
CHECK_UNUSED static void world_flow(struct flow_key key, struct flow_half half)
{
	world.entry[world.nentries++] = (struct entry){key, half};
}

/* The inside host 192.168.1.72:5000 has a flow to 198.51.100.9:53, seen outside as `port` of the WAN's address. */
CHECK_UNUSED static struct flow_key world_home(u8 proto, u16 port)
{
	struct flow_key in = {.saddr = address(198, 51, 100, 9),
			      .daddr = world.g.dp.wan_addr,
			      .sport = be16_of(53),
			      .dport = be16_of(port),
			      .proto = proto,
			      .dir = FLOW_IN};
	be32 inside = address(192, 168, 1, 72);
	u32 diff = proto == PROTO_ICMP ? 0 : csum_diff32(in.daddr, inside);

	if (proto == PROTO_ICMP)
		in.sport = be16_of(0);
	world_flow(in, (struct flow_half){.addr = inside,
					  .port = be16_of(5000),
					  .l4_delta = csum_fold(diff + csum_diff16(in.dport, be16_of(5000)))});
	return in;
}

/* An Ethernet header to a port in front of IPv4 or IPv6; returns its length. */
CHECK_UNUSED static u32 ethernet(u8 *frame, u32 port, u32 type)
{
	memcpy(frame, world.g.dp.port[port].mac, 6);
	memcpy(frame + 6, (u8[6]){2, 0xcc, 0, 0, 0, 9}, 6);
	put16(frame + 12, type);
	return 14;
}

/* An IPv6 header between two ends; returns its length. */
CHECK_UNUSED static u32 ip6_put(u8 *ip6, const struct ip_addr *from, const struct ip_addr *to, u8 next, u32 payload)
{
	memset(ip6, 0, 40);
	ip6[0] = 0x60;
	put16(ip6 + 4, payload);
	ip6[6] = next;
	ip6[7] = 61;
	memcpy(ip6 + 8, from, 16);
	memcpy(ip6 + 24, to, 16);
	return 40;
}

#endif
