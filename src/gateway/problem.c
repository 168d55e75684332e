/* SPDX-License-Identifier: GPL-2.0-or-later */
/* problem.c - what keeps packets from flowing, in words, and what to do about it */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "gateway.h"
#include "lib/log.h"
#include "lib/rt.h"

#define ROOM sizeof(((struct gateway *)0)->problem)

static bool strips_tags(u32 ifindex, char *name)
{
	return if_indextoname(ifindex, name) && link_strips_tags(name);
}

/* Whether a port is where the tunnel's IPv6 packets come and go. */
static bool has_tunnel(const struct gateway *g, const struct conf_port *cp)
{
	return g->conf.kind != MODE_NAT44 && cp->role == (g->conf.kind == MODE_CE ? ROLE_WAN : ROLE_LAN);
}

/* bpf_fib_lookup() finds no way where Linux does not forward; out of the tunnel comes IPv4. */
static void forwarding_problem(const struct gateway *g, const struct conf_port *cp, char *text)
{
	bool tunnel = has_tunnel(g, cp);

	if (!rt_sysctl_get("ipv4", cp->interface, "forwarding"))
		snprintf(text, ROOM, "Linux forwards nothing from %s: sysctl -w net.ipv4.ip_forward=1", cp->interface);
	else if (tunnel && rt_sysctl_get("ipv6", cp->interface, "disable_ipv6"))
		snprintf(text, ROOM, "[%s] interface %s has no IPv6: sysctl -w net/ipv6/conf/%s/disable_ipv6=0",
			 cp->name, cp->interface, cp->interface);
	else if (tunnel && rt_sysctl_get("ipv6", cp->interface, "forwarding") != 1)
		snprintf(
			text, ROOM,
			"Linux forwards no IPv6 on %s: sysctl -w net/ipv6/conf/%s/forwarding=1 (and accept_ra=2 there, "
			"where the route comes by router advertisements)",
			cp->interface, cp->interface);
}

static void port_problem(const struct gateway *g, unsigned int i, char *text)
{
	const struct conf_port *cp = &g->conf.ports[i];
	char carrier[IFNAMSIZ];

	if (!g->dp.port[i].ifindex)
		snprintf(text, ROOM, "[%s] interface %s is gone", cp->name, cp->interface);
	else if (!g->live[i].present)
		snprintf(text, ROOM, "[%s] interface %s is down", cp->name, cp->interface);
	else if (g->dp.port[i].vid && strips_tags(g->dp.port[i].ifindex, carrier))
		snprintf(text, ROOM, "%s takes VLAN tags off before XDP can see them: ethtool -K %s rxvlan off",
			 carrier, carrier);
	else if (cp->role == ROLE_WAN && g->conf.kind != MODE_CE && !g->dp.wan_addr)
		snprintf(text, ROOM, "[%s] interface %s has no %s", cp->name, cp->interface,
			 cp->address ? "such address as configured" : "IPv4 address");
	else
		forwarding_problem(g, cp, text);
}

/* What of Linux's routing is not as a customer edge needs it. */
static void edge_problem(struct gateway *g, char *text)
{
	const char *device = g->conf.mape.device, *wan = g->conf.ports[g->tunnel.port].interface;
	char name[IFNAMSIZ], relay[INET6_ADDRSTRLEN];

	if (!g->dp.wan_addr) {
		snprintf(text, ROOM, "%.250s", domain_problem(g));
	} else if (!g->device.up) {
		snprintf(text, ROOM, "interface %s is down: ip link set dev %s up", device, device);
	} else if (g->device.rival && if_indextoname(g->device.rival, name)) {
		snprintf(text, ROOM,
			 "the IPv4 default route leads to %s, past the tunnel: delete it, or ip route replace default "
			 "via 192.0.0.1 dev %s",
			 name, device);
	} else if (rt_route6_by(&g->ask, &g->tunnel.relay[0], g->dp.port[g->tunnel.port].l3_ifindex)) {
		inet_ntop(AF_INET6, &g->tunnel.relay[0], relay, sizeof(relay));
		snprintf(text, ROOM, "no route to the border relay %s by %s; see ip -6 route get %s oif %s", relay, wan,
			 relay, wan);
	} else {
		snprintf(text, ROOM, "%.250s", domain_complaint(g));
	}
}

/* Finds the first thing that keeps packets from flowing, and says so where it is another than before. */
void problem_look(struct gateway *g)
{
	char text[ROOM] = "";

	for (unsigned int i = 0; i < g->conf.nports && !text[0]; i++)
		port_problem(g, i, text);
	if (!text[0] && g->conf.kind == MODE_CE)
		edge_problem(g, text);
	if (!strcmp(text, g->problem))
		return;
	memcpy(g->problem, text, sizeof(g->problem));
	log_warn("%s", text[0] ? text : "nothing is in the way of packets any more");
}
