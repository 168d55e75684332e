/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter_test.c - who may send to a port that an inside socket has (RFC 4787, REQ-8) */
#include "fixture.h"

#include <string.h>

static void ports_put(u8 *frame, u16 sport, u16 dport)
{
	frame[34] = (u8)(sport >> 8);
	frame[35] = (u8)sport;
	frame[36] = (u8)(dport >> 8);
	frame[37] = (u8)dport;
	memset(frame + 40, 0, 2);
	ip_csum_fix(frame + 14);
}

/* From 192.168.1.10:7000 to 198.51.100.`server`:53. */
static enum reason ask(struct fixture *f, u8 server)
{
	u8 frame[sizeof(udp_out)];

	memcpy(frame, udp_out, sizeof(frame));
	frame[29] = 10;
	frame[33] = server;
	ports_put(frame, 7000, 53);
	return fixture_run(f, LAN, frame, sizeof(frame));
}

/* From 198.51.100.`server`:`sport` to the WAN address, port 7000. */
static enum reason come(struct fixture *f, u8 server, u16 sport)
{
	u8 frame[sizeof(udp_in)];

	memcpy(frame, udp_in, sizeof(frame));
	frame[29] = server;
	ports_put(frame, sport, 7000);
	return fixture_run(f, WAN, frame, sizeof(frame));
}

struct filter_case {
	const char *name;
	u8 mapping, filtering;
	enum reason same, address, other; /* the server's port, another port of it, another server */
};

static const struct filter_case cases[] = {
	{"address and port", MAPPING_ENDPOINT_INDEPENDENT, FILTERING_ADDRESS_AND_PORT, REASON_FORWARD_IN,
	 REASON_KERNEL_NO_FLOW, REASON_KERNEL_NO_FLOW},
	{"address", MAPPING_ENDPOINT_INDEPENDENT, FILTERING_ADDRESS, REASON_FORWARD_IN, REASON_FORWARD_IN,
	 REASON_KERNEL_NO_FLOW},
	{"endpoint-independent", MAPPING_ENDPOINT_INDEPENDENT, FILTERING_ENDPOINT_INDEPENDENT, REASON_FORWARD_IN,
	 REASON_FORWARD_IN, REASON_FORWARD_IN},
	{"address, ports shared when scarce", MAPPING_SHARED, FILTERING_ADDRESS, REASON_FORWARD_IN, REASON_FORWARD_IN,
	 REASON_KERNEL_NO_FLOW},
	{"address, no mapping", MAPPING_ENDPOINT_DEPENDENT, FILTERING_ADDRESS, REASON_FORWARD_IN, REASON_KERNEL_NO_FLOW,
	 REASON_KERNEL_NO_FLOW},
};

/* What was let in is a whole flow: it goes to the socket, and the socket's answer leaves from the same port. */
static void case_run(const struct filter_case *c)
{
	static struct fixture f;
	u32 before;

	check_context("%s", c->name);
	fixture_init(&f, 0, 0);
	f.config.mapping = c->mapping;
	f.config.filtering = c->filtering;
	fixture_start(&f, 64);
	CHECK_EQ(come(&f, 9, 53), REASON_KERNEL_NO_FLOW);
	CHECK_EQ(ask(&f, 9), REASON_FORWARD_OUT);
	CHECK_EQ(come(&f, 9, 53), c->same);
	CHECK_EQ(come(&f, 9, 54), c->address);
	before = fixture_halves(&f);
	CHECK_EQ(come(&f, 10, 53), c->other);
	CHECK_EQ(fixture_halves(&f), before + (c->other == REASON_FORWARD_IN ? 2 : 0));
	if (c->other != REASON_FORWARD_IN)
		return engine_free(f.engine);
	CHECK_EQ(f.frame.data[33], 10);
	CHECK_EQ(f.frame.data[36] << 8 | f.frame.data[37], 7000);
	CHECK_EQ(ask(&f, 10), REASON_FORWARD_OUT);
	CHECK_EQ(f.frame.data[34] << 8 | f.frame.data[35], 7000);
	CHECK_EQ(fixture_halves(&f), before + 2);
	engine_free(f.engine);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		case_run(&cases[i]);
	return check_summary("filter");
}
