/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_router.c - what stands between LAN and WAN in a trial of MAP-E
 *
 * Edge and relay are of one domain. The edge's tunnel leaves by the WAN; the relay's customers are on the LAN side, and
 * its WAN is the internet. IPv6 has one neighbour there, behind which everything is.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dp/mape.h"
#include "map_e.h"
#include "router.h"

#define RULE "2001:db8::/40 192.0.2.0/24 ea 14 offset 6 psid-len 6"
#define PREFIX "2001:db8:86:b000::/56"
#define RELAY "2001:db8:ffff::1"
#define FLOWS 65536
#define FLOWS_CROWDED 420000 /* over 400,000 sockets */

static int ipv6_on(struct net *h, const char *port, enum home_port neighbour, struct err *err)
{
	const u8 *m = h->end[neighbour].mac;
	int rc;

	if ((rc = net_run(h, HOME_GW, err,
			  "sysctl -qw net.ipv6.conf.all.disable_ipv6=0 net.ipv6.conf.default.disable_ipv6=0 "
			  "net.ipv6.conf.%s.disable_ipv6=0 net.ipv6.conf.all.forwarding=1 "
			  "net.ipv6.conf.%s.accept_dad=0",
			  port, port)) ||
	    (rc = net_run(h, HOME_GW, err, "ip -6 address add 2001:db8:f::2/64 dev %s nodad", port)) ||
	    (rc = net_run(h, HOME_GW, err,
			  "ip -6 neighbour replace 2001:db8:f::1 dev %s lladdr %02x:%02x:%02x:%02x:%02x:%02x "
			  "nud permanent",
			  port, m[0], m[1], m[2], m[3], m[4], m[5])))
		return rc;
	return net_run(h, HOME_GW, err, "ip -6 route add default via 2001:db8:f::1 dev %s", port);
}

static int edge_up(struct net *h, u32 flows, struct err *err)
{
	int rc;

	if ((rc = net_run(h, HOME_GW, err, "ip route del default")) || (rc = ipv6_on(h, "wan", HOME_PORT_ISP, err)))
		return rc;
	return router_portico_up(h, flows, "[map-e]\nrule = " RULE "\nprefix = " PREFIX "\nborder-relay = " RELAY "\n",
				 err);
}

static int relay_up(struct net *h, struct err *err)
{
	int rc = ipv6_on(h, "lan", HOME_PORT_HOST, err);

	return rc ? rc : router_portico_up(h, FLOWS, "[border-relay]\naddress = " RELAY "\nrule = " RULE "\n", err);
}

/* The ruleset with the way out named as it is here. */
static int ruleset_copy(FILE *from, FILE *to)
{
	static const char tunnel[] = "ip6tnl1";
	static char line[65536];

	while (fgets(line, sizeof(line), from)) {
		char *at = line, *name;

		while ((name = strstr(at, tunnel))) {
			fprintf(to, "%.*swan", (int)(name - at), at);
			at = name + strlen(tunnel);
		}
		fputs(at, to);
	}
	return ferror(from) || ferror(to) ? -EIO : 0;
}

static int ruleset_write(const char *path, struct err *err)
{
	FILE *from = fopen(RULESET, "re"), *to = from ? fopen(path, "we") : NULL;
	int rc = to ? ruleset_copy(from, to) : -errno;

	if (from)
		fclose(from);
	if (to && fclose(to))
		rc = -EIO;
	return rc ? err_set(err, rc, "copying %s to %s: %s", RULESET, path, strerror(-rc)) : 0;
}

static int ranges_up(struct net *h, struct err *err)
{
	char path[64];
	int rc;

	snprintf(path, sizeof(path), "/tmp/portico-bench-%d.nft", getpid());
	rc = ruleset_write(path, err);
	if (!rc)
		rc = net_run(h, HOME_GW, err, "nft -f %s", path);
	unlink(path);
	return rc;
}

static int floor_up(struct net *h, struct load_floor **floor, struct err *err)
{
	*floor = router_floor_open(h, err);
	return *floor ? 0 : -EIO;
}

int map_e_router_up(struct net *h, enum map_e_kind kind, struct load_floor **floor, struct err *err)
{
	*floor = NULL;
	switch (kind) {
	case MAP_E_FLOOR:
	case MAP_E_FLOOR_DECAP:
	case MAP_E_FLOOR_ENCAP:
		return floor_up(h, floor, err);
	case MAP_E_NAT44:
		return router_portico_up(h, FLOWS, "", err);
	case MAP_E_RANGES:
	case MAP_E_RANGES_FULL:
		return ranges_up(h, err);
	case MAP_E_RELAY_ENCAP:
	case MAP_E_RELAY_DECAP:
		return relay_up(h, err);
	default:
		return edge_up(h, kind == MAP_E_EDGE_CROWDED ? FLOWS_CROWDED : FLOWS, err);
	}
}

static void words_of(u32 words[4], struct addr6 a)
{
	words[0] = (u32)(a.hi >> 32);
	words[1] = (u32)a.hi;
	words[2] = (u32)(a.lo >> 32);
	words[3] = (u32)a.lo;
}

/* Their addresses follow from RULE; from one to the next only bits within a word change. */
struct load_customers map_e_customers(void)
{
	struct mape_rule rule = {.prefix = {0x20010db800000000, 0},
				 .prefix6 = 40,
				 .addr = 0xc0000200,
				 .prefix4 = 24,
				 .ea = 14,
				 .offset = 6,
				 .psid_len = 6};
	struct load_customers c = {.sport = MAP_E_PORT};
	struct in6_addr relay;
	u32 next[4];

	mape_rule_prepare(&rule, 0);
	words_of(c.source, mape_destination(&rule, rule.addr + 1, MAP_E_PORT));
	words_of(next, mape_destination(&rule, rule.addr + 2, MAP_E_PORT));
	inet_pton(AF_INET6, RELAY, &relay);
	for (u32 i = 0; i < 4; i++) {
		c.step[i] = next[i] - c.source[i];
		c.destination[i] = ntohl(relay.s6_addr32[i]);
	}
	return c;
}
