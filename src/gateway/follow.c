/* SPDX-License-Identifier: GPL-2.0-or-later */
/* follow.c - the system's changes, as netlink tells them
 *
 * Neighbours are taken as they come. Links, addresses, routes and whether Linux forwards only mark what has to be
 * looked at again, once, when all that has arrived is read: a link that flaps makes many messages. When messages were
 * lost, everything is.
 */
#include <errno.h>
#include <string.h>

#include "gateway.h"
#include "lib/log.h"

#define GROUP(number) (1u << ((number)-1)) /* as RTMGRP_* are */
#define GROUPS                                                                                                         \
	(RTMGRP_LINK | RTMGRP_NEIGH | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR |                    \
	 RTMGRP_IPV6_ROUTE | GROUP(RTNLGRP_IPV4_NETCONF) | GROUP(RTNLGRP_IPV6_NETCONF))

struct changes {
	struct gateway *g;
	bool links;
	bool routes;
};

int follow_open(struct gateway *g, struct err *err)
{
	int rc = nl_open(&g->ask, 0);

	if (!rc)
		rc = nl_open(&g->listen, GROUPS);
	return rc ? err_set(err, rc, "opening a route netlink socket: %s", strerror(-rc)) : 0;
}

static int message(const struct nlmsghdr *m, void *arg)
{
	struct changes *c = arg;

	switch (m->nlmsg_type) {
	case RTM_NEWNEIGH:
	case RTM_DELNEIGH:
		return neigh_message(m, c->g);
	case RTM_NEWLINK:
	case RTM_DELLINK:
	case RTM_NEWADDR:
	case RTM_DELADDR:
	case RTM_NEWNETCONF:
		c->links = true;
		return MNL_CB_OK;
	case RTM_NEWROUTE:
	case RTM_DELROUTE:
		c->routes = true;
		return MNL_CB_OK;
	default:
		return MNL_CB_OK;
	}
}

void follow_read(struct gateway *g)
{
	struct changes c = {.g = g};
	int rc = nl_read(&g->listen, message, &c);

	if (rc == -ENOBUFS) {
		log_warn("netlink messages were lost: reading everything anew");
		neigh_sync(g);
		c.links = c.routes = true;
	} else if (rc) {
		log_error("netlink: %s", strerror(-rc));
	}
	if (c.routes)
		g->dp.routes++;
	if (c.links || (c.routes && g->conf.kind == MODE_CE)) /* the default route may be the tunnel's no more */
		live_refresh(g);
	else if (c.routes)
		live_config_write(g);
}
