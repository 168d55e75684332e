/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slow.c - what the packet path hands up, and how it goes on
 *
 * Each kind of packet has a file; what they have in common is here. A packet that can go on runs through the packet
 * path again, as if it had come in once more (BPF_PROG_TEST_RUN), and what comes out is sent. So nothing of translation
 * or tunnel is known here: frames are cut, kept, put together or made, and the packet path does the rest.
 */
#include "slow.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/clock.h"

static u16 be16_at(const u8 *bytes)
{
	return (u16)(bytes[0] << 8 | bytes[1]);
}

int slow_view(const u8 *frame, u32 length, struct slow_view *v)
{
	u32 type_at = 12, ihl;

	memset(v, 0, sizeof(*v));
	if (length < 14)
		return -EBADMSG;
	if (be16_at(frame + type_at) == ETHERTYPE_VLAN)
		type_at += 4;
	v->l3 = type_at + 2;
	if (length >= v->l3 + SLOW_IPV6 && be16_at(frame + type_at) == ETHERTYPE_IPV6) {
		v->outer = SLOW_IPV6;
		if (frame[v->l3 + 6] == IPPROTO_DSTOPTS)
			v->outer += 8;
		else if (frame[v->l3 + 6] != IPPROTO_IPIP)
			return -EBADMSG;
	}
	v->ip = v->l3 + v->outer;
	if (length < v->ip + sizeof(struct iphdr))
		return -EBADMSG;
	ihl = (frame[v->ip] & 15u) * 4;
	v->length = be16_at(frame + v->ip + 2);
	if (frame[v->ip] >> 4 != 4 || ihl < sizeof(struct iphdr) || v->length < ihl || v->ip + v->length > length)
		return -EBADMSG;
	v->ihl = ihl;
	v->offset = (be16_at(frame + v->ip + 6) & 0x1fff) * 8u;
	v->df = (frame[v->ip + 6] & 0x40) != 0;
	return 0;
}

int slow_key(const u8 *ip, u32 length, bool out, struct flow_key *key)
{
	u32 ihl = (ip[0] & 15u) * 4;
	const u8 *l4 = ip + ihl;

	if (length < ihl + 8 || be16_at(ip + 6) & 0x1fff)
		return -EBADMSG;
	*key = (struct flow_key){.proto = ip[9], .dir = FLOW_IN};
	memcpy(&key->saddr, ip + (out ? 16 : 12), sizeof(key->saddr));
	memcpy(&key->daddr, ip + (out ? 12 : 16), sizeof(key->daddr));
	if (key->proto == IPPROTO_ICMP) {
		if (l4[0] != (out ? ICMP_ECHO : ICMP_ECHOREPLY))
			return -EBADMSG;
		memcpy(&key->dport, l4 + 4, sizeof(key->dport));
		return 0;
	}
	memcpy(&key->sport, l4 + (out ? 2 : 0), sizeof(key->sport));
	memcpy(&key->dport, l4 + (out ? 0 : 2), sizeof(key->dport));
	return 0;
}

u16 slow_sum(const void *data, u32 length)
{
	const u8 *bytes = data;
	u32 sum = 0;

	for (u32 i = 0; i + 1 < length; i += 2)
		sum += be16_at(bytes + i);
	if (length & 1)
		sum += (u32)bytes[length - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((u16)~sum);
}

void slow_ip_sum(u8 *ip)
{
	u16 sum;

	ip[10] = ip[11] = 0;
	sum = slow_sum(ip, (ip[0] & 15u) * 4);
	memcpy(ip + 10, &sum, sizeof(sum));
}

bool slow_pace_take(struct slow_pace *p, u32 most)
{
	time_t now = clock_seconds();

	if (p->second != now) {
		p->second = now;
		p->taken = 0;
	}
	return p->taken++ < most;
}

u32 slow_port(const struct gateway *g, enum dp_role role)
{
	u32 i;

	for (i = 0; i < g->dp.nports && g->dp.port[i].role != role; i++)
		;
	return i;
}

/* The port that a frame of the packet path's leaves by: its source is that port's. */
static const struct dp_port *leaves_by(const struct gateway *g, const u8 *frame)
{
	u16 vid = be16_at(frame + 12) == ETHERTYPE_VLAN ? be16_at(frame + 14) & 0xfff : 0;

	for (u32 i = 0; i < g->dp.nports; i++)
		if (g->dp.port[i].vid == vid && !memcmp(g->dp.port[i].mac, frame + 6, 6))
			return &g->dp.port[i];
	return NULL;
}

int slow_run(struct gateway *g, const u8 *frame, u32 length, u32 ifindex)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_halen = 6};
	const struct dp_port *port;
	struct kernel_result result;
	int rc = length > sizeof(result.frame) ? -EMSGSIZE : kernel_run(g->kernel, frame, length, ifindex, &result);

	if (rc)
		return rc;
	if (result.action == XDP_PASS)
		return -ENOTCONN;
	port = result.action == XDP_TX || result.action == XDP_REDIRECT ? leaves_by(g, result.frame) : NULL;
	if (!port)
		return -EHOSTUNREACH;
	to.sll_ifindex = (int)port->ifindex;
	memcpy(to.sll_addr, result.frame, 6);
	if (sendto(g->slow->packet, result.frame, result.length, 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		return -errno;
	g->slow->counts.sent++;
	return 0;
}

static void too_big(struct gateway *g, const struct dp_event *event, const u8 *frame)
{
	struct slow_view v;

	if (slow_view(frame, event->length, &v))
		g->slow->counts.dropped++;
	else if (v.df)
		answer_error(g, event, frame, &(struct answer){.type = 3, .code = 4, .mtu = event->mtu});
	else
		cut(g, event, frame, event->mtu);
}

static void handed_up(void *gateway, const struct dp_event *event, const u8 *frame)
{
	struct gateway *g = gateway;

	g->slow->counts.received++;
	switch (event->reason) {
	case REASON_SLOW_NEIGHBOUR:
		hold_packet(g, event, frame);
		break;
	case REASON_SLOW_FRAGMENT:
		wait_packet(g, event, frame);
		break;
	case REASON_SLOW_REASSEMBLE:
		reassemble_packet(g, event, frame);
		break;
	case REASON_SLOW_ICMP6:
		icmp6_packet(g, event, frame);
		break;
	case REASON_SLOW_TOO_BIG:
		too_big(g, event, frame);
		break;
	case REASON_SLOW_TTL:
		answer_error(g, event, frame, &(struct answer){.type = 11});
		break;
	case REASON_SLOW_NO_PORT:
		search_packet(g, event, frame);
		break;
	case REASON_DROP_NO_PORT:
	case REASON_DROP_SHARE:
		if (g->dp.refusal)
			answer_error(g, event, frame, &(struct answer){.type = 3, .code = g->dp.refusal});
		break;
	}
}

int slow_init(struct gateway *g, struct err *err)
{
	struct slow *slow = calloc(1, sizeof(*slow));

	if (!slow)
		return err_set(err, -ENOMEM, "out of memory");
	g->slow = slow;
	slow->packet = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	slow->icmp = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_ICMP);
	if (slow->packet < 0 || slow->icmp < 0)
		return err_set(err, -errno, "opening a raw socket: %s", strerror(errno));
	/* replies are Linux's: what has no room is not read */
	setsockopt(slow->icmp, SOL_SOCKET, SO_RCVBUF, &(int){0}, sizeof(int));
	if (hold_init(g) || wait_init(g) || reassemble_init(g))
		return err_set(err, -ENOMEM, "out of memory");
	return kernel_events_open(g->kernel, handed_up, g, err);
}

void slow_exit(struct gateway *g)
{
	if (!g->slow)
		return;
	hold_exit(g);
	wait_exit(g);
	reassemble_exit(g);
	if (g->slow->packet >= 0)
		close(g->slow->packet);
	if (g->slow->icmp >= 0)
		close(g->slow->icmp);
	free(g->slow);
	g->slow = NULL;
}

void slow_read(struct gateway *g)
{
	kernel_events_read(g->kernel);
}

struct slow_counts slow_counts(const struct gateway *g)
{
	return g->slow->counts;
}
