/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hook_test.c - hooks: what they print, how they fail, and that none outlives its limit */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "../check.h"
#include "bench/lab/path.h"
#include "lib/clock.h"

static struct err err;
static char *output;

static int run(const char *line, double limit)
{
	struct hook hook = {.what = "x.lab:3: variant 'v': measure", .line = line, .ns = -1, .limit = limit};

	free(output);
	output = NULL;
	*err.text = 0;
	return hook_run(&hook, &output, &err);
}

/* Whether process `pid` is there and no zombie. */
static bool lives(int pid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%*d %*s %c", &state) != 1)
		state = 0;
	if (f)
		fclose(f);
	return state && state != 'Z';
}

static void test_output(void)
{
	CHECK_EQ(run("echo one; echo two >&2; printf 'a\\000b'", 10), 0);
	CHECK_STR(output, "one\na b");
	CHECK_EQ(run("true", 10), 0);
	CHECK_STR(output, "");
	CHECK_EQ(run("yes 0123456789abcde | head -c 20000000", 20), 0);
	CHECK(output && strlen(output) > 16000000 && strlen(output) <= 16 << 20);
	CHECK_EQ(run("cat", 10), 0); /* standard input is empty */
}

static void test_failure(void)
{
	CHECK_EQ(run("echo 12; echo it broke >&2; exit 3", 10), -EIO);
	CHECK_STR(output, "12\n");
	CHECK(strstr(err.text, "x.lab:3: variant 'v': measure: 'echo 12; echo it broke >&2; exit 3' failed (exit "
			       "status 3): ") == err.text);
	CHECK(strstr(err.text, "it broke"));
	CHECK_EQ(run("exit 1", 10), -EIO);
	CHECK_STR(err.text, "x.lab:3: variant 'v': measure: 'exit 1' failed (exit status 1)");
	CHECK_EQ(run("no-such-program-at-all", 10), -EIO);
	CHECK(strstr(err.text, "exit status 127"));
	CHECK_EQ(run("kill -9 $$", 10), -EIO);
	CHECK(strstr(err.text, "exit status 137"));
}

static void test_hanging(void)
{
	u64 began = clock_ns();
	int pid[2] = {0};

	CHECK_EQ(run("sleep 300 & echo $!; sh -c 'echo $$; trap \"\" TERM; sleep 300; sleep 300'", 0.5), -ETIMEDOUT);
	CHECK(clock_ns() - began < 5000000000ULL);
	CHECK(strstr(err.text, "was ended after 0.5 s: hook-limit in [load] allows more; its last words: "));
	CHECK_EQ(sscanf(output, "%d %d", &pid[0], &pid[1]), 2);
	usleep(50000);
	CHECK(pid[0] > 1 && !lives(pid[0]));
	CHECK(pid[1] > 1 && !lives(pid[1]));
	began = clock_ns();
	CHECK_EQ(run("exec yes", 0.5), -ETIMEDOUT);
	CHECK(clock_ns() - began < 5000000000ULL);
}

/* What a good hook leaves in the background goes on, and is not waited for. */
static void test_background(void)
{
	u64 began = clock_ns();
	int pid = 0;

	CHECK_EQ(run("sleep 60 & echo $!", 10), 0);
	CHECK(clock_ns() - began < 5000000000ULL);
	CHECK_EQ(sscanf(output, "%d", &pid), 1);
	CHECK(pid > 1 && lives(pid));
	if (pid > 1)
		kill(pid, SIGKILL);
	CHECK_EQ(run("sleep 60 & echo $!; exit 1", 10), -EIO);
	CHECK_EQ(sscanf(output, "%d", &pid), 1);
	usleep(50000);
	CHECK(pid > 1 && !lives(pid));
}

int main(void)
{
	test_output();
	test_failure();
	test_hanging();
	test_background();
	free(output);
	return check_summary("lab-hook");
}
