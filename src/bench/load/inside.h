/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inside.h - what the user-space files of the load have between them */
#ifndef PORTICO_BENCH_LOAD_INSIDE_H
#define PORTICO_BENCH_LOAD_INSIDE_H

#include <bpf/libbpf.h>

#include "load.h"
#include "state.h"

#define LOAD_FRAME_MIN 60 /* bytes, without check sequence, tag, and IPv6 in front */
#define LOAD_FRAME_MAX 1514
#define LOAD_FRAME_CHECK 4

struct load {
	struct load_path path;
	struct bpf_object *gen, *sink;
	int link[2]; /* of the sink: at the far end and, unless it is the same interface, at the near one; else -1 */
	int gen_way, sink_way, sink_count, sink_delay; /* maps */
	int cpus;				       /* possible ones: elements of a map for each CPU */
	u8 run;					       /* number of the latest one, mod 256 */
};

/* Whether the plan sends `way`. */
static inline bool load_goes(const struct load_plan *plan, enum load_way way)
{
	return plan->way == way || plan->way == LOAD_BOTH;
}

/* The destination port of `out`, the source port of `in`. */
static inline u16 load_dport(const struct load_path *path)
{
	return path->dport ? path->dport : LOAD_PORT_SINK;
}

/* The end that sends. */
static inline const struct load_end *load_sender(const struct load_path *path, enum load_way way)
{
	return way == LOAD_OUT ? &path->near : &path->far;
}

/* frame.c: what the generator sends. The longest frame, as the kernel shall make pages of it; and the templates. */
struct load_frame {
	u32 length;
	u8 memory[2 + LOAD_TAG + LOAD_OUTER + LOAD_FRAME_MAX] __attribute__((aligned(4)));
	u8 *data; /* in memory, placed as dp/wire.h has it */
};
int load_frame_check(const struct load *l, const struct load_plan *plan, struct err *err);
void load_frame_make(const struct load *l, const struct load_plan *plan, enum load_way way, struct load_frame *longest,
		     struct gen_way *gen);

/* generate.c: runs the generators of the plan's ways and waits for them. */
int load_generate(struct load *l, const struct load_plan *plan, const struct load_frame frame[LOAD_WAYS],
		  struct err *err);

/* count.c: what the sinks expect, with counts from zero. */
int load_count_start(struct load *l, const struct load_plan *plan, struct err *err);
/* Waits for what may still be on its way; fills received and what is of it in *result, of which `sent` is known.
 * last[] are the counts in the end. */
void load_count_settle(const struct load *l, struct load_result *result, struct sink_count last[LOAD_WAYS]);
void load_delay_read(const struct load *l, enum load_way way, struct load_delay *delay);

/* judge.c: whether the counts are as they should be, in words. `unknown` packets were not sent. */
int load_judge(const struct load *l, const struct load_plan *plan, const struct load_result *result,
	       const struct sink_count last[LOAD_WAYS], struct err *err);
int load_judge_unknown(const struct gen_way *gen, struct err *err);

#endif
