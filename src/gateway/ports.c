/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ports.c - what is noted of destinations (abi/flow.h, struct dest) */
#include "gateway.h"

#include "dp/portset.h"

bool ports_taken(const struct dest *d, u32 index)
{
	return d->taken[index >> 6] >> (index & 63) & 1;
}

void ports_note(struct dest *d, u32 index, bool taken)
{
	u32 w = index >> 6;

	if (taken)
		d->taken[w] |= 1ULL << (index & 63);
	else
		d->taken[w] &= ~(1ULL << (index & 63));
	if (~d->taken[w])
		d->spent &= ~(1ULL << w);
	else
		d->spent |= 1ULL << w;
}

void ports_blank_make(const struct gateway *g, struct dest *blank)
{
	const struct dp_portset *ports = &g->dp.ports;

	*blank = (struct dest){0};
	for (u32 i = 0; i < DEST_PORTS_MAX && ports->count <= DEST_PORTS_MAX; i++) {
		u16 port = portset_port(ports, i);

		if (i >= ports->count || g->conf.reserved[port >> 6] >> (port & 63) & 1)
			ports_note(blank, i, true);
	}
}

/* What every destination starts with. What is noted by another set of ports is forgotten. */
int ports_blank(struct gateway *g)
{
	struct dest blank;
	int rc;

	ports_blank_make(g, &blank);
	rc = kernel_dest_blank_set(g->kernel, &blank);
	return rc ? rc : kernel_dests_clear(g->kernel);
}
