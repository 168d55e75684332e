/* SPDX-License-Identifier: GPL-2.0-or-later */
/* s46.h - MAP-E parameters as DHCPv6 brings them (RFC 7598): options on the wire, and as odhcp6c writes them
 *
 *      container (94) ---- rule (89) ---- port parameters (93)
 *                      \-- border relay (90)
 *
 * Both add rules and border relays to a domain whose format is set, and say in words what they cannot read: a byte's or
 * a character's position, from 0, and what is wrong there. What can be read but not be right is mape_domain_check()'s.
 */
#ifndef PORTICO_CONF_S46_H
#define PORTICO_CONF_S46_H

#include <stddef.h>

#include "mape.h"

/* Options as in a DHCPv6 message, or what is inside a MAP-E container. 0; -EINVAL, -E2BIG; or -ENOTSUP where there are
 * only containers of other mechanisms. */
int s46_parse(struct mape_domain *d, const u8 *data, size_t length, struct err *err);

/* The same in hexadecimal; blanks and colons between bytes, and 0x in front, do not matter. */
int s46_parse_hex(struct mape_domain *d, const char *text, struct err *err);

/* What odhcp6c puts into MAPE, with or without "MAPE=": rules apart by blanks, each "[fmr,]type=map-e,ealen=16,
 * prefix4len=24,prefix6len=40,ipv4prefix=192.0.2.0,ipv6prefix=2001:db8::,offset=6,psidlen=8,psid=0,br=2001:db9::1,". */
int odhcp6c_parse(struct mape_domain *d, const char *text, struct err *err);

#endif
