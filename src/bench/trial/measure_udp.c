/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure_udp.c - established flows, new ones, ended ones, and how many a router holds */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/clock.h"
#include "measure.h"

#define SLICES 8	  /* of a measurement: the intervals that say whether it was one steady state */
#define SLICE_LEAST 65536 /* packets: less is start and end only */
#define WARM_PART 16	  /* one in so many of the packets warms up */

/* What a measurement in slices adds up to, for each way. */
struct sum {
	double ns, packets;
};

static void sum_add(struct sum *sum, const struct load_count *count)
{
	sum->ns += count->ns * (double)count->received;
	sum->packets += (double)count->received;
}

static int rate_add(struct measure *m, enum load_way way, const struct sum *sum, struct err *err)
{
	struct store_value value = {
		.metric = "rate", .unit = UNIT_PACKETS, .value = sum->ns > 0 ? 1e9 * sum->packets / sum->ns : 0};

	strcpy(value.way, measure_way_names[way]);
	return measure_add(m, &value, err);
}

/* The intervals of the first way stand for the run. */
static int slice_note(struct measure *m, const struct load_count *count)
{
	if (m->trial->nvalues || count->ns <= 0)
		return 0;
	return series_add(&m->trial->series, 1e9 / count->ns, count->ns * (double)count->received / 1e9);
}

static int way_measure(struct measure *m, enum load_way way, struct err *err)
{
	struct load_plan plan = measure_load_plan(m);
	enum load_way first = way == LOAD_IN ? LOAD_IN : LOAD_OUT;
	struct sum sum[LOAD_WAYS] = {{0}};
	struct load_result result;
	u32 all = plan.packets, slices = all / SLICE_LEAST;
	int rc;

	slices = slices < 1 ? 1 : slices > SLICES ? SLICES : slices;
	plan.way = way;
	plan.packets = all / WARM_PART + 1;
	rc = measure_load_run(m, "warm-up", &plan, &result, err);
	plan.packets = all / slices;
	for (u32 i = 0; !rc && i < slices; i++) {
		rc = measure_load_run(m, "measurement", &plan, &result, err);
		for (int w = 0; w < LOAD_WAYS; w++)
			sum_add(&sum[w], &result.way[w]);
		if (!rc && slice_note(m, &result.way[first]))
			rc = err_set(err, -ENOMEM, "out of memory");
	}
	for (int w = 0; !rc && w < LOAD_WAYS; w++)
		if (way == LOAD_BOTH || way == (enum load_way)w)
			rc = rate_add(m, (enum load_way)w, &sum[w], err);
	return rc;
}

int measure_udp(struct measure *m, struct err *err)
{
	enum load_way ways[LOAD_WAYS];
	unsigned int n;
	u64 began;
	int rc = measure_load_open(m, true, err);

	began = clock_ns();
	measure_load_ways(m, ways, &n);
	for (unsigned int i = 0; !rc && i < n; i++)
		rc = way_measure(m, ways[i], err);
	m->trial->measured = (double)(clock_ns() - began) / 1e9;
	series_end(&m->trial->series);
	measure_load_close(m);
	return rc;
}

static int plain_add(struct measure *m, const char *metric, double number, struct err *err)
{
	struct store_value value = {.unit = UNIT_PLAIN, .value = number};

	snprintf(value.metric, sizeof(value.metric), "%s", metric);
	return measure_add(m, &value, err);
}

/* A router without flows has none to end: -ENOTSUP is no error. */
static int tear_down(struct measure *m, struct err *err)
{
	u64 ended = 0, began = clock_ns();
	int rc = path_flush(m->path, &ended, err);

	if (rc)
		return rc == -ENOTSUP ? 0 : rc;
	return plain_add(m, "ended flows a second", 1e9 * (double)ended / (double)(clock_ns() - began), err);
}

/* All flows are opened, one packet each. */
static int open_all(struct measure *m, const char *what, bool lossy, struct load_result *result, struct err *err)
{
	struct load_plan plan = measure_load_plan(m);
	int rc = measure_load_open(m, false, err);

	plan.stride = 1;
	plan.packets = plan.flows;
	plan.lossy = lossy;
	return rc ? rc : measure_load_run(m, what, &plan, result, err);
}

/* RFC 9693, 4.5 and 4.6: all flows are opened, then all are ended at once. */
int measure_connect(struct measure *m, struct err *err)
{
	struct load_result result;
	double ns;
	int rc = open_all(m, "new flows", false, &result, err);

	if (!rc) {
		ns = result.way[LOAD_OUT].ns;
		rc = plain_add(m, "new flows a second", ns > 0 ? 1e9 / ns : 0, err);
	}
	if (!rc)
		rc = tear_down(m, err);
	measure_load_close(m);
	return rc;
}

/* RFC 9693, 4.7: more flows are offered than there is room for. What the router itself counts is what it holds: packets
 * get through for flows, too, that take the place of others. */
int measure_table(struct measure *m, struct err *err)
{
	struct load_result result;
	u64 held = 0;
	int rc = open_all(m, "flows offered", true, &result, err);

	if (!rc)
		rc = path_flows(m->path, &held, err);
	if (!rc && held >= m->lab->load.flows)
		rc = err_set(err, -ERANGE, "all of the %u flows offered are held: offer more (flows = in [load])",
			     m->lab->load.flows);
	if (!rc)
		rc = plain_add(m, "flows held", (double)held, err);
	measure_load_close(m);
	return rc;
}
