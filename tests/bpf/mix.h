/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.h - random frames for a home: what hosts send, what servers answer, and what nobody should send */
#ifndef PORTICO_TESTS_BPF_MIX_H
#define PORTICO_TESTS_BPF_MIX_H

#include "case.h"

#define MIX_FRAME_MAX 1800
#define MIX_SENT 64
#define MIX_ADDRESSES 64

struct mix_frame {
	u32 port;   /* where it comes in, or has left by */
	u32 length; /* bytes, at least 14: less does not go through BPF_PROG_TEST_RUN */
	u32 l3;	    /* offset of the outermost IP header */
	u32 inner;  /* offset of the IPv4 header */
	u8 data[MIX_FRAME_MAX];
};

struct mix {
	const struct vec_case *c;
	u64 state; /* of the random numbers */
	u32 wan;   /* index of the WAN port */
	u32 naddresses;
	be32 addresses[MIX_ADDRESSES]; /* all that frames have as source or destination, unless changed at random */
	u32 hosts[DP_PORTS_MAX];       /* where those of a port's network begin: HOSTS of them */
	u32 servers;		       /* where those of the internet begin: SERVERS of them */
	u32 customers;		       /* where those that mapping rules have begin, ncustomers of them */
	u32 ncustomers;
	u32 nsent;
	struct mix_frame sent[MIX_SENT]; /* what was forwarded last: to be answered */
	struct mix_frame frame;
	u32 halves;
};

/* The same seed gives the same frames for the same home. */
void mix_init(struct mix *m, const struct vec_case *c, unsigned int seed);
const struct mix_frame *mix_next(struct mix *m);
/* Tells of a frame that left by `port`. */
void mix_sent(struct mix *m, u32 port, const u8 *data, u32 length);
/* A line that says how far the mix came around. */
void mix_report(const struct mix *m, const struct dp_counter *counters);

#endif
