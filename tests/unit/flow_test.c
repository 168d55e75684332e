/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow_test.c - a flow seen whole: states, timers, what keeps it alive */
#include "fixture.h"

#include "engine/flow.h"

#define F SEEN_FIN
#define S SEEN_SYN
#define R SEEN_RST
#define A SEEN_ACK

static const struct dp_timers timers = {.tcp_established = 7440, .tcp_transitory = 240, .udp = 300, .icmp = 60};

static void tcp_states(void)
{
	static const struct {
		const char *name;
		u8 out, in;
		enum flow_state state;
		u32 timeout;
	} cases[] = {
		{"SYN", S, 0, FLOW_NEW, 240},
		{"SYN, SYN-ACK", S, S | A, FLOW_NEW, 240},
		{"handshake complete", S | A, S | A, FLOW_OPEN, 7440},
		{"simultaneous open", S | A, S | A, FLOW_OPEN, 7440},
		{"SYN both ways, nothing acknowledged", S, S, FLOW_NEW, 240},
		{"picked up in the middle, one way", A, 0, FLOW_NEW, 240},
		{"picked up in the middle", A, A, FLOW_OPEN, 7440},
		{"FIN out", S | A | F, S | A, FLOW_OPEN, 7440},
		{"FIN in", S | A, S | A | F, FLOW_OPEN, 7440},
		{"FIN both ways", S | A | F, S | A | F, FLOW_CLOSING, 240},
		{"RST out", S | A | R, S | A, FLOW_RESET, 240},
		{"RST in", S | A, S | A | R, FLOW_RESET, 240},
		{"RST for a SYN", S, R | A, FLOW_RESET, 240},
		{"RST after FIN", S | A | F | R, S | A | F, FLOW_RESET, 240},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct flow_half out = {.seen = cases[i].out}, in = {.seen = cases[i].in};
		enum flow_state state = flow_state(PROTO_TCP, &out, &in);

		check_context("%s", cases[i].name);
		CHECK_EQ(state, cases[i].state);
		CHECK_EQ(flow_timeout(&timers, PROTO_TCP, state), cases[i].timeout);
		CHECK(flow_state_name(PROTO_TCP, state)[0] != 0);
	}
}

static void other_states(void)
{
	struct flow_half out = {.packets = 1}, in = {0};

	check_context("UDP and ICMP");
	CHECK_EQ(flow_state(PROTO_UDP, &out, &in), FLOW_NEW);
	CHECK_STR(flow_state_name(PROTO_UDP, FLOW_NEW), "unreplied");
	in.packets = 1;
	CHECK_EQ(flow_state(PROTO_UDP, &out, &in), FLOW_OPEN);
	CHECK_STR(flow_state_name(PROTO_ICMP, FLOW_OPEN), "replied");
	CHECK_EQ(flow_timeout(&timers, PROTO_UDP, FLOW_NEW), 300);
	CHECK_EQ(flow_timeout(&timers, PROTO_UDP, FLOW_OPEN), 300);
	CHECK_EQ(flow_timeout(&timers, PROTO_ICMP, FLOW_NEW), 60);
}

/* To the tick, from each of several starts, of which one is just before the clock wraps. */
static void expiry(void)
{
	static const u32 starts[] = {0, 1, 1000, 0x7fffffff, 0xffffff00};
	static const struct {
		u8 proto, out, in;
		u32 seconds;
	} cases[] = {
		{PROTO_UDP, 0, 0, 300},	 {PROTO_ICMP, 0, 0, 60},	 {PROTO_TCP, S, 0, 240},
		{PROTO_TCP, A, A, 7440}, {PROTO_TCP, A | F, A | F, 240}, {PROTO_TCP, A, A | R, 240},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		u32 ticks = TICKS_OF_SECONDS(cases[i].seconds);

		for (size_t j = 0; j < sizeof(starts) / sizeof(*starts); j++) {
			u32 t = starts[j];
			struct flow_half out = {.seen = cases[i].out, .last = t, .packets = 1};
			struct flow_half in = {.seen = cases[i].in, .last = t};

			check_context("case %zu from tick %x", i, t);
			CHECK(!flow_expired(&timers, cases[i].proto, &out, &in, t));
			CHECK(!flow_expired(&timers, cases[i].proto, &out, &in, t - 1));
			CHECK(!flow_expired(&timers, cases[i].proto, &out, &in, t + ticks));
			CHECK(flow_expired(&timers, cases[i].proto, &out, &in, t + ticks + 1));
		}
	}
}

/* RFC 4787, REQ-6: outbound packets keep a UDP flow alive, inbound ones only where that is configured. */
static void refresh(void)
{
	struct dp_timers both = timers;
	struct flow_half out = {.last = 100}, in = {.last = 5000};

	check_context("refresh");
	both.udp_inbound_refresh = 1;
	CHECK_EQ(flow_last(&timers, PROTO_UDP, &out, &in), 100);
	CHECK_EQ(flow_last(&both, PROTO_UDP, &out, &in), 5000);
	CHECK_EQ(flow_last(&timers, PROTO_TCP, &out, &in), 5000);
	CHECK_EQ(flow_last(&timers, PROTO_ICMP, &out, &in), 5000);
	out.last = 0xfffffff0;
	in.last = 5;
	CHECK_EQ(flow_last(&both, PROTO_UDP, &out, &in), 5);
	in.last = 0xffffffe0;
	CHECK_EQ(flow_last(&both, PROTO_UDP, &out, &in), 0xfffffff0);
}

static void tcp_send(struct fixture *f, u32 ifindex, u8 flags)
{
	u8 frame[sizeof(tcp_out)];

	memcpy(frame, tcp_out, sizeof(frame));
	frame[47] = flags;
	if (ifindex == WAN) {
		frame[5] = 2;
		memcpy(frame + 26, tcp_out + 30, 4);
		memcpy(frame + 30, (u8[4]){203, 0, 113, 2}, 4);
		memcpy(frame + 34, tcp_out + 36, 2);
		memcpy(frame + 36, tcp_out + 34, 2);
	}
	ip_csum_fix(frame + 14);
	fixture_run(f, ifindex, frame, sizeof(frame));
}

/* The halves as packets leave them: what each direction showed, and when it last counted. */
static void touched(void)
{
	static struct fixture f;
	struct flow_key key = {.saddr = address(192, 168, 1, 10),
			       .daddr = address(198, 51, 100, 9),
			       .sport = be16_of(40000),
			       .dport = be16_of(80),
			       .proto = PROTO_TCP};
	struct flow_key other;
	struct flow_half *out, *in;

	check_context("a TCP flow");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	engine_clock(f.engine, 10ULL << TICK_SHIFT);
	tcp_send(&f, LAN, TCP_SYN);
	out = engine_flow_get(f.engine, &key);
	if (!CHECK(out != NULL))
		return;
	other = flow_other(&key, out);
	in = engine_flow_get(f.engine, &other);
	if (!CHECK(in != NULL))
		return;
	CHECK_EQ(out->seen, S);
	CHECK_EQ(out->last, 10);
	CHECK_EQ(out->packets, 1);
	CHECK_EQ(out->bytes, 44);
	CHECK_EQ(in->packets, 0);
	engine_clock(f.engine, 20ULL << TICK_SHIFT);
	tcp_send(&f, WAN, TCP_SYN | TCP_ACK);
	CHECK_EQ(in->seen, S | A);
	CHECK_EQ(in->last, 20);
	CHECK_EQ(out->last, 10);
	engine_clock(f.engine, 30ULL << TICK_SHIFT);
	tcp_send(&f, LAN, TCP_ACK | TCP_FIN);
	CHECK_EQ(out->seen, S | A | F);
	check_context("RST keeps nothing alive and is forgotten when its sender goes on");
	engine_clock(f.engine, 40ULL << TICK_SHIFT);
	tcp_send(&f, WAN, TCP_RST);
	CHECK_EQ(in->seen, S | A | R);
	CHECK_EQ(in->last, 20);
	CHECK_EQ(in->packets, 2);
	tcp_send(&f, WAN, TCP_ACK);
	CHECK_EQ(in->seen, S | A);
	CHECK_EQ(in->last, 40);
	check_context("a new SYN begins anew");
	tcp_send(&f, LAN, TCP_SYN);
	CHECK_EQ(out->seen, S);
	engine_free(f.engine);
}

int main(void)
{
	tcp_states();
	other_states();
	expiry();
	refresh();
	touched();
	return check_summary("flow");
}
