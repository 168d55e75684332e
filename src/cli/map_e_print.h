/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_print.h - a checked MAP-E domain as text for a person, or as JSON */
#ifndef PORTICO_CLI_MAP_E_PRINT_H
#define PORTICO_CLI_MAP_E_PRINT_H

#include <jansson.h>

#include "conf/mape.h"

/* With `ports`, every range of the port set is listed. Findings are not printed. */
void map_e_print(const struct mape_domain *d, bool ports);
json_t *map_e_json(const struct mape_domain *d, bool ports);

#endif
