/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_test.c - opening flows: which port, what when there is none, and both halves */
#include "fixture.h"

#include <stdlib.h>

#include "dp/hash.h"
#include "engine/flow.h"

/* udp_out from 192.168.1.`host`:`sport` to 198.51.100.`server`:`dport`, without a UDP checksum. */
static enum reason udp_send(struct fixture *f, u8 host, u16 sport, u8 server, u16 dport)
{
	u8 frame[sizeof(udp_out)];

	memcpy(frame, udp_out, sizeof(frame));
	frame[29] = host;
	frame[33] = server;
	frame[34] = (u8)(sport >> 8);
	frame[35] = (u8)sport;
	frame[36] = (u8)(dport >> 8);
	frame[37] = (u8)dport;
	memset(frame + 40, 0, 2);
	ip_csum_fix(frame + 14);
	return fixture_run(f, LAN, frame, sizeof(frame));
}

static u16 outside_port(const struct fixture *f)
{
	return (u16)(f->frame.data[34] << 8 | f->frame.data[35]);
}

static void kept_when_free(void)
{
	static struct fixture f;

	check_context("the inside port is kept");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 1024);
	for (u32 port = 1024; port < 65536; port += 997) {
		CHECK_EQ(udp_send(&f, 10, (u16)port, 9, 53), REASON_FORWARD_OUT);
		CHECK_EQ(outside_port(&f), port);
	}
	engine_free(f.engine);
}

static void conflict_takes_another(void)
{
	static struct fixture f;
	u16 first, second;

	check_context("two hosts, one port, one destination");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	CHECK_EQ(udp_send(&f, 10, 7000, 9, 53), REASON_FORWARD_OUT);
	first = outside_port(&f);
	CHECK_EQ(udp_send(&f, 11, 7000, 9, 53), REASON_FORWARD_OUT);
	second = outside_port(&f);
	CHECK_EQ(first, 7000);
	CHECK(second != first && second >= 1024);
	CHECK_EQ(udp_send(&f, 11, 7000, 9, 53), REASON_FORWARD_OUT);
	CHECK_EQ(outside_port(&f), second);
	CHECK_EQ(fixture_halves(&f), 4);
	check_context("one port serves two destinations");
	CHECK_EQ(udp_send(&f, 11, 7000, 10, 53), REASON_FORWARD_OUT);
	CHECK_EQ(outside_port(&f), 7000);
	CHECK_EQ(udp_send(&f, 11, 7000, 9, 54), REASON_FORWARD_OUT);
	CHECK_EQ(outside_port(&f), 7000);
	engine_free(f.engine);
}

/* The port taken in a conflict is where the keyed hash says, not the next one. */
static void choice_is_keyed(void)
{
	static struct fixture f;
	struct flow_key key = {.saddr = address(192, 168, 1, 11),
			       .daddr = address(198, 51, 100, 9),
			       .sport = be16_of(7000),
			       .dport = be16_of(53),
			       .proto = PROTO_UDP};
	u32 hash;

	check_context("second probe");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	hash = hash_flow(&key, f.config.secret);
	udp_send(&f, 10, 7000, 9, 53);
	udp_send(&f, 11, 7000, 9, 53);
	CHECK_EQ(outside_port(&f), 1024 + ((u64)(hash + 0x9e3779b9u) * 64512 >> 32));
	engine_free(f.engine);
}

static void range_and_reserve(void)
{
	static struct fixture f;
	static bool used[65536];
	u32 outside = 0, again = 0, refused = 0;

	check_context("500 ports, every third reserved");
	memset(used, 0, sizeof(used));
	fixture_init(&f, 0, 0);
	f.config.ports = portset_of_range(20000, 20499);
	f.config.probes = 16;
	fixture_start(&f, 4096);
	for (u16 port = 20000; port < 20500; port += 3)
		engine_reserve(f.engine, port);
	for (u32 i = 0; i < 333; i++) {
		enum reason why = udp_send(&f, (u8)(10 + i % 200), (u16)(19900 + i * 2), 9, 53);
		u16 port = outside_port(&f);

		if (why != REASON_FORWARD_OUT) {
			refused += CHECK_EQ(why, REASON_SLOW_NO_PORT);
			continue;
		}
		outside += port < 20000 || port > 20499 || (port - 20000) % 3 == 0;
		again += used[port];
		used[port] = true;
	}
	CHECK_EQ(outside, 0);
	CHECK_EQ(again, 0);
	CHECK(refused < 60); /* 16 probes miss only when nearly all is taken */
	engine_free(f.engine);
}

static void exhaustion_evicts_nothing(void)
{
	static struct fixture f;
	u16 ports[8];

	check_context("eight ports, nine flows");
	fixture_init(&f, 0, 0);
	f.config.ports = portset_of_range(5000, 5007);
	f.config.probes = 16;
	fixture_start(&f, 64);
	for (u32 i = 0; i < 8; i++) {
		CHECK_EQ(udp_send(&f, (u8)(10 + i), 7000, 9, 53), REASON_FORWARD_OUT);
		ports[i] = outside_port(&f);
	}
	for (u32 round = 0; round < 3; round++)
		CHECK_EQ(udp_send(&f, 99, 7000, 9, 53), REASON_SLOW_NO_PORT);
	CHECK_EQ(fixture_halves(&f), 16);
	for (u32 i = 0; i < 8; i++) {
		CHECK_EQ(udp_send(&f, (u8)(10 + i), 7000, 9, 53), REASON_FORWARD_OUT);
		CHECK_EQ(outside_port(&f), ports[i]);
	}
	CHECK_EQ(udp_send(&f, 99, 7000, 10, 53), REASON_FORWARD_OUT);
	check_context("no port at all");
	f.config.ports.count = 0;
	engine_configure(f.engine, &f.config);
	CHECK_EQ(udp_send(&f, 98, 7000, 9, 53), REASON_DROP_NO_PORT);
	engine_free(f.engine);
}

/* Full at `flows` flows; also when there is room for one half only. */
static void table_full(void)
{
	static struct fixture f;

	check_context("full table");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 4);
	for (u8 i = 0; i < 4; i++)
		CHECK_EQ(udp_send(&f, (u8)(10 + i), 7000, 9, 53), REASON_FORWARD_OUT);
	CHECK_EQ(udp_send(&f, 20, 7000, 9, 53), REASON_DROP_TABLE_FULL);
	CHECK_EQ(fixture_halves(&f), 8);
	for (u8 i = 0; i < 4; i++)
		CHECK_EQ(udp_send(&f, (u8)(10 + i), 7000, 9, 53), REASON_FORWARD_OUT);
	check_context("room for one half");
	struct flow_key out = {.saddr = address(192, 168, 1, 10),
			       .daddr = address(198, 51, 100, 9),
			       .sport = be16_of(7000),
			       .dport = be16_of(53),
			       .proto = PROTO_UDP};

	engine_flow_del(f.engine, &out);
	CHECK_EQ(udp_send(&f, 20, 7001, 9, 53), REASON_DROP_TABLE_FULL);
	CHECK_EQ(fixture_halves(&f), 7);
	engine_free(f.engine);
}

static void no_address(void)
{
	static struct fixture f;

	check_context("no WAN address");
	fixture_init(&f, 0, 0);
	f.config.wan_addr = 0;
	fixture_start(&f, 4);
	CHECK_EQ(udp_send(&f, 10, 7000, 9, 53), REASON_DROP_NO_ADDRESS);
	CHECK_EQ(fixture_halves(&f), 0);
	engine_free(f.engine);
}

struct halves {
	struct engine *engine;
	u32 out, in, wrong;
};

static void pair_check(void *arg, const struct flow_key *key, const struct flow_half *half)
{
	struct halves *h = arg;
	struct flow_key other = flow_other(key, half);
	const struct flow_half *there = engine_flow_get(h->engine, &other);
	struct flow_key back;

	h->out += key->dir == FLOW_OUT;
	h->in += key->dir == FLOW_IN;
	if (!there) {
		h->wrong++;
		return;
	}
	back = flow_other(&other, there);
	h->wrong += memcmp(&back, key, sizeof(back)) != 0;
	if (key->dir == FLOW_OUT) {
		h->wrong += half->addr != other.daddr || half->port != other.dport;
		h->wrong += there->addr != key->saddr || there->port != key->sport;
	}
}

/* Whatever was opened: two halves, each computed from the other. */
static void halves_belong_together(void)
{
	static struct fixture f;
	struct halves h = {0};

	check_context("halves");
	fixture_init(&f, 0, 0);
	f.config.ports = portset_of_range(6000, 6063);
	fixture_start(&f, 4096);
	srand(4);
	for (u32 i = 0; i < 2000; i++)
		udp_send(&f, (u8)(2 + rand() % 40), (u16)(5990 + rand() % 90), (u8)(rand() % 4), (u16)(rand() % 3));
	fixture_run(&f, LAN, icmp_out, sizeof(icmp_out));
	fixture_run(&f, LAN, tcp_out, sizeof(tcp_out));
	h.engine = f.engine;
	engine_flows(f.engine, pair_check, &h);
	CHECK(h.out > 100);
	CHECK_EQ(h.out, h.in);
	CHECK_EQ(h.wrong, 0);
	engine_free(f.engine);
}

/* A source that no LAN has can send, as Linux without reverse path filter lets it; answers do not go out by the WAN. */
static void foreign_source(void)
{
	static struct fixture f;
	u8 frame[sizeof(udp_out)];

	check_context("a source that the LAN does not have");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	memcpy(frame, udp_out, sizeof(frame));
	frame[28] = 77; /* 192.168.77.10 */
	memset(frame + 40, 0, 2);
	ip_csum_fix(frame + 14);
	CHECK_EQ(fixture_run(&f, LAN, frame, sizeof(frame)), REASON_FORWARD_OUT);
	CHECK_EQ(fixture_run(&f, WAN, udp_in, sizeof(udp_in)), REASON_DROP_NO_ROUTE);
	engine_free(f.engine);
}

int main(void)
{
	foreign_source();
	kept_when_free();
	conflict_takes_another();
	choice_is_keyed();
	range_and_reserve();
	exhaustion_evicts_nothing();
	table_full();
	no_address();
	halves_belong_together();
	return check_summary("open");
}
