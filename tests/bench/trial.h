/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - one trial: one kind of router, the load at three numbers of flows */
#ifndef PORTICO_TESTS_BENCH_TRIAL_H
#define PORTICO_TESTS_BENCH_TRIAL_H

#include "router.h"

#define TRIAL_SIZES 3

extern const u32 trial_flows[TRIAL_SIZES];

struct trial_plan {
	u32 cpu;
	u32 packets; /* of each measurement of established flows */
	u32 size;    /* bytes of a frame on the wire */
};

/* Times are wall nanoseconds a packet, all of the path on one CPU. */
struct trial {
	double ns[TRIAL_SIZES]; /* established flows, taken far apart */
	double new_ns;		/* while the 1,000,000 flows were opened: every packet a new one */
	double memory;		/* kernel memory for each flow, bytes: of all tables by capacity (Portico), of what the
				 * slab grew by (nftables); 0: not known */
};

/* Runs a trial of `kind`; 0, or -errno and nothing is left. */
int trial_run(struct trial *t, enum router_kind kind, const struct trial_plan *plan, struct err *err);

#endif
