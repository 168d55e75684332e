/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup.c - from a configuration file to a replay */
#include "setup.h"

#include <errno.h>
#include <string.h>

static void port_setup(const struct conf_port *from, struct home_port *to)
{
	*to = (struct home_port){
		.link = from->port[0] ? from->port : from->interface,
		.address = from->address,
		.prefix = from->prefix,
		.gateway = from->gateway,
		.has_lladdr = from->has_lladdr,
	};
	memcpy(to->lladdr, from->lladdr, sizeof(to->lladdr));
}

/* Whether only IPv6 is there: packets of the tunnel. */
static bool tunnel_side(const struct conf *c, const struct conf_port *port)
{
	return c->kind == (port->role == ROLE_WAN ? MODE_CE : MODE_BR);
}

static int ports_setup(const struct conf *c, struct setup *s, struct err *err)
{
	for (unsigned int i = 0; i < c->nports; i++) {
		const struct conf_port *port = &c->ports[i];

		port_setup(port, &s->ports[i]);
		if (tunnel_side(c, port))
			s->ports[i].address = 0;
		else if (!port->address)
			return err_set(err, -EINVAL,
				       "%s:%d: [%s] has no address, and replay asks no interface: add address = ...",
				       c->path, port->line, port->name);
	}
	return 0;
}

/* The tunnel begins at the first port of its side, and its MTU is at most that of this port. */
static int tunnel_setup(const struct conf *c, struct setup *s, struct replay_options *o, struct err *err)
{
	const struct conf_tunnel *conf = c->kind == MODE_CE ? &c->mape.tunnel : &c->relay_tunnel;
	u8 port = 0;
	u16 mtu;

	if (c->kind == MODE_NAT44)
		return 0;
	if (conf_tunnel_make(c, &o->tunnel))
		return err_set(
			err, -EINVAL,
			"%s:%d: rule, prefix and border-relay come from %s, and replay follows no file: give them",
			c->path, c->mape.line, c->mape.dhcpv6);
	while (!tunnel_side(c, &c->ports[port]))
		port++;
	mtu = c->ports[port].mtu ? c->ports[port].mtu : HOME_MTU_DEFAULT;
	if (conf->mtu && conf->mtu < mtu)
		mtu = conf->mtu;
	o->tunnel.port = port;
	o->tunnel.mtu = mtu < MAPE_MTU_LEAST ? MAPE_MTU_LEAST : mtu;
	addr6_to_wire(o->gateway6.w, c->ports[port].gateway6);
	if (c->kind == MODE_BR)
		return 0;
	if (c->nports == DP_PORTS_MAX)
		return err_set(err, -E2BIG, "%s: with [map-e] there are at most %d [lan] and [wan] sections", c->path,
			       DP_PORTS_MAX - 1);
	home_self(s->ports, (u16)(o->tunnel.mtu - TUNNEL_HEADER), &o->config);
	return 0;
}

int setup_replay(const struct conf *c, struct setup *s, struct replay_options *o, struct err *err)
{
	*o = (struct replay_options){
		.timers = c->timers,
		.flows = c->flows,
		.reserved = c->reserved,
		.routes = s->routes,
		.neighbours = s->neighbours,
		.nneighbours = c->nneighbours,
	};
	for (unsigned int i = 0; i < c->nneighbours; i++) {
		s->neighbours[i] =
			(struct replay_neighbour){.port = c->neighbours[i].port, .addr = c->neighbours[i].address};
		memcpy(s->neighbours[i].mac, c->neighbours[i].lladdr, sizeof(s->neighbours[i].mac));
	}
	conf_dp(c, &o->config);
	if (ports_setup(c, s, err) || tunnel_setup(c, s, o, err))
		return -EINVAL;
	home_config(s->ports, c->seed, &o->config);
	o->nroutes = home_routes(s->ports, &o->config, s->routes);
	return 0;
}
