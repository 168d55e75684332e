/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - what the benches' command lines have in common */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "figure.h"

static const char usage[] =
	"usage: portico-bench-%s [options]\n"
	"\n"
	"%s\n"
	"One CPU, 64-byte UDP, in network namespaces. Needs root. Prints a table and keeps the figures "
	"as JSON.\n"
	"\n"
	"  --rounds N    trials of each kind (7)\n"
	"  --quick       3 rounds\n"
	"  --packets N   packets of a measurement, at least 262,144 (524,288)\n"
	"  --cpu N       where everything runs (the last one)\n"
	"  --json FILE   where the figures go (bench/%s-DATE.json in the build directory)\n"
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

static void usage_exit(const char *name, const char *what, bool asked)
{
	fprintf(asked ? stdout : stderr, usage, name, what, name);
	exit(asked ? 0 : 2);
}

/* Where the record goes if nothing else is said. */
static void json_default(struct options *o, const char *name)
{
	time_t now = time(NULL);
	char build[400];

	router_build(build, sizeof(build));
	strftime(o->date, sizeof(o->date), "%Y-%m-%dT%H%M%SZ", gmtime(&now));
	snprintf(o->json, sizeof(o->json), "%s/bench/%s-%s.json", build, name, o->date);
}

void options_read(struct options *o, const char *name, const char *what, int argc, char **argv)
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
	json_default(o, name);
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
			usage_exit(name, what, c == 'h');
	}
	if (optind < argc)
		usage_exit(name, what, false);
}
