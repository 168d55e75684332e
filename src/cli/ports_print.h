/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ports_print.h - how the port set is used, counted from the flow table, and printed */
#ifndef PORTICO_CLI_PORTS_PRINT_H
#define PORTICO_CLI_PORTS_PRINT_H

#include <jansson.h>
#include <stdbool.h>

#include "abi/config.h"

#define PORTS_PROTOCOLS 6
#define PORTS_HOSTS_MAX 1024

/* Each port of the set, for one protocol. */
struct ports_use {
	u32 flows;
	be32 host; /* of the first inside socket seen */
	be16 port;
	bool shared; /* by sockets */
};

struct ports_protocol {
	u8 number;
	const char *name;
	u32 flows, used, shared;
	struct ports_use *use; /* by index in the set */
};

struct ports_host {
	be32 host;
	u32 flows;
	u32 ports; /* where it has flows, of all protocols */
};

struct ports_count {
	const char *name; /* of the gateway */
	be32 address;
	const struct dp_portset *set;
	u32 reserved; /* ports of the set that are never handed out */
	u64 refused;  /* flows, since the gateway is up */
	u32 share;    /* ports that a host may hold towards one destination, 0: all */
	struct ports_protocol protocol[PORTS_PROTOCOLS];
	u32 nhosts; /* beyond PORTS_HOSTS_MAX they are not told apart */
	struct ports_host hosts[PORTS_HOSTS_MAX];
};

void ports_print(const struct ports_count *c, bool all);
json_t *ports_json(const struct ports_count *c, bool all);

#endif
