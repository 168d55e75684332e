/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure_tcp.c - TCP by iperf3, one connection or several, one way, the other, or both at once */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

#define LISTEN_LIMIT 5 /* s that the server may take to start */
#define SPARE 15       /* s that iperf3 may take beyond its test */

/* In the child: the server, for one test. Never returns. */
static void serve(int ns, const char *address)
{
	int null = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	if (setns(ns, CLONE_NEWNET))
		_exit(126);
	execlp("iperf3", "iperf3", "-s", "-1", "-B", address, (char *)NULL);
	_exit(127);
}

/* Whether a process's network namespace has a socket that listens on iperf3's port, 5201. */
static bool listens(pid_t server)
{
	char path[64], line[256];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/net/tcp", server);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, ":1451 00000000:0000 0A");
	if (f)
		fclose(f);
	return found;
}

static int server_start(struct measure *m, pid_t *server, struct err *err)
{
	const struct timespec step = {.tv_nsec = 10000000};
	int status;

	fflush(NULL);
	*server = fork();
	if (!*server)
		serve(path_ns(m->path, PATH_WAN), path_remote(m->path));
	if (*server < 0)
		return err_set(err, -errno, "cannot start the iperf3 server: %s", strerror(errno));
	for (int i = 0; i < 100 * LISTEN_LIMIT; i++) {
		if (listens(*server))
			return 0;
		if (waitpid(*server, &status, WNOHANG) == *server) {
			*server = 0;
			return err_set(err, -EIO, "the iperf3 server ended before the test%s",
				       WIFEXITED(status) && WEXITSTATUS(status) == 127
					       ? ": iperf3 is not installed; 'make deps' does"
					       : "");
		}
		nanosleep(&step, NULL);
	}
	return err_set(err, -ETIMEDOUT, "the iperf3 server did not listen within %d s", LISTEN_LIMIT);
}

static void server_end(pid_t server)
{
	if (server <= 0)
		return;
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
}

/* What the reader of iperf3's output calls upload is out, download is in. */
static void ways_name(struct measure *m, unsigned int from)
{
	for (unsigned int i = from; i < m->trial->nvalues; i++) {
		struct store_value *value = &m->trial->value[i];

		strcpy(value->way, strcmp(value->metric, "upload") ? "in" : "out");
		strcpy(value->metric, "goodput");
	}
}

static int client_run(struct measure *m, const char *direction, struct err *err)
{
	const struct lab_load *load = &m->lab->load;
	unsigned int from = m->trial->nvalues;
	char line[256], *output = NULL;
	struct hook hook = {.what = "iperf3", .line = line, .ns = path_ns(m->path, PATH_LAN)};
	int rc;

	snprintf(line, sizeof(line), "exec iperf3 -c %s -t %.0f -O %u -P %u -J %s", path_remote(m->path), load->seconds,
		 load->omit, load->streams, direction);
	hook.limit = load->seconds + load->omit + SPARE;
	rc = hook_run(&hook, &output, err);
	if (output && (!rc || strstr(output, "\"error\""))) /* it says there what went wrong */
		rc = measure_output(m, "iperf3", output, err);
	free(output);
	ways_name(m, from);
	return rc;
}

static int test_run(struct measure *m, const char *direction, struct err *err)
{
	pid_t server;
	int rc = server_start(m, &server, err);

	if (!rc)
		rc = client_run(m, direction, err);
	server_end(server);
	return rc;
}

int measure_tcp(struct measure *m, struct err *err)
{
	enum lab_way way = m->lab->load.way;
	int rc = 0;

	if (!*path_remote(m->path))
		return err_set(err, -ENOTSUP, "%s: topology %s has no hosts to talk TCP; measure with a hook",
			       m->lab->path, lab_topology_names[m->lab->topology]);
	if (way == LAB_BOTH)
		return test_run(m, "--bidir", err);
	if (way != LAB_IN)
		rc = test_run(m, "", err);
	if (!rc && way != LAB_OUT)
		rc = test_run(m, "-R", err);
	return rc;
}
