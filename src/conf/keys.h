/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.h - every key of the configuration file, in one table: reading, defaults, help and manual come from it */
#ifndef PORTICO_CONF_KEYS_H
#define PORTICO_CONF_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/types.h"

/* Bits, since [lan] and [wan] share keys, as [map-e] and [border-relay] do. */
enum conf_section {
	SECTION_NONE = 0,
	SECTION_GATEWAY = 1,
	SECTION_LAN = 2,
	SECTION_WAN = 4,
	SECTION_NAT = 8,
	SECTION_TIMERS = 16,
	SECTION_MAP_E = 32,
	SECTION_RELAY = 64, /* [border-relay] */
	SECTION_PORT = SECTION_LAN | SECTION_WAN,
	SECTION_TUNNEL = SECTION_MAP_E | SECTION_RELAY,
};

/* Which struct a key's value goes to. */
enum conf_home {
	HOME_CONF,   /* struct conf */
	HOME_PORT,   /* struct conf_port, of the section */
	HOME_DOMAIN, /* struct mape_domain, of the section */
	HOME_TUNNEL, /* struct conf_tunnel, of the section */
};

enum conf_key_id {
	KEY_NAME,
	KEY_FLOWS,
	KEY_MODE,
	KEY_UNTRANSLATED,
	KEY_INTERFACE,
	KEY_PORT,
	KEY_VLAN,
	KEY_ADDRESS,
	KEY_MTU,
	KEY_GATEWAY,
	KEY_GATEWAY6,
	KEY_LLADDR,
	KEY_NEIGHBOUR,
	KEY_PORTS,
	KEY_RESERVE,
	KEY_PROBES,
	KEY_MAPPING,
	KEY_FILTERING,
	KEY_HOST_SHARE,
	KEY_COOLING,
	KEY_REFUSAL,
	KEY_SEED,
	KEY_RULE,
	KEY_FORMAT,
	KEY_HOP_LIMIT,
	KEY_DSCP,
	KEY_ECN,
	KEY_PATH_MTU,
	KEY_PREFIX,
	KEY_CE_ADDRESS,
	KEY_BORDER_RELAY,
	KEY_S46,
	KEY_DHCPV6,
	KEY_DEVICE,
	KEY_BR_ADDRESS,
	KEY_TCP_ESTABLISHED,
	KEY_TCP_TRANSITORY,
	KEY_UDP,
	KEY_ICMP,
	KEY_UDP_INBOUND_REFRESH,
	KEY_COUNT,
};

struct reader;
struct conf_key;

/* Takes the value of `key` into the configuration; 0, or -EINVAL with the reader's error set. */
typedef int conf_value(struct reader *r, const struct conf_key *key, const char *value);

struct conf_key {
	unsigned int sections; /* SECTION_* */
	const char *name;
	const char *form;    /* what a value looks like; for words the list of them, in the order of their numbers */
	const char *initial; /* default: a value, or prose; NULL: must be given */
	const char *text;    /* for the manual and `portico check --keys` */
	bool prose;	     /* `initial` says what holds, and is no value */
	bool repeats;
	conf_value *parse;
	enum conf_home home;
	size_t offset; /* of the field in `home` */
	size_t size;   /* of the field, bytes */
	u32 min, max;  /* numbers and times */
	u32 low;       /* times: below this, a warning names */
	const char *rfc;
};

extern const struct conf_key conf_keys[KEY_COUNT];

/* "[lan], [wan]" */
const char *conf_section_names(unsigned int sections);

/* The key of this name in `section`, or NULL; and, for the sentence about that, the key meant: one of this name in
 * another section, or the nearest name in this one, or NULL. */
const struct conf_key *conf_key_find(enum conf_section section, const char *name);
const struct conf_key *conf_key_meant(enum conf_section section, const char *name);

#endif
