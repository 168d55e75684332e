/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.c - from trials to the figures that are asked for */
#include "figures.h"

static const struct trial *of(const struct round *r, enum router_kind kind)
{
	return &r->trial[kind];
}

static double floor_ns(const struct round *r, int size)
{
	return of(r, ROUTER_FLOOR)->ns[size];
}

static double nftables_ns(const struct round *r, int size)
{
	return of(r, ROUTER_NFTABLES)->ns[size];
}

static double portico_ns(const struct round *r, int size)
{
	return of(r, ROUTER_PORTICO)->ns[size];
}

static double wall_ratio(const struct round *r, int size)
{
	return nftables_ns(r, size) / portico_ns(r, size);
}

/* Own cost: what the router adds to the same path without it. */
static double own_ratio(const struct round *r, int size)
{
	return (nftables_ns(r, size) - floor_ns(r, size)) / (portico_ns(r, size) - floor_ns(r, size));
}

static double floor_ratio(const struct round *r, int size)
{
	return portico_ns(r, size) / floor_ns(r, size);
}

static double new_ratio(const struct round *r, int size)
{
	(void)size;
	return of(r, ROUTER_NFTABLES)->new_ns / of(r, ROUTER_PORTICO)->new_ns;
}

static double nftables_new(const struct round *r, int size)
{
	(void)size;
	return 1e6 / of(r, ROUTER_NFTABLES)->new_ns;
}

static double portico_new(const struct round *r, int size)
{
	(void)size;
	return 1e6 / of(r, ROUTER_PORTICO)->new_ns;
}

static double nftables_memory(const struct round *r, int size)
{
	(void)size;
	return of(r, ROUTER_NFTABLES)->memory;
}

static double portico_memory(const struct round *r, int size)
{
	(void)size;
	return of(r, ROUTER_PORTICO)->memory;
}

static const struct {
	const char *title, *unit;
	int digits;
	char sense;
	double target;
	double (*value)(const struct round *r, int size);
	int size; /* index into trial_flows */
} list[] = {
	{"time a packet, 1,000 flows: nftables / Portico", "x", 2, '>', 3, wall_ratio, 0},
	{"own cost, 1,000 flows: nftables / Portico", "x", 2, '>', 8, own_ratio, 0},
	{"own cost, 50,000 flows: nftables / Portico", "x", 2, '>', 4, own_ratio, 1},
	{"own cost, 1,000,000 flows: nftables / Portico", "x", 2, '>', 3, own_ratio, 2},
	{"time a packet, 1,000 flows: Portico / bare redirect", "x", 2, '<', 1.3, floor_ratio, 0},
	{"new flows a second: Portico / nftables", "x", 2, '>', 3, new_ratio, 0},
	{"kernel memory a flow, Portico", "bytes", 0, '<', 256, portico_memory, 0},
	{"kernel memory a flow, nftables", "bytes", 0, ' ', 0, nftables_memory, 0},
	{"bare redirect, 1,000 flows", "ns", 1, ' ', 0, floor_ns, 0},
	{"bare redirect, 50,000 flows", "ns", 1, ' ', 0, floor_ns, 1},
	{"bare redirect, 1,000,000 flows", "ns", 1, ' ', 0, floor_ns, 2},
	{"nftables, 1,000 flows", "ns", 1, ' ', 0, nftables_ns, 0},
	{"nftables, 50,000 flows", "ns", 1, ' ', 0, nftables_ns, 1},
	{"nftables, 1,000,000 flows", "ns", 1, ' ', 0, nftables_ns, 2},
	{"Portico, 1,000 flows", "ns", 1, ' ', 0, portico_ns, 0},
	{"Portico, 50,000 flows", "ns", 1, ' ', 0, portico_ns, 1},
	{"Portico, 1,000,000 flows", "ns", 1, ' ', 0, portico_ns, 2},
	{"new flows, nftables", "1,000/s", 0, ' ', 0, nftables_new, 0},
	{"new flows, Portico", "1,000/s", 0, ' ', 0, portico_new, 0},
};

_Static_assert(sizeof(list) / sizeof(list[0]) <= FIGURES_MAX, "FIGURES_MAX");

int figures_make(struct figure *figures, const struct round *rounds, int n)
{
	int count = (int)(sizeof(list) / sizeof(list[0]));

	for (int i = 0; i < count; i++) {
		figures[i] = (struct figure){.title = list[i].title,
					     .unit = list[i].unit,
					     .digits = list[i].digits,
					     .sense = list[i].sense,
					     .target = list[i].target,
					     .n = n};
		for (int k = 0; k < n; k++)
			figures[i].value[k] = list[i].value(&rounds[k], list[i].size);
		figure_summarise(&figures[i]);
	}
	return count;
}
