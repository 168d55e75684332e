/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crc32c_test.c - SCTP's checksum after a change of ports, against one computed over the whole packet, bit by bit */
#include "../check.h"

#include <stdlib.h>

#include "dp/crc32c.h"
#include "dp/wire.h"

#define PACKET_MAX 65535

/* RFC 9260, appendix A, without its table: the register holds the polynomial reflected. */
static u32 slow_crc32c(const u8 *data, u32 n)
{
	u32 crc = ~0u;

	for (u32 i = 0; i < 8 * n; i++) {
		u32 bit = data[i / 8] >> i % 8 & 1;

		crc = (crc & 1) != bit ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

/* Puts the checksum into an SCTP packet: computed with zeros in its place, least significant byte first. */
static void sctp_fix(u8 *packet, u32 n)
{
	u32 crc;

	memset(packet + 8, 0, 4);
	crc = slow_crc32c(packet, n);
	for (u32 i = 0; i < 4; i++)
		packet[8 + i] = (u8)(crc >> 8 * i);
}

/* RFC 7143, A.4 (RFC 3720, B.4): its bytes from the left are ours from the lowest. */
static void model_is_right(void)
{
	static const u8 read_pdu[48] = {
		[0] = 0x01, [1] = 0xc0, [16] = 0x14, [22] = 0x04, [27] = 0x14, [31] = 0x18, [32] = 0x28, [40] = 0x02};
	u8 data[32];

	check_context("RFC 7143, A.4");
	memset(data, 0, sizeof(data));
	CHECK_EQ(slow_crc32c(data, sizeof(data)), 0x8a9136aa);
	memset(data, 0xff, sizeof(data));
	CHECK_EQ(slow_crc32c(data, sizeof(data)), 0x62a8ab43);
	for (u32 i = 0; i < sizeof(data); i++)
		data[i] = (u8)i;
	CHECK_EQ(slow_crc32c(data, sizeof(data)), 0x46dd794e);
	for (u32 i = 0; i < sizeof(data); i++)
		data[i] = (u8)(31 - i);
	CHECK_EQ(slow_crc32c(data, sizeof(data)), 0x113fdb5c);
	CHECK_EQ(slow_crc32c(read_pdu, sizeof(read_pdu)), 0xd9963a56);
	CHECK_EQ(slow_crc32c((const u8 *)"123456789", 9), 0xe3069283);
}

/* Constant i is x^(8 * 2^i): the square of the one before, and the first moves the highest byte's place by one. */
static void constants(void)
{
	for (u32 bit = 0; bit < 16; bit++) {
		u32 one = crc32c_shift(0x80000000, 1u << bit);

		check_context("x^(8 * 2^%u)", bit);
		if (!bit)
			CHECK_EQ(one, 0x80000000u >> 8);
		else
			CHECK_EQ(one, crc32c_shift(crc32c_shift(0x80000000, 1u << (bit - 1)), 1u << (bit - 1)));
	}
}

/* Changes the ports of a sound packet of n bytes; the checksum that follows is that of the whole. */
static bool change_right(u8 *packet, u32 n, const u8 ports[4])
{
	struct sctp_hdr *sctp = (struct sctp_hdr *)(void *)packet;
	be32 from, to;
	u32 crc;

	sctp_fix(packet, n);
	memcpy(&from, packet, sizeof(from));
	memcpy(&to, ports, sizeof(to));
	crc = crc32c_word_changed(sctp->crc, from, to, n);
	memcpy(packet, ports, sizeof(to));
	sctp_fix(packet, n);
	return sctp->crc == crc;
}

static void random_bytes(u8 *data, u32 n)
{
	for (u32 i = 0; i < n; i++)
		data[i] = (u8)rand();
}

static void lengths(void)
{
	static u8 packet[PACKET_MAX + 1] __attribute__((aligned(4)));
	static const u32 others[] = {2047, 2048, 4095, 4096, 8191, 8192, 16383, 16384, 32767, 32768, 65515, 65535};
	u8 ports[4];

	srand(3);
	for (u32 n = sizeof(struct sctp_hdr); n <= 1500; n++) {
		random_bytes(packet, n);
		random_bytes(ports, sizeof(ports));
		check_context("%u bytes", n);
		CHECK(change_right(packet, n, ports));
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		random_bytes(packet, others[i]);
		random_bytes(ports, sizeof(ports));
		check_context("%u bytes", others[i]);
		CHECK(change_right(packet, others[i], ports));
	}
}

/* One bit of the ports at a time; and nothing. */
static void bits(void)
{
	u8 packet[52] __attribute__((aligned(4))), ports[4];

	srand(4);
	random_bytes(packet, sizeof(packet));
	for (u32 bit = 0; bit < 32; bit++) {
		memcpy(ports, packet, sizeof(ports));
		ports[bit / 8] ^= (u8)(1u << bit % 8);
		check_context("bit %u", bit);
		CHECK(change_right(packet, sizeof(packet), ports));
	}
	memcpy(ports, packet, sizeof(ports));
	check_context("no change");
	CHECK(change_right(packet, sizeof(packet), ports));
}

/* Contents at random, extremes among them. */
static void contents(void)
{
	unsigned long wrong = 0;

	srand(5);
	for (u32 round = 0; round < 20000; round++) {
		u8 packet[64] __attribute__((aligned(4))), ports[4];
		u32 n = 12 + (u32)rand() % 53;

		for (u32 i = 0; i < n; i++)
			packet[i] = rand() % 4 ? (u8)rand() : rand() % 2 ? 0xff : 0;
		for (u32 i = 0; i < sizeof(ports); i++)
			ports[i] = rand() % 4 ? (u8)rand() : rand() % 2 ? 0xff : 0;
		wrong += !change_right(packet, n, ports);
	}
	check_context("random packets");
	CHECK_EQ(wrong, 0);
}

int main(void)
{
	model_is_right();
	constants();
	lengths();
	bits();
	contents();
	return check_summary("crc32c");
}
