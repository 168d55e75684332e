/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cut_test.c - IPv4 packets cut into fragments by the daemon: RFC 791, 2.3 and 3.2 */
#include "slow_fixture.h"

/* The frames that were run are fragments of the IPv4 packet at `v` in `frame`, none over `mtu`, and together it. */
static void are_pieces(const u8 *frame, const struct slow_view *v, u32 mtu)
{
	u32 at = 0, data = v->length - v->ihl;

	for (u32 i = 0; i < world.nruns; i++) {
		const u8 *ip = world.run[i].at + v->ip;
		u32 ihl = ip_header(ip), n = ip_length(ip) - ihl, flags = get16(ip + 6);
		bool last = at + n == data;

		CHECK_MEM(world.run[i].at, frame, v->l3);
		CHECK_EQ(world.run[i].length, v->ip + ip_length(ip));
		CHECK_EQ(world.run[i].ifindex, 7);
		CHECK(ip_length(ip) <= mtu);
		CHECK_EQ(slow_csum(0, ip, ihl), 0);
		CHECK_EQ((flags & IPV4_OFFSET) * 8, v->offset + at);
		CHECK_EQ(flags & IPV4_MF, last ? get16(frame + v->ip + 6) & IPV4_MF : IPV4_MF);
		CHECK(last || n % 8 == 0);
		CHECK_MEM(ip + ihl, frame + v->ip + v->ihl + at, n);
		CHECK_MEM(ip + 12, frame + v->ip + 12, 8);
		CHECK_MEM(ip + 4, frame + v->ip + 4, 2);
		if (v->outer)
			CHECK_EQ(get16(world.run[i].at + v->l3 + 4), v->outer - SLOW_IPV6 + ip_length(ip));
		at += n;
	}
	CHECK_EQ(at, data);
}

static u32 cut_it(const u8 *frame, u32 length, u32 mtu)
{
	struct dp_event event = {.ifindex = 7, .length = length, .mtu = mtu};
	struct gateway *g = world_start(MODE_CE);
	struct slow_view v;

	CHECK_EQ(slow_view(frame, length, &v), 0);
	cut(g, &event, frame, mtu);
	are_pieces(frame, &v, mtu);
	CHECK_EQ(g->slow->counts.cut, 1);
	world_end();
	return world.nruns;
}

static u32 frame_make(u8 *frame, const struct packet *p)
{
	world_start(MODE_CE);
	world_end();
	ethernet(frame, LAN, 0x0800);
	return 14 + packet_make(frame + 14, p);
}

static void sizes(void)
{
	static const struct {
		u32 payload, mtu, pieces;
	} rows[] = {
		{1480, 1460, 2}, {1432, 1460, 1}, {1440, 1460, 2}, {1900, 1280, 2},
		{1900, 68, 40},	 {1900, 69, 40},  {1900, 83, 34},
	};
	u8 frame[FRAME_ROOM];

	for (u32 i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct packet p = {.proto = PROTO_UDP,
				   .src = address(192, 168, 1, 72),
				   .dst = address(198, 51, 100, 9),
				   .sport = 5000,
				   .dport = 53,
				   .id = 7,
				   .payload = (u16)rows[i].payload};

		check_context("%u bytes into %u", rows[i].payload, rows[i].mtu);
		CHECK_EQ(cut_it(frame, frame_make(frame, &p), rows[i].mtu), rows[i].pieces);
	}
}

/* A fragment that is cut again: its offset counts on, and only what was the datagram's end is one. */
static void fragments(void)
{
	struct packet p = {.proto = PROTO_UDP,
			   .src = address(192, 168, 1, 72),
			   .dst = address(198, 51, 100, 9),
			   .id = 7,
			   .payload = 1472};
	u8 frame[FRAME_ROOM];

	check_context("a fragment of the middle");
	p.frag = IPV4_MF | 185;
	CHECK_EQ(cut_it(frame, frame_make(frame, &p), 600), 3);
	check_context("the last fragment");
	p.frag = 370;
	CHECK_EQ(cut_it(frame, frame_make(frame, &p), 600), 3);
}

/* Router alert is copied into every fragment, a record of the route is not (RFC 791, 3.1). */
static void options(void)
{
	static const u8 both[12] = {7, 7, 4, 1, 2, 3, 4, 0x94, 4, 0, 0, 0},
			copied[12] = {1, 1, 1, 1, 1, 1, 1, 0x94, 4, 0, 0, 0};
	struct packet p = {.proto = PROTO_UDP,
			   .src = address(192, 168, 1, 72),
			   .dst = address(198, 51, 100, 9),
			   .options = 3,
			   .payload = 1400};
	u8 frame[FRAME_ROOM];
	u32 length;

	check_context("options");
	length = frame_make(frame, &p);
	memcpy(frame + 34, both, sizeof(both));
	ip_csum_fix(frame + 14);
	CHECK_EQ(cut_it(frame, length, 1000), 2);
	CHECK_MEM(world.run[0].at + 34, both, sizeof(both));
	CHECK_EQ(ip_header(world.run[1].at + 14), 32);
	CHECK_MEM(world.run[1].at + 34, copied, sizeof(copied));

	check_context("an option that is longer than the header");
	frame[34 + 1] = 40;
	ip_csum_fix(frame + 14);
	CHECK_EQ(cut_it(frame, length, 1000), 2);
	CHECK_EQ(ip_header(world.run[1].at + 14), 20);
}

/* In the tunnel, with and without the option in which others put their encapsulation limit. */
static void tunnelled(void)
{
	struct packet p = {
		.proto = PROTO_UDP, .src = address(198, 51, 100, 9), .dst = address(192, 0, 2, 134), .payload = 1400};
	u8 frame[FRAME_ROOM], ip[PACKET_MAX];
	u32 n = packet_make(ip, &p), at;
	struct gateway *g = world_start(MODE_CE);

	check_context("in the tunnel");
	world_end();
	at = ethernet(frame, WAN, 0x86dd);
	at += ip6_put(frame + at, &g->tunnel.relay[0], &g->tunnel.local, 4, n);
	memcpy(frame + at, ip, n);
	CHECK_EQ(cut_it(frame, at + n, 1000), 2);
	check_context("behind destination options");
	ip6_put(frame + 14, &world.g.tunnel.relay[0], &world.g.tunnel.local, 60, n + 8);
	memcpy(frame + at, (u8[8]){4, 0, 4, 1, 4, 1, 1, 0}, 8);
	memcpy(frame + at + 8, ip, n);
	CHECK_EQ(cut_it(frame, at + 8 + n, 1000), 2);
}

/* What cannot be cut is dropped and counted, and nothing is run. */
static void nonsense(void)
{
	struct packet p = {.proto = PROTO_UDP, .payload = 600};
	struct dp_event event = {.ifindex = 7};
	u8 frame[FRAME_ROOM];
	struct gateway *g;

	check_context("nonsense");
	event.length = frame_make(frame, &p);
	g = world_start(MODE_CE);
	cut(g, &event, frame, 67); /* RFC 791, 3.2: everybody takes 68 */
	cut(g, &event, frame, 5000);
	event.length = 20;
	cut(g, &event, frame, 500);
	CHECK_EQ(world.nruns, 0);
	CHECK_EQ(g->slow->counts.dropped, 3);
	world_end();
}

int main(void)
{
	sizes();
	fragments();
	options();
	tunnelled();
	nonsense();
	return check_summary("cut");
}
