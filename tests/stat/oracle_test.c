/* SPDX-License-Identifier: GPL-2.0-or-later */
/* oracle_test.c - src/bench/stat against what R says (oracle.R, oracle.txt) */
#include <stdlib.h>

#include "bench/stat/bh.h"
#include "bench/stat/change.h"
#include "bench/stat/dist.h"
#include "bench/stat/holm.h"
#include "bench/stat/layout.h"
#include "bench/stat/looks.h"
#include "bench/stat/modes.h"
#include "bench/stat/wilcoxon.h"
#include "near.h"
#include "oracle.h"

#define EXACT 1e-9 /* R's own last digits */

static void normal_is(const struct oracle_case *c)
{
	struct stat_sample p = oracle_list(c, "p"), z = oracle_list(c, "z");

	for (unsigned int i = 0; i < p.count; i++)
		CHECK_NEAR(stat_normal_quantile(p.value[i]), oracle_at(c, "quantile", i), EXACT);
	for (unsigned int i = 0; i < z.count; i++)
		CHECK_NEAR(stat_normal_cdf(z.value[i]) / oracle_at(c, "cdf", i), 1, EXACT);
}

static void t_is(const struct oracle_case *c)
{
	struct stat_sample p = oracle_list(c, "p"), t = oracle_list(c, "t");
	double df = oracle_at(c, "df", 0);

	for (unsigned int i = 0; i < p.count; i++)
		CHECK_NEAR(stat_t_quantile(p.value[i], df), oracle_at(c, "quantile", i), EXACT);
	for (unsigned int i = 0; i < t.count; i++)
		CHECK_NEAR(stat_t_cdf(t.value[i], df) / oracle_at(c, "cdf", i), 1, EXACT);
}

/* 16 places of a distribution of 0 to `most`. */
static void cdf_is(const struct oracle_case *c, const double *cdf, unsigned int most)
{
	struct stat_sample want = oracle_list(c, "cdf");

	for (unsigned int i = 0; i < want.count; i++)
		CHECK_NEAR(cdf[most * i / (want.count - 1)] / want.value[i], 1, EXACT);
}

static void signed_cdf_is(const struct oracle_case *c)
{
	unsigned int n = (unsigned int)oracle_at(c, "n", 0), most = n * (n + 1) / 2;
	double *cdf = calloc(most + 1, sizeof(*cdf));

	stat_signed_rank_cdf(cdf, n);
	cdf_is(c, cdf, most);
	free(cdf);
}

static void rank_cdf_is(const struct oracle_case *c)
{
	unsigned int na = (unsigned int)oracle_at(c, "n", 0), nb = (unsigned int)oracle_at(c, "n", 1);
	double *cdf = calloc(na * nb + 1, sizeof(*cdf));

	CHECK_EQ(stat_rank_sum_cdf(cdf, na, nb), 0);
	cdf_is(c, cdf, na * nb);
	free(cdf);
}

static void shift_is(const struct oracle_case *c, const struct stat_shift *shift, bool exact)
{
	CHECK_NEAR(shift->estimate, oracle_at(c, "estimate", 0), EXACT);
	CHECK_NEAR(shift->ci.low, oracle_at(c, "ci", 0), EXACT);
	CHECK_NEAR(shift->ci.high, oracle_at(c, "ci", 1), EXACT);
	CHECK_NEAR(shift->ci.level, 1 - oracle_at(c, "alpha", 0), EXACT);
	CHECK_NEAR(shift->p, oracle_at(c, "p", 0), EXACT);
	CHECK_EQ(shift->exact, exact);
}

static void signed_is(const struct oracle_case *c)
{
	struct stat_sample d = oracle_list(c, "d");
	struct stat_shift shift;

	CHECK_EQ(stat_signed_rank(&shift, &d, oracle_at(c, "alpha", 0)), 0);
	shift_is(c, &shift, d.count <= STAT_SIGNED_EXACT);
}

static void rank_is(const struct oracle_case *c)
{
	struct stat_sample a = oracle_list(c, "a"), b = oracle_list(c, "b");
	struct stat_shift shift;

	CHECK_EQ(stat_rank_sum(&shift, &a, &b, oracle_at(c, "alpha", 0)), 0);
	shift_is(c, &shift, a.count * b.count <= STAT_RANK_EXACT);
}

/* Three decimals of z, in the book: four of alpha. */
static void looks_are(const struct oracle_case *c)
{
	for (unsigned int looks = 2; looks <= STAT_LOOKS_MAX; looks++)
		CHECK_NEAR(stat_looks_alpha(oracle_at(c, "overall", 0), looks), oracle_at(c, "alpha", looks - 2),
			   0.003);
}

static void adjusted_is(const struct oracle_case *c)
{
	struct stat_sample p = oracle_list(c, "p");
	double *adjusted = malloc(p.count * sizeof(*adjusted));

	CHECK_EQ(stat_holm(adjusted, p.value, p.count), 0);
	for (unsigned int i = 0; i < p.count; i++)
		CHECK_NEAR(adjusted[i], oracle_at(c, "holm", i), EXACT);
	CHECK_EQ(stat_bh(adjusted, p.value, p.count), 0);
	for (unsigned int i = 0; i < p.count; i++)
		CHECK_NEAR(adjusted[i], oracle_at(c, "bh", i), EXACT);
	free(adjusted);
}

static void cut_is(const struct oracle_case *c)
{
	struct stat_sample series = oracle_list(c, "series");
	unsigned int at = (unsigned int)oracle_at(c, "at", 0);
	struct stat_change change;
	bool found = false;

	CHECK_EQ(stat_change_find(&change, NULL, &series, NULL), 0);
	for (unsigned int i = 1; i < change.count; i++)
		found |= change.segment[i].from == at;
	CHECK(found);
}

/* Mclust stops where the likelihood stands still in its tenth digit, or so; places are then good to five. */
static void modes_are(const struct oracle_case *c)
{
	struct stat_sample series = oracle_list(c, "series");
	struct stat_modes modes;

	CHECK_EQ(stat_modes_fit(&modes, &series, 0), 0);
	for (unsigned int k = 0; k < 2; k++) {
		CHECK_NEAR(modes.mode[k].mean, oracle_at(c, "mean", k), 1e-5);
		CHECK_NEAR(modes.mode[k].sd, oracle_at(c, "sd", k), 1e-4);
		CHECK_NEAR(modes.mode[k].weight, oracle_at(c, "weight", k), 1e-4);
	}
	CHECK_NEAR(modes.likelihood, oracle_at(c, "likelihood", 0), 1e-8);
	CHECK_NEAR(modes.bic, oracle_at(c, "bic", 0), 1e-6);
}

/* Cuts the values of a side into its layouts; for free(). */
static struct stat_layouts side_of(const struct oracle_case *c, const char *runs, const char *values)
{
	struct stat_sample count = oracle_list(c, runs), all = oracle_list(c, values);
	struct stat_sample *layout = malloc(count.count * sizeof(*layout));

	for (unsigned int i = 0; i < count.count; i++) {
		layout[i] = (struct stat_sample){all.value, (unsigned int)count.value[i]};
		all.value += layout[i].count;
	}
	return (struct stat_layouts){layout, count.count};
}

static void layout_is(const struct oracle_case *c)
{
	struct stat_layouts a = side_of(c, "a_runs", "a"), b = side_of(c, "b_runs", "b");
	struct stat_nested nested;

	CHECK_EQ(stat_layout_compare(&nested, &a, &b, 0.05), 0);
	CHECK_NEAR(nested.difference, oracle_at(c, "difference", 0), EXACT);
	CHECK_NEAR(nested.ci.low, oracle_at(c, "ci", 0), EXACT);
	CHECK_NEAR(nested.ci.high, oracle_at(c, "ci", 1), EXACT);
	CHECK_NEAR(nested.p, oracle_at(c, "p", 0), EXACT);
	CHECK_NEAR(nested.df, oracle_at(c, "df", 0), EXACT);
	CHECK_NEAR(nested.sd_run, oracle_at(c, "sd_run", 0), EXACT);
	CHECK_NEAR(nested.sd_layout, oracle_at(c, "sd_layout", 0), EXACT);
	free((void *)a.layout);
	free((void *)b.layout);
}

static struct kind {
	const char *name;
	void (*check)(const struct oracle_case *c);
	unsigned int count;
} kinds[] = {
	{"normal", normal_is, 0},
	{"t", t_is, 0},
	{"signed_cdf", signed_cdf_is, 0},
	{"rank_cdf", rank_cdf_is, 0},
	{"signed_rank", signed_is, 0},
	{"rank_sum", rank_is, 0},
	{"looks", looks_are, 0},
	{"adjust", adjusted_is, 0},
	{"cut", cut_is, 0},
	{"modes", modes_are, 0},
	{"layout", layout_is, 0},
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

static void case_check(const struct oracle_case *c)
{
	for (unsigned int i = 0; i < KINDS; i++) {
		if (strcmp(kinds[i].name, c->kind))
			continue;
		check_context("%s %u", c->kind, ++kinds[i].count);
		kinds[i].check(c);
		return;
	}
	check_context("%s", c->kind);
	CHECK(false);
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	struct oracle_case c;

	if (!file) {
		fprintf(stderr, "usage: %s ORACLE.TXT\n", argv[0]);
		return 2;
	}
	while (oracle_next(&c, file)) {
		case_check(&c);
		oracle_free(&c);
	}
	fclose(file);
	for (unsigned int i = 0; i < KINDS; i++) {
		check_context("cases of %s", kinds[i].name);
		CHECK(kinds[i].count > 0);
	}
	return check_summary("stat-oracle");
}
