/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ecn.h - congestion marks and traffic class over a tunnel (RFC 6040, RFC 2983)
 *
 * The two ECN bits of an inner and an outer header are numbers 0 to 3. What leaves the tunnel is looked up in a
 * constant: no branches, so no paths for a verifier to follow, and no table in memory.
 */
#ifndef PORTICO_DP_ECN_H
#define PORTICO_DP_ECN_H

#include "abi/tunnel.h"
#include "types.h"

enum ecn { /* RFC 3168, 5 */
	ECN_NOT_ECT = 0,
	ECN_ECT1 = 1,
	ECN_ECT0 = 2,
	ECN_CE = 3,
	ECN_DROP = 4, /* no codepoint: the packet is to be dropped */
};

#define ECN_MASK 3

/* RFC 6040, figure 4, four bits an entry: a row for each inner codepoint, in it a column for each outer one, both in
 * the order of their numbers. */
#define ECN_ROW(not_ect, ect1, ect0, ce) ((u64)((not_ect) | (ect1) << 4 | (ect0) << 8 | (ce) << 12))
#define ECN_FIGURE_4                                                                                                   \
	(ECN_ROW(ECN_NOT_ECT, ECN_NOT_ECT, ECN_NOT_ECT, ECN_DROP) << 16 * ECN_NOT_ECT |                                \
	 ECN_ROW(ECN_ECT1, ECN_ECT1, ECN_ECT1, ECN_CE) << 16 * ECN_ECT1 |                                              \
	 ECN_ROW(ECN_ECT0, ECN_ECT1, ECN_ECT0, ECN_CE) << 16 * ECN_ECT0 |                                              \
	 ECN_ROW(ECN_CE, ECN_CE, ECN_CE, ECN_CE) << 16 * ECN_CE)

/* ECN of the packet that leaves a tunnel (RFC 6040, 4.2), or ECN_DROP: congestion that the inner packet cannot carry
 * on. inner, outer: ECN bits as they came. */
dp_fn u32 ecn_inner(u32 inner, u32 outer)
{
	return ECN_FIGURE_4 >> ((inner & ECN_MASK) << 4 | (outer & ECN_MASK) << 2) & 7;
}

/* ECN of the outer header (RFC 6040, 4.1, figure 3); mode: enum tunnel_ecn. */
dp_fn u32 ecn_outer(u32 inner, u32 mode)
{
	return inner & ECN_MASK & ((u32)(mode == TUNNEL_ECN_NORMAL) * ECN_MASK);
}

/* Traffic class of the outer IPv6 header: the inner DSCP, or a fixed one (RFC 2983, 4), and ECN.
 * tos: of the inner header; dscp: 0 to 63, or TUNNEL_DSCP_COPY; mode: enum tunnel_ecn. */
dp_fn u32 ecn_traffic_class(u32 tos, u32 dscp, u32 mode)
{
	u32 upper = dscp == TUNNEL_DSCP_COPY ? tos >> 2 : dscp;

	return (upper & 63) << 2 | ecn_outer(tos, mode);
}

#endif
