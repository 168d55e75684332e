/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure_delay.c - how long packets take at a set rate */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "paced.h"

#define RATE_KEPT 0.98 /* of the rate that was asked for: below, delays are those of another load */

static int delay_add(struct measure *m, enum load_way way, const char *metric, double ns, struct err *err)
{
	struct store_value value = {.unit = UNIT_TIME, .value = ns};

	snprintf(value.metric, sizeof(value.metric), "%s", metric);
	strcpy(value.way, measure_way_names[way]);
	return measure_add(m, &value, err);
}

static int delays_add(struct measure *m, enum load_way way, const struct load_delay *d, struct err *err)
{
	const struct {
		const char *metric;
		double ns;
	} all[] = {{"delay p50", d->p50}, {"delay p99", d->p99}, {"delay p99.9", d->p999}, {"delay variation", d->pdv}};
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(all) / sizeof(*all); i++)
		rc = delay_add(m, way, all[i].metric, all[i].ns, err);
	return rc;
}

static int way_measure(struct measure *m, enum load_way way, struct err *err)
{
	struct paced paced = {.way = way, .rate = m->lab->load.rate, .seconds = m->lab->load.seconds, .delay = true};
	int rc = paced_run(m, "measurement", &paced, err);

	for (int w = 0; !rc && w < LOAD_WAYS; w++) {
		if (way != LOAD_BOTH && way != (enum load_way)w)
			continue;
		if (paced.offered[w] < RATE_KEPT * paced.rate)
			return err_set(
				err, -ERANGE,
				"%.0f packets/s were to be sent, %.0f were: the path is full; set a lower rate in "
				"[load]",
				paced.rate, paced.offered[w]);
		rc = delays_add(m, (enum load_way)w, &paced.result.delay[w], err);
	}
	return rc;
}

int measure_latency(struct measure *m, struct err *err)
{
	return paced_ways(m, way_measure, err);
}
