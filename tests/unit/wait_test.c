/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait_test.c - fragments that come before the first of their datagram */
#include <poll.h>

#include "slow_fixture.h"

/* The fragment at byte `from` of datagram `id` is handed up. */
static void fragment(u16 id, u32 from)
{
	struct packet p = {.proto = PROTO_UDP,
			   .src = address(192, 168, 1, 72),
			   .dst = address(198, 51, 100, 9),
			   .id = id,
			   .frag = (u16)(from / 8),
			   .payload = 80};
	struct dp_event event = {.ifindex = 1, .reason = REASON_SLOW_FRAGMENT};
	u8 frame[FRAME_ROOM];
	u32 at = ethernet(frame, LAN, 0x0800);

	event.length = at + packet_make(frame + at, &p);
	event.key = (struct flow_key){.saddr = p.src, .daddr = p.dst, .proto = p.proto};
	wait_packet(&world.g, &event, frame);
}

/* Waits for the timer and looks; whether there was a timer. */
static bool look(void)
{
	struct pollfd p = {.fd = wait_fd(&world.g), .events = POLLIN};

	if (poll(&p, 1, 50) != 1)
		return false;
	wait_look(&world.g);
	return true;
}

/* They go on, in the order of their arrival, once the first is known; and nothing ticks any more. */
static void go_on(void)
{
	check_context("the first comes");
	world_start(MODE_CE);
	world.opens = true;
	CHECK(!look());
	fragment(7, 880);
	fragment(7, 1760);
	CHECK(look());
	CHECK_EQ(world.nruns, 0);
	world.first_came = true;
	world.first_last = tick_now();
	CHECK(look());
	CHECK_EQ(world.nruns, 2);
	CHECK_EQ(get16(world.run[0].at + 20), 110);
	CHECK_EQ(get16(world.run[1].at + 20), 220);
	CHECK_EQ(world.g.slow->counts.held, 2);
	CHECK_EQ(world.g.slow->counts.dropped, 0);
	CHECK(!look());
	world_end();
}

/* A first that the packet path takes for too old is none: run again, the fragment would come up again, for ever. */
static void too_old(void)
{
	check_context("a first of an earlier datagram");
	world_start(MODE_CE);
	world.first_came = true;
	world.first_last = tick_now() - TICKS_OF_SECONDS(FRAG_SECONDS + 1);
	fragment(7, 880);
	CHECK(look());
	CHECK_EQ(world.nruns, 0);
	world.first_last = tick_now();
	CHECK(look());
	CHECK_EQ(world.nruns, 1);
	world_end();
}

/* What never comes is waited for two seconds. */
static void given_up(void)
{
	u64 began = clock_ns();

	check_context("the first never comes");
	world_start(MODE_CE);
	fragment(7, 880);
	while (look())
		;
	CHECK_EQ(world.g.slow->counts.dropped, 1);
	CHECK_EQ(world.nruns, 0);
	CHECK((clock_ns() - began) / 1000000 >= 2000);
	world_end();
}

/* No datagram takes all the room, and all of them together no more than there is. */
static void bounded(void)
{
	check_context("bounded");
	world_start(MODE_CE);
	for (u32 i = 1; i <= 100; i++)
		fragment(7, i * 80);
	CHECK(world.g.slow->counts.held < 100);
	for (u16 i = 0; i < 1000; i++)
		fragment((u16)(100 + i), 80);
	CHECK_EQ(world.g.slow->counts.held, 256);
	CHECK_EQ(world.g.slow->counts.dropped, 1100 - 256);
	world_end();
}

int main(void)
{
	go_on();
	too_old();
	given_up();
	bounded();
	return check_summary("wait");
}
