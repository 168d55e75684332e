/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.h - the packet core over capture files
 *
 * Everything is given, nothing is asked of the system but the files: the same input always makes the same output, to
 * the byte.
 */
#ifndef PORTICO_ENGINE_REPLAY_H
#define PORTICO_ENGINE_REPLAY_H

#include "abi/config.h"
#include "dp/reason.h"
#include "engine.h"
#include "lib/err.h"

/* A capture file and the port (index into dp_config.port) where its frames come in or go out. An input's frames carry
 * the port's VLAN tag, where it has one. Several outputs may name one file, and several inputs one port. */
struct replay_file {
	u32 port;
	const char *path;
};

struct replay_neighbour {
	u32 port;
	be32 addr;
	u8 mac[6];
};

struct replay_options {
	struct dp_config config; /* complete: see home.h */
	struct dp_tunnel tunnel; /* of a customer edge or border relay */
	struct ip_addr gateway6; /* next hop of the tunnel's packets; zero: their destinations are neighbours */
	struct dp_timers timers;
	u32 flows;	     /* at most, in the table */
	const u64 *reserved; /* DP_RESERVED_WORDS of them, or NULL */
	const struct engine_route *routes;
	u32 nroutes;
	const struct replay_neighbour *neighbours; /* others are given 02:00 and their IPv4 address */
	u32 nneighbours;
	const struct replay_file *inputs;
	u32 ninputs;
	const struct replay_file *outputs; /* what leaves by a port without an output is counted only */
	u32 noutputs;
};

struct replay_result {
	struct dp_counter counters[REASON_COUNT];
	u64 packets;  /* read from all inputs */
	u64 first_ns; /* capture time of the first and the last packet, since 1970 */
	u64 last_ns;
	u32 flows;   /* open at the end */
	u32 expired; /* flows that ended by their timers */
};

/* Runs all packets of the inputs in the order of their timestamps; packets of one time in the order of the inputs.
 * The clock is the capture's; a timestamp that goes back does not move it. Flows end by their timers, which are looked
 * at for each second of the capture. Output is pcap with nanoseconds, under the packet's own timestamp.
 *
 * 0; or -errno with err->text "FILE: packet N: what is wrong". Outputs appear whole and on success only. */
int replay_run(const struct replay_options *options, struct replay_result *result, struct err *err);

#endif
