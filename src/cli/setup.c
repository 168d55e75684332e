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
	for (unsigned int i = 0; i < c->nports; i++) {
		if (!c->ports[i].address)
			return err_set(err, -EINVAL,
				       "%s:%d: [%s] has no address, and replay asks no interface: add address = ...",
				       c->path, c->ports[i].line, c->ports[i].name);
		port_setup(&c->ports[i], &s->ports[i]);
	}
	for (unsigned int i = 0; i < c->nneighbours; i++) {
		s->neighbours[i] =
			(struct replay_neighbour){.port = c->neighbours[i].port, .addr = c->neighbours[i].address};
		memcpy(s->neighbours[i].mac, c->neighbours[i].lladdr, sizeof(s->neighbours[i].mac));
	}
	conf_dp(c, &o->config);
	home_config(s->ports, c->seed, &o->config);
	o->nroutes = home_routes(s->ports, &o->config, s->routes);
	return 0;
}
