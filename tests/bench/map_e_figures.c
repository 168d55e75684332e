/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_figures.c - from trials of MAP-E to the figures that are asked for */
#include "map_e.h"

static double ratio(const struct map_e_round *r, int over, int under)
{
	return r->trial[over].ns / r->trial[under].ns;
}

static double ns(const struct map_e_round *r, int kind, int none)
{
	(void)none;
	return r->trial[kind].ns;
}

static double empty_ns(const struct map_e_round *r, int kind, int none)
{
	(void)none;
	return r->trial[kind].empty_ns;
}

static double crowded_ratio(const struct map_e_round *r, int kind, int none)
{
	(void)none;
	return r->trial[kind].ns / r->trial[kind].empty_ns;
}

static double refused(const struct map_e_round *r, int kind, int none)
{
	(void)none;
	return (double)r->trial[kind].refused;
}

static double slow(const struct map_e_round *r, int kind, int none)
{
	(void)none;
	return (double)r->trial[kind].slow;
}

static double lost(const struct map_e_round *r, int kind, int none)
{
	(void)none;
	return (double)r->trial[kind].sent - (double)r->trial[kind].received;
}

static double core_ratio(const struct map_e_round *r, int none, int neither)
{
	(void)none;
	(void)neither;
	return r->ports.full / r->ports.empty;
}

static double core_ns(const struct map_e_round *r, int full, int none)
{
	(void)none;
	return full ? r->ports.full : r->ports.empty;
}

static const struct entry {
	const char *title, *unit;
	int digits;
	char sense;
	double target;
	double (*value)(const struct map_e_round *r, int a, int b);
	int a, b;
	bool core; /* in process */
} list[] = {
	{"edge / NAT44, 1,000 flows", "x", 2, '<', 1.25, ratio, MAP_E_EDGE, MAP_E_NAT44, false},
	{"nftables 63 ranges, no tunnel / edge, 500 destinations", "x", 2, '>', 2.8, ratio, MAP_E_RANGES,
	 MAP_E_EDGE_SPREAD, false},
	{"5,000 flows, 5 destinations, 1,008 ports: refused", "flows", 0, '=', 0, refused, MAP_E_EDGE_FULL, 0, false},
	{"the same: sent, but not received", "flows", 0, '=', 0, lost, MAP_E_EDGE_FULL, 0, false},
	{"relay, encapsulation / bare redirect", "x", 2, '<', 1.35, ratio, MAP_E_RELAY_ENCAP, MAP_E_FLOOR_ENCAP, false},
	{"relay, decapsulation / bare redirect", "x", 2, '<', 1.35, ratio, MAP_E_RELAY_DECAP, MAP_E_FLOOR_DECAP, false},
	{"a new flow, 99 % / 1 % of ports taken", "x", 2, '<', 3, crowded_ratio, MAP_E_EDGE_CROWDED, 0, false},
	{"the same, the packet core in process", "x", 2, '<', 3, core_ratio, 0, 0, true},
	{"bare redirect", "ns", 1, ' ', 0, ns, MAP_E_FLOOR, 0, false},
	{"NAT44, 1,000 flows", "ns", 1, ' ', 0, ns, MAP_E_NAT44, 0, false},
	{"edge, 1,000 flows", "ns", 1, ' ', 0, ns, MAP_E_EDGE, 0, false},
	{"edge, 500 destinations", "ns", 1, ' ', 0, ns, MAP_E_EDGE_SPREAD, 0, false},
	{"nftables 63 ranges, 500 destinations", "ns", 1, ' ', 0, ns, MAP_E_RANGES, 0, false},
	{"bare redirect, from the internet", "ns", 1, ' ', 0, ns, MAP_E_FLOOR_ENCAP, 0, false},
	{"relay, encapsulation, 250 customers", "ns", 1, ' ', 0, ns, MAP_E_RELAY_ENCAP, 0, false},
	{"bare redirect, from customers (IPv6)", "ns", 1, ' ', 0, ns, MAP_E_FLOOR_DECAP, 0, false},
	{"relay, decapsulation, 250 customers", "ns", 1, ' ', 0, ns, MAP_E_RELAY_DECAP, 0, false},
	{"a new flow, 99 % of ports taken", "ns", 1, ' ', 0, ns, MAP_E_EDGE_CROWDED, 0, false},
	{"a new flow, 1 % of ports taken", "ns", 1, ' ', 0, empty_ns, MAP_E_EDGE_CROWDED, 0, false},
	{"in process, 99 % of ports taken", "ns", 1, ' ', 0, core_ns, 1, 0, true},
	{"in process, 1 % of ports taken", "ns", 1, ' ', 0, core_ns, 0, 0, true},
	{"5,000 flows, 5 destinations: asked of the daemon", "flows", 0, ' ', 0, slow, MAP_E_EDGE_FULL, 0, false},
	{"397,000 flows, 400 destinations: asked of the daemon", "flows", 0, ' ', 0, slow, MAP_E_EDGE_CROWDED, 0,
	 false},
	{"nftables 63 ranges, 5,000 flows, 5 destinations: lost", "flows", 0, ' ', 0, lost, MAP_E_RANGES_FULL, 0,
	 false},
};

_Static_assert(sizeof(list) / sizeof(list[0]) <= FIGURES_MAX, "FIGURES_MAX");

int map_e_figures_make(struct figure *figures, const struct map_e_round *rounds, int n, bool core)
{
	int count = 0;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const struct entry *e = &list[i];
		struct figure *f = &figures[count];

		if (e->core && !core)
			continue;
		*f = (struct figure){.title = e->title,
				     .unit = e->unit,
				     .digits = e->digits,
				     .sense = e->sense,
				     .target = e->target,
				     .n = n};
		for (int k = 0; k < n; k++)
			f->value[k] = e->value(&rounds[k], e->a, e->b);
		figure_summarise(f);
		count++;
	}
	return count;
}
