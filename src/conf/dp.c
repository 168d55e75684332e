/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dp.c - the configuration as the packet path takes it */
#include <string.h>

#include "conf.h"
#include "dp/portset.h"

void conf_dp(const struct conf *c, struct dp_config *dp)
{
	*dp = (struct dp_config){
		.layout = ABI_LAYOUT,
		.nports = c->nports,
		.untranslated = c->untranslated,
		.probes = c->probes,
		.ports = portset_of_range(c->port_lo, c->port_hi),
	};
	for (unsigned int i = 0; i < c->nports; i++) {
		const struct conf_port *port = &c->ports[i];

		dp->port[i].vid = port->vid;
		dp->port[i].role = (u8)port->role;
		dp->port[i].mtu = port->mtu;
		if (port->role == ROLE_WAN)
			dp->wan_addr = port->address;
	}
}
