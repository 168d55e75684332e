/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dp.c - the configuration as the packet path takes it */
#include <string.h>

#include "conf.h"
#include "dp/portset.h"

/* A customer edge's ports and address are the rule's. */
static void edge(const struct mape_domain *d, struct dp_config *dp)
{
	struct mape_customer own;

	dp->wan_addr = 0;
	dp->ports = (struct dp_portset){0};
	if (d->basic < 0 || !d->nrules)
		return;
	mape_domain_own(d, &own);
	dp->wan_addr = be32_of(own.own.addr);
	dp->ports = own.ports;
}

void conf_dp(const struct conf *c, struct dp_config *dp)
{
	*dp = (struct dp_config){
		.layout = ABI_LAYOUT,
		.nports = c->nports,
		.untranslated = c->untranslated,
		.probes = c->probes,
		.ports = portset_of_range(c->port_lo, c->port_hi),
		.mode = (u8)c->kind,
		.mapping = c->mapping,
		.filtering = c->filtering,
		.refusal = c->refusal,
	};
	for (unsigned int i = 0; i < c->nports; i++) {
		const struct conf_port *port = &c->ports[i];

		dp->port[i].vid = port->vid;
		dp->port[i].role = (u8)port->role;
		dp->port[i].mtu = port->mtu;
		if (port->role == ROLE_WAN)
			dp->wan_addr = port->address;
	}
	if (c->kind == MODE_CE)
		edge(&c->mape.domain, dp);
}
