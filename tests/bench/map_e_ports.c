/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_ports.c - in process: a port when the set is nearly full, against one of an empty set
 *
 * New flows to one destination after the other, 1000 of the 1008 ports towards each. Timed are the second EDGE of each
 * destination (1 % taken) and the last EDGE (99 %); so memory and the rest of the machine are the same for both. The
 * very first are left out: with them the destination itself is noted, which would flatter the ratio.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dp/portset.h"
#include "dp/wire.h"
#include "engine/engine.h"
#include "map_e.h"

#define DESTINATIONS 120
#define FLOWS 1000
#define EDGE 8
#define FRAME 60
#define ROOM ((ENGINE_HEADROOM + FRAME + 63) / 64 * 64)

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct engine *edge_new(void)
{
	struct dp_config c = {.layout = ABI_LAYOUT,
			      .nports = 3,
			      .mode = MODE_CE,
			      .mapping = MAPPING_SHARED,
			      .probes = 16,
			      .secret = {1, 2},
			      .wan_addr = (be32)htonl(0xc0000286),
			      .ports = portset_of_psid(6, 6, 44)};
	struct dp_tunnel t = {.mtu = 1500, .hop_limit = 64, .dscp = TUNNEL_DSCP_COPY, .nrelays = 1, .port = 1};
	struct engine_route all = {.port = 2};
	struct engine *g;

	for (u32 i = 0; i < 3; i++)
		c.port[i] = (struct dp_port){
			.ifindex = i + 1, .l3_ifindex = i + 101, .mtu = 1500, .mac = {2, 0, 0, 0, 0, (u8)i}};
	c.port[0].role = ROLE_LAN;
	c.port[1].role = ROLE_WAN;
	c.port[2].role = ROLE_SELF;
	t.local.w[3] = t.relay[0].w[3] = (be32)1;
	g = engine_new(&c, 4 * DESTINATIONS * FLOWS);
	if (!g)
		return NULL;
	engine_tunnel(g, &t, &t.relay[0]);
	engine_route_add(g, &all);
	return g;
}

/* UDP from a socket of its own to destination `d`. */
static void frame_make(u8 *frame, u32 d, u32 socket)
{
	struct ipv4_hdr *ip = (struct ipv4_hdr *)(frame + 14);
	struct udp_hdr *udp = (struct udp_hdr *)(ip + 1);
	u32 sum = 0;
	u16 words[10];

	memset(frame, 0, FRAME);
	memcpy(frame, (u8[6]){2, 0, 0, 0, 0, 0}, 6);
	frame[12] = 8;
	ip->version_ihl = 0x45;
	ip->total_length = be16_of(FRAME - 14);
	ip->ttl = 64;
	ip->proto = PROTO_UDP;
	ip->saddr = (be32)htonl(0xc0a80002 + socket / 50000);
	ip->daddr = (be32)htonl(0xc6336401 + d);
	udp->sport = be16_of((u16)(1024 + socket % 50000));
	udp->dport = be16_of(53);
	udp->length = be16_of(FRAME - 34);
	memcpy(words, ip, sizeof(words));
	for (u32 i = 0; i < 10; i++)
		sum += words[i];
	sum = (sum & 0xffff) + (sum >> 16);
	ip->csum = (u16) ~(sum + (sum >> 16));
}

/* Opens `n` flows to destination `d`; nanoseconds, or -1 where one was refused. */
static double flows_open(struct engine *g, u32 d, u32 first, u32 n)
{
	static u8 memory[ENGINE_BATCH][ROOM] __attribute__((aligned(64)));
	struct engine_frame frames[ENGINE_BATCH];
	double begin;

	for (u32 i = 0; i < n; i++) {
		u8 *at = memory[i] + ENGINE_HEADROOM;

		frame_make(at, d, d * FLOWS + first + i);
		frames[i] = (struct engine_frame){.data = at, .length = FRAME, .ifindex = 1};
	}
	begin = now();
	engine_run(g, frames, n);
	begin = now() - begin;
	for (u32 i = 0; i < n; i++)
		if (frames[i].reason != REASON_FORWARD_OUT)
			return -1;
	return begin;
}

int map_e_ports_measure(struct map_e_ports *p, struct err *err)
{
	struct engine *g = edge_new();
	double t = 0;

	*p = (struct map_e_ports){0};
	if (!g)
		return err_set(err, -ENOMEM, "out of memory");
	for (u32 d = 0; d < DESTINATIONS && t >= 0; d++) {
		for (u32 at = 0; at < FLOWS && t >= 0; at += EDGE) {
			t = flows_open(g, d, at, EDGE);
			if (at == EDGE)
				p->empty += t;
			if (at + EDGE >= FLOWS)
				p->full += t;
		}
	}
	engine_free(g);
	p->empty /= DESTINATIONS * EDGE;
	p->full /= DESTINATIONS * EDGE;
	return t < 0 ? err_set(err, -ENOSPC, "the packet core refused a flow though a port was free") : 0;
}
