/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate.c - how often the bench would find a difference where there is none, and one where there is
 *
 * 10,000 trials of A against A for each kind of noise (noise.h), judged as trials are. A FASTER or SLOWER is wrong in
 * all of them; at 5 % it may be so in 3.5 to 6.5 % (and in fewer, where p has few steps: six pairs can only be wrong in
 * 3.1 %). The same seed each time, so that a failure is one of the code, not of chance.
 */
#include <stdlib.h>

#include "bench/stat/change.h"
#include "bench/stat/looks.h"
#include "bench/stat/power.h"
#include "bench/stat/verdict.h"
#include "near.h"
#include "noise.h"

#define TRIALS 10000
#define PAIRS 24
#define WITHIN 0.015

static struct stat_rng rng;

static bool wrong(const struct stat_verdict *v)
{
	return v->call == STAT_FASTER || v->call == STAT_SLOWER;
}

static bool paired(const double *a, const double *b, unsigned int pairs, const struct stat_how *how)
{
	struct stat_verdict v;

	CHECK_EQ(stat_verdict_paired(&v, &(struct stat_sample){a, pairs}, &(struct stat_sample){b, pairs}, how), 0);
	return wrong(&v);
}

/* Looks that come before all pairs are in; the first that finds something ends the trial. */
static bool looked(const double *a, const double *b, unsigned int looks)
{
	struct stat_how how = {.looks = looks};

	for (unsigned int look = 1; look <= looks; look++)
		if (paired(a, b, stat_looks_at(PAIRS * 2, looks, look, 1), &how))
			return true;
	return false;
}

/* What looking five times at 5 % would do. */
static bool careless(const double *a, const double *b)
{
	static const struct stat_how how;

	for (unsigned int look = 1; look <= 5; look++)
		if (paired(a, b, stat_looks_at(PAIRS * 2, 5, look, 1), &how))
			return true;
	return false;
}

static bool unpaired(const double *a, const double *b)
{
	static const struct stat_how how;
	struct stat_verdict v;

	CHECK_EQ(stat_verdict_unpaired(&v, &(struct stat_sample){a, 12}, &(struct stat_sample){b, 12}, &how), 0);
	return wrong(&v);
}

/* Two metrics that go together halfway; wrong if either is. */
static bool holm(const double *a, const double *b, const double *c, const double *d)
{
	static const struct stat_how how[2];
	struct stat_verdict v[2];
	double other[PAIRS];

	for (unsigned int i = 0; i < PAIRS; i++)
		other[i] = b[i] * d[i] / c[i];
	stat_verdict_paired(&v[0], &(struct stat_sample){a, PAIRS}, &(struct stat_sample){b, PAIRS}, &how[0]);
	stat_verdict_paired(&v[1], &(struct stat_sample){a, PAIRS}, &(struct stat_sample){other, PAIRS}, &how[1]);
	CHECK_EQ(stat_verdict_holm(v, how, 2), 0);
	return wrong(&v[0]) || wrong(&v[1]);
}

/* Wrong verdicts of each way to judge, as a part of 1. */
struct tally {
	double plain, six, two, five, unpaired, holm, careless;
};

static void trial(struct tally *tally, enum noise noise)
{
	static const struct stat_how how;
	double a[PAIRS * 2], b[PAIRS * 2];
	const double part = 1.0 / TRIALS;

	noise_pairs(&rng, noise, a, b, PAIRS * 2);
	tally->plain += part * paired(a, b, PAIRS, &how);
	tally->six += part * paired(a, b, 6, &how);
	tally->two += part * looked(a, b, 2);
	tally->five += part * looked(a, b, 5);
	tally->careless += part * careless(a, b);
	tally->unpaired += part * unpaired(a, b);
	tally->holm += part * holm(a, b, a + PAIRS, b + PAIRS);
}

static void same_is_same(void)
{
	printf("A against A, %d trials: FASTER or SLOWER, %%\n%-12s %8s %8s %8s %8s %8s %8s | %s\n", TRIALS, "noise",
	       "24 pairs", "6 pairs", "2 looks", "5 looks", "12 + 12", "2 Holm", "5 looks at 5 %");
	for (enum noise noise = 0; noise < NOISES; noise++) {
		struct tally t = {0};

		for (unsigned int i = 0; i < TRIALS; i++)
			trial(&t, noise);
		printf("%-12s %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f | %.2f\n", noise_name(noise), 100 * t.plain,
		       100 * t.six, 100 * t.two, 100 * t.five, 100 * t.unpaired, 100 * t.holm, 100 * t.careless);
		check_context("%s", noise_name(noise));
		CHECK(fabs(t.plain - 0.05) < WITHIN);
		CHECK(fabs(t.six - 2.0 / 64) < WITHIN);
		CHECK(fabs(t.two - 0.05) < WITHIN);
		CHECK(fabs(t.five - 0.05) < WITHIN);
		CHECK(t.unpaired < 0.05 + WITHIN);
		CHECK(t.holm < 0.05 + WITHIN);
		CHECK(t.careless > 0.1);
	}
}

/* How often pairs with a s.d. of 2.83 % (2 % a run) find an effect, and what power.h says. */
static void power_curve(void)
{
	static const double effects[] = {0.005, 0.01, 0.02, 0.03, 0.05};
	static const unsigned int pairs[] = {6, 12, 24, 48};
	static const struct stat_how how;
	struct stat_power power = {.sd = 0.02 * M_SQRT2, .alpha = 0.05};
	double a[48], b[48];

	printf("\nfound, %% of 2000 trials (said)\n%-8s", "effect");
	for (unsigned int n = 0; n < 4; n++)
		printf("%11u pairs", pairs[n]);
	for (unsigned int e = 0; e < 5; e++) {
		printf("\n%6.1f %%", 100 * effects[e]);
		for (unsigned int n = 0; n < 4; n++) {
			double said = stat_power_at(&power, log1p(effects[e]), pairs[n]);
			unsigned int found = 0;

			for (unsigned int i = 0; i < 2000; i++) {
				noise_pairs(&rng, NOISE_INDEPENDENT, a, b, pairs[n]);
				for (unsigned int k = 0; k < pairs[n]; k++)
					b[k] *= 1 + effects[e];
				found += paired(a, b, pairs[n], &how);
			}
			printf("   %5.1f (%5.1f)", found / 20.0, 100 * said);
			check_context("power of %u pairs, %.3f", pairs[n], effects[e]);
			CHECK(fabs(found / 2000.0 - said) < (pairs[n] > 10 ? 0.04 : 0.25));
		}
	}
	puts("");
}

static double cuts(double r, unsigned int count, unsigned int trials)
{
	double series[200];
	struct stat_change change;
	unsigned int found = 0;

	for (unsigned int i = 0; i < trials; i++) {
		noise_series(&rng, r, series, count);
		CHECK_EQ(stat_change_find(&change, NULL, &(struct stat_sample){series, count},
					  &(struct stat_change_how){.seed = i}),
			 0);
		found += change.count > 1;
	}
	return (double)found / trials;
}

/* The bounds are those that change.h tells. */
static void series_without_change(void)
{
	static const double r[] = {0, 0.3, 0.5, 0.7}, most[] = {0.02, 0.05, 0.10, 0.15};
	static const unsigned int count[] = {10, 20, 60, 200}, trials[] = {4000, 4000, 2000, 500};

	printf("\nseries without a change: a cut found, %% (alpha 2)\n%-8s %7s %7s %7s %7s\n", "values", "r = 0", "0.3",
	       "0.5", "0.7");
	for (unsigned int n = 0; n < 4; n++) {
		printf("%-8u", count[n]);
		for (unsigned int i = 0; i < 4; i++) {
			double found = cuts(r[i], count[n], trials[n]);

			printf(" %7.2f", 100 * found);
			check_context("%u values, r = %.1f", count[n], r[i]);
			CHECK(found < most[i] + WITHIN);
		}
		puts("");
	}
}

int main(void)
{
	stat_rng_init(&rng, 1908); /* Student, The probable error of a mean */
	same_is_same();
	power_curve();
	series_without_change();
	return check_summary("stat-simulate");
}
