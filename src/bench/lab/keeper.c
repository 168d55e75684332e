/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keeper.c - the process that takes a net down, whatever ends the program */
#include "keeper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/run.h"

/* For on_signal(). */
static volatile pid_t signal_keeper;
static volatile int signal_leash = -1, signal_here = -1;

/* Whether the process is in one of the namespaces. */
static int lives_in(const struct net *n, const char *pid)
{
	char path[300];
	struct stat at, place;

	snprintf(path, sizeof(path), "/proc/%s/ns/net", pid);
	if (stat(path, &at))
		return 0;
	for (int i = 0; i < NET_PLACES; i++)
		if (n->ns[i] >= 0 && !fstat(n->ns[i], &place) && at.st_ino == place.st_ino && at.st_dev == place.st_dev)
			return 1;
	return 0;
}

/* Kills what still runs in the namespaces: it would keep them alive. The program itself may, and ends soon. */
static void places_empty(const struct net *n, pid_t program)
{
	DIR *all = opendir("/proc");
	struct dirent *entry;

	while (all && (entry = readdir(all))) {
		pid_t pid = isdigit((unsigned char)*entry->d_name) ? atoi(entry->d_name) : 0;

		if (pid > 1 && pid != program && lives_in(n, entry->d_name))
			kill(pid, SIGKILL);
	}
	if (all)
		closedir(all);
}

/* The namespaces were made after the fork: the keeper opens them itself. One that does not exist never was. */
static void places_open(struct net *n)
{
	for (int i = 0; i < NET_PLACES; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/run/netns/%s", n->name[i]);
		n->ns[i] = *n->name[i] ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	}
}

static void places_remove(struct net *n)
{
	char line[NET_PLACES * 40] = "";
	struct err ignored;
	size_t at = 0;

	for (int i = 0; i < NET_PLACES; i++) {
		if (n->ns[i] < 0)
			continue;
		close(n->ns[i]);
		at += (size_t)snprintf(line + at, sizeof(line) - at, "netns del %s\n", n->name[i]);
		n->ns[i] = -1;
	}
	if (at && net_batch(n, NET_HERE, line, &ignored))
		for (int i = 0; i < NET_PLACES; i++)
			if (*n->name[i])
				run_line(NULL, &ignored, "ip netns del %s", n->name[i]);
}

/* The keeper's life. Signals of the terminal are not for it. */
static void keep(struct net *n, int leash, void (*undo)(void *arg), void *arg)
{
	pid_t program = getppid();
	char byte;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	while (read(leash, &byte, 1) < 0 && errno == EINTR)
		;
	places_open(n);
	places_empty(n, program);
	if (undo)
		undo(arg);
	places_remove(n);
	_exit(0);
}

static void on_signal(int signal_number)
{
	pid_t keeper = signal_keeper;

	if (keeper > 0) {
		setns(signal_here, CLONE_NEWNET);
		close(signal_leash);
		while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
			;
	}
	_exit(128 + signal_number);
}

int keeper_start(struct net *n, void (*undo)(void *arg), void *arg, struct err *err)
{
	struct sigaction action = {.sa_handler = on_signal};
	int leash[2];

	if (pipe2(leash, O_CLOEXEC))
		return err_set(err, -errno, "cannot make a pipe: %s", strerror(errno));
	fflush(NULL);
	n->keeper = fork();
	if (n->keeper < 0) {
		close(leash[0]);
		close(leash[1]);
		return err_set(err, -EAGAIN, "cannot start another process");
	}
	if (!n->keeper) {
		close(leash[1]);
		keep(n, leash[0], undo, arg);
	}
	close(leash[0]);
	n->leash = leash[1];
	signal_here = n->ns[NET_HERE];
	signal_leash = leash[1];
	signal_keeper = n->keeper;
	sigfillset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	return 0;
}

void keeper_stop(struct net *n)
{
	signal_keeper = 0;
	close(n->leash);
	while (waitpid(n->keeper, NULL, 0) < 0 && errno == EINTR)
		;
}
