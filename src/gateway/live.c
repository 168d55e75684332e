/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live.c - from the configuration and the live system to what the packet path is told
 *
 * One function, plan(), computes the whole of it from a snapshot of the system's interfaces. It runs at start, where a
 * missing interface is an error, and again at every change of a link or an address, where it is a state that passes:
 * the port is then without an interface until the name comes back.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "gateway.h"
#include "lib/addr.h"
#include "lib/log.h"

struct plan {
	struct dp_config dp;
	struct dp_tunnel tunnel;
	struct live_port live[DP_PORTS_MAX];
};

static int missing(const struct gateway *g, const struct conf_port *cp, int line, const char *name, struct err *err)
{
	return err_set(err, -ENODEV, "%s:%d: [%s] interface '%s' does not exist; see 'ip link'", g->conf.path, line,
		       cp->name, name);
}

/* Where the frames of a configured interface really are: the port that is named, else the interface below its 802.1Q
 * tag, else the interface itself. */
static int plan_port(const struct gateway *g, const struct links *links, unsigned int i, struct plan *p,
		     struct err *err)
{
	const struct conf_port *cp = &g->conf.ports[i];
	const struct link *l3 = links_by_name(links, cp->interface), *carrier = l3;
	struct dp_port *dp = &p->dp.port[i];
	struct live_port *live = &p->live[i];

	if (!l3)
		return missing(g, cp, cp->line, cp->interface, err);
	if (cp->port[0]) {
		carrier = links_by_name(links, cp->port);
	} else if (l3->parent) {
		carrier = links_by_index(links, l3->parent);
		dp->vid = l3->vid;
	}
	if (!carrier)
		return missing(g, cp, cp->port[0] ? cp->port_line : cp->line,
			       cp->port[0] ? cp->port : "(below the tag)", err);
	if (!l3->ethernet || !carrier->ethernet)
		return err_set(err, -ENOTSUP,
			       "%s:%d: [%s] '%s' is no Ethernet interface; Portico forwards between those only",
			       g->conf.path, cp->line, cp->name, cp->interface);
	dp->ifindex = carrier->ifindex;
	dp->l3_ifindex = l3->ifindex;
	memcpy(dp->mac, l3->mac, sizeof(dp->mac));
	dp->mtu = (u16)(l3->mtu > 65535 ? 65535 : l3->mtu);
	live->present = l3->up && carrier->up;
	for (unsigned int a = 0; a < l3->naddresses && !live->address; a++) {
		if (cp->address && l3->addresses[a].address != cp->address)
			continue;
		live->address = l3->addresses[a].address;
		live->prefix = l3->addresses[a].prefix;
	}
	if (cp->mtu && cp->mtu < dp->mtu)
		return err_set(err, -EINVAL,
			       "%s:%d: [%s] mtu = %u is below the MTU of '%s' (%u), and what is too big is answered by "
			       "Linux: set it there, ip link set dev %s mtu %u",
			       g->conf.path, cp->mtu_line, cp->name, cp->mtu, cp->interface, dp->mtu, cp->interface,
			       cp->mtu);
	return 0;
}

static bool overlap(const struct live_port *a, const struct live_port *b)
{
	u8 shorter = a->prefix < b->prefix ? a->prefix : b->prefix;
	u32 mask = shorter ? ~0u << (32 - shorter) : 0;

	return a->address && b->address && ((addr_host(a->address) ^ addr_host(b->address)) & mask) == 0;
}

static int plan_overlaps(const struct gateway *g, const struct plan *p, struct err *err)
{
	for (unsigned int i = 0; i < g->conf.nports; i++)
		for (unsigned int j = 0; j < i; j++)
			if (overlap(&p->live[i], &p->live[j]))
				return err_set(err, -EINVAL,
					       "%s:%d: the networks of [%s] (%s) and [%s] (%s) overlap; give one of "
					       "them other addresses",
					       g->conf.path, g->conf.ports[i].line, g->conf.ports[i].name,
					       g->conf.ports[i].interface, g->conf.ports[j].name,
					       g->conf.ports[j].interface);
	return 0;
}

/* Computes everything. With `strict`, the first port that is not there is an error. */
static int plan(struct gateway *g, struct plan *p, bool strict, struct err *err)
{
	struct links links;
	int rc = links_init(&links, &g->ask);

	if (rc)
		return err_set(err, rc, "asking for the interfaces: %s", strerror(-rc));
	memset(p, 0, sizeof(*p));
	conf_dp(&g->conf, &p->dp);
	if (g->conf.kind != MODE_CE)
		p->dp.wan_addr = 0;
	p->dp.routes = g->dp.routes;
	p->dp.share = g->dp.share;
	memcpy(p->dp.secret, g->dp.secret, sizeof(p->dp.secret));
	for (unsigned int i = 0; i < g->conf.nports && !rc; i++) {
		rc = plan_port(g, &links, i, p, err);
		if (rc && !strict)
			rc = 0;
		if (g->conf.ports[i].role == ROLE_WAN && g->conf.kind != MODE_CE)
			p->dp.wan_addr = p->live[i].address;
	}
	if (!rc && strict)
		rc = plan_overlaps(g, p, err);
	if (!rc && g->conf.kind != MODE_NAT44)
		tunnel_plan(g, &p->dp, &p->tunnel);
	if (!rc && g->conf.kind == MODE_CE) {
		rc = device_open(g, &links, p->tunnel.mtu - TUNNEL_HEADER, err);
		tunnel_plan_self(g, &p->dp, &p->tunnel);
	}
	links_exit(&links);
	return rc;
}

int live_config_write(struct gateway *g)
{
	int rc = kernel_config_set(g->kernel, &g->dp);

	if (rc)
		log_error("writing the configuration to the kernel: %s", strerror(-rc));
	return rc;
}

struct keep {
	struct gateway *g;
	const struct dp_config *dp;
};

static void detach_unused(void *arg, u32 ifindex)
{
	struct keep *keep = arg;

	for (u32 i = 0; i < keep->dp->nports; i++)
		if (keep->dp->port[i].ifindex == ifindex)
			return;
	kernel_detach(keep->g->kernel, ifindex);
}

/* Attaches to each interface once, however many ports it has. */
static int attach_each(struct gateway *g, struct plan *p, enum kernel_mode mode, struct err *err)
{
	for (u32 i = 0; i < p->dp.nports; i++) {
		u32 ifindex = p->dp.port[i].ifindex;
		u32 same = 0;

		while (same < i && p->dp.port[same].ifindex != ifindex)
			same++;
		if (!ifindex)
			continue;
		p->live[i].mode = same < i ? p->live[same].mode : kernel_attach(g->kernel, ifindex, mode, err);
		if (p->live[i].mode < 0)
			return p->live[i].mode;
		p->live[i].attached = ifindex;
	}
	return 0;
}

static bool attached_as(const struct plan *p, int mode)
{
	for (u32 i = 0; i < p->dp.nports; i++)
		if (p->live[i].attached && p->live[i].mode == mode)
			return true;
	return false;
}

/* A native program cannot send to an interface whose driver knows nothing of XDP; a generic one can send to all. So
 * where one interface has no native XDP, none of them uses it. */
static int attach_all(struct gateway *g, struct plan *p, struct err *err)
{
	static const enum kernel_mode modes[] = {
		[CONF_MODE_AUTO] = KERNEL_AUTO,
		[CONF_MODE_NATIVE] = KERNEL_NATIVE,
		[CONF_MODE_GENERIC] = KERNEL_GENERIC,
	};
	int rc = attach_each(g, p, modes[g->conf.mode], err);

	if (!rc && attached_as(p, KERNEL_GENERIC) && attached_as(p, KERNEL_NATIVE))
		rc = attach_each(g, p, KERNEL_GENERIC, err);
	return rc;
}

/* Next hops are learnt anew; to this router itself there is one that Linux does not know. */
static void apply_neighbours(struct gateway *g)
{
	neigh_sync(g);
	if (g->conf.kind == MODE_CE)
		g->dp.self_hop = neigh_keep(g, g->dp.nports - 1, g->dp.self, g->device.mac);
}

/* Tells the kernel. The configuration comes before the attachments: a program never runs on half a configuration. */
static int apply(struct gateway *g, struct plan *p, struct err *err)
{
	bool moved = memcmp(p->dp.port, g->dp.port, sizeof(p->dp.port)) != 0;
	bool ports = memcmp(&p->dp.ports, &g->dp.ports, sizeof(p->dp.ports)) != 0;
	bool rerouted = moved || memcmp(&p->tunnel, &g->tunnel, sizeof(p->tunnel)) != 0;
	be32 before = g->dp.wan_addr;
	int rc = 0;

	if (rerouted)
		p->dp.routes++;
	g->dp = p->dp;
	for (u32 i = 0; i < g->dp.nports && !rc; i++)
		if (g->dp.port[i].ifindex)
			rc = kernel_tx_set(g->kernel, i, g->dp.port[i].ifindex);
	if (!rc && ports)
		rc = ports_blank(g);
	if (!rc)
		rc = tunnel_apply(g, &p->tunnel);
	if (!rc && moved)
		apply_neighbours(g);
	if (!rc)
		rc = live_config_write(g);
	if (rc)
		return err_set(err, rc, "configuring the packet path: %s", strerror(-rc));
	rc = attach_all(g, p, err);
	memcpy(g->live, p->live, sizeof(g->live));
	kernel_attachments(g->kernel, detach_unused, &(struct keep){g, &g->dp});
	if (g->dp.wan_addr && (g->dp.wan_addr != before || (ports && g->conf.kind == MODE_CE)))
		gc_flush(g);
	return rc;
}

/* Takes over what an earlier daemon left: its port choice stays, what it knew of neighbours is learnt anew. */
static int adopt(struct gateway *g, struct err *err)
{
	struct dp_config before;
	int rc = kernel_config_get(g->kernel, &before);

	if (!rc)
		rc = kernel_tunnel_get(g->kernel, &g->tunnel);
	if (!rc)
		rc = kernel_neighbours_clear(g->kernel);
	if (rc)
		return err_set(err, rc, "adopting the packet path: %s", strerror(-rc));
	memcpy(g->dp.secret, before.secret, sizeof(g->dp.secret));
	g->dp.routes = before.routes;
	if (kernel_flows_max(g->kernel) != g->conf.flows * flow_entries(&g->dp))
		log_warn("the flow table keeps its size of %u flows; for flows = %u run 'portico down' first",
			 kernel_flows_max(g->kernel) / flow_entries(&g->dp), g->conf.flows);
	return 0;
}

int live_start(struct gateway *g, struct err *err)
{
	struct plan p;
	int rc = plan(g, &p, true, err);

	if (rc)
		return rc;
	g->kernel = kernel_open(g->conf.name, g->conf.kind, g->conf.flows * flow_entries(&p.dp), &g->adopted, err);
	if (!g->kernel)
		return -EINVAL;
	if (g->adopted)
		rc = adopt(g, err);
	else if (getrandom(g->dp.secret, sizeof(g->dp.secret), 0) != sizeof(g->dp.secret))
		rc = err_set(err, -EIO, "no random numbers");
	if (rc)
		return rc;
	memcpy(p.dp.secret, g->dp.secret, sizeof(p.dp.secret));
	p.dp.routes = g->dp.routes;
	rc = kernel_reserved_set(g->kernel, g->conf.reserved);
	if (rc)
		return err_set(err, rc, "writing the reserve list: %s", strerror(-rc));
	rc = apply(g, &p, err);
	if (!rc)
		problem_look(g);
	return rc;
}

/* A link, an address, a route or the domain has changed. */
void live_refresh(struct gateway *g)
{
	struct err err = {{0}};
	struct plan p;

	if (plan(g, &p, false, &err)) {
		log_error("%s", err.text);
		return;
	}
	if (apply(g, &p, &err))
		log_error("%s", err.text);
	problem_look(g);
}
