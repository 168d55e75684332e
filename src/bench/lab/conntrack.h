/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conntrack.h - room for many flows in Linux's connection tracking: one setting for the whole machine */
#ifndef PORTICO_BENCH_LAB_CONNTRACK_H
#define PORTICO_BENCH_LAB_CONNTRACK_H

#include "abi/types.h"
#include "lib/err.h"

struct conntrack_room {
	u32 max;     /* nf_conntrack_max: flows */
	u32 buckets; /* nf_conntrack_buckets */
};

/* Both run in the namespace that the machine started with; elsewhere the settings cannot be written (-EPERM). */
int conntrack_room_get(struct conntrack_room *room, struct err *err);
int conntrack_room_set(const struct conntrack_room *room, struct err *err);
/* Makes room for the flows, and as many hash buckets for each flow's two entries as Portico's table has, where the
 * machine does not give as much already. */
int conntrack_room_widen(const struct conntrack_room *now, u32 flows, struct err *err);

#endif
