/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup.h - from a configuration file to a replay: what a live gateway would ask of the system comes from the file */
#ifndef PORTICO_CLI_SETUP_H
#define PORTICO_CLI_SETUP_H

#include "conf/conf.h"
#include "engine/home.h"
#include "engine/replay.h"

/* What the options point at. */
struct setup {
	struct home_port ports[DP_PORTS_MAX];
	struct engine_route routes[HOME_ROUTES_MAX];
	struct replay_neighbour neighbours[CONF_NEIGHBOURS_MAX];
};

/* Fills all of *o but the files. `c` and `s` must live as long as `o`. 0, or -EINVAL with *err filled: a port has no
 * address, or what a customer edge is told by DHCPv6 is not in the file. */
int setup_replay(const struct conf *c, struct setup *s, struct replay_options *o, struct err *err);

#endif
