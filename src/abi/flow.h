/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow.h - the flow table's key and value
 *
 * A flow is two entries ("halves"), one for each direction, so that an established packet costs one lookup and
 * touches nothing that packets of the other direction write:
 *
 *      LAN host 192.168.1.5:4000 --> 198.51.100.9:53, seen outside as 203.0.113.2:4000
 *
 *      key  out  192.168.1.5:4000 -> 198.51.100.9:53      value  write source 203.0.113.2:4000
 *      key  in   198.51.100.9:53  -> 203.0.113.2:4000     value  write destination 192.168.1.5:4000
 *
 * Each half can be computed from the other (see engine/flow.c). The *in* half is inserted first, with no-exist
 * semantics: that insertion is the allocation of the port. The *out* half is removed first, so that a port is free
 * only when nothing can send from it any more.
 */
#ifndef PORTICO_ABI_FLOW_H
#define PORTICO_ABI_FLOW_H

#include "types.h"

enum flow_dir {
	FLOW_OUT = 0, /* LAN to WAN */
	FLOW_IN = 1,  /* WAN to LAN */
	/* Not flows but what an inside socket's flows have in common, where dp_config.mapping asks for it; the other
	 * end is zero in both: */
	MAP_OUT = 2,  /* inside socket (saddr, sport) -> its external port */
	MAP_IN = 3,   /* external port (daddr, dport), while only one socket has it -> that socket */
	MAP_PEER = 4, /* outside address (saddr) that has a flow through an external port, where that is filtered by */
};

/* What the packet carries on arrival. An ICMP echo has its identifier as the port of the inside end and 0 as the
 * port of the other end. */
struct flow_key {
	be32 saddr;
	be32 daddr;
	be16 sport;
	be16 dport;
	u8 proto; /* IPPROTO_* */
	u8 dir;	  /* enum flow_dir */
	u16 zone; /* 0: NAPT44 */
};

ABI_SIZE(struct flow_key, 16);

/* flow_half.seen: TCP flags seen in this half's direction since its last SYN; same bits as the TCP header's */
#define SEEN_FIN 0x01
#define SEEN_SYN 0x02
#define SEEN_RST 0x04
#define SEEN_ACK 0x10

/* Writers: "open" is the packet that made the flow; "dir" any packet of this half's direction. Two CPUs that carry
 * one direction at once may lose a count, never a translation. */
struct flow_half {
	be32 addr;    /* open: address to write (out: source, in: destination); 0, in: ended, its port cools */
	be16 port;    /* open: port or echo identifier to write */
	u16 ip_delta; /* open: one's-complement sum to add to the IPv4 checksum: address and TTL - 1 */
	u16 l4_delta; /* open: same for the TCP, UDP or ICMP checksum */
	u16 nexthop;  /* dir: index into the next-hop table, 0: ask the routing table */
	u16 routes;   /* dir: dp_config.routes when nexthop was chosen; another value: ask again */
	u8 seen;      /* dir: SEEN_* */
	u8 tunnel;    /* open, out: 0: to the border relay or no tunnel at all; i + 1: by forwarding rule i */
	u32 last;     /* dir: tick of the last packet that keeps the flow alive */
	u32 packets;  /* dir */
	u64 bytes;    /* dir: IPv4 total lengths */
};

ABI_SIZE(struct flow_half, 32);
ABI_AT(struct flow_half, bytes, 24);

/* Time in the flow table: CLOCK_MONOTONIC nanoseconds >> TICK_SHIFT, about 16.8 ms; wraps after 2.3 years. */
#define TICK_SHIFT 24
#define TICKS_OF_SECONDS(s) ((u32)((1000000000ULL * (s)) >> TICK_SHIFT))

/* Where the fragments of a datagram belong: its ports, from its first fragment. Map "fragments", which forgets the
 * least recently used (RFC 4787, REQ-14). Writer: packet path. */
struct frag_key {
	be32 saddr;
	be32 daddr;
	be16 id;
	u8 proto;
	u8 dir;
};

ABI_SIZE(struct frag_key, 12);

struct frag {
	be16 sport;
	be16 dport;
	u32 last; /* tick */
};

ABI_SIZE(struct frag, 8);

#define FRAG_SECONDS 15 /* how long a fragment may be behind the first (RFC 8200, 4.5 allows 60) */

/* Which ports are taken towards one destination, where a port was once asked for that was taken: map "dests", which
 * forgets the least recently used. A hint, not the truth: that is in the flow table. Bit i & 63 of word i >> 6 stands
 * for the port with index i of the set; ports that do not exist or are reserved have theirs set from the beginning.
 * Writers: the packet path sets bits, the daemon clears them, and only it sets `full`, having looked. */
#define DEST_WORDS 64
#define DEST_PORTS_MAX (64 * DEST_WORDS) /* larger sets have no bits, only `full` and `hint` */

struct dest_key {
	be32 daddr; /* 0, with port 0: MAP_IN entries */
	be16 dport;
	u8 proto;
	u8 pad;
};

ABI_SIZE(struct dest_key, 8);

struct dest {
	u64 spent; /* bit w: all bits of word w are set */
	u32 full;  /* not 0: no port is free */
	u32 hint;  /* index + 1 of a port that was free, 0: none */
	u64 taken[DEST_WORDS];
};

ABI_SIZE(struct dest, 528);

/* Ports that an inside host holds towards a destination in map "dests": map "shares". Writers: the packet path adds,
 * the daemon counts anew. */
struct share_key {
	be32 host;
	struct dest_key dest;
};

ABI_SIZE(struct share_key, 12);

#endif
