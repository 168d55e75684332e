/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel_test.c - a customer edge's tunnel: headers to the byte, who may send into it, what is behind the outer header
 *
 *   192.168.1.10 --- lan [edge 192.0.2.134] wan --- 2001:db8:ffff::1 --- 198.51.100.9
 */
#include "softwire.h"

#include "dp/ecn.h"

#define SERVER address(198, 51, 100, 9)
#define HOST address(192, 168, 1, 10)
#define IP6 40

static struct packet request; /* what the host sends to the server: main() */

static void start(struct fixture *f)
{
	edge_init(f, &customer_v9);
	edge_start(f, 64);
}

/* Opens the flow of `request`; `answer` is what the server sends back, `want` what the host gets. */
static void flow_open(struct fixture *f, u8 *answer, u8 *want)
{
	struct packet p = request;
	u8 ip[PACKET_MAX];

	packet_make(ip, &p);
	CHECK_EQ(inside_run(f, ip), REASON_FORWARD_OUT);
	p.src = SERVER;
	p.dst = f->config.wan_addr;
	p.sport = 53;
	p.dport = (u16)get16(left_ip(f) + 20);
	packet_make(answer, &p);
	memcpy(want, answer, PACKET_MAX);
	memcpy(want + 16, &request.src, 4);
	put16(want + 22, request.sport);
	want[8]--;
	ip_csum_fix(want);
	l4_csum_fix(want);
}

/* What a host sends, byte for byte, and the answer. */
static void there_and_back(void)
{
	static const struct customer *const all[] = {&customer_v2, &customer_v8, &customer_v9, &customer_whole};
	static struct fixture f;
	u8 answer[PACKET_MAX], back[PACKET_MAX], ip[PACKET_MAX];

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		u32 port;

		check_context("%s", all[i]->name);
		edge_init(&f, all[i]);
		edge_start(&f, 64);
		flow_open(&f, answer, back);
		port = get16(answer + 22);
		CHECK(!all[i]->k || customer_has_port(all[i], port));
		packet_make(ip, &request);
		CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
		memcpy(ip + 12, all[i]->addr, 4);
		put16(ip + 20, port);
		ip[8]--;
		ip_csum_fix(ip);
		l4_csum_fix(ip);
		left_is(&f, &f.tunnel.local, &f.tunnel.relay[0], ip);
		CHECK_EQ(f.frame.hop.port, 1);
		CHECK_EQ(outside_run(&f, answer), REASON_FORWARD_IN);
		left_is(&f, NULL, NULL, back);
		CHECK_EQ(f.frame.hop.port, 0);
		engine_free(f.engine);
	}
}

/* RFC 7597, 8.1: who may send into the tunnel at an edge. */
static void sources(void)
{
	static const struct customer *const peers[] = {&customer_v9, &customer_v2};
	static struct fixture f;
	u8 answer[PACKET_MAX], want[PACKET_MAX];
	struct ip_addr from;

	edge_init(&f, &customer_v9);
	tunnel_rules(&f.tunnel, peers, 2);
	f.tunnel.nrelays = 3;
	f.tunnel.relay[1] = relay_end(1);
	f.tunnel.relay[2] = relay_end(2);
	edge_start(&f, 64);
	flow_open(&f, answer, want);
	for (u32 i = 0; i < 3; i++) {
		check_context("from border relay %u", i);
		CHECK_EQ(tunnel_run(&f, &f.tunnel.relay[i], &f.tunnel.local, answer), REASON_FORWARD_IN);
		left_is(&f, NULL, NULL, want);
	}
	for (u32 bit = 0; bit < 128; bit++) {
		check_context("from a border relay with bit %u wrong", bit);
		from = relay_end(2);
		((u8 *)&from)[bit / 8] ^= (u8)(1 << bit % 8);
		if (bit / 8 == 15 && (bit % 8 == 0 || bit % 8 == 1)) /* 2 or 1 */
			continue;
		CHECK_EQ(tunnel_run(&f, &from, &f.tunnel.local, answer), REASON_DROP_TUNNEL_SOURCE);
		untouched(&f, 1, left_ip(&f));
	}
	for (u32 bit = 0; bit < 128; bit++) {
		check_context("to our address with bit %u wrong", bit);
		from = f.tunnel.local;
		((u8 *)&from)[bit / 8] ^= (u8)(1 << bit % 8);
		CHECK_EQ(tunnel_run(&f, &f.tunnel.relay[0], &from, answer), REASON_KERNEL_TYPE);
	}
	check_context("from a customer who is not the server");
	from = customer_end(&customer_v2);
	CHECK_EQ(tunnel_run(&f, &from, &f.tunnel.local, answer), REASON_DROP_TUNNEL_SOURCE);
	check_context("IPv4 beside the tunnel");
	CHECK_EQ(packet_run(&f, 1, answer), REASON_KERNEL_NO_FLOW);
	untouched(&f, 1, answer);
	engine_free(f.engine);
}

/* DSCP and ECN into the tunnel (RFC 2983, RFC 6040, 4.1). */
static void traffic_class_out(void)
{
	static const u8 dscps[] = {TUNNEL_DSCP_COPY, 0, 46, 63};
	static struct fixture f;

	for (size_t i = 0; i < sizeof(dscps); i++) {
		for (u32 tos = 0; tos < 256; tos++) {
			for (u32 mode = 0; mode < 2; mode++) {
				struct packet p = request;
				u8 ip[PACKET_MAX];
				u32 class, want;

				check_context("type of service %02x, DSCP %u, mode %u", tos, dscps[i], mode);
				edge_init(&f, &customer_v9);
				f.tunnel.dscp = dscps[i];
				f.tunnel.ecn = (u8)mode;
				edge_start(&f, 8);
				p.tos = (u8)tos;
				packet_make(ip, &p);
				CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
				class = (left_ip6(&f)[0] & 15u) << 4 | left_ip6(&f)[1] >> 4;
				want = dscps[i] == TUNNEL_DSCP_COPY ? tos & 0xfc : dscps[i] * 4u;
				CHECK_EQ(class, want | (mode ? 0 : tos & 3));
				CHECK_EQ(left_ip(&f)[1], tos);
				CHECK(!checksums_wrong(left_ip(&f)));
				engine_free(f.engine);
			}
		}
	}
}

/* RFC 6040, figure 4, out of the tunnel: the packet's own mark, and its checksum. */
static void ecn_in(void)
{
	static const u8 figure[4][4] = {
		/* [inner][outer], by codepoint: Not-ECT, ECT(1), ECT(0), CE */
		{0, 0, 0, ECN_DROP},
		{1, 1, 1, 3},
		{2, 1, 2, 3},
		{3, 3, 3, 3},
	};
	static struct fixture f;
	u8 answer[PACKET_MAX], want[PACKET_MAX], ip6[FRAME_MAX];

	start(&f);
	flow_open(&f, answer, want);
	for (u32 i = 0; i < 16; i++) {
		u32 inner = i / 4, outer = i % 4;

		check_context("ECN inside %u, outside %u", inner, outer);
		answer[1] = (u8)(0xb8 | inner);
		ip_csum_fix(answer);
		ip6_make(ip6, &f.tunnel.relay[0], &f.tunnel.local, PROTO_IPV4, ip_length(answer));
		ip6[1] = (u8)(outer << 4);
		memcpy(ip6 + IP6, answer, ip_length(answer));
		if (figure[inner][outer] == ECN_DROP) {
			CHECK_EQ(ip6_run(&f, 1, ip6, IP6 + ip_length(answer)), REASON_DROP_TUNNEL_ECN);
			untouched(&f, 1, answer);
			continue;
		}
		want[1] = 0xb8 | figure[inner][outer];
		ip_csum_fix(want);
		CHECK_EQ(ip6_run(&f, 1, ip6, IP6 + ip_length(answer)), REASON_FORWARD_IN);
		left_is(&f, NULL, NULL, want);
	}
	engine_free(f.engine);
}

/* Each TTL: one less through the edge, once; the outer hop limit is what is configured, whatever it was. */
static void ttl(void)
{
	static struct fixture f;
	u8 answer[PACKET_MAX], want[PACKET_MAX], ip[PACKET_MAX];

	edge_init(&f, &customer_v9);
	f.tunnel.hop_limit = 17;
	edge_start(&f, 64);
	flow_open(&f, answer, want);
	packet_make(ip, &request);
	for (u32 value = 0; value < 256; value++) {
		check_context("TTL %u", value);
		ip[8] = answer[8] = (u8)value;
		ip_csum_fix(ip);
		ip_csum_fix(answer);
		CHECK_EQ(inside_run(&f, ip), value > 1 ? REASON_FORWARD_OUT : REASON_KERNEL_TTL);
		CHECK_EQ(left_ip(&f)[8], value > 1 ? value - 1 : value);
		CHECK(!checksums_wrong(left_ip(&f)));
		if (value > 1)
			CHECK_EQ(left_ip6(&f)[7], 17);
		CHECK_EQ(outside_run(&f, answer), value > 1 ? REASON_FORWARD_IN : REASON_SLOW_TTL);
		CHECK_EQ(left_ip(&f)[8], value > 1 ? value - 1 : value);
		CHECK(!checksums_wrong(left_ip(&f)));
	}
	engine_free(f.engine);
}

/* What is behind the outer header, and how long it says it is. */
struct outer_case {
	const char *name;
	u8 next;
	u8 behind[8]; /* what follows the outer header */
	u8 extra;     /* bytes of it, in front of the IPv4 packet */
	int payload;  /* added to the payload length */
	int cut;      /* bytes missing at the frame's end */
	enum reason reason;
};

static const struct outer_case outer_cases[] = {
	{"IPv4", PROTO_IPV4, {0}, 0, 0, 0, REASON_FORWARD_IN},
	{"IPv4 and more behind it", PROTO_IPV4, {0}, 0, -0, -9, REASON_FORWARD_IN},
	{"a limit of encapsulations (RFC 2473, 4.1.1)",
	 PROTO_OPTIONS,
	 {PROTO_IPV4, 0, 4, 1, 4, 1, 1, 0},
	 8,
	 0,
	 0,
	 REASON_FORWARD_IN},
	{"options in front of TCP", PROTO_OPTIONS, {PROTO_TCP, 0, 4, 1, 4, 1, 1, 0}, 8, 0, 0, REASON_KERNEL_TYPE},
	{"16 bytes of options", PROTO_OPTIONS, {PROTO_IPV4, 1, 4, 1, 4, 1, 1, 0}, 8, 0, 0, REASON_KERNEL_TYPE},
	{"a first fragment", PROTO_FRAGMENT, {PROTO_IPV4, 0, 0, 1, 0, 0, 0, 1}, 8, 0, 0, REASON_SLOW_REASSEMBLE},
	{"a later fragment", PROTO_FRAGMENT, {PROTO_IPV4, 0, 5, 0, 0, 0, 0, 1}, 8, 0, 0, REASON_SLOW_REASSEMBLE},
	{"an atomic fragment (nat46#76)",
	 PROTO_FRAGMENT,
	 {PROTO_IPV4, 0, 0, 0, 0, 0, 0, 1},
	 8,
	 0,
	 0,
	 REASON_SLOW_REASSEMBLE},
	{"IPv6", PROTO_IPV6, {0}, 0, 0, 0, REASON_DROP_TUNNEL_IPV6},
	{"packet too big", PROTO_ICMP6, {2, 0, 0, 0, 0, 0, 5, 0x78}, 8, 0, 0, REASON_SLOW_ICMP6},
	{"neighbour solicitation", PROTO_ICMP6, {135}, 8, 0, 0, REASON_KERNEL_TYPE},
	{"IPv6 echo", PROTO_ICMP6, {128}, 8, 0, 0, REASON_KERNEL_TYPE},
	{"TCP over IPv6", PROTO_TCP, {0}, 0, 0, 0, REASON_KERNEL_TYPE},
	{"one byte less than it says", PROTO_IPV4, {0}, 0, 0, 1, REASON_DROP_TUNNEL_SHORT},
	{"one byte less than the packet", PROTO_IPV4, {0}, 0, -1, 0, REASON_DROP_IP_LENGTH},
	{"nothing in it, it says", PROTO_IPV4, {0}, 0, -48, 0, REASON_DROP_IP_LENGTH},
	{"65535 bytes, it says", PROTO_IPV4, {0}, 0, 65535 - 48, 0, REASON_DROP_TUNNEL_SHORT},
	{"nothing behind IPv6", PROTO_IPV4, {0}, 0, -48, 48, REASON_DROP_IP_SHORT},
	{"half an IPv6 header", PROTO_IPV4, {0}, 0, 0, 48 + 20, REASON_DROP_TUNNEL_SHORT},
	{"options that are cut", PROTO_OPTIONS, {PROTO_IPV4, 0, 4, 1, 4, 1, 1, 0}, 8, -49, 49, REASON_KERNEL_TYPE},
	{"an error without anything in it (nat46#76)", PROTO_ICMP6, {1}, 8, -48, 48, REASON_SLOW_ICMP6},
	{"an error that is cut", PROTO_ICMP6, {1}, 8, -49, 49, REASON_KERNEL_TYPE},
};

static void outer_headers(void)
{
	static struct fixture f;
	u8 answer[PACKET_MAX], want[PACKET_MAX], ip6[FRAME_MAX];

	for (size_t i = 0; i < sizeof(outer_cases) / sizeof(*outer_cases); i++) {
		const struct outer_case *c = &outer_cases[i];
		u32 halves, n;

		check_context("%s", c->name);
		start(&f);
		flow_open(&f, answer, want);
		halves = fixture_halves(&f);
		n = ip_length(answer);
		memset(ip6, 0xee, sizeof(ip6));
		ip6_make(ip6, &f.tunnel.relay[0], &f.tunnel.local, c->next, (u32)((int)(n + c->extra) + c->payload));
		memcpy(ip6 + IP6, c->behind, 8);
		memcpy(ip6 + IP6 + c->extra, answer, n);
		CHECK_EQ(ip6_run(&f, 1, ip6, (u32)((int)(IP6 + c->extra + n) - c->cut)), c->reason);
		if (c->reason == REASON_FORWARD_IN) {
			f.frame.length -= (u32)(c->cut < 0 ? -c->cut : 0);
			left_is(&f, NULL, NULL, want);
		} else {
			CHECK_MEM(f.frame.data + 14, ip6, (u32)((int)(IP6 + c->extra + n) - c->cut));
		}
		CHECK_EQ(fixture_halves(&f), halves);
		engine_free(f.engine);
	}
}

/* An in half without an address: its flow has ended, and only its port is still taken. */
static void cooling(void)
{
	static struct fixture f;
	u8 answer[PACKET_MAX], want[PACKET_MAX], ip[PACKET_MAX];
	struct flow_key out = {
		.saddr = HOST, .daddr = SERVER, .sport = be16_of(7000), .dport = be16_of(53), .proto = PROTO_UDP};
	struct flow_key in = {.saddr = SERVER, .sport = be16_of(53), .proto = PROTO_UDP, .dir = FLOW_IN};
	struct packet p = request;
	u32 port;

	check_context("a port that cools");
	edge_init(&f, &customer_v9);
	f.config.mapping = MAPPING_ENDPOINT_DEPENDENT;
	edge_start(&f, 64);
	flow_open(&f, answer, want);
	port = get16(answer + 22);
	in.daddr = f.config.wan_addr;
	in.dport = be16_of((u16)port);
	engine_flow_del(f.engine, &out);
	engine_flow_get(f.engine, &in)->addr = 0;
	CHECK_EQ(outside_run(&f, answer), REASON_DROP_NO_FLOW);
	untouched(&f, 1, answer);
	packet_make(ip, &p);
	CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
	CHECK(get16(left_ip(&f) + 20) != port);
	CHECK(customer_has_port(&customer_v9, get16(left_ip(&f) + 20)));
	engine_free(f.engine);
}

/* The tunnel under each pair of tags: pushed, popped, changed; the priority stays where a tag stays. */
static void vlans(void)
{
	static const u16 vids[] = {0, 7, 4094};
	static struct fixture f;
	u8 answer[PACKET_MAX], back[PACKET_MAX], ip[PACKET_MAX];

	for (u32 i = 0; i < 9; i++) {
		u16 lan = vids[i / 3], wan = vids[i % 3];

		check_context("VLAN %u to %u", lan, wan);
		edge_init(&f, &customer_v9);
		f.config.port[0].vid = lan;
		f.config.port[1].vid = wan;
		edge_start(&f, 64);
		flow_open(&f, answer, back);
		packet_make(ip, &request);
		CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
		left_is(&f, &f.tunnel.local, &f.tunnel.relay[0], left_ip(&f));
		CHECK(!checksums_wrong(left_ip(&f)));
		if (wan)
			CHECK_EQ(get16(f.frame.data + 14), (lan ? TCI : 0) | wan);
		CHECK_EQ(outside_run(&f, answer), REASON_FORWARD_IN);
		left_is(&f, NULL, NULL, back);
		if (lan)
			CHECK_EQ(get16(f.frame.data + 14), (wan ? TCI : 0) | lan);
		engine_free(f.engine);
	}
}

int main(void)
{
	request = (struct packet){
		.proto = PROTO_UDP, .src = HOST, .dst = SERVER, .sport = 7000, .dport = 53, .payload = 20};
	there_and_back();
	vlans();
	sources();
	traffic_class_out();
	ecn_in();
	ttl();
	outer_headers();
	cooling();
	return check_summary("tunnel");
}
