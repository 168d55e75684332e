/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - portico-bench-load: the 64-byte UDP load through a router that already stands, for scripts */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/lab/home.h"
#include "bench/load/load.h"

static const char usage[] =
	"usage: portico-bench-load --lan NS/IF --router NS/IF --far NS/IF [options]\n"
	"\n"
	"Sends 64-byte UDP from 192.168.1.10 and its neighbours to 198.51.100.1 and its, as fast as one CPU can,\n"
	"into the router's LAN interface and counts what comes out at the far end. NS are names of network\n"
	"namespaces. Prints the wall time a packet takes, generator and sink included, and packets a second.\n"
	"Needs root.\n"
	"\n"
	"  --source ADDRESS   what packets must come out with (203.0.113.2)\n"
	"  --floor IF         makes the router a bare redirect to its interface IF for the while: the floor\n"
	"  --flows N          distinct flows (1,000)\n"
	"  --packets N        (2,097,152)\n"
	"  --cpu N            where everything runs (the last one)\n";

/* An interface in a network namespace. */
struct end {
	int ns;
	u32 ifindex;
	u8 mac[6];
};

struct options {
	struct end lan, router, far, out;
	const char *floor;
	be32 source;
	u32 flows, packets, cpu;
};

static int die(const char *text, const char *detail)
{
	fprintf(stderr, "portico-bench-load: %s%s\n", text, detail);
	exit(1);
}

/* Looks the interface up in its namespace and stays there. */
static void end_find(struct end *e, const char *name)
{
	struct ifaddrs *all = NULL;

	if (setns(e->ns, CLONE_NEWNET))
		die("cannot enter the network namespace: ", strerror(errno));
	e->ifindex = if_nametoindex(name);
	if (!e->ifindex || getifaddrs(&all))
		die("no such interface: ", name);
	for (struct ifaddrs *a = all; a; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_PACKET && !strcmp(a->ifa_name, name))
			memcpy(e->mac, ((struct sockaddr_ll *)a->ifa_addr)->sll_addr, 6);
	freeifaddrs(all);
}

/* "NS/IF" */
static void end_read(struct end *e, const char *text)
{
	const char *slash = strchr(text, '/');
	char path[128];

	if (!slash)
		die("NS/IF is wanted instead of ", text);
	snprintf(path, sizeof(path), "/run/netns/%.*s", (int)(slash - text), text);
	e->ns = open(path, O_RDONLY | O_CLOEXEC);
	if (e->ns < 0)
		die("no such network namespace: ", path);
	end_find(e, slash + 1);
}

static void usage_exit(bool asked)
{
	fputs(usage, asked ? stdout : stderr);
	exit(asked ? 0 : 2);
}

static void options_read(struct options *o, int argc, char **argv)
{
	static const struct option list[] = {
		{"lan", required_argument, NULL, 'l'},	   {"router", required_argument, NULL, 'r'},
		{"far", required_argument, NULL, 'f'},	   {"source", required_argument, NULL, 's'},
		{"floor", required_argument, NULL, 'b'},   {"flows", required_argument, NULL, 'n'},
		{"packets", required_argument, NULL, 'p'}, {"cpu", required_argument, NULL, 'c'},
		{"help", no_argument, NULL, 'h'},	   {NULL, 0, NULL, 0},
	};
	int c;

	*o = (struct options){.source = (be32)htonl(HOME_WAN_ADDRESS), .flows = 1000, .packets = 1 << 21};
	o->cpu = (u32)sysconf(_SC_NPROCESSORS_ONLN) - 1;
	while ((c = getopt_long(argc, argv, "", list, NULL)) != -1) {
		if (c == 'l')
			end_read(&o->lan, optarg);
		else if (c == 'r')
			end_read(&o->router, optarg);
		else if (c == 'f')
			end_read(&o->far, optarg);
		else if (c == 's')
			o->source = (be32)inet_addr(optarg);
		else if (c == 'b')
			o->floor = optarg;
		else if (c == 'n')
			o->flows = (u32)atoi(optarg);
		else if (c == 'p')
			o->packets = (u32)atoi(optarg);
		else if (c == 'c')
			o->cpu = (u32)atoi(optarg);
		else
			usage_exit(c == 'h');
	}
	if (!o->lan.ifindex || !o->router.ifindex || !o->far.ifindex)
		usage_exit(false);
	if (!o->flows || o->flows > load_flows_max(HOME_HOSTS))
		die("too many flows, or none", "");
}

static struct load_floor *floor_start(struct options *o, struct err *err)
{
	struct load_hop hop[2] = {{.ifindex = o->router.ifindex}};
	struct load_floor *f;

	o->out.ns = o->router.ns;
	end_find(&o->out, o->floor);
	hop[1].ifindex = o->out.ifindex;
	memcpy(hop[0].mac, o->router.mac, 6);
	memcpy(hop[0].next, o->lan.mac, 6);
	memcpy(hop[1].mac, o->out.mac, 6);
	memcpy(hop[1].next, o->far.mac, 6);
	f = load_floor_open(o->router.ns, hop, 0, err);
	if (!f)
		die(err->text, "");
	return f;
}

static struct load_path path_of(const struct options *o)
{
	struct load_path path = {
		.near = {.ns = o->lan.ns, .ifindex = o->lan.ifindex},
		.far = {.ns = o->far.ns, .ifindex = o->far.ifindex},
		.host_first = HOME_HOST_FIRST,
		.remote_first = HOME_REMOTE_FIRST,
		.source = o->floor ? (be32)htonl(HOME_HOST_FIRST & 0xffffff00) : o->source,
		.mask = o->floor ? (be32)htonl(0xffffff00) : (be32)0xffffffff,
		.flows_max = o->flows,
	};

	memcpy(path.near.mac, o->lan.mac, 6);
	memcpy(path.near.hop, o->router.mac, 6);
	memcpy(path.far.mac, o->far.mac, 6);
	return path;
}

/* Opens the flows first, then measures. */
static int measure(struct load *l, const struct options *o, struct load_result *result, struct err *err)
{
	struct load_plan plan = {.flows = o->flows, .stride = 1, .packets = o->flows, .size = 64, .cpu = o->cpu};
	int rc = load_run(l, &plan, result, err);

	if (rc)
		return rc;
	plan.stride = load_stride(o->flows);
	plan.packets = o->packets;
	return load_run(l, &plan, result, err);
}

int main(int argc, char **argv)
{
	struct load_floor *floor = NULL;
	const struct load_count *count;
	struct load_result result;
	struct load_path path;
	struct options o;
	struct load *l;
	struct err err;

	options_read(&o, argc, argv);
	if (o.floor)
		floor = floor_start(&o, &err);
	path = path_of(&o);
	l = load_open(&path, &err);
	if (!l || load_probe(l, o.cpu, &err) || measure(l, &o, &result, &err))
		die(err.text, "");
	count = &result.way[LOAD_OUT];
	printf("%.1f ns a packet, %.0f packets/s\n", count->ns, 1e9 / count->ns);
	load_close(l);
	load_floor_close(floor);
	return 0;
}
