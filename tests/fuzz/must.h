/* SPDX-License-Identifier: GPL-2.0-or-later */
/* must.h - what the judges share: MUST, what is in the flow table, and checksums, which a fuzzer does not find */
#ifndef PORTICO_TESTS_FUZZ_MUST_H
#define PORTICO_TESTS_FUZZ_MUST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/packet.h"
#include "engine/engine.h"

#define MUST(cond)                                                                                                     \
	do {                                                                                                           \
		if (!(cond)) {                                                                                         \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #cond);                       \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

/* The flow table, as numbers. */
struct tally {
	u32 halves;
	u32 flows;  /* halves that are not of a socket's mapping */
	u64 digest; /* of all keys and values but for what is remembered of the routing table */
};

static inline u64 tally_mix(u64 digest, const void *data, size_t n)
{
	const u8 *byte = data;

	for (size_t i = 0; i < n; i++)
		digest = (digest ^ byte[i]) * 0x100000001b3ULL; /* FNV-1a */
	return digest;
}

static inline void tally_add(void *arg, const struct flow_key *key, const struct flow_half *half)
{
	struct tally *t = arg;
	struct flow_half kept = *half;

	kept.nexthop = 0;
	kept.routes = 0;
	t->halves++;
	t->flows += key->dir == FLOW_OUT || key->dir == FLOW_IN;
	t->digest += tally_mix(tally_mix(0xcbf29ce484222325ULL, key, sizeof(*key)), &kept, sizeof(kept));
}

static inline struct tally tally_of(const struct engine *engine)
{
	struct tally t = {0};

	engine_flows(engine, tally_add, &t);
	return t;
}

/* Whether an ICMP message of this type quotes a packet. */
static inline bool quotes(u8 type)
{
	return type == ICMP_UNREACHABLE || type == ICMP_TIME_EXCEEDED || type == ICMP_PARAMETER;
}

/* The packet that the ICMP error `ip` quotes, or NULL. */
static inline const u8 *quote_of(const u8 *ip)
{
	const u8 *icmp = ip + ip_header(ip);

	return ip[9] == PROTO_ICMP && !is_fragment(ip) && quotes(icmp[0]) ? icmp + 8 : NULL;
}

/* Gives the IPv4 packet at `ip`, of which `room` bytes are there, its checksums: of the header, and of an ICMP error
 * and what that quotes. */
static inline void checksums_give(u8 *ip, u32 room)
{
	u32 ihl, n;
	u8 *quote;

	if (room < 20 || ip_header(ip) < 20 || ip_header(ip) > room)
		return;
	ip_csum_fix(ip);
	ihl = ip_header(ip);
	if (ip_length(ip) > room || ip_length(ip) < ihl + 8 || !quote_of(ip))
		return;
	n = ip_length(ip) - ihl;
	quote = ip + ihl + 8;
	if (n >= 28 && ip_header(quote) >= 20 && n >= 8 + ip_header(quote))
		ip_csum_fix(quote);
	put16(ip + ihl + 2, 0);
	put16(ip + ihl + 2, slow_csum(0, ip + ihl, n));
}

#endif
