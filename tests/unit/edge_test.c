/* SPDX-License-Identifier: GPL-2.0-or-later */
/* edge_test.c - what a customer edge does with traffic: its own, to other customers, of nobody, and what does not fit
 *
 *   192.168.1.10 --- lan [edge 192.0.2.134] wan --- 2001:db8:ffff::1 --- 198.51.100.9
 */
#include "softwire.h"

#define SERVER address(198, 51, 100, 9)
#define HOST address(192, 168, 1, 10)

static void start(struct fixture *f)
{
	edge_init(f, &customer_v9);
	edge_start(f, 64);
}

/* UDP to the server, which opens a flow. */
static struct packet request(void)
{
	return (struct packet){
		.proto = PROTO_UDP, .src = HOST, .dst = SERVER, .sport = 7000, .dport = 53, .payload = 20};
}

/* An edge reaches another directly, by the rule with the longest IPv4 prefix (nat46#6), and nobody else. */
static void mesh(void)
{
	static const struct customer wide = {
		"all of 192.0.0.0/8", {0x20010db800000000, 0}, 34, 8, 24, 0, 0, MAPE_RFC7597, {192, 9, 9, 9}, 0,
	};
	static const struct customer *const peers[] = {&customer_v2, &customer_v8, &wide};
	static struct fixture f;

	edge_init(&f, &customer_v9);
	tunnel_rules(&f.tunnel, peers, 3);
	edge_start(&f, 64);
	for (u32 i = 0; i < 3; i++) {
		struct packet p = {.proto = PROTO_UDP,
				   .src = HOST,
				   .dst = customer_addr(peers[i]),
				   .sport = 7000,
				   .dport = (u16)customer_port(peers[i], 3),
				   .payload = 9};
		struct ip_addr end = customer_end(peers[i]), other = end;
		u8 ip[PACKET_MAX];
		u16 outside;

		check_context("to %s", peers[i]->name);
		packet_make(ip, &p);
		CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
		left_is(&f, &f.tunnel.local, &end, left_ip(&f));
		CHECK(!checksums_wrong(left_ip(&f)));
		outside = (u16)get16(left_ip(&f) + 20);
		CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT); /* once more, of a flow that is known */
		left_is(&f, &f.tunnel.local, &end, left_ip(&f));
		p = (struct packet){.proto = PROTO_UDP,
				    .src = p.dst,
				    .dst = f.config.wan_addr,
				    .sport = p.dport,
				    .dport = outside,
				    .payload = 9};
		packet_make(ip, &p);
		CHECK_EQ(tunnel_run(&f, &end, &f.tunnel.local, ip), REASON_FORWARD_IN);
		CHECK(!checksums_wrong(left_ip(&f)));
		other.w[3] ^= be32_of(1);
		CHECK_EQ(tunnel_run(&f, &other, &f.tunnel.local, ip), REASON_DROP_TUNNEL_SOURCE);
		if (peers[i]->k) { /* a port that another customer has */
			put16(ip + 20, p.sport + 64u);
			l4_csum_fix(ip);
			CHECK_EQ(tunnel_run(&f, &end, &f.tunnel.local, ip), REASON_DROP_TUNNEL_SOURCE);
		}
		CHECK_EQ(tunnel_run(&f, &f.tunnel.relay[0], &f.tunnel.local, ip),
			 peers[i]->k ? REASON_DROP_NO_FLOW : REASON_FORWARD_IN);
	}
	engine_free(f.engine);
}

/* What Linux has put into the tunnel's interface: its own, or already counted by it (nat46#54: ping from a router). */
static void self(void)
{
	static const u8 protos[] = {PROTO_UDP, PROTO_TCP, PROTO_ICMP, PROTO_UDPLITE, PROTO_SCTP, PROTO_DCCP};
	static struct fixture f;

	for (size_t i = 0; i < sizeof(protos); i++) {
		struct packet p = {.proto = protos[i],
				   .src = be32_of(HOME_SELF_ADDRESS),
				   .dst = SERVER,
				   .sport = 7000,
				   .dport = 53,
				   .type = ICMP_ECHO,
				   .payload = 8};
		u8 ip[PACKET_MAX];
		u32 outside;

		for (u32 value = 1; value < 256; value += 63) {
			start(&f);
			p.ttl = (u8)value;
			check_context("own traffic, protocol %u, TTL %u", protos[i], value);
			packet_make(ip, &p);
			CHECK_EQ(packet_run(&f, 2, ip), REASON_FORWARD_OUT);
			CHECK_EQ(left_ip(&f)[8], value);
			CHECK_MEM(left_ip(&f) + 12, customer_v9.addr, 4);
			CHECK(!checksums_wrong(left_ip(&f)));
			left_is(&f, &f.tunnel.local, &f.tunnel.relay[0], left_ip(&f));
			outside = get16(left_ip(&f) + (protos[i] == PROTO_ICMP ? 24 : 20));
			CHECK(customer_has_port(&customer_v9, outside));
			struct packet q = {.proto = protos[i],
					   .src = SERVER,
					   .dst = f.config.wan_addr,
					   .sport = protos[i] == PROTO_ICMP ? (u16)outside : 53,
					   .dport = (u16)outside,
					   .type = ICMP_ECHO_REPLY,
					   .payload = 8};

			packet_make(ip, &q);
			CHECK_EQ(outside_run(&f, ip), REASON_FORWARD_IN);
			CHECK_EQ(f.frame.hop.port, 2);
			CHECK_MEM(left_ip(&f) + 16, &p.src, 4);
			CHECK_EQ(get16(left_ip(&f) + (protos[i] == PROTO_ICMP ? 24 : 22)), 7000);
			CHECK(!checksums_wrong(left_ip(&f)));
			engine_free(f.engine);
		}
	}
}

/* Out of the tunnel without a flow: each reason by what it is, and nothing for Linux to answer. */
static void strays(void)
{
	static const struct {
		const char *name;
		u8 proto, type;
		u16 frag;
		enum reason reason;
	} rows[] = {
		{"UDP of no flow", PROTO_UDP, 0, 0, REASON_DROP_NO_FLOW},
		{"TCP of no flow", PROTO_TCP, 0, 0, REASON_DROP_NO_FLOW},
		{"echo", PROTO_ICMP, ICMP_ECHO, 0, REASON_DROP_ICMP_TYPE},
		{"a reply that nobody asked for", PROTO_ICMP, ICMP_ECHO_REPLY, 0, REASON_DROP_NO_FLOW},
		{"timestamp", PROTO_ICMP, 13, 0, REASON_DROP_ICMP_TYPE},
		{"GRE", 47, 0, 0, REASON_DROP_PROTOCOL},
		{"a first fragment", PROTO_UDP, 0, IPV4_MF, REASON_DROP_NO_FLOW},
		{"a later fragment", PROTO_UDP, 0, 9, REASON_SLOW_FRAGMENT},
	};
	static struct fixture f;

	start(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct packet p = {.proto = rows[i].proto,
				   .src = SERVER,
				   .dst = f.config.wan_addr,
				   .sport = 53,
				   .dport = (u16)customer_port(&customer_v9, i),
				   .type = rows[i].type,
				   .frag = rows[i].frag,
				   .payload = 30,
				   .id = (u16)i};
		u8 ip[PACKET_MAX];

		check_context("%s", rows[i].name);
		packet_make(ip, &p);
		CHECK_EQ(outside_run(&f, ip), rows[i].reason);
		untouched(&f, 1, ip);
		CHECK_EQ(fixture_halves(&f), 0);
	}
	engine_free(f.engine);
}

/* What fits: the IPv6 path's MTU less 40 (Jool#92, einat#19, einat#20), and never silence. */
static void mtu(void)
{
	static const struct {
		u16 tunnel, link;
		u32 fits;
	} rows[] = {{1500, 1500, 1460}, {1460, 1500, 1420}, {1500, 1452, 1412}, {1280, 1500, 1240}};
	static struct fixture f;
	u8 ip[PACKET_MAX];

	for (u32 i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
		u16 df = i % 2 ? IPV4_DF : 0;
		struct packet p = request();

		check_context("MTU %u and %u, DF %u", rows[i / 2].tunnel, rows[i / 2].link, i % 2);
		edge_init(&f, &customer_v9);
		f.config.port[1].mtu = rows[i / 2].link;
		f.tunnel.mtu = rows[i / 2].tunnel;
		edge_start(&f, 64);
		p.frag = df;
		p.payload = (u16)(rows[i / 2].fits - 28);
		packet_make(ip, &p);
		CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
		CHECK_EQ(f.frame.length, 14 + 40 + rows[i / 2].fits);
		p.payload++;
		packet_make(ip, &p);
		CHECK_EQ(inside_run(&f, ip), df ? REASON_KERNEL_TOO_BIG : REASON_SLOW_TOO_BIG);
		untouched(&f, 0, ip);
		p.sport = 7001; /* of no flow yet: none is made */
		packet_make(ip, &p);
		CHECK_EQ(inside_run(&f, ip), df ? REASON_KERNEL_TOO_BIG : REASON_SLOW_TOO_BIG);
		p.src = be32_of(HOME_SELF_ADDRESS);
		packet_make(ip, &p);
		CHECK_EQ(packet_run(&f, 2, ip), REASON_SLOW_TOO_BIG);
		CHECK_EQ(fixture_halves(&f), 4);
		engine_free(f.engine);
	}
}

/* The MSS of a SYN, either way: what the tunnel carries, and never more than was announced (openwrt#12112,
 * vyos PR#1557). */
static void mss(void)
{
	static const struct {
		u16 tunnel, link, announced, want;
	} rows[] = {
		{1500, 1500, 1460, 1420}, {1500, 1500, 1420, 1420}, {1500, 1500, 1419, 1419},  {1500, 1500, 536, 536},
		{1460, 1500, 1460, 1380}, {1500, 1454, 1460, 1374}, {1500, 1500, 65535, 1420}, {1500, 1500, 1, 1},
	};
	static struct fixture f;
	u8 ip[PACKET_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct packet p = {.proto = PROTO_TCP, .src = HOST, .dst = SERVER, .sport = 7000, .dport = 80};

		edge_init(&f, &customer_v9);
		f.config.port[1].mtu = rows[i].link;
		f.tunnel.mtu = rows[i].tunnel;
		edge_start(&f, 64);
		p.flags = TCP_SYN;
		p.mss = rows[i].announced;
		packet_make(ip, &p);
		check_context("SYN with MSS %u, MTU %u and %u", p.mss, rows[i].tunnel, rows[i].link);
		for (u32 again = 0; again < 2; again++) {
			CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
			CHECK_EQ(get16(left_ip(&f) + 42), rows[i].want);
			CHECK(!checksums_wrong(left_ip(&f)));
		}
		check_context("SYN-ACK with MSS %u, MTU %u and %u", p.mss, rows[i].tunnel, rows[i].link);
		p = (struct packet){.proto = PROTO_TCP,
				    .src = SERVER,
				    .dst = f.config.wan_addr,
				    .sport = 80,
				    .dport = (u16)get16(left_ip(&f) + 20),
				    .flags = TCP_SYN | TCP_ACK,
				    .mss = p.mss};
		packet_make(ip, &p);
		CHECK_EQ(outside_run(&f, ip), REASON_FORWARD_IN);
		CHECK_EQ(get16(left_ip(&f) + 42), rows[i].want);
		CHECK(!checksums_wrong(left_ip(&f)));
		p.flags = TCP_ACK; /* not a SYN: nothing of it is changed */
		packet_make(ip, &p);
		CHECK_EQ(outside_run(&f, ip), REASON_FORWARD_IN);
		CHECK_EQ(get16(left_ip(&f) + 42), rows[i].announced);
		engine_free(f.engine);
	}
}

/* A ping to one's own external address goes into the tunnel as any other: the border relay turns it round (jool#48). */
static void own_address(void)
{
	static struct fixture f;
	struct packet p = {.proto = PROTO_ICMP, .type = ICMP_ECHO, .src = HOST, .sport = 7, .payload = 8};
	u8 ip[PACKET_MAX];

	check_context("to the own external address");
	start(&f);
	p.dst = f.config.wan_addr;
	packet_make(ip, &p);
	CHECK_EQ(inside_run(&f, ip), REASON_FORWARD_OUT);
	left_is(&f, &f.tunnel.local, &f.tunnel.relay[0], left_ip(&f));
	CHECK(!checksums_wrong(left_ip(&f)));
	engine_free(f.engine);
}

int main(void)
{
	mesh();
	self();
	strays();
	mtu();
	mss();
	own_address();
	return check_summary("edge");
}
