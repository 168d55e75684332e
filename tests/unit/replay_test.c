/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_test.c - replay over files: order, timers, damaged and foreign captures, all outputs or none */
#include "fixture.h"

#include <pcap/pcap.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/replay.h"

#define S 1000000000ULL

static char work[] = "/tmp/portico-replay-XXXXXX";

static const char *at(const char *name)
{
	static char path[4][64];
	static unsigned int i;

	i = (i + 1) % 4;
	snprintf(path[i], sizeof(path[i]), "%s/%s", work, name);
	return path[i];
}

struct captured {
	u64 ns;
	const u8 *data;
	u32 length;
	u32 missing; /* bytes that the capture cut off */
};

static void pcap_make(const char *name, int link, const struct captured *packets, u32 n)
{
	pcap_t *pcap = pcap_open_dead_with_tstamp_precision(link, 65535, PCAP_TSTAMP_PRECISION_NANO);
	pcap_dumper_t *out = pcap_dump_open(pcap, at(name));

	for (u32 i = 0; i < n; i++) {
		struct pcap_pkthdr h = {
			.ts = {.tv_sec = (time_t)(packets[i].ns / S), .tv_usec = (suseconds_t)(packets[i].ns % S)},
			.caplen = packets[i].length - packets[i].missing,
			.len = packets[i].length,
		};

		pcap_dump((u_char *)out, &h, packets[i].data);
	}
	pcap_dump_close(out);
	pcap_close(pcap);
}

#define UDP_OUT(ns)                                                                                                    \
	{                                                                                                              \
		ns, udp_out, sizeof(udp_out), 0                                                                        \
	}
#define UDP_IN(ns)                                                                                                     \
	{                                                                                                              \
		ns, udp_in, sizeof(udp_in), 0                                                                          \
	}
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* How ports are given out in run(). */
static struct dp_portset ports;
static enum dp_mapping mapping;

/* lan.pcap and wan.pcap to out-lan.pcap and out-wan.pcap. */
static int run(struct replay_result *result, struct err *err)
{
	static struct fixture f;
	struct home_port home[] = {
		{.link = "lan0", .address = address(192, 168, 1, 1), .prefix = 24},
		{.link = "wan0", .address = address(203, 0, 113, 2), .prefix = 24, .gateway = address(203, 0, 113, 1)},
	};
	struct engine_route routes[HOME_ROUTES_MAX];
	struct replay_file in[] = {{0, at("lan.pcap")}, {1, at("wan.pcap")}};
	struct replay_file out[] = {{0, at("out-lan.pcap")}, {1, at("out-wan.pcap")}};
	struct replay_options o = {
		.timers = {.tcp_established = 7440, .tcp_transitory = 240, .udp = 300, .icmp = 60},
		.flows = 64,
		.routes = routes,
		.inputs = in,
		.ninputs = 2,
		.outputs = out,
		.noutputs = 2,
	};

	fixture_init(&f, 0, 0);
	if (ports.count)
		f.config.ports = ports;
	f.config.mapping = (u8)mapping;
	home_config(home, 1, &f.config);
	o.config = f.config;
	o.nroutes = home_routes(home, &f.config, routes);
	err->text[0] = 0;
	return replay_run(&o, result, err);
}

static u64 packets_of(const struct replay_result *r, enum reason why)
{
	return r->counters[why].packets;
}

/* The answer is a nanosecond later in another file; one at the same time comes after, being the second input. */
static void order(void)
{
	struct captured lan[] = {UDP_OUT(100 * S + 5)};
	struct captured wan[] = {UDP_IN(100 * S + 4), UDP_IN(100 * S + 5), UDP_IN(100 * S + 6)};
	struct replay_result r;
	struct err err;

	check_context("order");
	pcap_make("lan.pcap", DLT_EN10MB, lan, COUNT(lan));
	pcap_make("wan.pcap", DLT_EN10MB, wan, COUNT(wan));
	CHECK_EQ(run(&r, &err), 0);
	CHECK_EQ(packets_of(&r, REASON_FORWARD_OUT), 1);
	CHECK_EQ(packets_of(&r, REASON_FORWARD_IN), 2);
	CHECK_EQ(packets_of(&r, REASON_KERNEL_NO_FLOW), 1);
	CHECK_EQ(r.packets, 4);
	CHECK_EQ(r.first_ns, 100 * S + 4);
	CHECK_EQ(r.last_ns, 100 * S + 6);
	CHECK_EQ(r.flows, 1);
	CHECK_EQ(r.expired, 0);
}

/* UDP ends after 300 s; it is looked at each second, so at 301 s it is gone for sure. */
static void timers(void)
{
	struct captured lan[] = {UDP_OUT(100 * S)};
	struct captured wan[] = {UDP_IN(399 * S), UDP_IN(401 * S + S / 2)};
	struct replay_result r;
	struct err err;

	check_context("timers");
	pcap_make("lan.pcap", DLT_EN10MB, lan, COUNT(lan));
	pcap_make("wan.pcap", DLT_EN10MB, wan, COUNT(wan));
	CHECK_EQ(run(&r, &err), 0);
	CHECK_EQ(packets_of(&r, REASON_FORWARD_IN), 1);
	CHECK_EQ(packets_of(&r, REASON_KERNEL_NO_FLOW), 1);
	CHECK_EQ(r.expired, 1);
	CHECK_EQ(r.flows, 0);
}

/* Two ports are two sockets'; the third gets one when the first has been silent for long. */
static void sockets(void)
{
	static const struct {
		u64 ns;
		u8 port, last; /* of the inside port, of the destination */
	} sent[] = {{100 * S, 1, 9}, {100 * S, 2, 9}, {100 * S, 3, 9}, {300 * S, 2, 10},
		    {405 * S, 3, 9}, {406 * S, 4, 9}, {407 * S, 2, 11}};
	u8 data[COUNT(sent)][sizeof(udp_out)];
	struct captured lan[COUNT(sent)];
	struct replay_result r;
	struct err err;

	check_context("sockets");
	ports = portset_of_range(5000, 5001);
	mapping = MAPPING_ENDPOINT_INDEPENDENT;
	for (u32 i = 0; i < COUNT(sent); i++) {
		memcpy(data[i], udp_out, sizeof(udp_out));
		data[i][33] = sent[i].last;
		data[i][35] = sent[i].port;
		data[i][40] = data[i][41] = 0; /* no checksum */
		ip_csum_fix(data[i] + 14);
		lan[i] = (struct captured){sent[i].ns, data[i], sizeof(udp_out), 0};
	}
	pcap_make("lan.pcap", DLT_EN10MB, lan, COUNT(lan));
	pcap_make("wan.pcap", DLT_EN10MB, lan, 0);
	CHECK_EQ(run(&r, &err), 0);
	CHECK_EQ(packets_of(&r, REASON_FORWARD_OUT), 5);
	CHECK_EQ(packets_of(&r, REASON_SLOW_NO_PORT), 2);
	CHECK_EQ(r.expired, 2);
	ports = (struct dp_portset){0};
	mapping = MAPPING_ENDPOINT_DEPENDENT;
}

/* A clock that jumps back does not move; one that jumps far ahead costs no more than a small step. */
static void clocks(void)
{
	struct captured lan[] = {UDP_OUT(1000 * S), UDP_OUT(10 * S), UDP_OUT(1001 * S), UDP_OUT(4000000000ULL * S)};
	struct replay_result r;
	struct err err;

	check_context("clocks");
	pcap_make("lan.pcap", DLT_EN10MB, lan, COUNT(lan));
	pcap_make("wan.pcap", DLT_EN10MB, NULL, 0);
	CHECK_EQ(run(&r, &err), 0);
	CHECK_EQ(packets_of(&r, REASON_FORWARD_OUT), 4);
	CHECK_EQ(r.expired, 1);
	CHECK_EQ(r.flows, 1);
}

static void more_than_a_batch(void)
{
	static struct captured lan[1000];
	struct replay_result r;
	struct err err;

	check_context("1000 packets");
	for (u32 i = 0; i < COUNT(lan); i++)
		lan[i] = (struct captured)UDP_OUT(100 * S + i * 1000);
	pcap_make("lan.pcap", DLT_EN10MB, lan, COUNT(lan));
	pcap_make("wan.pcap", DLT_EN10MB, NULL, 0);
	CHECK_EQ(run(&r, &err), 0);
	CHECK_EQ(packets_of(&r, REASON_FORWARD_OUT), 1000);
}

static void unlink_all(void)
{
	static const char *const names[] = {"lan.pcap", "wan.pcap", "out-lan.pcap", "out-wan.pcap"};

	for (u32 i = 0; i < COUNT(names); i++)
		unlink(at(names[i]));
}

/* Each must say file, packet and reason, and leave no output: also not under a temporary name. */
static void refused(const char *name, const char *want)
{
	struct replay_result r;
	struct err err;
	char sentence[256];

	check_context("%s", name);
	unlink(at("out-lan.pcap"));
	unlink(at("out-wan.pcap"));
	CHECK(run(&r, &err) < 0);
	snprintf(sentence, sizeof(sentence), "%s/lan.pcap: %s", work, want);
	CHECK(strstr(err.text, sentence) == err.text);
	if (strstr(err.text, sentence) != err.text)
		fprintf(stderr, "    \"%s\"\n    should begin \"%s\"\n", err.text, sentence);
	CHECK(access(at("out-lan.pcap"), F_OK) != 0);
	CHECK(access(at("out-wan.pcap"), F_OK) != 0);
}

static void damaged(void)
{
	struct captured good[] = {UDP_OUT(S), UDP_OUT(2 * S)},
			cut[] = {UDP_OUT(S), {2 * S, udp_out, sizeof(udp_out), 6}};
	FILE *file;

	pcap_make("wan.pcap", DLT_EN10MB, NULL, 0);
	pcap_make("lan.pcap", DLT_EN10MB, cut, COUNT(cut));
	refused("cut by the capture", "packet 2: captured only 40 of 46 bytes (capture with -s 0)");
	pcap_make("lan.pcap", DLT_EN10MB, good, COUNT(good));
	CHECK_EQ(truncate(at("lan.pcap"), 24 + 16 + 46 + 16 + 20), 0);
	refused("cut file", "packet 2: truncated dump file");
	CHECK_EQ(truncate(at("lan.pcap"), 24 + 16 + 46 + 7), 0);
	refused("cut file, in a header", "packet 2: truncated dump file");
	CHECK_EQ(truncate(at("lan.pcap"), 10), 0);
	refused("cut file header", "not a capture file (pcap or pcapng): truncated dump file");
	CHECK_EQ(truncate(at("lan.pcap"), 0), 0);
	refused("empty file", "not a capture file (pcap or pcapng): truncated dump file");
	file = fopen(at("lan.pcap"), "w");
	fputs("this is a text, and long enough to be no capture\n", file);
	fclose(file);
	refused("a text", "not a capture file (pcap or pcapng): unknown file format");
	pcap_make("lan.pcap", DLT_RAW, NULL, 0);
	refused("raw IP", "link type RAW; only Ethernet can be replayed");
	pcap_make("lan.pcap", DLT_LINUX_SLL, good, COUNT(good));
	refused("cooked", "link type LINUX_SLL; only Ethernet can be replayed");
	unlink(at("lan.pcap"));
	refused("no file", "No such file or directory");
}

/* A result replaces the one before, has the rights of any new file, and is the same each time. */
static void outputs(void)
{
	struct captured lan[] = {
		UDP_OUT(S), {S + 1, tcp_out, sizeof(tcp_out), 0}, {S + 2, icmp_out, sizeof(icmp_out), 0}};
	struct replay_result r;
	struct err err;
	struct stat st;
	static u8 first[4096], second[4096];
	size_t n[2];

	check_context("outputs");
	pcap_make("lan.pcap", DLT_EN10MB, lan, COUNT(lan));
	for (u32 round = 0; round < 2; round++) {
		FILE *file;

		CHECK_EQ(run(&r, &err), 0);
		file = fopen(at("out-wan.pcap"), "r");
		if (!CHECK(file != NULL))
			return;
		n[round] = fread(round ? second : first, 1, sizeof(first), file);
		fclose(file);
	}
	CHECK_EQ(n[0], 24 + 3 * 16 + sizeof(udp_out) + sizeof(tcp_out) + sizeof(icmp_out));
	CHECK_EQ(n[0], n[1]);
	CHECK_MEM(second, first, n[0]);
	CHECK_EQ(stat(at("out-wan.pcap"), &st), 0);
	CHECK_EQ(st.st_mode & 0777, 0644);
}

int main(void)
{
	umask(022);
	if (!mkdtemp(work))
		return 2;
	order();
	timers();
	sockets();
	clocks();
	more_than_a_batch();
	damaged();
	outputs();
	unlink_all();
	check_context("no file is left behind");
	CHECK_EQ(rmdir(work), 0);
	return check_summary("replay");
}
