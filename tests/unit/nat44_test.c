/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nat44_test.c - what leaves: addresses, ports, checksums, TTL, Ethernet and VLAN tags, to the byte */
#include "fixture.h"

#include <stdlib.h>

static const u8 gateway_mac[6] = {0x02, 0x00, 203, 0, 113, 1}, wan_mac[6] = {2, 0, 0, 0, 0, 2};
static const u8 host_mac[6] = {0x02, 0x00, 192, 168, 1, 10}, lan_mac[6] = {2, 0, 0, 0, 0, 1};

/* What udp_out and udp_in become; worked out by hand with the checksum of RFC 1071. */
static const u8 udp_out_sent[32] = {
	0x45, 0x00, 0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x3f, 0x11, 0xc3, 0x59, 0xcb, 0x00, 0x71, 0x02,
	0xc6, 0x33, 0x64, 0x09, 0x1b, 0x58, 0x00, 0x35, 0x00, 0x0c, 0x9f, 0x38, 0x70, 0x69, 0x6e, 0x67,
};
static const u8 udp_in_sent[32] = {
	0x45, 0x00, 0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x3f, 0x11, 0x3d, 0xaa, 0xc6, 0x33, 0x64, 0x09,
	0xc0, 0xa8, 0x01, 0x0a, 0x00, 0x35, 0x1b, 0x58, 0x00, 0x0c, 0x19, 0x83, 0x70, 0x6f, 0x6e, 0x67,
};
static const u8 tcp_out_sent[44] = {
	0x45, 0x00, 0x00, 0x2c, 0x12, 0x34, 0x40, 0x00, 0x3f, 0x06, 0xc3, 0x58, 0xcb, 0x00, 0x71,
	0x02, 0xc6, 0x33, 0x64, 0x09, 0x9c, 0x40, 0x00, 0x50, 0x00, 0x00, 0x03, 0xe8, 0x00, 0x00,
	0x00, 0x00, 0x60, 0x02, 0xff, 0xff, 0x91, 0x6e, 0x00, 0x00, 0x02, 0x04, 0x05, 0xb4,
};
static const u8 icmp_out_sent[32] = {
	0x45, 0x00, 0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x3f, 0x01, 0xc3, 0x69, 0xcb, 0x00, 0x71, 0x02,
	0xc6, 0x33, 0x64, 0x09, 0x08, 0x00, 0x06, 0xc7, 0x12, 0x67, 0x00, 0x01, 0x70, 0x69, 0x6e, 0x67,
};

/* The frame that left: stations, tag (tci 0: none), and the IPv4 packet. */
static void left_is(const struct fixture *f, const u8 *dst, const u8 *src, u16 tci, const u8 *packet, u32 length)
{
	const u8 *d = f->frame.data;
	u32 at = tci ? 18 : 14;
	u8 tag[4] = {0x81, 0x00, (u8)(tci >> 8), (u8)tci};

	CHECK_MEM(d, dst, 6);
	CHECK_MEM(d + 6, src, 6);
	if (tci)
		CHECK_MEM(d + 12, tag, 4);
	CHECK_EQ(d[at - 2] << 8 | d[at - 1], 0x0800);
	CHECK_EQ(f->frame.length, at + length);
	CHECK_MEM(d + at, packet, length);
}

/* `frame` with a tag. */
static u32 tagged(u8 *to, const u8 *frame, u32 length, u16 tci)
{
	memcpy(to, frame, 12);
	memcpy(to + 12, (u8[4]){0x81, 0x00, (u8)(tci >> 8), (u8)tci}, 4);
	memcpy(to + 16, frame + 12, length - 12);
	return length + 4;
}

static void plain(void)
{
	static struct fixture f;

	check_context("untagged");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	CHECK_EQ(fixture_run(&f, LAN, udp_out, sizeof(udp_out)), REASON_FORWARD_OUT);
	left_is(&f, gateway_mac, wan_mac, 0, udp_out_sent, sizeof(udp_out_sent));
	CHECK_EQ(f.frame.hop.port, 1);
	CHECK_EQ(f.frame.hop.ifindex, WAN);
	CHECK_EQ(fixture_run(&f, WAN, udp_in, sizeof(udp_in)), REASON_FORWARD_IN);
	left_is(&f, host_mac, lan_mac, 0, udp_in_sent, sizeof(udp_in_sent));
	CHECK_EQ(f.frame.hop.port, 0);
	CHECK_EQ(fixture_run(&f, LAN, tcp_out, sizeof(tcp_out)), REASON_FORWARD_OUT);
	left_is(&f, gateway_mac, wan_mac, 0, tcp_out_sent, sizeof(tcp_out_sent));
	CHECK_EQ(fixture_run(&f, LAN, icmp_out, sizeof(icmp_out)), REASON_FORWARD_OUT);
	left_is(&f, gateway_mac, wan_mac, 0, icmp_out_sent, sizeof(icmp_out_sent));
	CHECK_EQ(fixture_halves(&f), 6);
	engine_free(f.engine);
}

/* Each pair of VLANs (0: untagged), with priorities, which stay where a tag stays. */
static void vlans(void)
{
	static const u16 vids[] = {0, 1, 7, 4094};
	static struct fixture f;
	u8 frame[64];

	for (u32 i = 0; i < 16; i++) {
		u16 lan = vids[i / 4], wan = vids[i % 4];
		u16 priority = (u16)(i * 0x3000 & 0xf000);
		u32 length;

		check_context("VLAN %u to %u", lan, wan);
		fixture_init(&f, lan, wan);
		fixture_start(&f, 64);
		length = tagged(frame, udp_out, sizeof(udp_out), priority | lan);
		CHECK_EQ(fixture_run(&f, LAN, frame, length), REASON_FORWARD_OUT);
		left_is(&f, gateway_mac, wan_mac, wan ? (u16)(priority | wan) : 0, udp_out_sent, sizeof(udp_out_sent));
		length = tagged(frame, udp_in, sizeof(udp_in), priority | wan);
		CHECK_EQ(fixture_run(&f, WAN, frame, length), REASON_FORWARD_IN);
		left_is(&f, host_mac, lan_mac, lan ? (u16)(priority | lan) : 0, udp_in_sent, sizeof(udp_in_sent));
		if (lan)
			CHECK_EQ(fixture_run(&f, LAN, udp_out, sizeof(udp_out)), REASON_KERNEL_PORT);
		else
			CHECK_EQ(fixture_run(&f, LAN, udp_out, sizeof(udp_out)), REASON_FORWARD_OUT);
		if (!lan)
			left_is(&f, gateway_mac, wan_mac, wan, udp_out_sent, sizeof(udp_out_sent));
		engine_free(f.engine);
	}
}

/* RFC 768: no checksum stays none; zero is sent as ffff. All 65,536 checksums go through, as the data makes them. */
static void udp_checksums(void)
{
	static struct fixture f;
	u8 frame[sizeof(udp_out)];
	u32 wrong = 0, zero = 0, ones = 0;

	check_context("UDP checksums");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	memcpy(frame, udp_out, sizeof(frame));
	memset(frame + 40, 0, 2);
	CHECK_EQ(fixture_run(&f, LAN, frame, sizeof(frame)), REASON_FORWARD_OUT);
	CHECK_EQ(f.frame.data[40] << 8 | f.frame.data[41], 0);
	for (u32 word = 0; word < 65536; word++) {
		u16 sum;

		frame[42] = (u8)(word >> 8);
		frame[43] = (u8)word;
		memset(frame + 40, 0, 2);
		sum = slow_csum((u16)~slow_csum(17 + 12, frame + 26, 8), frame + 34, 12);
		sum = sum ? sum : 0xffff;
		frame[40] = (u8)(sum >> 8);
		frame[41] = (u8)sum;
		fixture_run(&f, LAN, frame, sizeof(frame));
		sum = (u16)(f.frame.data[40] << 8 | f.frame.data[41]);
		wrong += checksums_wrong(f.frame.data + 14) != NULL;
		zero += sum == 0;
		ones += sum == 0xffff;
	}
	CHECK_EQ(wrong, 0);
	CHECK_EQ(zero, 0);
	CHECK_EQ(ones, 1);
	engine_free(f.engine);
}

/* A checksum that was wrong on arrival is as wrong when it leaves: nothing is papered over. */
static void wrong_stays_wrong(void)
{
	static const u8 at[] = {40, 50, 36};
	static const u8 *const bases[] = {udp_out, tcp_out, icmp_out};
	static const u32 lengths[] = {sizeof(udp_out), sizeof(tcp_out), sizeof(icmp_out)};
	static struct fixture f;
	u8 frame[64];

	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	for (u32 i = 0; i < 3; i++) {
		check_context("wrong checksum, packet %u", i);
		memcpy(frame, bases[i], lengths[i]);
		frame[at[i]] ^= 0x01;
		CHECK_EQ(fixture_run(&f, LAN, frame, lengths[i]), REASON_FORWARD_OUT);
		CHECK(checksums_wrong(f.frame.data + 14) != NULL);
	}
	engine_free(f.engine);
}

static void ttl(void)
{
	static struct fixture f;
	u8 frame[sizeof(udp_out)];

	fixture_init(&f, 0, 0);
	fixture_start(&f, 64);
	fixture_run(&f, LAN, udp_out, sizeof(udp_out));
	for (u32 value = 0; value < 256; value++) {
		check_context("TTL %u", value);
		memcpy(frame, udp_out, sizeof(frame));
		frame[22] = (u8)value;
		ip_csum_fix(frame + 14);
		CHECK_EQ(fixture_run(&f, LAN, frame, sizeof(frame)),
			 value > 1 ? REASON_FORWARD_OUT : REASON_KERNEL_TTL);
		CHECK_EQ(f.frame.data[22], value > 1 ? value - 1 : value);
		CHECK(!checksums_wrong(f.frame.data + 14));
		memcpy(frame, udp_in, sizeof(frame));
		frame[22] = (u8)value;
		ip_csum_fix(frame + 14);
		CHECK_EQ(fixture_run(&f, WAN, frame, sizeof(frame)), value > 1 ? REASON_FORWARD_IN : REASON_SLOW_TTL);
		CHECK_EQ(f.frame.data[22], value > 1 ? value - 1 : value);
		CHECK(!checksums_wrong(f.frame.data + 14));
	}
	engine_free(f.engine);
}

/* Random addresses, ports, identifiers and types of service: every checksum that leaves is right. */
static void random_headers(void)
{
	static struct fixture f;
	u32 wrong = 0, sent = 0;

	check_context("random headers");
	fixture_init(&f, 0, 0);
	fixture_start(&f, 32768);
	srand(3);
	for (u32 round = 0; round < 20000; round++) {
		u8 frame[sizeof(tcp_out)];
		u16 sum;

		memcpy(frame, tcp_out, sizeof(frame));
		for (u32 i = 0; i < 4; i++)
			frame[18 + i % 2] = (u8)rand(), frame[28 + i % 2] = (u8)rand(), frame[34 + i] = (u8)rand();
		frame[15] = (u8)rand();
		frame[33] = (u8)rand();
		frame[38] = (u8)rand();
		ip_csum_fix(frame + 14);
		memset(frame + 50, 0, 2);
		sum = slow_csum((u16)~slow_csum(6 + 24, frame + 26, 8), frame + 34, 24);
		frame[50] = (u8)(sum >> 8);
		frame[51] = (u8)sum;
		if (fixture_run(&f, LAN, frame, sizeof(frame)) != REASON_FORWARD_OUT)
			continue;
		sent++;
		wrong += checksums_wrong(f.frame.data + 14) != NULL;
	}
	CHECK_EQ(wrong, 0);
	CHECK(sent > 19000);
	engine_free(f.engine);
}

/* A SYN either way over a WAN of less than the LAN's MTU (openwrt#12112, vyos PR#1557): what fits, and never more. */
static void mss(void)
{
	static const struct {
		u16 mtu, announced, want;
	} rows[] = {{1460, 1460, 1420}, {1492, 1460, 1452}, {1460, 1420, 1420}, {1460, 536, 536},
		    {1500, 1460, 1460}, {9000, 1460, 1460}, {1500, 8960, 1460}};
	static struct fixture f;
	u8 ip[PACKET_MAX], frame[FRAME_MAX];

	for (u32 i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
		bool out = i % 2 == 0;
		struct packet p = {.proto = PROTO_TCP, .mss = rows[i / 2].announced};

		check_context("MSS %u over %u, %s", p.mss, rows[i / 2].mtu, out ? "out" : "in");
		fixture_init(&f, 0, 0);
		f.config.port[1].mtu = rows[i / 2].mtu;
		fixture_start(&f, 64);
		CHECK_EQ(fixture_run(&f, LAN, tcp_out, sizeof(tcp_out)), REASON_FORWARD_OUT);
		p.src = out ? address(192, 168, 1, 10) : address(198, 51, 100, 9);
		p.dst = out ? address(198, 51, 100, 9) : address(203, 0, 113, 2);
		p.sport = out ? 40000 : 80;
		p.dport = out ? 80 : 40000;
		p.flags = out ? TCP_SYN : TCP_SYN | TCP_ACK;
		packet_make(ip, &p);
		memcpy(frame, out ? udp_out : udp_in, 14);
		memcpy(frame + 14, ip, ip_length(ip));
		CHECK_EQ(fixture_run(&f, out ? LAN : WAN, frame, 14 + ip_length(ip)),
			 out ? REASON_FORWARD_OUT : REASON_FORWARD_IN);
		CHECK_EQ(get16(f.frame.data + 14 + 42), rows[i / 2].want);
		CHECK(!checksums_wrong(f.frame.data + 14));
		engine_free(f.engine);
	}
}

int main(void)
{
	plain();
	mss();
	vlans();
	udp_checksums();
	wrong_stays_wrong();
	ttl();
	random_headers();
	return check_summary("nat44");
}
