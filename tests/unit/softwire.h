/* SPDX-License-Identifier: GPL-2.0-or-later */
/* softwire.h - a MAP-E customer edge and a border relay, each with the same few rules
 *
 *   192.168.1.10 --- lan [edge] wan --- IPv6 --- lan [relay] wan 203.0.113.2 --- 203.0.113.1 --- 198.51.100.9
 *                        its MAP-E address       2001:db8:ffff::1
 */
#ifndef PORTICO_TESTS_SOFTWIRE_H
#define PORTICO_TESTS_SOFTWIRE_H

#include "dp/mape.h"
#include "fixture.h"

#define SELF 3 /* ifindex of an edge's own traffic */
#define TUNNEL_MTU 1500

/* A customer: its rule, and what it has by that. */
struct customer {
	const char *name;
	struct addr6 prefix; /* of the rule */
	u8 prefix6, prefix4, ea, offset, k, format;
	u8 addr[4]; /* the customer's */
	u16 psid;
};

/* The vectors of RFC 7597's arithmetic that have port sets, and one whose address is not shared. */
static const struct customer customer_v2 CHECK_UNUSED = {
	"a 6, k 6, PSID 17", {0x20010db840000000, 0}, 38, 28, 10, 6, 6, MAPE_RFC7597, {192, 0, 2, 0}, 0x11,
};
static const struct customer customer_v8 CHECK_UNUSED = {
	"a 4, k 8, PSID 100", {0x20010db880000000, 0}, 40, 24, 16, 4, 8, MAPE_DRAFT03, {192, 0, 2, 18}, 100,
};
static const struct customer customer_v9 CHECK_UNUSED = {
	"a 6, k 6, PSID 44", {0x20010db8c0000000, 0}, 42, 24, 14, 6, 6, MAPE_RFC7597, {192, 0, 2, 134}, 44,
};
static const struct customer customer_whole CHECK_UNUSED = {
	"a whole address", {0x20010db900000000, 0}, 32, 8, 24, 0, 0, MAPE_RFC7597, {20, 169, 201, 219}, 0,
};

static be32 customer_addr(const struct customer *c)
{
	return address(c->addr[0], c->addr[1], c->addr[2], c->addr[3]);
}

static struct mape_rule customer_rule(const struct customer *c, u32 index)
{
	struct mape_rule r = {
		.prefix = c->prefix,
		.addr = host32(customer_addr(c)) & (c->prefix4 == 32 ? ~0u : ~(~0u >> c->prefix4)),
		.prefix6 = c->prefix6,
		.prefix4 = c->prefix4,
		.ea = c->ea,
		.offset = c->offset,
		.psid_len = c->k,
		.format = c->format,
	};

	CHECK_EQ(mape_rule_check(&r), MAPE_FAULT_NONE);
	mape_rule_prepare(&r, index);
	return r;
}

/* RFC 7597, 5.1, as it is drawn: | A > 0: a bits | PSID: k bits | j |. */
CHECK_UNUSED static bool customer_has_port(const struct customer *c, u32 port)
{
	return (!c->offset || port >> (16 - c->offset)) &&
	       (port >> (16 - c->offset - c->k) & ((1u << c->k) - 1)) == c->psid;
}

/* The port with number i of those, counted one by one. */
CHECK_UNUSED static u32 customer_port(const struct customer *c, u32 i)
{
	u32 port = 0;

	while (!customer_has_port(c, port) || i--)
		port++;
	return port;
}

/* The customer's end of the tunnel. */
static struct ip_addr customer_end(const struct customer *c)
{
	struct mape_rule r = customer_rule(c, 0);
	struct ip_addr end;
	u32 port = 0xffff;

	while (!customer_has_port(c, port))
		port--;
	addr6_to_wire(end.w, mape_destination(&r, host32(customer_addr(c)), (u16)port));
	return end;
}

/* A border relay's address of this domain. */
static struct ip_addr relay_end(u32 domain)
{
	return (struct ip_addr){{be32_of(0x20010db8), be32_of(0xffff0000), 0, be32_of(domain + 1)}};
}

static void tunnel_rules(struct dp_tunnel *t, const struct customer *const *of, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		t->rules[i] = customer_rule(of[i], i);
		t->rules[i].flags = MAPE_FORWARDING;
	}
	t->nrules = n;
}

/* A customer edge, to be changed before edge_start(). */
CHECK_UNUSED static void edge_init(struct fixture *f, const struct customer *c)
{
	struct mape_rule r = customer_rule(c, 0);

	fixture_init(f, 0, 0);
	f->config.mode = MODE_CE;
	f->config.mapping = MAPPING_SHARED;
	f->config.wan_addr = customer_addr(c);
	f->config.ports = mape_ports(&r, c->psid);
	f->tunnel = (struct dp_tunnel){
		.local = customer_end(c),
		.relay = {relay_end(0)},
		.nrelays = 1,
		.mtu = TUNNEL_MTU,
		.hop_limit = 64,
		.dscp = TUNNEL_DSCP_COPY,
		.port = 1,
	};
}

/* One way for all IPv6 packets. */
static const struct ip_addr gateway6 CHECK_UNUSED = {{0, 0, 0, 0}};

CHECK_UNUSED static void edge_start(struct fixture *f, u32 flows)
{
	struct home_port home[DP_PORTS_MAX] = {
		{.link = "lan0", .address = address(192, 168, 1, 1), .prefix = 24},
		{.link = "wan0"},
	};
	struct engine_route routes[HOME_ROUTES_MAX];

	home_self(home, TUNNEL_MTU - TUNNEL_HEADER, &f->config);
	home_config(home, 1, &f->config);
	f->engine = engine_new(&f->config, flows);
	engine_tunnel(f->engine, &f->tunnel, &gateway6);
	for (u32 i = 0, n = home_routes(home, &f->config, routes); i < n; i++)
		engine_route_add(f->engine, &routes[i]);
}

/* A border relay that has the rules of these customers, longest IPv4 prefix first, to be changed before relay_start().
 * Each rule is of the domain that its index is, but all have one address of the relay's where `one`. */
CHECK_UNUSED static void relay_init(struct fixture *f, const struct customer *const *of, u32 n, bool one)
{
	fixture_init(f, 0, 0);
	f->config.mode = MODE_BR;
	f->config.wan_addr = 0;
	f->tunnel = (struct dp_tunnel){
		.mtu = TUNNEL_MTU,
		.hop_limit = 64,
		.dscp = TUNNEL_DSCP_COPY,
		.port = 0,
	};
	tunnel_rules(&f->tunnel, of, n);
	f->tunnel.nrelays = one ? 1 : n;
	for (u32 i = 0; i < n; i++) {
		f->tunnel.relay[one ? 0 : i] = relay_end(one ? 0 : i);
		f->tunnel.rules[i].relay = (u8)(one ? 0 : i);
	}
}

/* Its routes: the internet by the WAN, nothing on the LAN, which is IPv6. */
CHECK_UNUSED static void relay_start(struct fixture *f)
{
	fixture_start(f, 4);
	engine_tunnel(f->engine, &f->tunnel, &gateway6);
}

#define TCI 0x6000 /* priority 3 of frames that come with a tag */

/* A frame to this port, with its tag, around `n` bytes. */
static enum reason payload_run(struct fixture *f, u32 port, u32 type, const u8 *payload, u32 n)
{
	static u8 frame[FRAME_MAX] __attribute__((aligned(4)));
	u32 vid = f->config.port[port].vid, at = 12;

	memcpy(frame, f->config.port[port].mac, 6);
	memcpy(frame + 6, (u8[6]){2, 0xcc, 0, 0, 0, 9}, 6);
	if (vid) {
		put16(frame + at, ETH_TYPE_VLAN);
		put16(frame + at + 2, TCI | vid);
		at += 4;
	}
	put16(frame + at, type);
	memcpy(frame + at + 2, payload, n);
	return fixture_run(f, f->config.port[port].ifindex, frame, at + 2 + n);
}

/* An IPv4 packet comes in by a port (index). */
CHECK_UNUSED static enum reason packet_run(struct fixture *f, u32 port, const u8 *ip)
{
	return payload_run(f, port, ETH_TYPE_IPV4, ip, ip_length(ip));
}

/* Writes an IPv6 header of 40 bytes. */
static void ip6_make(u8 *ip6, const struct ip_addr *from, const struct ip_addr *to, u8 next, u32 payload)
{
	memset(ip6, 0, 40);
	ip6[0] = 0x60;
	put16(ip6 + 4, payload);
	ip6[6] = next;
	ip6[7] = 61;
	memcpy(ip6 + 8, from, 16);
	memcpy(ip6 + 24, to, 16);
}

/* An IPv6 packet comes in by a port. */
static enum reason ip6_run(struct fixture *f, u32 port, const u8 *ip6, u32 n)
{
	return payload_run(f, port, ETH_TYPE_IPV6, ip6, n);
}

/* An IPv4 packet comes out of the tunnel: at an edge by its WAN, at a relay by its LAN. */
static enum reason tunnel_run(struct fixture *f, const struct ip_addr *from, const struct ip_addr *to, const u8 *ip)
{
	u8 ip6[FRAME_MAX];

	ip6_make(ip6, from, to, PROTO_IPV4, ip_length(ip));
	memcpy(ip6 + 40, ip, ip_length(ip));
	return ip6_run(f, f->config.mode == MODE_CE ? 1 : 0, ip6, 40 + ip_length(ip));
}

/* What an inside host sends, and what comes from the internet, whichever way that is. */
CHECK_UNUSED static enum reason inside_run(struct fixture *f, const u8 *ip)
{
	return packet_run(f, 0, ip);
}

CHECK_UNUSED static enum reason outside_run(struct fixture *f, const u8 *ip)
{
	if (f->config.mode == MODE_CE)
		return tunnel_run(f, &f->tunnel.relay[0], &f->tunnel.local, ip);
	return packet_run(f, 1, ip);
}

/* What is behind Ethernet in the frame that left. */
static const u8 *left_l3(const struct fixture *f)
{
	return f->frame.data + (get16(f->frame.data + 12) == ETH_TYPE_VLAN ? 18 : 14);
}

/* Its IPv6 header, NULL where it has none; and its IPv4 packet. */
static const u8 *left_ip6(const struct fixture *f)
{
	return get16(left_l3(f) - 2) == ETH_TYPE_IPV6 ? left_l3(f) : NULL;
}

CHECK_UNUSED static const u8 *left_ip(const struct fixture *f)
{
	return left_l3(f) + (left_ip6(f) ? 40 : 0);
}

/* The frame that left is Ethernet, the tunnel between these ends (NULL: none), and the IPv4 packet `ip`. */
CHECK_UNUSED static void left_is(const struct fixture *f, const struct ip_addr *from, const struct ip_addr *to,
				 const u8 *ip)
{
	u32 n = ip_length(ip), head = (u32)(left_l3(f) - f->frame.data);
	const u8 *ip6 = left_ip6(f);

	CHECK_EQ(head, f->config.port[f->frame.hop.port].vid ? 18 : 14);
	CHECK_EQ(ip6 != NULL, from != NULL);
	if (ip6 && from) {
		CHECK_EQ(f->frame.length, head + 40 + n);
		CHECK_EQ(ip6[0] >> 4, 6);
		if (f->tunnel.dscp == TUNNEL_DSCP_COPY)
			CHECK_EQ((ip6[0] & 15) << 4 | ip6[1] >> 4, ip[1]);
		CHECK_EQ(get16(ip6 + 4), n);
		CHECK_EQ(ip6[6], PROTO_IPV4);
		CHECK_EQ(ip6[7], f->tunnel.hop_limit);
		CHECK_MEM(ip6 + 8, from, 16);
		CHECK_MEM(ip6 + 24, to, 16);
	} else {
		CHECK_EQ(f->frame.length, head + n);
	}
	CHECK_MEM(left_ip(f), ip, n);
}

/* The last frame was not forwarded: it is as it came. */
CHECK_UNUSED static void untouched(const struct fixture *f, u32 port, const u8 *ip)
{
	CHECK(f->frame.data == f->memory + ENGINE_HEADROOM);
	CHECK_MEM(f->frame.data, f->config.port[port].mac, 6);
	CHECK_MEM(left_ip(f), ip, ip_length(ip));
}

#endif
