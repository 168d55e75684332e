/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape.h - the arithmetic of MAP-E: IPv4 address and port to IPv6 address, and back (RFC 7597, 5 and 6)
 *
 * IPv4 addresses, ports and IPv6 addresses are in host order here. Everything that a packet needs is a handful of
 * shifts with numbers that mape_rule_prepare() computed; see abi/mape.h for the layout of bits.
 *
 * A 128-bit number is two of 64 bits. A value v of at most 64 bits lies in it so that n bits follow:
 *
 *      n >= 64   hi = v << (n - 64)      lo = 0
 *      n < 64    hi = v >> (64 - n)      lo = v << n
 */
#ifndef PORTICO_DP_MAPE_H
#define PORTICO_DP_MAPE_H

#include "abi/mape.h"
#include "portset.h"
#include "types.h"

/* Network mask of a prefix length of 0 to 128. */
dp_fn struct addr6 addr6_mask(u32 length)
{
	if (!length)
		return (struct addr6){0, 0};
	if (length <= 64)
		return (struct addr6){~0ULL << (64 - length), 0};
	return (struct addr6){~0ULL, ~0ULL << (128 - length)};
}

/* Whether `addr` lies in prefix/length; bits of `prefix` behind its length do not matter. */
dp_fn int addr6_in(struct addr6 addr, struct addr6 prefix, u32 length)
{
	struct addr6 mask = addr6_mask(length);

	return !((addr.hi ^ prefix.hi) & mask.hi) && !((addr.lo ^ prefix.lo) & mask.lo);
}

dp_fn int addr6_equal(struct addr6 a, struct addr6 b)
{
	return a.hi == b.hi && a.lo == b.lo;
}

/* As it lies on the wire, in four words of 32 bits. */
dp_fn struct addr6 addr6_of_wire(const be32 w[4])
{
	return (struct addr6){(u64)host32(w[0]) << 32 | host32(w[1]), (u64)host32(w[2]) << 32 | host32(w[3])};
}

dp_fn void addr6_to_wire(be32 w[4], struct addr6 a)
{
	w[0] = be32_of((u32)(a.hi >> 32));
	w[1] = be32_of((u32)a.hi);
	w[2] = be32_of((u32)(a.lo >> 32));
	w[3] = be32_of((u32)a.lo);
}

/* `v` with `behind` bits (0 to 127) behind it. */
dp_fn struct addr6 addr6_place(u64 v, u32 behind)
{
	if (likely(behind >= 64))
		return (struct addr6){v << (behind & 63), 0};
	return (struct addr6){v >> 1 >> (63 - behind), v << behind};
}

/* The lowest 64 bits of what `behind` bits (0 to 127) follow: undoes addr6_place(). */
dp_fn u64 addr6_take(struct addr6 a, u32 behind)
{
	if (behind >= 64)
		return a.hi >> (behind & 63);
	return a.hi << 1 << (63 - behind) | a.lo >> behind;
}

/* RFC 7597, 6 and draft-ietf-softwire-map-03, 6; an IPv4 prefix is zero behind its length. */
dp_fn u64 mape_interface_id(u8 format, u32 addr, u32 psid)
{
	if (format == MAPE_DRAFT03)
		return (u64)addr << 24 | psid << 8;
	return (u64)addr << 16 | psid;
}

/* The PSID that `port` belongs to. */
dp_fn u32 mape_psid(const struct mape_rule *r, u16 port)
{
	return (u32)port >> (r->m & 31) & r->psid_mask;
}

/* Whether `port` may be used with an address of this rule by anybody: not in A = 0 (RFC 7597, 5.1). */
dp_fn int mape_port_valid(const struct mape_rule *r, u16 port)
{
	return port >= r->first;
}

/* The EA bits of an address and a PSID (RFC 7597, 5.2). */
dp_fn u64 mape_ea(const struct mape_rule *r, u32 addr, u32 psid)
{
	u64 suffix = (addr & r->suffix) >> (r->suffix_shift & 31);

	return r->ea ? suffix << (r->psid_len & 31) | psid : 0;
}

/* The End-user IPv6 prefix, prefix6 + ea bits long, of an address and a PSID. */
dp_fn struct addr6 mape_prefix(const struct mape_rule *r, u32 addr, u32 psid)
{
	struct addr6 ea = addr6_place(mape_ea(r, addr, psid), r->ea_shift & 127);

	return (struct addr6){r->prefix.hi | ea.hi, r->prefix.lo | ea.lo};
}

/* Where a packet to addr:port goes, or must come from (RFC 7597, 5.3 and 6): a CE of this rule. `addr` must lie in the
 * rule's IPv4 prefix. ICMP echo has its identifier in place of the port; where k is 0 the port does not matter. */
dp_fn struct addr6 mape_destination(const struct mape_rule *r, u32 addr, u16 port)
{
	u32 psid = mape_psid(r, port);
	struct addr6 a = mape_prefix(r, addr, psid);

	a.lo |= mape_interface_id(r->format, r->addr | (addr & r->suffix), psid) & r->id_mask;
	return a;
}

/* Whether IPv6 packets from `outer` may carry IPv4 packets from addr:port (RFC 7597, 8.1). */
dp_fn int mape_source_valid(const struct mape_rule *r, struct addr6 outer, u32 addr, u16 port)
{
	if ((addr ^ r->addr) & r->mask || !mape_port_valid(r, port))
		return 0;
	return addr6_equal(outer, mape_destination(r, addr, port));
}

/* Whether the rule is for addr:port. Where the PSID is provisioned, other rules have the address's other ports. */
dp_fn int mape_rule_for(const struct mape_rule *r, u32 addr, u16 port)
{
	return !((addr ^ r->addr) & r->mask) && !((((u32)port >> (r->m & 31)) ^ r->psid) & r->psid_own);
}

/* Index of the rule with the longest IPv4 prefix for addr:port (RFC 7597, 5); `count` where there is none. The rules
 * stand in the order of their IPv4 prefixes, longest first; at most MAPE_RULES_MAX are looked at. The index is read
 * from the rule: for the verifier all ways out of the loop are one then. */
dp_fn u32 mape_match(const struct mape_rule *rules, u32 count, u32 addr, u16 port)
{
	for (u32 i = 0; i < MAPE_RULES_MAX && i < count; i++)
		if (mape_rule_for(&rules[i], addr, port))
			return rules[i].index;
	return count;
}

/* What a customer has. */
struct mape_own {
	u32 addr;
	u8 length; /* 32, or less: an IPv4 prefix */
	u8 pad;
	u16 psid;
};

/* What the customer with the delegated prefix `pd` has, by its basic mapping rule (RFC 7597, 5.2). `pd` lies in the
 * rule's IPv6 prefix and is at least prefix6 + ea bits long. */
dp_fn struct mape_own mape_own_of(const struct mape_rule *r, struct addr6 pd)
{
	u64 ea = addr6_take(pd, r->ea_shift & 127);
	u32 length = (u32)r->prefix4 + r->ea;

	return (struct mape_own){
		.addr = r->addr | ((u32)(ea >> (r->psid_len & 31) << (r->suffix_shift & 31)) & r->suffix),
		.length = (u8)(length < 32 ? length : 32),
		.psid = r->ea ? (u16)(ea & r->psid_mask) : r->psid,
	};
}

/* The customer's own IPv6 address: the delegated prefix, zero for the subnet, the interface id; a prefix longer than
 * 64 bits overwrites the id's highest (RFC 7597, 6). */
dp_fn struct addr6 mape_address(const struct mape_rule *r, struct addr6 pd, u32 length, struct mape_own own)
{
	struct addr6 mask = addr6_mask(length);
	u64 id = mape_interface_id(r->format, own.addr, own.psid);

	return (struct addr6){pd.hi & mask.hi, (pd.lo & mask.lo) | (id & ~mask.lo)};
}

/* All ports of a PSID; an address that is not shared has all ports there are. */
dp_fn struct dp_portset mape_ports(const struct mape_rule *r, u32 psid)
{
	return r->psid_len ? portset_of_psid(r->offset, r->psid_len, psid) : portset_of_range(0, 65535);
}

/* The parameter of a rule that cannot be right, the first that is found. */
enum mape_fault {
	MAPE_FAULT_NONE = 0,
	MAPE_FAULT_PREFIX6,	 /* longer than 128 */
	MAPE_FAULT_PREFIX4,	 /* longer than 32 */
	MAPE_FAULT_EA,		 /* more than 48: address and port are no longer (RFC 7598, 4.1) */
	MAPE_FAULT_OFFSET,	 /* more than 15 (RFC 7598, 4.5) */
	MAPE_FAULT_PSID_LEN,	 /* more than 16 */
	MAPE_FAULT_PORT_BITS,	 /* offset and PSID are longer than a port together */
	MAPE_FAULT_PSID,	 /* 2^k or more */
	MAPE_FAULT_EA_PSID,	 /* ea is neither 0 nor suffix and PSID (RFC 7597, 5.2) */
	MAPE_FAULT_PSID_PREFIX,	 /* a PSID for an IPv4 prefix (RFC 7598, 4.5) */
	MAPE_FAULT_PREFIX6_EA,	 /* prefix6 and ea are longer than an address together */
	MAPE_FAULT_PREFIX6_BITS, /* bits behind the IPv6 prefix's length */
	MAPE_FAULT_PREFIX4_BITS, /* bits behind the IPv4 prefix's length */
	MAPE_FAULT_FORMAT,	 /* unknown */
};

/* Each by itself. */
dp_fn enum mape_fault mape_range_check(const struct mape_rule *r)
{
	if (r->prefix6 > 128)
		return MAPE_FAULT_PREFIX6;
	if (r->prefix4 > 32)
		return MAPE_FAULT_PREFIX4;
	if (r->ea > 48)
		return MAPE_FAULT_EA;
	if (r->offset > 15)
		return MAPE_FAULT_OFFSET;
	if (r->psid_len > 16)
		return MAPE_FAULT_PSID_LEN;
	if (r->format > MAPE_DRAFT03)
		return MAPE_FAULT_FORMAT;
	return MAPE_FAULT_NONE;
}

/* Length of an IPv4 address behind the rule's prefix. */
dp_fn u32 mape_suffix_len(const struct mape_rule *r)
{
	return 32u - r->prefix4;
}

dp_fn enum mape_fault mape_rule_check(const struct mape_rule *r)
{
	enum mape_fault fault = mape_range_check(r);

	if (fault)
		return fault;
	if (r->ea && r->psid_len && r->ea != mape_suffix_len(r) + r->psid_len)
		return MAPE_FAULT_EA_PSID;
	if (!r->psid_len && r->ea > mape_suffix_len(r))
		return MAPE_FAULT_EA_PSID;
	if (r->offset + r->psid_len > 16)
		return MAPE_FAULT_PORT_BITS;
	if (!r->ea && r->psid_len && r->prefix4 < 32)
		return MAPE_FAULT_PSID_PREFIX;
	if (r->psid >> r->psid_len)
		return MAPE_FAULT_PSID;
	if (r->prefix6 + r->ea > 128)
		return MAPE_FAULT_PREFIX6_EA;
	if (!addr6_equal(r->prefix, (struct addr6){r->prefix.hi & addr6_mask(r->prefix6).hi,
						   r->prefix.lo & addr6_mask(r->prefix6).lo}))
		return MAPE_FAULT_PREFIX6_BITS;
	if (r->prefix4 < 32 && r->addr & ~0u >> r->prefix4)
		return MAPE_FAULT_PREFIX4_BITS;
	return MAPE_FAULT_NONE;
}

/* Fills what is computed, of a rule without fault that has `index` in its domain. */
dp_fn void mape_rule_prepare(struct mape_rule *r, u32 index)
{
	u32 suffix = mape_suffix_len(r), embedded = r->ea < suffix ? r->ea : suffix;
	u32 end = (u32)r->prefix6 + r->ea;

	r->mask = r->prefix4 ? ~0u << (suffix & 31) : 0;
	r->suffix_shift = (u8)(embedded ? suffix - embedded : 0);
	r->suffix = embedded ? ~0u >> ((32 - embedded) & 31) << (r->suffix_shift & 31) : 0;
	r->ea_shift = (u8)(r->ea ? 128 - end : 0);
	r->m = (u8)(16 - r->offset - r->psid_len);
	r->psid_mask = (u16)((1u << r->psid_len) - 1);
	r->psid_own = r->ea ? 0 : r->psid_mask;
	r->first = (u16)(r->psid_len && r->offset ? 1u << (16 - r->offset) : 0);
	r->index = (u8)index;
	r->id_mask = end > 64 ? ~addr6_mask(end).lo : ~0ULL;
}

#endif
