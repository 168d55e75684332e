/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_test.c - the bench's load through a bare redirect and through Linux: what it counts, and what it finds */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"
#include "bench/load/load.h"
#include "place.h"

#define FLOWS 1000
#define PACKETS 120000
#define TIME_LIMIT 100 /* seconds */
#define HOST 0xc0a8010aU
#define REMOTE 0xc6336401U
#define WAN_ADDRESS 0xcb007102U

static struct err err;

static struct load_end end_of(enum place_host host, enum place_port own, enum place_port hop)
{
	struct load_end end = {.ns = place.ns[host], .ifindex = place.end[own].ifindex};

	memcpy(end.mac, place.end[own].mac, 6);
	memcpy(end.hop, place.end[hop].mac, 6);
	return end;
}

/* The hosts keep their addresses. */
static struct load_path path_plain(void)
{
	return (struct load_path){
		.near = end_of(PLACE_A, PLACE_NEAR, PLACE_LAN),
		.far = end_of(PLACE_B, PLACE_FAR, PLACE_WAN),
		.host_first = HOST,
		.remote_first = REMOTE,
		.source = (be32)htonl(HOST),
		.mask = (be32)0xffffffff,
		.spread = 7,
		.flows_max = FLOWS,
	};
}

static struct load_path path_trunk(void)
{
	struct load_path path = path_plain();

	path.near = path.far = end_of(PLACE_A, PLACE_TRUNK, PLACE_PORT);
	path.near.vid = 10;
	path.far.vid = 20;
	return path;
}

static struct load_hop hop_of(enum place_port own, enum place_port next, u16 vid)
{
	struct load_hop hop = {.ifindex = place.end[own].ifindex, .vid = vid};

	memcpy(hop.mac, place.end[own].mac, 6);
	memcpy(hop.next, place.end[next].mac, 6);
	return hop;
}

static struct load_floor *floor_between(struct load_hop lan, struct load_hop wan, u32 work)
{
	const struct load_hop hop[2] = {lan, wan};
	struct load_floor *f = load_floor_open(place.ns[PLACE_R], hop, work, &err);

	if (!CHECK(f))
		fprintf(stderr, "%s\n", err.text);
	return f;
}

static struct load_floor *floor_plain(u32 work)
{
	return floor_between(hop_of(PLACE_LAN, PLACE_NEAR, 0), hop_of(PLACE_WAN, PLACE_FAR, 0), work);
}

static struct load *opened(const struct load_path *path)
{
	struct load *l = load_open(path, &err);

	if (!CHECK(l))
		fprintf(stderr, "%s\n", err.text);
	return l;
}

static struct load_plan plan_of(enum load_way way)
{
	return (struct load_plan){.way = way,
				  .flows = FLOWS,
				  .stride = load_stride(FLOWS),
				  .packets = PACKETS,
				  .size = 64,
				  .cpu = (u32)sysconf(_SC_NPROCESSORS_ONLN) - 1,
				  .all = true};
}

/* Runs the plan, which has to end with `rc`. */
static struct load_result run(struct load *l, const struct load_plan *plan, int rc)
{
	struct load_result result;
	int got = load_run(l, plan, &result, &err);

	if (!CHECK_EQ(got, rc) && got)
		fprintf(stderr, "%s\n", err.text);
	return result;
}

static void learn(struct load *l)
{
	struct load_plan plan = plan_of(LOAD_OUT);

	plan.stride = 1;
	plan.packets = FLOWS;
	plan.learn = true;
	run(l, &plan, 0);
}

static void check_count(const struct load_count *c, u64 packets)
{
	CHECK_EQ(c->sent, packets);
	CHECK(c->received <= packets && c->received >= packets - packets / 1000);
	CHECK_EQ(c->wrong, 0);
	CHECK_EQ(c->foreign, 0);
	CHECK_EQ(c->late, 0);
	if (packets)
		CHECK(c->ns > 1 && c->seconds > 0);
}

/* Every way, when all flows are learned. */
static void check_ways(struct load *l)
{
	struct load_plan plan = plan_of(LOAD_OUT);

	for (int way = LOAD_OUT; way <= LOAD_BOTH; way++) {
		struct load_result result;

		plan.way = (enum load_way)way;
		result = run(l, &plan, 0);
		check_count(&result.way[LOAD_OUT], way != LOAD_IN ? PACKETS : 0);
		check_count(&result.way[LOAD_IN], way != LOAD_OUT ? PACKETS : 0);
		if (way != LOAD_BOTH)
			CHECK_EQ(result.way[way].out_of_order, 0);
	}
}

static void test_ways(void)
{
	struct load_path path = path_plain();
	struct load_floor *floor = floor_plain(0);
	struct load_plan in = plan_of(LOAD_IN);
	struct load *l = opened(&path);

	check_context("through a bare redirect");
	if (floor && l) {
		CHECK_EQ(load_probe(l, in.cpu, &err), 0);
		CHECK_EQ(run(l, &in, -ENODATA).way[LOAD_IN].sent, 0);
		learn(l);
		check_ways(l);
	}
	load_close(l);
	load_floor_close(floor);
}

static void test_trunk(void)
{
	struct load_path path = path_trunk();
	struct load_floor *floor =
		floor_between(hop_of(PLACE_PORT, PLACE_TRUNK, 10), hop_of(PLACE_PORT, PLACE_TRUNK, 20), 0);
	struct load *l = opened(&path);

	check_context("two VLANs of one interface");
	if (floor && l) {
		learn(l);
		check_ways(l);
	}
	load_close(l);
	load_floor_close(floor);
}

/* 7 x 60, 4 x 590, 1 x 1514 bytes without the check sequence, each with its sums; tags come on top. */
static void test_imix(const struct load_path *path, struct load_floor *floor, enum place_port far, u32 tag)
{
	struct load_plan plan = plan_of(LOAD_OUT);
	struct load *l = opened(path);
	u64 before = place_received(far);

	plan.size = LOAD_IMIX;
	if (floor && l) {
		struct load_result result = run(l, &plan, 0);

		check_count(&result.way[LOAD_OUT], PACKETS);
		CHECK_EQ(place_received(far) - before,
			 result.way[LOAD_OUT].received * tag + PACKETS / 12 * (7 * 60 + 4 * 590 + 1514));
		plan.size = 1518;
		result = run(l, &plan, 0);
		check_count(&result.way[LOAD_OUT], PACKETS);
		plan.size = 1519;
		run(l, &plan, -EINVAL);
	}
	load_close(l);
	load_floor_close(floor);
}

static void test_imixes(void)
{
	struct load_path plain = path_plain(), trunk = path_trunk();

	check_context("IMIX");
	test_imix(&plain, floor_plain(0), PLACE_FAR, 0);
	check_context("IMIX, tagged");
	test_imix(&trunk, floor_between(hop_of(PLACE_PORT, PLACE_TRUNK, 10), hop_of(PLACE_PORT, PLACE_TRUNK, 20), 0),
		  PLACE_TRUNK, 4);
}

static void check_delay(const struct load_delay *d, u64 packets)
{
	CHECK_EQ(d->packets, packets);
	CHECK(d->min > 0 && d->min <= d->p50 && d->p50 <= d->p90 && d->p90 <= d->p99 && d->p99 <= d->p999);
	CHECK(d->p999 <= d->max && d->max < 1e9);
	CHECK(d->pdv == d->p999 - d->min);
}

/* How near the rate is kept is not judged: this machine may be busy. */
static void test_rate(void)
{
	struct load_path path = path_plain();
	struct load_floor *floor = floor_plain(0);
	struct load_plan plan = plan_of(LOAD_OUT);
	struct load *l = opened(&path);

	check_context("at a rate");
	plan.packets = 20000;
	plan.rate = 50000;
	plan.delay = true;
	if (floor && l) {
		struct load_result result;

		learn(l);
		for (int way = LOAD_OUT; way <= LOAD_IN; way++) {
			plan.way = (enum load_way)way;
			result = run(l, &plan, 0);
			check_count(&result.way[way], plan.packets);
			CHECK(result.way[way].seconds >= plan.packets / plan.rate * .95);
			check_delay(&result.delay[way], result.way[way].received);
			CHECK_EQ(result.delay[!way].packets, 0);
			printf("%.0f/s asked, %.0f sent; delay ns min %.0f p50 %.0f p99 %.0f p99.9 %.0f max %.0f\n",
			       plan.rate, plan.packets / result.way[way].seconds, result.delay[way].min,
			       result.delay[way].p50, result.delay[way].p99, result.delay[way].p999,
			       result.delay[way].max);
		}
		plan.rate = 1;
		run(l, &plan, -EINVAL);
	}
	load_close(l);
	load_floor_close(floor);
}

static double ns_with(u32 work)
{
	struct load_path path = path_plain();
	struct load_floor *floor = floor_plain(work);
	struct load_plan plan = plan_of(LOAD_OUT);
	struct load *l = opened(&path);
	double ns = floor && l ? run(l, &plan, 0).way[LOAD_OUT].ns : 0;

	load_close(l);
	load_floor_close(floor);
	return ns;
}

static void test_work(void)
{
	double without = ns_with(0), with = ns_with(2000);

	check_context("work");
	printf("%.1f ns a packet through a bare redirect, %.1f with 2,000 rounds of work\n", without, with);
	CHECK(with > without + 400);
}

/* Linux forwards, nft does something to the packets: opens a load through it, or NULL. */
static struct load *through(const struct load_path *path, const char *chain, const char *rule)
{
	if (!CHECK_EQ(place_router(&err, "nft add table ip t"), 0) ||
	    !CHECK_EQ(place_router(&err, "nft add chain ip t c { type %s ; }", chain), 0) ||
	    !CHECK_EQ(place_router(&err, "nft add rule ip t c %s", rule), 0)) {
		fprintf(stderr, "%s\n", err.text);
		return NULL;
	}
	return opened(path);
}

static void through_end(struct load *l)
{
	load_close(l);
	place_router(&err, "nft delete table ip t");
}

static void test_nat(void)
{
	struct load_path path = path_plain();
	struct load *l;

	check_context("through nftables' NAT");
	path.source = (be32)htonl(WAN_ADDRESS);
	l = through(&path, "nat hook postrouting priority srcnat", "oifname wan masquerade random");
	if (l) {
		learn(l);
		check_ways(l);
	}
	through_end(l);
}

/* What nft does to packets on their way `way` must end the run with `rc` and be told. */
static void check_found(enum load_way way, const char *rule, int rc, const char *text)
{
	struct load_path path = path_plain();
	struct load_plan plan = plan_of(LOAD_OUT);
	struct load *l = through(&path, "filter hook forward priority 0", "counter");

	check_context("%s", rule);
	plan.packets = 1000;
	if (l) {
		learn(l);
		CHECK_EQ(place_router(&err, "nft add rule ip t c %s", rule), 0);
		plan.way = way;
		run(l, &plan, rc);
		if (!CHECK(strstr(err.text, text)))
			fprintf(stderr, "%s\n", err.text);
	}
	through_end(l);
}

static void test_found(void)
{
	struct load_path path = path_plain();
	struct load_floor *floor = floor_plain(0);
	struct load *l;

	check_context("another source");
	path.source = (be32)htonl(WAN_ADDRESS);
	l = opened(&path);
	CHECK_EQ(l ? load_probe(l, plan_of(LOAD_OUT).cpu, &err) : 0, -ENETUNREACH);
	CHECK_STR(err.text, "1 of 1 packets came out with source 192.168.1.10 instead of 203.0.113.2");
	load_close(l);
	load_floor_close(floor);

	check_found(LOAD_OUT, "udp checksum set 0x1234", -EBADMSG, "UDP's");
	check_found(LOAD_IN, "udp checksum set 0x1234", -EBADMSG, "1000 of 1000 packets came in with a wrong checksum");
	check_found(LOAD_OUT, "ip checksum set 0x1234", -EBADMSG, "IPv4's");
	check_found(LOAD_OUT, "udp dport set 10", -ENETUNREACH, "for another port than 9");
	check_found(LOAD_IN, "udp dport set 10", -ENETUNREACH, "came in for others than their flow");
	check_found(LOAD_OUT, "udp sport 2048-2148 drop", -ENOBUFS, "101 of 1000 packets got lost");
}

/* The loopback interface knows no XDP of its own. */
static void test_generic(void)
{
	struct load_path path = path_plain();
	struct load *l;

	check_context("generic XDP");
	path.near.ifindex = 1;
	l = opened(&path);
	load_close(l);
}

int main(void)
{
	if (geteuid()) {
		puts("needs root");
		return 77;
	}
	alarm(TIME_LIMIT);
	if (place_open(&err)) {
		printf("the place cannot be built here: %s\n", err.text);
		return 77;
	}
	test_ways();
	test_trunk();
	test_imixes();
	test_rate();
	test_work();
	test_nat();
	test_found();
	test_generic();
	place_close();
	return check_summary("load");
}
