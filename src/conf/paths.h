/* SPDX-License-Identifier: GPL-2.0-or-later */
/* paths.h - where an instance keeps its files */
#ifndef PORTICO_CONF_PATHS_H
#define PORTICO_CONF_PATHS_H

#include <stdbool.h>

#define PATHS_RUN_DIR "/run/portico"
#define PATHS_MAX 108 /* bytes with the final 0: what a unix socket's address takes */

/* PATHS_RUN_DIR/NAME.sock: control socket, NAME.lock: held by the daemon while it runs, NAME.log: what a daemon in the
 * background says. `name` is an instance's, so it fits. */
char *paths_socket(char path[PATHS_MAX], const char *name);
char *paths_lock(char path[PATHS_MAX], const char *name);
char *paths_log(char path[PATHS_MAX], const char *name);

/* Makes PATHS_RUN_DIR. 0 or -errno. */
int paths_make(void);

/* Calls `visit` for each instance whose control socket exists, running or not. */
void paths_instances(void (*visit)(void *arg, const char *name), void *arg);

/* Whether `name` can be an instance's: 1 to 31 of a-z, 0-9 and '-', not '-' first. */
bool paths_name_valid(const char *name);

#endif
