/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy_test.c - which port a customer edge's flows get: always one of the set, by each policy, down to the last */
#include "softwire.h"

#include <stdlib.h>

#define SERVER address(198, 51, 100, 9)

static const u8 protos[] = {PROTO_TCP, PROTO_UDP, PROTO_ICMP, PROTO_UDPLITE, PROTO_SCTP, PROTO_DCCP};
static const char *const policies[] = {"endpoint-dependent", "shared", "endpoint-independent"};
static u8 filtering; /* of every edge */

static void start(struct fixture *f, const struct customer *c, u32 mapping, u32 flows)
{
	edge_init(f, c);
	f->config.mapping = (u8)mapping;
	f->config.filtering = filtering;
	edge_start(f, flows);
}

/* The port, or identifier, that the last packet left with. */
static u32 outside_port(const struct fixture *f)
{
	const u8 *ip = left_ip(f);

	return get16(ip + (ip[9] == PROTO_ICMP ? 24 : 20));
}

static enum reason send(struct fixture *f, const struct packet *p)
{
	u8 ip[PACKET_MAX];

	packet_make(ip, p);
	return inside_run(f, ip);
}

/* UDP 192.168.1.`host`:`sport` to `dst`:`dport`. */
static enum reason udp_send(struct fixture *f, u8 host, u16 sport, be32 dst, u16 dport)
{
	struct packet p = {.proto = PROTO_UDP,
			   .src = address(192, 168, 1, host),
			   .dst = dst,
			   .sport = sport,
			   .dport = dport,
			   .payload = 4};

	return send(f, &p);
}

static be32 server(u32 i)
{
	return address(100, (u8)(i >> 16), (u8)(i >> 8), (u8)i);
}

/* The answer to the packet `p` that left as it is in `f`: it must arrive at p's sender. Returns whether it did. */
static bool answered(struct fixture *f, const struct packet *p)
{
	bool echo = p->proto == PROTO_ICMP;
	u32 outside = outside_port(f);
	struct packet q = {.proto = p->proto,
			   .src = p->dst,
			   .dst = f->config.wan_addr,
			   .type = ICMP_ECHO_REPLY,
			   .sport = echo ? (u16)outside : p->dport,
			   .dport = (u16)outside,
			   .payload = 3};
	u8 ip[PACKET_MAX];

	packet_make(ip, &q);
	if (outside_run(f, ip) != REASON_FORWARD_IN || checksums_wrong(left_ip(f)))
		return false;
	return !memcmp(left_ip(f) + 16, &p->src, 4) && get16(left_ip(f) + (echo ? 24 : 22)) == p->sport;
}

/* One of `n` inside sockets (0: any) to anywhere. */
static struct packet random_packet(u8 proto, u32 n)
{
	u32 socket = (u32)rand() % (n ? n : 0x7fffffff);

	return (struct packet){
		.proto = proto,
		.src = address(192, 168, 1, (u8)(2 + socket % 250)),
		.dst = server((u32)rand()),
		.sport = (u16)(socket / 250 + 1),
		.dport = (u16)(1 + rand() % 65535),
		.type = ICMP_ECHO,
		.payload = (u16)(rand() % 24),
	};
}

/* P1: 100,000 flows of each set, of all protocols, and their answers: at the far end, no port outside the set, ever. */
static void far_end(const struct customer *c, u32 mapping)
{
	static struct fixture f;
	u32 refused = 0, outside = 0, wrong = 0, lost = 0,
	    sockets = mapping == MAPPING_ENDPOINT_INDEPENDENT ? 200 : 5000;

	start(&f, c, mapping, 250000);
	srand(21);
	for (u32 i = 0; i < 100000; i++) {
		struct packet p = random_packet(protos[i % sizeof(protos)], sockets);

		if (send(&f, &p) != REASON_FORWARD_OUT) {
			refused++;
			continue;
		}
		outside += memcmp(left_ip(&f) + 12, c->addr, 4) || !customer_has_port(c, outside_port(&f));
		wrong += checksums_wrong(left_ip(&f)) != NULL;
		lost += !answered(&f, &p);
	}
	check_context("100,000 flows, %s, %s", c->name, policies[mapping]);
	CHECK_EQ(refused, 0);
	CHECK_EQ(outside, 0);
	CHECK_EQ(wrong, 0);
	CHECK_EQ(lost, 0);
	engine_free(f.engine);
}

/* 17 flows over a set whose first range has 16 ports; and each port of the set is reached (openwrt#14449,
 * openwrt-jp-ipoe#8). */
static void every_range(void)
{
	static struct fixture f;
	static bool used[65536];
	u32 ranges = 0, again = 0;

	check_context("17 flows with ranges of 16");
	memset(used, 0, sizeof(used));
	start(&f, &customer_v2, MAPPING_ENDPOINT_DEPENDENT, 4096);
	for (u32 i = 0; i < 17; i++) {
		CHECK_EQ(udp_send(&f, 10, (u16)(1000 + i), SERVER, 53), REASON_FORWARD_OUT);
		again += used[outside_port(&f)];
		used[outside_port(&f)] = true;
	}
	for (u32 a = 1; a < 64; a++) {
		bool any = false;

		for (u32 port = a << 10; port < (a + 1) << 10; port++)
			any = any || used[port];
		ranges += any;
	}
	CHECK(ranges >= 2);
	CHECK_EQ(again, 0);
	engine_free(f.engine);
}

struct fill {
	struct fixture f;
	u32 port[1008]; /* that flow i has */
	u32 n;		/* ports to be had */
};

/* Sends as one that keeps on trying does: the note learns a bit with each try. Returns the last reason. */
static enum reason insist(struct fixture *f, u8 host, u16 sport)
{
	enum reason why = REASON_SLOW_NO_PORT;

	for (u32 i = 0; why == REASON_SLOW_NO_PORT && i < 8; i++)
		why = udp_send(f, host, sport, SERVER, 53);
	return why;
}

/* Fills the set towards one destination, from one socket of the host for each port. */
static void fill(struct fill *x, u32 mapping)
{
	static bool used[65536];
	u32 again = 0, outside = 0;

	memset(used, 0, sizeof(used));
	for (u32 i = 0; i < x->n; i++) {
		CHECK_EQ(insist(&x->f, (u8)(10 + i % 200), (u16)(30000 + i)), REASON_FORWARD_OUT);
		x->port[i] = outside_port(&x->f);
		again += used[x->port[i]];
		outside += !customer_has_port(&customer_v9, x->port[i]);
		used[x->port[i]] = true;
	}
	check_context("%u flows to one destination, %s", x->n, policies[mapping]);
	CHECK_EQ(again, 0);
	CHECK_EQ(outside, 0);
}

/* Each flow still has its port, and is answered. */
static void nothing_evicted(struct fill *x)
{
	u32 moved = 0, lost = 0;

	for (u32 i = 0; i < x->n; i++) {
		struct packet p = {.proto = PROTO_UDP,
				   .src = address(192, 168, 1, (u8)(10 + i % 200)),
				   .dst = SERVER,
				   .sport = (u16)(30000 + i),
				   .dport = 53,
				   .payload = 4};

		moved += send(&x->f, &p) != REASON_FORWARD_OUT || outside_port(&x->f) != x->port[i];
		lost += !answered(&x->f, &p);
	}
	CHECK_EQ(moved, 0);
	CHECK_EQ(lost, 0);
}

/* P2: exactly the set's 1008 flows to one destination; the next finds no port (here is no daemon to say that for sure),
 * and none is taken away from anybody. Where sockets share ports, other destinations still go. */
static void filled_to_one(u32 mapping)
{
	static struct fill x;

	x.n = 1008;
	start(&x.f, &customer_v9, mapping, 4096);
	check_context("filling, %s", policies[mapping]);
	fill(&x, mapping);
	for (u32 i = 0; i < 20; i++)
		CHECK_EQ(insist(&x.f, 250, (u16)(50000 + i)), REASON_SLOW_NO_PORT);
	nothing_evicted(&x);
	check_context("another destination, all taken towards the first, %s", policies[mapping]);
	CHECK_EQ(udp_send(&x.f, 251, 50000, address(198, 51, 100, 10), 53),
		 mapping == MAPPING_ENDPOINT_INDEPENDENT ? REASON_SLOW_NO_PORT : REASON_FORWARD_OUT);
	CHECK_EQ(udp_send(&x.f, 10, 30000, address(198, 51, 100, 10), 53), REASON_FORWARD_OUT);
	check_context("another protocol, all taken of the first, %s", policies[mapping]);
	struct packet p = {
		.proto = PROTO_TCP, .src = address(192, 168, 1, 250), .dst = SERVER, .sport = 50000, .dport = 53};

	CHECK_EQ(send(&x.f, &p), REASON_FORWARD_OUT);
	nothing_evicted(&x);
	engine_free(x.f.engine);
}

/* Reserved ports are nobody's, also when all others are taken (openwrt-jp-ipoe#12). */
static void reserved_to_the_last(u32 mapping)
{
	static struct fill x;
	u32 handed = 0;

	start(&x.f, &customer_v9, mapping, 4096);
	x.n = 1008 - 3;
	check_context("three ports reserved, %s", policies[mapping]);
	for (u32 i = 0; i < 3; i++)
		engine_reserve(x.f.engine, (u16)customer_port(&customer_v9, i * 400 + 7));
	fill(&x, mapping);
	for (u32 i = 0; i < x.n; i++)
		for (u32 j = 0; j < 3; j++)
			handed += x.port[i] == customer_port(&customer_v9, j * 400 + 7);
	CHECK_EQ(handed, 0);
	CHECK_EQ(insist(&x.f, 250, 50000), REASON_SLOW_NO_PORT);
	engine_free(x.f.engine);
}

/* Two packets of a flow have one port, and so has each answer (openwrt-jp-ipoe#12). */
static void one_flow_one_port(u32 mapping)
{
	static struct fixture f;
	u32 port;

	check_context("one flow, %s", policies[mapping]);
	start(&f, &customer_v9, mapping, 64);
	CHECK_EQ(udp_send(&f, 10, 7000, SERVER, 53), REASON_FORWARD_OUT);
	port = outside_port(&f);
	for (u32 i = 0; i < 100; i++) {
		CHECK_EQ(udp_send(&f, 10, 7000, SERVER, 53), REASON_FORWARD_OUT);
		CHECK_EQ(outside_port(&f), port);
	}
	check_context("two hosts, one source port, one destination (felix PR#2983), %s", policies[mapping]);
	CHECK_EQ(udp_send(&f, 11, 7000, SERVER, 53), REASON_FORWARD_OUT);
	CHECK(outside_port(&f) != port);
	engine_free(f.engine);
}

/* One port for a socket towards all destinations: always with endpoint-independent mapping, with shared while ports
 * are plenty. */
static void one_socket_one_port(u32 mapping)
{
	static struct fixture f;
	u32 ports[20], moved = 0, shared = 0;

	check_context("20 sockets, 200 destinations each, %s", policies[mapping]);
	start(&f, &customer_v9, mapping, 8192);
	for (u32 i = 0; i < 4000; i++) {
		u32 s = i % 20;

		CHECK_EQ(udp_send(&f, (u8)(10 + s), 7000, server(i / 20), 443), REASON_FORWARD_OUT);
		if (i < 20)
			ports[s] = outside_port(&f);
		moved += outside_port(&f) != ports[s];
	}
	for (u32 i = 0; i < 20; i++)
		for (u32 j = 0; j < i; j++)
			shared += ports[i] == ports[j];
	CHECK_EQ(moved, 0);
	CHECK_EQ(shared, 0);
	check_context("another protocol is another socket, %s", policies[mapping]);
	CHECK(fixture_halves(&f) == 2 * 4000 + 2 * 20);
	engine_free(f.engine);
}

/* The key and half of one direction of each flow, to be looked through. */
struct seen {
	u32 n;
	struct flow_key key[20000];
};

static void in_note(void *arg, const struct flow_key *key, const struct flow_half *half)
{
	struct seen *s = arg;

	(void)half;
	if (key->dir == FLOW_IN && s->n < 20000)
		s->key[s->n++] = *key;
}

/* 5,000 sockets of 240 ports: shared, two have one port only where they go to different destinations, and none is
 * refused while a port is free towards its destination. */
static void overloaded(void)
{
	static struct fixture f;
	static struct seen seen;
	u32 refused = 0;

	check_context("5,000 sockets share 240 ports");
	start(&f, &customer_v8, MAPPING_SHARED, 20000);
	for (u32 i = 0; i < 5000; i++) {
		struct packet p = {.proto = PROTO_UDP,
				   .src = address(192, 168, 1, (u8)(2 + i % 250)),
				   .dst = server(i % 25),
				   .sport = (u16)(1000 + i / 250),
				   .dport = 443,
				   .payload = 4};
		enum reason why = REASON_SLOW_NO_PORT;

		for (u32 j = 0; why == REASON_SLOW_NO_PORT && j < 8; j++)
			why = send(&f, &p);
		refused += why != REASON_FORWARD_OUT;
		if (i % 97 == 0 && !why)
			CHECK(answered(&f, &p));
	}
	CHECK_EQ(refused, 0); /* 200 to each of 25 destinations: each has 40 ports left */
	seen.n = 0;
	engine_flows(f.engine, in_note, &seen);
	CHECK_EQ(seen.n, 5000); /* as many in keys as flows: no port twice towards one destination */
	engine_free(f.engine);
}

/* Endpoint-independent mapping never shares: the socket beyond the last port gets none, whatever its destination. */
static void never_overloaded(void)
{
	static struct fixture f;
	static u32 owner[65536];
	u32 shared = 0, opened = 0;

	check_context("300 sockets, 240 ports, endpoint-independent");
	memset(owner, 0, sizeof(owner));
	start(&f, &customer_v8, MAPPING_ENDPOINT_INDEPENDENT, 4096);
	for (u32 round = 0; round < 3; round++) {
		for (u32 i = 1; i <= 300; i++) {
			enum reason why = REASON_SLOW_NO_PORT;

			for (u32 j = 0; why == REASON_SLOW_NO_PORT && j < 8; j++)
				why = udp_send(&f, (u8)(2 + i % 200), (u16)(1000 + i), server(i * 4 + round), 443);
			if (why != REASON_FORWARD_OUT)
				continue;
			opened++;
			shared += owner[outside_port(&f)] && owner[outside_port(&f)] != i;
			owner[outside_port(&f)] = i;
		}
	}
	CHECK_EQ(shared, 0);
	CHECK_EQ(opened, 3 * 240);
	engine_free(f.engine);
}

/* P4: a host's share towards one destination, of which the others have all the rest. */
static void share(u32 mapping)
{
	static struct fixture f;

	check_context("a share of 100, %s", policies[mapping]);
	edge_init(&f, &customer_v9);
	f.config.mapping = (u8)mapping;
	f.config.share = 100;
	edge_start(&f, 4096);
	for (u32 i = 0; i < 100; i++)
		CHECK_EQ(udp_send(&f, 10, (u16)(20000 + i), SERVER, 53), REASON_FORWARD_OUT);
	for (u32 i = 0; i < 50; i++)
		CHECK_EQ(udp_send(&f, 10, (u16)(21000 + i), SERVER, 53), REASON_DROP_SHARE);
	CHECK_EQ(udp_send(&f, 10, 20000, SERVER, 53), REASON_FORWARD_OUT);
	CHECK_EQ(udp_send(&f, 10, 20000, SERVER, 54), REASON_FORWARD_OUT);
	for (u32 i = 0; i < 100; i++)
		CHECK_EQ(udp_send(&f, 11, (u16)(20000 + i), SERVER, 53), REASON_FORWARD_OUT);
	CHECK_EQ(udp_send(&f, 11, 30000, SERVER, 53), REASON_DROP_SHARE);
	engine_free(f.engine);
}

/* A NAPT44's set is larger than any note: inside ports are kept, one a socket, and where two want one, one moves. */
static void large_set(u32 mapping)
{
	static struct fixture f;
	u32 port;

	check_context("64,512 ports, %s", policies[mapping]);
	fixture_init(&f, 0, 0);
	f.config.mapping = (u8)mapping;
	fixture_start(&f, 4096);
	CHECK_EQ(udp_send(&f, 10, 7000, SERVER, 53), REASON_FORWARD_OUT);
	CHECK_EQ(outside_port(&f), 7000);
	CHECK_EQ(udp_send(&f, 11, 7000, SERVER, 53), REASON_FORWARD_OUT);
	port = outside_port(&f);
	CHECK(port != 7000 && port >= 1024);
	for (u32 i = 0; i < 500; i++) {
		CHECK_EQ(udp_send(&f, 10, 7000, server(i), 53), REASON_FORWARD_OUT);
		CHECK_EQ(outside_port(&f), 7000);
		CHECK_EQ(udp_send(&f, 11, 7000, server(i), 53), REASON_FORWARD_OUT);
		CHECK_EQ(outside_port(&f), port);
	}
	engine_free(f.engine);
}

/* What a host asked for and did not get is not counted as its own. */
static void share_of_nothing(void)
{
	static struct fixture f;

	check_context("a share, and no port to be had");
	edge_init(&f, &customer_v8);
	f.config.share = 48;
	edge_start(&f, 4096);
	for (u32 i = 0; i < 240; i++) {
		enum reason why = REASON_SLOW_NO_PORT;

		for (u32 j = 0; why == REASON_SLOW_NO_PORT && j < 8; j++)
			why = udp_send(&f, (u8)(10 + i / 48), (u16)(20000 + i), SERVER, 53);
		CHECK_EQ(why, REASON_FORWARD_OUT);
	}
	for (u32 i = 0; i < 100; i++)
		CHECK_EQ(udp_send(&f, 99, (u16)(20000 + i), SERVER, 53), REASON_SLOW_NO_PORT);
	engine_free(f.engine);
}

/* A table for six flows holds six, each of its own socket; it refuses more and leaves no half of anything behind. */
static void table_full(u32 mapping)
{
	static struct fixture f;
	u32 halves;

	check_context("a full table, %s, filtering %u", policies[mapping], filtering);
	start(&f, &customer_v9, mapping, 6);
	for (u32 i = 0; i < 6; i++)
		CHECK_EQ(udp_send(&f, (u8)(10 + i), 7000, server(i), 53), REASON_FORWARD_OUT);
	for (u32 i = 6; i < 50; i++) {
		enum reason why = udp_send(&f, (u8)(10 + i), 7000, server(i), 53);

		CHECK(why == REASON_FORWARD_OUT || why == REASON_DROP_TABLE_FULL);
	}
	halves = fixture_halves(&f);
	for (u32 i = 0; i < 50; i++)
		udp_send(&f, (u8)(10 + i), 7000, server(i), 53);
	CHECK_EQ(fixture_halves(&f), halves);
	engine_free(f.engine);
}

/* SCTP's INIT through the set: its CRC is right (loxilb#3). */
static void sctp(void)
{
	static struct fixture f;
	struct packet p = {.proto = PROTO_SCTP, .src = address(192, 168, 1, 10), .dst = SERVER, .sport = 7, .dport = 9};

	start(&f, &customer_v9, MAPPING_SHARED, 64);
	for (p.payload = 0; p.payload < 1400; p.payload = (u16)(p.payload + 4)) {
		check_context("SCTP INIT with %u bytes behind", p.payload);
		CHECK_EQ(send(&f, &p), REASON_FORWARD_OUT);
		CHECK(outside_port(&f) != 7);
		CHECK(!checksums_wrong(left_ip(&f)));
		CHECK(answered(&f, &p));
	}
	engine_free(f.engine);
}

int main(void)
{
	for (u32 mapping = 0; mapping < 3; mapping++) {
		far_end(&customer_v2, mapping);
		far_end(&customer_v8, mapping);
		far_end(&customer_v9, mapping);
		filled_to_one(mapping);
		reserved_to_the_last(mapping);
		one_flow_one_port(mapping);
		share(mapping);
		for (filtering = FILTERING_ADDRESS_AND_PORT; filtering < 3; filtering++)
			table_full(mapping);
		filtering = FILTERING_ADDRESS_AND_PORT;
	}
	share_of_nothing();
	large_set(MAPPING_SHARED);
	large_set(MAPPING_ENDPOINT_INDEPENDENT);
	every_range();
	one_socket_one_port(MAPPING_SHARED);
	one_socket_one_port(MAPPING_ENDPOINT_INDEPENDENT);
	overloaded();
	never_overloaded();
	sctp();
	return check_summary("policy");
}
