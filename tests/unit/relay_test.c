/* SPDX-License-Identifier: GPL-2.0-or-later */
/* relay_test.c - the border relay: from the internet to the customer, back, and from one to another
 *
 *   customers --- lan [relay] wan --- 198.51.100.9
 *
 * Nothing but TTL, congestion marks and MSS of the IPv4 packet changes, so what leaves is known to the byte.
 */
#include "softwire.h"

#define SERVER address(198, 51, 100, 9)
#define ROUTER address(198, 51, 100, 254)

static const u8 protos[] = {PROTO_TCP, PROTO_UDP, PROTO_ICMP, PROTO_UDPLITE, PROTO_SCTP, PROTO_DCCP};

/* Longest IPv4 prefix first, as the daemon sorts them. */
static const struct customer *const all[] = {&customer_v2, &customer_v9, &customer_whole};
#define CUSTOMERS 3

static void start(struct fixture *f, bool one)
{
	relay_init(f, all, CUSTOMERS, one);
	relay_start(f);
}

/* A packet of or to port number `i` of a customer. */
static struct packet packet_of(const struct customer *c, u8 proto, bool out, u32 i)
{
	u16 port = c->k ? (u16)customer_port(c, i) : (u16)(1000 + i);
	struct packet p = {
		.proto = proto,
		.src = out ? customer_addr(c) : SERVER,
		.dst = out ? SERVER : customer_addr(c),
		.sport = out || proto == PROTO_ICMP ? port : 443,
		.dport = out ? 443 : port,
		.type = out ? ICMP_ECHO : ICMP_ECHO_REPLY,
		.payload = 24,
	};

	return p;
}

static void ttl_lower(u8 *ip)
{
	ip[8]--;
	ip_csum_fix(ip);
}

/* A packet of this customer's comes out of the tunnel. */
static enum reason customer_run(struct fixture *f, u32 i, const u8 *ip)
{
	struct ip_addr end = customer_end(all[i]);

	return tunnel_run(f, &end, &f->tunnel.relay[f->tunnel.rules[i].relay], ip);
}

static void to_is(const struct fixture *f, u32 i, const u8 *ip)
{
	struct ip_addr end = customer_end(all[i]);

	left_is(f, &f->tunnel.relay[f->tunnel.rules[i].relay], &end, ip);
	CHECK_EQ(f->frame.hop.port, 0);
}

static void there_and_back(void)
{
	static struct fixture f;
	u8 ip[PACKET_MAX];

	for (u32 i = 0; i < 2 * CUSTOMERS * sizeof(protos); i++) {
		u32 who = i / 2 % CUSTOMERS;
		u8 proto = protos[i / 2 / CUSTOMERS];
		struct packet p;

		start(&f, i % 2);
		for (u32 port = 0; port < 40; port += 13) {
			check_context("%s, protocol %u, port number %u", all[who]->name, proto, port);
			p = packet_of(all[who], proto, false, port);
			packet_make(ip, &p);
			CHECK_EQ(outside_run(&f, ip), REASON_FORWARD_ENCAP);
			ttl_lower(ip);
			to_is(&f, who, ip);
			p = packet_of(all[who], proto, true, port);
			packet_make(ip, &p);
			CHECK_EQ(customer_run(&f, who, ip), REASON_FORWARD_DECAP);
			ttl_lower(ip);
			left_is(&f, NULL, NULL, ip);
			CHECK_EQ(f.frame.hop.port, 1);
		}
		CHECK_EQ(fixture_halves(&f), 0);
		engine_free(f.engine);
	}
}

/* From one customer to another, in the same domain and in another: in one pass, from and to the right ends. */
static void hairpin(void)
{
	static struct fixture f;
	u8 ip[PACKET_MAX];

	for (u32 i = 0; i < CUSTOMERS * CUSTOMERS * 2; i++) {
		u32 from = i / 2 % CUSTOMERS, to = i / 2 / CUSTOMERS;

		start(&f, i % 2);
		for (size_t j = 0; j < sizeof(protos); j++) {
			struct packet p = packet_of(all[from], protos[j], true, 5),
				      q = packet_of(all[to], protos[j], false, 9);

			if (protos[j] == PROTO_ICMP) /* one identifier cannot be of both */
				continue;
			check_context("from %s to %s, protocol %u", all[from]->name, all[to]->name, protos[j]);
			p.dst = q.dst;
			p.dport = q.dport;
			packet_make(ip, &p);
			CHECK_EQ(customer_run(&f, from, ip), REASON_FORWARD_HAIRPIN);
			ttl_lower(ip);
			to_is(&f, to, ip);
		}
		engine_free(f.engine);
	}
}

/* Who may send what (RFC 7597, 8.1): the outer source, each bit of it, against each part of the inner. */
static void sources(void)
{
	static struct fixture f;
	u8 ip[PACKET_MAX];

	start(&f, false);
	for (u32 who = 0; who < CUSTOMERS; who++) {
		struct packet p = packet_of(all[who], PROTO_UDP, true, 3);
		struct ip_addr end, relay = f.tunnel.relay[who];

		packet_make(ip, &p);
		for (u32 bit = 0; bit < 128; bit++) {
			check_context("%s, bit %u of the outer source", all[who]->name, bit);
			end = customer_end(all[who]);
			((u8 *)&end)[bit / 8] ^= (u8)(1 << bit % 8);
			CHECK_EQ(tunnel_run(&f, &end, &relay, ip), REASON_DROP_TUNNEL_SOURCE);
			untouched(&f, 0, ip);
		}
		end = customer_end(all[who]);
		for (u32 bit = 0; bit < 32; bit++) {
			check_context("%s, bit %u of the inner source", all[who]->name, bit);
			packet_make(ip, &p);
			ip[12 + bit / 8] ^= (u8)(1 << bit % 8);
			ip_csum_fix(ip);
			CHECK_EQ(tunnel_run(&f, &end, &relay, ip), ip[12] >= 224 || ip[12] == 0 || ip[12] == 127
									   ? REASON_DROP_IP_SOURCE
									   : REASON_DROP_TUNNEL_SOURCE);
		}
		check_context("%s, to the relay of another domain", all[who]->name);
		packet_make(ip, &p);
		CHECK_EQ(tunnel_run(&f, &end, &f.tunnel.relay[(who + 1) % CUSTOMERS], ip), REASON_DROP_TUNNEL_SOURCE);
		check_context("%s, to nobody", all[who]->name);
		relay.w[3] ^= be32_of(0x100);
		CHECK_EQ(tunnel_run(&f, &end, &relay, ip), REASON_KERNEL_TYPE);
	}
	engine_free(f.engine);
}

/* Every port of a shared address: it goes to the one customer that has it, and comes from that one alone. */
static void every_port(void)
{
	static const struct customer *const two[] = {&customer_v8, &customer_v9};

	for (u32 i = 0; i < 2; i++) {
		const struct customer *c = two[i];
		static struct fixture f;
		u32 wrong = 0, nobody = 0;
		struct ip_addr end = customer_end(c);
		u8 ip[PACKET_MAX];

		relay_init(&f, &c, 1, true);
		relay_start(&f);
		for (u32 port = 0; port < 65536; port++) {
			struct packet p = {.proto = PROTO_UDP,
					   .src = SERVER,
					   .dst = customer_addr(c),
					   .sport = 53,
					   .dport = (u16)port,
					   .payload = 2};
			bool his = customer_has_port(c, port);
			enum reason why;

			packet_make(ip, &p);
			why = outside_run(&f, ip);
			nobody += why == REASON_DROP_NO_RULE;
			if (his || why == REASON_FORWARD_ENCAP)
				wrong += why != REASON_FORWARD_ENCAP || his == !!memcmp(left_ip6(&f) + 24, &end, 16);
			p = (struct packet){.proto = PROTO_UDP,
					    .src = customer_addr(c),
					    .dst = SERVER,
					    .sport = (u16)port,
					    .dport = 53,
					    .payload = 2};
			packet_make(ip, &p);
			why = tunnel_run(&f, &end, &f.tunnel.relay[0], ip);
			wrong += why != (his ? REASON_FORWARD_DECAP : REASON_DROP_TUNNEL_SOURCE);
		}
		check_context("every port, %s", c->name);
		CHECK_EQ(wrong, 0);
		CHECK_EQ(nobody, 65536 >> c->offset); /* those whose first bits are 0 */
		engine_free(f.engine);
	}
}

/* Packets that are nobody's, or for which a shared address needs ports and has none. */
static void refusals(void)
{
	static const struct {
		const char *name;
		u8 proto, type;
		u16 dport, frag;
		u8 dst[4];
		enum reason reason;
	} rows[] = {
		{"a port that nobody has", PROTO_TCP, 0, 80, 0, {192, 0, 2, 134}, REASON_DROP_NO_RULE},
		{"GRE to a shared address", 47, 0, 0, 0, {192, 0, 2, 134}, REASON_DROP_PROTOCOL},
		{"GRE to a whole address", 47, 0, 0, 0, {20, 1, 2, 3}, REASON_FORWARD_ENCAP},
		{"timestamp to a shared address", PROTO_ICMP, 13, 5000, 0, {192, 0, 2, 134}, REASON_DROP_ICMP_TYPE},
		{"timestamp to a whole address", PROTO_ICMP, 13, 5000, 0, {20, 1, 2, 3}, REASON_FORWARD_ENCAP},
		{"a later fragment", PROTO_UDP, 0, 5000, 8, {192, 0, 2, 134}, REASON_SLOW_FRAGMENT},
		{"a later fragment to the relay's router",
		 PROTO_UDP,
		 0,
		 5000,
		 8,
		 {203, 0, 113, 2},
		 REASON_KERNEL_ROUTE},
		{"to the relay's router", PROTO_TCP, 0, 22, 0, {203, 0, 113, 2}, REASON_KERNEL_ROUTE},
		{"to somebody else", PROTO_TCP, 0, 22, 0, {8, 8, 8, 8}, REASON_KERNEL_ROUTE},
	};
	static struct fixture f;
	u8 ip[PACKET_MAX];

	start(&f, true);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct packet p = {.proto = rows[i].proto,
				   .type = rows[i].type,
				   .src = SERVER,
				   .dst = address(rows[i].dst[0], rows[i].dst[1], rows[i].dst[2], rows[i].dst[3]),
				   .sport = rows[i].dport,
				   .dport = rows[i].dport,
				   .frag = rows[i].frag,
				   .payload = 20,
				   .id = (u16)i};

		check_context("%s", rows[i].name);
		packet_make(ip, &p);
		CHECK_EQ(outside_run(&f, ip), rows[i].reason);
		if (rows[i].reason == REASON_FORWARD_ENCAP)
			ttl_lower(ip);
		else
			untouched(&f, 1, ip);
		CHECK_MEM(left_ip(&f), ip, ip_length(ip));
	}
	engine_free(f.engine);
}

/* The same of a customer's. */
static void customer_refusals(void)
{
	static struct fixture f;
	struct packet p = packet_of(&customer_v9, PROTO_UDP, true, 0);
	u8 ip[PACKET_MAX];

	start(&f, true);
	check_context("IPv4 on the customers' side");
	packet_make(ip, &p);
	CHECK_EQ(packet_run(&f, 0, ip), REASON_KERNEL_ROUTE);
	check_context("a customer sends to the relay's router");
	p.dst = address(203, 0, 113, 2);
	packet_make(ip, &p);
	CHECK_EQ(customer_run(&f, 1, ip), REASON_DROP_NO_ROUTE);
	check_context("a customer without ports, of a shared address");
	p.dst = SERVER;
	p.proto = 47;
	packet_make(ip, &p);
	CHECK_EQ(customer_run(&f, 1, ip), REASON_DROP_PROTOCOL);
	check_context("a customer without ports, of a whole address");
	p.src = customer_addr(&customer_whole);
	packet_make(ip, &p);
	CHECK_EQ(customer_run(&f, 2, ip), REASON_FORWARD_DECAP);
	engine_free(f.engine);
}

/* Errors find the customer by what they quote (RFC 7597, 8.2), and are passed on as they are. */
static void errors_in(void)
{
	static struct fixture f;
	u8 about[PACKET_MAX], error[PACKET_MAX];

	start(&f, false);
	for (u32 i = 0; i < CUSTOMERS * sizeof(protos); i++) {
		u32 who = i % CUSTOMERS;
		struct packet p = packet_of(all[who], protos[i / CUSTOMERS], true, 11);

		packet_make(about, &p);
		check_context("error to %s, protocol %u", all[who]->name, p.proto);
		error_make(error, ERROR(ICMP_TIME_EXCEEDED, ROUTER, p.src), about, 28);
		CHECK_EQ(outside_run(&f, error), REASON_FORWARD_ENCAP);
		ttl_lower(error);
		to_is(&f, who, error);
		check_context("error to %s about another's packet", all[who]->name);
		error_make(error, ERROR(ICMP_TIME_EXCEEDED, ROUTER, customer_addr(all[(who + 1) % CUSTOMERS])), about,
			   28);
		CHECK_EQ(outside_run(&f, error),
			 all[(who + 1) % CUSTOMERS]->k ? REASON_DROP_ICMP_QUOTE : REASON_FORWARD_ENCAP);
	}
	engine_free(f.engine);
}

/* Errors of a customer: about what came to a port of its own, and from its own address. */
static void errors_out(void)
{
	static struct fixture f;
	u8 about[PACKET_MAX], error[PACKET_MAX];

	start(&f, false);
	for (u32 i = 0; i < CUSTOMERS * sizeof(protos); i++) {
		u32 who = i % CUSTOMERS;
		struct packet p = packet_of(all[who], protos[i / CUSTOMERS], false, 11);

		packet_make(about, &p);
		check_context("error from %s, protocol %u", all[who]->name, p.proto);
		error_make(error, ERROR(ICMP_UNREACHABLE, p.dst, SERVER), about, 28);
		CHECK_EQ(customer_run(&f, who, error), REASON_FORWARD_DECAP);
		ttl_lower(error);
		left_is(&f, NULL, NULL, error);
		if (!all[who]->k)
			continue;
		check_context("error from %s about a neighbour's port, protocol %u", all[who]->name, p.proto);
		p.dport = (u16)(p.dport + (1 << (16 - all[who]->offset - all[who]->k)));
		p.sport = p.proto == PROTO_ICMP ? p.dport : p.sport;
		packet_make(about, &p);
		error_make(error, ERROR(ICMP_UNREACHABLE, p.dst, SERVER), about, 28);
		CHECK_EQ(customer_run(&f, who, error), REASON_DROP_TUNNEL_SOURCE);
		untouched(&f, 0, error);
	}
	engine_free(f.engine);
}

/* Customer to customer: TTL 1 is the daemon's, and an error about a hairpinned packet goes back through the right
 * tunnel (snabb#266, snabb#165). */
static void hairpin_errors(void)
{
	static struct fixture f;
	struct packet p = packet_of(&customer_v2, PROTO_UDP, true, 5), q = packet_of(&customer_v9, PROTO_UDP, false, 9);
	u8 about[PACKET_MAX], error[PACKET_MAX];

	check_context("TTL 1 between two customers");
	start(&f, false);
	p.dst = q.dst;
	p.dport = q.dport;
	p.ttl = 1;
	packet_make(about, &p);
	CHECK_EQ(customer_run(&f, 0, about), REASON_SLOW_TTL);
	untouched(&f, 0, about);
	check_context("an error between two customers");
	p.ttl = 60;
	packet_make(about, &p);
	error_make(error, ERROR(ICMP_UNREACHABLE, p.dst, p.src), about, 28);
	CHECK_EQ(customer_run(&f, 1, error), REASON_FORWARD_HAIRPIN);
	ttl_lower(error);
	to_is(&f, 0, error);
	engine_free(f.engine);
}

/* Each TTL, each way. */
static void ttl(void)
{
	static struct fixture f;
	struct packet p = packet_of(&customer_v9, PROTO_UDP, true, 0), q = packet_of(&customer_v9, PROTO_UDP, false, 0);
	u8 ip[PACKET_MAX];

	start(&f, true);
	for (u32 value = 0; value < 256; value++) {
		check_context("TTL %u", value);
		packet_make(ip, &p);
		ip[8] = (u8)value;
		ip_csum_fix(ip);
		CHECK_EQ(customer_run(&f, 1, ip), value > 1 ? REASON_FORWARD_DECAP : REASON_SLOW_TTL);
		CHECK_EQ(left_ip(&f)[8], value > 1 ? value - 1 : value);
		CHECK(!checksums_wrong(left_ip(&f)));
		packet_make(ip, &q);
		ip[8] = (u8)value;
		ip_csum_fix(ip);
		CHECK_EQ(outside_run(&f, ip), value > 1 ? REASON_FORWARD_ENCAP : REASON_SLOW_TTL);
		CHECK_EQ(left_ip(&f)[8], value > 1 ? value - 1 : value);
		CHECK(!checksums_wrong(left_ip(&f)));
	}
	engine_free(f.engine);
}

/* What does not fit, and the MSS of what will. */
static void mtu(void)
{
	static struct fixture f;
	struct packet p = packet_of(&customer_v9, PROTO_UDP, false, 0);
	struct packet syn = {.proto = PROTO_TCP,
			     .flags = TCP_SYN,
			     .mss = 1460,
			     .src = SERVER,
			     .dst = p.dst,
			     .sport = 80,
			     .dport = p.dport};
	u8 ip[PACKET_MAX];

	relay_init(&f, all, CUSTOMERS, true);
	f.tunnel.mtu = 1454;
	relay_start(&f);
	for (u32 df = 0; df < 2; df++) {
		check_context("1414 bytes into a tunnel of 1454, DF %u", df);
		p.frag = df ? IPV4_DF : 0;
		p.payload = 1414 - 28;
		packet_make(ip, &p);
		CHECK_EQ(outside_run(&f, ip), REASON_FORWARD_ENCAP);
		check_context("1415 bytes, DF %u", df);
		p.payload++;
		packet_make(ip, &p);
		CHECK_EQ(outside_run(&f, ip), REASON_SLOW_TOO_BIG);
		untouched(&f, 1, ip);
	}
	check_context("SYN from the internet");
	packet_make(ip, &syn);
	CHECK_EQ(outside_run(&f, ip), REASON_FORWARD_ENCAP);
	CHECK_EQ(get16(left_ip(&f) + 42), 1374);
	CHECK(!checksums_wrong(left_ip(&f)));
	check_context("SYN from the customer");
	syn.src = p.dst;
	syn.sport = p.dport;
	syn.dst = SERVER;
	syn.dport = 80;
	packet_make(ip, &syn);
	CHECK_EQ(customer_run(&f, 1, ip), REASON_FORWARD_DECAP);
	CHECK_EQ(get16(left_ip(&f) + 42), 1374);
	CHECK(!checksums_wrong(left_ip(&f)));
	engine_free(f.engine);
}

int main(void)
{
	there_and_back();
	hairpin();
	sources();
	every_port();
	refusals();
	customer_refusals();
	errors_in();
	errors_out();
	hairpin_errors();
	ttl();
	mtu();
	return check_summary("relay");
}
