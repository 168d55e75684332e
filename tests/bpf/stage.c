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

#include "dp/types.h"

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

static void veth_write(FILE *batch, const char *name, unsigned int *pairs)
{
	fprintf(batch, "link add %s type veth peer name s%u\n", name, *pairs);
	fprintf(batch, "link set s%u up\nlink set %s up\n", *pairs, name);
	++*pairs;
}

static void links_write(FILE *batch, const struct vec_case *c)
{
	unsigned int pairs = 0;

	fprintf(batch, "link set lo up\n");
	for (u32 i = 0; i < c->conf.nports; i++) {
		const struct conf_port *p = &c->conf.ports[i];
		bool known = false;

		for (u32 j = 0; j < i; j++)
			known |= !strcmp(c->setup.ports[j].link, c->setup.ports[i].link);
		if (!known)
			veth_write(batch, c->setup.ports[i].link, &pairs);
		if (strcmp(c->setup.ports[i].link, p->interface))
			veth_write(batch, p->interface, &pairs);
		fprintf(batch, "address add %s/%u dev %s\n", text_of(p->address), p->prefix, p->interface);
	}
}

static bool neighbour_wanted(const struct vec_case *c, u32 port, be32 address)
{
	const struct conf_port *p = &c->conf.ports[port];
	u32 mask = p->prefix ? ~0u << (32 - p->prefix) : 0, net = host32(address) >> 24;

	if (net == 0 || net == 127 || net >= 224 || address == p->address)
		return false;
	if (address == p->gateway || (p->role == ROLE_WAN && !p->gateway))
		return true;
	return ((host32(address) ^ host32(p->address)) & mask) == 0 && (host32(address) | mask) != 0xffffffff;
}

void stage_station(const struct vec_case *c, u32 port, be32 address, u8 mac[6])
{
	mac[0] = 2;
	mac[1] = 0;
	memcpy(mac + 2, &address, sizeof(address));
	for (u32 i = 0; i < c->options.nneighbours; i++)
		if (c->setup.neighbours[i].port == port && c->setup.neighbours[i].addr == address)
			memcpy(mac, c->setup.neighbours[i].mac, sizeof(c->setup.neighbours[i].mac));
}

static void neighbour_write(FILE *batch, const struct vec_case *c, u32 port, be32 address)
{
	u8 mac[6];

	stage_station(c, port, address, mac);
	fprintf(batch, "neighbour replace %s lladdr %02x:%02x:%02x:%02x:%02x:%02x dev %s nud permanent\n",
		text_of(address), mac[0], mac[1], mac[2], mac[3], mac[4], mac[5], c->conf.ports[port].interface);
}

static void routes_write(FILE *batch, const struct vec_case *c, const be32 *addresses, u32 n)
{
	for (u32 i = 0; i < c->conf.nports; i++) {
		const struct conf_port *p = &c->conf.ports[i];

		if (p->role == ROLE_WAN && p->gateway)
			fprintf(batch, "route add default via %s dev %s\n", text_of(p->gateway), p->interface);
		else if (p->role == ROLE_WAN)
			fprintf(batch, "route add default dev %s\n", p->interface);
		if (p->gateway)
			neighbour_write(batch, c, i, p->gateway);
		for (u32 j = 0; j < n; j++)
			if (neighbour_wanted(c, i, addresses[j]))
				neighbour_write(batch, c, i, addresses[j]);
	}
}

static int setting_write(const char *path, const char *value)
{
	FILE *file = fopen(path, "we");
	int rc = !file || fputs(value, file) < 0;

	if (file && fclose(file))
		rc = 1;
	return rc;
}

static int namespace_build(const struct vec_case *c, const be32 *addresses, u32 n)
{
	FILE *batch;

	if (unshare(CLONE_NEWNET)) {
		perror("unshare");
		return -1;
	}
	/* without IPv6 (where there is any) nothing sends frames of its own, which would be counted */
	setting_write("/proc/sys/net/ipv6/conf/default/disable_ipv6", "1\n");
	batch = popen("ip -batch -", "w");
	if (!batch)
		return -1;
	links_write(batch, c);
	routes_write(batch, c, addresses, n);
	if (pclose(batch)) {
		fprintf(stderr, "ip(8) did not take the home of %s\n", c->dir);
		return -1;
	}
	if (setting_write("/proc/sys/net/ipv4/ip_forward", "1\n")) {
		perror("ip_forward");
		return -1;
	}
	return 0;
}

static int port_open(struct stage *s, const struct vec_case *c, u32 i, struct err *err)
{
	struct dp_port *p = &s->config.port[i];
	int rc;

	p->ifindex = if_nametoindex(c->setup.ports[i].link);
	p->l3_ifindex = if_nametoindex(c->conf.ports[i].interface);
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
	s->kernel = kernel_open(s->instance, c->conf.flows, &adopted, &err);
	if (!s->kernel) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	for (u32 i = 0; i < c->conf.nports && !rc; i++)
		rc = port_open(s, c, i, &err);
	if (rc) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	if (kernel_reserved_set(s->kernel, c->conf.reserved) || kernel_config_set(s->kernel, &s->config))
		return -1;
	return 0;
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
