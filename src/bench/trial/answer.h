/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.h - a trial's answer on its way from the trial's process, as JSON */
#ifndef PORTICO_BENCH_TRIAL_ANSWER_H
#define PORTICO_BENCH_TRIAL_ANSWER_H

#include "trial.h"

/* New references, or NULL where memory ends. `fingerprint` is taken over; it may be NULL. */
json_t *answer_write(const struct store_trial *trial, json_t *fingerprint);
json_t *answer_of_error(int rc, const struct err *err);

/* Reads either: 0; the error that was written, with its words; -EIO, -ENOMEM. */
int answer_read(struct trial_answer *answer, const json_t *json, struct err *err);

#endif
