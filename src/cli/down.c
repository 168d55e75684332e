/* SPDX-License-Identifier: GPL-2.0-or-later */
/* down.c - portico down: ends the daemon and takes the packet path out of the kernel
 *
 * The instance's lock is the proof that the daemon has ended, and it is held while things are removed, so that no
 * other daemon starts in between.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "conf/paths.h"
#include "device.h"
#include "kernel/kernel.h"
#include "lib/clock.h"

#define STOP_SECONDS 10

struct down {
	const char *name;
};

/* Ends the daemon, which first takes away what it has made beside the packet path; one of an earlier version does not
 * know that word. 1; 0 where none ran; -errno with *err filled. */
static int daemon_stop(const char *name, struct err *err)
{
	int rc;
	json_t *answer = instance_ask(name, "leave", &rc, err);

	if (!answer && rc == -EPROTO)
		answer = instance_ask(name, "stop", &rc, err);
	json_decref(answer);
	if (answer)
		return 1;
	return rc == -ECONNREFUSED ? 0 : rc;
}

static int down(const char *name)
{
	time_t until = clock_seconds() + STOP_SECONDS;
	struct err err = {{0}};
	int ran = daemon_stop(name, &err), lock, rc;

	if (ran < 0)
		return command_fail(COMMAND_FAILED, "%s", err.text);
	while ((lock = instance_lock(name, 1)) == -EBUSY && clock_seconds() < until) {
		if (daemon_stop(name, &err) > 0) /* when asked before it had its lock, but no socket yet */
			ran = 1;
	}
	if (lock == -EBUSY)
		return command_fail(COMMAND_FAILED,
				    "%s: the daemon holds %s/%s.lock and does not end; end it by hand, then try again",
				    name, PATHS_RUN_DIR, name);
	if (lock < 0 && lock != -ENOENT)
		return command_fail(COMMAND_FAILED, "%s: lock: %s; run as root", name, strerror(-lock));
	device_remove(name);
	rc = kernel_remove(name, &err);
	if (!rc || rc == -ENOENT)
		instance_files_remove(name);
	if (lock >= 0)
		close(lock);
	if (rc && rc != -ENOENT)
		return command_fail(COMMAND_FAILED, "%s", err.text);
	if (rc && !ran)
		return command_fail(COMMAND_FAILED, "%s: nothing to do, it is not up", name);
	printf("%s: down\n", name);
	return COMMAND_DONE;
}

static int run(const void *options, char **operands)
{
	const struct down *o = options;
	char name[CONF_NAME_MAX];
	struct err err;

	(void)operands;
	if (instance_pick(o->name, name, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	return down(name);
}

static const struct opt options[] = {
	{'n', "name", "NAME", opt_text, offsetof(struct down, name), "the gateway; default: the only one", 0, 0},
	{0},
};

const struct command command_down = {
	.name = "down",
	.operands = "",
	.summary = "stop a gateway and remove it from the kernel",
	.text = "Ends the daemon, detaches the packet path from the interfaces, and removes everything that 'portico "
		"up'\n"
		"made. Established connections through the gateway end, or go on through Linux where it can.\n"
		"Works as well when the daemon has died.",
	.example = "  portico down -n home",
	.options = options,
	.run = run,
};
