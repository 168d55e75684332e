/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel_judge.h - what must hold for every frame at a tunnel's end, whatever it is; abort() where it does not */
#ifndef PORTICO_TESTS_FUZZ_TUNNEL_JUDGE_H
#define PORTICO_TESTS_FUZZ_TUNNEL_JUDGE_H

#include "engine/engine.h"

/* The end of the tunnel that frames go through. */
#define END_RELAY 0x01	     /* a border relay; else a customer edge */
#define END_MESH 0x02	     /* edge: with forwarding rules; relay: one address for all domains */
#define END_INDEPENDENT 0x04 /* edge: endpoint-independent mapping; else shared */
#define END_DSCP 0x08	     /* a fixed class outside */
#define END_ECN 0x10	     /* compatibility mode */
#define END_SMALL_MTU 0x20   /* 140 bytes */
#define END_FEW_FLOWS 0x40   /* 3 */
#define END_SHARE 0x80	     /* of 2 ports */

/* How a frame comes. */
#define HOW_PORT 0x03	   /* index of the port */
#define HOW_CHECKSUMS 0x04 /* IPv4 and ICMP checksums are made right */
#define HOW_ETHERNET 0x08  /* the bytes are a packet: Ethernet is put in front of it */
#define HOW_OUTER 0x70	   /* of an IPv4 packet: not 0: an outer header from this one of OUTER_ENDS is put in front */
#define HOW_LATER 0x80	   /* 16 seconds after the one before */

#define JUDGE_HEAD 54 /* bytes that may be put in front */
#define JUDGE_MAX 255 /* bytes of the fuzzer's */
#define JUDGE_OUTER_SHIFT 4

struct tunnel_judge {
	struct dp_config config;
	struct dp_tunnel tunnel;
	struct engine *engine;
	u64 clock; /* ns */
	u32 bits;
};

int tunnel_judge_init(struct tunnel_judge *j, u32 end_bits);
/* Runs the `length` bytes at `data`, before which ENGINE_HEADROOM + JUDGE_HEAD bytes are free. */
void tunnel_judge_frame(struct tunnel_judge *j, u8 *data, u32 length, u32 how);
void tunnel_judge_exit(struct tunnel_judge *j);

#endif
