/* SPDX-License-Identifier: GPL-2.0-or-later */
/* control.c - the control socket: a word in, one JSON text out
 *
 *   status  how the instance stands        timers  its idle times
 *   stop    end the daemon; the packet path goes on
 *   leave   likewise, and take away what it has made beside the packet path, which is about to go
 */
#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conf/paths.h"
#include "gateway.h"
#include "lib/clock.h"
#include "lib/sock.h"

#define CLIENT_USEC 200000 /* how long the daemon waits for a client to ask, and to read */

static json_t *address_json(be32 addr)
{
	char text[INET_ADDRSTRLEN];

	if (!addr)
		return json_null();
	inet_ntop(AF_INET, &addr, text, sizeof(text));
	return json_string(text);
}

static json_t *timers_json(const struct gateway *g)
{
	const struct dp_timers *t = &g->conf.timers;

	return json_pack("{s:i, s:i, s:i, s:i, s:b}", "tcp_established", (int)t->tcp_established, "tcp_transitory",
			 (int)t->tcp_transitory, "udp", (int)t->udp, "icmp", (int)t->icmp, "udp_inbound_refresh",
			 t->udp_inbound_refresh != 0);
}

static json_t *interface_json(const struct gateway *g, unsigned int i)
{
	const struct conf_port *cp = &g->conf.ports[i];
	const struct dp_port *dp = &g->dp.port[i];
	char mac[18], carrier[IFNAMSIZ] = "";

	snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", dp->mac[0], dp->mac[1], dp->mac[2], dp->mac[3],
		 dp->mac[4], dp->mac[5]);
	if (dp->ifindex)
		if_indextoname(dp->ifindex, carrier);
	return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:i, s:s, s:o, s:i}", "role",
			 cp->role == ROLE_LAN ? "lan" : "wan", "name", cp->name, "interface", cp->interface, "port",
			 carrier, "vlan", dp->vid, "ifindex", (int)dp->ifindex, "mac", mac, "mtu", dp->mtu, "xdp",
			 !g->live[i].attached		     ? "none"
			 : g->live[i].mode == KERNEL_GENERIC ? "generic"
							     : "native",
			 "address", address_json(g->live[i].address), "prefix", g->live[i].prefix);
}

static json_t *slow_json(const struct gateway *g)
{
	struct slow_counts c = slow_counts(g);

	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "received", (json_int_t)c.received, "held",
			 (json_int_t)c.held, "sent", (json_int_t)c.sent, "dropped", (json_int_t)c.dropped, "cut",
			 (json_int_t)c.cut, "reassembled", (json_int_t)c.reassembled, "answered",
			 (json_int_t)c.answered, "searched", (json_int_t)c.searched, "refused", (json_int_t)c.refused);
}

static json_t *address6_json(const struct ip_addr *addr)
{
	static const struct ip_addr none;
	char text[INET6_ADDRSTRLEN];

	if (!memcmp(addr, &none, sizeof(none)))
		return json_null();
	return json_string(inet_ntop(AF_INET6, addr, text, sizeof(text)));
}

/* The domains of a border relay; of others there are none. */
static json_t *domains_json(const struct gateway *g)
{
	json_t *domains = json_array();

	for (u32 i = 0; i < g->conf.nrelays; i++)
		json_array_append_new(domains, json_pack("{s:s, s:o, s:i}", "name", g->conf.relays[i].name, "address",
							 address6_json(&g->tunnel.relay[i]), "rules",
							 (int)g->conf.relays[i].domain.nrules));
	return domains;
}

/* Of a customer edge or border relay; null of a NAPT44. */
static json_t *tunnel_json(const struct gateway *g)
{
	bool edge = g->conf.kind == MODE_CE;
	json_t *relays;

	if (g->conf.kind == MODE_NAT44)
		return json_null();
	relays = json_array();
	for (u32 i = 0; i < g->tunnel.nrelays; i++)
		json_array_append_new(relays, address6_json(&g->tunnel.relay[i]));
	return json_pack("{s:o, s:o, s:i, s:i, s:o, s:s}", "local",
			 edge ? address6_json(&g->tunnel.local) : json_null(), "border_relays", relays, "mtu",
			 g->tunnel.mtu, "rules", (int)g->tunnel.nrules, "domains", domains_json(g), "device",
			 edge ? g->conf.mape.device : "");
}

/* What a customer edge has; null of others, and while there is no domain. */
static json_t *mape_json(const struct gateway *g)
{
	const struct mape_domain *d = &g->conf.mape.domain;
	struct mape_customer own;

	if (g->conf.kind != MODE_CE || d->basic < 0 || !d->nrules)
		return json_null();
	mape_domain_own(d, &own);
	return json_pack("{s:i, s:i, s:i, s:i, s:s}", "psid", own.own.psid, "psid_len", d->rules[d->basic].psid_len,
			 "offset", d->rules[d->basic].offset, "ports", (int)own.ports.count, "from",
			 g->conf.mape.dhcpv6[0] ? g->conf.mape.dhcpv6 : g->conf.path);
}

static const char *kind_name(const struct gateway *g)
{
	return g->conf.kind == MODE_CE ? "map-e" : g->conf.kind == MODE_BR ? "border-relay" : "nat44";
}

static void ports_text(const struct gateway *g, char *text, size_t room)
{
	if (g->conf.kind == MODE_CE)
		snprintf(text, room, "%u of its set", g->dp.ports.count);
	else if (g->conf.kind == MODE_BR)
		snprintf(text, room, "none");
	else
		snprintf(text, room, "%u-%u", g->conf.port_lo, g->conf.port_hi);
}

static json_t *status_json(struct gateway *g)
{
	json_t *interfaces = json_array();
	char ports[32];

	ports_text(g, ports, sizeof(ports));
	for (unsigned int i = 0; i < g->conf.nports; i++)
		json_array_append_new(interfaces, interface_json(g, i));
	return json_pack("{s:s, s:s, s:o, s:o, s:b, s:s, s:i, s:i, s:i, s:b, s:o, s:s, s:{s:i, s:i}, s:o, s:i, "
			 "s:I, s:o, s:o, s:s}",
			 "name", g->conf.name, "kind", kind_name(g), "tunnel", tunnel_json(g), "map_e", mape_json(g),
			 "one_way", g->oneway.noticed, "version", PORTICO_VERSION, "layout", ABI_LAYOUT, "pid",
			 (int)getpid(), "uptime_s", (int)(clock_seconds() - g->started), "adopted", g->adopted,
			 "wan_address", address_json(g->dp.wan_addr), "ports", ports, "flows", "used", (int)gc_count(g),
			 "max", (int)(kernel_flows_max(g->kernel) / flow_entries(&g->dp)), "interfaces", interfaces,
			 "neighbours", (int)neigh_count(g), "memory", (json_int_t)kernel_memory(g->kernel), "timers",
			 timers_json(g), "slow", slow_json(g), "problem",
			 g->problem[0] ? g->problem : oneway_problem(g));
}

static json_t *answer(struct gateway *g, const char *question)
{
	if (!strcmp(question, "status"))
		return status_json(g);
	if (!strcmp(question, "timers"))
		return timers_json(g);
	if (!strcmp(question, "leave")) {
		tunnel_undo(g);
		device_remove(g);
		g->stop = true;
		return json_pack("{s:b}", "leaving", 1);
	}
	if (!strcmp(question, "stop")) {
		g->stop = true;
		return json_pack("{s:b}", "stopping", 1);
	}
	return json_pack("{s:s}", "error", "unknown question");
}

int control_open(struct gateway *g, struct err *err)
{
	char path[PATHS_MAX];
	int fd = sock_listen(paths_socket(path, g->conf.name));

	return fd < 0 ? err_set(err, fd, "%s: %s", path, strerror(-fd)) : fd;
}

void control_accept(struct gateway *g, int fd)
{
	struct timeval wait = {.tv_usec = CLIENT_USEC};
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC), room = SOCK_ANSWER_MAX;
	json_t *json = NULL;
	char question[64], *text = NULL;
	ssize_t size;

	if (client < 0)
		return;
	setsockopt(client, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	size = recv(client, question, sizeof(question) - 1, 0);
	if (size > 0) {
		question[size] = '\0';
		json = answer(g, question);
	}
	if (json)
		text = json_dumps(json, JSON_COMPACT);
	if (text)
		send(client, text, strlen(text), MSG_NOSIGNAL);
	free(text);
	json_decref(json);
	close(client);
}
