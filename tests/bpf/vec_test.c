/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vec_test.c - golden vectors through the packet path that ships, in the kernel, byte for byte
 *
 *      vec_test TOP            runs each case below TOP
 */
#include "../check.h"

#include <linux/bpf.h>
#include <stdlib.h>

#include "engine/capture.h"
#include "stage.h"

#define ADDRESSES_MAX 4096

static const char *instance_name;

struct run {
	struct stage stage;
	struct vec_case c;
	struct capture *in[DP_PORTS_MAX], *want[DP_PORTS_MAX];
	struct capture_packet next[DP_PORTS_MAX];
	bool waiting[DP_PORTS_MAX];
	be32 addresses[ADDRESSES_MAX];
	u32 naddresses;
};

static bool input_next(struct run *r, u32 port)
{
	struct err err;
	int rc = capture_next(r->in[port], &r->next[port], &err);

	if (!CHECK(rc >= 0))
		fprintf(stderr, "%s\n", err.text);
	r->waiting[port] = rc == 1;
	return rc == 1;
}

/* Opens the captures of one kind: "" the inputs, "out-" what is expected. */
static bool captures_open(struct run *r, const char *prefix, struct capture **captures)
{
	for (u32 i = 0; i < case_ports(&r->c); i++) {
		char path[CASE_PATH_MAX];
		struct err err;

		captures[i] = capture_open(case_path(path, r->c.dir, prefix, &r->c, i), &err);
		if (!CHECK(captures[i] != NULL)) {
			fprintf(stderr, "%s\n", err.text);
			return false;
		}
	}
	return true;
}

static void captures_close(struct capture **captures)
{
	for (u32 i = 0; i < DP_PORTS_MAX; i++) {
		capture_close(captures[i]);
		captures[i] = NULL;
	}
}

static void address_add(struct run *r, const u8 *at)
{
	be32 address;

	memcpy(&address, at, sizeof(address));
	for (u32 i = 0; i < r->naddresses; i++)
		if (r->addresses[i] == address)
			return;
	if (r->naddresses < ADDRESSES_MAX)
		r->addresses[r->naddresses++] = address;
}

/* Both addresses of each IPv4 packet that occurs outside of a tunnel. */
static void addresses_collect(struct run *r)
{
	for (u32 i = 0; i < case_ports(&r->c); i++) {
		while (input_next(r, i)) {
			const struct capture_packet *p = &r->next[i];
			u32 at = p->length > 14 && p->data[12] == 0x81 ? 18 : 14;

			if (p->length < at + 20 || p->data[at - 2] != 0x08 || p->data[at - 1])
				continue;
			address_add(r, p->data + at + 12);
			address_add(r, p->data + at + 16);
		}
	}
}

/* What became of one frame against what should: an output file's next packet, or nothing. */
static void result_check(struct run *r, u32 port, const struct kernel_result *result)
{
	const struct capture_packet *in = &r->next[port];
	struct capture_packet want;
	struct err err;
	u32 out, ifindex = r->stage.config.port[port].ifindex;

	if (result->action == XDP_PASS || result->action == XDP_DROP) {
		if (CHECK_EQ(result->length, in->length))
			CHECK_MEM(result->frame, in->data, in->length);
		return;
	}
	out = stage_port_of(&r->stage, result->frame, result->length);
	if (!CHECK(out < case_ports(&r->c)) || !CHECK_EQ(capture_next(r->want[out], &want, &err), 1))
		return;
	CHECK_EQ(result->action, r->stage.config.port[out].ifindex == ifindex ? XDP_TX : XDP_REDIRECT);
	CHECK_EQ(want.ns, in->ns);
	if (CHECK_EQ(result->length, want.length))
		CHECK_MEM(result->frame, want.data, want.length);
}

static void frames_run(struct run *r)
{
	static struct kernel_result result;
	u32 n = case_ports(&r->c), port;

	for (u32 i = 0; i < n; i++)
		input_next(r, i);
	for (;;) {
		port = n;
		for (u32 i = 0; i < n; i++)
			if (r->waiting[i] && (port == n || r->next[i].ns < r->next[port].ns))
				port = i;
		if (port == n)
			return;
		check_context("%.100s: frame at %llu us of %s", r->c.dir, r->next[port].ns % 1000000000 / 1000,
			      r->c.setup.ports[port].link);
		if (CHECK_EQ(kernel_run(r->stage.kernel, r->next[port].data, r->next[port].length,
					r->stage.config.port[port].ifindex, &result),
			     0))
			result_check(r, port, &result);
		input_next(r, port);
	}
}

static void all_came(struct run *r)
{
	struct dp_counter got[REASON_COUNT], want[REASON_COUNT];
	struct capture_packet rest;
	struct err err;

	check_context("%.200s", r->c.dir);
	for (u32 i = 0; i < case_ports(&r->c); i++)
		CHECK_EQ(capture_next(r->want[i], &rest, &err), 0);
	CHECK_EQ(case_counters(&r->c, want), 0);
	CHECK_EQ(kernel_counters(r->stage.kernel, got), 0);
	CHECK_EQ(case_counters_differ(got, want), 0);
}

static void case_run(const char *dir)
{
	struct run *r = calloc(1, sizeof(*r));
	struct err err;

	check_context("%.200s", dir);
	r->stage.instance = instance_name;
	if (CHECK_EQ(case_read(&r->c, dir, &err), 0) && captures_open(r, "", r->in)) {
		addresses_collect(r);
		captures_close(r->in);
		if (CHECK_EQ(stage_build(&r->stage, &r->c, r->addresses, r->naddresses), 0) &&
		    CHECK_EQ(stage_nexthops(&r->stage, &r->c, r->addresses, r->naddresses), 0) &&
		    captures_open(r, "", r->in) && captures_open(r, "out-", r->want)) {
			frames_run(r);
			all_came(r);
		}
		stage_end(&r->stage);
	}
	captures_close(r->in);
	captures_close(r->want);
	free(r);
}

static int body(const char *instance, const char *top)
{
	int rc;

	instance_name = instance;
	rc = case_each(top, case_run);
	return rc ? rc : check_summary("golden vectors in the kernel");
}

int main(int argc, char **argv)
{
	return argc == 2 ? stage_main("vec", body, argv[1]) : 2;
}
