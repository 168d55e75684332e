/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tally.h - counters of every reason, as text grouped by verdict, or as JSON */
#ifndef PORTICO_CLI_TALLY_H
#define PORTICO_CLI_TALLY_H

#include <jansson.h>
#include <stdbool.h>

#include "abi/config.h"
#include "dp/reason.h"

/* Without `all`, those that are not zero. */
void tally_print(const struct dp_counter counters[REASON_COUNT], bool all);
json_t *tally_json(const struct dp_counter counters[REASON_COUNT], bool all);

#endif
