/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame.c - puts frames on wires and tells what comes out of others, to the byte
 *
 *   frame -p portico-1- send lan:l0 udp from=192.168.1.72:4000 to=203.0.113.9:53 see wan:w0 udp
 *
 * All of `see` listen before the first `send` is sent; only what comes in is seen. One process enters every namespace,
 * so there is nothing to wait for but packets.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <pcap.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "frame.h"

#define SEES_MAX 8
#define WIRES_MAX 8

struct see {
	pcap_t *pcap;
	char where[64];
};

struct wire {
	const char *where;
	int fd;
	int ifindex;
	uint8_t mac[6];
};

static struct {
	const char *prefix; /* of namespace names */
	int timeout;	    /* ms, from the last frame sent */
	int count;	    /* frames to see; 0: all until the time is up */
	int gap;	    /* us between frames sent */
	struct see sees[SEES_MAX];
	int nsees;
	struct wire wires[WIRES_MAX];
	int nwires;
	int seen;
	int home; /* the namespace we came from */
} g = {.prefix = "", .timeout = 1000, .count = 1};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "frame: %s: %s\n", what, why);
	exit(2);
}

/* Enters the namespace of "NS:IF" and returns IF; "IF" alone is in the one we came from. */
static const char *enter(const char *where)
{
	const char *colon = strchr(where, ':');
	char path[128];
	int fd = g.home;

	if (colon) {
		snprintf(path, sizeof(path), "/run/netns/%s%.*s", g.prefix, (int)(colon - where), where);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			die(path, strerror(errno));
	}
	if (setns(fd, CLONE_NEWNET))
		die(where, strerror(errno));
	if (colon)
		close(fd);
	return colon ? colon + 1 : where;
}

static void see(const char *where, const char *filter)
{
	struct see *s = &g.sees[g.nsees++];
	char why[PCAP_ERRBUF_SIZE];
	struct bpf_program program;
	const char *interface = enter(where);

	snprintf(s->where, sizeof(s->where), "%s", interface);
	s->pcap = pcap_create(interface, why);
	if (!s->pcap)
		die(where, why);
	pcap_set_snaplen(s->pcap, FRAME_MAX);
	pcap_set_promisc(s->pcap, 1);
	pcap_set_immediate_mode(s->pcap, 1);
	pcap_set_buffer_size(s->pcap, 1 << 22);
	if (pcap_activate(s->pcap) < 0)
		die(where, pcap_geterr(s->pcap));
	if (pcap_compile(s->pcap, &program, filter, 1, PCAP_NETMASK_UNKNOWN) || pcap_setfilter(s->pcap, &program) ||
	    pcap_setdirection(s->pcap, PCAP_D_IN) || pcap_setnonblock(s->pcap, 1, why))
		die(where, pcap_geterr(s->pcap));
	pcap_freecode(&program);
}

static void got(u_char *arg, const struct pcap_pkthdr *header, const u_char *data)
{
	const struct see *s = (const struct see *)arg;

	if (g.count && g.seen >= g.count)
		return;
	if (header->caplen >= ETH_HLEN)
		frame_show(stdout, s->where, data, header->caplen);
	g.seen++;
}

static void drain(void)
{
	for (int i = 0; i < g.nsees; i++)
		pcap_dispatch(g.sees[i].pcap, -1, got, (u_char *)&g.sees[i]);
}

/* The sender of an interface, opened once. */
static struct wire *wire(const char *where)
{
	struct wire *w = g.wires;
	struct ifreq ifr = {0};

	while (w < g.wires + g.nwires && strcmp(w->where, where))
		w++;
	if (w < g.wires + g.nwires)
		return w;
	if (g.nwires++ == WIRES_MAX)
		die(where, "too many interfaces");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", enter(where));
	w->where = where;
	w->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (w->fd < 0 || ioctl(w->fd, SIOCGIFHWADDR, &ifr))
		die(where, strerror(errno));
	memcpy(w->mac, ifr.ifr_hwaddr.sa_data, sizeof(w->mac));
	w->ifindex = (int)if_nametoindex(ifr.ifr_name);
	return w;
}

static void send_frame(const char *where, char **words, int count)
{
	struct wire *w = wire(where);
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = w->ifindex};
	static struct frame f;
	const char *unknown = frame_build(&f, words, count, w->mac);

	if (unknown)
		die(unknown, "not understood");
	if (sendto(w->fd, f.data, f.length, 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		die(where, strerror(errno));
	if (g.gap)
		usleep((useconds_t)g.gap);
	drain();
}

static int is_command(const char *word)
{
	return !strcmp(word, "send") || !strcmp(word, "see");
}

/* Walks the commands of the line; listens, or sends. */
static void commands(int argc, char **argv, bool sending)
{
	for (int at = 0, end; at < argc; at = end) {
		if (!is_command(argv[at]) || at + 1 == argc)
			die(argv[at], "expected: send NS:IF WORD... or see NS:IF [FILTER]");
		for (end = at + 2; end < argc && !is_command(argv[end]); end++)
			;
		if (sending && !strcmp(argv[at], "send"))
			send_frame(argv[at + 1], argv + at + 2, end - at - 2);
		if (!sending && !strcmp(argv[at], "see") && g.nsees < SEES_MAX)
			see(argv[at + 1], end > at + 2 ? argv[at + 2] : "ip");
	}
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void look(void)
{
	struct pollfd fds[SEES_MAX];
	long end = now_ms() + g.timeout, left;

	for (int i = 0; i < g.nsees; i++)
		fds[i] = (struct pollfd){.fd = pcap_get_selectable_fd(g.sees[i].pcap), .events = POLLIN};
	while ((left = end - now_ms()) > 0 && (!g.count || g.seen < g.count)) {
		poll(fds, (nfds_t)g.nsees, (int)left);
		drain();
	}
}

static void usage(FILE *to)
{
	fprintf(to,
		"Usage: frame [-p PREFIX] [-t MS] [-n COUNT] [-g USEC] {send NS:IF WORD... | see NS:IF [FILTER]}...\n"
		"Sends frames, prints COUNT (1; 0: all) frames that come in within MS (1000) behind the last one.\n"
		"Exit status 0 if as many were seen. Words of send:\n");
	frame_words(to);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "+p:t:n:g:h")) != -1) {
		if (option == 'p') {
			g.prefix = optarg;
		} else if (option == 't') {
			g.timeout = atoi(optarg);
		} else if (option == 'n') {
			g.count = atoi(optarg);
		} else if (option == 'g') {
			g.gap = atoi(optarg);
		} else {
			usage(option == 'h' ? stdout : stderr);
			return option == 'h' ? 0 : 2;
		}
	}
	g.home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	commands(argc - optind, argv + optind, false);
	commands(argc - optind, argv + optind, true);
	if (g.nsees)
		look();
	for (int i = 0; i < g.nsees; i++)
		pcap_close(g.sees[i].pcap);
	return g.nsees && g.seen < g.count ? 1 : 0;
}
