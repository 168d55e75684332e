/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixture.h - a home router and three packets of a LAN host, for tests of single steps
 *
 *   192.168.1.10 --- lan 192.168.1.1 [router] wan 203.0.113.2 --- 203.0.113.1 (gateway) --- 198.51.100.9
 */
#ifndef PORTICO_TESTS_FIXTURE_H
#define PORTICO_TESTS_FIXTURE_H

#include "dp/portset.h"
#include "engine/engine.h"
#include "engine/home.h"
#include "packet.h"

#define LAN 1 /* ifindex */
#define WAN 2
#define FRAME_MAX 2048

struct fixture {
	struct dp_config config;
	struct dp_tunnel tunnel; /* softwire.h */
	struct engine *engine;
	struct engine_frame frame; /* the last that ran */
	u8 memory[ENGINE_HEADROOM + FRAME_MAX] __attribute__((aligned(4)));
};

/* UDP 192.168.1.10:7000 to 198.51.100.9:53, "ping" */
static const u8 udp_out[46] CHECK_UNUSED = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0xaa, 0x00, 0x00, 0x00, 0x10, 0x08, 0x00, 0x45, 0x00,
	0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, 0x3c, 0xaa, 0xc0, 0xa8, 0x01, 0x0a, 0xc6, 0x33,
	0x64, 0x09, 0x1b, 0x58, 0x00, 0x35, 0x00, 0x0c, 0x19, 0x89, 0x70, 0x69, 0x6e, 0x67,
};

/* and its answer to 203.0.113.2:7000, "pong" */
static const u8 udp_in[46] CHECK_UNUSED = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0xbb, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x45, 0x00,
	0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, 0xc2, 0x59, 0xc6, 0x33, 0x64, 0x09, 0xcb, 0x00,
	0x71, 0x02, 0x00, 0x35, 0x1b, 0x58, 0x00, 0x0c, 0x9f, 0x32, 0x70, 0x6f, 0x6e, 0x67,
};

/* TCP SYN 192.168.1.10:40000 to 198.51.100.9:80, with an MSS option */
static const u8 tcp_out[58] CHECK_UNUSED = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0xaa, 0x00, 0x00, 0x00, 0x10, 0x08, 0x00, 0x45,
	0x00, 0x00, 0x2c, 0x12, 0x34, 0x40, 0x00, 0x40, 0x06, 0x3c, 0xa9, 0xc0, 0xa8, 0x01, 0x0a,
	0xc6, 0x33, 0x64, 0x09, 0x9c, 0x40, 0x00, 0x50, 0x00, 0x00, 0x03, 0xe8, 0x00, 0x00, 0x00,
	0x00, 0x60, 0x02, 0xff, 0xff, 0x0b, 0xbf, 0x00, 0x00, 0x02, 0x04, 0x05, 0xb4,
};

/* ICMP echo request 192.168.1.10 to 198.51.100.9, identifier 4711 */
static const u8 icmp_out[46] CHECK_UNUSED = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0xaa, 0x00, 0x00, 0x00, 0x10, 0x08, 0x00, 0x45, 0x00,
	0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x40, 0x01, 0x3c, 0xba, 0xc0, 0xa8, 0x01, 0x0a, 0xc6, 0x33,
	0x64, 0x09, 0x08, 0x00, 0x06, 0xc7, 0x12, 0x67, 0x00, 0x01, 0x70, 0x69, 0x6e, 0x67,
};

/* The configuration of a home with these VLANs (0: untagged), to be changed before fixture_start(). */
CHECK_UNUSED static void fixture_init(struct fixture *f, u16 lan_vid, u16 wan_vid)
{
	memset(f, 0, sizeof(*f));
	f->config = (struct dp_config){
		.layout = ABI_LAYOUT,
		.nports = 2,
		.port = {{.role = ROLE_LAN, .vid = lan_vid}, {.role = ROLE_WAN, .vid = wan_vid}},
		.wan_addr = address(203, 0, 113, 2),
		.probes = 16,
		.ports = portset_of_range(1024, 65535),
	};
}

CHECK_UNUSED static void fixture_start(struct fixture *f, u32 flows)
{
	struct home_port home[] = {
		{.link = "lan0", .address = address(192, 168, 1, 1), .prefix = 24},
		{.link = "wan0", .address = address(203, 0, 113, 2), .prefix = 24, .gateway = address(203, 0, 113, 1)},
	};
	struct engine_route routes[HOME_ROUTES_MAX];

	home_config(home, 1, &f->config);
	f->engine = engine_new(&f->config, flows);
	for (u32 i = 0, n = home_routes(home, &f->config, routes); i < n; i++)
		engine_route_add(f->engine, &routes[i]);
}

/* Runs a copy of `frame`; the result is in f->frame. */
CHECK_UNUSED static enum reason fixture_run(struct fixture *f, u32 ifindex, const void *frame, u32 length)
{
	memcpy(f->memory + ENGINE_HEADROOM, frame, length);
	f->frame = (struct engine_frame){
		.data = f->memory + ENGINE_HEADROOM,
		.length = length,
		.ifindex = ifindex,
	};
	engine_run(f->engine, &f->frame, 1);
	return f->frame.reason;
}

static void half_count(void *arg, const struct flow_key *key, const struct flow_half *half)
{
	(void)key;
	(void)half;
	++*(u32 *)arg;
}

CHECK_UNUSED static u32 fixture_halves(const struct fixture *f)
{
	u32 n = 0;

	engine_flows(f->engine, half_count, &n);
	return n;
}

#endif
