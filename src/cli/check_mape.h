/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check_mape.h - what a configuration file says about MAP-E and the policy of ports, for `portico check` */
#ifndef PORTICO_CLI_CHECK_MAPE_H
#define PORTICO_CLI_CHECK_MAPE_H

#include <jansson.h>

#include "conf/conf.h"

/* Puts what the DHCPv6 client has written into the configuration. 0; or COMMAND_FAILED, after saying what is missing or
 * wrong there. */
int check_mape_follow(struct conf *c);

/* Lines about the customer edge or the border relays. */
void check_mape_print(const struct conf *c, unsigned int reserved);
/* The customer edge or the border relays; null where there are none. */
json_t *check_mape_json(const struct conf *c);

/* A line about how ports are used, and the same as JSON. */
void check_policy_print(const struct conf *c);
json_t *check_policy_json(const struct conf *c);

#endif
