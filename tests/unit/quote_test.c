/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quote_test.c - ICMP errors through NAPT44 and customer edge: what they quote is put back as its sender knows it
 *
 * A packet goes through, and an error about it comes back, quoting it as it was seen on the far side. What arrives must
 * be, byte for byte, the error that a host on this side of the translation would have got (RFC 5508, REQ-4 and REQ-5).
 */
#include "softwire.h"

#define SERVER address(198, 51, 100, 9)
#define ROUTER address(198, 51, 100, 254) /* between here and the server */
#define HOST address(192, 168, 1, 10)
#define HOME_ROUTER address(192, 168, 1, 250) /* between here and the host */
#define ALL 0xffff

struct quote_case {
	const char *name;
	u8 proto;
	u8 type; /* of the error */
	u8 options;
	u16 quoted;   /* bytes behind the quoted header, ALL */
	bool between; /* the error is from a router between, not from the end */
};

static const struct quote_case cases[] = {
	{"time exceeded about an echo (vpp#3587, cilium#40827, opte#369)", PROTO_ICMP, ICMP_TIME_EXCEEDED, 0, 8, true},
	{"time exceeded about an echo, all of it", PROTO_ICMP, ICMP_TIME_EXCEEDED, 0, ALL, true},
	{"UDP traceroute (trippy#1104)", PROTO_UDP, ICMP_TIME_EXCEEDED, 0, 8, true},
	{"UDP traceroute, all of it", PROTO_UDP, ICMP_TIME_EXCEEDED, 0, ALL, true},
	{"TCP traceroute", PROTO_TCP, ICMP_TIME_EXCEEDED, 0, 8, true},
	{"TCP, 17 bytes: half a checksum", PROTO_TCP, ICMP_TIME_EXCEEDED, 0, 17, true},
	{"TCP, 18 bytes", PROTO_TCP, ICMP_TIME_EXCEEDED, 0, 18, true},
	{"TCP, all of it", PROTO_TCP, ICMP_UNREACHABLE, 0, ALL, true},
	{"port unreachable from the end itself", PROTO_UDP, ICMP_UNREACHABLE, 0, ALL, false},
	{"an odd number of bytes", PROTO_UDP, ICMP_UNREACHABLE, 0, 11, false},
	{"parameter problem", PROTO_UDP, ICMP_PARAMETER, 0, 8, true},
	{"unreachable from a router (dataplane#1579)", PROTO_TCP, ICMP_UNREACHABLE, 0, 8, true},
	{"options in the quoted header", PROTO_UDP, ICMP_TIME_EXCEEDED, 3, 8, true},
	{"most options", PROTO_TCP, ICMP_UNREACHABLE, 10, ALL, true},
	{"UDP-Lite", PROTO_UDPLITE, ICMP_UNREACHABLE, 0, ALL, true},
	{"DCCP", PROTO_DCCP, ICMP_UNREACHABLE, 0, ALL, true},
	{"SCTP, no checksum in it", PROTO_SCTP, ICMP_UNREACHABLE, 0, 8, true},
};

/* The packet of a case, from one end to the other. */
static struct packet packet_of(const struct quote_case *c, bool out)
{
	struct packet p = {
		.proto = c->proto,
		.options = c->options,
		.src = out ? HOST : SERVER,
		.dst = out ? SERVER : HOST,
		.sport = out ? 40000 : 53,
		.dport = out ? 53 : 40000,
		.type = out ? ICMP_ECHO : ICMP_ECHO_REPLY,
		.payload = 40,
	};

	if (c->proto == PROTO_ICMP)
		p.sport = p.dport = 40000;
	return p;
}

static u32 quoted_bytes(const struct quote_case *c, const u8 *ip)
{
	u32 ihl = ip_header(ip);

	return c->quoted == ALL ? ip_length(ip) : ihl + c->quoted;
}

/* As a router passes it on. */
static void ttl_lower(u8 *ip)
{
	ip[8]--;
	ip_csum_fix(ip);
}

/* Of a checksum that is quoted by half, nothing can be made. */
static void half_checksum(const struct quote_case *c, u8 *want, const u8 *seen)
{
	if (c->proto == PROTO_TCP && c->quoted == 17)
		want[ip_header(want) + 16] = seen[ip_header(seen) + 16];
}

/* The outside port (or identifier) of the packet that just left. */
static u16 outside_port(const struct fixture *f)
{
	const u8 *ip = left_ip(f), *l4 = ip + ip_header(ip);

	return (u16)get16(ip[9] == PROTO_ICMP ? l4 + 4 : l4);
}

static struct flow_half *half_of(struct fixture *f, const struct quote_case *c)
{
	bool echo = c->proto == PROTO_ICMP;
	struct flow_key key = {.saddr = HOST,
			       .daddr = SERVER,
			       .sport = be16_of(40000),
			       .dport = be16_of(echo ? 0 : 53),
			       .proto = c->proto};

	return engine_flow_get(f->engine, &key);
}

/* Sends an error that must arrive as `want`, and must not count for the flow (RFC 5508, REQ-9). */
static void error_goes(struct fixture *f, const struct quote_case *c, bool out, const u8 *error, u8 *want)
{
	struct flow_half before = *half_of(f, c);
	enum reason why;

	engine_clock(f->engine, 100ULL << TICK_SHIFT);
	why = out ? inside_run(f, error) : outside_run(f, error);
	CHECK_EQ(why, out ? REASON_FORWARD_OUT : REASON_FORWARD_IN);
	if (reason_verdict(why) != VERDICT_FORWARD)
		return;
	ttl_lower(want);
	CHECK(!checksums_wrong(left_ip(f)));
	if (out && f->config.mode == MODE_CE)
		left_is(f, &f->tunnel.local, &f->tunnel.relay[0], want);
	else
		left_is(f, NULL, NULL, want);
	before.nexthop = half_of(f, c)->nexthop;
	before.routes = half_of(f, c)->routes;
	CHECK_MEM(half_of(f, c), &before, sizeof(before));
}

static void case_run(struct fixture *f, const struct quote_case *c)
{
	u8 sent[PACKET_MAX], seen[PACKET_MAX], error[PACKET_MAX], want[PACKET_MAX];
	struct packet p = packet_of(c, true);
	u16 port;

	packet_make(sent, &p);
	if (!CHECK_EQ(inside_run(f, sent), REASON_FORWARD_OUT))
		return;
	port = outside_port(f);
	memcpy(seen, left_ip(f), ip_length(sent));
	check_context("%s, from outside", c->name);
	ttl_lower(sent); /* as it would be quoted here */
	half_checksum(c, sent, seen);
	error_make(error, ERROR(c->type, c->between ? ROUTER : SERVER, f->config.wan_addr), seen,
		   quoted_bytes(c, seen));
	error_make(want, ERROR(c->type, c->between ? ROUTER : SERVER, HOST), sent, quoted_bytes(c, sent));
	error_goes(f, c, false, error, want);

	check_context("%s, from inside", c->name);
	p = packet_of(c, false);
	p.dst = f->config.wan_addr;
	p.dport = port;
	p.sport = c->proto == PROTO_ICMP ? port : p.sport;
	packet_make(sent, &p);
	if (!CHECK_EQ(outside_run(f, sent), REASON_FORWARD_IN))
		return;
	memcpy(seen, left_ip(f), ip_length(sent));
	ttl_lower(sent);
	half_checksum(c, sent, seen);
	error_make(error, ERROR(c->type, c->between ? HOME_ROUTER : HOST, SERVER), seen, quoted_bytes(c, seen));
	error_make(want, ERROR(c->type, f->config.wan_addr, SERVER), sent, quoted_bytes(c, sent)); /* our own address */
	error_goes(f, c, true, error, want);
}

static void start(struct fixture *f, bool edge)
{
	if (edge) {
		edge_init(f, &customer_v9);
		edge_start(f, 64);
	} else {
		fixture_init(f, 0, 0);
		f->config.ports = portset_of_range(5000, 5999); /* so that the port changes */
		fixture_start(f, 64);
	}
}

static void cases_run(void)
{
	static struct fixture f;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (int edge = 0; edge < 2; edge++) {
			start(&f, edge);
			check_context("%s, %s", cases[i].name, edge ? "customer edge" : "NAPT44");
			case_run(&f, &cases[i]);
			engine_free(f.engine);
		}
	}
}

/* RFC 4884, 5: the quote filled up to 128 bytes, its length in words in the sixth byte, and behind it an extension. */
static void extensions(void)
{
	static const struct quote_case c = {"extensions", PROTO_UDP, ICMP_TIME_EXCEEDED, 0, ALL, true};
	static const u8 extension[] = {0x20, 0, 0xdf, 0xff, 0, 8, 1, 1, 0xde, 0xad, 0xbe, 0xef};
	static struct fixture f;
	u8 sent[PACKET_MAX], error[PACKET_MAX], want[PACKET_MAX], quote[128 + sizeof(extension)] = {0};
	struct packet p = packet_of(&c, true);

	start(&f, true);
	packet_make(sent, &p);
	check_context("RFC 4884 extensions");
	CHECK_EQ(inside_run(&f, sent), REASON_FORWARD_OUT);
	memcpy(quote, left_ip(&f), ip_length(sent));
	memcpy(quote + 128, extension, sizeof(extension));
	error_make(error, ERROR(c.type, ROUTER, f.config.wan_addr), quote, sizeof(quote));
	ttl_lower(sent);
	memcpy(quote, sent, ip_length(sent));
	error_make(want, ERROR(c.type, ROUTER, HOST), quote, sizeof(quote));
	error[25] = want[25] = 128 / 4;
	l4_csum_fix(error);
	l4_csum_fix(want);
	error_goes(&f, &c, false, error, want);
	engine_free(f.engine);
}

/* 3/4 keeps the MTU that it tells (cilium#12968, cilium#33844). */
static void too_big(void)
{
	static const struct quote_case c = {"3/4", PROTO_TCP, ICMP_UNREACHABLE, 0, 8, true};
	static struct fixture f;
	u8 sent[PACKET_MAX], error[PACKET_MAX], want[PACKET_MAX];
	struct packet p = packet_of(&c, true);

	p.frag = IPV4_DF;
	p.payload = 1410;
	for (int edge = 0; edge < 2; edge++) {
		start(&f, edge);
		packet_make(sent, &p);
		check_context("3/4, %s", edge ? "customer edge" : "NAPT44");
		CHECK_EQ(inside_run(&f, sent), REASON_FORWARD_OUT);
		error_make(error, ERROR(c.type, ROUTER, f.config.wan_addr), left_ip(&f), 28);
		ttl_lower(sent);
		error_make(want, ERROR(c.type, ROUTER, HOST), sent, 28);
		error[21] = want[21] = 4;
		put16(error + 26, 1420);
		put16(want + 26, 1420);
		l4_csum_fix(error);
		l4_csum_fix(want);
		error_goes(&f, &c, false, error, want);
		engine_free(f.engine);
	}
}

/* What is wrong with an error: a byte of the ICMP message that is changed, and which checksums are made right again. */
struct bad_case {
	const char *name;
	enum reason nat44, edge; /* from outside */
	u16 cut;		 /* bytes quoted, 0: all */
	u16 at;			 /* of the byte, from the start of ICMP; the quote begins at 8 */
	u8 value;
	bool icmp, quoted; /* checksums made right */
};

#define OPAQUE(reason) REASON_KERNEL_NO_FLOW, reason /* at a NAPT44 it may be about this router's own traffic */

static const struct bad_case bad[] = {
	{"wrong ICMP checksum", OPAQUE(REASON_DROP_ICMP_CSUM), 0, 2, 0x12, false, false},
	{"wrong checksum in the quoted header", OPAQUE(REASON_DROP_ICMP_QUOTE), 0, 8 + 10, 0x12, true, false},
	{"a bit of the quoted header", OPAQUE(REASON_DROP_ICMP_QUOTE), 0, 8 + 1, 0x12, true, false},
	{"quotes IPv6", OPAQUE(REASON_DROP_ICMP_QUOTE), 0, 8, 0x65, true, true},
	{"quotes a header of 16 bytes", OPAQUE(REASON_DROP_ICMP_QUOTE), 0, 8, 0x44, true, true},
	{"quotes a header of 60 bytes in less", OPAQUE(REASON_DROP_ICMP_QUOTE), 40, 8, 0x4f, true, false},
	{"quotes a later fragment", OPAQUE(REASON_DROP_ICMP_QUOTE), 0, 8 + 7, 1, true, true},
	{"quotes a packet of another host", OPAQUE(REASON_DROP_ICMP_QUOTE), 0, 8 + 15, 77, true, true},
	{"quotes no header at all (nat46#76)", OPAQUE(REASON_DROP_ICMP_QUOTE), 1, 0, ICMP_UNREACHABLE, true, false},
	{"quotes 19 bytes", OPAQUE(REASON_DROP_ICMP_QUOTE), 19, 0, ICMP_UNREACHABLE, true, false},
	{"quotes a header and nothing", OPAQUE(REASON_DROP_ICMP_QUOTE), 20, 0, ICMP_UNREACHABLE, true, false},
	{"quotes 7 bytes behind the header", OPAQUE(REASON_DROP_ICMP_QUOTE), 27, 0, ICMP_UNREACHABLE, true, false},
	{"quotes GRE", OPAQUE(REASON_DROP_PROTOCOL), 0, 8 + 9, 47, true, true},
	{"to another server", REASON_KERNEL_NO_FLOW, REASON_DROP_NO_FLOW, 0, 8 + 19, 77, true, true},
	{"of another port", REASON_KERNEL_NO_FLOW, REASON_DROP_NO_FLOW, 0, 8 + 20, 1, true, true},
	{"a redirect", OPAQUE(REASON_DROP_ICMP_TYPE), 0, 0, 5, true, true},
	{"source quench", OPAQUE(REASON_DROP_ICMP_TYPE), 0, 0, 4, true, true},
	{"a type that nobody knows", OPAQUE(REASON_DROP_ICMP_TYPE), 0, 0, 200, true, true},
};

static void bad_make(const struct bad_case *c, const struct fixture *f, u8 *error)
{
	const u8 *seen = left_ip(f);

	error_make(error, ERROR(ICMP_UNREACHABLE, ROUTER, f->config.wan_addr), seen, c->cut ? c->cut : ip_length(seen));
	error[20 + c->at] = c->value;
	if (c->quoted)
		ip_csum_fix(error + 28);
	if (c->icmp)
		l4_csum_fix(error);
}

/* Dropped (or left to Linux), as it came, and no flow is touched (RFC 5508, REQ-3). */
static void bad_errors(void)
{
	static const struct quote_case udp = {"", PROTO_UDP, 0, 0, 0, false};
	static struct fixture f;
	u8 sent[PACKET_MAX], error[PACKET_MAX];
	struct packet p = packet_of(&udp, true);

	packet_make(sent, &p);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		for (int edge = 0; edge < 2; edge++) {
			struct flow_half before;
			u32 halves;

			check_context("%s, %s", bad[i].name, edge ? "customer edge" : "NAPT44");
			start(&f, edge);
			CHECK_EQ(inside_run(&f, sent), REASON_FORWARD_OUT);
			before = *half_of(&f, &udp);
			halves = fixture_halves(&f);
			bad_make(&bad[i], &f, error);
			CHECK_EQ(outside_run(&f, error), edge ? bad[i].edge : bad[i].nat44);
			untouched(&f, 1, error);
			CHECK_MEM(half_of(&f, &udp), &before, sizeof(before));
			CHECK_EQ(fixture_halves(&f), halves);
			engine_free(f.engine);
		}
	}
}

/* A wrong checksum behind the quoted header says nothing about the error, and stays as wrong (RFC 5508, REQ-3). */
static void quoted_l4_is_not_verified(void)
{
	static const struct quote_case udp = {"", PROTO_UDP, ICMP_UNREACHABLE, 0, ALL, false};
	static struct fixture f;
	u8 sent[PACKET_MAX], error[PACKET_MAX];
	struct packet p = packet_of(&udp, true);
	const u8 *quote;

	check_context("wrong checksum behind the quoted header");
	start(&f, true);
	packet_make(sent, &p);
	CHECK_EQ(inside_run(&f, sent), REASON_FORWARD_OUT);
	error_make(error, ERROR(ICMP_UNREACHABLE, ROUTER, f.config.wan_addr), left_ip(&f), ip_length(sent));
	error[28 + 26] ^= 1;
	l4_csum_fix(error);
	CHECK_EQ(outside_run(&f, error), REASON_FORWARD_IN);
	quote = left_ip(&f) + 28;
	CHECK(!checksums_wrong(left_ip(&f)));
	CHECK_EQ(get16(quote + 20), 40000);
	CHECK_EQ(get16(quote + 26), get16(sent + 26) ^ 0x100);
	check_context("UDP without a checksum stays so");
	memcpy(error, sent, ip_length(sent));
	put16(error + 26, 0);
	CHECK_EQ(inside_run(&f, error), REASON_FORWARD_OUT);
	error_make(error, ERROR(ICMP_UNREACHABLE, ROUTER, f.config.wan_addr), left_ip(&f), 28);
	CHECK_EQ(outside_run(&f, error), REASON_FORWARD_IN);
	CHECK_EQ(get16(left_ip(&f) + 28 + 26), 0);
	CHECK_EQ(get16(left_ip(&f) + 28 + 20), 40000);
	CHECK(!checksums_wrong(left_ip(&f)));
	engine_free(f.engine);
}

/* An error opens no flow, and of none that is known goes nowhere. */
static void no_flow(void)
{
	static struct fixture f;
	struct packet p = {.proto = PROTO_UDP, .src = SERVER, .dst = HOST, .sport = 53, .dport = 40000, .payload = 4};
	u8 about[PACKET_MAX], error[PACKET_MAX];

	packet_make(about, &p);
	for (int edge = 0; edge < 2; edge++) {
		check_context("an error from inside about no flow, %s", edge ? "customer edge" : "NAPT44");
		start(&f, edge);
		error_make(error, ERROR(ICMP_UNREACHABLE, HOST, SERVER), about, 28);
		CHECK_EQ(inside_run(&f, error), REASON_DROP_ICMP_TYPE);
		untouched(&f, 0, error);
		CHECK_EQ(fixture_halves(&f), 0);
		engine_free(f.engine);
	}
}

/* One packet with this word in its payload, and the error about it. Returns what is wrong. */
static const char *word_run(struct fixture *f, const struct quote_case *c, u32 word)
{
	u8 sent[PACKET_MAX], error[PACKET_MAX], want[PACKET_MAX];
	struct packet p = packet_of(c, true);
	u32 csum;

	packet_make(sent, &p);
	put16(sent + ip_length(sent) - 2, word);
	l4_csum_fix(sent);
	if (inside_run(f, sent) != REASON_FORWARD_OUT || checksums_wrong(left_ip(f)))
		return "the packet";
	error_make(error, ERROR(c->type, ROUTER, f->config.wan_addr), left_ip(f), ip_length(sent));
	ttl_lower(sent);
	error_make(want, ERROR(c->type, ROUTER, HOST), sent, ip_length(sent));
	if (outside_run(f, error) != REASON_FORWARD_IN || checksums_wrong(left_ip(f)))
		return "the error";
	csum = get16(left_ip(f) + 22) ^ get16(want + 22);
	if (csum && csum != 0xffff) /* the same zero or the other */
		return "its checksum";
	return memcmp(left_ip(f) + 28, sent, ip_length(sent)) ? "the quote" : NULL;
}

/* Whatever the data, the checksums of quotes and errors stay right, and come back as they were: one's complement has
 * two zeros. */
static void every_checksum(void)
{
	static const u8 protos[] = {PROTO_UDP, PROTO_UDPLITE, PROTO_TCP, PROTO_DCCP, PROTO_ICMP};
	static struct fixture f;

	for (size_t i = 0; i < sizeof(protos); i++) {
		struct quote_case c = {"", protos[i], ICMP_TIME_EXCEEDED, 0, ALL, true};
		u32 wrong = 0;
		const char *what = NULL;

		start(&f, true);
		for (u32 word = 0; word < 65536; word++) {
			const char *why = word_run(&f, &c, word);

			wrong += why != NULL;
			what = why ? why : what;
		}
		check_context("all checksums of a quoted packet, protocol %u: %s", protos[i],
			      what ? what : "nothing wrong");
		CHECK_EQ(wrong, 0);
		engine_free(f.engine);
	}
}

int main(void)
{
	cases_run();
	extensions();
	too_big();
	bad_errors();
	quoted_l4_is_not_verified();
	no_flow();
	every_checksum();
	return check_summary("quote");
}
