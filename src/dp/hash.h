/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash.h - HalfSipHash-1-3 of a flow key (Aumasson, Bernstein: SipHash, 2012; the 32-bit form of the reference code)
 *
 * Where the port choice starts: unpredictable from outside without the key (RFC 6056, 3.3.3), yet the same on every
 * host, so that kernel and user space agree on every packet and a replay can be repeated.
 */
#ifndef PORTICO_DP_HASH_H
#define PORTICO_DP_HASH_H

#include "abi/flow.h"
#include "types.h"

#define HASH_ROTL(x, b) (((x) << (b)) | ((x) >> (32 - (b))))

struct hash_state {
	u32 v0, v1, v2, v3;
};

dp_fn void hash_round(struct hash_state *s)
{
	s->v0 += s->v1;
	s->v1 = HASH_ROTL(s->v1, 5);
	s->v1 ^= s->v0;
	s->v0 = HASH_ROTL(s->v0, 16);
	s->v2 += s->v3;
	s->v3 = HASH_ROTL(s->v3, 8);
	s->v3 ^= s->v2;
	s->v0 += s->v3;
	s->v3 = HASH_ROTL(s->v3, 7);
	s->v3 ^= s->v0;
	s->v2 += s->v1;
	s->v1 = HASH_ROTL(s->v1, 13);
	s->v1 ^= s->v2;
	s->v2 = HASH_ROTL(s->v2, 16);
}

dp_fn void hash_word(struct hash_state *s, u32 word)
{
	s->v3 ^= word;
	hash_round(s);
	s->v0 ^= word;
}

/* 32 bits from `key` under the 64-bit `secret`. */
dp_fn u32 hash_flow(const struct flow_key *key, const u32 secret[2])
{
	struct hash_state s = {
		.v0 = secret[0],
		.v1 = secret[1],
		.v2 = 0x6c796765 ^ secret[0],
		.v3 = 0x74656462 ^ secret[1],
	};

	hash_word(&s, (PORTICO_FORCE u32)key->saddr);
	hash_word(&s, (PORTICO_FORCE u32)key->daddr);
	hash_word(&s, (u32)host16(key->sport) << 16 | host16(key->dport));
	hash_word(&s, (u32)key->proto << 24 | (u32)key->dir << 16 | key->zone);
	hash_word(&s, 16u << 24); /* the length, as the last word of the message */
	s.v2 ^= 0xff;
	hash_round(&s);
	hash_round(&s);
	hash_round(&s);
	return s.v1 ^ s.v3;
}

#endif
