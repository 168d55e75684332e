/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame.h - the parts of the frame tool: from words to bytes, from bytes to words, the Internet checksum */
#ifndef PORTICO_TESTS_NETNS_FRAME_H
#define PORTICO_TESTS_NETNS_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FRAME_MAX 9018 /* bytes */

struct frame {
	uint8_t data[FRAME_MAX];
	uint32_t length;
};

/* frame_build.c */

/* Builds a frame from words such as "udp", "ttl=1"; `mac` is the sender's where the words give none. Returns NULL, or
 * the word that is not understood. */
const char *frame_build(struct frame *f, char **words, int count, const uint8_t mac[6]);
void frame_words(FILE *to);

/* frame_show.c */

/* Prints a frame as one line of name=value behind `where`. Checksums are computed over all bytes, never believed. */
void frame_show(FILE *to, const char *where, const uint8_t *data, uint32_t length);

/* One's-complement sum of `length` bytes in network order, added to `sum`; RFC 1071, written apart from src/dp. */
uint32_t frame_sum(uint32_t sum, const uint8_t *data, uint32_t length);
/* The checksum of what a sum was taken over, its own field included: 0 where it is right. */
uint16_t frame_fold(uint32_t sum);
/* Sum of the pseudo header of the IPv4 header at `ip`, for `length` bytes of L4. */
uint32_t frame_pseudo(const uint8_t *ip, uint32_t length);

static inline uint32_t frame_get16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static inline uint32_t frame_get32(const uint8_t *at)
{
	return frame_get16(at) << 16 | frame_get16(at + 2);
}

static inline void frame_put16(uint8_t *at, uint32_t v)
{
	at[0] = (uint8_t)(v >> 8);
	at[1] = (uint8_t)v;
}

static inline void frame_put32(uint8_t *at, uint32_t v)
{
	frame_put16(at, v >> 16);
	frame_put16(at + 2, v);
}

#endif
