/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mss_test.c - clamping the MSS: option lists as systems send them, broken ones, and random ones against a model
 *
 * A case is the options of a TCP header. Each runs behind headers of several lengths; the checksum is computed whole
 * before, and must be right, computed whole, behind.
 */
#include "fixture.h"

#include <stdlib.h>

#include "dp/mss.h"

#define L4_MAX 126 /* Ethernet with a tag, IPv6 with an option, IPv4 with all of its */
#define TCP 20	   /* bytes of the header without options */
#define OPTIONS_MAX 40
#define PAYLOAD_MAX 16
#define SEGMENT_MAX (TCP + OPTIONS_MAX + PAYLOAD_MAX)

struct mss_case {
	const char *name;
	u16 mss;  /* the largest allowed */
	u16 want; /* what the option says then; 0: nothing is changed */
	u8 at;	  /* offset of the option's value */
	u8 n;	  /* bytes of options */
	u8 options[OPTIONS_MAX];
};

#define TIMESTAMP 8, 10, 0x3b, 0x9a, 0xca, 0x07, 0, 0, 0, 0
#define NOPS_12 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1

static const struct mss_case cases[] = {
	{"Linux", 1420, 1420, 2, 20, {2, 4, 0x05, 0xb4, 4, 2, TIMESTAMP, 1, 3, 3, 7}},
	{"Linux, SYN-ACK", 1412, 1412, 2, 20, {2, 4, 0x05, 0xb4, 4, 2, TIMESTAMP, 1, 3, 3, 10}},
	{"Linux on loopback", 1420, 1420, 2, 20, {2, 4, 0xff, 0xd7, 4, 2, TIMESTAMP, 1, 3, 3, 7}},
	{"Windows", 1420, 1420, 2, 12, {2, 4, 0x05, 0xb4, 1, 3, 3, 8, 1, 1, 4, 2}},
	{"macOS", 1420, 1420, 2, 24, {2, 4, 0x05, 0xb4, 1, 3, 3, 6, 1, 1, TIMESTAMP, 4, 2, 0, 0}},
	{"MSS only", 1420, 1420, 2, 4, {2, 4, 0x05, 0xb4}},
	{"from 65535 to 1", 1, 1, 2, 4, {2, 4, 0xff, 0xff}},
	{"to 0", 0, 0, 2, 4, {2, 4, 0x00, 0x00}},
	{"only the lower byte", 1459, 1459, 2, 4, {2, 4, 0x05, 0xb4}},
	{"only the upper byte", 0x04b4, 0x04b4, 2, 4, {2, 4, 0x05, 0xb4}},

	{"equal", 1460, 0, 0, 4, {2, 4, 0x05, 0xb4}},
	{"smaller: never raised", 1461, 0, 0, 4, {2, 4, 0x05, 0xb4}},
	{"536", 1420, 0, 0, 4, {2, 4, 0x02, 0x18}},
	{"0", 1420, 0, 0, 4, {2, 4, 0, 0}},
	{"none", 1420, 0, 0, 0, {0}},
	{"no MSS among them", 1420, 0, 0, 16, {4, 2, TIMESTAMP, 1, 3, 3, 7}},

	{"after one NOP", 1420, 1420, 3, 8, {1, 2, 4, 0x05, 0xb4, 1, 1, 0}},
	{"after two", 1420, 1420, 4, 8, {1, 1, 2, 4, 0x05, 0xb4, 1, 0}},
	{"after three", 1420, 1420, 5, 8, {1, 1, 1, 2, 4, 0x05, 0xb4, 0}},
	{"after four, last", 1420, 1420, 6, 8, {1, 1, 1, 1, 2, 4, 0x05, 0xb4}},
	{"odd offset, upper byte", 0x04b4, 0x04b4, 3, 8, {1, 2, 4, 0x05, 0xb4, 1, 1, 0}},
	{"odd offset, lower byte", 1459, 1459, 3, 8, {1, 2, 4, 0x05, 0xb4, 1, 1, 0}},
	{"after an odd option", 1420, 1420, 5, 8, {3, 3, 7, 2, 4, 0x05, 0xb4, 0}},
	{"last", 1420, 1420, 18, 20, {4, 2, TIMESTAMP, 1, 3, 3, 7, 2, 4, 0x05, 0xb4}},
	{"after 36 NOPs", 1420, 1420, 38, 40, {NOPS_12, NOPS_12, NOPS_12, 2, 4, 0x05, 0xb4}},
	{"40 NOPs", 1420, 0, 0, 40, {NOPS_12, NOPS_12, NOPS_12, 1, 1, 1, 1}},
	{"after an unknown one of 36", 1420, 1420, 38, 40, {254, 36, [36] = 2, 4, 0x05, 0xb4}},
	{"after one of 2", 1420, 1420, 4, 8, {77, 2, 2, 4, 0x05, 0xb4, 0, 0}},
	{"inside another", 1420, 0, 0, 8, {254, 8, 2, 4, 0x05, 0xb4, 0, 0}},
	{"another length first", 1420, 1420, 6, 8, {2, 4 - 2, 1, 1, 2, 4, 0x05, 0xb4}},
	{"the first of two", 1420, 1420, 2, 8, {2, 4, 0x05, 0xb4, 2, 4, 0x05, 0xb4}},

	{"after EOL", 1420, 0, 0, 8, {0, 0, 0, 0, 2, 4, 0x05, 0xb4}},
	{"after a length 0", 1420, 0, 0, 8, {3, 0, 1, 1, 2, 4, 0x05, 0xb4}},
	{"after a length 1", 1420, 0, 0, 8, {3, 1, 1, 1, 2, 4, 0x05, 0xb4}},
	{"after one that runs past the header", 1420, 0, 0, 8, {3, 9, 1, 1, 2, 4, 0x05, 0xb4}},
	{"after one of 255", 1420, 0, 0, 8, {254, 255, 1, 1, 2, 4, 0x05, 0xb4}},
	{"MSS of length 0", 1420, 0, 0, 4, {2, 0, 0x05, 0xb4}},
	{"MSS of length 1", 1420, 0, 0, 4, {2, 1, 0x05, 0xb4}},
	{"MSS of length 2", 1420, 0, 0, 4, {2, 2, 0x05, 0xb4}},
	{"MSS of length 3", 1420, 0, 0, 4, {2, 3, 0x05, 0xb4}},
	{"MSS of length 5", 1420, 0, 0, 8, {2, 5, 0x05, 0xb4, 0, 0, 0, 0}},
	{"one byte missing", 1420, 0, 0, 8, {1, 1, 1, 1, 1, 2, 4, 0x05}},
	{"two bytes missing", 1420, 0, 0, 8, {1, 1, 1, 1, 1, 1, 2, 4}},
	{"three bytes missing", 1420, 0, 0, 8, {1, 1, 1, 1, 1, 1, 1, 2}},
};

static const struct dp_config config;

/* Puts a right checksum into the TCP segment of n bytes, over `pseudo` as well. */
static void tcp_fix(u32 pseudo, u8 *tcp, u32 n)
{
	u16 sum;

	tcp[16] = tcp[17] = 0;
	sum = slow_csum(pseudo, tcp, n);
	tcp[16] = (u8)(sum >> 8);
	tcp[17] = (u8)sum;
}

/* Clamps in a frame that has l4 bytes, then the segment of n, and ends there. It begins at 2 modulo 4, as all do. */
static void clamp(u8 *tcp, u32 n, u32 l4, u32 header, u32 mss)
{
	u8 *memory = malloc(2 + l4 + n), *frame = memory + 2, before[L4_MAX];

	if (!CHECK(memory))
		return;
	memset(before, 2, l4); /* looks like options */
	memcpy(frame, before, l4);
	memcpy(frame + l4, tcp, n);
	mss_clamp(&(struct pkt){.data = frame, .end = frame + l4 + n}, &config, l4, header, mss);
	CHECK_MEM(frame, before, l4);
	memcpy(tcp, frame + l4, n);
	free(memory);
}

/* A SYN with the case's options, and `payload` bytes behind that look like one more. */
static void case_run(const struct mss_case *c, u32 l4, u32 payload)
{
	u8 tcp[SEGMENT_MAX] = {0x9c, 0x40, 0, 80, 0, 0, 3, 0xe8}, want[SEGMENT_MAX];
	u32 n = TCP + c->n, pseudo = 0x1234 + payload;

	tcp[12] = (u8)(n / 4 << 4);
	tcp[13] = TCP_SYN;
	memcpy(tcp + TCP, c->options, c->n);
	for (u32 i = 0; i < payload; i++)
		tcp[n + i] = (const u8[]){2, 4, 5, 0xb4}[i % 4];
	tcp_fix(pseudo, tcp, n + payload);
	memcpy(want, tcp, sizeof(want));
	if (c->want) {
		want[TCP + c->at] = (u8)(c->want >> 8);
		want[TCP + c->at + 1] = (u8)c->want;
		tcp_fix(pseudo, want, n + payload);
	}
	clamp(tcp, n + payload, l4, n, c->mss);
	CHECK_MEM(tcp, want, n + payload);
	CHECK_EQ(slow_csum(pseudo, tcp, n + payload), 0);
}

static void cases_run(void)
{
	static const u8 offsets[] = {34, 38, 54, 78, 94, L4_MAX};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (size_t j = 0; j < sizeof(offsets); j++) {
			for (u32 payload = 0; payload <= PAYLOAD_MAX; payload++) {
				check_context("%s, at %u, %u bytes behind", cases[i].name, offsets[j], payload);
				case_run(&cases[i], offsets[j], payload);
			}
		}
	}
}

/* Each value of the option, even and odd, clamped to one that changes either byte. */
static void every_value(void)
{
	unsigned long wrong = 0;

	for (u32 value = 0; value < 65536; value++) {
		for (u32 odd = 0; odd < 2; odd++) {
			u8 tcp[28] __attribute__((aligned(4))) = {
				[12] = 0x70, [13] = TCP_SYN | TCP_ACK, [20] = 1, 1, 1, 1, 1, 1, 1, 1};
			u8 *option = tcp + 20 + odd;
			u32 got;

			option[0] = TCP_OPTION_MSS;
			option[1] = MSS_LENGTH;
			option[2] = (u8)(value >> 8);
			option[3] = (u8)value;
			tcp_fix(6, tcp, sizeof(tcp));
			mss_clamp(&(struct pkt){.data = tcp, .end = tcp + sizeof(tcp)}, &config, 0, sizeof(tcp), 1220);
			got = (u32)option[2] << 8 | option[3];
			wrong += got != (value < 1220 ? value : 1220) || slow_csum(6, tcp, sizeof(tcp));
		}
	}
	check_context("every value");
	CHECK_EQ(wrong, 0);
}

/* What a receiver makes of n bytes of options: where the value of its MSS is, -1 where it finds none. */
static int model_find(const u8 *options, int n)
{
	int at = 0;

	while (at < n && options[at] != 0) {
		int left = n - at;

		if (options[at] == 1) {
			at++;
			continue;
		}
		if (left < 2 || options[at + 1] < 2 || options[at + 1] > left)
			return -1;
		if (options[at] == 2 && options[at + 1] == 4)
			return at + 2;
		at += options[at + 1];
	}
	return -1;
}

/* Lists that are mostly sound, up to n bytes: kinds 0 to 4, lengths mostly small. */
static void random_options(u8 *options, u32 n)
{
	for (u32 i = 0; i < n; i++)
		options[i] = (u8)rand();
	for (u32 at = 0; at + 1 < n;) {
		static const u8 kinds[] = {1, 1, 1, 1, 2, 2, 3, 4, 8, 254, 0};

		options[at] = rand() % 16 ? kinds[(u32)rand() % sizeof(kinds)] : (u8)rand();
		if (options[at] <= 1) {
			at++;
			continue;
		}
		options[at + 1] = rand() % 4 ? (u8)(2 + rand() % 3) : (u8)(rand() % 12);
		at += options[at + 1] ? options[at + 1] : 1;
	}
}

/* Random lists, headers of every length (of a first fragment, any), random limits. */
static void against_model(void)
{
	u32 clamped = 0;

	srand(7);
	for (u32 round = 0; round < 200000; round++) {
		u8 tcp[SEGMENT_MAX] = {0}, want[SEGMENT_MAX];
		u32 options = (u32)rand() % (OPTIONS_MAX + 1), n = TCP + options + (u32)rand() % (PAYLOAD_MAX + 1);
		u32 pseudo = (u32)rand() & 0xffff, mss = (u32)rand() % 4 ? (u32)rand() % 1500 : (u32)rand() & 0xffff;
		int at;

		for (u32 i = 0; i < n; i++)
			tcp[i] = rand() % 4 ? (u8)rand() : 0xff;
		random_options(tcp + TCP, options);
		tcp_fix(pseudo, tcp, n);
		memcpy(want, tcp, sizeof(want));
		at = model_find(tcp + TCP, (int)options);
		if (at >= 0 && ((u32)want[TCP + at] << 8 | want[TCP + at + 1]) > mss) {
			want[TCP + at] = (u8)(mss >> 8);
			want[TCP + at + 1] = (u8)mss;
			tcp_fix(pseudo, want, n);
			clamped++;
		}
		clamp(tcp, n, 34 + 4 * ((u32)rand() % 24), TCP + options, mss);
		check_context("round %u", round);
		CHECK_MEM(tcp, want, n);
	}
	check_context("the rounds clamp");
	CHECK(clamped > 20000 && clamped < 180000);
}

/* A header that the frame does not hold: nothing is read behind its end. */
static void cut(void)
{
	u8 tcp[SEGMENT_MAX] = {[20] = 1, 1, 1, 2, 4, 0x05, 0xb4}, want[SEGMENT_MAX];

	memcpy(want, tcp, sizeof(want));
	for (u32 n = 0; n < TCP + 7; n++) {
		check_context("cut at %u", n);
		clamp(tcp, n, 34, 60, 1420);
		CHECK_MEM(tcp, want, sizeof(want));
	}
}

int main(void)
{
	cases_run();
	every_value();
	against_model();
	cut();
	return check_summary("mss");
}
