/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape.h - MAP-E: IPv6 addresses as numbers, and a mapping rule as it is kept in a map (RFC 7597, 5)
 *
 * A rule ties IPv4 addresses and ports to IPv6 prefixes. The embedded address (EA) bits behind the rule's IPv6 prefix
 * are what of the IPv4 address is not in the rule's IPv4 prefix, and the port set id:
 *
 *      |<- prefix6 ->|<-------- ea -------->|
 *      +-------------+---------------+------+-----------+--------------+
 *      | rule prefix |  IPv4 suffix  | PSID | subnet: 0 | interface id |
 *      +-------------+---------------+------+-----------+--------------+
 *                    |<32 - prefix4->|<  k >|           |<- 64 bits -->|
 *
 *      shared address  ea > 32 - prefix4      an address among 2^k customers, k = ea - (32 - prefix4)
 *      full address    ea = 32 - prefix4      k = 0
 *      IPv4 prefix     ea < 32 - prefix4      k = 0, the customer has a prefix of prefix4 + ea bits
 *      ea = 0          nothing is embedded    the address is the rule's; with prefix4 = 32 the PSID may be too
 */
#ifndef PORTICO_ABI_MAPE_H
#define PORTICO_ABI_MAPE_H

#include "types.h"

#define MAPE_RULES_MAX 32 /* rules of one domain */

/* An IPv6 address or prefix in host order: bit 0 is the highest of hi. */
struct addr6 {
	u64 hi, lo;
};

ABI_SIZE(struct addr6, 16);

/* How the interface id carries IPv4 address and PSID. */
enum mape_format {
	MAPE_RFC7597 = 0, /* 16 zero bits, address, PSID right-justified in 16 bits (RFC 7597, 6) */
	MAPE_DRAFT03 = 1, /* 8 zero bits, address, PSID in 16 bits, 8 zero bits (draft-ietf-softwire-map-03, 6) */
};

/* mape_rule.flags */
#define MAPE_FORWARDING 0x01 /* also a forwarding rule: CEs of it are reached directly (RFC 7597, 5: FMR) */
#define MAPE_HAS_OFFSET 0x02 /* this parameter was given, not taken by default or computed */
#define MAPE_HAS_PSID_LEN 0x04
#define MAPE_HAS_PSID 0x08

/* What is given, then what mape_rule_prepare() computes of it. Numbers in host order. Writer: the daemon. */
struct mape_rule {
	struct addr6 prefix; /* Rule IPv6 prefix; zero behind its length */
	u32 addr;	     /* Rule IPv4 prefix; zero behind its length */
	u16 psid;	     /* provisioned, right-justified; means something where ea is 0 */
	u8 prefix6;	     /* length of the IPv6 prefix */
	u8 prefix4;	     /* length of the IPv4 prefix */
	u8 ea;		     /* length of the embedded address bits */
	u8 offset;	     /* a: ports whose first a bits are 0 belong to nobody when a > 0 (RFC 7597, 5.1) */
	u8 psid_len;	     /* k */
	u8 format;	     /* enum mape_format */
	u8 flags;	     /* MAPE_* */

	u8 m;		 /* 16 - a - k: the PSID is bits m ... m + k - 1 of a port */
	u8 suffix_shift; /* the IPv4 suffix is (address & suffix) >> suffix_shift */
	u8 ea_shift;	 /* where the EA bits end: bits of the address behind them */
	u32 mask;	 /* of the IPv4 prefix */
	u32 suffix;	 /* bits of an IPv4 address that are embedded */
	u16 psid_mask;	 /* 2^k - 1 */
	u16 psid_own;	 /* psid_mask where the rule is for its own PSID only, else 0 */
	u16 first;	 /* lowest port that belongs to somebody */
	u8 index;	 /* of this rule in its domain */
	u8 relay;	 /* border relay: which of its addresses has this rule (abi/tunnel.h) */
	u64 id_mask;	 /* what of the interface id the prefix leaves: all, unless prefix6 + ea > 64 */
};

ABI_SIZE(struct mape_rule, 56);
ABI_AT(struct mape_rule, mask, 32);
ABI_AT(struct mape_rule, id_mask, 48);

#endif
