/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rare.h - what the programs for a rare packet leave for each other (dp/kind.h): room of one CPU, out of its stack
 *
 * It also makes them small to the verifier: what one of them has found out in a hundred ways, the next reads as numbers
 * of which nothing is known.
 */
#ifndef PORTICO_DP_RARE_H
#define PORTICO_DP_RARE_H

#include "pkt.h"

#define ALLOC_NONE 0xffffffffu

/* What is looked for when a port is chosen: alloc.h. */
struct alloc {
	struct flow_key key;   /* to be inserted: all but dport, which is what is looked for */
	struct flow_half half; /* its value: all but the port's part of l4_delta */
	struct dest_key dest;
	u32 pseudo;  /* sum of all other changes of the checksum behind the IPv4 header */
	u32 at;	     /* keyed hash: where the search begins, in 2^-32 of the set */
	u32 wanted;  /* index of the port to try first, ALLOC_NONE: none */
	u16 probes;  /* at most */
	be16 inside; /* port that the one found replaces */
};

struct rare {
	struct meta m; /* of the parser */
	u16 nexthop;   /* of a flow to be opened, as in its half */
	u8 tunnel;     /* likewise */
	struct alloc flow, socket;
};

#endif
