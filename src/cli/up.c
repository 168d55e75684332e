/* SPDX-License-Identifier: GPL-2.0-or-later */
/* up.c - portico up: starts porticod in the background and waits until it is ready
 *
 *   up --fork, setsid, exec--> porticod CONF
 *   up <----READY=1, by $NOTIFY_SOCKET---- porticod        up ends well
 *   up <----ends, its last words in the log---- porticod   up ends badly
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "conf/paths.h"
#include "kernel/kernel.h"
#include "lib/clock.h"
#include "lib/sock.h"

#define READY_SECONDS 60 /* a table for 16 million flows takes a few */
#define LOOK_MS 50	 /* how often to see whether the daemon still runs */

/* porticod beside this program: in the build tree, where it is installed, else by $PATH. */
static const char *daemon_find(char path[PATH_MAX])
{
	static const char *const places[] = {"porticod", "../gateway/porticod", "../sbin/porticod"};
	char here[PATH_MAX - 32];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	char *slash;

	here[n > 0 ? n : 0] = 0;
	slash = strrchr(here, '/');
	if (!slash)
		return "porticod";
	slash[1] = 0;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, PATH_MAX, "%s%s", here, places[i]);
		if (!access(path, X_OK))
			return path;
	}
	return "porticod";
}

/* In the child: becomes the daemon. `conf` is absolute. */
static void daemon_exec(const char *conf, const char *notify, int log)
{
	char path[PATH_MAX];
	const char *program = daemon_find(path);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setsid();
	setenv("NOTIFY_SOCKET", notify, 1);
	unsetenv("JOURNAL_STREAM"); /* stderr is a file */
	dup2(null, STDIN_FILENO);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	if (!chdir("/"))
		execlp(program, "porticod", conf, (char *)NULL);
	dprintf(STDERR_FILENO, "%s: %s\n", program, strerror(errno));
	_exit(127);
}

/* The daemon's words since `from` are its reason to end. */
static int daemon_ended(int log, off_t from)
{
	char text[2048];
	ssize_t n = pread(log, text, sizeof(text) - 1, from);
	char *rest = text, *line;

	text[n > 0 ? n : 0] = 0;
	if (n <= 0)
		return command_fail(COMMAND_FAILED, "porticod ended and said nothing");
	while ((line = strsep(&rest, "\n")))
		if (*line)
			fprintf(stderr, "portico: %s\n", line);
	return COMMAND_FAILED;
}

/* 1: ready; 0: ended; -1: neither in time. */
static int daemon_wait(pid_t pid, int notify)
{
	time_t until = clock_seconds() + READY_SECONDS;

	while (clock_seconds() < until) {
		struct pollfd p = {.fd = notify, .events = POLLIN};

		if (poll(&p, 1, LOOK_MS) == 1 && sock_notify_received(notify, "READY=1"))
			return 1;
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return 0;
	}
	return -1;
}

static int report(const char *name)
{
	struct err err;
	int rc;
	json_t *status = instance_ask(name, "status", &rc, &err);

	if (!status)
		return command_fail(COMMAND_FAILED, "%s", err.text);
	status_line(status);
	json_decref(status);
	return COMMAND_DONE;
}

/* After a start that failed: takes away what it made, unless a daemon or a packet path of this name is there. */
static void clean(const char *name)
{
	struct err err;
	struct kernel *k = kernel_peek(name, &err);
	int lock = k ? -EBUSY : instance_lock(name, 0);

	if (k)
		kernel_close(k);
	if (lock >= 0 || lock == -ENOENT)
		instance_files_remove(name);
	if (lock >= 0)
		close(lock);
}

/* Starts the daemon, and says how that went. */
static int start(const char *name, const char *conf, int notify, const char *notify_name)
{
	char path[PATHS_MAX];
	int log = open(paths_log(path, name), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
	off_t from;
	pid_t pid;
	int rc;

	if (log < 0)
		return command_fail(COMMAND_FAILED, "%s: %s%s", path, strerror(errno),
				    errno == EACCES ? "; run as root" : "");
	from = lseek(log, 0, SEEK_END);
	pid = fork();
	if (!pid)
		daemon_exec(conf, notify_name, log);
	rc = pid < 0 ? 0 : daemon_wait(pid, notify);
	if (rc > 0) {
		rc = report(name);
	} else if (rc < 0) {
		kill(pid, SIGTERM);
		waitpid(pid, NULL, 0);
		rc = command_fail(COMMAND_FAILED, "porticod was not ready after %d s and has been stopped",
				  READY_SECONDS);
	} else {
		rc = daemon_ended(log, from);
	}
	close(log);
	if (rc)
		clean(name);
	return rc;
}

static int run(const void *options, char **operands)
{
	char notify_name[SOCK_NOTIFY_MAX], path[PATH_MAX];
	struct conf conf;
	struct err err;
	int notify, rc;

	(void)options;
	if (conf_read(&conf, operands[0], &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	if (!realpath(operands[0], path))
		return command_fail(COMMAND_FAILED, "%s: %s", operands[0], strerror(errno));
	rc = paths_make();
	if (rc)
		return command_fail(COMMAND_FAILED, PATHS_RUN_DIR ": %s; run as root", strerror(-rc));
	notify = sock_notify_listen(notify_name);
	if (notify < 0)
		return command_fail(COMMAND_FAILED, "waiting for porticod: %s", strerror(-notify));
	for (unsigned int i = 0; i < conf.nwarnings; i++)
		fprintf(stderr, "portico: %s\n", conf.warnings[i].text);
	rc = start(conf.name, path, notify, notify_name);
	close(notify);
	return rc;
}

static const struct opt options[] = {{0}};

const struct command command_up = {
	.name = "up",
	.operands = "CONF",
	.min = 1,
	.max = 1,
	.summary = "start a gateway in the background",
	.text = "Starts the gateway that CONF describes: runs porticod in the background, waits until packets flow, "
		"and\n"
		"says how it stands. Where the packet path is still in the kernel and only its daemon has died, the "
		"new\n"
		"daemon takes it over and no flow is lost. What the daemon says later goes to " PATHS_RUN_DIR
		"/NAME.log.",
	.example = "  portico up /etc/portico/portico.conf",
	.options = options,
	.run = run,
};
