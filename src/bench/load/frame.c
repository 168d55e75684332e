/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame.c - the frames that the generator sends, before they become those of a flow */
#include <errno.h>
#include <string.h>

#include "dp/wire.h"
#include "inside.h"
#include "sum.h"

/* The simple IMIX: 7 : 4 : 1. */
static const u16 imix_sizes[] = {64, 594, 1518};
static const u8 imix_pattern[GEN_TURNS] = {0, 1, 0, 0, 1, 0, 2, 0, 1, 0, 0, 1};

/* Bytes in front of the IPv4 header, behind Ethernet's. */
static u32 outer_of(const struct load_path *path, enum load_way way)
{
	return way == LOAD_OUT && path->customers.sport ? LOAD_OUTER : 0;
}

static u32 longest_of(const struct load_plan *plan)
{
	return (plan->size == LOAD_IMIX ? imix_sizes[2] : plan->size) - LOAD_FRAME_CHECK;
}

int load_frame_check(const struct load *l, const struct load_plan *plan, struct err *err)
{
	const struct load_path *path = &l->path;
	u32 length = longest_of(plan);

	if (length < LOAD_FRAME_MIN || length + outer_of(path, LOAD_OUT) > LOAD_FRAME_MAX)
		return err_set(err, -EINVAL, "frames of %u bytes cannot be made; 64 to %u are possible", plan->size,
			       LOAD_FRAME_MAX + LOAD_FRAME_CHECK - outer_of(path, LOAD_OUT));
	if (path->customers.sport && (!path->spread || path->near.vid))
		return err_set(err, -EINVAL, "customers of a tunnel need destinations, and no VLAN");
	if (plan->way != LOAD_OUT && (path->customers.sport || path->tunnelled))
		return err_set(err, -ENOTSUP, "packets can go in only where there is IPv4 at both ends");
	return 0;
}

static u8 *ethernet_make(const struct load_end *end, bool ipv6, u8 *at)
{
	struct eth_hdr *eth = (struct eth_hdr *)at;
	struct vlan_tag *tag = (struct vlan_tag *)(eth + 1);
	be16 type = be16_of(ipv6 ? ETH_TYPE_IPV6 : ETH_TYPE_IPV4);

	memcpy(eth->dst, end->hop, 6);
	memcpy(eth->src, end->mac, 6);
	eth->type = type;
	if (!end->vid)
		return at + LOAD_ETHERNET;
	eth->type = be16_of(ETH_TYPE_VLAN);
	tag->tci = be16_of(end->vid);
	tag->type = type;
	return at + LOAD_ETHERNET + LOAD_TAG;
}

static u8 *outer_make(const struct load_customers *c, u32 payload, u8 *at)
{
	struct ipv6_hdr *outer = (struct ipv6_hdr *)at;

	outer->version_class_label = be32_of(6U << 28);
	outer->payload_length = be16_of((u16)payload);
	outer->next = PROTO_IPV4;
	outer->hop_limit = 64;
	for (u32 i = 0; i < 4; i++)
		outer->daddr[i] = be32_of(c->destination[i]);
	return at + LOAD_OUTER;
}

/* What varies stays zero. `length` is that of all of it. */
static void inner_make(u8 *at, u32 length, u16 mark, struct gen_frame *frame)
{
	struct ipv4_hdr *ip = (struct ipv4_hdr *)at;
	struct udp_hdr *udp = (struct udp_hdr *)(ip + 1);
	struct load_payload *payload = (struct load_payload *)(udp + 1);

	ip->version_ihl = 0x45;
	ip->ttl = 64;
	ip->proto = PROTO_UDP;
	ip->total_length = be16_of((u16)length);
	udp->length = be16_of((u16)(length - sizeof(*ip)));
	payload->mark = mark;
	frame->ip_sum = load_sum(ip, sizeof(*ip) / 4);
	frame->udp_sum = load_sum(udp, sizeof(*udp) / 4) + mark + (PORTICO_FORCE u16)be16_of(PROTO_UDP) +
			 (PORTICO_FORCE u16)udp->length;
}

/* `length`: without tag and IPv6 in front. */
static void one_make(const struct load *l, enum load_way way, u32 length, struct load_frame *whole,
		     struct gen_frame *frame)
{
	const struct load_end *end = load_sender(&l->path, way);
	u32 payload = length - LOAD_ETHERNET;
	u8 *at;

	whole->data = whole->memory + 2;
	memset(whole->memory, 0, sizeof(whole->memory));
	at = ethernet_make(end, outer_of(&l->path, way), whole->data);
	if (outer_of(&l->path, way))
		at = outer_make(&l->path.customers, payload, at);
	inner_make(at, payload, load_mark(way, l->run), frame);
	whole->length = (u32)(at - whole->data) + payload;
	memcpy(frame->header, whole->data, LOAD_HEADER_MAX);
}

void load_frame_make(const struct load *l, const struct load_plan *plan, enum load_way way, struct load_frame *longest,
		     struct gen_way *gen)
{
	u32 length = longest_of(plan), n = 1;

	if (plan->size == LOAD_IMIX) {
		memcpy(gen->pattern, imix_pattern, sizeof(imix_pattern));
		n = sizeof(imix_sizes) / sizeof(*imix_sizes);
	}
	for (u32 i = 0; i < n; i++) {
		u32 each = n > 1 ? imix_sizes[i] - (u32)LOAD_FRAME_CHECK : length;

		one_make(l, way, each, longest, &gen->frame[i]);
		gen->frame[i].cut = length - each;
	}
}
