/* SPDX-License-Identifier: GPL-2.0-or-later */
/* router.c - what stands between LAN and WAN in a trial */
#include "router.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/flow.h"
#include "kernel/kernel.h"
#include "lib/run.h"

const char *const router_names[ROUTER_KINDS] = {"bare redirect", "nftables", "Portico"};

/* This program is in tests/bench of it. */
void router_build(char *path, size_t room)
{
	char self[400];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	snprintf(path, room, "%s", dirname(dirname(dirname(self))));
}

/* The router's own port across the cable. */
static enum home_port across(enum home_port port)
{
	return port == HOME_PORT_HOST ? HOME_PORT_LAN : HOME_PORT_WAN;
}

struct load_end router_end(const struct net *h, enum home_port port)
{
	struct load_end end = {.ns = h->ns[port == HOME_PORT_HOST ? HOME_LAN : HOME_WAN],
			       .ifindex = h->end[port].ifindex};

	memcpy(end.mac, h->end[port].mac, 6);
	memcpy(end.hop, h->end[across(port)].mac, 6);
	return end;
}

struct load_floor *router_floor_open(const struct net *h, struct err *err)
{
	static const enum home_port ports[2] = {HOME_PORT_HOST, HOME_PORT_ISP};
	struct load_hop hop[2] = {0};

	for (int i = 0; i < 2; i++) {
		const struct net_end *own = &h->end[across(ports[i])];

		hop[i].ifindex = own->ifindex;
		memcpy(hop[i].mac, own->mac, 6);
		memcpy(hop[i].next, h->end[ports[i]].mac, 6);
	}
	return load_floor_open(h->ns[HOME_GW], hop, 0, err);
}

static int floor_start(struct router *r, struct err *err)
{
	r->floor = router_floor_open(r->home, err);
	return r->floor ? 0 : -EIO;
}

/* The shortest ruleset that does the job, and timers of Portico's length: no flow may end in the middle. */
static int nftables_start(const struct net *h, struct err *err)
{
	int rc;

	if ((rc = net_run(h, HOME_GW, err, "nft add table ip home")) ||
	    (rc = net_run(h, HOME_GW, err,
			  "nft add chain ip home post { type nat hook postrouting priority srcnat ; }")) ||
	    (rc = net_run(h, HOME_GW, err, "nft add rule ip home post oifname wan masquerade")) ||
	    (rc = net_run(h, HOME_GW, err,
			  "sysctl -qw net.netfilter.nf_conntrack_udp_timeout=300 "
			  "net.netfilter.nf_conntrack_udp_timeout_stream=300")))
		return rc;
	return 0;
}

/* The configuration is read once, when the daemon starts. */
static int conf_write(const char *path, u32 flows, const char *rest, struct err *err)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	fprintf(f, "[gateway]\nname = bench-%d\nflows = %u\nmode = native\n\n", getpid(), flows);
	fprintf(f, "[lan]\ninterface = lan\n\n[wan]\ninterface = wan\n\n%s", rest);
	return fclose(f) ? err_set(err, -EIO, "%s: cannot be written", path) : 0;
}

int router_portico_up(const struct net *h, u32 flows, const char *rest, struct err *err)
{
	char build[400], path[64];
	int rc;

	router_build(build, sizeof(build));
	snprintf(path, sizeof(path), "/tmp/portico-bench-%d.conf", getpid());
	rc = conf_write(path, flows, rest, err);
	if (!rc)
		rc = net_run(h, HOME_GW, err, "%s/src/cli/portico up %s", build, path);
	unlink(path);
	return rc;
}

void router_undo(int pid)
{
	struct err ignored;
	char build[400];

	router_build(build, sizeof(build));
	run_line(NULL, &ignored, "%s/src/cli/portico down -n bench-%d", build, pid);
}

int router_start(struct router *r, enum router_kind kind, const struct net *home, u32 flows, struct err *err)
{
	int rc = 0;

	memset(r, 0, sizeof(*r));
	r->kind = kind;
	r->home = home;
	if (kind == ROUTER_FLOOR)
		rc = floor_start(r, err);
	else if (kind == ROUTER_NFTABLES)
		rc = nftables_start(home, err);
	else
		rc = router_portico_up(home, flows, "", err);
	if (rc)
		router_stop(r);
	return rc;
}

u64 router_memory(const struct router *r, u32 *flows)
{
	struct dp_config config;
	struct err ignored;
	struct kernel *k;
	char name[32];
	u64 bytes;

	if (r->kind != ROUTER_PORTICO)
		return 0;
	snprintf(name, sizeof(name), "bench-%d", getpid());
	k = kernel_peek(name, &ignored);
	if (!k)
		return 0;
	*flows = kernel_config_get(k, &config) ? 0 : kernel_flows_max(k) / flow_entries(&config);
	bytes = kernel_memory(k);
	kernel_close(k);
	return bytes;
}

void router_stop(struct router *r)
{
	struct err ignored;

	load_floor_close(r->floor);
	if (r->kind == ROUTER_PORTICO)
		router_undo(getpid());
	if (r->kind == ROUTER_NFTABLES)
		net_run(r->home, HOME_GW, &ignored, "nft delete table ip home");
}
