/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.h - what the load's programs in the kernel and its user-space side tell each other
 *
 * Maps "gen_way", "sink_way", "sink_count" and "sink_delay" have one element for each way, "learned" one for each flow.
 */
#ifndef PORTICO_BENCH_LOAD_STATE_H
#define PORTICO_BENCH_LOAD_STATE_H

#include "abi/types.h"

#define LOAD_ETHERNET 14    /* bytes in front of what Ethernet carries */
#define LOAD_TAG 4	    /* 802.1Q, behind the addresses */
#define LOAD_OUTER 40	    /* IPv6 in front of IPv4 */
#define LOAD_INNER 46	    /* IPv4 without options, UDP, payload: with Ethernet, all of a 64-byte frame */
#define LOAD_HEADER_MAX 104 /* all of these, in whole words of 8 bytes */
#define LOAD_SET_RANGE 16   /* source ports that a customer of the tunnel uses: a power of two */
#define LOAD_BLOCK_SHIFT 15 /* flows of one host: 2^15 source ports towards one destination */
#define LOAD_PORT_FIRST 2048
#define LOAD_PORT_SINK 9 /* destination port: discard */
#define LOAD_STAMP 256	 /* the sink looks at the clock once in so many packets */
#define LOAD_SAMPLE 28	 /* of a hash of the number, what is left of 32 bits: sums of one packet in 16 are looked at */

/* What is behind the UDP header; zeros follow. All in host order: nobody else reads it. Not packed, so that it can be
 * written in words; LOAD_PAYLOAD bytes of it are sent. */
struct load_payload {
	u32 flow;
	u32 sequence; /* from 0, in each way of each run */
	u32 ns[2];    /* CLOCK_MONOTONIC when sent, lower half first; 0 where nobody asks for the delay */
	u16 mark;     /* which way of which run it is of: load_mark() */
	u16 zero;
};

#define LOAD_PAYLOAD 18
ABI_AT(struct load_payload, zero, LOAD_PAYLOAD);

#define LOAD_MARK 0xa600 /* upper 7 bits of each mark */
#define LOAD_MARK_MASK 0xfe00
#define LOAD_MARK_WAY 8 /* bit */

static inline u16 load_mark(u32 way, u8 run)
{
	return (u16)(LOAD_MARK | way << LOAD_MARK_WAY | run);
}

/* A frame as it is before it becomes one of a flow: addresses, ports, checksums and payload but for the mark are 0. */
struct gen_frame {
	u64 header[LOAD_HEADER_MAX / 8]; /* as many bytes of it as the way has, from the front */
	u64 ip_sum;			 /* of the IPv4 header */
	u64 udp_sum;			 /* of UDP, payload, and length and protocol of the pseudo header */
	u32 cut;			 /* bytes that the frame is shorter than the longest */
	u32 pad;
};

ABI_SIZE(struct gen_frame, 128);

#define GEN_FRAMES 4 /* at most, kinds of frames; a power of two */
#define GEN_TURNS 12 /* after so many frames the pattern of kinds begins anew */

/* Flow f of the load is host f >> LOAD_BLOCK_SHIFT, which talks from source port LOAD_PORT_FIRST +
 * (f mod 2^LOAD_BLOCK_SHIFT) to a destination of its own, or to one of `spread`. Of the tunnel's load it is customer
 * f mod `spread`, who talks from `sport` + (f mod LOAD_SET_RANGE) to a destination of its own. */
struct gen_way {
	struct gen_frame frame[GEN_FRAMES];
	u8 pattern[16]; /* which of them is sent, GEN_TURNS of it */
	u32 turn;	/* in the pattern */
	u32 ifindex;	/* where packets leave */
	u32 host_first; /* host order */
	u32 remote_first;
	u32 flow;   /* next flow */
	u32 stride; /* from one packet's flow to the next's, less than flows */
	u32 flows;
	u32 spread;	     /* destinations, one for each flow in turn; 0: one for each host */
	u32 outer_source[4]; /* the first customer's IPv6 address, each word in host order */
	u32 outer_step[4];   /* what each word grows by from one customer to the next */
	u32 sport;
	u32 packets; /* that are to be sent */
	u32 sent;
	u32 unknown; /* not sent, as nobody has learned where their flow is */
	be16 dport;
	u16 delay; /* note when packets are sent */
	u32 pad;
	u64 step;     /* ns from one packet to the next, 2^-16 of them; 0: as fast as it goes */
	u64 due;      /* of the latest packet, from the first one's time on, in the same unit */
	u64 first_ns; /* CLOCK_MONOTONIC at the first packet */
	u64 last_ns;  /* and at the last of `packets` */
};

ABI_SIZE(struct gen_way, 648);

/* With which address and port a flow comes out of the router; port 0: it never did. */
struct learned {
	be32 address;
	be16 port;
	u16 pad;
};

ABI_SIZE(struct learned, 8);

/* What the sinks expect. Out: (source & mask) == source. In: the flow's own address and port as destination. */
struct sink_way {
	u8 mac[6]; /* that frames are sent to: another end's are none of this way */
	u16 tag;   /* VLAN of the frames; 0: untagged */
	u16 mark;
	u16 outer; /* there is IPv6 in front of the IPv4 header */
	be32 source;
	be32 mask;
	u32 host_first;
	be16 dport;
	u8 all;	  /* look at every packet's sums */
	u8 learn; /* note where flows come from */
	u8 delay; /* note how long packets take */
	u8 pad[3];
	u32 next; /* the sinks': one more than the highest sequence number */
};

ABI_SIZE(struct sink_way, 36);

/* A packet that was not as it should be, for the message. */
struct sink_packet {
	be32 saddr, daddr;
	be16 sport, dport;
	u32 flow;
	u16 ip_csum, udp_csum; /* as they came */
	u16 ip_sum, udp_sum;   /* over all that they cover and themselves: 0xffff is right; 0: not looked at */
};

ABI_SIZE(struct sink_packet, 24);

/* For each CPU. */
struct sink_count {
	u64 packets; /* as they should be */
	u64 out_of_order;
	u64 foreign;
	u64 wrong;
	u64 last_ns; /* CLOCK_MONOTONIC when `packets` was last a multiple of LOAD_STAMP */
	u64 last_packets;
	struct sink_packet last_foreign, last_wrong;
};

ABI_SIZE(struct sink_count, 96);

/* Delays are counted in steps: of 1 ns below 64 ns, then 64 to each octave. Step (e << 6) + (v >> e), with e so that
 * v >> e is from 64 to 127, has all v of that; the last one has everything longer. */
#define DELAY_STEP_BITS 6
#define DELAY_STEPS 2048 /* up to 2^37 ns */

/* For each CPU. */
struct sink_delay {
	u64 shortest, longest; /* ns; of no packet, 0 and 0 */
	u64 steps[DELAY_STEPS];
};

ABI_SIZE(struct sink_delay, 16400);

/* The elements of map "redirect_hop": a frame from one goes to the other. */
struct redirect_hop {
	u8 macs[12]; /* destination and source of what leaves here, as on the wire */
	u32 ifindex;
	be16 tag; /* 802.1Q's whole control word; 0: untagged */
	u16 vid;
	u32 work; /* rounds of a hash for each packet that comes in here */
	u32 hash; /* the program's: their outcome */
};

ABI_SIZE(struct redirect_hop, 28);

#endif
