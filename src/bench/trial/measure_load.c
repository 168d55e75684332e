/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure_load.c - the load through the path of a trial */
#include <errno.h>
#include <unistd.h>

#include "measure.h"

const char *const measure_way_names[LOAD_WAYS] = {"out", "in"};

/* The last CPU there is: the first has most of the machine's interrupts. */
static u32 cpu(void)
{
	return (u32)sysconf(_SC_NPROCESSORS_ONLN) - 1;
}

struct load_plan measure_load_plan(const struct measure *m)
{
	const struct lab_load *load = &m->lab->load;

	return (struct load_plan){
		.flows = load->flows,
		.stride = load_stride(load->flows),
		.packets = load->packets,
		.size = load->frame == LAB_IMIX ? LOAD_IMIX : load->frame,
		.cpu = cpu(),
	};
}

void measure_load_ways(const struct measure *m, enum load_way ways[LOAD_WAYS], unsigned int *n)
{
	enum lab_way way = m->lab->load.way;

	*n = 1;
	ways[0] = way == LAB_IN ? LOAD_IN : way == LAB_BOTH ? LOAD_BOTH : LOAD_OUT;
	if (way == LAB_EACH)
		ways[(*n)++] = LOAD_IN;
}

/* Read again by main/arrivals.c. */
static json_t *count_json(const struct load_count *c)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "sent", (json_int_t)c->sent, "received",
			 (json_int_t)c->received, "out_of_order", (json_int_t)c->out_of_order, "late",
			 (json_int_t)c->late, "wrong", (json_int_t)c->wrong, "foreign", (json_int_t)c->foreign, "ns",
			 c->ns, "seconds", c->seconds);
}

static json_t *delay_json(const struct load_delay *d)
{
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "packets", (json_int_t)d->packets, "min", d->min, "p50",
			 d->p50, "p90", d->p90, "p99", d->p99, "p999", d->p999, "max", d->max);
}

static void keep(struct measure *m, const char *what, const struct load_plan *plan, const struct load_result *result)
{
	json_t *run = json_pack("{s:s, s:i, s:f}", "what", what, "flows", (int)plan->flows, "rate", plan->rate);

	for (int way = 0; way < LOAD_WAYS; way++) {
		if (!result->way[way].sent)
			continue;
		json_object_set_new(run, measure_way_names[way], count_json(&result->way[way]));
		if (result->delay[way].packets)
			json_object_set_new(run, way == LOAD_OUT ? "delay out" : "delay in",
					    delay_json(&result->delay[way]));
	}
	json_array_append_new(m->raw, run);
}

int measure_load_run(struct measure *m, const char *what, const struct load_plan *plan, struct load_result *result,
		     struct err *err)
{
	struct err cause;
	char trace[400];
	int rc;

	*result = (struct load_result){0};
	rc = load_run(m->load, plan, result, &cause);
	keep(m, what, plan, result);
	if (!rc)
		return 0;
	return err_set(err, rc, "%s: %.280s. Packets on the way: %.380s", what, cause.text,
		       path_trace(m->path, trace, sizeof(trace)));
}

/* Every flow is opened, in order, and must come out. */
static int fill(struct measure *m, struct err *err)
{
	struct load_plan plan = measure_load_plan(m);
	struct load_result result;

	plan.way = LOAD_OUT;
	plan.stride = 1;
	plan.packets = plan.flows;
	plan.learn = plan.all = true;
	return measure_load_run(m, "phase 1", &plan, &result, err);
}

static int probe(struct measure *m, struct err *err)
{
	struct err cause;
	char trace[400];
	int rc = load_probe(m->load, cpu(), &cause);

	if (!rc)
		return 0;
	return err_set(err, rc, "the probe packet did not come through: %.280s. Packets on the way: %.360s", cause.text,
		       path_trace(m->path, trace, sizeof(trace)));
}

int measure_load_open(struct measure *m, bool fill_too, struct err *err)
{
	struct load_path path;
	int rc = path_load(m->path, &path, err);

	if (rc)
		return rc;
	path.flows_max = m->lab->load.flows;
	m->load = load_open(&path, err);
	if (!m->load)
		return -EIO;
	rc = probe(m, err);
	if (!rc && fill_too)
		rc = fill(m, err);
	return rc;
}

void measure_load_close(struct measure *m)
{
	load_close(m->load);
	m->load = NULL;
}
