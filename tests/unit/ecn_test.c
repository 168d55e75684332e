/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ecn_test.c - the tables of RFC 6040, entry by entry, and the traffic class of every inner header */
#include "../check.h"

#include "dp/ecn.h"

static const char *const names[] = {"Not-ECT", "ECT(1)", "ECT(0)", "CE", "drop"};

/* RFC 3168, 5: 01 is ECT(1), 10 is ECT(0). */
static void codepoints(void)
{
	check_context("RFC 3168, 5");
	CHECK_EQ(ECN_NOT_ECT, 0);
	CHECK_EQ(ECN_ECT1, 1);
	CHECK_EQ(ECN_ECT0, 2);
	CHECK_EQ(ECN_CE, 3);
	CHECK(ECN_DROP > ECN_CE);
}

/* RFC 6040, 4.2, figure 4, in the order of its rows and columns. */
static const struct {
	u8 inner, outer, want;
} leaving[16] = {
	{ECN_NOT_ECT, ECN_NOT_ECT, ECN_NOT_ECT},
	{ECN_NOT_ECT, ECN_ECT0, ECN_NOT_ECT}, /* (!!!): dangerous, but to be forwarded */
	{ECN_NOT_ECT, ECN_ECT1, ECN_NOT_ECT}, /* (!!!) */
	{ECN_NOT_ECT, ECN_CE, ECN_DROP},      /* (!!!): the only mark left that its transport understands is a loss */
	{ECN_ECT0, ECN_NOT_ECT, ECN_ECT0},
	{ECN_ECT0, ECN_ECT0, ECN_ECT0},
	{ECN_ECT0, ECN_ECT1, ECN_ECT1}, /* a mark of lower severity (RFC 6660) */
	{ECN_ECT0, ECN_CE, ECN_CE},
	{ECN_ECT1, ECN_NOT_ECT, ECN_ECT1},
	{ECN_ECT1, ECN_ECT0, ECN_ECT1}, /* (!) */
	{ECN_ECT1, ECN_ECT1, ECN_ECT1},
	{ECN_ECT1, ECN_CE, ECN_CE},
	{ECN_CE, ECN_NOT_ECT, ECN_CE},
	{ECN_CE, ECN_ECT0, ECN_CE},
	{ECN_CE, ECN_ECT1, ECN_CE}, /* (!!!) */
	{ECN_CE, ECN_CE, ECN_CE},
};

static void figure_4(void)
{
	u32 seen = 0;

	for (u32 i = 0; i < 16; i++) {
		u32 inner = leaving[i].inner, outer = leaving[i].outer;

		check_context("RFC 6040, figure 4: inner %s, outer %s", names[inner], names[outer]);
		CHECK_EQ(ecn_inner(inner, outer), leaving[i].want);
		seen |= 1u << (inner * 4 + outer);
	}
	check_context("figure 4 is whole");
	CHECK_EQ(seen, 0xffff);
}

/* RFC 6040, 4.1, figure 3. */
static const struct {
	u8 inner, compatibility, normal;
} entering[4] = {
	{ECN_NOT_ECT, ECN_NOT_ECT, ECN_NOT_ECT},
	{ECN_ECT0, ECN_NOT_ECT, ECN_ECT0},
	{ECN_ECT1, ECN_NOT_ECT, ECN_ECT1},
	{ECN_CE, ECN_NOT_ECT, ECN_CE},
};

static void figure_3(void)
{
	for (u32 i = 0; i < 4; i++) {
		check_context("RFC 6040, figure 3: inner %s", names[entering[i].inner]);
		CHECK_EQ(ecn_outer(entering[i].inner, TUNNEL_ECN_NORMAL), entering[i].normal);
		CHECK_EQ(ecn_outer(entering[i].inner, TUNNEL_ECN_COMPATIBILITY), entering[i].compatibility);
	}
}

/* What goes in and is marked by nobody comes out as it was, in either mode. */
static void round_trip(void)
{
	for (u32 mode = TUNNEL_ECN_NORMAL; mode <= TUNNEL_ECN_COMPATIBILITY; mode++) {
		for (u32 inner = 0; inner < 4; inner++) {
			check_context("mode %u, %s", mode, names[inner]);
			CHECK_EQ(ecn_inner(inner, ecn_outer(inner, mode)), inner);
		}
	}
}

static void traffic_class(void)
{
	for (u32 tos = 0; tos < 256; tos++) {
		check_context("type of service %02x", tos);
		CHECK_EQ(ecn_traffic_class(tos, TUNNEL_DSCP_COPY, TUNNEL_ECN_NORMAL), tos);
		CHECK_EQ(ecn_traffic_class(tos, TUNNEL_DSCP_COPY, TUNNEL_ECN_COMPATIBILITY), tos & 0xfc);
		for (u32 dscp = 0; dscp < 64; dscp++) {
			CHECK_EQ(ecn_traffic_class(tos, dscp, TUNNEL_ECN_NORMAL), dscp << 2 | (tos & 3));
			CHECK_EQ(ecn_traffic_class(tos, dscp, TUNNEL_ECN_COMPATIBILITY), dscp << 2);
		}
	}
}

int main(void)
{
	codepoints();
	figure_4();
	figure_3();
	round_trip();
	traffic_class();
	return check_summary("ecn");
}
