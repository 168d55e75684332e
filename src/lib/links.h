/* SPDX-License-Identifier: GPL-2.0-or-later */
/* links.h - this system's network interfaces and their IPv4 addresses, as they are now */
#ifndef PORTICO_LIB_LINKS_H
#define PORTICO_LIB_LINKS_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/types.h"

#include "nl.h"

#define LINK_ADDRESSES_MAX 8
#define LINK_ALIAS_MAX 64

struct link_address {
	be32 address;
	uint8_t prefix;
};

struct link {
	uint32_t ifindex;
	uint32_t parent; /* interface below an 802.1Q interface, else 0 */
	uint16_t vid;	 /* of an 802.1Q interface, else 0 */
	uint32_t mtu;	 /* bytes */
	uint8_t mac[6];
	bool ethernet;
	bool up;
	char name[IFNAMSIZ];
	char alias[LINK_ALIAS_MAX]; /* ip link set alias; "": none */
	unsigned int naddresses;    /* the first LINK_ADDRESSES_MAX, primaries first */
	struct link_address addresses[LINK_ADDRESSES_MAX];
};

struct links {
	struct link *link;
	unsigned int count;
};

/* Reads all interfaces. 0 or -errno; links_exit() frees. */
int links_init(struct links *l, struct nl *n);
void links_exit(struct links *l);

const struct link *links_by_name(const struct links *l, const char *name);
const struct link *links_by_alias(const struct links *l, const char *alias);
const struct link *links_by_index(const struct links *l, uint32_t ifindex);

/* Has `name` compute all checksums of what it sends (tx off), and gather what it receives (gro on): what ethtool -K
 * does. 0 or -errno. */
int link_offloads_set(const char *name);

/* Whether the device takes 802.1Q tags off the frames it receives, before any program sees them (rx-vlan-offload). */
bool link_strips_tags(const char *name);

#endif
