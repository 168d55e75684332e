/* SPDX-License-Identifier: GPL-2.0-or-later */
/* net.c - network namespaces with cables between them, made from a table
 *
 * Starting a program costs more than what it does here: one ip(8) makes all namespaces and cables, one for each place
 * does the rest of it, and what a system call can do takes no program.
 */
#include "net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "keeper.h"
#include "lib/addr.h"
#include "lib/links.h"
#include "lib/rt.h"
#include "lib/run.h"

int net_enter(const struct net *n, u32 place, struct err *err)
{
	if (!setns(n->ns[place], CLONE_NEWNET))
		return 0;
	return err_set(err, -errno, "cannot enter network namespace %s: %s; run as root",
		       place < NET_PLACES ? n->name[place] : "of the start", strerror(errno));
}

int net_run(const struct net *n, u32 place, struct err *err, const char *format, ...)
{
	struct run run = {.netns = n->ns[place]};
	char line[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	return run_line(&run, err, "%s", line);
}

/* ip(8) says "Command failed FILE:LINE" behind its reason. */
static int batch_fail(const char *lines, const char *said, int rc, struct err *err)
{
	const char *mark = strstr(said, "Command failed"), *at = mark ? strrchr(mark, ':') : NULL;
	int reason = (int)(mark ? mark - said : 0);

	if (!at)
		return rc;
	for (int line = atoi(at + 1); line > 1 && strchr(lines, '\n'); line--)
		lines = strchr(lines, '\n') + 1;
	while (reason && said[reason - 1] == '\n')
		reason--;
	return err_set(err, rc, "'ip %.*s' failed: %.*s", (int)strcspn(lines, "\n"), lines, reason, said);
}

int net_batch(const struct net *n, u32 place, const char *lines, struct err *err)
{
	char said[512] = "";
	struct run run = {.netns = n->ns[place], .output = said, .room = sizeof(said)};
	int file = memfd_create("lines", 0), rc;
	size_t size = strlen(lines);

	if (file < 0 || write(file, lines, size) != (ssize_t)size || lseek(file, 0, SEEK_SET))
		rc = err_set(err, -EIO, "cannot keep lines for ip: %s", strerror(errno));
	else
		rc = run_line(&run, err, "ip -batch /proc/self/fd/%d", file);
	if (file >= 0)
		close(file);
	return rc == -EIO ? batch_fail(lines, said, rc, err) : rc;
}

static u32 ports_count(const struct net_plan *plan)
{
	u32 count = 0;

	while (count < NET_PORTS && plan->port[count].name)
		count++;
	return count;
}

/* All namespaces, and the cables between them. */
static int skeleton_make(struct net *n, struct err *err)
{
	char *lines = NULL, mac[2][MAC_TEXT];
	size_t size;
	FILE *f = open_memstream(&lines, &size);
	int rc;

	if (!f)
		return err_set(err, -ENOMEM, "out of memory");
	for (u32 i = 0; i < NET_PLACES; i++)
		if (*n->name[i])
			fprintf(f, "netns add %s\n", n->name[i]);
	for (u32 i = 0; i < ports_count(n->plan); i += 2) {
		const struct net_port *a = &n->plan->port[i], *b = a + 1;

		fprintf(f, "link add %s address %s netns %s type veth peer name %s address %s netns %s\n", a->name,
			mac_print(mac[0], n->end[i].mac), n->name[a->place], b->name,
			mac_print(mac[1], n->end[i + 1].mac), n->name[b->place]);
	}
	fclose(f);
	rc = net_batch(n, NET_HERE, lines, err);
	free(lines);
	return rc;
}

static void neighbour_write(FILE *f, const struct net *n, const struct net_neighbour *to)
{
	char mac[MAC_TEXT], text[ADDR_TEXT];
	struct in_addr first;

	mac_print(mac, n->end[to->port].mac);
	if (to->count < 2 || inet_pton(AF_INET, to->address, &first) != 1) {
		fprintf(f, "neighbour replace %s dev %s lladdr %s nud permanent\n", to->address, to->device, mac);
		return;
	}
	for (u32 i = 0; i < to->count; i++) {
		struct in_addr one = {htonl(ntohl(first.s_addr) + i)};

		fprintf(f, "neighbour replace %s dev %s lladdr %s nud permanent\n",
			inet_ntop(AF_INET, &one, text, sizeof(text)), to->device, mac);
	}
}

/* Addresses, then routes (which may make interfaces), then neighbours. */
static int place_fill(struct net *n, u32 place, struct err *err)
{
	const struct net_plan *plan = n->plan;
	char *lines = NULL;
	size_t size;
	FILE *f = open_memstream(&lines, &size);
	int rc;

	if (!f)
		return err_set(err, -ENOMEM, "out of memory");
	fprintf(f, "link set lo up\n");
	for (u32 i = 0; i < ports_count(plan); i++) {
		const struct net_port *port = &plan->port[i];

		if (port->place != place)
			continue;
		fprintf(f, "link set %s up\n", port->name);
		if (port->address)
			fprintf(f, "address add %s dev %s\n", port->address, port->name);
	}
	if (plan->routes && plan->routes[place])
		fputs(plan->routes[place], f);
	for (u32 i = 0; i < NET_NEIGHBOURS && plan->neighbour[i].address; i++)
		if (plan->neighbour[i].place == place)
			neighbour_write(f, n, &plan->neighbour[i]);
	fclose(f);
	rc = net_batch(n, place, lines, err);
	free(lines);
	return rc;
}

/* In the namespace. A kernel without IPv6 has none to switch off. */
static int family_set(bool ipv6, bool router, struct err *err)
{
	static const char *const names[] = {"all", "default"};
	int rc = 0;

	for (u32 i = 0; i < 2 && !rc; i++) {
		rc = rt_sysctl_set("ipv4", names[i], "rp_filter", "0");
		if (!rc)
			rc = rt_sysctl_set("ipv4", names[i], "forwarding", router ? "1" : "0");
		if (!ipv6)
			rt_sysctl_set("ipv6", names[i], "disable_ipv6", "1");
		else if (!rc)
			rc = rt_sysctl_set("ipv6", names[i], "accept_dad", "0");
		if (ipv6 && router && !rc)
			rc = rt_sysctl_set("ipv6", names[i], "forwarding", "1");
	}
	return rc ? err_set(err, rc, "cannot set up %s in a network namespace: %s", ipv6 ? "IPv6" : "IPv4",
			    strerror(-rc))
		  : 0;
}

/* In the namespace. A host's packets leave with complete checksums, as a card would send them: XDP sees them before any
 * card does. GRO on: it is what lets frames that never were socket buffers enter a veth without an XDP program. */
static int port_ready(struct net *n, u32 i, struct err *err)
{
	const struct net_port *port = &n->plan->port[i];
	int rc = link_offloads_set(port->name);

	n->end[i].ifindex = if_nametoindex(port->name);
	if (rc || !n->end[i].ifindex)
		return err_set(err, rc ? rc : -ENODEV, "interface %s of %s: %s", port->name, n->name[port->place],
			       rc ? strerror(-rc) : "is gone");
	return port->offloads ? net_run(n, port->place, err, "ethtool -K %s %s", port->name, port->offloads) : 0;
}

/* Without IPv6 from before an interface is up; offloads once it is: a veth that is down only notes that GRO is on. */
static int place_make(struct net *n, u32 place, struct err *err)
{
	struct err ignored;
	char path[64];
	int rc;

	snprintf(path, sizeof(path), "/run/netns/%s", n->name[place]);
	n->ns[place] = open(path, O_RDONLY | O_CLOEXEC);
	if (n->ns[place] < 0)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	rc = net_enter(n, place, err);
	if (!rc)
		rc = family_set(n->plan->ipv6 >> place & 1, n->plan->routers >> place & 1, err);
	if (!rc)
		rc = place_fill(n, place, err);
	for (u32 i = 0; i < ports_count(n->plan) && !rc; i++)
		if (n->plan->port[i].place == place)
			rc = port_ready(n, i, err);
	net_enter(n, NET_HERE, &ignored);
	return rc;
}

static int net_make(struct net *n, struct err *err)
{
	int rc = *n->name[0] ? skeleton_make(n, err) : 0;

	for (u32 i = 0; i < NET_PLACES && !rc; i++)
		if (*n->name[i])
			rc = place_make(n, i, err);
	return rc;
}

int net_open(struct net *n, const struct net_plan *plan, void (*undo)(void *arg), void *arg, struct err *err)
{
	int rc;

	memset(n, 0, sizeof(*n));
	n->plan = plan;
	if (geteuid())
		return err_set(err, -EPERM, "network namespaces need root; run with sudo");
	for (u32 i = 0; i < NET_PLACES; i++) {
		n->ns[i] = -1;
		if (plan->place[i])
			snprintf(n->name[i], sizeof(n->name[i]), "portico-%s-%d", plan->place[i], getpid());
	}
	for (u8 i = 0; i < NET_PORTS; i++)
		memcpy(n->end[i].mac, (u8[6]){2, 0, 0, 0, 1, i}, 6);
	n->ns[NET_HERE] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (n->ns[NET_HERE] < 0)
		return err_set(err, -errno, "/proc/self/ns/net: %s", strerror(errno));
	rc = keeper_start(n, undo, arg, err);
	if (rc) {
		close(n->ns[NET_HERE]);
		return rc;
	}
	rc = net_make(n, err);
	if (rc)
		net_close(n);
	return rc;
}

void net_close(struct net *n)
{
	for (int i = 0; i <= NET_PLACES; i++)
		if (n->ns[i] >= 0)
			close(n->ns[i]);
	keeper_stop(n);
}

/* Packets received and sent by an interface of the namespace that this thread is in. */
static void port_counts(const char *name, unsigned int counts[2])
{
	struct ifaddrs *all;

	counts[0] = counts[1] = 0;
	if (getifaddrs(&all))
		return;
	for (struct ifaddrs *a = all; a; a = a->ifa_next) {
		const struct rtnl_link_stats *stats = a->ifa_data;

		if (a->ifa_addr && a->ifa_addr->sa_family == AF_PACKET && stats && !strcmp(a->ifa_name, name)) {
			counts[0] = stats->rx_packets;
			counts[1] = stats->tx_packets;
		}
	}
	freeifaddrs(all);
}

void net_trace(const struct net *n, char *text, size_t room)
{
	struct err ignored;
	size_t at = 0;

	text[0] = '\0';
	for (u32 i = 0; i < ports_count(n->plan) && at < room; i++) {
		const struct net_port *port = &n->plan->port[i];
		unsigned int counts[2];

		if (net_enter(n, port->place, &ignored))
			continue;
		port_counts(port->name, counts);
		at += (size_t)snprintf(text + at, room - at, "%s%s: %u received, %u sent", i ? "; " : "", port->title,
				       counts[0], counts[1]);
	}
	net_enter(n, NET_HERE, &ignored);
}
