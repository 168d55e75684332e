/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nat44.c - portico-bench-nat44: what NAT costs a packet, Portico and nftables beside a bare redirect
 *
 * One observation is one trial: fresh homes, one kind of router, one number for each measurement. Trials of the three
 * kinds alternate, each round beginning with another kind, so that a machine that drifts drifts for all of them. Every
 * ratio is taken within a round; shown are the median over the rounds and the extremes.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figures.h"
#include "lib/run.h"
#include "options.h"
#include "record.h"

#define TIME_LIMIT 360 /* seconds: whatever happens, the bench ends and cleans up */

static const char what[] = "What NAT costs a packet: Portico and nftables masquerade beside a bare XDP redirect.";

static int rounds_run(const struct options *o, struct round *rounds, struct err *err)
{
	for (int i = 0; i < o->rounds; i++) {
		for (int k = 0; k < ROUTER_KINDS; k++) {
			enum router_kind kind = (enum router_kind)((i + k) % ROUTER_KINDS);
			struct trial *t = &rounds[i].trial[kind];
			int rc = trial_run(t, kind, &o->plan, err);

			if (rc)
				return rc;
			printf("round %d of %d  %-13s  %7.1f %7.1f %7.1f ns a packet, new flows %7.1f\n", i + 1,
			       o->rounds, router_names[kind], t->ns[0], t->ns[1], t->ns[2], t->new_ns);
			fflush(stdout);
		}
	}
	return 0;
}

/* The packet core in process, by its own program. */
static void core_run(const char *build, char *text, size_t room)
{
	struct run run = {.netns = -1, .output = text, .room = room};
	struct err err;

	text[0] = '\0';
	if (run_line(&run, &err, "%s/tests/bench/portico-bench-core", build)) {
		printf("\nthe packet core in process was not measured: %s\n", err.text);
		text[0] = '\0';
		return;
	}
	printf("\nthe packet core in process\n%s", text);
}

static json_t *trials(const struct round *rounds, int n)
{
	json_t *array = json_array();

	for (int i = 0; i < n; i++) {
		json_t *round = json_object();

		for (int k = 0; k < ROUTER_KINDS; k++) {
			const struct trial *t = &rounds[i].trial[k];

			json_object_set_new(round, router_names[k],
					    json_pack("{s:o, s:f, s:f}", "ns", record_numbers(t->ns, TRIAL_SIZES),
						      "new_ns", t->new_ns, "memory", t->memory));
		}
		json_array_append_new(array, round);
	}
	return array;
}

/* What the record has besides the figures. */
static json_t *rest(const struct options *o, const struct round *rounds, const char *core)
{
	json_t *flows = json_array();

	for (int i = 0; i < TRIAL_SIZES; i++)
		json_array_append_new(flows, json_integer(trial_flows[i]));
	return json_pack("{s:{s:i, s:i, s:i, s:o}, s:o, s:s}", "plan", "cpu", (int)o->plan.cpu, "packets",
			 (int)o->plan.packets, "frame bytes", (int)o->plan.size, "flows", flows, "rounds",
			 trials(rounds, o->rounds), "core", core);
}

static int fail(const struct err *err)
{
	fprintf(stderr, "portico-bench-nat44: %s\n", err->text);
	return 1;
}

int main(int argc, char **argv)
{
	static struct round rounds[ROUNDS_MAX];
	static struct figure figures[FIGURES_MAX];
	struct record record = {.bench = "nat44", .figures = figures};
	char build[400], core[8192] = "";
	struct options o;
	struct err err;
	int rc;

	options_read(&o, "nat44", what, argc, argv);
	router_build(build, sizeof(build));
	alarm(TIME_LIMIT);
	printf("wall time a packet on CPU %u, generator and sink included, %u-byte UDP; 1,000 · 50,000 · 1,000,000 "
	       "flows\n",
	       o.plan.cpu, o.plan.size);
	if (rounds_run(&o, rounds, &err))
		return fail(&err);
	record.nfigures = figures_make(figures, rounds, o.rounds);
	figures_print(figures, record.nfigures);
	if (o.core)
		core_run(build, core, sizeof(core));
	record.date = o.date;
	record.rest = rest(&o, rounds, core);
	rc = record_write(&record, o.json, &err);
	json_decref(record.rest);
	if (rc)
		return fail(&err);
	printf("\nkept in %s\n", o.json);
	return 0;
}
