/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wire.h - headers as they lie on the wire
 *
 * Every host hands frames over so that the IPv4 header is 4-byte aligned or may be read as if it were: the user-space
 * host places frames at 2 modulo 4 (Ethernet headers are 14 or 18 bytes), the verifier enforces it where a CPU cares.
 */
#ifndef PORTICO_DP_WIRE_H
#define PORTICO_DP_WIRE_H

#include "types.h"

#define ETH_TYPE_IPV4 0x0800
#define ETH_TYPE_VLAN 0x8100
#define ETH_TYPE_IPV6 0x86dd

enum ip_proto {
	PROTO_ICMP = 1,
	PROTO_IPV4 = 4, /* in IPv6: RFC 2473 */
	PROTO_TCP = 6,
	PROTO_UDP = 17,
	PROTO_DCCP = 33,
	PROTO_IPV6 = 41,
	PROTO_FRAGMENT = 44, /* IPv6 fragment header: RFC 8200, 4.5 */
	PROTO_ICMP6 = 58,
	PROTO_OPTIONS = 60, /* IPv6 destination options: RFC 8200, 4.6 */
	PROTO_SCTP = 132,
	PROTO_UDPLITE = 136,
};

struct eth_hdr {
	u8 dst[6];
	u8 src[6];
	be16 type;
};

struct vlan_tag { /* IEEE 802.1Q: what follows the type 0x8100 */
	be16 tci; /* priority 3, drop eligible 1, VLAN id 12 */
	be16 type;
};

#define VLAN_VID_MASK 0x0fff

/* RFC 791, 3.1
 *  |version| ihl |      tos      |         total length          |
 *  |          identification     |flags|    fragment offset      |
 *  |     ttl     |   protocol    |        header checksum        |
 *  |                          source                             |
 *  |                        destination                          | */
struct ipv4_hdr {
	u8 version_ihl;
	u8 tos;
	be16 total_length;
	be16 id;
	be16 frag;
	u8 ttl;
	u8 proto;
	u16 csum;
	be32 saddr;
	be32 daddr;
};

/* RFC 8200, 3
 *  |version| traffic class |             flow label                |
 *  |         payload length        |  next header  |   hop limit   |
 *  |                    source, 4 words                            |
 *  |                    destination, 4 words                       | */
struct ipv6_hdr {
	be32 version_class_label;
	be16 payload_length;
	u8 next;
	u8 hop_limit;
	be32 saddr[4];
	be32 daddr[4];
};

#define IPV4_DF 0x4000
#define IPV4_MF 0x2000
#define IPV4_OFFSET 0x1fff

struct tcp_hdr { /* RFC 9293, 3.1 */
	be16 sport;
	be16 dport;
	be32 seq;
	be32 ack;
	u8 doff; /* upper four bits: header length in 32-bit words */
	u8 flags;
	be16 window;
	u16 csum;
	be16 urgent;
};

#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_ACK 0x10

struct udp_hdr { /* RFC 768 */
	be16 sport;
	be16 dport;
	be16 length;
	u16 csum;
};

struct udplite_hdr { /* RFC 3828, 3.1 */
	be16 sport;
	be16 dport;
	be16 coverage;
	u16 csum; /* never absent */
};

struct dccp_hdr { /* RFC 4340, 5.1: what is in every one */
	be16 sport;
	be16 dport;
	u8 doff;
	u8 ccval_cscov;
	u16 csum;
	u8 rest[4];
};

struct sctp_hdr { /* RFC 9260, 3.1 */
	be16 sport;
	be16 dport;
	be32 tag;
	u32 crc; /* CRC32c, least significant byte first */
};

struct ports_hdr { /* how all of them begin */
	be16 sport;
	be16 dport;
};

struct icmp_hdr { /* RFC 792: echo, echo reply; of an error the last four bytes mean other things */
	u8 type;
	u8 code;
	u16 csum;
	be16 id;
	be16 seq;
};

#define ICMP_ECHO_REPLY 0
#define ICMP_UNREACHABLE 3
#define ICMP_ECHO 8
#define ICMP_TIME_EXCEEDED 11
#define ICMP_PARAMETER 12

_Static_assert(sizeof(struct eth_hdr) == 14 && sizeof(struct vlan_tag) == 4, "Ethernet");
_Static_assert(sizeof(struct ipv4_hdr) == 20 && sizeof(struct tcp_hdr) == 20, "IPv4, TCP");
_Static_assert(sizeof(struct ipv6_hdr) == 40 && sizeof(struct sctp_hdr) == 12, "IPv6, SCTP");
_Static_assert(sizeof(struct udplite_hdr) == 8 && sizeof(struct dccp_hdr) == 12, "UDP-Lite, DCCP");
_Static_assert(sizeof(struct udp_hdr) == 8 && sizeof(struct icmp_hdr) == 8, "UDP, ICMP");

#endif
