/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - one trial, in a process of its own
 *
 * The child writes its answer, or its error, as one JSON object to a pipe (answer.h) and ends. It has a session of its
 * own, so that Ctrl-C on the terminal reaches the parent alone, which sends it SIGTERM: then the keeper of the path
 * (lab/net.h) takes everything down before the child is gone. The child goes with its parent.
 */
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answer.h"
#include "bench/lab/path.h"
#include "lib/clock.h"
#include "measure.h"

#define TICK_MS 100
#define LIMIT_BUILD 60 /* s for building a path and taking it down, and for loads that end by themselves */
#define STEPS 200      /* of a throughput search, both ways, at most */
#define ANSWER_MAX (64u << 20)

static int measure(struct measure *m, const struct trial_ask *ask, json_t **fingerprint, struct err *err)
{
	struct err ignored;
	int rc, closed;

	m->path = path_open(ask->lab, ask->variant, err);
	if (!m->path)
		return -EIO;
	rc = measure_run(m, err);
	if (!rc && ask->fingerprint)
		*fingerprint = path_fingerprint(m->path);
	closed = path_close(m->path, rc ? &ignored : err);
	return rc ? rc : closed;
}

/* In the child: never returns. */
static void child(const struct trial_ask *ask, int to)
{
	struct store_trial trial = {.nvalues = 0};
	struct measure m = {.lab = ask->lab, .variant = ask->variant, .trial = &trial, .raw = json_array()};
	json_t *fingerprint = NULL, *answer;
	u64 began = clock_ns();
	struct err err;
	int rc;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setsid();
	store_now(trial.began);
	rc = measure(&m, ask, &fingerprint, &err);
	trial.took = (double)(clock_ns() - began) / 1e9;
	trial.raw = json_dumps(m.raw, JSON_COMPACT);
	answer = rc ? answer_of_error(rc, &err) : answer_write(&trial, fingerprint);
	_exit(answer && !json_dumpfd(answer, to, JSON_COMPACT) ? 0 : 1);
}

/* How long a trial can take at the very most, s. */
static double limit_of(const struct lab *lab, const struct lab_variant *v)
{
	const struct lab_load *load = &lab->load;
	unsigned int hooks = !!*v->setup + !!*v->measure + !!*v->teardown;
	double runs = load->kind == LAB_THROUGHPUT ? STEPS : 2;

	return LIMIT_BUILD + hooks * load->hook_limit + runs * (load->seconds + load->omit + 1) +
	       (load->packets + load->flows) / 20000.0;
}

/* What the child writes until it ends, for free(). -EINTR, -ETIMEDOUT: it still runs. */
static int listen_to(int from, const struct trial_ask *ask, char **text, size_t *size)
{
	u64 until = clock_ns() + (u64)(1e9 * limit_of(ask->lab, ask->variant));
	FILE *all = open_memstream(text, size);
	struct pollfd fd = {.fd = from, .events = POLLIN};
	char block[65536];
	ssize_t n = 1;
	int rc = all ? 0 : -ENOMEM;

	while (!rc && n) {
		if (*ask->stop)
			rc = -EINTR;
		else if (clock_ns() > until)
			rc = -ETIMEDOUT;
		else if (poll(&fd, 1, TICK_MS) > 0 && (n = read(from, block, sizeof(block))) > 0)
			rc = fwrite(block, 1, (size_t)n, all) == (size_t)n ? 0 : -ENOMEM;
	}
	if (all && fclose(all) && !rc)
		rc = -ENOMEM;
	return rc;
}

static void child_end(pid_t pid, bool early)
{
	if (early)
		kill(pid, SIGTERM);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int understand(struct trial_answer *answer, const char *text, const struct trial_ask *ask, struct err *err)
{
	struct err cause = {"its process ended without a word"};
	json_t *json = json_loads(text, 0, NULL);
	int rc = json ? answer_read(answer, json, &cause) : -EIO;

	json_decref(json);
	return rc ? err_set(err, rc, "variant '%s': %.640s", ask->variant->name, cause.text) : 0;
}

int trial_run(struct trial_answer *answer, const struct trial_ask *ask, struct err *err)
{
	char *text = NULL;
	size_t size = 0;
	int channel[2], rc;
	pid_t pid;

	*answer = (struct trial_answer){0};
	if (pipe2(channel, O_CLOEXEC))
		return err_set(err, -errno, "cannot make a pipe: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(channel[0]);
		child(ask, channel[1]);
	}
	close(channel[1]);
	rc = pid < 0 ? -EAGAIN : listen_to(channel[0], ask, &text, &size);
	close(channel[0]);
	if (pid > 0)
		child_end(pid, rc != 0);
	if (rc == -EINTR)
		err_set(err, rc, "stopped");
	else if (rc == -ETIMEDOUT)
		err_set(err, rc, "variant '%s': the trial did not end within %.0f s and was stopped",
			ask->variant->name, limit_of(ask->lab, ask->variant));
	else if (rc)
		err_set(err, rc, "variant '%s': the trial: %s", ask->variant->name, strerror(-rc));
	else
		rc = understand(answer, text, ask, err);
	free(text);
	return rc;
}

void trial_free(struct trial_answer *answer)
{
	free(answer->trial.raw);
	series_free(&answer->trial.series);
	json_decref(answer->fingerprint);
	*answer = (struct trial_answer){0};
}
