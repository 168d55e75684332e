/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer_test.c - the daemon's ICMP errors: about whom, to whom, with what (RFC 1812, 4.3.2; RFC 2473, 8) */
#include "slow_fixture.h"

#include "dp/mape.h"

#define TIME_EXCEEDED (&(struct answer){.type = 11})

/* What 198.51.100.9:53 sends to port 1100 of the home. */
static const struct packet from_outside = {
	.proto = PROTO_UDP,
	.ttl = 1,
	.id = 9,
	.sport = 53,
	.dport = 1100,
	.payload = 100,
};

static u32 outside_make(u8 *ip, const struct packet *as)
{
	struct packet p = *as;

	p.src = address(198, 51, 100, 9);
	p.dst = world.g.dp.wan_addr;
	return packet_make(ip, &p);
}

/* The frame of an IPv4 packet that came in by a port, out of the tunnel where `tunnel`; returns its length. */
static u32 frame_of(u8 *frame, u32 port, bool tunnel, const u8 *ip)
{
	const struct dp_tunnel *t = &world.g.tunnel;
	u32 n = ip_length(ip), at = ethernet(frame, port, tunnel ? 0x86dd : 0x0800);

	if (tunnel)
		at += ip6_put(frame + at, &t->relay[0], &t->local, 4, n);
	memcpy(frame + at, ip, n);
	return at + n;
}

/* An ICMP message of this type and code, sound, that quotes `n` bytes at `ip`. */
static void is_error(const u8 *icmp, u32 length, u32 type_code, const u8 *ip, u32 n)
{
	CHECK_EQ(length, 8 + n);
	CHECK_EQ(get16(icmp), type_code);
	CHECK_EQ(slow_csum(0, icmp, length), 0);
	CHECK_MEM(icmp + 8, ip, n);
}

/* Of a NAPT44, both ways: the raw socket, the packet as it came. */
static void by_socket(void)
{
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];
	struct dp_event event = {0};
	u32 n;

	check_context("by the raw socket");
	world_start(MODE_NAT44);
	n = outside_make(ip, &from_outside);
	event.length = frame_of(frame, WAN, false, ip);
	answer_error(&world.g, &event, frame, TIME_EXCEEDED);
	CHECK_EQ(world.nerrors, 1);
	is_error(world.error[0].at, world.error[0].length, 0x0b00, ip, n);

	check_context("RFC 1812, 4.3.2.3: at most 576 bytes in all");
	packet_make(ip, &(struct packet){.proto = PROTO_UDP,
					 .src = address(192, 168, 1, 72),
					 .dst = address(198, 51, 100, 9),
					 .payload = 1400});
	event.length = frame_of(frame, LAN, false, ip);
	answer_error(&world.g, &event, frame, &(struct answer){.type = 3, .code = 4, .mtu = 1460});
	is_error(world.error[1].at, world.error[1].length, 0x0304, ip, 548);
	CHECK_EQ(get16(world.error[1].at + 6), 1460);
	CHECK_EQ(world.g.slow->counts.answered, 2);
	world_end();
}

/* RFC 1812, 4.3.2.7. */
static void never(void)
{
	static const struct {
		const char *name;
		struct packet p;
	} rows[] = {
		{"an error", {.proto = PROTO_ICMP, .type = 3}},
		{"a later fragment", {.proto = PROTO_UDP, .frag = 1, .payload = 100}},
		{"to a group", {.proto = PROTO_UDP, .dst = 0xffffffff}},
		{"from nobody", {.proto = PROTO_UDP, .src = 0xffffffff}},
	};
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];
	struct dp_event event = {0};

	for (u32 i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct packet p = rows[i].p;

		check_context("%s", rows[i].name);
		world_start(MODE_NAT44);
		p.src = p.src ? address(224, 0, 0, 1) : address(192, 168, 1, 72);
		p.dst = p.dst ? address(224, 0, 0, 1) : address(198, 51, 100, 9);
		packet_make(ip, &p);
		event.length = frame_of(frame, LAN, false, ip);
		answer_error(&world.g, &event, frame, TIME_EXCEEDED);
		CHECK_EQ(world.nerrors, 0);
		CHECK_EQ(world.g.slow->counts.dropped, 1);
		world_end();
	}
}

/* At most 200 a second: two seconds may begin within the loop. */
static void bounded(void)
{
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];
	struct dp_event event = {0};

	check_context("bounded");
	world_start(MODE_NAT44);
	outside_make(ip, &from_outside);
	event.length = frame_of(frame, WAN, false, ip);
	for (u32 i = 0; i < 2000; i++)
		answer_error(&world.g, &event, frame, TIME_EXCEEDED);
	CHECK(world.nerrors >= 200 && world.nerrors <= 600);
	world_end();
}

/* At an edge the error goes back into the tunnel: as the inside would send it, through the packet path. The quote is
 * sound in each protocol. */
static void through_tunnel(void)
{
	static const struct {
		u8 proto, type;
	} rows[] = {{PROTO_UDP, 0}, {PROTO_TCP, 0}, {PROTO_ICMP, 0}, {PROTO_UDPLITE, 0}, {PROTO_DCCP, 0}};
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];

	for (u32 i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct packet p = from_outside;
		struct dp_event event = {0};
		const u8 *out = world.run[0].at + 14;

		check_context("protocol %u", rows[i].proto);
		world_start(MODE_CE);
		world.opens = true;
		event.key = world_home(rows[i].proto, 1100);
		p.proto = rows[i].proto;
		if (p.proto == PROTO_ICMP)
			p.sport = 1100;
		outside_make(ip, &p);
		event.length = frame_of(frame, WAN, true, ip);
		answer_error(&world.g, &event, frame, TIME_EXCEEDED);
		CHECK_EQ(world.nruns, 1);
		CHECK_EQ(world.run[0].ifindex, 3);
		CHECK_MEM(world.run[0].at, world.g.dp.port[SELF].mac, 6);
		CHECK_STR(checksums_wrong(out), NULL);
		CHECK_MEM(out + 12, &world.g.dp.self, 4);
		CHECK_MEM(out + 16, ip + 12, 4);
		CHECK_MEM(out + 28 + 16, &(be32){address(192, 168, 1, 72)}, 4);
		CHECK_EQ(get16(out + 48 + (p.proto == PROTO_ICMP ? 4 : 2)), 5000);
		CHECK_STR(checksums_wrong(out + 28), NULL);
		world_end();
	}
	check_context("of no flow");
	world_start(MODE_CE);
	outside_make(ip, &from_outside);
	answer_error(&world.g, &(struct dp_event){.length = frame_of(frame, WAN, true, ip)}, frame, TIME_EXCEEDED);
	CHECK_EQ(world.nruns, 0);
	world_end();
}

struct icmp6_row {
	const char *name;
	u8 type;
	u32 mtu, path_mtu, type_code;
	u16 port; /* of the quoted packet: 1100 has a flow */
	u32 quoted;
};

/* An ICMPv6 error about the packet that carried `ip` from our end of the tunnel to `to`. Returns the frame's length. */
static u32 icmp6_make(u8 *frame, const u8 *ip, const struct icmp6_row *row, const struct ip_addr *to)
{
	u32 n = row->quoted;
	const struct ip_addr router = {{be32_of(0x20010db8), be32_of(0x000f0001), 0, be32_of(1)}};
	const struct ip_addr *end = world.g.conf.kind == MODE_CE ? &world.g.tunnel.local : &world.g.tunnel.relay[0];
	u32 at = ethernet(frame, world.g.tunnel.port, 0x86dd), length = 8 + 40 + n;
	u8 pseudo[40] = {0}, *icmp;

	at += ip6_put(frame + at, &router, end, 58, length);
	icmp = frame + at;
	memset(icmp, 0, 8);
	icmp[0] = row->type;
	put16(icmp + 4, row->mtu >> 16);
	put16(icmp + 6, row->mtu & 0xffff);
	ip6_put(icmp + 8, end, to, 4, ip_length(ip));
	memcpy(icmp + 48, ip, n);
	memcpy(pseudo, frame + 14 + 8, 32);
	put16(pseudo + 34, length);
	pseudo[39] = 58;
	put16(icmp + 2, slow_csum((u16)~slow_csum(0, pseudo, 40), icmp, length));
	return at + length;
}

/* What the home sends to 198.51.100.9:53, as it goes into the tunnel. */
static u32 home_sends(u8 *ip, u16 port)
{
	return packet_make(ip, &(struct packet){.proto = PROTO_UDP,
						.frag = IPV4_DF,
						.src = world.g.dp.wan_addr,
						.dst = address(198, 51, 100, 9),
						.sport = port,
						.dport = 53,
						.payload = 200});
}

static const struct icmp6_row icmp6_rows[] = {
	{"too big", 2, 1400, 1400, 0x0304, 1100, 228},
	{"less than IPv6 allows", 2, 600, 1280, 0x0304, 1100, 228},
	{"more than there is", 2, 9000, 1500, 0x0304, 1100, 228},
	{"unreachable", 1, 0, 0, 0x0301, 1100, 228},
	{"time exceeded", 3, 0, 0, 0x0301, 1100, 228},
	{"as little as can be", 2, 1400, 1400, 0x0304, 1100, 28},
	{"of no flow: nobody may lower the path's MTU", 2, 1280, 0, 0, 1101, 228},
	{"no inner packet", 2, 1280, 0, 0, 1100, 0},
	{"half a header", 2, 1280, 0, 0, 1100, 24},
};

static void about_tunnel(void)
{
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];

	for (u32 i = 0; i < sizeof(icmp6_rows) / sizeof(*icmp6_rows); i++) {
		const struct icmp6_row *row = &icmp6_rows[i];
		const u8 *out = world.run[0].at + 54;
		struct dp_event event = {.ifindex = 2};

		check_context("edge: %s", row->name);
		world_start(MODE_CE);
		world.opens = true;
		world_home(PROTO_UDP, 1100);
		home_sends(ip, row->port);
		event.length = icmp6_make(frame, ip, row, &world.g.tunnel.relay[0]);
		icmp6_packet(&world.g, &event, frame);
		CHECK_EQ(world.path_mtu, row->path_mtu);
		CHECK_EQ(world.nruns, row->type_code != 0);
		if (world.nruns) { /* as if the border relay had sent it */
			CHECK_MEM(world.run[0].at + 14 + 8, &world.g.tunnel.relay[0], 16);
			CHECK_STR(checksums_wrong(out), NULL);
			is_error(out + 20, ip_length(out) - 20, row->type_code, ip, row->quoted);
			CHECK_EQ(get16(out + 26), row->path_mtu ? row->path_mtu - 40 : 0);
		}
		CHECK_EQ(world.g.slow->counts.dropped, !world.nruns);
		world_end();
	}
}

/* A byte of the error changed on the way. */
static void damaged(void)
{
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];
	struct dp_event event = {.ifindex = 2};

	check_context("damaged");
	world_start(MODE_CE);
	world_home(PROTO_UDP, 1100);
	home_sends(ip, 1100);
	event.length = icmp6_make(frame, ip, &icmp6_rows[0], &world.g.tunnel.relay[0]);
	for (u32 length = 0; length < event.length; length++) { /* and every end too early */
		u8 *whole = malloc(event.length);
		struct dp_event shorter = {.ifindex = 2, .length = length};

		memcpy(whole, frame, event.length);
		if (length >= 54)
			icmp6_packet(&world.g, &shorter, whole);
		free(whole);
	}
	frame[70] ^= 1;
	icmp6_packet(&world.g, &event, frame);
	CHECK_EQ(world.path_mtu, 0);
	CHECK_EQ(world.nruns, 0);
	world_end();
}

/* At a relay: the quoted packet is to go to the customer that has its destination by a rule. */
static void at_relay(void)
{
	struct mape_rule r = {.prefix = {0x20010db800000000, 0},
			      .addr = 0xc0000200,
			      .prefix6 = 40,
			      .prefix4 = 24,
			      .ea = 14,
			      .offset = 6,
			      .psid_len = 6,
			      .format = MAPE_RFC7597};
	const struct ip_addr customer = {
		{be32_of(0x20010db8), be32_of(0x0086b000), be32_of(0x0000c000), be32_of(0x0286002c)}};
	struct packet p = {.proto = PROTO_UDP, .frag = IPV4_DF, .sport = 53, .dport = 1728, .payload = 200};
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];
	struct dp_event event = {.ifindex = 1};

	for (u32 forged = 0; forged < 2; forged++) {
		check_context(forged ? "relay: not that customer's" : "relay");
		world_start(MODE_BR);
		mape_rule_prepare(&r, 0);
		world.g.tunnel.rules[0] = r;
		world.g.tunnel.nrules = 1;
		p.dport = forged ? 1024 : 1728;
		outside_make(ip, &p);
		event.length = icmp6_make(frame, ip, &icmp6_rows[0], &customer);
		icmp6_packet(&world.g, &event, frame);
		CHECK_EQ(world.nruns, !forged); /* the answer, on its way to the sender */
		CHECK_EQ(world.path_mtu, 0);	/* other customers have other paths */
		world_end();
	}
}

int main(void)
{
	by_socket();
	never();
	bounded();
	through_tunnel();
	about_tunnel();
	damaged();
	at_relay();
	return check_summary("answer");
}
