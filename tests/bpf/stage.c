/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stage.c - the kernel's packet path in a network namespace */
#include "stage.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dp/portset.h"
#include "dp/way.h"
#include "engine/flow.h"

/* Index of the next hop to this router itself; those of neighbours are below. */
#define SELF_HOP (DP_NEXTHOPS_MAX - 1)

static pid_t child;

static void pass_on(int signal)
{
	kill(child, signal);
}

int stage_main(const char *name, int (*body)(const char *instance, const char *top), const char *top)
{
	char instance[CONF_NAME_MAX];
	struct err err;
	int status;

	if (geteuid()) {
		printf("%s: needs root (network namespaces, BPF)\n", name);
		return 77;
	}
	if (access("/sys/fs/bpf", F_OK)) {
		printf("%s: needs a kernel with BPF (/sys/fs/bpf)\n", name);
		return 77;
	}
	snprintf(instance, sizeof(instance), "test-%.15s-%d", name, (int)getpid());
	fflush(stdout);
	child = fork();
	if (child < 0)
		return 1;
	if (!child)
		exit(body(instance, top));
	signal(SIGINT, pass_on);
	signal(SIGTERM, pass_on);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	kernel_remove(instance, &err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static const char *text_of(be32 address)
{
	static char text[4][INET_ADDRSTRLEN];
	static unsigned int at;
	struct in_addr in = {.s_addr = (PORTICO_FORCE u32)address};

	at = (at + 1) % 4;
	inet_ntop(AF_INET, &in, text[at], sizeof(text[at]));
	return text[at];
}

/* The interface that has a port's addresses, routes and neighbours. */
static const char *interface_of(const struct vec_case *c, u32 port)
{
	return port < c->conf.nports ? c->conf.ports[port].interface : c->conf.mape.device;
}

static enum dp_role role_of(const struct vec_case *c, u32 port)
{
	return (enum dp_role)c->options.config.port[port].role;
}

/* Where packets to the internet leave, seen from Linux. */
static enum dp_role way_out(const struct vec_case *c)
{
	return c->conf.kind == MODE_CE ? ROLE_SELF : ROLE_WAN;
}

static void veth_write(FILE *batch, const char *name, const char *peer)
{
	fprintf(batch, "link add %s type veth peer name %s\n", name, peer);
	fprintf(batch, "link set %s up\nlink set %s up\n", peer, name);
}

static void pair_write(FILE *batch, const char *name, unsigned int *pairs)
{
	char peer[IFNAMSIZ];

	snprintf(peer, sizeof(peer), "s%u", (*pairs)++);
	veth_write(batch, name, peer);
}

static void links_write(FILE *batch, const struct vec_case *c)
{
	unsigned int pairs = 0;

	fprintf(batch, "link set lo up\n");
	for (u32 i = 0; i < case_ports(c); i++) {
		const struct home_port *p = &c->setup.ports[i];
		bool known = false;

		for (u32 j = 0; j < i; j++)
			known |= !strcmp(c->setup.ports[j].link, p->link);
		if (role_of(c, i) == ROLE_SELF)
			veth_write(batch, interface_of(c, i), p->link);
		else if (!known)
			pair_write(batch, p->link, &pairs);
		if (role_of(c, i) != ROLE_SELF && strcmp(p->link, interface_of(c, i)))
			pair_write(batch, interface_of(c, i), &pairs);
		if (p->address)
			fprintf(batch, "address add %s/%u dev %s\n", text_of(p->address), p->prefix,
				interface_of(c, i));
	}
}

static bool neighbour_wanted(const struct vec_case *c, u32 port, be32 address)
{
	const struct home_port *p = &c->setup.ports[port];
	u32 mask = p->prefix ? ~0u << (32 - p->prefix) : 0, net = host32(address) >> 24;

	if (net == 0 || net == 127 || net >= 224 || address == p->address || !p->address)
		return false;
	if (address == p->gateway || (role_of(c, port) == way_out(c) && !p->gateway))
		return true;
	return ((host32(address) ^ host32(p->address)) & mask) == 0 && (host32(address) | mask) != 0xffffffff;
}

void stage_station(const struct vec_case *c, u32 port, const struct ip_addr *address, u8 mac[6])
{
	mac[0] = 2;
	mac[1] = 0;
	memcpy(mac + 2, &address->w[3], sizeof(address->w[3]));
	for (u32 i = 0; i < c->options.nneighbours; i++) {
		const struct replay_neighbour *n = &c->setup.neighbours[i];
		struct ip_addr named = way_ipv4(n->addr);

		if (n->port == port && way_equal(&named, address))
			memcpy(mac, n->mac, sizeof(n->mac));
	}
}

static void neighbour_write(FILE *batch, const struct vec_case *c, u32 port, const struct ip_addr *address)
{
	char text[INET6_ADDRSTRLEN];
	u8 mac[6];

	stage_station(c, port, address, mac);
	if (!address->w[0])
		snprintf(text, sizeof(text), "%s", text_of(address->w[3]));
	else
		inet_ntop(AF_INET6, address, text, sizeof(text));
	fprintf(batch, "neighbour replace %s lladdr %02x:%02x:%02x:%02x:%02x:%02x dev %s nud permanent\n", text, mac[0],
		mac[1], mac[2], mac[3], mac[4], mac[5], interface_of(c, port));
}

static void routes_write(FILE *batch, const struct vec_case *c, const be32 *addresses, u32 n)
{
	for (u32 i = 0; i < case_ports(c); i++) {
		const struct home_port *p = &c->setup.ports[i];
		struct ip_addr address = way_ipv4(p->gateway);

		if (role_of(c, i) == way_out(c) && p->gateway)
			fprintf(batch, "route add default via %s dev %s\n", text_of(p->gateway), interface_of(c, i));
		else if (role_of(c, i) == way_out(c))
			fprintf(batch, "route add default dev %s\n", interface_of(c, i));
		if (p->gateway)
			neighbour_write(batch, c, i, &address);
		for (u32 j = 0; j < n; j++) {
			address = way_ipv4(addresses[j]);
			if (neighbour_wanted(c, i, addresses[j]))
				neighbour_write(batch, c, i, &address);
		}
	}
}

/* The tunnel's packets all go to one neighbour, or nowhere. */
static void routes6_write(FILE *batch, const struct vec_case *c)
{
	const struct replay_options *o = &c->options;
	const char *interface = interface_of(c, o->tunnel.port);
	char gateway[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, &o->gateway6, gateway, sizeof(gateway));
	fprintf(batch, "route add %s/128 dev %s\nroute add ::/0 via %s dev %s\n", gateway, interface, gateway,
		interface);
	neighbour_write(batch, c, o->tunnel.port, &o->gateway6);
}

static int setting_write(const char *path, const char *value)
{
	FILE *file = fopen(path, "we");
	int rc = !file || fputs(value, file) < 0;

	if (file && fclose(file))
		rc = 1;
	return rc;
}

static int setting6_write(const char *interface, const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/sys/net/ipv6/conf/%s/%s", interface, name);
	return setting_write(path, value);
}

static int batch_run(FILE *batch, const struct vec_case *c)
{
	if (!pclose(batch))
		return 0;
	fprintf(stderr, "ip(8) did not take the home of %s\n", c->dir);
	return -1;
}

static int routes_build(const struct vec_case *c, const be32 *addresses, u32 n)
{
	const char *tunnel = interface_of(c, c->options.tunnel.port);
	FILE *batch;

	if (c->conf.kind != MODE_NAT44 &&
	    (setting6_write(tunnel, "disable_ipv6", "0\n") || setting6_write(tunnel, "forwarding", "1\n"))) {
		perror(tunnel);
		return -1;
	}
	batch = popen("ip -batch -", "w");
	if (!batch)
		return -1;
	routes_write(batch, c, addresses, n);
	if (c->conf.kind != MODE_NAT44)
		routes6_write(batch, c);
	return batch_run(batch, c);
}

static int namespace_build(const struct vec_case *c, const be32 *addresses, u32 n)
{
	FILE *batch;

	if (unshare(CLONE_NEWNET)) {
		perror("unshare");
		return -1;
	}
	/* without IPv6 (where there is any) nothing sends frames of its own, which would be counted */
	setting6_write("default", "disable_ipv6", "1\n");
	batch = popen("ip -batch -", "w");
	if (!batch)
		return -1;
	links_write(batch, c);
	if (batch_run(batch, c) || routes_build(c, addresses, n))
		return -1;
	if (setting_write("/proc/sys/net/ipv4/ip_forward", "1\n")) {
		perror("ip_forward");
		return -1;
	}
	return 0;
}

/* The next hop to `address`, and, unless it is the way to this router itself, what the packet path finds it by. */
static int nexthop_put(struct stage *s, const struct vec_case *c, u32 port, const struct ip_addr *address, u16 index)
{
	const struct dp_port *p = &s->config.port[port];
	struct neighbour_key key = {.l3_ifindex = p->l3_ifindex, .addr = *address};
	struct nexthop hop = {
		.vid = p->vid,
		.mtu = p->mtu,
		.ifindex = p->ifindex,
		.port = (u8)port,
		.state = NEXTHOP_VALID,
	};

	stage_station(c, port, address, hop.dmac);
	memcpy(hop.smac, p->mac, sizeof(hop.smac));
	if (kernel_nexthop_set(s->kernel, index, &hop))
		return -1;
	return index == SELF_HOP ? 0 : kernel_neighbour_set(s->kernel, &key, index);
}

int stage_nexthops(struct stage *s, const struct vec_case *c, const be32 *addresses, u32 n)
{
	u16 index = 1;

	if (c->conf.kind != MODE_NAT44 && nexthop_put(s, c, c->options.tunnel.port, &c->options.gateway6, index++))
		return -1;
	for (u32 port = 0; port < s->config.nports; port++) {
		for (u32 i = 0; i < n && index < SELF_HOP; i += 2) {
			struct ip_addr address = way_ipv4(addresses[i]);

			if (nexthop_put(s, c, port, &address, index++))
				return -1;
		}
	}
	return 0;
}

/* Ports that do not exist or are reserved are taken from the beginning (abi/flow.h). */
static int blank_put(struct stage *s, const struct vec_case *c)
{
	const struct dp_portset *ports = &s->config.ports;
	struct dest blank = {0};

	for (u32 i = 0; i < DEST_PORTS_MAX && ports->count <= DEST_PORTS_MAX; i++) {
		u16 port = portset_port(ports, i);

		if (i < ports->count && !(c->conf.reserved[port >> 6] >> (port & 63) & 1))
			continue;
		blank.taken[i >> 6] |= 1ULL << (i & 63);
		if (!~blank.taken[i >> 6])
			blank.spent |= 1ULL << (i >> 6);
	}
	return kernel_dest_blank_set(s->kernel, &blank);
}

/* What all tables but those of flows and next hops hold. */
static int tables_fill(struct stage *s, const struct vec_case *c)
{
	struct ip_addr self = way_ipv4(s->config.self);

	if (kernel_reserved_set(s->kernel, c->conf.reserved) || blank_put(s, c))
		return -1;
	if (c->conf.kind != MODE_NAT44 && kernel_tunnel_set(s->kernel, &c->options.tunnel))
		return -1;
	if (c->conf.kind == MODE_CE && nexthop_put(s, c, s->config.nports - 1, &self, SELF_HOP))
		return -1;
	s->config.self_hop = SELF_HOP;
	return kernel_config_set(s->kernel, &s->config);
}

/* Keeps the last one. */
static void event_note(void *arg, const struct dp_event *event, const u8 *frame)
{
	struct stage *s = arg;

	s->nevents++;
	s->event = *event;
	memcpy(s->event_frame, frame, event->length < sizeof(s->event_frame) ? event->length : sizeof(s->event_frame));
}

static int port_open(struct stage *s, const struct vec_case *c, u32 i, struct err *err)
{
	struct dp_port *p = &s->config.port[i];
	int rc;

	p->ifindex = if_nametoindex(c->setup.ports[i].link);
	p->l3_ifindex = if_nametoindex(interface_of(c, i));
	rc = kernel_tx_set(s->kernel, i, p->ifindex);
	if (rc)
		return err_set(err, rc, "tx: %s", strerror(-rc));
	if (kernel_mode_of(s->kernel, p->ifindex) >= 0)
		return 0;
	rc = kernel_attach(s->kernel, p->ifindex, KERNEL_NATIVE, err);
	return rc < 0 ? rc : 0;
}

int stage_build(struct stage *s, const struct vec_case *c, const be32 *addresses, u32 n)
{
	struct err err;
	bool adopted;
	int rc = 0;

	s->config = c->options.config;
	if (namespace_build(c, addresses, n))
		return -1;
	s->kernel = kernel_open(s->instance, s->config.mode, c->conf.flows * flow_entries(&s->config), &adopted, &err);
	if (!s->kernel) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	for (u32 i = 0; i < case_ports(c) && !rc; i++)
		rc = port_open(s, c, i, &err);
	if (!rc && (rc = kernel_events_open(s->kernel, event_note, s, &err)) >= 0)
		rc = 0;
	if (rc) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	return tables_fill(s, c);
}

u32 stage_events(struct stage *s)
{
	s->nevents = 0;
	kernel_events_read(s->kernel);
	return s->nevents;
}

void stage_end(struct stage *s)
{
	struct err err;

	kernel_close(s->kernel);
	s->kernel = NULL;
	kernel_remove(s->instance, &err);
}

u32 stage_port_of(const struct stage *s, const u8 *frame, u32 length)
{
	u16 vid = length >= 18 && frame[12] == 0x81 && !frame[13] ? (u16)((frame[14] << 8 | frame[15]) & 0xfff) : 0;

	for (u32 i = 0; i < s->config.nports; i++)
		if (s->config.port[i].vid == vid && !memcmp(s->config.port[i].mac, frame + 6, 6))
			return i;
	return DP_PORTS_MAX;
}
