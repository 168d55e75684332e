/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nat44.c - portico-bench-nat44: what NAT costs a packet, Portico and nftables beside a bare redirect
 *
 * One observation is one trial: fresh homes, one kind of router, one number for each measurement. Trials of the three
 * kinds alternate, each round beginning with another kind, so that a machine that drifts drifts for all of them. Every
 * ratio is taken within a round; shown are the median over the rounds and the extremes.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/run.h"
#include "record.h"

#define TIME_LIMIT 360 /* seconds: whatever happens, the bench ends and cleans up */

struct options {
	int rounds;
	struct trial_plan plan;
	char json[512];
	bool core;
};

static const char usage[] = "usage: portico-bench-nat44 [options]\n"
			    "\n"
			    "What NAT costs a packet: Portico and nftables masquerade beside a bare XDP redirect, in "
			    "network namespaces, on\n"
			    "one CPU, 64-byte UDP. Needs root. Prints a table and keeps the figures as JSON.\n"
			    "\n"
			    "  --rounds N    trials of each kind (7)\n"
			    "  --quick       3 rounds\n"
			    "  --packets N   packets of a measurement, at least 262,144 (524,288)\n"
			    "  --cpu N       where everything runs (the last one)\n"
			    "  --json FILE   where the figures go (bench/nat44-DATE.json in the build directory)\n"
			    "  --no-core     leaves out the packet core in process\n";

static unsigned long number(const char *text, unsigned long low, unsigned long high)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || !*text || value < low || value > high) {
		fprintf(stderr, "'%s': a number from %lu to %lu is wanted\n", text, low, high);
		exit(2);
	}
	return value;
}

static void usage_exit(bool asked)
{
	fputs(usage, asked ? stdout : stderr);
	exit(asked ? 0 : 2);
}

static void options_read(struct options *o, int argc, char **argv)
{
	static const struct option list[] = {
		{"rounds", required_argument, NULL, 'r'},  {"quick", no_argument, NULL, 'q'},
		{"packets", required_argument, NULL, 'p'}, {"cpu", required_argument, NULL, 'c'},
		{"json", required_argument, NULL, 'j'},	   {"no-core", no_argument, NULL, 'n'},
		{"help", no_argument, NULL, 'h'},	   {NULL, 0, NULL, 0},
	};
	unsigned long cpus = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN);
	int c;

	*o = (struct options){.rounds = 7, .core = true, .plan = {.packets = 1 << 19, .size = 64}};
	o->plan.cpu = (u32)cpus - 1;
	while ((c = getopt_long(argc, argv, "", list, NULL)) != -1) {
		if (c == 'r')
			o->rounds = (int)number(optarg, 1, ROUNDS_MAX);
		else if (c == 'q')
			o->rounds = 3;
		else if (c == 'p')
			o->plan.packets = (u32)number(optarg, 1 << 18, 1 << 26);
		else if (c == 'c')
			o->plan.cpu = (u32)number(optarg, 0, cpus - 1);
		else if (c == 'j')
			snprintf(o->json, sizeof(o->json), "%s", optarg);
		else if (c == 'n')
			o->core = false;
		else
			usage_exit(c == 'h');
	}
	if (optind < argc)
		usage_exit(false);
}

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

static int fail(const struct err *err)
{
	fprintf(stderr, "portico-bench-nat44: %s\n", err->text);
	return 1;
}

int main(int argc, char **argv)
{
	static struct round rounds[ROUNDS_MAX];
	static struct figure figures[FIGURES_MAX];
	char build[400], date[32], core[8192] = "";
	time_t now = time(NULL);
	struct options o;
	struct err err;
	int n;

	options_read(&o, argc, argv);
	router_build(build, sizeof(build));
	strftime(date, sizeof(date), "%Y-%m-%dT%H%M%SZ", gmtime(&now));
	if (!o.json[0])
		snprintf(o.json, sizeof(o.json), "%s/bench/nat44-%s.json", build, date);
	alarm(TIME_LIMIT);
	printf("wall time a packet on CPU %u, generator and sink included, %u-byte UDP; 1,000 · 50,000 · 1,000,000 "
	       "flows\n",
	       o.plan.cpu, o.plan.size);
	if (rounds_run(&o, rounds, &err))
		return fail(&err);
	n = figures_make(figures, rounds, o.rounds);
	figures_print(figures, n);
	if (o.core)
		core_run(build, core, sizeof(core));
	if (record_write(&(struct record){.date = date,
					  .plan = &o.plan,
					  .rounds = rounds,
					  .n = o.rounds,
					  .figures = figures,
					  .nfigures = n,
					  .core = core},
			 o.json, &err))
		return fail(&err);
	printf("\nkept in %s\n", o.json);
	return 0;
}
