/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wire.c - a path between two interfaces of this machine, with whatever forwards between them */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"
#include "lib/addr.h"
#include "lib/links.h"

static const struct net_plan plan = {.routers = 0};

const struct topology topology_wire = {.plan = &plan, .host = "", .remote = "", .interface = {"", ""}};

struct end_name {
	const char *key, *ns, *name;
	const u8 *hop;
	int line;
};

/* In the namespace. */
static int interface_find(struct load_end *end, const char *name)
{
	const struct link *link;
	struct links links;
	struct nl nl;
	int rc = nl_open(&nl, 0);

	if (rc)
		return rc;
	rc = links_init(&links, &nl);
	nl_close(&nl);
	if (rc)
		return rc;
	link = links_by_name(&links, name);
	if (link && link->ethernet) {
		end->ifindex = link->ifindex;
		memcpy(end->mac, link->mac, sizeof(end->mac));
	} else {
		rc = link ? -ENOTSUP : -ENODEV;
	}
	links_exit(&links);
	return rc;
}

static int end_open(struct path *p, int which, const struct end_name *e, struct err *err)
{
	struct load_end *end = &p->wire_end[which];
	char path[128], where[LAB_WHERE];
	struct err ignored;
	int rc;

	lab_where(where, p->lab, e->line);
	snprintf(path, sizeof(path), *e->ns ? "/run/netns/%s" : "/proc/self/ns/net", e->ns);
	end->ns = p->wire[which] = open(path, O_RDONLY | O_CLOEXEC);
	if (end->ns < 0)
		return err_set(err, -ENODEV, "%s: %s: there is no network namespace '%s'; 'ip netns' lists them", where,
			       e->key, e->ns);
	if (setns(end->ns, CLONE_NEWNET))
		return err_set(err, -errno, "%s: %s: cannot enter network namespace '%s': %s", where, e->key, e->ns,
			       strerror(errno));
	rc = interface_find(end, e->name);
	memcpy(end->hop, e->hop, sizeof(end->hop));
	net_enter(&p->net, NET_HERE, &ignored);
	if (rc == -ENODEV)
		return err_set(err, rc, "%s: %s: there is no interface '%s'%s%s; 'ip link' lists those there are",
			       where, e->key, e->name, *e->ns ? " in network namespace " : "", e->ns);
	return rc ? err_set(err, rc, "%s: %s: interface '%s': %s", where, e->key, e->name,
			    rc == -ENOTSUP ? "is no Ethernet" : strerror(-rc))
		  : 0;
}

int wire_open(struct path *p, struct err *err)
{
	const struct lab_wire *w = &p->lab->wire;
	const struct end_name near = {"near", w->near_ns, w->near, w->near_hop, w->near_line};
	const struct end_name far = {"far", w->far_ns, w->far, w->far_hop, w->far_line};
	int rc;

	if (!*w->near)
		return 0;
	rc = end_open(p, 0, &near, err);
	return rc ? rc : end_open(p, 1, &far, err);
}

void wire_load(const struct path *p, struct load_path *load)
{
	const struct lab_wire *w = &p->lab->wire;

	load->near = p->wire_end[0];
	load->far = p->wire_end[1];
	load->host_first = addr_host(w->hosts);
	load->remote_first = addr_host(w->remotes);
	load->source = w->outside ? w->outside : w->hosts & addr_mask(24);
	load->mask = addr_mask(w->outside ? 32 : 24);
}
