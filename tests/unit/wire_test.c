/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wire_test.c - parsing: each header, right and wrong
 *
 * A case is one of the three packets of fixture.h with bytes changed. Whatever is wrong: its own reason, no flow, and
 * the frame as it came.
 */
#include "fixture.h"

enum base {
	UDP,
	TCP,
	ICMP
};

/* Offsets in an untagged frame */
#define IP 14
#define L4 34

struct patch {
	u16 at; /* 0: none */
	u8 value;
};

struct wire_case {
	const char *name;
	enum base base;
	enum reason reason;
	u16 length;	 /* of the frame; 0: as it is, more: zeros behind */
	bool csum_wrong; /* the IPv4 checksum is not made right after the patches */
	struct patch patches[6];
};

#define ADDRESS(at, a, b, c, d)                                                                                        \
	{(at), (a)}, {(at) + 1, (b)}, {(at) + 2, (c)},                                                                 \
	{                                                                                                              \
		(at) + 3, (d)                                                                                          \
	}
#define SOURCE(a, b, c, d) ADDRESS(IP + 12, a, b, c, d)

static const struct wire_case cases[] = {
	{"as it is", UDP, REASON_FORWARD_OUT, 0, false, {{0}}},
	{"as it is", TCP, REASON_FORWARD_OUT, 0, false, {{0}}},
	{"as it is", ICMP, REASON_FORWARD_OUT, 0, false, {{0}}},
	{"padding of 14", UDP, REASON_FORWARD_OUT, 60, false, {{0}}},
	{"padding of 1000", TCP, REASON_FORWARD_OUT, 1058, false, {{0}}},

	{"no byte", UDP, REASON_DROP_ETH_SHORT, 1, false, {{0}}},
	{"13 bytes", UDP, REASON_DROP_ETH_SHORT, 13, false, {{0}}},
	{"Ethernet only", UDP, REASON_DROP_IP_SHORT, 14, false, {{0}}},
	{"19 bytes of IPv4", UDP, REASON_DROP_IP_SHORT, 33, false, {{0}}},
	{"one byte missing", UDP, REASON_DROP_IP_LENGTH, 45, false, {{0}}},
	{"one byte missing", TCP, REASON_DROP_IP_LENGTH, 57, false, {{0}}},

	{"version 0", UDP, REASON_DROP_IP_VERSION, 0, false, {{IP, 0x05}}},
	{"version 6", UDP, REASON_DROP_IP_VERSION, 0, false, {{IP, 0x65}}},
	{"version 15", UDP, REASON_DROP_IP_VERSION, 0, false, {{IP, 0xf5}}},
	{"header of 0", UDP, REASON_DROP_IP_IHL, 0, true, {{IP, 0x40}}},
	{"header of 4", UDP, REASON_DROP_IP_IHL, 0, true, {{IP, 0x41}}},
	{"header of 16", UDP, REASON_DROP_IP_IHL, 0, true, {{IP, 0x44}}},
	{"header of 36 in 32", UDP, REASON_DROP_IP_LENGTH, 0, true, {{IP, 0x49}}},
	{"header of 60 in 32", UDP, REASON_DROP_IP_LENGTH, 0, true, {{IP, 0x4f}}},
	{"total length 0", UDP, REASON_DROP_IP_LENGTH, 0, false, {{IP + 3, 0}}},
	{"total length 19", UDP, REASON_DROP_IP_LENGTH, 0, false, {{IP + 3, 19}}},
	{"total length one over", UDP, REASON_DROP_IP_LENGTH, 0, false, {{IP + 3, 33}}},
	{"total length 65535", UDP, REASON_DROP_IP_LENGTH, 0, false, {{IP + 2, 0xff}, {IP + 3, 0xff}}},
	{"checksum, one bit", UDP, REASON_DROP_IP_CSUM, 0, true, {{IP + 10, 0x3d}}},
	{"checksum 0", UDP, REASON_DROP_IP_CSUM, 0, true, {{IP + 10, 0}, {IP + 11, 0}}},
	{"checksum ffff", UDP, REASON_DROP_IP_CSUM, 0, true, {{IP + 10, 0xff}, {IP + 11, 0xff}}},

	{"from 0.0.0.0", UDP, REASON_DROP_IP_SOURCE, 0, false, {SOURCE(0, 0, 0, 0)}},
	{"from 0.255.255.255", UDP, REASON_DROP_IP_SOURCE, 0, false, {SOURCE(0, 255, 255, 255)}},
	{"from 1.0.0.0", UDP, REASON_FORWARD_OUT, 0, false, {SOURCE(1, 0, 0, 0)}},
	{"from 127.0.0.1", UDP, REASON_DROP_IP_SOURCE, 0, false, {SOURCE(127, 0, 0, 1)}},
	{"from 223.255.255.255", UDP, REASON_FORWARD_OUT, 0, false, {SOURCE(223, 255, 255, 255)}},
	{"from 224.0.0.1", UDP, REASON_DROP_IP_SOURCE, 0, false, {SOURCE(224, 0, 0, 1)}},
	{"from 240.0.0.1", UDP, REASON_DROP_IP_SOURCE, 0, false, {SOURCE(240, 0, 0, 1)}},
	{"from 255.255.255.255", UDP, REASON_DROP_IP_SOURCE, 0, false, {SOURCE(255, 255, 255, 255)}},

	{"UDP of 0", UDP, REASON_DROP_L4_SHORT, 0, false, {{IP + 3, 20}}},
	{"UDP of 7", UDP, REASON_DROP_L4_SHORT, 0, false, {{IP + 3, 27}}},
	{"UDP length 0", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 0}}},
	{"UDP length 1", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 1}}},
	{"UDP length 2", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 2}}},
	{"UDP length 3", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 3}}},
	{"UDP length 4", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 4}}},
	{"UDP length 5", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 5}}},
	{"UDP length 6", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 6}}},
	{"UDP length 7", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 7}}},
	{"UDP length 8 of 12", UDP, REASON_FORWARD_OUT, 0, false, {{L4 + 5, 8}}},
	{"UDP length 13 of 12", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 5, 13}}},
	{"UDP length 13 of 12, padded", UDP, REASON_DROP_UDP_LENGTH, 60, false, {{L4 + 5, 13}}},
	{"UDP length 65535", UDP, REASON_DROP_UDP_LENGTH, 0, false, {{L4 + 4, 255}, {L4 + 5, 255}}},

	{"TCP of 0", TCP, REASON_DROP_L4_SHORT, 0, false, {{IP + 3, 20}}},
	{"TCP of 19", TCP, REASON_DROP_L4_SHORT, 0, false, {{IP + 3, 39}}},
	{"TCP header of 0", TCP, REASON_DROP_TCP_OFFSET, 0, false, {{L4 + 12, 0x00}}},
	{"TCP header of 16", TCP, REASON_DROP_TCP_OFFSET, 0, false, {{L4 + 12, 0x40}}},
	{"TCP header of 20 of 24", TCP, REASON_FORWARD_OUT, 0, false, {{L4 + 12, 0x50}}},
	{"TCP header of 28 of 24", TCP, REASON_DROP_TCP_OFFSET, 0, false, {{L4 + 12, 0x70}}},
	{"TCP header of 28 of 24, padded", TCP, REASON_DROP_TCP_OFFSET, 80, false, {{L4 + 12, 0x70}}},
	{"TCP header of 60", TCP, REASON_DROP_TCP_OFFSET, 0, false, {{L4 + 12, 0xf0}}},

	{"ICMP of 0", ICMP, REASON_DROP_L4_SHORT, 0, false, {{IP + 3, 20}}},
	{"ICMP of 7", ICMP, REASON_DROP_L4_SHORT, 0, false, {{IP + 3, 27}}},
	{"ICMP of 8", ICMP, REASON_FORWARD_OUT, 0, false, {{IP + 3, 28}}},
	{"echo reply from the LAN", ICMP, REASON_DROP_ICMP_TYPE, 0, false, {{L4, 0}}},
	{"unreachable that quotes nothing", ICMP, REASON_DROP_ICMP_CSUM, 0, false, {{L4, 3}}},

	{"first fragment", UDP, REASON_FORWARD_OUT, 0, false, {{IP + 6, 0x20}}},
	{"middle fragment before the first", UDP, REASON_SLOW_FRAGMENT, 0, false, {{IP + 6, 0x20}, {IP + 7, 1}}},
	{"last fragment before the first", TCP, REASON_SLOW_FRAGMENT, 0, false, {{IP + 6, 0x1f}, {IP + 7, 0xff}}},
	{"a fragment needs no header behind", UDP, REASON_SLOW_FRAGMENT, 0, false, {{IP + 3, 20}, {IP + 7, 9}}},
	{"GRE", UDP, REASON_DROP_PROTOCOL, 0, false, {{IP + 9, 47}}},
	{"protocol 0", UDP, REASON_DROP_PROTOCOL, 0, false, {{IP + 9, 0}}},
	{"UDP-Lite", UDP, REASON_FORWARD_OUT, 0, false, {{IP + 9, 136}}},

	{"ARP", UDP, REASON_KERNEL_TYPE, 0, false, {{13, 0x06}}},
	{"IPv6", UDP, REASON_KERNEL_TYPE, 0, false, {{12, 0x86}, {13, 0xdd}}},
	{"a length for a type", UDP, REASON_KERNEL_TYPE, 0, false, {{12, 0x00}, {13, 0x20}}},
	{"another station", UDP, REASON_KERNEL_MAC, 0, false, {{5, 0x02}}},
	{"to the router", UDP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 192, 168, 1, 1)}},
	{"to its WAN address", ICMP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 203, 0, 113, 2)}},
	{"to a LAN host", TCP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 192, 168, 1, 77)}},
	{"to the LAN's broadcast", UDP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 192, 168, 1, 255)}},
	{"to 224.0.0.251", UDP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 224, 0, 0, 251)}},
	{"to 255.255.255.255", UDP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 255, 255, 255, 255)}},
	{"to 0.0.0.0", UDP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 0, 0, 0, 0)}},
	{"to 127.0.0.1", TCP, REASON_KERNEL_ROUTE, 0, false, {ADDRESS(IP + 16, 127, 0, 0, 1)}},
	{"TTL 1", UDP, REASON_KERNEL_TTL, 0, false, {{IP + 8, 1}}},
	{"TTL 0", TCP, REASON_KERNEL_TTL, 0, false, {{IP + 8, 0}}},
};

static u32 case_frame(const struct wire_case *c, u8 *frame)
{
	static const struct {
		const u8 *bytes;
		u32 length;
	} bases[] = {[UDP] = {udp_out, sizeof(udp_out)},
		     [TCP] = {tcp_out, sizeof(tcp_out)},
		     [ICMP] = {icmp_out, sizeof(icmp_out)}};
	u32 length = bases[c->base].length;

	memset(frame, 0, FRAME_MAX);
	memcpy(frame, bases[c->base].bytes, length);
	for (u32 i = 0; i < 6; i++)
		if (c->patches[i].at)
			frame[c->patches[i].at] = c->patches[i].value;
	if (!c->csum_wrong)
		ip_csum_fix(frame + IP);
	return c->length ? c->length : length;
}

/* Runs a frame through a router without flows. Not forwarded: untouched, and without a flow. */
static void frame_is(const u8 *frame, u32 length, u32 ifindex, enum reason want)
{
	static struct fixture f;

	fixture_init(&f, 0, 0);
	fixture_start(&f, 16);
	CHECK_EQ(fixture_run(&f, ifindex, frame, length), want);
	if (reason_verdict(want) != VERDICT_FORWARD) {
		CHECK_EQ(fixture_halves(&f), 0);
		CHECK_EQ(f.frame.length, length);
		CHECK(f.frame.data == f.memory + ENGINE_HEADROOM);
		CHECK_MEM(f.frame.data, frame, length);
	} else {
		CHECK_EQ(fixture_halves(&f), 2);
		CHECK_EQ(f.frame.length, length);
	}
	CHECK_EQ(engine_counters(f.engine)[want].packets, 1);
	CHECK_EQ(engine_counters(f.engine)[want].bytes, length);
	engine_free(f.engine);
}

/* The same under a tag of VLAN 0, which is this port's as well. */
static u32 tag_insert(u8 *frame, u32 length)
{
	memmove(frame + 16, frame + 12, length > 12 ? length - 12 : 0);
	frame[12] = 0x81;
	frame[13] = 0;
	frame[14] = 0x60;
	frame[15] = 0;
	return length + 4;
}

static void cases_run(void)
{
	static u8 frame[FRAME_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct wire_case *c = &cases[i];
		u32 length = case_frame(c, frame);

		check_context("%s", c->name);
		frame_is(frame, length, LAN, c->reason);
		if (reason_verdict(c->reason) == VERDICT_FORWARD || length < 14)
			continue;
		length = tag_insert(frame, length);
		check_context("%s, tagged", c->name);
		frame_is(frame, length, LAN, c->reason);
	}
}

static void tags(void)
{
	u8 frame[FRAME_MAX];
	u32 length;

	memcpy(frame, udp_out, sizeof(udp_out));
	length = tag_insert(frame, sizeof(udp_out));
	for (u32 cut = 14; cut < 18; cut++) {
		check_context("tag cut at %u", cut);
		frame_is(frame, cut, LAN, REASON_DROP_ETH_SHORT);
	}
	check_context("VLAN of nobody");
	frame[15] = 9;
	frame_is(frame, length, LAN, REASON_KERNEL_PORT);
	frame[15] = 0;
	check_context("two tags");
	length = tag_insert(frame, length);
	frame_is(frame, length, LAN, REASON_KERNEL_TYPE);
	check_context("interface of nobody");
	frame_is(udp_out, sizeof(udp_out), 9, REASON_KERNEL_PORT);
}

/* Headers of every length, with options that count in the checksum; and one bit wrong in the last option. */
static void options(void)
{
	for (u32 words = 1; words <= 10; words++) {
		u8 frame[FRAME_MAX];
		u32 length = sizeof(udp_out) + words * 4;

		memcpy(frame, udp_out, L4);
		for (u32 i = 0; i < words * 4; i++)
			frame[L4 + i] = (u8)(i * 37 + 1);
		memcpy(frame + L4 + words * 4, udp_out + L4, sizeof(udp_out) - L4);
		frame[IP] = (u8)(0x45 + words);
		frame[IP + 3] = (u8)(32 + words * 4);
		ip_csum_fix(frame + IP);
		check_context("%u words of options", words);
		frame_is(frame, length, LAN, REASON_FORWARD_OUT);
		frame[L4 + words * 4 - 1] ^= 0x80;
		frame_is(frame, length, LAN, REASON_DROP_IP_CSUM);
		ip_csum_fix(frame + IP);
		frame[IP + 3] = (u8)(20 + words * 4 - 1); /* the packet ends within its header */
		frame_is(frame, length, LAN, REASON_DROP_IP_LENGTH);
	}
}

/* Each prefix of a good frame, and each of its bits flipped: whatever the reason, what is not sent is not changed. */
static void every_cut_and_bit(void)
{
	static struct fixture f;
	u8 frame[sizeof(tcp_out)];
	u32 changed = 0, flows = 0;

	check_context("every bit");
	for (u32 cut = 1; cut < sizeof(tcp_out); cut++) {
		fixture_init(&f, 0, 0);
		fixture_start(&f, 4);
		fixture_run(&f, LAN, tcp_out, cut);
		flows += fixture_halves(&f);
		changed += memcmp(f.frame.data, tcp_out, cut) != 0;
		engine_free(f.engine);
	}
	for (u32 bit = 0; bit < 8 * sizeof(tcp_out); bit++) {
		fixture_init(&f, 0, 0);
		fixture_start(&f, 4);
		memcpy(frame, tcp_out, sizeof(frame));
		frame[bit / 8] ^= (u8)(1u << bit % 8);
		if (reason_verdict(fixture_run(&f, LAN, frame, sizeof(frame))) != VERDICT_FORWARD) {
			flows += fixture_halves(&f);
			changed += memcmp(f.frame.data, frame, sizeof(frame)) != 0;
		}
		engine_free(f.engine);
	}
	CHECK_EQ(changed, 0);
	CHECK_EQ(flows, 0);
}

int main(void)
{
	cases_run();
	tags();
	options();
	every_cut_and_bit();
	return check_summary("wire");
}
