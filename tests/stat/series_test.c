/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series_test.c - changes, spikes and modes of series; random numbers that stay the same */
#include <errno.h>

#include "bench/stat/change.h"
#include "bench/stat/modes.h"
#include "bench/stat/rng.h"
#include "bench/stat/spike.h"
#include "near.h"

#define LONG 200

/* Levels one after the other, with normal noise of s.d. 1. */
struct level {
	unsigned int count;
	double mean;
};

static struct stat_sample series_make(double *room, const struct level *levels, unsigned int count)
{
	struct stat_rng rng;
	unsigned int at = 0;

	stat_rng_init(&rng, 20);
	for (unsigned int i = 0; i < count; i++)
		for (unsigned int k = 0; k < levels[i].count; k++)
			room[at++] = levels[i].mean + stat_rng_normal(&rng);
	return (struct stat_sample){room, at};
}

/* A line that trains at 150 Mbit/s for six seconds and then goes at 260. */
static void two_states(void)
{
	const double values[] = {143, 152, 147, 148, 149, 151, 214, 259, 255, 261};
	struct stat_sample s = {values, 10};
	struct stat_change change;

	check_context("two states");
	for (uint64_t seed = 0; seed < 50; seed++) {
		CHECK_EQ(stat_change_find(&change, NULL, &s, &(struct stat_change_how){.seed = seed}), 0);
		CHECK_EQ(change.count, 2);
		CHECK_EQ(change.segment[1].from, 6);
		CHECK(change.p == change.segment[1].p && change.p < 0.02);
	}
	CHECK_NEAR(change.segment[0].mean, 148.33, 1e-4);
	CHECK_EQ(change.segment[0].count + change.segment[1].count, 10);
}

static void steady_and_not(void)
{
	const struct level steady[] = {{100, 500}}, back[] = {{40, 500}, {20, 506}, {60, 500}};
	double room[LONG];
	struct stat_change change, again;
	struct stat_sample s = series_make(room, steady, 1);

	check_context("steady");
	CHECK_EQ(stat_change_find(&change, NULL, &s, NULL), 0);
	CHECK_EQ(change.count, 1);
	CHECK_EQ(change.segment[0].count, 100);
	CHECK(change.p > 0.02);
	check_context("there and back");
	s = series_make(room, back, 3);
	CHECK_EQ(stat_change_find(&change, NULL, &s, NULL), 0);
	CHECK_EQ(change.count, 3);
	CHECK_EQ(change.segment[1].from, 40);
	CHECK_EQ(change.segment[2].from, 60);
	CHECK_EQ(stat_change_find(&again, NULL, &s, NULL), 0);
	CHECK_MEM(&again, &change, sizeof(change));
}

/* One value that is far off is set aside, and says nothing about the level around it; four are a state. */
static void spikes(void)
{
	const struct level steady[] = {{60, 500}};
	double room[LONG];
	bool spike[LONG];
	struct stat_change change;
	struct stat_sample s = series_make(room, steady, 1);

	check_context("a spike");
	room[0] = 300; /* a slow start */
	room[31] = 20;
	CHECK_EQ(stat_change_find(&change, spike, &s, NULL), 0);
	CHECK_EQ(change.count, 1);
	CHECK_EQ(change.segment[0].spikes, 2);
	CHECK_EQ(change.segment[0].count, 60);
	CHECK(spike[0] && spike[31] && !spike[30] && !spike[1]);
	CHECK_NEAR(change.segment[0].mean, 500, 1e-3);
	check_context("many spikes");
	room[11] = room[21] = room[41] = 20;
	CHECK_EQ(stat_spike_find(spike, &s), 0);
	CHECK(!spike[0] && !spike[31]);
	check_context("a level that is not left in one step");
	series_make(room, (const struct level[]){{30, 500}, {30, 600}}, 2);
	room[30] = 550;
	CHECK_EQ(stat_spike_find(spike, &s), 0);
	CHECK(!spike[30]);
	check_context("rounded values");
	for (unsigned int i = 0; i < 60; i++)
		room[i] = i == 20 ? 942 : 941;
	CHECK_EQ(stat_spike_find(spike, &s), 0);
	CHECK(!spike[20]);
}

static void short_series(void)
{
	double values[] = {1, 1, 1, 1, 1, 1, 1, 1};
	struct stat_sample s = {values, 0};
	struct stat_change change;

	check_context("short series");
	CHECK_EQ(stat_change_find(&change, NULL, &s, NULL), -EINVAL);
	for (s.count = 1; s.count <= 8; s.count++) {
		CHECK_EQ(stat_change_find(&change, NULL, &s, NULL), 0);
		CHECK_EQ(change.count, 1);
		CHECK_NEAR(change.p, 1, 0);
	}
	CHECK_EQ(stat_change_least(), 6);
	s.count = 8;
	CHECK_EQ(stat_change_find(&change, NULL, &s, &(struct stat_change_how){.alpha = 1}), -EINVAL);
	CHECK_EQ(stat_change_find(&change, NULL, &s, &(struct stat_change_how){.block = 100}), 0);
	values[3] = NAN;
	CHECK_EQ(stat_change_find(&change, NULL, &s, NULL), -EINVAL);
}

/* More levels than there is room for. */
static void many_changes(void)
{
	static double room[STAT_CHANGE_MAX + 1];
	struct stat_sample s = {room, 460};
	struct stat_change change;

	check_context("many changes");
	for (unsigned int i = 0; i < 460; i++) {
		unsigned int level = i / 7;

		room[i] = pow(1.3, level) + (i * 7 % 5) / 100.0;
	}
	CHECK_EQ(stat_change_find(&change, NULL, &s, NULL), 0);
	CHECK_EQ(change.count, STAT_CHANGE_SEGMENTS);
	CHECK(change.more);
	s.count = STAT_CHANGE_MAX + 1;
	CHECK_EQ(stat_change_find(&change, NULL, &s, NULL), -EINVAL);
}

static void modes_check(void)
{
	const struct level two[] = {{12, 300}, {6, 310}, {30, 300}, {12, 310}}, one[] = {{60, 300}};
	double room[LONG];
	struct stat_modes modes;
	struct stat_stay stay[2];
	struct stat_sample s = series_make(room, two, 4);

	check_context("two modes");
	CHECK_EQ(stat_modes_fit(&modes, &s, 0), 0);
	CHECK(modes.two && modes.bic > 10 && modes.ashman > 5);
	stat_modes_stay(stay, &modes, &s);
	CHECK_EQ(stay[0].values, 42);
	CHECK_EQ(stay[1].visits, 2);
	CHECK_NEAR(stay[1].dwell, 9, 0);
	CHECK_NEAR(stay[1].share, 0.3, 1e-9);
	CHECK_NEAR(stay[1].level, 310, 2e-3);
	check_context("one mode");
	s = series_make(room, one, 1);
	CHECK_EQ(stat_modes_fit(&modes, &s, 0), 0);
	CHECK(!modes.two);
	CHECK_NEAR(modes.one.mean, 300, 2e-3);
}

static void few_or_alike(void)
{
	double values[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 9};
	struct stat_sample s = {values, 9};
	struct stat_modes modes;
	struct stat_stay stay[2];

	check_context("all alike");
	CHECK_EQ(stat_modes_fit(&modes, &s, 0), 0);
	CHECK(!modes.two);
	stat_modes_stay(stay, &modes, &s);
	CHECK_EQ(stay[0].values, 9);
	CHECK_NEAR(stay[1].level, 0, 0);
	check_context("one spike in ten");
	s.count = 10;
	CHECK_EQ(stat_modes_fit(&modes, &s, 1), 0);
	CHECK_NEAR(modes.mode[1].mean, 9, 1e-6);
	check_context("few");
	s.count = 3;
	CHECK_EQ(stat_modes_fit(&modes, &s, 0), 0);
	CHECK(!modes.two);
	s.count = 0;
	CHECK_EQ(stat_modes_fit(&modes, &s, 0), -EINVAL);
}

/* 50 % at 100, 50 % at 200; then 25 % at 110 and 75 % at 190: the mean goes from 150 to 170. */
static void split(void)
{
	struct stat_stay a[2] = {{50, 100, 0.5, 1, 50}, {50, 200, 0.5, 1, 50}};
	struct stat_stay b[2] = {{25, 110, 0.25, 1, 25}, {75, 190, 0.75, 1, 75}}, high[2] = {{0}, {10, 200, 1, 1, 10}};
	struct stat_split s = stat_modes_split(a, b);

	check_context("split");
	CHECK_NEAR(s.total, 20, 1e-9);
	CHECK_NEAR(s.level, 0.375 * 10 - 0.625 * 10, 1e-9);
	CHECK_NEAR(s.occupancy, (195 - 105) * 0.25, 1e-9);
	s = stat_modes_split(a, high);
	CHECK_NEAR(s.level, 0, 0);
	CHECK_NEAR(s.total, 50, 1e-9);
	s = stat_modes_split(high, high);
	CHECK_NEAR(s.total, 0, 0);
}

/* The first numbers of xoshiro256** after splitmix64 of 1, as its authors' code gives them. */
static void random_check(void)
{
	const uint64_t want[] = {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514};
	struct stat_rng rng;
	unsigned int order[100], seen[100] = {0};
	double sum = 0, square = 0;

	check_context("random");
	stat_rng_init(&rng, 1);
	for (unsigned int i = 0; i < 3; i++)
		CHECK_EQ(stat_rng_next(&rng), want[i]);
	for (unsigned int i = 0; i < 100000; i++) {
		double x = stat_rng_normal(&rng);

		sum += x;
		square += x * x;
	}
	CHECK(fabs(sum / 100000) < 0.01 && fabs(square / 100000 - 1) < 0.02);
	stat_rng_order(&rng, order, 100);
	for (unsigned int i = 0; i < 100; i++)
		seen[order[i]]++;
	for (unsigned int i = 0; i < 100; i++)
		CHECK_EQ(seen[i], 1);
}

int main(void)
{
	two_states();
	steady_and_not();
	spikes();
	short_series();
	many_changes();
	modes_check();
	few_or_alike();
	split();
	random_check();
	return check_summary("stat-series");
}
