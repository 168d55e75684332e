/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reassemble_test.c - IPv6 fragments of the tunnel: RFC 8200, 4.5; RFC 5722; RFC 6946 */
#include "slow_fixture.h"

#define WHOLE 6000 /* bytes of an IPv4 packet in these tests */
#define FRAGMENT_HEADER 8

/* What is to be sent in fragments: what is behind their fragment headers. */
static struct {
	u8 next;
	u32 length, id;
	u8 data[WHOLE + 8];
} sent;

/* An IPv4 packet of `length` bytes from outside to the home. */
static void inner_make(u32 length, u16 frag)
{
	u8 *ip = sent.data;

	sent.next = 4;
	sent.length = length;
	memset(ip, 0, sizeof(sent.data));
	ip[0] = 0x45;
	put16(ip + 2, length);
	put16(ip + 4, 77);
	put16(ip + 6, frag);
	ip[8] = 60;
	ip[9] = PROTO_UDP;
	memcpy(ip + 12, &(be32){address(198, 51, 100, 9)}, 4);
	memcpy(ip + 16, &world.g.dp.wan_addr, 4);
	for (u32 i = 20; i < length; i++)
		ip[i] = (u8)(i * 7);
	put16(ip + 20, 53);
	put16(ip + 22, 1100);
	ip_csum_fix(ip);
}

/* The part from `from` on comes in; `ecn` is that of the outer header. */
static void part(u32 from, u32 size, u8 ecn)
{
	struct dp_event event = {.ifindex = 2};
	u8 frame[1600];
	u32 at = ethernet(frame, WAN, 0x86dd);
	bool more = from + size < sent.length;

	if (!more)
		size = sent.length - from;
	ip6_put(frame + at, &world.g.tunnel.relay[0], &world.g.tunnel.local, 44, FRAGMENT_HEADER + size);
	frame[at + 1] = (u8)(ecn << 4);
	at += 40;
	frame[at] = sent.next;
	frame[at + 1] = 0;
	put16(frame + at + 2, from | more);
	put16(frame + at + 4, sent.id >> 16);
	put16(frame + at + 6, sent.id & 0xffff);
	memcpy(frame + at + FRAGMENT_HEADER, sent.data + from, size);
	event.length = at + FRAGMENT_HEADER + size;
	reassemble_packet(&world.g, &event, frame);
}

/* Run `i` was the whole of what was sent. */
static void is_whole(u32 i)
{
	const u8 *ip6 = world.run[i].at + 14;

	if (!CHECK(world.nruns > i))
		return;
	CHECK_EQ(world.run[i].length, 54 + sent.length);
	CHECK_EQ(world.run[i].ifindex, 2);
	CHECK_EQ(get16(ip6 + 4), sent.length);
	CHECK_EQ(ip6[6], sent.next);
	CHECK_MEM(ip6 + 40, sent.data, sent.length);
}

/* Three parts in every order. */
static void orders(void)
{
	static const u8 order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

	for (u32 i = 0; i < 6; i++) {
		check_context("order %u%u%u", order[i][0], order[i][1], order[i][2]);
		world_start(MODE_CE);
		inner_make(1233, 0);
		for (u32 j = 0; j < 3; j++) {
			CHECK_EQ(world.nruns, 0);
			part(order[i][j] * 512u, 512, 0);
		}
		is_whole(0);
		CHECK_EQ(world.g.slow->counts.reassembled, 1);
		world_end();
	}
}

/* Two datagrams with parts between each other's. */
static void mixed(void)
{
	check_context("two datagrams");
	world_start(MODE_CE);
	inner_make(1000, 0);
	part(512, 512, 0);
	sent.id = 5;
	part(0, 512, 0);
	sent.id = 0;
	part(0, 512, 0);
	CHECK_EQ(world.nruns, 1);
	sent.id = 5;
	part(512, 512, 0);
	CHECK_EQ(world.nruns, 2);
	is_whole(1);
	sent.id = 0;
	world_end();
}

/* RFC 5722: the whole datagram goes; the same part again is no overlap but a copy (RFC 8200, 4.5). */
static void overlaps(void)
{
	check_context("overlap");
	world_start(MODE_CE);
	inner_make(1233, 0);
	part(0, 512, 0);
	part(504, 512, 0);
	part(512, 512, 0);
	part(1024, 512, 0);
	CHECK_EQ(world.nruns, 0);
	world_end();

	check_context("a copy");
	world_start(MODE_CE);
	part(0, 512, 0);
	part(0, 512, 0);
	part(512, 512, 0);
	part(512, 512, 0);
	part(1024, 512, 0);
	is_whole(0);
	world_end();
}

/* RFC 6946: a fragment that is all stands for itself, whatever else has its id. */
static void atomic(void)
{
	check_context("atomic fragment");
	world_start(MODE_CE);
	inner_make(400, 0);
	part(0, 400, 0);
	is_whole(0);
	world_end();

	check_context("atomic fragment among others of its id");
	world_start(MODE_CE);
	inner_make(1000, 0);
	part(0, 512, 0);
	inner_make(400, 0);
	part(0, 400, 0);
	is_whole(0);
	inner_make(1000, 0);
	part(512, 512, 0);
	is_whole(1);
	world_end();
}

/* The encapsulation limit of Linux's tunnels (RFC 2473, 4.1.1) is in the part that is cut. */
static void limited(void)
{
	check_context("encapsulation limit");
	world_start(MODE_CE);
	inner_make(1200, 0);
	memmove(sent.data + 8, sent.data, 1200);
	memcpy(sent.data, (u8[8]){4, 0, 4, 1, 4, 1, 1, 0}, 8);
	sent.next = 60;
	sent.length = 1208;
	part(512, 512, 0);
	part(1024, 512, 0);
	part(0, 512, 0);
	is_whole(0);
	world_end();
}

/* Congestion seen by one part was seen by the packet (RFC 3168, 5.3). */
static void congested(void)
{
	check_context("congestion");
	world_start(MODE_CE);
	inner_make(1000, 0);
	part(0, 512, 2);
	part(512, 512, 3);
	is_whole(0);
	CHECK_EQ(world.run[0].at[15] >> 4 & 3, 3);
	world_end();
}

/* vpp#469: larger than what the packet path can be run on is cut, in order; with DF the sender is told. */
static void large(void)
{
	check_context("5000 bytes");
	world_start(MODE_CE);
	inner_make(5000, 0);
	for (u32 from = 4096; from < 5000; from -= 1024)
		part(from, 1024, 0);
	CHECK_EQ(world.nruns, 4);
	for (u32 i = 0, at = 0; i < world.nruns; i++) {
		const u8 *ip = world.run[i].at + 54;

		CHECK_EQ((get16(ip + 6) & IPV4_OFFSET) * 8, at);
		CHECK_MEM(ip + 20, sent.data + 20 + at, ip_length(ip) - 20);
		at += ip_length(ip) - 20;
	}
	world_end();

	check_context("5000 bytes and DF");
	world_start(MODE_CE);
	world.opens = true;
	world_home(PROTO_UDP, 1100);
	inner_make(5000, IPV4_DF);
	for (u32 from = 0; from < 5000; from += 1024)
		part(from, 1024, 0);
	CHECK_EQ(world.nruns, 1);
	CHECK_EQ(world.run[0].ifindex, 3);
	CHECK_EQ(get16(world.run[0].at + 14 + 20), 0x0304);
	CHECK_EQ(get16(world.run[0].at + 14 + 26), 1500);
	CHECK_EQ(world.g.slow->counts.answered, 1);
	world_end();
}

/* What cannot be right is dropped, and nobody is kept out by it. */
static void nonsense(void)
{
	check_context("nonsense");
	world_start(MODE_CE);
	inner_make(WHOLE, 0);
	for (u32 from = 0; from < 4000; from += 8) /* more parts than a datagram may have */
		part(from, 8, 0);
	part(13, 100, 0);
	sent.next = 17;
	part(0, 512, 0);
	for (u32 i = 0; i < 1000; i++) { /* as many that never become whole */
		sent.id = i + 10;
		sent.next = 4;
		part(512, 512, 0);
	}
	CHECK_EQ(world.nruns, 0);
	sent.id = 0;
	inner_make(1000, 0);
	part(512, 512, 0);
	part(0, 512, 0);
	is_whole(0);
	world_end();
}

int main(void)
{
	orders();
	mixed();
	overlaps();
	atomic();
	limited();
	congested();
	large();
	nonsense();
	return check_summary("reassemble");
}
