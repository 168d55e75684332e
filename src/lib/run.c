/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.c - other programs: started, waited for, and their complaints collected */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_MAX_BYTES 1024
#define EXIT_NO_PROGRAM 127
#define EXIT_NO_NAMESPACE 126

/* In the child: never returns. */
static void become(char **words, int netns, int output)
{
	int null = open("/dev/null", O_RDONLY);

	if (null >= 0)
		dup2(null, 0);
	dup2(output, 1);
	dup2(output, 2);
	if (netns >= 0 && setns(netns, CLONE_NEWNET))
		_exit(EXIT_NO_NAMESPACE);
	execvp(words[0], words);
	_exit(EXIT_NO_PROGRAM);
}

/* Reads all there is; keeps the first `room` - 1 bytes for the caller and the last ones for the error message. */
static void collect(int from, const struct run *run, char *last, size_t room)
{
	size_t kept = 0, tail = 0;
	char block[4096];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR)) {
		size_t got = n > 0 ? (size_t)n : 0, take, shift;

		if (run->output && kept + 1 < run->room) {
			take = got < run->room - 1 - kept ? got : run->room - 1 - kept;
			memcpy(run->output + kept, block, take);
			kept += take;
		}
		take = got < room - 1 ? got : room - 1;
		shift = tail + take > room - 1 ? tail + take - (room - 1) : 0;
		memmove(last, last + shift, tail - shift);
		tail -= shift;
		memcpy(last + tail, block + got - take, take);
		tail += take;
	}
	if (run->output && run->room)
		run->output[kept] = '\0';
	last[tail] = '\0';
}

/* The line that says most: the first that nft(8) calls an error, for it goes on to draw where; else the last one. */
static const char *telling_line(char *text)
{
	char *line = strstr(text, "Error: ");

	if (line) {
		line[strcspn(line, "\n")] = '\0';
		while (line > text && line[-1] != '\n')
			line--;
		return line;
	}
	for (size_t n = strlen(text); n && (text[n - 1] == '\n' || text[n - 1] == ' '); n--)
		text[n - 1] = '\0';
	line = strrchr(text, '\n');
	return line ? line + 1 : text;
}

static int verdict(int status, const char *line, char *tail, struct err *err)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

	if (!code)
		return 0;
	if (code == EXIT_NO_PROGRAM && !*tail)
		return err_set(err, -ENOENT, "'%s': no such program; 'make deps' installs what is needed", line);
	if (code == EXIT_NO_NAMESPACE && !*tail)
		return err_set(err, -EPERM, "'%s': cannot enter the network namespace; run as root", line);
	return err_set(err, -EIO, "'%s' failed (exit status %d): %s", line, code, telling_line(tail));
}

static int run_words(const struct run *run, char **words, const char *line, struct err *err)
{
	char tail[400] = "";
	int channel[2], status;
	pid_t child;

	if (pipe2(channel, O_CLOEXEC))
		return err_set(err, -errno, "'%s': %s", line, strerror(errno));
	child = fork();
	if (!child)
		become(words, run->netns, channel[1]);
	close(channel[1]);
	if (child < 0) {
		close(channel[0]);
		return err_set(err, -EAGAIN, "'%s': cannot start another process", line);
	}
	collect(channel[0], run, tail, sizeof(tail));
	close(channel[0]);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, -errno, "'%s': %s", line, strerror(errno));
	return verdict(status, line, tail, err);
}

int run_line(const struct run *run, struct err *err, const char *format, ...)
{
	static const struct run here = {.netns = -1};
	char line[LINE_MAX_BYTES], split[LINE_MAX_BYTES], *words[RUN_WORDS_MAX + 1], *save = NULL;
	int n = 0, length;
	va_list ap;

	va_start(ap, format);
	length = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	if (length < 0 || length >= (int)sizeof(line))
		return err_set(err, -E2BIG, "a command of more than %d bytes: '%.60s...'", LINE_MAX_BYTES, line);
	memcpy(split, line, sizeof(line));
	for (char *word = strtok_r(split, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (n == RUN_WORDS_MAX)
			return err_set(err, -E2BIG, "a command of more than %d words: '%.60s...'", RUN_WORDS_MAX, line);
		words[n++] = word;
	}
	words[n] = NULL;
	if (!n)
		return err_set(err, -EINVAL, "an empty command");
	return run_words(run ? run : &here, words, line, err);
}
