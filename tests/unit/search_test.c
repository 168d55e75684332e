/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search_test.c - what is noted of a destination, written anew from the flow table (abi/flow.h, struct dest) */
#include "slow_fixture.h"

#include "dp/portset.h"

static struct dest_key to_server(void)
{
	return (struct dest_key){.daddr = address(198, 51, 100, 9), .dport = be16_of(53), .proto = PROTO_UDP};
}

/* The port with index i is taken towards the server. */
static void take(u32 i)
{
	u16 port = portset_port(&world.g.dp.ports, i);
	struct dest_key to = to_server();

	world_flow((struct flow_key){.saddr = to.daddr,
				     .daddr = world.g.dp.wan_addr,
				     .sport = to.dport,
				     .dport = be16_of(port),
				     .proto = to.proto,
				     .dir = FLOW_IN},
		   (struct flow_half){.addr = address(192, 168, 1, 72)});
}

/* A packet of a new flow to the server is handed up. */
static void packet(u16 from)
{
	struct dest_key to = to_server();
	struct dp_event event = {.ifindex = 1, .reason = REASON_SLOW_NO_PORT};
	u8 frame[FRAME_ROOM];
	u32 at = ethernet(frame, LAN, 0x0800);

	event.length = at + packet_make(frame + at, &(struct packet){.proto = PROTO_UDP,
								     .src = address(192, 168, 1, 72),
								     .dst = to.daddr,
								     .sport = from,
								     .dport = 53});
	event.key = (struct flow_key){.saddr = address(192, 168, 1, 72),
				      .sport = be16_of(from),
				      .daddr = to.daddr,
				      .dport = to.dport,
				      .proto = to.proto,
				      .dir = FLOW_OUT};
	search_packet(&world.g, &event, frame);
}

static void set_make(struct gateway *g)
{
	g->dp.ports = portset_of_psid(6, 6, 44); /* 1008 ports */
	g->conf.reserved[1728 >> 6] |= 1ULL << (1728 & 63);
}

/* The note says what the flow table says, of each port; ports that are reserved or do not exist are taken. */
static void note_is_true(bool reserved)
{
	for (u32 w = 0; w < DEST_WORDS; w++)
		CHECK_EQ(world.dest.spent >> w & 1, !~world.dest.taken[w]);
	for (u32 i = 0; i < DEST_PORTS_MAX; i++) {
		u16 port = portset_port(&world.g.dp.ports, i);
		bool taken = i >= world.g.dp.ports.count || (reserved && port == 1728);

		for (u32 e = 0; e < world.nentries && !taken; e++)
			taken = world.entry[e].key.dport == be16_of(port);
		if (ports_taken(&world.dest, i) != taken)
			CHECK_EQ(i, taken);
	}
}

static void one_free(void)
{
	struct gateway *g = world_start(MODE_CE);

	check_context("one port is free");
	set_make(g);
	world.opens = true;
	for (u32 i = 0; i < 1008; i++)
		if (i != 700)
			take(i);
	packet(4000);
	CHECK(world.noted);
	CHECK_EQ(host16(world.dest_key.dport), 53);
	CHECK(!world.dest.full);
	CHECK_EQ(world.dest.hint, 701);
	note_is_true(true);
	CHECK_EQ(world.nruns, 1);
	CHECK_EQ(world.nframes, 1);
	CHECK_EQ(world.nerrors, 0);

	check_context("it is taken");
	take(700);
	packet(4001);
	CHECK(world.dest.full);
	note_is_true(true);
	CHECK_EQ(world.nruns, 1);
	CHECK_EQ(world.nerrors, 1);
	CHECK_EQ(get16(world.error[0].at), 0x030d);
	CHECK_EQ(g->slow->counts.refused, 1);

	check_context("silently");
	g->dp.refusal = 0;
	packet(4002);
	CHECK_EQ(world.nerrors, 1);
	world_end();
}

static void blank(void)
{
	struct gateway *g = world_start(MODE_CE);

	check_context("blank");
	set_make(g);
	ports_blank_make(g, &world.dest);
	note_is_true(true);
	check_context("blank, a set without bits");
	g->dp.ports = portset_of_range(1024, 65535);
	ports_blank_make(g, &world.dest);
	CHECK_EQ(world.dest.spent, 0);
	world_end();
}

/* A set too large for bits: the search begins where the last one ended, so that what has been found taken is not looked
 * at for each flow. */
static void large_set(void)
{
	struct gateway *g = world_start(MODE_NAT44);

	check_context("a large set");
	g->dp.ports = portset_of_range(1024, 65535);
	world.opens = true;
	for (u32 i = 0; i < 1000; i++)
		take(i);
	packet(4000);
	CHECK_EQ(world.dest.hint, 1001);
	CHECK(!world.dest.full);
	take(1000);
	world.lookups = 0;
	packet(4001);
	CHECK_EQ(world.dest.hint, 1002);
	CHECK(world.lookups < 10);
	world_end();
}

/* The search finds a port that the packet path cannot take, since a socket of this router has it: the packet comes up
 * again at once, and must not go round. */
static void no_circle(void)
{
	struct gateway *g = world_start(MODE_NAT44);

	check_context("no circle");
	set_make(g);
	for (u32 i = 0; i < 1007; i++)
		take(i);
	packet(4000);
	CHECK_EQ(world.nruns, 1);
	packet(4000);
	CHECK_EQ(world.nruns, 1);
	CHECK_EQ(g->slow->counts.searched, 1);
	CHECK_EQ(g->slow->counts.refused, 1);
	CHECK(!world.dest.full);
	packet(4000);
	CHECK_EQ(world.nruns, 2);
	world_end();
}

/* Searches are bounded by what they cost. */
static void bounded(void)
{
	struct gateway *g = world_start(MODE_NAT44);

	check_context("bounded");
	g->dp.ports = portset_of_psid(6, 6, 44);
	for (u32 i = 0; i < 1008; i++)
		take(i);
	world.lookups = 0;
	for (u16 i = 0; i < 1000; i++)
		packet(i);
	CHECK(world.lookups < 3 * 210000);
	CHECK(g->slow->counts.dropped > 0);
	world_end();
}

int main(void)
{
	one_free();
	blank();
	large_set();
	no_circle();
	bounded();
	return check_summary("search");
}
