/* SPDX-License-Identifier: GPL-2.0-or-later */
/* design.c - which trials a comparison is made of */
#include "design.h"

#include <errno.h>
#include <math.h>

#include "bench/stat/looks.h"
#include "bench/stat/rng.h"
#include "bench/stat/wilcoxon.h"

#define ALPHA 0.05

/* A coin for each pair: the same whenever it is asked for. */
static bool coin(const struct design *d, const struct step *step)
{
	struct stat_rng rng;

	stat_rng_init(&rng, (uint64_t)d->seed << 32 | step->number << 1 | step->floor);
	return stat_rng_below(&rng, 2);
}

bool design_step(const struct design *d, unsigned int pairs, unsigned int floors, struct step *step)
{
	step->floor = d->every && floors < pairs / d->every;
	if (!step->floor && pairs >= d->pairs)
		return false;
	step->number = (step->floor ? floors : pairs) + 1;
	step->b_first = coin(d, step);
	return true;
}

unsigned int design_left(const struct design *d, unsigned int pairs, unsigned int floors)
{
	unsigned int all = d->every ? d->pairs / d->every : 0;

	return (d->pairs > pairs ? d->pairs - pairs : 0) + (all > floors ? all - floors : 0);
}

unsigned int design_look(const struct design *d, unsigned int pairs)
{
	unsigned int least = stat_signed_rank_least(stat_looks_alpha(ALPHA, d->looks));

	for (unsigned int look = d->looks; look; look--)
		if (stat_looks_at(d->pairs, d->looks, look, least) == pairs)
			return look;
	return 0;
}

/* Widths go with the square root of the number. */
unsigned int design_pairs_for(const struct design *d, unsigned int pairs, double half_width)
{
	double ratio = half_width / d->precision, all = ceil(pairs * ratio * ratio);

	if (!(all > pairs))
		return pairs;
	return all < DESIGN_PAIRS_MAX ? (unsigned int)all : DESIGN_PAIRS_MAX;
}

json_t *design_json(const struct design *d)
{
	return json_pack("{s:i, s:i, s:i, s:I, s:f, s:f, s:f, s:b}", "pairs", (int)d->pairs, "looks", (int)d->looks,
			 "every", (int)d->every, "seed", (json_int_t)d->seed, "delta", d->delta, "precision",
			 d->precision, "link", d->link, "same_image", d->same_image);
}

int design_read(struct design *d, json_t *json)
{
	int pairs, looks, every, same_image;
	json_int_t seed;

	if (json_unpack(json, "{s:i, s:i, s:i, s:I, s:F, s:F, s:F, s:b}", "pairs", &pairs, "looks", &looks, "every",
			&every, "seed", &seed, "delta", &d->delta, "precision", &d->precision, "link", &d->link,
			"same_image", &same_image) ||
	    pairs < 1 || looks < 1 || looks > STAT_LOOKS_MAX || every < 0)
		return -EINVAL;
	d->pairs = (unsigned int)pairs;
	d->looks = (unsigned int)looks;
	d->every = (unsigned int)every;
	d->seed = (unsigned int)seed;
	d->same_image = same_image;
	return 0;
}
