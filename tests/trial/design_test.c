/* SPDX-License-Identifier: GPL-2.0-or-later */
/* design_test.c - the order of trials: random, but the same again; floors, looks; a trial's answer on its way */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../check.h"
#include "bench/trial/answer.h"
#include "bench/trial/design.h"

static const struct design usual = {.pairs = 20, .looks = 4, .every = 4, .seed = 7, .delta = 0.01};

/* All steps of a design as a text: "1AB 2BA 3AB 4BA f1 ..." without the order inside. */
static void order(void)
{
	unsigned int pairs = 0, floors = 0, b_first = 0, left = design_left(&usual, 0, 0), last_floor = 0;
	struct step step, again;

	check_context("order");
	CHECK_EQ(left, 25);
	while (design_step(&usual, pairs, floors, &step)) {
		CHECK(design_step(&usual, pairs, floors, &again));
		CHECK(again.floor == step.floor && again.number == step.number && again.b_first == step.b_first);
		CHECK_EQ(design_left(&usual, pairs, floors), left--);
		if (step.floor) {
			CHECK_EQ(step.number, floors + 1);
			CHECK_EQ(pairs - last_floor, 4);
			last_floor = pairs;
			floors++;
		} else {
			CHECK_EQ(step.number, pairs + 1);
			b_first += step.b_first;
			pairs++;
		}
	}
	CHECK_EQ(pairs, 20);
	CHECK_EQ(floors, 5);
	CHECK_EQ(left, 0);
	CHECK(b_first > 2 && b_first < 18);
	check_context("no floors");
	struct design plain = usual;

	plain.every = 0;
	CHECK(!design_step(&plain, 20, 0, &step));
	CHECK_EQ(design_left(&plain, 3, 0), 17);
}

/* Half of all pairs begin with B, whatever the seed. */
static void coins(void)
{
	unsigned int b_first = 0;
	struct design d = usual;
	struct step step;

	check_context("coins");
	d.pairs = 400;
	for (d.seed = 1; d.seed <= 100; d.seed++)
		for (unsigned int i = 0; i < 400; i++)
			if (design_step(&d, i, i / 4, &step))
				b_first += step.b_first;
	CHECK(b_first > 19400 && b_first < 20600);
}

static void looks(void)
{
	unsigned int seen = 0;

	check_context("looks");
	for (unsigned int pairs = 1; pairs <= 20; pairs++) {
		unsigned int look = design_look(&usual, pairs);

		if (!look)
			continue;
		seen++;
		CHECK(look >= seen);
		CHECK(pairs >= 7); /* fewer have no interval at 0.0182 */
	}
	CHECK_EQ(seen, 4);
	CHECK_EQ(design_look(&usual, 20), 4);
}

static void precision(void)
{
	struct design d = usual;

	check_context("precision");
	d.precision = 0.005;
	CHECK_EQ(design_pairs_for(&d, 8, 0.01), 32);
	CHECK_EQ(design_pairs_for(&d, 8, 0.004), 8);
	CHECK_EQ(design_pairs_for(&d, 8, 1), DESIGN_PAIRS_MAX);
	CHECK_EQ(design_pairs_for(&d, 8, INFINITY), DESIGN_PAIRS_MAX);
}

static void kept(void)
{
	struct design d = usual, back = {0};
	json_t *json;

	check_context("kept");
	d.precision = 0.002;
	d.link = 1e9;
	d.same_image = true;
	d.seed = 0xfffffff0;
	json = design_json(&d);
	CHECK_EQ(design_read(&back, json), 0);
	CHECK(back.pairs == d.pairs && back.looks == d.looks && back.every == d.every && back.seed == d.seed);
	CHECK(back.delta == d.delta && back.precision == d.precision && back.link == d.link && back.same_image);
	json_object_set_new(json, "looks", json_integer(9));
	CHECK_EQ(design_read(&back, json), -EINVAL);
	json_object_del(json, "looks");
	CHECK_EQ(design_read(&back, json), -EINVAL);
	json_decref(json);
}

static void answers(void)
{
	struct store_trial trial = {
		.began = "2026-01-31T12:00:00Z",
		.took = 1.25,
		.measured = 0.5,
		.nvalues = 2,
		.value = {{"rate", "out", UNIT_PACKETS, 1234567.0}, {"delay p99", "in", UNIT_TIME, 1500.5}},
		.raw = (char *)"[\"text\"]"};
	struct trial_answer answer = {.fingerprint = NULL};
	struct err err = {"why"};
	json_t *json;

	check_context("an answer");
	CHECK(!series_add(&trial.series, 5, 0.1) && !series_add(&trial.series, 6, 0.1));
	series_close(&trial.series);
	json = answer_write(&trial, json_pack("{s:s}", "kernel.release", "6.1"));
	CHECK_EQ(answer_read(&answer, json, &err), 0);
	json_decref(json);
	CHECK_STR(answer.trial.began, trial.began);
	CHECK(answer.trial.took == 1.25 && answer.trial.measured == 0.5);
	CHECK_EQ(answer.trial.nvalues, 2);
	CHECK_STR(answer.trial.value[1].metric, "delay p99");
	CHECK_STR(answer.trial.value[1].way, "in");
	CHECK(answer.trial.value[1].unit == UNIT_TIME && answer.trial.value[1].value == 1500.5);
	CHECK_EQ(answer.trial.series.count, 2);
	CHECK(answer.trial.series.value[1] == 6 && answer.trial.series.interval == trial.series.interval);
	CHECK_STR(answer.trial.raw, "[\"text\"]");
	CHECK_STR(json_string_value(json_object_get(answer.fingerprint, "kernel.release")), "6.1");
	trial_free(&answer);
	series_free(&trial.series);
	check_context("an error");
	json = answer_of_error(-ENOBUFS, &err);
	err.text[0] = 0;
	CHECK_EQ(answer_read(&answer, json, &err), -ENOBUFS);
	CHECK_STR(err.text, "why");
	json_decref(json);
}

int main(void)
{
	order();
	coins();
	looks();
	precision();
	kept();
	answers();
	return check_summary("design");
}
