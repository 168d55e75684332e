/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frag_test.c - fragments: in every order, through NAPT44, customer edge and border relay, put together behind it
 *
 * A datagram is cut, its fragments go through in some order, each again as long as it is answered with slow_fragment
 * (as the daemon does), and what arrives is joined: it must be the datagram as it goes through whole.
 */
#include "softwire.h"

#define SERVER address(198, 51, 100, 9)
#define HOST address(192, 168, 1, 10)
#define INSIDE_PORT 40000
#define SECOND (1000000000ULL)

static const struct customer *const customers[] = {&customer_v9, &customer_v2};

static void start(struct fixture *f, enum dp_mode mode)
{
	if (mode == MODE_CE) {
		edge_init(f, &customer_v9);
		edge_start(f, 64);
	} else if (mode == MODE_BR) {
		relay_init(f, customers, 1, true);
		relay_start(f);
	} else {
		fixture_init(f, 0, 0);
		f->config.ports = portset_of_range(5000, 5999);
		fixture_start(f, 64);
	}
}

/* From the side of the hosts, or from the internet. */
static enum reason frame_run(struct fixture *f, bool out, const u8 *ip)
{
	struct ip_addr end = customer_end(&customer_v9);

	if (f->config.mode == MODE_BR && out)
		return tunnel_run(f, &end, &f->tunnel.relay[0], ip);
	return out ? inside_run(f, ip) : outside_run(f, ip);
}

static enum reason forwarded(const struct fixture *f, bool out)
{
	if (f->config.mode == MODE_BR)
		return out ? REASON_FORWARD_DECAP : REASON_FORWARD_ENCAP;
	return out ? REASON_FORWARD_OUT : REASON_FORWARD_IN;
}

struct frag_case {
	const char *name;
	u8 proto;
	u8 n;	     /* fragments */
	u8 options;  /* words in their headers */
	u16 payload; /* of the datagram */
	u16 size;    /* of each fragment but the last, a multiple of 8 */
};

static const struct frag_case cases[] = {
	{"ping -s 1800 (vpp#2930, cilium#25085)", PROTO_ICMP, 2, 0, 1800, 1400},
	{"UDP", PROTO_UDP, 2, 0, 1700, 1440},
	{"UDP, three", PROTO_UDP, 3, 0, 1700, 800},
	{"UDP, four of 8 bytes and less", PROTO_UDP, 4, 0, 20, 8},
	{"UDP with options", PROTO_UDP, 3, 5, 1500, 640},
	{"TCP", PROTO_TCP, 3, 0, 1000, 400},
	{"TCP, little more than the header in the first", PROTO_TCP, 2, 0, 20, 24},
	{"UDP-Lite", PROTO_UDPLITE, 3, 0, 1000, 400},
	{"DCCP", PROTO_DCCP, 2, 0, 1000, 800},
};

static struct packet packet_of(const struct frag_case *c, bool out, const struct fixture *f, u16 port)
{
	bool br = f->config.mode == MODE_BR;
	be32 inside = br ? customer_addr(&customer_v9) : out ? HOST : f->config.wan_addr;
	struct packet p = {
		.proto = c->proto,
		.options = c->options,
		.src = out ? inside : SERVER,
		.dst = out ? SERVER : inside,
		.sport = out ? port : 53,
		.dport = out ? 53 : port,
		.type = out ? ICMP_ECHO : ICMP_ECHO_REPLY,
		.payload = c->payload,
		.id = 0x4711,
	};

	if (c->proto == PROTO_ICMP)
		p.sport = port;
	return p;
}

/* A whole small packet of the flow, which opens it; returns its outside port. */
static u16 flow_open(struct fixture *f, const struct frag_case *c)
{
	struct packet p = packet_of(c, true, f, INSIDE_PORT);
	u8 ip[PACKET_MAX];
	const u8 *l4;

	if (f->config.mode == MODE_BR)
		return (u16)customer_port(&customer_v9, 20);
	p.payload = 10;
	packet_make(ip, &p);
	CHECK_EQ(inside_run(f, ip), REASON_FORWARD_OUT);
	l4 = left_ip(f) + ip_header(left_ip(f));
	return (u16)get16(c->proto == PROTO_ICMP ? l4 + 4 : l4);
}

/* A datagram on its way, from or to this outside port. */
struct run {
	struct fixture *f;
	const struct frag_case *c;
	bool out;
	u16 port;
};

/* The whole datagram, and what it becomes. */
static void whole_make(const struct run *r, u8 *ip, u8 *want)
{
	bool br = r->f->config.mode == MODE_BR;
	struct packet p = packet_of(r->c, r->out, r->f, r->out && !br ? INSIDE_PORT : r->port);
	be32 host = HOST;
	u8 *l4;

	packet_make(ip, &p);
	memcpy(want, ip, PACKET_MAX);
	want[8]--;
	if (!br) {
		l4 = want + ip_header(want);
		memcpy(want + (r->out ? 12 : 16), r->out ? &r->f->config.wan_addr : &host, 4);
		put16(l4 + (r->c->proto == PROTO_ICMP ? 4 : r->out ? 0 : 2), r->out ? r->port : INSIDE_PORT);
		l4_csum_fix(want);
	}
	ip_csum_fix(want);
}

/* A fragment that goes through; puts it to the others. */
static void fragment_goes(const struct run *r, const u8 *cut, u8 *got)
{
	const struct fixture *f = r->f;
	struct ip_addr end = customer_end(&customer_v9);

	CHECK_EQ(frame_run(r->f, r->out, cut), forwarded(f, r->out));
	CHECK(!checksums_wrong(left_ip(f)));
	CHECK_EQ(left_ip(f)[8], 63);
	if (r->out && f->config.mode == MODE_CE)
		left_is(f, &f->tunnel.local, &f->tunnel.relay[0], left_ip(f));
	if (!r->out && f->config.mode == MODE_BR)
		left_is(f, &f->tunnel.relay[0], &end, left_ip(f));
	packet_join(got, left_ip(f));
}

/* Sends the fragments in this order; the first of them is number 0. Those before it are kept and come again. */
static void order_run(const struct run *r, const u8 *order)
{
	u8 ip[PACKET_MAX], want[PACKET_MAX], got[PACKET_MAX] = {0}, cut[PACKET_MAX], kept[4];
	u32 n = 0, size = r->c->size;
	bool first = false;

	whole_make(r, ip, want);
	for (u32 i = 0; i < r->c->n; i++) {
		first = first || !order[i];
		packet_cut(cut, ip, order[i] * size, size);
		if (first) {
			fragment_goes(r, cut, got);
			continue;
		}
		CHECK_EQ(frame_run(r->f, r->out, cut), REASON_SLOW_FRAGMENT);
		CHECK_MEM(left_ip(r->f), cut, ip_length(cut));
		kept[n++] = order[i];
	}
	for (u32 i = 0; i < n; i++) {
		packet_cut(cut, ip, kept[i] * size, size);
		fragment_goes(r, cut, got);
	}
	CHECK_EQ(ip_length(got), ip_length(want));
	CHECK_MEM(got, want, ip_length(want));
	CHECK(!checksums_wrong(got));
}

static void swap(u8 *a, u8 *b)
{
	u8 was = *a;

	*a = *b;
	*b = was;
}

/* The next order of n numbers after this one; false at the last. */
static bool order_next(u8 *order, u32 n)
{
	u32 i = n - 1, j = n - 1;

	while (i && order[i - 1] >= order[i])
		i--;
	if (!i)
		return false;
	while (order[j] <= order[i - 1])
		j--;
	swap(&order[i - 1], &order[j]);
	for (j = n - 1; i < j; i++, j--)
		swap(&order[i], &order[j]);
	return true;
}

static void orders_run(const struct frag_case *c, enum dp_mode mode, bool out)
{
	static const char *const modes[] = {"NAPT44", "customer edge", "border relay"};
	static struct fixture f;
	u8 order[4] = {0, 1, 2, 3};

	do {
		struct run r = {.f = &f, .c = c, .out = out};

		check_context("%s, %s %s, order %u%u%u%u", c->name, modes[mode], out ? "out" : "in", order[0], order[1],
			      order[2], order[3]);
		start(&f, mode);
		r.port = flow_open(&f, c);
		order_run(&r, order);
		engine_free(f.engine);
	} while (order_next(order, c->n));
}

static void cases_run(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (int mode = MODE_NAT44; mode <= MODE_BR; mode++) {
			orders_run(&cases[i], (enum dp_mode)mode, true);
			orders_run(&cases[i], (enum dp_mode)mode, false);
		}
}

/* The first fragment of UDP between these ports, and the rest of it. */
static void pair_make(u8 *first, u8 *later, u16 sport, u16 id)
{
	struct packet p = {
		.proto = PROTO_UDP, .src = HOST, .dst = SERVER, .sport = sport, .dport = 53, .payload = 100, .id = id};
	u8 ip[PACKET_MAX];

	packet_make(ip, &p);
	packet_cut(first, ip, 0, 64);
	packet_cut(later, ip, 64, 64);
}

/* A datagram is known by addresses, identification and protocol, and for FRAG_SECONDS. */
static void which_datagram(void)
{
	static const struct {
		const char *name;
		u8 at, value; /* byte of the later fragment that is another */
		u64 seconds;
		enum reason reason;
	} rows[] = {
		{"its own", 0, 0, 0, REASON_FORWARD_OUT},
		{"another source", 15, 11, 0, REASON_SLOW_FRAGMENT},
		{"another destination", 19, 10, 0, REASON_SLOW_FRAGMENT},
		{"another identification", 5, 2, 0, REASON_SLOW_FRAGMENT},
		{"another protocol", 9, PROTO_TCP, 0, REASON_SLOW_FRAGMENT},
		{"within the time", 0, 0, FRAG_SECONDS, REASON_FORWARD_OUT},
		{"too late", 0, 0, FRAG_SECONDS + 1, REASON_SLOW_FRAGMENT},
	};
	static struct fixture f;
	u8 first[PACKET_MAX], later[PACKET_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		check_context("a later fragment with %s", rows[i].name);
		start(&f, MODE_CE);
		pair_make(first, later, INSIDE_PORT, 1);
		engine_clock(f.engine, 50 * SECOND);
		CHECK_EQ(inside_run(&f, first), REASON_FORWARD_OUT);
		if (rows[i].at)
			later[rows[i].at] = rows[i].value;
		ip_csum_fix(later);
		engine_clock(f.engine, (50 + rows[i].seconds) * SECOND);
		CHECK_EQ(inside_run(&f, later), rows[i].reason);
		engine_free(f.engine);
	}
}

/* No ports are ever read from a later fragment: what lies there are those of another flow. */
static void ports_are_not_read(void)
{
	static struct fixture f;
	u8 first[PACKET_MAX], later[PACKET_MAX], other[PACKET_MAX];
	u32 port;

	check_context("bytes that look like ports");
	start(&f, MODE_NAT44);
	pair_make(other, later, 41000, 7);
	CHECK_EQ(inside_run(&f, other), REASON_FORWARD_OUT);
	pair_make(first, later, INSIDE_PORT, 8);
	put16(later + 20, 41000);
	put16(later + 22, 53);
	CHECK_EQ(inside_run(&f, later), REASON_SLOW_FRAGMENT);
	CHECK_EQ(fixture_halves(&f), 2);
	CHECK_EQ(inside_run(&f, first), REASON_FORWARD_OUT);
	port = get16(left_ip(&f) + 20);
	CHECK(port != 41000 && port >= 5000 && port < 6000);
	CHECK_EQ(inside_run(&f, later), REASON_FORWARD_OUT);
	CHECK_EQ(get16(left_ip(&f) + 20), 41000);
	CHECK_EQ(get16(left_ip(&f) + 22), 53);
	engine_free(f.engine);
}

/* Two datagrams of one identification one after the other: the later fragment goes with the first before it. */
static void identification_again(void)
{
	static struct fixture f;
	u8 first[PACKET_MAX], later[PACKET_MAX];
	struct flow_key key = {
		.saddr = HOST, .daddr = SERVER, .sport = be16_of(7002), .dport = be16_of(53), .proto = PROTO_UDP};

	check_context("one identification again");
	start(&f, MODE_CE);
	pair_make(first, later, 7001, 1);
	CHECK_EQ(inside_run(&f, first), REASON_FORWARD_OUT);
	pair_make(first, later, 7002, 1);
	CHECK_EQ(inside_run(&f, first), REASON_FORWARD_OUT);
	CHECK_EQ(inside_run(&f, later), REASON_FORWARD_OUT);
	CHECK_EQ(engine_flow_get(f.engine, &key)->packets, 2);
	engine_free(f.engine);
}

/* SCTP's checksum is a CRC over all of it, which no fragment has: refused, in any order, and nothing is kept. */
static void sctp_is_refused(void)
{
	static struct fixture f;
	struct packet p = {.proto = PROTO_SCTP, .src = HOST, .dst = SERVER, .sport = 7001, .dport = 53, .payload = 100};
	u8 ip[PACKET_MAX], cut[PACKET_MAX];

	check_context("SCTP in fragments");
	start(&f, MODE_CE);
	packet_make(ip, &p);
	packet_cut(cut, ip, 0, 64);
	CHECK_EQ(inside_run(&f, cut), REASON_DROP_FRAGMENT);
	untouched(&f, 0, cut);
	packet_cut(cut, ip, 64, 64);
	CHECK_EQ(inside_run(&f, cut), REASON_SLOW_FRAGMENT);
	untouched(&f, 0, cut);
	CHECK_EQ(fixture_halves(&f), 0);
	engine_free(f.engine);
}

/* What the source check refuses leaves nothing behind: a forged first fragment tells nobody's ports. */
static void forged_first(enum dp_mode mode)
{
	static struct fixture f;
	struct ip_addr end = customer_end(&customer_v9), liar = customer_end(&customer_v2), *from, *to;
	struct packet p = {.proto = PROTO_UDP, .sport = 53, .dport = 53, .payload = 100, .id = 9};
	u8 ip[PACKET_MAX], cut[PACKET_MAX];

	check_context("a forged first fragment, mode %d", mode);
	start(&f, mode);
	p.src = mode == MODE_BR ? customer_addr(&customer_v9) : SERVER;
	p.dst = mode == MODE_BR ? SERVER : f.config.wan_addr;
	if (mode == MODE_BR)
		p.sport = (u16)customer_port(&customer_v9, 7);
	from = mode == MODE_BR ? &end : &f.tunnel.relay[0];
	to = mode == MODE_BR ? &f.tunnel.relay[0] : &f.tunnel.local;
	packet_make(ip, &p);
	packet_cut(cut, ip, 0, 64);
	CHECK_EQ(tunnel_run(&f, &liar, to, cut), REASON_DROP_TUNNEL_SOURCE);
	packet_cut(cut, ip, 64, 64);
	CHECK_EQ(tunnel_run(&f, from, to, cut), REASON_SLOW_FRAGMENT);
	engine_free(f.engine);
}

/* Two fragments to a shared address go to one customer, its, and by the ports of the first (snabb#457). */
static void relay_shared(void)
{
	static const struct customer *const order[] = {&customer_v2, &customer_v9};
	static struct fixture f;
	struct packet p = {.proto = PROTO_UDP, .src = SERVER, .sport = 53, .payload = 100, .id = 5};
	u8 ip[PACKET_MAX], first[PACKET_MAX], later[PACKET_MAX];

	relay_init(&f, order, 2, true);
	relay_start(&f);
	for (u32 psid = 0; psid < 64; psid++) { /* all of 192.0.2.134, one after the other, with one identification */
		struct customer c = customer_v9;
		struct ip_addr end;

		check_context("fragments to PSID %u", psid);
		c.psid = (u16)psid;
		end = customer_end(&c);
		p.dst = customer_addr(&c);
		p.dport = (u16)customer_port(&c, psid);
		packet_make(ip, &p);
		packet_cut(first, ip, 0, 64);
		packet_cut(later, ip, 64, 64);
		if (!psid)
			CHECK_EQ(outside_run(&f, later), REASON_SLOW_FRAGMENT);
		CHECK_EQ(outside_run(&f, first), REASON_FORWARD_ENCAP);
		CHECK_MEM(left_ip6(&f) + 24, &end, 16);
		CHECK_EQ(outside_run(&f, later), REASON_FORWARD_ENCAP);
		CHECK_MEM(left_ip6(&f) + 24, &end, 16);
	}
	engine_free(f.engine);
}

int main(void)
{
	cases_run();
	which_datagram();
	ports_are_not_read();
	identification_again();
	sctp_is_refused();
	forged_first(MODE_CE);
	forged_first(MODE_BR);
	relay_shared();
	return check_summary("frag");
}
