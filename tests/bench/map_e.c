/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e.c - portico-bench-map-e: what MAP-E costs a packet, beside NAT44, a bare redirect, and 63 ranges of nftables
 *
 * One observation is one trial: a fresh home, one kind of router, one load. The kinds alternate: each round begins with
 * another kind, every other round goes backwards, so that a machine that drifts drifts for all of them. Every ratio is
 * taken within a round; shown are the median over the rounds and the extremes.
 */
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "map_e.h"
#include "options.h"
#include "record.h"

#define TIME_LIMIT 600 /* seconds: whatever happens, the bench ends and cleans up */

static const char what[] = "What MAP-E costs a packet: Portico as customer edge beside Portico's NAT44 and beside "
			   "nftables with 63 ranges\n"
			   "(translation alone, without a tunnel), as border relay beside a bare XDP redirect; and "
			   "what a nearly full set\n"
			   "costs a new flow.";

static enum map_e_kind kind_at(int round, int place)
{
	return (enum map_e_kind)((round + (round % 2 ? MAP_E_KINDS - 1 - place : place)) % MAP_E_KINDS);
}

static void trial_print(const struct map_e_trial *t, enum map_e_kind kind)
{
	if (kind == MAP_E_EDGE_FULL || kind == MAP_E_RANGES_FULL)
		printf("%-42s  %llu of %llu flows came through\n", map_e_names[kind], t->received, t->sent);
	else
		printf("%-42s  %7.1f ns a packet\n", map_e_names[kind], t->ns);
	fflush(stdout);
}

static int round_run(const struct options *o, int number, struct map_e_round *round, struct err *err)
{
	for (int k = 0; k < MAP_E_KINDS; k++) {
		enum map_e_kind kind = kind_at(number, k);
		int rc = map_e_trial_run(&round->trial[kind], kind, &o->plan, err);

		if (rc)
			return rc;
		printf("round %d of %d  ", number + 1, o->rounds);
		trial_print(&round->trial[kind], kind);
	}
	return o->core ? map_e_ports_measure(&round->ports, err) : 0;
}

static json_t *trial_json(const struct map_e_trial *t)
{
	return json_pack("{s:f, s:f, s:I, s:I, s:I, s:I}", "ns", t->ns, "empty_ns", t->empty_ns, "sent",
			 (json_int_t)t->sent, "received", (json_int_t)t->received, "refused", (json_int_t)t->refused,
			 "slow", (json_int_t)t->slow);
}

/* What the record has besides the figures. */
static json_t *rest(const struct options *o, const struct map_e_round *rounds)
{
	json_t *array = json_array();

	for (int i = 0; i < o->rounds; i++) {
		json_t *round = json_pack("{s:{s:f, s:f}}", "in process", "full", rounds[i].ports.full, "empty",
					  rounds[i].ports.empty);

		for (int k = 0; k < MAP_E_KINDS; k++)
			json_object_set_new(round, map_e_names[k], trial_json(&rounds[i].trial[k]));
		json_array_append_new(array, round);
	}
	return json_pack("{s:{s:i, s:i, s:i}, s:o}", "plan", "cpu", (int)o->plan.cpu, "packets", (int)o->plan.packets,
			 "frame bytes", (int)o->plan.size, "rounds", array);
}

static int fail(const struct err *err)
{
	fprintf(stderr, "portico-bench-map-e: %s\n", err->text);
	return 1;
}

int main(int argc, char **argv)
{
	static struct map_e_round rounds[ROUNDS_MAX];
	static struct figure figures[FIGURES_MAX];
	struct record record = {.bench = "map-e", .figures = figures};
	struct options o;
	struct err err;
	int rc;

	options_read(&o, "map-e", what, argc, argv);
	alarm(TIME_LIMIT);
	printf("wall time a packet on CPU %u, generator and sink included, %u-byte UDP\n", o.plan.cpu, o.plan.size);
	for (int i = 0; i < o.rounds; i++)
		if (round_run(&o, i, &rounds[i], &err))
			return fail(&err);
	record.nfigures = map_e_figures_make(figures, rounds, o.rounds, o.core);
	figures_print(figures, record.nfigures);
	record.date = o.date;
	record.rest = rest(&o, rounds);
	rc = record_write(&record, o.json, &err);
	json_decref(record.rest);
	if (rc)
		return fail(&err);
	printf("\nkept in %s\n", o.json);
	return 0;
}
