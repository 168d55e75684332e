/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csum_test.c - the Internet checksum: worked examples of the RFCs, and against one that is computed whole */
#include "fixture.h"

#include <stdlib.h>

#include "dp/csum.h"

/* A 16-bit word as it is read from memory, and back. */
static u16 raw(u16 value)
{
	return (PORTICO_FORCE u16)be16_of(value);
}

static u16 value_of(u16 raw_word)
{
	return host16((PORTICO_FORCE be16)raw_word);
}

static u16 be(const u8 *at)
{
	return (u16)(at[0] << 8 | at[1]);
}

/* RFC 1071, section 3: 00 01 f2 03 f4 f5 f6 f7 sum to ddf2. */
static void rfc1071_example(void)
{
	static const u8 data[] __attribute__((aligned(2))) = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
	u16 sum = csum_fold(csum_words(data, sizeof(data) / 2));

	check_context("RFC 1071, 3");
	CHECK_EQ(value_of(sum), 0xddf2);
	CHECK_EQ(slow_csum(0, data, sizeof(data)), 0xffff & ~0xddf2);
}

/* RFC 1624, section 4: HC = dd2f, m = 5555, m' = 3285; HC' is 0000, which equation 2 of RFC 1141 gets wrong. */
static void rfc1624_example(void)
{
	u16 csum = raw(0xdd2f), delta = csum_fold(csum_diff16(be16_of(0x5555), be16_of(0x3285)));

	check_context("RFC 1624, 4");
	CHECK_EQ(value_of(csum_apply(csum, delta)), 0x0000);
}

static void fold_edges(void)
{
	static const struct {
		u32 sum;
		u16 folded;
	} cases[] = {
		{0, 0},
		{0xffff, 0xffff},
		{0x10000, 1},
		{0x1ffff, 1},
		{0xffff0000, 0xffff},
		{0xffffffff, 0xffff},
		{0xfffeffff, 0xfffe},
		{0x0001fffe, 0xffff},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check_context("fold %x", cases[i].sum);
		CHECK_EQ(csum_fold(cases[i].sum), cases[i].folded);
	}
}

/* The TTL's share is the same for each value and each protocol beside it. */
static void ttl_every(void)
{
	u8 word[20] = {0x45, 0, 0, 20};

	for (u32 ttl = 1; ttl < 256; ttl++) {
		for (u32 proto = 0; proto < 256; proto += 17) {
			u16 csum;

			word[8] = (u8)ttl;
			word[9] = (u8)proto;
			ip_csum_fix(word);
			csum = csum_apply(raw(be(word + 10)), csum_fold(csum_diff_ttl()));
			word[8]--;
			ip_csum_fix(word);
			check_context("TTL %u, protocol %u", ttl, proto);
			CHECK_EQ(value_of(csum), be(word + 10));
		}
	}
}

/* Every 16-bit change of some words: 65,536 values each, against the whole sum over a header. */
static void change_every(void)
{
	static const u16 from[] = {0x0000, 0x0001, 0x5555, 0x8000, 0xfffe, 0xffff};
	unsigned long wrong = 0;

	for (size_t i = 0; i < sizeof(from) / sizeof(*from); i++) {
		for (u32 to = 0; to < 65536; to++) {
			u8 ip[20] = {0x45, 0, 0, 20, (u8)(from[i] >> 8), (u8)from[i], 0, 0, 64, 17};
			u16 delta = csum_fold(csum_diff16(be16_of(from[i]), be16_of((u16)to)));
			u16 got;

			ip_csum_fix(ip);
			got = csum_apply(raw(be(ip + 10)), delta);
			ip[4] = (u8)(to >> 8);
			ip[5] = (u8)to;
			ip_csum_fix(ip);
			wrong += value_of(got) != be(ip + 10);
		}
	}
	check_context("one word");
	CHECK_EQ(wrong, 0);
}

/* Random headers, address and port changed at once, as a flow does it. */
static void change_random(void)
{
	unsigned long wrong = 0;

	srand(1);
	for (u32 round = 0; round < 200000; round++) {
		u8 data[32] __attribute__((aligned(4)));
		u32 to = (u32)rand() << 16 ^ (u32)rand(), from;
		u16 port = (u16)rand(), old, sum, delta;

		for (u32 i = 0; i < sizeof(data); i++)
			data[i] = rand() % 4 ? (u8)rand() : rand() % 2 ? 0xff : 0;
		data[0] = 0x40; /* a sum over nothing but zeros is another matter, and no header */
		sum = slow_csum(0, data, sizeof(data));
		memcpy(&from, data + 12, 4);
		memcpy(&old, data + 20, 2);
		delta = csum_fold(csum_diff32((PORTICO_FORCE be32)from, (PORTICO_FORCE be32)to) +
				  csum_diff16((PORTICO_FORCE be16)old, (PORTICO_FORCE be16)port));
		memcpy(data + 12, &to, 4);
		memcpy(data + 20, &port, 2);
		wrong += value_of(csum_apply(raw(sum), delta)) != slow_csum(0, data, sizeof(data));
	}
	check_context("random headers");
	CHECK_EQ(wrong, 0);
}

int main(void)
{
	rfc1071_example();
	rfc1624_example();
	fold_edges();
	ttl_every();
	change_every();
	change_random();
	return check_summary("csum");
}
