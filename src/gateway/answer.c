/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.c - ICMP errors that the packet path cannot make (RFC 1812, 4.3.2)
 *
 * Who is told, and how the error gets there:
 *
 *   whoever Linux can reach (a LAN host, this router, an internet host): a raw socket; Linux chooses source and route
 *   at an edge, who sent into the tunnel: the error is made as the inside would send it, with the quoted packet as the
 *       inside knows it, and runs through the packet path from the port of role SELF, which translates it like any
 * other
 *   at a relay, a customer: the error runs through the packet path as if it came from the internet
 *
 * Never about an error, a later fragment, or what was not sent by one to one; at most ANSWERS a second.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/addr.h"
#include "slow.h"

#define ANSWERS 200
#define ERROR_MAX 576 /* bytes of IPv4: RFC 1812, 4.3.2.3 */
#define LOWER_MAX (18 + SLOW_IPV6)
#define IPV4 20
#define ICMP 8

/* Whether an error may be sent about a packet (RFC 1812, 4.3.2.7). */
static bool may_be_told(const u8 *ip, u32 length)
{
	u32 ihl = (ip[0] & 15u) * 4;
	be32 from, to;

	memcpy(&from, ip + 12, sizeof(from));
	memcpy(&to, ip + 16, sizeof(to));
	if (!addr_is_host(from) || !addr_is_host(to) || (ip[6] & 0x1f) || ip[7])
		return false;
	if (ip[9] != IPPROTO_ICMP)
		return true;
	return length > ihl && (ip[ihl] == 0 || ip[ihl] == 8);
}

/* The ICMP message at `to`, which has room for ERROR_MAX; returns its length. */
static u32 message_build(const struct answer *a, const u8 *ip, u32 length, u8 *to)
{
	u32 quoted = length < ERROR_MAX - IPV4 - ICMP ? length : ERROR_MAX - IPV4 - ICMP;
	u16 sum;

	memset(to, 0, ICMP);
	to[0] = a->type;
	to[1] = a->code;
	to[6] = (u8)(a->mtu >> 8);
	to[7] = (u8)a->mtu;
	memcpy(to + ICMP, ip, quoted);
	sum = slow_sum(to, ICMP + quoted);
	memcpy(to + 2, &sum, sizeof(sum));
	return ICMP + quoted;
}

static int by_socket(struct gateway *g, const struct answer *a, const u8 *ip, u32 length)
{
	struct sockaddr_in to = {.sin_family = AF_INET};
	u8 message[ERROR_MAX];
	u32 size = message_build(a, ip, length, message);

	memcpy(&to.sin_addr, ip + 12, 4);
	return sendto(g->slow->icmp, message, size, 0, (struct sockaddr *)&to, sizeof(to)) < 0 ? -errno : 0;
}

/* The headers below IPv4 of a frame that comes in by `port`; returns their length. */
static u32 ethernet_build(const struct dp_port *port, u16 type, u8 *to)
{
	u8 *at = to + 12;

	memcpy(to, port->mac, 6);
	memcpy(to + 6, (u8[6]){2, 0, 0, 0, 0, 1}, 6);
	if (port->vid) {
		memcpy(at, (u8[4]){0x81, 0, (u8)(port->vid >> 8), (u8)port->vid}, 4);
		at += 4;
	}
	at[0] = (u8)(type >> 8);
	at[1] = (u8)type;
	return (u32)(at + 2 - to);
}

/* The error as an IPv4 packet of `from`'s to the quoted packet's sender; returns its length. */
static u32 packet_build(const struct answer *a, const u8 *ip, u32 length, be32 from, u8 *to)
{
	u32 size = message_build(a, ip, length, to + IPV4) + IPV4;

	memset(to, 0, IPV4);
	to[0] = 0x45;
	to[2] = (u8)(size >> 8);
	to[3] = (u8)size;
	to[8] = 64;
	to[9] = IPPROTO_ICMP;
	memcpy(to + 12, &from, 4);
	memcpy(to + 16, ip + 12, 4);
	slow_ip_sum(to);
	return size;
}

/* Runs the error through the packet path as if it came in by the port of a role, from this router's address there. */
static int by_packet_path(struct gateway *g, const struct answer *a, const u8 *ip, u32 length, enum dp_role role)
{
	be32 from = role == ROLE_SELF ? g->dp.self : g->dp.wan_addr;
	u32 at, port = slow_port(g, role);
	u8 frame[LOWER_MAX + ERROR_MAX];

	if (port == g->dp.nports)
		return -ENODEV;
	at = ethernet_build(&g->dp.port[port], 0x0800, frame);
	at += packet_build(a, ip, length, from, frame + at);
	return slow_run(g, frame, at, g->dp.port[port].ifindex);
}

/* The same out of the tunnel, from the border relay. */
static int from_tunnel(struct gateway *g, const struct answer *a, const u8 *ip, u32 length)
{
	const struct dp_port *port = &g->dp.port[g->tunnel.port];
	u8 frame[LOWER_MAX + ERROR_MAX], *ip6;
	u32 at, size;

	at = ethernet_build(port, 0x86dd, frame);
	ip6 = frame + at;
	at += SLOW_IPV6;
	size = packet_build(a, ip, length, g->dp.self, frame + at);
	memset(ip6, 0, SLOW_IPV6);
	ip6[0] = 0x60;
	ip6[4] = (u8)(size >> 8);
	ip6[5] = (u8)size;
	ip6[6] = IPPROTO_IPIP;
	ip6[7] = 64;
	memcpy(ip6 + 8, &g->tunnel.relay[0], 16);
	memcpy(ip6 + 24, &g->tunnel.local, 16);
	return slow_run(g, frame, at + size, port->ifindex);
}

/* What the flow's half adds to a checksum (RFC 1624, equation 3); a UDP checksum of zero is none. */
static void sum_change(u8 *at, u16 delta, bool udp)
{
	u16 old;
	u32 sum;

	memcpy(&old, at, sizeof(old));
	if (udp && !old)
		return;
	sum = (u32)(u16)~old + delta;
	sum = (sum & 0xffff) + (sum >> 16);
	old = (u16)~sum;
	if (udp && !old)
		old = 0xffff;
	memcpy(at, &old, sizeof(old));
}

/* Turns the destination of a packet from outside into the inside one, as its flow has it. */
static int as_inside_sees(struct gateway *g, const struct flow_key *key, u8 *ip, u32 length)
{
	u32 ihl = (ip[0] & 15u) * 4, at = ihl + (ip[9] == IPPROTO_ICMP ? 4 : 2);
	u32 sum_at = ihl + (ip[9] == IPPROTO_ICMP ? 2 : ip[9] == IPPROTO_TCP ? 16 : 6);
	struct flow_half half;
	int rc = kernel_flow_get(g->kernel, key, &half);

	if (rc || length < ihl + 8)
		return rc ? rc : -EBADMSG;
	memcpy(ip + 16, &half.addr, 4);
	memcpy(ip + at, &half.port, 2);
	if (length >= sum_at + 2 && ip[9] != IPPROTO_SCTP)
		sum_change(ip + sum_at, half.l4_delta, ip[9] == IPPROTO_UDP);
	slow_ip_sum(ip);
	return 0;
}

static int to_edge_peer(struct gateway *g, const struct dp_event *event, const u8 *ip, u32 length,
			const struct answer *a)
{
	u8 copy[ERROR_MAX];
	int rc;

	if (length > sizeof(copy))
		length = sizeof(copy);
	memcpy(copy, ip, length);
	rc = as_inside_sees(g, &event->key, copy, length);
	return rc ? rc : by_packet_path(g, a, copy, length, ROLE_SELF);
}

static int to_customer(struct gateway *g, const u8 *ip, u32 length, const struct answer *a)
{
	return by_packet_path(g, a, ip, length, ROLE_WAN);
}

void answer_error(struct gateway *g, const struct dp_event *event, const u8 *frame, const struct answer *a)
{
	const u8 *ip;
	struct slow_view v;
	int rc = slow_view(frame, event->length, &v);

	ip = frame + v.ip;
	if (!rc && (!may_be_told(ip, v.length) || !slow_pace_take(&g->slow->answers, ANSWERS)))
		rc = -EPERM;
	if (!rc && v.outer && g->conf.kind == MODE_CE)
		rc = to_edge_peer(g, event, ip, v.length, a);
	else if (!rc && v.outer)
		rc = to_customer(g, ip, v.length, a);
	else if (!rc)
		rc = by_socket(g, a, ip, v.length);
	if (rc)
		g->slow->counts.dropped++;
	else
		g->slow->counts.answered++;
}

/* The IPv4 packet is as it went into the tunnel. At an edge the error is made as the tunnel's other end would send it,
 * and comes in as such; at a relay the sender is a customer or somebody on the internet. */
void answer_tunnel(struct gateway *g, const u8 *ip, u32 length, const struct answer *a)
{
	int rc = -EPERM;

	if (may_be_told(ip, length) && slow_pace_take(&g->slow->answers, ANSWERS)) {
		if (g->conf.kind == MODE_CE)
			rc = from_tunnel(g, a, ip, length);
		else if ((rc = to_customer(g, ip, length, a)) == -ENOTCONN)
			rc = by_socket(g, a, ip, length);
	}
	if (rc)
		g->slow->counts.dropped++;
	else
		g->slow->counts.answered++;
}
