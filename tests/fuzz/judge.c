/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.c - what must hold for every frame
 *
 *  - not forwarded: the frame is as it came, and so are all flows
 *  - forwarded: TTL one less, all checksums right if they were, the packet as long as before, to a port of the home
 *  - out: from the WAN's address and a port of the set that is not reserved
 *  - a flow is two halves, and made by a packet that was sent
 */
#include "judge.h"

#include "../unit/fixture.h"
#include "must.h"

int judge_init(struct judge *j, u32 bits)
{
	struct fixture f;

	if (bits & HOME_ONE_LINK)
		bits |= HOME_LAN_TAGGED | HOME_WAN_TAGGED;
	fixture_init(&f, bits & HOME_LAN_TAGGED ? 1 : 0, bits & HOME_WAN_TAGGED ? 2 : 0);
	if (bits & HOME_LEAVE)
		f.config.untranslated = DP_UNTRANSLATED_KERNEL;
	if (bits & HOME_FEW_PORTS)
		f.config.ports = portset_of_range(5000, 5007);
	if (bits & HOME_SMALL_MTU)
		f.config.port[1].mtu = 100;
	if (bits & HOME_NO_ADDRESS)
		f.config.wan_addr = 0;
	fixture_start(&f, bits & HOME_FEW_FLOWS ? 2 : 16);
	if (!f.engine)
		return -1;
	*j = (struct judge){.config = f.config, .engine = f.engine, .bits = bits};
	if (bits & HOME_ONE_LINK) {
		j->config.port[1].ifindex = LAN;
		engine_configure(j->engine, &j->config);
	}
	if (bits & HOME_FEW_PORTS) {
		engine_reserve(j->engine, 5000);
		engine_reserve(j->engine, 5003);
	}
	return 0;
}

void judge_exit(struct judge *j)
{
	engine_free(j->engine);
}

/* Where the IPv4 header is. */
static u32 l3_of(const u8 *data, u32 length)
{
	return length >= 18 && data[12] == 0x81 && !data[13] ? 18 : 14;
}

static u32 port_at(const u8 *ip, u32 offset)
{
	const u8 *l4 = ip + (ip[0] & 15u) * 4;

	offset = ip[9] == PROTO_ICMP ? 4 : offset;
	return (u32)l4[offset] << 8 | l4[offset + 1];
}

static void out_check(const struct judge *j, const u8 *ip)
{
	u32 port;

	MUST(!memcmp(ip + 12, &j->config.wan_addr, 4));
	if ((ip[6] & 0x1f) || ip[7]) /* no ports in it */
		return;
	port = quote_of(ip) ? port_at(quote_of(ip), 2) : port_at(ip, 0);
	MUST(portset_has(&j->config.ports, (u16)port));
	MUST(!(j->bits & HOME_FEW_PORTS) || (port != 5000 && port != 5003));
}

static void forwarded_check(const struct judge *j, const struct engine_frame *f, const u8 *before, u32 length)
{
	u32 was = l3_of(before, length), is = f->hop.vid ? 18 : 14;
	const u8 *old = before + was, *ip = f->data + is;

	MUST(f->hop.port < j->config.nports);
	MUST(f->hop.vid == j->config.port[f->hop.port].vid);
	MUST(f->length - is == length - was);
	MUST(l3_of(f->data, f->length) == is);
	MUST(!memcmp(f->data, f->hop.dmac, 6) && !memcmp(f->data + 6, f->hop.smac, 6));
	MUST(old[8] > 1 && ip[8] == old[8] - 1);
	MUST(!memcmp(ip, old, 8) && ip[9] == old[9]);
	MUST(checksums_wrong(old) || !checksums_wrong(ip));
	MUST(!quote_of(ip) || !slow_csum(0, quote_of(ip), ip_header(quote_of(ip))));
	if (f->reason == REASON_FORWARD_OUT)
		out_check(j, ip);
	else
		MUST(!memcmp(ip + 12, old + 12, 4));
}

void judge_frame(struct judge *j, u8 *data, u32 length, u32 how)
{
	u32 ifindex = how & 1 && !(j->bits & HOME_ONE_LINK) ? WAN : LAN, at = l3_of(data, length);
	struct engine_frame f = {.data = data, .length = length, .ifindex = ifindex};
	struct tally was = tally_of(j->engine), is;
	u8 before[256];

	if (how & 2 && length > at)
		checksums_give(data + at, length - at);
	memcpy(before, data, length);
	j->clock += (u64)(how >> 2) * 1000000000;
	engine_clock(j->engine, j->clock);
	engine_run(j->engine, &f, 1);
	is = tally_of(j->engine);
	MUST(f.reason > REASON_NONE && f.reason < REASON_COUNT && f.reason != REASON_DROP_FAULT);
	if (reason_verdict(f.reason) == VERDICT_FORWARD) {
		MUST(is.halves == was.halves || (is.halves == was.halves + 2 && f.reason == REASON_FORWARD_OUT));
		forwarded_check(j, &f, before, length);
		return;
	}
	MUST(is.digest == was.digest && is.halves == was.halves);
	MUST(f.data == data && f.length == length);
	MUST(!memcmp(before, data, length));
}
