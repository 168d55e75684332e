/* SPDX-License-Identifier: GPL-2.0-or-later */
/* paced.c - the load at a set rate */
#include "paced.h"

#include <errno.h>

#define PACKETS_LEAST 256
#define PACKETS_MOST 0x7fffffff

static int spread_open(struct measure *m, struct err *err)
{
	u32 generator = measure_load_plan(m).cpu, other = generator ? generator - 1 : 0;
	/* both ways at once, the inward generator is on the other one (load.h) */
	const u32 cpu[2] = {other, m->lab->load.way == LAB_BOTH ? generator : other};
	int rc = measure_load_open(m, true, err);

	if (rc)
		return rc;
	rc = path_spread(m->path, cpu, err);
	return rc == -ENOTSUP ? 0 : rc;
}

int paced_ways(struct measure *m, paced_way *measure, struct err *err)
{
	enum load_way ways[LOAD_WAYS];
	unsigned int n;
	int rc = spread_open(m, err);

	measure_load_ways(m, ways, &n);
	for (unsigned int i = 0; !rc && i < n; i++)
		rc = measure(m, ways[i], err);
	measure_load_close(m);
	return rc;
}

static double part(double of, double all)
{
	return all > 0 ? of / all : 0;
}

int paced_run(struct measure *m, const char *what, struct paced *p, struct err *err)
{
	struct load_plan plan = measure_load_plan(m);
	double packets = p->rate * p->seconds;
	int rc;

	packets = packets < PACKETS_LEAST ? PACKETS_LEAST : packets > PACKETS_MOST ? PACKETS_MOST : packets;
	plan.way = p->way;
	plan.rate = p->rate;
	plan.packets = (u32)packets;
	plan.delay = p->delay;
	plan.lossy = true;
	rc = measure_load_run(m, what, &plan, &p->result, err);
	for (int w = 0; w < LOAD_WAYS; w++) {
		const struct load_count *c = &p->result.way[w];

		p->offered[w] = part((double)c->sent, c->seconds);
		p->lost[w] = c->sent > c->received ? part((double)(c->sent - c->received), (double)c->sent) : 0;
	}
	return rc;
}
