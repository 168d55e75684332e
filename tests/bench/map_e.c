/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e.c - portico-bench-map-e: what MAP-E costs a packet, beside NAT44, a bare redirect, and 63 ranges of nftables
 *
 * One observation is one trial: a fresh home, one kind of router, one number. The kinds alternate within a round; every
 * ratio is taken within a round, and the medians over the rounds and the extremes are shown. What a port costs when the
 * set is nearly full is measured in process, by the same core (map_e_ports.c).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/lab/home.h"
#include "bench/load/load.h"
#include "lib/run.h"
#include "map_e.h"
#include "router.h"

#define ROUNDS_MAX 32
#define PACKETS (1 << 19)
#define TIME_LIMIT 600		   /* seconds: whatever happens, the bench ends and cleans up */
#define SHARED_ADDRESS 0xc0000286u /* 192.0.2.134 */
#define RULE "2001:db8::/40 192.0.2.0/24 ea 14 offset 6 psid-len 6"
#define RELAY "2001:db8:ffff::1"

enum kind {
	FLOOR,
	NAT44,
	EDGE,
	RANGES,
	EDGE_SPREAD,
	FLOOR_IN,
	RELAY_IN,
	FULL_SET,
	KINDS
};

struct kind_plan {
	const char *name;
	u32 flows;
	u32 spread;
	bool inward; /* from the internet to the home */
	bool tunnelled;
	u16 dport;
	u32 source; /* at the far end, 0: the hosts' own */
};

static const struct kind_plan plans[KINDS] = {
	[FLOOR] = {"bare redirect", 1000, 0, false, false, 0, 0},
	[NAT44] = {"NAT44", 1000, 0, false, false, 0, HOME_WAN_ADDRESS},
	[EDGE] = {"MAP-E edge", 1000, 0, false, true, 0, SHARED_ADDRESS},
	[RANGES] = {"nftables, 63 ranges, 500 destinations", 500, 500, false, false, 0, SHARED_ADDRESS},
	[EDGE_SPREAD] = {"MAP-E edge, 500 destinations", 500, 500, false, true, 0, SHARED_ADDRESS},
	[FLOOR_IN] = {"bare redirect, inward", 1000, 250, true, false, 1728, 0},
	[RELAY_IN] = {"MAP-E relay, 250 customers", 1000, 250, true, true, 1728, 0},
	[FULL_SET] = {"MAP-E edge, 5,000 flows to 5 destinations", 5000, 5, false, true, 0, SHARED_ADDRESS},
};

struct trial_result {
	double ns;
	u64 sent, received;
};

static void undo(void *arg)
{
	router_undo(*(int *)arg);
}

/* IPv6 on the router's side `port`, with one neighbour behind which everything is. */
static int ipv6_on(struct home *h, const char *port, enum home_port neighbour, struct err *err)
{
	const u8 *m = h->end[neighbour].mac;
	int rc =
		home_run(h, HOME_GW, err,
			 "sysctl -qw net.ipv6.conf.all.disable_ipv6=0 net.ipv6.conf.default.disable_ipv6=0 "
			 "net.ipv6.conf.%s.disable_ipv6=0 net.ipv6.conf.all.forwarding=1 net.ipv6.conf.%s.accept_dad=0",
			 port, port);

	if (!rc)
		rc = home_run(h, HOME_GW, err, "ip -6 address add 2001:db8:f::2/64 dev %s nodad", port);
	if (!rc)
		rc = home_run(h, HOME_GW, err,
			      "ip -6 neighbour replace 2001:db8:f::1 dev %s lladdr %02x:%02x:%02x:%02x:%02x:%02x "
			      "nud permanent",
			      port, m[0], m[1], m[2], m[3], m[4], m[5]);
	return rc ? rc : home_run(h, HOME_GW, err, "ip -6 route add default via 2001:db8:f::1 dev %s", port);
}

static int portico_up(struct home *h, const char *rest, struct err *err)
{
	char build[400], path[64];
	FILE *f;
	int rc;

	router_build(build, sizeof(build));
	snprintf(path, sizeof(path), "/tmp/portico-bench-%d.conf", getpid());
	f = fopen(path, "we");
	if (!f)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	fprintf(f, "[gateway]\nname = bench-%d\nmode = native\n[lan]\ninterface = lan\n[wan]\ninterface = wan\n%s",
		getpid(), rest);
	if (fclose(f))
		return err_set(err, -EIO, "%s: cannot be written", path);
	rc = home_run(h, HOME_GW, err, "%s/src/cli/portico up %s", build, path);
	unlink(path);
	return rc;
}

static int edge_up(struct home *h, struct err *err)
{
	int rc = home_run(h, HOME_GW, err, "ip route del default");

	if (!rc)
		rc = ipv6_on(h, "wan", HOME_PORT_ISP, err);
	return rc ? rc
		  : portico_up(h,
			       "[map-e]\nrule = " RULE "\nprefix = 2001:db8:86:b000::/56\nborder-relay = " RELAY "\n",
			       err);
}

static int relay_up(struct home *h, struct err *err)
{
	int rc = ipv6_on(h, "lan", HOME_PORT_HOST, err);

	return rc ? rc : portico_up(h, "[border-relay]\naddress = " RELAY "\nrule = " RULE "\n", err);
}

/* The ruleset with the way out named as it is here. */
static int ruleset_write(const char *path, struct err *err)
{
	static char line[65536];
	FILE *from = fopen(RULESET, "re"), *to = fopen(path, "we");
	int rc = from && to ? 0 : err_set(err, -errno, "%s: %s", from ? path : RULESET, strerror(errno));

	while (!rc && fgets(line, sizeof(line), from)) {
		char *at = line, *name;

		while ((name = strstr(at, "ip6tnl1"))) {
			fprintf(to, "%.*swan", (int)(name - at), at);
			at = name + strlen("ip6tnl1");
		}
		fputs(at, to);
	}
	if (from)
		fclose(from);
	if (to && fclose(to) && !rc)
		rc = err_set(err, -EIO, "%s: cannot be written", path);
	return rc;
}

static int ranges_up(struct home *h, struct err *err)
{
	char path[64];
	int rc;

	snprintf(path, sizeof(path), "/tmp/portico-bench-%d.nft", getpid());
	rc = ruleset_write(path, err);
	if (!rc)
		rc = home_run(h, HOME_GW, err, "nft -f %s", path);
	unlink(path);
	return rc;
}

static int floor_up(struct home *h, bool inward, struct load_floor **floor, struct err *err)
{
	enum home_port in = inward ? HOME_PORT_WAN : HOME_PORT_LAN, out = inward ? HOME_PORT_LAN : HOME_PORT_WAN;
	struct load_hop hop = {.ns = h->ns[HOME_GW], .in = h->end[in].ifindex, .out = h->end[out].ifindex};

	memcpy(hop.dmac, h->end[inward ? HOME_PORT_HOST : HOME_PORT_ISP].mac, 6);
	memcpy(hop.smac, h->end[out].mac, 6);
	*floor = load_floor_open(&hop, err);
	return *floor ? 0 : -EIO;
}

static int router_up(struct home *h, enum kind kind, struct load_floor **floor, struct err *err)
{
	switch (kind) {
	case FLOOR:
	case FLOOR_IN:
		return floor_up(h, kind == FLOOR_IN, floor, err);
	case NAT44:
		return portico_up(h, "", err);
	case RANGES:
		return ranges_up(h, err);
	case RELAY_IN:
		return relay_up(h, err);
	default:
		return edge_up(h, err);
	}
}

static struct load_path path_of(const struct home *h, const struct kind_plan *plan)
{
	enum home_port from = plan->inward ? HOME_PORT_ISP : HOME_PORT_HOST;
	enum home_port to = plan->inward ? HOME_PORT_HOST : HOME_PORT_ISP;
	u32 first = plan->inward ? HOME_REMOTE_FIRST : HOME_HOST_FIRST;
	struct load_path path = {
		.from_ns = h->ns[plan->inward ? HOME_WAN : HOME_LAN],
		.to_ns = h->ns[plan->inward ? HOME_LAN : HOME_WAN],
		.from_ifindex = h->end[from].ifindex,
		.to_ifindex = h->end[to].ifindex,
		.host_first = first,
		.remote_first = plan->inward ? 0xc0000201u : HOME_REMOTE_FIRST,
		.source = (be32)htonl(plan->source ? plan->source : first & 0xffffff00),
		.mask = (be32)htonl(plan->source ? 0xffffffff : 0xffffff00),
		.spread = plan->spread,
		.dport = plan->dport,
		.tunnelled = plan->tunnelled,
		.cpu = (u32)sysconf(_SC_NPROCESSORS_ONLN) - 1,
	};

	memcpy(path.smac, h->end[from].mac, 6);
	memcpy(path.dmac, h->end[plan->inward ? HOME_PORT_WAN : HOME_PORT_LAN].mac, 6);
	return path;
}

/* The full set is about what gets through; the others about time. */
static int measure(struct load *l, enum kind kind, struct trial_result *t, struct err *err)
{
	const struct kind_plan *p = &plans[kind];
	struct load_plan fill = {.flows = p->flows, .stride = 1, .packets = p->flows, .size = 64};
	struct load_plan run = {.flows = p->flows, .stride = load_stride(p->flows), .packets = PACKETS, .size = 64};
	struct load_result result = {0};
	int rc = load_probe(l, err);

	if (!rc)
		rc = load_run(l, &fill, &result, err);
	if (kind == FULL_SET) {
		t->sent = result.sent;
		t->received = result.received;
		return rc == -ENOBUFS ? 0 : rc;
	}
	if (!rc)
		rc = load_run(l, &run, &result, err);
	t->ns = result.ns;
	return rc;
}

static int trial(enum kind kind, struct trial_result *t, struct err *err)
{
	struct load_floor *floor = NULL;
	struct load_path path;
	int pid = getpid(), rc;
	struct load *l;
	struct home h;

	rc = home_open(&h, undo, &pid, err);
	if (rc)
		return rc;
	rc = router_up(&h, kind, &floor, err);
	if (!rc) {
		path = path_of(&h, &plans[kind]);
		l = load_open(&path, err);
		rc = l ? measure(l, kind, t, err) : -EIO;
		load_close(l);
	}
	load_floor_close(floor);
	if (kind != FLOOR && kind != FLOOR_IN && kind != RANGES)
		router_undo(pid);
	home_close(&h);
	return rc;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void ratio(struct trial_result rounds[][KINDS], int n, const struct map_e_figure *f)
{
	double r[ROUNDS_MAX];

	for (int i = 0; i < n; i++)
		r[i] = rounds[i][f->over].ns / rounds[i][f->under].ns;
	qsort(r, (size_t)n, sizeof(*r), by_value);
	printf("%-66s %6.2f  (%.2f - %.2f)  %s %.2f  %s\n", f->text, r[n / 2], r[0], r[n - 1],
	       f->least ? ">=" : "<=", f->target,
	       (f->least ? r[n / 2] >= f->target : r[n / 2] <= f->target) ? "met" : "NOT met");
}

static const struct map_e_figure figures[] = {
	{"MAP-E edge / NAT44, time a packet, 1,000 flows", EDGE, NAT44, 1.25, false},
	{"nftables 63 ranges, no tunnel / MAP-E edge, 500 destinations", RANGES, EDGE_SPREAD, 2.8, true},
	{"MAP-E relay, encapsulation / bare redirect", RELAY_IN, FLOOR_IN, 1.35, false},
};

static void report(struct trial_result rounds[][KINDS], int n)
{
	u64 lost = 0;

	printf("\n%-66s %6s\n", "ratio within a round", "median");
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		ratio(rounds, n, &figures[i]);
	for (int i = 0; i < n; i++)
		lost += rounds[i][FULL_SET].sent - rounds[i][FULL_SET].received;
	printf("%-66s %6llu  %s\n", "5,000 flows to 5 destinations through 1008 ports: refused or lost", lost,
	       lost ? "NOT met" : "met");
	map_e_ports_report();
}

int main(int argc, char **argv)
{
	static struct trial_result rounds[ROUNDS_MAX][KINDS];
	int n = argc > 1 ? atoi(argv[1]) : 7;
	struct err err;

	if (n < 1 || n > ROUNDS_MAX || argc > 2) {
		fprintf(stderr,
			"usage: portico-bench-map-e [ROUNDS]\n\nWhat MAP-E costs a packet, in network namespaces, "
			"on one CPU, 64-byte UDP. Needs root. 1 to %d rounds (7).\n",
			ROUNDS_MAX);
		return 2;
	}
	alarm(TIME_LIMIT);
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < KINDS; k++) {
			enum kind kind = (enum kind)((i + k) % KINDS);

			if (trial(kind, &rounds[i][kind], &err)) {
				fprintf(stderr, "portico-bench-map-e: %s: %s\n", plans[kind].name, err.text);
				return 1;
			}
			printf("round %d of %d  %-42s %7.1f ns a packet\n", i + 1, n, plans[kind].name,
			       rounds[i][kind].ns);
			fflush(stdout);
		}
	}
	report(rounds, n);
	return 0;
}
