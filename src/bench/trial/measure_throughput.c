/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure_throughput.c - the highest rate at which no more than a set part is lost
 *
 * search = binary   RFC 2544, 26.1: each rate is tried once, for `seconds`, and halves what is between the highest that
 *                   was good and the lowest that was not.
 * search = short    RFC 9971 in its simplest form (one goal): a rate is tried in trials of a fifth of `seconds` until
 *                   three of them agree, so that one hiccup does not decide. The result is the conditional throughput:
 *                   the median forwarding rate of the trials at the highest good rate.
 *
 * A rate that could not be offered at all is no good rate: the router held the generator up.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/stat/sample.h"
#include "measure.h"
#include "paced.h"

#define OFFERED_LEAST 0.98 /* of the rate */
#define SHORT_TRIALS 5	   /* at most; a majority decides */
#define STEPS_MAX 24
#define TOP 1.1 /* of what goes through as fast as it can: where the search starts */

struct search {
	struct measure *m;
	enum load_way way;
	double forwarded[SHORT_TRIALS]; /* packets/s received in the trials at the rate tried last */
	unsigned int trials;
};

/* Both ways have to be good; the slower one is what is forwarded. */
static int trial(struct search *s, double rate, bool *good, struct err *err)
{
	const struct lab_load *load = &s->m->lab->load;
	struct paced p = {.way = s->way, .rate = rate, .seconds = load->seconds};
	double least = 0;
	int rc;

	if (!load->search_binary)
		p.seconds /= SHORT_TRIALS;
	rc = paced_run(s->m, "a rate", &p, err);
	*good = true;
	for (int w = 0; w < LOAD_WAYS; w++) {
		double forwarded = p.offered[w] * (1 - p.lost[w]);

		if (s->way != LOAD_BOTH && s->way != (enum load_way)w)
			continue;
		*good &= p.lost[w] <= load->loss && p.offered[w] >= OFFERED_LEAST * rate;
		least = !least || forwarded < least ? forwarded : least;
	}
	s->forwarded[s->trials++] = least;
	return rc;
}

/* Whether a rate is good, by one trial or by the majority of several. */
static int rate_try(struct search *s, double rate, bool *good, struct err *err)
{
	unsigned int least = s->m->lab->load.search_binary ? 1 : SHORT_TRIALS / 2 + 1, votes[2] = {0, 0};
	int rc = 0;

	s->trials = 0;
	while (!rc && votes[0] < least && votes[1] < least) {
		rc = trial(s, rate, good, err);
		votes[*good]++;
	}
	*good = votes[1] >= least;
	return rc;
}

/* As fast as it goes: what the search starts from. */
static int top_find(struct search *s, double *top, struct err *err)
{
	const struct lab_load *load = &s->m->lab->load;
	struct load_plan plan = measure_load_plan(s->m);
	struct load_result result;
	int rc;

	plan.way = s->way;
	plan.lossy = true;
	plan.packets = plan.packets / 4 + 1;
	rc = measure_load_run(s->m, "as fast as it goes", &plan, &result, err);
	*top = 0;
	for (int w = 0; w < LOAD_WAYS; w++)
		if (result.way[w].ns > 0 && 1e9 / result.way[w].ns > *top)
			*top = 1e9 / result.way[w].ns;
	*top *= TOP;
	if (load->rate > 0 && *top > load->rate)
		*top = load->rate;
	return rc;
}

static double median(struct search *s)
{
	stat_sort(s->forwarded, s->trials);
	return stat_sorted_median(s->forwarded, s->trials);
}

static int way_measure(struct measure *m, enum load_way way, struct err *err)
{
	struct search s = {.m = m, .way = way};
	struct store_value value = {.metric = "throughput", .unit = UNIT_PACKETS};
	double low = 0, high, rate;
	bool good;
	int rc = top_find(&s, &high, err);

	rate = high;
	for (int i = 0; !rc && i < STEPS_MAX && high - low > m->lab->load.resolution * high; i++) {
		rc = rate_try(&s, rate, &good, err);
		if (good) {
			low = rate;
			value.value = median(&s);
		} else {
			high = rate;
		}
		rate = (low + high) / 2;
	}
	if (rc)
		return rc;
	strcpy(value.way, way == LOAD_BOTH ? "both" : measure_way_names[way]);
	return measure_add(m, &value, err);
}

int measure_throughput(struct measure *m, struct err *err)
{
	return paced_ways(m, way_measure, err);
}
