/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady_print.c - what a series was like, for the person and as JSON */
#include "steady_print.h"

#include <stdio.h>

static double share(const struct steady *s, unsigned int state)
{
	return 100 * s->state[state].time / s->time;
}

/* When a state was on, where that was once; else how often and how long. */
static void when_print(const struct steady *s, unsigned int state)
{
	const struct steady_state *st = &s->state[state];

	if (st->visits != 1) {
		printf("%u times, %.3g s on average", st->visits, st->time / st->visits);
		return;
	}
	for (unsigned int i = 0; i < s->nvisits; i++)
		if (s->visit[i].state == state)
			printf("%.1f ... %.1f s", s->visit[i].from, s->visit[i].to);
}

static void states_print(const struct steady *s, enum unit unit)
{
	char text[UNIT_TEXT];

	if (s->drift)
		printf("  not one steady state: it %s throughout\n", s->drift > 0 ? "rises" : "falls");
	else
		printf("  not one steady state: %u states\n", s->nstates);
	for (unsigned int i = 0; i < s->nstates; i++) {
		printf("    %-16s %3.0f %% of the time   ", unit_print(text, unit, s->state[i].level), share(s, i));
		when_print(s, i);
		puts("");
	}
	for (unsigned int i = 1; !s->drift && i < s->nvisits && s->nvisits <= 3; i++)
		printf("  change at %.1f s\n", s->visit[i].from);
	if (!s->drift && s->nvisits > 3)
		printf("  %u changes%s\n", s->nvisits - 1, s->more_visits ? " and more" : "");
	printf("  the mean, %s, is the speed of none of them\n", unit_print(text, unit, s->mean));
}

void steady_print(const struct steady *s, enum unit unit)
{
	char text[UNIT_TEXT];

	if (s->nstates > 1) {
		states_print(s, unit);
		return;
	}
	if (s->too_few)
		printf("  too few intervals to tell whether this was one steady state");
	else
		printf("  one steady state, as far as this series can tell");
	printf(": %s", unit_print(text, unit, s->mean));
	if (s->sd > 0 && s->mean > 0)
		printf(", s.d. %.2g %%", 100 * s->sd / s->mean);
	puts("");
	if (s->spikes)
		printf("  %u single interval%s far from both neighbours, not counted for the level\n", s->spikes,
		       s->spikes == 1 ? " is" : "s are");
}

static json_t *states_json(const struct steady *s)
{
	json_t *states = json_array();

	for (unsigned int i = 0; i < s->nstates; i++)
		json_array_append_new(states, json_pack("{s:f, s:f, s:f, s:i, s:f}", "level", s->state[i].level,
							"share", share(s, i) / 100, "seconds", s->state[i].time,
							"visits", (int)s->state[i].visits, "dwell_s",
							s->state[i].time / s->state[i].visits));
	return states;
}

json_t *steady_json(const struct steady *s)
{
	json_t *visits = json_array();
	const char *kind = s->drift ? "drift" : s->nstates > 1 ? "states" : s->too_few ? "unknown" : "steady";

	for (unsigned int i = 0; i < s->nvisits; i++)
		json_array_append_new(visits, json_pack("{s:i, s:f, s:f}", "state", (int)s->visit[i].state, "from_s",
							s->visit[i].from, "to_s", s->visit[i].to));
	return json_pack("{s:s, s:f, s:f, s:f, s:o, s:o, s:b, s:i, s:o}", "kind", kind, "mean", s->mean, "sd", s->sd,
			 "seconds", s->time, "states", states_json(s), "visits", visits, "more_visits", s->more_visits,
			 "spikes", (int)s->spikes, "p", s->p > 0 ? json_real(s->p) : json_null());
}
