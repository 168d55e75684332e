/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli.h - what the commands of `portico` are made of */
#ifndef PORTICO_CLI_CLI_H
#define PORTICO_CLI_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "conf/conf.h"
#include "lib/command.h"

extern const struct command command_up, command_down, command_status, command_flows, command_counters, command_check,
	command_replay, command_map_e, command_import, command_ports;

/* instance.c: the instance that is meant: `wanted`, or, where that is NULL, the only one there is. 0; -ENOENT or
 * -EINVAL with *err filled. */
int instance_pick(const char *wanted, char name[CONF_NAME_MAX], struct err *err);
/* The packet path of that instance, for kernel_close(). NULL after saying why. */
struct kernel *instance_peek(const char *wanted, char name[CONF_NAME_MAX]);
/* Asks the daemon of `name`. The answer, or NULL with *err filled and *rc the -errno: -ECONNREFUSED where none runs. */
json_t *instance_ask(const char *name, const char *question, int *rc, struct err *err);
/* The daemon's idle times; the defaults, and a word about that on stderr, where none runs. */
struct dp_timers instance_timers(const char *name);
/* Takes the instance's lock, which its daemon holds as long as it runs, within some seconds (0: at once). Its
 * descriptor; -ENOENT where there is no lock file; -EBUSY where the daemon runs on; or another -errno. */
int instance_lock(const char *name, int seconds);
/* Removes what the instance has below PATHS_RUN_DIR. The lock must be held, or absent. */
void instance_files_remove(const char *name);

/* status.c: the answer of the daemon to "status" in one line, for `up`. */
void status_line(json_t *status);

#endif
