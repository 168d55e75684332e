/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path_test.c - paths: each topology with each router, settings, flows, hooks; and that nothing of them is left */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"
#include "bench/lab/path.h"
#include "lib/clock.h"
#include "lib/run.h"

#define TIME_LIMIT 110 /* s */
#define FLOWS 500

static struct lab lab;
static struct err err;

/* Namespaces, pins and files that are named after a process. */
static bool left_of(pid_t pid)
{
	static const char *const directories[] = {"/run/netns", "/sys/fs/bpf/portico", "/tmp", "/run/portico"};
	char mine[32];
	bool left = false;

	snprintf(mine, sizeof(mine), "-%d", pid);
	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++) {
		DIR *all = opendir(directories[i]);
		struct dirent *entry;

		while (all && (entry = readdir(all))) {
			const char *at = strstr(entry->d_name, mine);

			if (at && (!at[strlen(mine)] || at[strlen(mine)] == '-' || at[strlen(mine)] == '.'))
				left = true;
		}
		if (all)
			closedir(all);
	}
	return left;
}

static const char *file_line(const char *path)
{
	static char line[256];
	FILE *f = fopen(path, "re");

	if (!f || !fgets(line, sizeof(line), f))
		*line = '\0';
	if (f)
		fclose(f);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static bool parse(const char *text)
{
	if (CHECK_EQ(lab_parse(&lab, "test.lab", text, &err), 0))
		return true;
	fprintf(stderr, "%s\n", err.text);
	return false;
}

static struct path *open_variant(const char *name)
{
	const struct lab_variant *v = lab_variant_get(&lab, name, &err);

	return v ? path_open(&lab, v, &err) : NULL;
}

static void fingerprint_check(struct path *p)
{
	static const char *const keys[] = {"kernel.release",  "kernel.version", "kernel.cmdline", "kernel.config",
					   "kernel.modules",  "cpu.model",	"cpu.count",	  "cpu.governor",
					   "cpu.mitigations", "irq.affinity",	"lan.driver",	  "lan.offload",
					   "wan.qdisc",	      "wan.rps",	"wan.xps",	  "lan.xdp",
					   "lan.coalesce",    "router.kind",	"load.version",	  "load.compiler"};
	json_t *all = path_fingerprint(p);

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!CHECK(json_string_value(json_object_get(all, keys[i]))))
			fprintf(stderr, "no %s\n", keys[i]);
	CHECK_STR(json_string_value(json_object_get(all, "lan.driver")), "veth");
	json_decref(all);
}

static bool has_flows(const char *variant)
{
	return !strcmp(variant, "nftables") || !strcmp(variant, "portico");
}

/* Opens flows, counts them, ends them. */
static void flows_check(struct path *p, struct load *l, const char *variant)
{
	struct load_plan plan = {
		.way = LOAD_OUT, .flows = FLOWS, .stride = 1, .packets = FLOWS, .size = 64, .learn = true};
	struct load_result result;
	u64 flows = 0;
	int rc;

	CHECK_EQ(load_run(l, &plan, &result, &err), 0);
	rc = path_flows(p, &flows, &err);
	if (!has_flows(variant)) {
		CHECK_EQ(rc, -ENOTSUP);
		CHECK_EQ(path_flush(p, &flows, &err), -ENOTSUP);
		return;
	}
	CHECK_EQ(rc, 0);
	CHECK_EQ(flows, FLOWS);
	CHECK_EQ(path_flush(p, &flows, &err), 0);
	CHECK_EQ(flows, FLOWS);
	CHECK_EQ(path_flows(p, &flows, &err), 0);
	CHECK_EQ(flows, 0);
}

static void load_check(struct path *p, const char *variant)
{
	struct load_path where;
	struct load *l;
	char trace[600];

	if (!CHECK_EQ(path_load(p, &where, &err), 0))
		return;
	l = load_open(&where, &err);
	if (CHECK(l) && CHECK_EQ(load_probe(l, 0, &err), 0))
		flows_check(p, l, variant);
	else
		fprintf(stderr, "%s; %s\n", err.text, path_trace(p, trace, sizeof(trace)));
	load_close(l);
}

static void test_topology(const char *topology)
{
	static const char *const variants[] = {"nftables", "portico", "bare-redirect", "forward"};
	char text[256];

	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++) {
		struct path *p;

		snprintf(text, sizeof(text), "[lab]\ntopology = %s\n[load]\nflows = %d\n[variants]\n%s = %s\n",
			 topology, FLOWS, variants[i], variants[i]);
		check_context("%s, %s", topology, variants[i]);
		if (!parse(text))
			continue;
		p = open_variant(variants[i]);
		if (!p && !strcmp(topology, "trunk") && strstr(err.text, "8021q"))
			continue;
		if (!CHECK(p)) {
			fprintf(stderr, "%s\n", err.text);
			continue;
		}
		fingerprint_check(p);
		load_check(p, variants[i]);
		CHECK_EQ(path_close(p, &err), 0);
		CHECK(!left_of(getpid()));
	}
	check_context("%s", "");
}

/* A line of sh in the router's namespace, with its /sys. */
static const char *ask(const char *line)
{
	static char text[256];
	char *output, whole[512];
	struct hook hook = {.what = "test", .line = whole, .ns = -1, .limit = 10};

	snprintf(whole, sizeof(whole), "ip netns exec $PORTICO_GW sh -c '%s'", line);
	CHECK_EQ(hook_run(&hook, &output, &err), 0);
	snprintf(text, sizeof(text), "%s", output ? output : "");
	text[strcspn(text, "\n")] = '\0';
	free(output);
	return text;
}

static void test_settings(void)
{
	char budget[64], other[64], variant[LAB_TEXT];
	struct path *p;

	snprintf(budget, sizeof(budget), "%s", file_line("/proc/sys/net/core/netdev_budget"));
	snprintf(other, sizeof(other), "%d", atoi(budget) + 1);
	snprintf(variant, sizeof(variant),
		 "nftables + sysctl net.ipv4.ip_early_demux=0 + sysctl net.core.netdev_budget=%s + rps lan 2 + "
		 "xps wan 1 + ethtool -K wan rx-udp-gro-forwarding on + run ip link set lan alias \"a b\"",
		 other);
	if (!parse("[variants]\na = nftables\n"))
		return;
	p = open_variant(variant);
	if (!CHECK(p)) {
		fprintf(stderr, "%s\n", err.text);
		return;
	}
	CHECK_STR(ask("cat /proc/sys/net/ipv4/ip_early_demux"), "0");
	CHECK_STR(ask("cat /sys/class/net/lan/queues/rx-0/rps_cpus"), "2");
	CHECK_STR(ask("cat /sys/class/net/wan/queues/tx-0/xps_cpus"), "1");
	CHECK_STR(ask("ethtool -k wan | grep -o \"udp-gro-forwarding: on\""), "udp-gro-forwarding: on");
	CHECK_STR(ask("cat /sys/class/net/lan/ifalias"), "a b");
	CHECK_STR(file_line("/proc/sys/net/core/netdev_budget"), other);
	CHECK_EQ(path_close(p, &err), 0);
	CHECK_STR(file_line("/proc/sys/net/core/netdev_budget"), budget);
	CHECK_STR(file_line("/proc/sys/net/ipv4/ip_early_demux"), "1");
}

static const struct {
	const char *text, *variant, *said;
} refused[] = {
	{"[variants]\na = nftables + rps eth7 1\n", "a", "test.lab:2: variant 'a': 'rps eth7 1' failed (exit status "},
	{"[variants]\na = nftables + sysctl net.no.such=1\n", "a",
	 "test.lab:2: variant 'a': sysctl net.no.such=1: this kernel has no such setting"},
	{"[variants]\na = forward + run exit 4\n", "a", "test.lab:2: variant 'a': 'exit 4' failed (exit status 4)"},
	{"[variants]\na = nftables + ethtool -C lan rx-usecs 50\n", "a",
	 "test.lab:2: variant 'a': 'ethtool -C lan rx-usecs 50' failed"},
	{"[variants]\na = nftables + ethtool -K lan gro off\n", "a",
	 "test.lab:2: variant 'a': ethtool -K lan gro off: between namespaces frames of this load come in by GRO only; "
	 "compare it with kind = tcp, or on a wire"},
	{"[variants]\na = ruleset /no/such.nft\n", "a",
	 "test.lab:2: variant 'a': ruleset /no/such.nft: No such file or directory"},
	{"[variants]\na = ruleset /proc/version\n", "a", "test.lab:2: variant 'a': 'nft -f /proc/version' failed"},
	{"[variants]\na = portico build /no/such\n", "a", "variant 'a': there is no portico in '/no/such': build it"},
	{"[variants]\na = portico + nat color=red\n", "a", "test.lab:2: variant 'a': "},
	{"[variant a]\nsetup = echo why >&2\nsetup = exit 5\n", "a",
	 "test.lab:1: variant 'a': setup: 'echo why >&2\nexit 5' failed (exit status 5): why"},
	{"[load]\nhook-limit = 0.3\n[variant a]\nsetup = sleep 300\n", "a",
	 "test.lab:3: variant 'a': setup: 'sleep 300' was ended after 0.3 s"},
	{"[lab]\ntopology = wire\n[wire]\nnear = nowhere0\nfar = lo\nnear-hop = 02:00:00:00:00:01\n"
	 "far-hop = 02:00:00:00:00:02\nhosts = 10.0.0.1\nremotes = 198.51.100.1\n[variant a]\nsetup = true\n",
	 "a", "test.lab:4: near: there is no interface 'nowhere0'; 'ip link' lists those there are"},
	{"[lab]\ntopology = wire\n[wire]\nnear = no-such-ns/eth0\nfar = lo\nnear-hop = 02:00:00:00:00:01\n"
	 "far-hop = 02:00:00:00:00:02\nhosts = 10.0.0.1\nremotes = 198.51.100.1\n[variant a]\nsetup = true\n",
	 "a", "test.lab:4: near: there is no network namespace 'no-such-ns'; 'ip netns' lists them"},
	{"[lab]\ntopology = wire\n[wire]\nnear = lo\nfar = lo\nnear-hop = 02:00:00:00:00:01\n"
	 "far-hop = 02:00:00:00:00:02\nhosts = 10.0.0.1\nremotes = 198.51.100.1\n[variants]\na = nftables\n",
	 "a", "test.lab:11: variant 'a': on a wire no router is made here: use hooks"},
};

static void test_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		u64 began = clock_ns();

		check_context("%s", refused[i].text);
		if (!parse(refused[i].text) || !CHECK(!open_variant(refused[i].variant)))
			continue;
		if (!CHECK(strstr(err.text, refused[i].said) == err.text))
			fprintf(stderr, "    %s\n", err.text);
		CHECK(clock_ns() - began < 5000000000ULL);
		CHECK(!left_of(getpid()));
	}
	check_context("%s", "");
}

static void test_hooks(void)
{
	char mark[64], text[512];
	struct path *p;

	snprintf(mark, sizeof(mark), "/tmp/lab-path-test.%d", getpid());
	snprintf(text, sizeof(text),
		 "[variant by hand]\nsetup = ip netns exec $PORTICO_GW nft add table ip hook\n"
		 "setup = echo $PORTICO_VARIANT $PORTICO_LAN >%s\n"
		 "teardown = rm %s && ip netns exec $PORTICO_GW nft list table ip hook && exit 3\n",
		 mark, mark);
	if (!parse(text))
		return;
	p = open_variant("by hand");
	if (!CHECK(p)) {
		fprintf(stderr, "%s\n", err.text);
		return;
	}
	snprintf(text, sizeof(text), "by hand portico-lan-%d", getpid());
	CHECK_STR(file_line(mark), text);
	load_check(p, "hooks");
	CHECK_EQ(path_close(p, &err), -EIO);
	CHECK(strstr(err.text, "test.lab:1: variant 'by hand': teardown: 'rm ") == err.text);
	CHECK(access(mark, F_OK) != 0);
	CHECK(!left_of(getpid()));
}

static void test_ports(void)
{
	struct load_path where;
	struct path *p;

	if (!parse("[lab]\ntopology = map-e\n[load]\nflows = 2017\ndestinations = 2\n[variants]\na = nftables\n"))
		return;
	p = open_variant("a");
	if (!CHECK(p))
		return;
	CHECK_EQ(path_load(p, &where, &err), -ENOTSUP);
	CHECK_STR(err.text,
		  "test.lab: 2017 flows to 2 destinations are more than the 1008 ports of the edge carry: more "
		  "destinations, or fewer flows");
	path_close(p, &err);
}

static void test_wire(void)
{
	struct load_path where;
	struct path *p;

	CHECK_EQ(run_line(NULL, &err, "ip netns add portico-wire-%d", getpid()), 0);
	CHECK_EQ(run_line(NULL, &err, "ip -n portico-wire-%d link add w0 type veth peer name w1", getpid()), 0);
	char text[512];

	snprintf(text, sizeof(text),
		 "[lab]\ntopology = wire\n[wire]\nnear = portico-wire-%d/w0\nfar = portico-wire-%d/w1\n"
		 "near-hop = 02:00:00:00:00:01\nfar-hop = 02:00:00:00:00:02\nhosts = 10.0.0.1\n"
		 "remotes = 198.51.100.1\noutside = 203.0.113.2\n[variant a]\nsetup = true\n",
		 getpid(), getpid());
	if (parse(text)) {
		p = open_variant("a");
		if (CHECK(p) && CHECK_EQ(path_load(p, &where, &err), 0)) {
			CHECK(where.near.ifindex && where.far.ifindex && where.near.ifindex != where.far.ifindex);
			CHECK_EQ(where.far.hop[5], 2);
			CHECK_EQ(where.host_first, 0x0a000001);
			CHECK(path_ns(p, PATH_LAN) >= 0 && path_ns(p, PATH_WAN) >= 0);
			CHECK_STR(path_remote(p), "");
			CHECK_EQ(path_close(p, &err), 0);
		}
	}
	run_line(NULL, &err, "ip netns del portico-wire-%d", getpid());
}

/* A child opens a path, starts what hangs, and is killed: soon nothing is left of it. */
static void killed(int signal_number, const char *variant)
{
	char budget[64], byte = 0;
	int ready[2];
	pid_t child;

	snprintf(budget, sizeof(budget), "%s", file_line("/proc/sys/net/core/netdev_budget"));
	check_context("signal %d, %s", signal_number, variant);
	if (!parse("[lab]\ntopology = map-e\n[variant a]\nrouter = portico\nsysctl = net.core.netdev_budget=333\n"
		   "[variant hangs]\nsetup = sleep 298 & sleep 299\n") ||
	    !CHECK_EQ(pipe(ready), 0))
		return;
	fflush(NULL);
	child = fork();
	if (!child) {
		if (!strcmp(variant, "hangs")) /* it never comes back */
			alarm(1);
		if (write(ready[1], open_variant(variant) ? "+" : "-", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (signal_number != SIGALRM) {
		CHECK_EQ(read(ready[0], &byte, 1), 1);
		CHECK_EQ(byte, '+');
		CHECK(left_of(child));
		kill(child, signal_number);
	}
	waitpid(child, NULL, 0);
	for (int i = 0; i < 50 && left_of(child); i++)
		usleep(100000);
	CHECK(!left_of(child));
	CHECK(strcmp(budget, "333") && !strcmp(file_line("/proc/sys/net/core/netdev_budget"), budget));
	CHECK_EQ(system("ps -e -o args | grep -q '^sleep 29[89]'") != 0, 1);
	close(ready[0]);
	check_context("%s", "");
}

static void test_speed(void)
{
	u64 began = clock_ns(), built;
	struct path *p;

	if (!parse("[variants]\na = forward\n"))
		return;
	p = open_variant("a");
	built = clock_ns();
	if (!CHECK(p))
		return;
	path_close(p, &err);
	printf("a home is built in %.0f ms, and gone in %.0f ms\n", (built - began) / 1e6, (clock_ns() - built) / 1e6);
}

int main(void)
{
	if (geteuid()) {
		puts("needs root");
		return 77;
	}
	if (run_line(NULL, &err, "nft --version") || run_line(NULL, &err, "ethtool --version") ||
	    run_line(NULL, &err, "unshare -n true")) {
		puts(err.text);
		return 77;
	}
	alarm(TIME_LIMIT);
	test_speed();
	test_topology("home");
	test_topology("map-e");
	test_topology("trunk");
	test_settings();
	test_refused();
	test_hooks();
	test_ports();
	test_wire();
	killed(SIGTERM, "a");
	killed(SIGKILL, "a");
	killed(SIGALRM, "hangs");
	return check_summary("lab-path");
}
