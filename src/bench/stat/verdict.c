/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict.c - FASTER, SLOWER, SAME or INCONCLUSIVE */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "holm.h"
#include "looks.h"
#include "power.h"
#include "tost.h"
#include "verdict.h"
#include "wilcoxon.h"

/* What was asked, with what was not said filled in. */
struct question {
	double alpha, same_alpha; /* two-sided, of this look */
	double delta, floor, power;
	bool less_is_better;
};

static int question_read(struct question *q, const struct stat_how *how)
{
	unsigned int looks = how->looks ? how->looks : 1;

	*q = (struct question){
		.alpha = stat_looks_alpha(how->alpha != 0 ? how->alpha : 0.05, looks),
		.same_alpha = stat_looks_alpha(STAT_TOST_ALPHA, looks),
		.delta = how->delta != 0 ? how->delta : 0.01,
		.floor = how->floor,
		.power = how->power != 0 ? how->power : STAT_POWER,
		.less_is_better = how->less_is_better,
	};
	if (q->alpha < 0 || !(q->delta > 0 && q->delta < 1) || !(q->floor >= 0) || !(q->power > 0 && q->power < 1))
		return -EINVAL;
	return 0;
}

/* Logarithms of both sides; for pairs, a.value is b - a of them and b is empty. */
struct logs {
	struct stat_sample a, b;
	double *own_a, *own_b; /* for free() */
};

static void logs_exit(struct logs *logs)
{
	free(logs->own_a);
	free(logs->own_b);
}

static int logs_init(struct logs *logs, const struct stat_sample *a, const struct stat_sample *b)
{
	int rc;

	*logs = (struct logs){0};
	rc = stat_sample_log(&logs->own_a, a);
	if (!rc)
		rc = stat_sample_log(&logs->own_b, b);
	if (rc) {
		logs_exit(logs);
		return rc;
	}
	logs->a = (struct stat_sample){logs->own_a, a->count};
	logs->b = (struct stat_sample){logs->own_b, b->count};
	return 0;
}

static int logs_pair(struct logs *logs, const struct stat_sample *a, const struct stat_sample *b)
{
	int rc = a->count == b->count ? logs_init(logs, a, b) : -EINVAL;

	if (rc)
		return rc;
	for (unsigned int i = 0; i < a->count; i++)
		logs->own_a[i] = logs->own_b[i] - logs->own_a[i];
	logs->b.count = 0;
	return 0;
}

static int shift_find(struct stat_shift *shift, const struct logs *logs, double alpha)
{
	return logs->b.count ? stat_rank_sum(shift, &logs->a, &logs->b, alpha)
			     : stat_signed_rank(shift, &logs->a, alpha);
}

static struct stat_interval effect_of(struct stat_interval log_ci)
{
	return (struct stat_interval){log_ci.level, expm1(log_ci.low), expm1(log_ci.high)};
}

static bool same(const struct stat_verdict *v, double delta)
{
	struct stat_interval log_ci = {v->same.level, log1p(v->same.low), log1p(v->same.high)};

	return stat_tost_same(&log_ci, delta);
}

/* v->p is final here. Whether the interval leaves 0 out is the same question as p <= alpha (wilcoxon.h). */
static void call(struct stat_verdict *v, const struct question *q)
{
	bool is_same = same(v, q->delta), differs = v->p <= q->alpha * STAT_ROUNDING;

	v->below_floor = differs && fabs(v->effect) <= q->floor;
	v->small = false;
	if (differs && !v->below_floor) {
		v->call = (v->effect > 0) != q->less_is_better ? STAT_FASTER : STAT_SLOWER;
		v->small = is_same;
	} else {
		v->call = is_same ? STAT_SAME : STAT_INCONCLUSIVE;
	}
}

static unsigned int least_of(bool paired, double alpha)
{
	unsigned int n = 1;

	if (paired)
		return stat_signed_rank_least(alpha);
	while (!stat_rank_sum_has(n, n, alpha))
		n++;
	return n;
}

static void plan(struct stat_verdict *v, const struct question *q, const struct logs *logs)
{
	struct stat_power power = {.alpha = q->alpha, .power = q->power};
	unsigned int least, have = v->na < v->nb ? v->na : v->nb;

	v->sd = logs->b.count ? hypot(stat_sample_sd(&logs->a), stat_sample_sd(&logs->b)) : stat_sample_sd(&logs->a);
	v->least = least_of(v->paired, q->alpha);
	power.sd = have > 1 ? v->sd : 0;
	v->needed = power.sd > 0 ? stat_power_pairs(&power, q->delta) : 0;
	least = v->needed > v->least ? v->needed : v->least;
	v->further = least > have ? least - have : 0;
}

static int judge(struct stat_verdict *v, const struct question *q, const struct logs *logs)
{
	struct stat_shift shift, wide;
	int rc = shift_find(&shift, logs, q->alpha);

	if (!rc)
		rc = shift_find(&wide, logs, q->same_alpha);
	if (rc)
		return rc;
	v->exact = shift.exact;
	v->effect = expm1(shift.estimate);
	v->ci = effect_of(shift.ci);
	v->same = effect_of(wide.ci);
	v->p = shift.p;
	plan(v, q, logs);
	call(v, q);
	return 0;
}

int stat_verdict_paired(struct stat_verdict *v, const struct stat_sample *a, const struct stat_sample *b,
			const struct stat_how *how)
{
	struct question q;
	struct logs logs;
	int rc = question_read(&q, how);

	if (!rc)
		rc = logs_pair(&logs, a, b);
	if (rc)
		return rc;
	*v = (struct stat_verdict){.paired = true, .na = a->count, .nb = b->count};
	rc = judge(v, &q, &logs);
	logs_exit(&logs);
	return rc;
}

int stat_verdict_unpaired(struct stat_verdict *v, const struct stat_sample *a, const struct stat_sample *b,
			  const struct stat_how *how)
{
	struct question q;
	struct logs logs;
	int rc = question_read(&q, how);

	if (!rc)
		rc = logs_init(&logs, a, b);
	if (rc)
		return rc;
	*v = (struct stat_verdict){.na = a->count, .nb = b->count};
	rc = judge(v, &q, &logs);
	logs_exit(&logs);
	return rc;
}

int stat_verdict_holm(struct stat_verdict *v, const struct stat_how *how, unsigned int count)
{
	double *p = calloc(count + 1UL, sizeof(*p));
	struct question q;
	int rc = p ? 0 : -ENOMEM;

	for (unsigned int i = 0; !rc && i < count; i++) {
		p[i] = v[i].p;
		rc = question_read(&q, &how[i]);
	}
	if (!rc)
		rc = stat_holm(p, p, count);
	for (unsigned int i = 0; !rc && i < count; i++) {
		question_read(&q, &how[i]);
		v[i].p = p[i];
		call(&v[i], &q);
	}
	free(p);
	return rc;
}

int stat_verdict_floor(double *floor_of, const struct stat_sample *a, const struct stat_sample *b)
{
	struct stat_shift shift;
	struct logs logs;
	int rc = logs_pair(&logs, a, b);

	if (rc)
		return rc;
	rc = shift_find(&shift, &logs, 0.05);
	logs_exit(&logs);
	if (!rc)
		*floor_of = fabs(expm1(shift.estimate));
	return rc;
}
