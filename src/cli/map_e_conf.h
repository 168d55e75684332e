/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_e_conf.h - portico map-e of a configuration file */
#ifndef PORTICO_CLI_MAP_E_CONF_H
#define PORTICO_CLI_MAP_E_CONF_H

#include <stdbool.h>

/* Explains the customer edge, with what its DHCPv6 client has written, or each border relay. `mtu` 0: the file's, or
 * 1500. An exit status: COMMAND_FAILED, after saying why, where the file cannot be right. */
int map_e_conf(const char *path, unsigned int mtu, bool ports, bool json);

#endif
