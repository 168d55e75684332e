/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.c - the packet core over capture files
 *
 *   inputs --(earliest timestamp first)--> batch --(engine)--> outputs
 *
 * A batch ends when it is full and whenever the clock ticks, so that each packet meets the time and the flows it would
 * have met alone. Flows are swept once for each second of the capture in which something happened; the seconds of a
 * gap are swept as one, at its last whole second, which removes the same flows.
 */
#include "replay.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "flow.h"
#include "socket.h"

#define NS_PER_S 1000000000ULL

/* Ticks wrap, so a larger step (a router without a battery learns the time) is swept in the middle as well: 208 days,
 * a quarter of a turn and longer than any timer. */
#define JUMP_MAX (1ULL << (TICK_SHIFT + 30))

struct input {
	struct capture *capture;
	u32 ifindex;
	bool waiting; /* `next` holds a packet */
	struct capture_packet next;
};

/* A frame of the batch in memory of its own; `room` bytes at `memory`. */
struct slot {
	u8 *memory;
	u32 room;
	u64 ns;
};

struct replay {
	const struct replay_options *options;
	struct replay_result *result;
	struct err *err;
	struct engine *engine;
	struct input *inputs;
	struct sink **sinks; /* by output; outputs of one path share one */
	u64 clock;	     /* ns */
	u64 sweep;	     /* ns: when flows are looked at next */
	u32 n;
	struct slot slots[ENGINE_BATCH];
	struct engine_frame frames[ENGINE_BATCH];
	struct flow_key *expired;
	u32 nexpired, room;
	bool failed; /* out of memory in a visit */
};

static int no_memory(struct replay *r)
{
	return err_set(r->err, -ENOMEM, "out of memory");
}

static bool expired_push(struct replay *r, const struct flow_key *key)
{
	if (r->nexpired == r->room) {
		u32 room = r->room ? r->room * 2 : 256;
		struct flow_key *more = reallocarray(r->expired, room, sizeof(*more));

		if (!more)
			return false;
		r->expired = more;
		r->room = room;
	}
	r->expired[r->nexpired++] = *key;
	return true;
}

static void flow_visit(void *arg, const struct flow_key *key, const struct flow_half *half)
{
	struct replay *r = arg;
	struct flow_key other = flow_other(key, half);
	const struct flow_half *in;

	if (key->dir != FLOW_OUT)
		return;
	r->result->flows++;
	in = engine_flow_get(r->engine, &other);
	if (in && !flow_expired(&r->options->timers, key->proto, half, in, (u32)(r->clock >> TICK_SHIFT)))
		return;
	if (!expired_push(r, key))
		r->failed = true;
}

/* Removes what has expired by r->clock. The out half goes first: abi/flow.h. */
static int flows_sweep(struct replay *r)
{
	r->nexpired = 0;
	r->result->flows = 0;
	engine_flows(r->engine, flow_visit, r);
	if (r->failed)
		return no_memory(r);
	for (u32 i = 0; i < r->nexpired; i++) {
		struct flow_key other = flow_other(&r->expired[i], engine_flow_get(r->engine, &r->expired[i]));

		engine_flow_del(r->engine, &r->expired[i]);
		engine_flow_del(r->engine, &other);
	}
	r->result->flows -= r->nexpired;
	r->result->expired += r->nexpired;
	return r->nexpired && sockets_sweep(r->engine) ? no_memory(r) : 0;
}

static void frame_write(struct replay *r, u32 i)
{
	const struct engine_frame *f = &r->frames[i];
	struct capture_packet packet = {.ns = r->slots[i].ns, .length = f->length, .data = f->data};
	u32 at;

	if (reason_verdict(f->reason) != VERDICT_FORWARD)
		return;
	for (at = 0; at < r->options->noutputs; at++)
		if (r->options->outputs[at].port == f->hop.port)
			break;
	if (at < r->options->noutputs)
		sink_write(r->sinks[at], &packet);
}

static void batch_flush(struct replay *r)
{
	engine_clock(r->engine, r->clock);
	engine_run(r->engine, r->frames, r->n);
	for (u32 i = 0; i < r->n; i++)
		frame_write(r, i);
	r->n = 0;
}

static int batch_add(struct replay *r, const struct input *in)
{
	struct slot *slot = &r->slots[r->n];
	u32 need = ENGINE_HEADROOM + in->next.length;

	if (!slot->memory || slot->room < need) {
		free(slot->memory);
		slot->room = need > 2048 ? need : 2048;
		slot->memory = malloc(slot->room);
		if (!slot->memory) {
			slot->room = 0;
			return no_memory(r);
		}
	}
	memcpy(slot->memory + ENGINE_HEADROOM, in->next.data, in->next.length);
	slot->ns = in->next.ns;
	r->frames[r->n++] = (struct engine_frame){
		.data = slot->memory + ENGINE_HEADROOM,
		.length = in->next.length,
		.ifindex = in->ifindex,
	};
	return 0;
}

/* Runs what is waiting, and sweeps at the last whole second up to `ns`. */
static int clock_sweep(struct replay *r, u64 ns)
{
	batch_flush(r);
	r->clock = r->sweep + (ns - r->sweep) / NS_PER_S * NS_PER_S;
	r->sweep = r->clock + NS_PER_S;
	return flows_sweep(r);
}

/* Moves the clock to `ns`, sweeping on the way; packets of the old time are run before. */
static int clock_move(struct replay *r, u64 ns)
{
	int rc = 0;

	if (ns <= r->clock)
		return 0;
	if (ns >> TICK_SHIFT != r->clock >> TICK_SHIFT)
		batch_flush(r);
	if (ns - r->clock > JUMP_MAX)
		rc = clock_sweep(r, r->clock + JUMP_MAX);
	if (!rc && ns >= r->sweep)
		rc = clock_sweep(r, ns);
	r->clock = ns;
	return rc;
}

static int input_fill(struct replay *r, struct input *in)
{
	int rc = capture_next(in->capture, &in->next, r->err);

	in->waiting = rc == 1;
	return rc < 0 ? rc : 0;
}

static struct input *input_earliest(struct replay *r)
{
	struct input *best = NULL;

	for (u32 i = 0; i < r->options->ninputs; i++)
		if (r->inputs[i].waiting && (!best || r->inputs[i].next.ns < best->next.ns))
			best = &r->inputs[i];
	return best;
}

static int packets_run(struct replay *r)
{
	struct input *in;
	int rc;

	for (u32 i = 0; i < r->options->ninputs; i++)
		if ((rc = input_fill(r, &r->inputs[i])))
			return rc;
	while ((in = input_earliest(r))) {
		if (!r->result->packets++) {
			r->result->first_ns = in->next.ns;
			r->clock = in->next.ns;
			r->sweep = r->clock + NS_PER_S;
		}
		if ((rc = clock_move(r, in->next.ns)) || (rc = batch_add(r, in)))
			return rc;
		if (r->n == ENGINE_BATCH)
			batch_flush(r);
		if ((rc = input_fill(r, in)))
			return rc;
	}
	batch_flush(r);
	r->result->last_ns = r->clock;
	return flows_sweep(r);
}

static int engine_make(struct replay *r)
{
	const struct replay_options *o = r->options;
	bool full = false;

	r->engine = engine_new(&o->config, o->flows);
	if (!r->engine)
		return no_memory(r);
	engine_tunnel(r->engine, &o->tunnel, &o->gateway6);
	for (u32 i = 0; i < o->nroutes; i++)
		full |= engine_route_add(r->engine, &o->routes[i]) != 0;
	for (u32 i = 0; i < o->nneighbours; i++)
		full |= engine_neighbour_add(r->engine, (u8)o->neighbours[i].port, o->neighbours[i].addr,
					     o->neighbours[i].mac) != 0;
	if (full)
		return err_set(r->err, -ENOSPC, "too many routes or neighbours");
	for (u32 port = 0; o->reserved && port < 65536; port++)
		if (o->reserved[port >> 6] >> (port & 63) & 1)
			engine_reserve(r->engine, (u16)port);
	return 0;
}

/* Output `at` writes to the sink of the first output with the same path. */
static u32 sink_owner(const struct replay_options *o, u32 at)
{
	u32 i = 0;

	while (strcmp(o->outputs[i].path, o->outputs[at].path))
		i++;
	return i;
}

static int files_open(struct replay *r)
{
	const struct replay_options *o = r->options;

	r->inputs = calloc(o->ninputs + 1, sizeof(*r->inputs));
	r->sinks = calloc(o->noutputs + 1, sizeof(*r->sinks));
	if (!r->inputs || !r->sinks)
		return no_memory(r);
	for (u32 i = 0; i < o->ninputs; i++) {
		r->inputs[i].ifindex = o->config.port[o->inputs[i].port].ifindex;
		r->inputs[i].capture = capture_open(o->inputs[i].path, r->err);
		if (!r->inputs[i].capture)
			return -EINVAL;
	}
	for (u32 i = 0; i < o->noutputs; i++) {
		u32 owner = sink_owner(o, i);

		r->sinks[i] = owner == i ? sink_open(o->outputs[i].path, r->err) : r->sinks[owner];
		if (!r->sinks[i])
			return -EIO;
	}
	return 0;
}

static int files_commit(struct replay *r)
{
	int rc = 0;

	for (u32 i = 0; i < r->options->noutputs && !rc; i++)
		if (sink_owner(r->options, i) == i)
			rc = sink_commit(r->sinks[i], r->err);
	return rc;
}

static void replay_exit(struct replay *r)
{
	for (u32 i = 0; r->inputs && i < r->options->ninputs; i++)
		capture_close(r->inputs[i].capture);
	for (u32 i = 0; r->sinks && i < r->options->noutputs; i++)
		if (sink_owner(r->options, i) == i)
			sink_close(r->sinks[i]);
	for (u32 i = 0; i < ENGINE_BATCH; i++)
		free(r->slots[i].memory);
	free(r->inputs);
	free(r->sinks);
	free(r->expired);
	engine_free(r->engine);
	free(r);
}

int replay_run(const struct replay_options *options, struct replay_result *result, struct err *err)
{
	struct replay *r = calloc(1, sizeof(*r));
	int rc;

	*result = (struct replay_result){0};
	if (!r)
		return err_set(err, -ENOMEM, "out of memory");
	r->options = options;
	r->result = result;
	r->err = err;
	rc = engine_make(r);
	if (!rc)
		rc = files_open(r);
	if (!rc)
		rc = packets_run(r);
	if (!rc)
		rc = files_commit(r);
	if (!rc)
		memcpy(result->counters, engine_counters(r->engine), sizeof(result->counters));
	replay_exit(r);
	return rc;
}
