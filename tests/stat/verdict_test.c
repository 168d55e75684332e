/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict_test.c - what is called FASTER, SLOWER, SAME, INCONCLUSIVE, and how many pairs it takes */
#include <errno.h>

#include "bench/stat/layout.h"
#include "bench/stat/looks.h"
#include "bench/stat/power.h"
#include "bench/stat/tost.h"
#include "bench/stat/verdict.h"
#include "bench/stat/wilcoxon.h"
#include "near.h"

#define SAMPLE(...)                                                                                                    \
	&(struct stat_sample)                                                                                          \
	{                                                                                                              \
		(const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)                  \
	}

static const struct stat_how usual;

/* Ratios b/a in %, of eight pairs; a drifts. */
static const struct row {
	const char *name;
	double ratio[8];
	unsigned int pairs;
	struct stat_how how;
	enum stat_call call;
	bool below_floor, small;
} rows[] = {
	{"faster", {102, 103, 101.5, 102.2, 101.8, 103.1, 102.4, 102.9}, 8, {.looks = 1}, STAT_FASTER, false, false},
	{"slower", {98, 97, 98.5, 97.8, 98.2, 96.9, 97.6, 97.1}, 8, {.looks = 1}, STAT_SLOWER, false, false},
	{"less is better",
	 {98, 97, 98.5, 97.8, 98.2, 96.9, 97.6, 97.1},
	 8,
	 {.less_is_better = true},
	 STAT_FASTER,
	 false,
	 false},
	{"more is worse",
	 {102, 103, 101.5, 102.2, 101.8, 103.1, 102.4, 102.9},
	 8,
	 {.less_is_better = true},
	 STAT_SLOWER,
	 false,
	 false},
	{"same", {100.1, 99.8, 100.2, 99.9, 100.05, 99.7, 100.3, 99.95}, 8, {.looks = 1}, STAT_SAME, false, false},
	{"not so same",
	 {100.1, 99.8, 100.2, 99.9, 100.05, 99.7, 100.3, 99.95},
	 8,
	 {.delta = 0.001},
	 STAT_INCONCLUSIVE,
	 false,
	 false},
	{"noise", {105, 96, 101, 99, 108, 93, 104, 97}, 8, {.looks = 1}, STAT_INCONCLUSIVE, false, false},
	{"less than matters",
	 {100.1, 100.2, 100.15, 100.12, 100.18, 100.11, 100.16, 100.13},
	 8,
	 {.looks = 1},
	 STAT_FASTER,
	 false,
	 true},
	{"below the floor",
	 {102, 103, 101.5, 102.2, 101.8, 103.1, 102.4, 102.9},
	 8,
	 {.floor = 0.03},
	 STAT_INCONCLUSIVE,
	 true,
	 false},
	{"same below the floor",
	 {100.1, 100.2, 100.15, 100.12, 100.18, 100.11, 100.16, 100.13},
	 8,
	 {.floor = 0.004},
	 STAT_SAME,
	 true,
	 false},
	{"above the floor",
	 {102, 103, 101.5, 102.2, 101.8, 103.1, 102.4, 102.9},
	 8,
	 {.floor = 0.02},
	 STAT_FASTER,
	 false,
	 false},
	{"six pairs", {102, 103, 101.5, 102.2, 101.8, 103.1}, 6, {.looks = 1}, STAT_FASTER, false, false},
	{"five pairs", {102, 103, 101.5, 102.2, 101.8}, 5, {.looks = 1}, STAT_INCONCLUSIVE, false, false},
	{"five pairs, same", {100.1, 99.8, 100.2, 99.9, 100.05}, 5, {.looks = 1}, STAT_SAME, false, false},
	{"99 %, seven pairs",
	 {102, 103, 101.5, 102.2, 101.8, 103.1, 102.4},
	 7,
	 {.alpha = 0.01},
	 STAT_INCONCLUSIVE,
	 false,
	 false},
	{"99 %, eight pairs",
	 {102, 103, 101.5, 102.2, 101.8, 103.1, 102.4, 102.9},
	 8,
	 {.alpha = 0.01},
	 STAT_FASTER,
	 false,
	 false},
	{"six pairs, five looks",
	 {102, 103, 101.5, 102.2, 101.8, 103.1},
	 6,
	 {.looks = 5},
	 STAT_INCONCLUSIVE,
	 false,
	 false},
	{"all alike", {102, 102, 102, 102, 102, 102, 102, 102}, 8, {.looks = 1}, STAT_FASTER, false, false},
	{"no difference at all", {100, 100, 100, 100, 100, 100, 100, 100}, 8, {.looks = 1}, STAT_SAME, false, false},
	{"one pair", {150}, 1, {.looks = 1}, STAT_INCONCLUSIVE, false, false},
};

static void row_check(const struct row *row)
{
	double a[8], b[8];
	struct stat_verdict v;

	for (unsigned int i = 0; i < row->pairs; i++) {
		a[i] = 900 + 10 * i;
		b[i] = a[i] * row->ratio[i] / 100;
	}
	check_context("%s", row->name);
	CHECK_EQ(stat_verdict_paired(&v, &(struct stat_sample){a, row->pairs}, &(struct stat_sample){b, row->pairs},
				     &row->how),
		 0);
	CHECK_EQ(v.call, row->call);
	CHECK_EQ(v.below_floor, row->below_floor);
	CHECK_EQ(v.small, row->small);
	CHECK_EQ(v.na, row->pairs);
	CHECK(v.paired);
	CHECK_EQ(v.ci.level > 0, row->pairs >= v.least);
}

/* All numbers of one, by hand: d = ln of the ratios; C = 3 for 95 % and 8 pairs, 5 for 90 %. */
static void numbers(void)
{
	struct stat_sample *a = SAMPLE(100, 100, 100, 100, 100, 100, 100, 100);
	struct stat_sample *b = SAMPLE(101, 102, 103, 104, 105, 106, 107, 108);
	struct stat_verdict v;

	check_context("numbers");
	CHECK_EQ(stat_verdict_paired(&v, a, b, &usual), 0);
	CHECK_EQ(v.call, STAT_FASTER);
	CHECK(v.exact);
	CHECK_NEAR(v.p, 2.0 / 256, 1e-12);
	CHECK_NEAR(v.effect, 0.0448, 2e-3);
	CHECK_NEAR(v.ci.level, 0.95, 1e-12);
	CHECK_NEAR(v.ci.low, 0.02, 1e-9); /* the fourth: 1 and 1, 1 and 2, 1 and 3, 2 and 2 */
	CHECK_NEAR(v.sd, 0.02345, 1e-3);
	CHECK_EQ(v.least, 6);
	CHECK_EQ(v.needed, 61); /* 1.05 (1.95996 + 1.28155)^2 0.02345^2 / 0.01^2 = 60.7 */
	CHECK_EQ(v.further, 53);
}

/* Two runs of each of two kernels: nothing can be said, and it says how much is missing. */
static void unpaired(void)
{
	struct stat_sample *a = SAMPLE(577.23, 592.79), *b = SAMPLE(485.35, 514.57);
	struct stat_sample *c = SAMPLE(10, 11, 12, 13), *d = SAMPLE(14, 15, 16, 17);
	struct stat_verdict v;

	check_context("unpaired, two a side");
	CHECK_EQ(stat_verdict_unpaired(&v, a, b, &usual), 0);
	CHECK_EQ(v.call, STAT_INCONCLUSIVE);
	CHECK(v.ci.level == 0 && !v.paired);
	CHECK_NEAR(v.p, 1.0 / 3, 1e-12);
	CHECK_EQ(v.least, 4);
	CHECK_NEAR(v.sd, hypot(log(592.79 / 577.23), log(514.57 / 485.35)) / M_SQRT2, 1e-9);
	CHECK_EQ(v.needed, 228);
	CHECK_EQ(v.further, 226);
	check_context("unpaired, four a side");
	CHECK_EQ(stat_verdict_unpaired(&v, c, d, &usual), 0);
	CHECK_EQ(v.call, STAT_FASTER);
	CHECK_NEAR(v.p, 2.0 / 70, 1e-12);
	CHECK_NEAR(v.ci.low, 14.0 / 13 - 1, 1e-9);
	check_context("unpaired, one a side");
	CHECK_EQ(stat_verdict_unpaired(&v, SAMPLE(805), SAMPLE(775), &usual), 0);
	CHECK_EQ(v.call, STAT_INCONCLUSIVE);
	CHECK_EQ(v.needed, 0);
	CHECK_EQ(v.further, 3);
	check_context("unpaired, one and many");
	CHECK_EQ(stat_verdict_unpaired(&v, SAMPLE(805), SAMPLE(775, 776, 777), &usual), 0);
	CHECK_EQ(v.needed, 0);
}

static void refused(void)
{
	struct stat_sample *one = SAMPLE(1, 2, 3, 4, 5, 6), *short_one = SAMPLE(1, 2), none = {NULL, 0};
	static const struct stat_how wrong[] = {
		{.alpha = 0.2}, {.alpha = -1}, {.delta = -0.01}, {.delta = 1},	 {.floor = -1},
		{.power = 1},	{.looks = 6},  {.delta = NAN},	 {.floor = NAN},
	};
	struct stat_verdict v;

	check_context("refused");
	CHECK_EQ(stat_verdict_paired(&v, one, short_one, &usual), -EINVAL);
	CHECK_EQ(stat_verdict_paired(&v, &none, &none, &usual), -EINVAL);
	CHECK_EQ(stat_verdict_unpaired(&v, one, &none, &usual), -EINVAL);
	CHECK_EQ(stat_verdict_paired(&v, short_one, SAMPLE(0, 1), &usual), -EINVAL);
	CHECK_EQ(stat_verdict_paired(&v, short_one, SAMPLE(-1, 1), &usual), -EINVAL);
	CHECK_EQ(stat_verdict_unpaired(&v, short_one, SAMPLE(NAN), &usual), -EINVAL);
	CHECK_EQ(stat_verdict_unpaired(&v, short_one, SAMPLE(INFINITY), &usual), -EINVAL);
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		CHECK_EQ(stat_verdict_paired(&v, one, one, &wrong[i]), -EINVAL);
}

/* p of 1/32 each: two of them are 2/32 together, which is more than 5 %. */
static void several(void)
{
	struct stat_sample *a = SAMPLE(100, 100, 100, 100, 100, 100);
	struct stat_sample *up = SAMPLE(103, 104, 105, 106, 107, 108), *same = SAMPLE(100, 100, 100, 100, 100, 100);
	struct stat_how how[2] = {{.looks = 1}, {.looks = 1}};
	struct stat_verdict v[2];

	check_context("several");
	CHECK_EQ(stat_verdict_paired(&v[0], a, up, &usual), 0);
	CHECK_EQ(stat_verdict_paired(&v[1], a, same, &usual), 0);
	CHECK_EQ(v[0].call, STAT_FASTER);
	CHECK_EQ(stat_verdict_holm(v, how, 1), 0);
	CHECK_EQ(v[0].call, STAT_FASTER);
	CHECK_EQ(stat_verdict_holm(v, how, 2), 0);
	CHECK_EQ(v[0].call, STAT_INCONCLUSIVE);
	CHECK_NEAR(v[0].p, 2.0 / 32, 1e-12);
	CHECK_EQ(v[1].call, STAT_SAME);
	CHECK_EQ(stat_verdict_holm(v, how, 0), 0);
}

static void floor_check(void)
{
	double floor_of = 0;

	check_context("floor");
	CHECK_EQ(stat_verdict_floor(&floor_of, SAMPLE(100, 100, 100), SAMPLE(99, 98, 100)), 0);
	CHECK_NEAR(floor_of, 0.01, 0.02);
	CHECK_EQ(stat_verdict_floor(&floor_of, SAMPLE(100), SAMPLE(100)), 0);
	CHECK_NEAR(floor_of, 0, 0);
	CHECK_EQ(stat_verdict_floor(&floor_of, SAMPLE(100), SAMPLE(100, 2)), -EINVAL);
}

static void looks_check(void)
{
	check_context("looks");
	CHECK_NEAR(stat_looks_alpha(0.05, 1), 0.05, 0);
	CHECK_NEAR(stat_looks_alpha(0.05, 2), 0.0294, 1e-3);
	CHECK_NEAR(stat_looks_alpha(0.05, 5), 0.0158, 2e-3);
	CHECK(stat_looks_alpha(0.05, 0) < 0 && stat_looks_alpha(0.05, 6) < 0 && stat_looks_alpha(0.04, 2) < 0);
	CHECK_EQ(stat_looks_at(24, 4, 1, 8), 8);
	CHECK_EQ(stat_looks_at(24, 4, 2, 8), 12);
	CHECK_EQ(stat_looks_at(25, 4, 1, 1), 7);
	CHECK_EQ(stat_looks_at(25, 4, 4, 1), 25);
	CHECK_EQ(stat_looks_at(5, 3, 1, 7), 5);
}

static void limits(void)
{
	struct stat_interval inside = {0.90, -0.0099, 0.0099}, above = {0.90, -0.001, 0.00996}, none = {0, 0, 0};
	struct stat_power power = {0.02, 0.05, 0.8};

	check_context("limits");
	CHECK(stat_tost_same(&inside, 0.01) && !stat_tost_same(&above, 0.01) && !stat_tost_same(&none, 0.01));
	CHECK_EQ(stat_signed_rank_least(0.05), 6);
	CHECK_EQ(stat_signed_rank_least(0.01), 8);
	CHECK_EQ(stat_signed_rank_least(0.10), 5);
	CHECK(stat_rank_sum_has(4, 4, 0.05) && !stat_rank_sum_has(3, 3, 0.05) && stat_rank_sum_has(2, 8, 0.05));
	CHECK_EQ(stat_power_pairs(&power, 0.01), 33);
	CHECK_EQ(stat_power_pairs(&power, 1), 6);
	CHECK_EQ(stat_power_pairs(&power, 1e-9), STAT_PAIRS_MAX);
	CHECK_NEAR(stat_power_at(&power, 0.01, 35), 0.8, 0.01);
	CHECK_NEAR(stat_power_at(&power, 0, 33), 0.05, 1e-9);
	CHECK_NEAR(stat_power_at(&power, 1, 5), 0, 0);
	CHECK_NEAR(stat_layout_half(4, 0.05), 1.73, 3e-3);
	CHECK_NEAR(stat_layout_half(6, 0.05), 1.29, 4e-3);
	CHECK_NEAR(stat_layout_half(8, 0.05), 1.07, 4e-3);
	CHECK_NEAR(stat_layout_half(16, 0.05), 0.72, 4e-3);
	CHECK_EQ(stat_layout_needed(log(775.0 / 805), 0.025, 0.05), 6);
	CHECK_EQ(stat_layout_needed(0, 0.025, 0.05), 0);
}

static void layouts(void)
{
	struct stat_sample one[] = {{(const double[]){1, 2}, 2}},
			   two[] = {{(const double[]){3}, 1}, {(const double[]){4}, 1}};
	struct stat_layouts a = {one, 1}, b = {two, 2}, none = {NULL, 0};
	struct stat_nested nested;

	check_context("layouts");
	CHECK_EQ(stat_layout_compare(&nested, &a, &a, 0.05), 0);
	CHECK(nested.ci.level == 0 && nested.p == 1);
	CHECK_EQ(stat_layout_compare(&nested, &a, &b, 0.05), 0);
	CHECK_NEAR(nested.difference, 2, 1e-12);
	CHECK_NEAR(nested.df, 1, 0);
	CHECK_EQ(stat_layout_compare(&nested, &a, &none, 0.05), -EINVAL);
	CHECK_EQ(stat_layout_compare(&nested, &a, &b, 0), -EINVAL);
}

int main(void)
{
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		row_check(&rows[i]);
	numbers();
	unpaired();
	refused();
	several();
	floor_check();
	looks_check();
	limits();
	layouts();
	return check_summary("stat-verdict");
}
