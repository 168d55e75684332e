/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.c - what a trial measures once its path stands */
#include "measure.h"

#include <errno.h>
#include <math.h>

#include "lib/clock.h"

static measure_kind *const kinds[] = {
	[LAB_UDP] = measure_udp,	 [LAB_CONNECT] = measure_connect,	[LAB_TABLE] = measure_table,
	[LAB_LATENCY] = measure_latency, [LAB_THROUGHPUT] = measure_throughput, [LAB_TCP] = measure_tcp,
	[LAB_HOOK] = measure_hook,
};

int measure_add(struct measure *m, const struct store_value *value, struct err *err)
{
	const char *between = *value->way ? " " : "";

	if (!isfinite(value->value) || value->value <= 0)
		return err_set(err, -ERANGE, "%s%s%s is %g: nothing was measured, and there is no ratio to nothing",
			       value->way, between, value->metric, value->value);
	if (m->trial->nvalues == STORE_VALUES)
		return err_set(err, -E2BIG, "more than %d values in one trial; %s%s%s is the first too many",
			       STORE_VALUES, value->way, between, value->metric);
	m->trial->value[m->trial->nvalues++] = *value;
	return 0;
}

int measure_run(struct measure *m, struct err *err)
{
	u64 began = clock_ns();
	int rc = kinds[m->lab->load.kind](m, err);

	if (!m->trial->measured)
		m->trial->measured = (double)(clock_ns() - began) / 1e9;
	return rc;
}
