/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stored.h - from a comparison in the store to its report
 *
 *      store -> samples of A/B, and of A/A for the floor -> findings -> report
 *
 * The same for a comparison that goes on (at a look), has just ended, or ended last year.
 */
#ifndef PORTICO_BENCH_MAIN_STORED_H
#define PORTICO_BENCH_MAIN_STORED_H

#include "bench/store/store.h"
#include "bench/trial/design.h"
#include "interaction.h"
#include "judge.h"
#include "lib/opt.h"
#include "warnings.h"

struct stored {
	const struct store_comparison *comparison;
	struct design design;
	struct samples samples, again; /* of pairs of A and B, of A and A */
	struct plan plan;
	struct judge judge; /* its findings: none where no pair is stored */
	struct interactions interactions;
	struct warnings warnings;
};

/* Judges what is stored of a comparison, which must outlive `s`; nor may `s` be moved. A cell where a run is 0 is left
 * out, with a warning. 0 or -errno with *err filled; then nothing is left to exit. */
int stored_judge(struct stored *s, struct store *store, const struct store_comparison *c, struct err *err);
void stored_exit(struct stored *s);

/* What differs besides the variants, then the report. */
void stored_print(const struct stored *s);
/* The same and all of the plan: "comparison", "differs", and what report_json() has. A new reference; NULL where memory
 * ends. */
json_t *stored_json(const struct stored *s);

/* What commands about the store are told. */
struct stored_options {
	const char *store; /* NULL: STORE_FILE */
	bool json;
};
extern const struct opt stored_options[];

/* Opens the store and gets the comparison with the id that is the first operand, or the last one. NULL with *err
 * filled. */
struct store *stored_open(const struct stored_options *o, char **operands, struct store_comparison *c, struct err *err);

#endif
