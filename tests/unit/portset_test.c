/* SPDX-License-Identifier: GPL-2.0-or-later */
/* portset_test.c - index to port and back, for ranges and for the sets of RFC 7597 */
#include "../check.h"

#include "dp/portset.h"

/* The set and its members, one by one, must be the same; and the index of each member is where it came from. */
static void set_is(const struct dp_portset *s, const bool member[65536])
{
	static bool reached[65536];
	u32 wrong = 0, members = 0, last = 0;

	memset(reached, 0, sizeof(reached));
	for (u32 i = 0; i < s->count; i++) {
		u16 port = portset_port(s, i);

		wrong += reached[port] || !member[port] || (i && port <= last) || portset_index(s, port) != i;
		reached[port] = true;
		last = port;
	}
	for (u32 port = 0; port < 65536; port++) {
		members += member[port];
		wrong += !!portset_has(s, (u16)port) != member[port];
	}
	CHECK_EQ(members, s->count);
	CHECK_EQ(wrong, 0);
}

static void range_is(u16 lo, u16 hi)
{
	static bool member[65536];
	struct dp_portset s = portset_of_range(lo, hi);

	for (u32 port = 0; port < 65536; port++)
		member[port] = port >= lo && port <= hi;
	check_context("%u-%u", lo, hi);
	set_is(&s, member);
}

/* RFC 7597, 5.1: a offset bits, k bits of PSID, m others; A = 0 is left out when a > 0. */
static void psid_set_is(u32 a, u32 k, u32 psid)
{
	static bool member[65536];
	u32 m = 16 - a - k;
	struct dp_portset s = portset_of_psid(a, k, psid);

	for (u32 port = 0; port < 65536; port++)
		member[port] = (port >> m & ((1u << k) - 1)) == psid && (!a || port >> (k + m));
	check_context("a %u, k %u, PSID %u", a, k, psid);
	set_is(&s, member);
}

int main(void)
{
	range_is(1024, 65535);
	range_is(0, 65535);
	range_is(0, 0);
	range_is(65535, 65535);
	range_is(5000, 5003);
	range_is(32768, 60999);
	for (u32 a = 0; a <= 6; a++) {
		for (u32 k = 0; k + a <= 12; k++) {
			psid_set_is(a, k, 0);
			psid_set_is(a, k, (1u << k) - 1);
			psid_set_is(a, k, 0x34 & ((1u << k) - 1));
		}
	}
	return check_summary("portset");
}
