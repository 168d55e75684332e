/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slow.h - the files of the slow path: slow.c says how they work together */
#ifndef PORTICO_GATEWAY_SLOW_H
#define PORTICO_GATEWAY_SLOW_H

#include "gateway.h"

#define SLOW_IPV6 40 /* bytes of an IPv6 header */

/* At most so many things a second. */
struct slow_pace {
	time_t second;
	u32 taken;
};

#define SLOW_VAIN 16 /* flows that a search has not helped: search.c */

struct slow {
	int packet; /* AF_PACKET */
	int icmp;   /* raw ICMP */
	struct slow_counts counts;
	struct hold *hold;
	struct wait *wait;
	struct reassemble *reassemble;
	struct slow_pace answers;
	struct slow_pace lookups; /* of searches */
	struct flow_key vain[SLOW_VAIN];
	u32 vain_next;
};

/* Where things lie in a frame: IPv4, or IPv4 in IPv6. Offsets and lengths in bytes. */
struct slow_view {
	u32 l3;	   /* of the outer header, or the only one */
	u32 outer; /* bytes of IPv6 in front of the IPv4 header */
	u32 ip;	   /* IPv4 header */
	u32 ihl;
	u32 length; /* IPv4 total length */
	u32 offset; /* of the fragment in its datagram */
	bool df;
};

/* 0, or -EBADMSG where there is no whole IPv4 packet in the frame. */
int slow_view(const u8 *frame, u32 length, struct slow_view *v);

/* The key by which the flow of an IPv4 packet between us and the outside comes in; `length` bytes are there, and `out`
 * says which way it goes. -EBADMSG where it has no ports, nor an echo's identifier. */
int slow_key(const u8 *ip, u32 length, bool out, struct flow_key *key);

/* The Internet checksum (RFC 1071) of `length` bytes, as it is written; and that of an IPv4 header, written. */
u16 slow_sum(const void *data, u32 length);
void slow_ip_sum(u8 *ip);

bool slow_pace_take(struct slow_pace *p, u32 most);

/* The first port with this role, or dp.nports. */
u32 slow_port(const struct gateway *g, enum dp_role role);

/* Runs a frame through the packet path as if it had come in by `ifindex`, and sends what comes out: 0, or -errno;
 * -ENOTCONN: it is Linux's. */
int slow_run(struct gateway *g, const u8 *frame, u32 length, u32 ifindex);

/* hold.c: packets that wait for a neighbour */
int hold_init(struct gateway *g);
void hold_exit(struct gateway *g);
void hold_packet(struct gateway *g, const struct dp_event *event, const u8 *frame);

/* wait.c: fragments that wait for the first of their datagram */
int wait_init(struct gateway *g);
void wait_exit(struct gateway *g);
void wait_packet(struct gateway *g, const struct dp_event *event, const u8 *frame);

/* reassemble.c: IPv6 fragments of the tunnel */
int reassemble_init(struct gateway *g);
void reassemble_exit(struct gateway *g);
void reassemble_packet(struct gateway *g, const struct dp_event *event, const u8 *frame);

/* cut.c: IPv4 packets into fragments of at most `mtu` bytes, each run on */
void cut(struct gateway *g, const struct dp_event *event, const u8 *frame, u32 mtu);

/* An ICMP error. */
struct answer {
	u8 type;
	u8 code;
	u32 mtu; /* 3/4 */
};

/* answer.c: tells the sender of a frame that was handed up (RFC 1812, 4.3.2) */
void answer_error(struct gateway *g, const struct dp_event *event, const u8 *frame, const struct answer *answer);
/* Tells the sender of the IPv4 packet `ip`, `length` bytes of which are quoted, that the tunnel has not carried it. */
void answer_tunnel(struct gateway *g, const u8 *ip, u32 length, const struct answer *answer);

/* icmp6.c: errors about the tunnel's IPv6 packets */
void icmp6_packet(struct gateway *g, const struct dp_event *event, const u8 *frame);

/* search.c: a port for a flow that found none at once */
void search_packet(struct gateway *g, const struct dp_event *event, const u8 *frame);

#endif
