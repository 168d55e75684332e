/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hook.c - a line for sh, with a limit of time
 *
 * It is over when the shell ends: what it left in the background goes on, and is not waited for. When time is up, or
 * the line failed, its whole group of processes is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"
#include "lib/clock.h"

#define OUTPUT_MAX (16u << 20)
#define SAID 300 /* bytes of what it wrote last, for the error */

static pid_t nobody;
pid_t *hook_running = &nobody;

struct stream {
	int from;
	char *text; /* NULL: only `said` counts */
	size_t size, room;
	char *said; /* SAID bytes, of both streams */
};

static void said_add(char *said, const char *block, size_t n)
{
	size_t had = strlen(said), take = n < SAID - 1 ? n : SAID - 1,
	       drop = had + take > SAID - 1 ? had + take - SAID + 1 : 0;

	memmove(said, said + drop, had - drop);
	memcpy(said + had - drop, block + n - take, take);
	said[had - drop + take] = '\0';
}

/* Keeps what there is to read; false at the end. What is beyond OUTPUT_MAX is read and dropped. */
static bool stream_read(struct stream *s)
{
	char block[16384];
	ssize_t n = read(s->from, block, sizeof(block));

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	for (ssize_t i = 0; i < n; i++)
		if (!block[i])
			block[i] = ' ';
	said_add(s->said, block, (size_t)n);
	if (!s->text || s->size + (size_t)n > OUTPUT_MAX)
		return true;
	if (s->size + (size_t)n >= s->room) {
		size_t room = 2 * (s->size + (size_t)n) + 1;
		char *grown = realloc(s->text, room);

		if (!grown)
			return true;
		s->text = grown;
		s->room = room;
	}
	memcpy(s->text + s->size, block, (size_t)n);
	s->size += (size_t)n;
	s->text[s->size] = '\0';
	return true;
}

/* In the child: never returns. */
static void become(const struct hook *h, int output, int errors)
{
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null >= 0)
		dup2(null, 0);
	dup2(output, 1);
	dup2(errors, 2);
	if (h->ns >= 0 && setns(h->ns, CLONE_NEWNET))
		_exit(126);
	execl("/bin/sh", "sh", "-c", h->line, (char *)NULL);
	_exit(127);
}

/* Reads until the shell has ended; false: time was up before. */
static bool wait_for(int shell, struct stream streams[2], double limit)
{
	u64 until = clock_ns() + (u64)(limit * 1e9), now;
	struct pollfd fds[3] = {{shell, POLLIN, 0}, {streams[0].from, POLLIN, 0}, {streams[1].from, POLLIN, 0}};

	while ((now = clock_ns()) < until) {
		int ready = poll(fds, 3, (int)((until - now) / 1000000 + 1));

		for (int i = 0; i < 2 && ready > 0; i++)
			if (fds[i + 1].revents && !stream_read(&streams[i]))
				fds[i + 1].fd = -1;
		if (ready > 0 && fds[0].revents)
			return true;
	}
	return false;
}

/* What is still in the pipes; what a process in the background will write one day is not waited for. */
static void drain(struct stream *s)
{
	size_t before;

	fcntl(s->from, F_SETFL, O_NONBLOCK);
	do {
		before = s->size;
		if (!stream_read(s))
			break;
	} while (s->size > before);
	close(s->from);
}

static const char *last_line(char *said)
{
	char *line;

	for (size_t n = strlen(said); n && (said[n - 1] == '\n' || said[n - 1] == ' '); n--)
		said[n - 1] = '\0';
	line = strrchr(said, '\n');
	return line ? line + 1 : said;
}

static const char *line_of(const struct hook *h)
{
	return h->shown ? h->shown : h->line;
}

static int verdict(const struct hook *h, int status, char *said, struct err *err)
{
	const char *last = last_line(said);

	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return err_set(err, -EIO, "%s: '%.200s' failed (exit status %d)%s%s", h->what, line_of(h),
		       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), *last ? ": " : "", last);
}

/* The child is there; collects what it says and how it ends. */
static int attend(const struct hook *h, pid_t child, struct stream streams[2], struct err *err)
{
	int shell = (int)syscall(SYS_pidfd_open, child, 0), status = 0, rc;
	bool ended;

	setpgid(child, child); /* whoever of the two is first */
	*hook_running = child;
	ended = shell >= 0 && wait_for(shell, streams, h->limit);
	if (!ended)
		kill(-child, SIGKILL);
	waitpid(child, &status, 0);
	drain(&streams[0]);
	drain(&streams[1]);
	if (shell >= 0)
		close(shell);
	if (ended)
		rc = verdict(h, status, streams[0].said, err);
	else
		rc = err_set(err, -ETIMEDOUT,
			     "%s: '%.200s' was ended after %.3g s: hook-limit in [load] allows more%s%s", h->what,
			     h->line, h->limit, *streams[0].said ? "; its last words: " : "",
			     last_line(streams[0].said));
	if (rc && ended)
		kill(-child, SIGKILL);
	*hook_running = 0;
	return rc;
}

static int start(const struct hook *h, struct stream streams[2], pid_t *child, struct err *err)
{
	int output[2], errors[2];

	if (pipe2(output, O_CLOEXEC))
		return err_set(err, -errno, "%s: cannot make a pipe: %s", h->what, strerror(errno));
	if (pipe2(errors, O_CLOEXEC)) {
		close(output[0]);
		close(output[1]);
		return err_set(err, -EMFILE, "%s: cannot make a pipe", h->what);
	}
	fflush(NULL);
	*child = fork();
	if (!*child)
		become(h, output[1], errors[1]);
	close(output[1]);
	close(errors[1]);
	streams[0].from = output[0];
	streams[1].from = errors[0];
	if (*child > 0)
		return 0;
	close(output[0]);
	close(errors[0]);
	return err_set(err, -EAGAIN, "%s: cannot start another process", h->what);
}

int hook_run(const struct hook *h, char **output, struct err *err)
{
	char said[SAID] = "";
	struct stream streams[2] = {{.from = -1, .said = said}, {.from = -1, .said = said}};
	pid_t child = -1;
	int rc;

	if (output) {
		streams[0].text = *output = calloc(1, 1);
		streams[0].room = 1;
		if (!*output)
			return err_set(err, -ENOMEM, "out of memory");
	}
	rc = start(h, streams, &child, err);
	if (!rc)
		rc = attend(h, child, streams, err);
	if (output)
		*output = streams[0].text;
	return rc;
}
