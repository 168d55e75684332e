/* SPDX-License-Identifier: GPL-2.0-or-later */
/* home.c - a home in network namespaces: a LAN host, the router, the internet */
#include "home.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/run.h"

static const char *const place_names[HOME_PLACES] = {"lan", "gw", "wan"};

static const struct {
	const char *name;
	enum home_place place;
	const char *address;
} ports[HOME_PORTS] = {
	[HOME_PORT_HOST] = {"host", HOME_LAN, "192.168.1.10/24"},
	[HOME_PORT_LAN] = {"lan", HOME_GW, "192.168.1.1/24"},
	[HOME_PORT_WAN] = {"wan", HOME_GW, "203.0.113.2/24"},
	[HOME_PORT_ISP] = {"isp", HOME_WAN, "203.0.113.1/24"},
};

/* For on_signal(). */
static volatile pid_t signal_keeper;
static volatile int signal_leash = -1, signal_here = -1;

/* Kills what still runs in a namespace: it would keep the namespace alive. The program itself may, and ends soon. */
static void place_empty(const char *name, pid_t program)
{
	char pids[4096] = "", *save = NULL;
	struct run run = {.netns = -1, .output = pids, .room = sizeof(pids)};
	struct err ignored;

	if (run_line(&run, &ignored, "ip netns pids %s", name))
		return;
	for (char *word = strtok_r(pids, "\n ", &save); word; word = strtok_r(NULL, "\n ", &save)) {
		pid_t pid = atoi(word);

		if (pid > 1 && pid != program)
			kill(pid, SIGKILL);
	}
}

/* The keeper's life. Signals of the terminal are not for it. */
static void keep(const struct home *h, int leash, void (*undo)(void *arg), void *arg)
{
	pid_t program = getppid();
	struct err ignored;
	char byte;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	while (read(leash, &byte, 1) < 0 && errno == EINTR)
		;
	for (int i = 0; i < HOME_PLACES; i++)
		place_empty(h->name[i], program);
	if (undo)
		undo(arg);
	for (int i = 0; i < HOME_PLACES; i++)
		run_line(NULL, &ignored, "ip netns del %s", h->name[i]);
	_exit(0);
}

static void on_signal(int signal_number)
{
	pid_t keeper = signal_keeper;

	if (keeper > 0) {
		setns(signal_here, CLONE_NEWNET);
		close(signal_leash);
		while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
			;
	}
	_exit(128 + signal_number);
}

static int keeper_start(struct home *h, void (*undo)(void *arg), void *arg, struct err *err)
{
	struct sigaction action = {.sa_handler = on_signal};
	int leash[2];

	if (pipe2(leash, O_CLOEXEC))
		return err_set(err, -errno, "cannot make a pipe: %s", strerror(errno));
	fflush(NULL);
	h->keeper = fork();
	if (h->keeper < 0)
		return err_set(err, -errno, "cannot start another process: %s", strerror(errno));
	if (!h->keeper) {
		close(leash[1]);
		keep(h, leash[0], undo, arg);
	}
	close(leash[0]);
	h->leash = leash[1];
	signal_here = h->ns[HOME_HERE];
	signal_leash = leash[1];
	signal_keeper = h->keeper;
	sigfillset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	return 0;
}

int home_enter(const struct home *h, enum home_place place, struct err *err)
{
	if (!setns(h->ns[place], CLONE_NEWNET))
		return 0;
	return err_set(err, -errno, "cannot enter network namespace %s: %s; run as root",
		       place < HOME_PLACES ? h->name[place] : "of the start", strerror(errno));
}

int home_run(const struct home *h, enum home_place place, struct err *err, const char *format, ...)
{
	struct run run = {.netns = h->ns[place]};
	char line[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	return run_line(&run, err, "%s", line);
}

static int place_make(struct home *h, enum home_place place, struct err *err)
{
	char path[64];
	int rc = run_line(NULL, err, "ip netns add %s", h->name[place]);

	if (rc)
		return rc;
	snprintf(path, sizeof(path), "/run/netns/%s", h->name[place]);
	h->ns[place] = open(path, O_RDONLY | O_CLOEXEC);
	if (h->ns[place] < 0)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	rc = home_run(h, place, err,
		      "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1");
	return rc ? rc : home_run(h, place, err, "ip link set lo up");
}

static int cable_make(struct home *h, enum home_port a, enum home_port b, struct err *err)
{
	return home_run(h, ports[a].place, err, "ip link add %s type veth peer name %s netns %s", ports[a].name,
			ports[b].name, h->name[ports[b].place]);
}

/* A host's packets leave with complete checksums, as a card would send them: XDP sees them before any card does.
 * GRO on: it is what lets frames that never were socket buffers enter a veth without an XDP program. */
static int port_up(struct home *h, enum home_port port, struct err *err)
{
	const char *name = ports[port].name;
	enum home_place place = ports[port].place;
	unsigned char *mac = h->end[port].mac;
	char text[256] = "";
	struct run show = {.netns = h->ns[place], .output = text, .room = sizeof(text)};
	const char *ether;
	int rc;

	if ((rc = home_run(h, place, err, "ip address add %s dev %s", ports[port].address, name)) ||
	    (rc = home_run(h, place, err, "ip link set %s up", name)) ||
	    (rc = home_run(h, place, err, "ethtool -K %s tx off gro on", name)) ||
	    (rc = run_line(&show, err, "ip -o link show dev %s", name)))
		return rc;
	h->end[port].ifindex = (u32)atoi(text);
	ether = strstr(text, "link/ether ");
	if (!ether ||
	    sscanf(ether + 11, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", mac, mac + 1, mac + 2, mac + 3, mac + 4, mac + 5) != 6)
		return err_set(err, -EIO, "interface %s of %s has no Ethernet address", name, h->name[place]);
	return 0;
}

static int neighbour(struct home *h, enum home_port at, enum home_port who, u32 address, struct err *err)
{
	const u8 *m = h->end[who].mac;
	struct in_addr in = {.s_addr = htonl(address)};

	return home_run(h, ports[at].place, err,
			"ip neighbour replace %s dev %s lladdr %02x:%02x:%02x:%02x:%02x:%02x nud permanent",
			inet_ntoa(in), ports[at].name, m[0], m[1], m[2], m[3], m[4], m[5]);
}

static int routes_make(struct home *h, struct err *err)
{
	int rc;

	if ((rc = home_run(h, HOME_LAN, err, "ip route add default via 192.168.1.1")) ||
	    (rc = home_run(h, HOME_GW, err, "ip route add default via 203.0.113.1")) ||
	    (rc = home_run(h, HOME_WAN, err, "ip route add local 198.51.100.0/24 dev lo")) ||
	    (rc = home_run(h, HOME_GW, err, "sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0")) ||
	    (rc = neighbour(h, HOME_PORT_HOST, HOME_PORT_LAN, 0xc0a80101, err)) ||
	    (rc = neighbour(h, HOME_PORT_WAN, HOME_PORT_ISP, HOME_ISP_ADDRESS, err)) ||
	    (rc = neighbour(h, HOME_PORT_ISP, HOME_PORT_WAN, HOME_WAN_ADDRESS, err)))
		return rc;
	for (u32 i = 0; i < HOME_HOSTS; i++)
		if ((rc = neighbour(h, HOME_PORT_LAN, HOME_PORT_HOST, HOME_HOST_FIRST + i, err)))
			return rc;
	return 0;
}

static int build(struct home *h, struct err *err)
{
	int rc;

	for (int i = 0; i < HOME_PLACES; i++)
		if ((rc = place_make(h, i, err)))
			return rc;
	if ((rc = cable_make(h, HOME_PORT_HOST, HOME_PORT_LAN, err)) ||
	    (rc = cable_make(h, HOME_PORT_WAN, HOME_PORT_ISP, err)))
		return rc;
	for (int i = 0; i < HOME_PORTS; i++)
		if ((rc = port_up(h, i, err)))
			return rc;
	return routes_make(h, err);
}

int home_open(struct home *h, void (*undo)(void *arg), void *arg, struct err *err)
{
	int rc;

	memset(h, 0, sizeof(*h));
	if (geteuid())
		return err_set(err, -EPERM, "network namespaces need root; run with sudo");
	for (int i = 0; i < HOME_PLACES; i++) {
		h->ns[i] = -1;
		snprintf(h->name[i], sizeof(h->name[i]), "portico-%s-%d", place_names[i], getpid());
	}
	h->ns[HOME_HERE] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (h->ns[HOME_HERE] < 0)
		return err_set(err, -errno, "/proc/self/ns/net: %s", strerror(errno));
	rc = keeper_start(h, undo, arg, err);
	if (rc) {
		close(h->ns[HOME_HERE]);
		return rc;
	}
	rc = build(h, err);
	if (rc)
		home_close(h);
	return rc;
}

void home_close(struct home *h)
{
	signal_keeper = 0;
	for (int i = 0; i <= HOME_PLACES; i++)
		if (h->ns[i] >= 0)
			close(h->ns[i]);
	close(h->leash);
	while (waitpid(h->keeper, NULL, 0) < 0 && errno == EINTR)
		;
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

void home_trace(const struct home *h, char *text, size_t room)
{
	static const char *const titles[HOME_PORTS] = {"LAN host", "router, LAN side", "router, WAN side", "far end"};
	struct err ignored;
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < HOME_PORTS && at < room; i++) {
		unsigned int counts[2];

		if (home_enter(h, ports[i].place, &ignored))
			continue;
		port_counts(ports[i].name, counts);
		at += (size_t)snprintf(text + at, room - at, "%s%s: %u received, %u sent", i ? "; " : "", titles[i],
				       counts[0], counts[1]);
	}
	home_enter(h, HOME_HERE, &ignored);
}
