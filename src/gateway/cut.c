/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cut.c - IPv4 packets into fragments that fit (RFC 791, 2.3 and 3.2)
 *
 * A fragment may be cut again. The first keeps all options; later ones those whose copied flag is set.
 */
#include <arpa/inet.h>
#include <string.h>

#include "slow.h"

#define OPTION_END 0
#define OPTION_NOP 1
#define OPTION_COPIED 0x80
#define MORE 0x2000
#define FRAME_MAX 4096

/* The header of a later fragment: options without the copied flag become no operation, and what is empty at the end
 * goes. Returns its length. */
static u32 later_header(const u8 *ip, u32 ihl, u8 *to)
{
	u32 used = 20;

	memcpy(to, ip, ihl);
	for (u32 at = 20; at < ihl;) {
		u32 size = ip[at] == OPTION_NOP || ip[at] == OPTION_END ? 1 : at + 1 < ihl ? ip[at + 1] : 0;

		if (ip[at] == OPTION_END || !size || at + size > ihl) {
			memset(to + at, OPTION_END, ihl - at);
			break;
		}
		if (ip[at] & OPTION_COPIED)
			used = at + size;
		else
			memset(to + at, OPTION_NOP, size);
		at += size;
	}
	used = (used + 3) & ~3u;
	to[0] = (u8)(0x40 | used / 4);
	return used;
}

struct piece {
	u32 ihl;
	u32 from; /* in the packet's data */
	u32 size;
	bool last;
};

/* Builds the frame of one fragment in `room`, with the packet's own lower headers; returns its length. */
static u32 piece_build(const u8 *frame, const struct slow_view *v, const struct piece *p, u8 *room)
{
	const u8 *ip = frame + v->ip;
	u16 old = (u16)(ip[6] << 8 | ip[7]), flags, total = (u16)(p->ihl + p->size);
	u8 *to = room + v->ip;

	memcpy(room, frame, v->ip);
	if (p->from)
		later_header(ip, v->ihl, to);
	else
		memcpy(to, ip, v->ihl);
	flags = (u16)((old & 0xe000) | ((v->offset + p->from) / 8));
	if (!p->last)
		flags |= MORE;
	to[2] = (u8)(total >> 8);
	to[3] = (u8)total;
	to[6] = (u8)(flags >> 8);
	to[7] = (u8)flags;
	memcpy(to + p->ihl, ip + v->ihl + p->from, p->size);
	slow_ip_sum(to);
	if (v->outer) {
		u16 payload = htons((u16)(v->outer - SLOW_IPV6 + total));

		memcpy(room + v->l3 + 4, &payload, sizeof(payload));
	}
	return v->ip + total;
}

void cut(struct gateway *g, const struct dp_event *event, const u8 *frame, u32 mtu)
{
	u8 room[FRAME_MAX], header[60];
	struct slow_view v;
	u32 data, later;

	if (slow_view(frame, event->length, &v) || mtu < 68 || mtu + v.ip > sizeof(room)) {
		g->slow->counts.dropped++;
		return;
	}
	data = v.length - v.ihl;
	later = later_header(frame + v.ip, v.ihl, header);
	for (u32 from = 0; from < data;) {
		struct piece p = {.ihl = from ? later : v.ihl, .from = from};
		u32 most = (mtu - p.ihl) & ~7u;

		p.last = data - from <= mtu - p.ihl;
		p.size = p.last ? data - from : most;
		if (slow_run(g, room, piece_build(frame, &v, &p, room), event->ifindex))
			g->slow->counts.dropped++;
		from += p.size;
	}
	g->slow->counts.cut++;
}
