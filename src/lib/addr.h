/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addr.h - IPv4 and MAC addresses as text
 *
 * IPv4 addresses and ports are in network order, as in struct sockaddr_in, except where a name says host. Parsers take
 * the whole text, nothing around it, and return 0 or -EINVAL; printers return the buffer they were given.
 */
#ifndef PORTICO_LIB_ADDR_H
#define PORTICO_LIB_ADDR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/types.h"

#define ADDR_TEXT INET_ADDRSTRLEN
#define MAC_TEXT 18

int addr_parse(const char *text, be32 *addr);
/* "192.168.1.1/24": the address as written, host bits included, and a length of 0 to 32. */
int addr_parse_prefix(const char *text, be32 *addr, uint8_t *length);
char *addr_print(char text[ADDR_TEXT], be32 addr);

/* Network mask of a prefix length, network order. */
be32 addr_mask(unsigned int length);
/* Whether `addr` lies in prefix/length; host bits of `prefix` do not matter. */
bool addr_in(be32 addr, be32 prefix, unsigned int length);
/* Whether a host can have this address: not in 0/8 or 127/8, nor multicast, reserved, broadcast (RFC 1122, 3.2.1.3). */
bool addr_is_host(be32 addr);

uint32_t addr_host(be32 addr);
uint16_t port_host(be16 port);
be16 port_net(uint16_t port);

/* "02:00:00:00:01:48" */
int mac_parse(const char *text, uint8_t mac[6]);
char *mac_print(char text[MAC_TEXT], const uint8_t mac[6]);
/* Whether a station can have this address: not zero and not a group. */
bool mac_is_station(const uint8_t mac[6]);

#endif
