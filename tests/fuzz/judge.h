/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.h - what must hold for every frame, whatever it is; abort() where it does not */
#ifndef PORTICO_TESTS_FUZZ_JUDGE_H
#define PORTICO_TESTS_FUZZ_JUDGE_H

#include "engine/engine.h"

/* The home that frames go through. */
#define HOME_LAN_TAGGED 0x01 /* VLAN 1 */
#define HOME_WAN_TAGGED 0x02 /* VLAN 2 */
#define HOME_ONE_LINK 0x04   /* both on one interface (both tagged) */
#define HOME_LEAVE 0x08	     /* what cannot be translated is the kernel's */
#define HOME_FEW_PORTS 0x10  /* 5000-5007, of which 5000 and 5003 are reserved */
#define HOME_SMALL_MTU 0x20  /* 100 bytes on the WAN */
#define HOME_FEW_FLOWS 0x40  /* 2 */
#define HOME_NO_ADDRESS 0x80 /* of the WAN */

struct judge {
	struct dp_config config;
	struct engine *engine;
	u64 clock; /* ns */
	u32 bits;
};

int judge_init(struct judge *j, u32 home_bits);
/* Runs the frame of `length` bytes at `data`, before which ENGINE_HEADROOM bytes are free. `how`: see core_fuzz.c. */
void judge_frame(struct judge *j, u8 *data, u32 length, u32 how);
void judge_exit(struct judge *j);

#endif
