/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - porticod: one configuration, one instance, one loop */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "conf/paths.h"
#include "gateway.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "lib/sock.h"

enum source {
	SOURCE_SIGNAL,
	SOURCE_TIMER,
	SOURCE_NETLINK,
	SOURCE_EVENTS,
	SOURCE_WAIT,
	SOURCE_CONTROL,
	SOURCE_COUNT
};

static void usage(FILE *to)
{
	fprintf(to,
		"Usage: porticod [--help] [--version] CONF\n"
		"\n"
		"Runs the gateway described by CONF in the foreground: loads the packet path, follows interfaces,\n"
		"routes and neighbours, ends idle flows. Says READY=1 to systemd. When it ends, for whatever reason,\n"
		"the packet path goes on; started again, it adopts it. 'portico down' removes it.\n"
		"\n"
		"  porticod /etc/portico/portico.conf\n"
		"\n"
		"See porticod(8), portico.conf(5), portico(8).\n");
}

/* Held until the process ends, however it does. */
static int lock_take(const char *name, struct err *err)
{
	char path[PATHS_MAX];
	struct stat held, there;
	int fd, rc = paths_make();

	if (rc)
		return err_set(err, rc, PATHS_RUN_DIR ": %s; run as root", strerror(-rc));
	fd = open(paths_lock(path, name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_set(err, -errno, "%s: %s%s", path, strerror(errno), errno == EACCES ? "; run as root" : "");
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return err_set(err, -EALREADY, "'%s' is already running (%s is held); see 'portico status -n %s'", name,
			       path, name);
	}
	/* 'portico down' removes the file while it holds the lock: then this is not the file that the next one opens */
	if (fstat(fd, &held) || stat(path, &there) || held.st_ino != there.st_ino) {
		close(fd);
		return err_set(err, -EAGAIN, "'%s' is being taken down; try again", name);
	}
	return fd;
}

static int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int timer_open(void)
{
	struct itimerspec each = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = 1}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0)
		timerfd_settime(fd, 0, &each, NULL);
	return fd;
}

static void signal_read(struct gateway *g, int fd)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGHUP)
			log_warn("the configuration is read at start only: restart porticod, which loses no flow");
		else
			g->stop = true;
	}
}

static void timer_read(struct gateway *g, int fd)
{
	u64 ticks;

	if (read(fd, &ticks, sizeof(ticks)) != sizeof(ticks))
		return;
	gc_tick(g);
	hold_age(g);
	tunnel_age(g);
	oneway_tick(g);
	if (domain_follow(g))
		live_refresh(g);
}

static void dispatch(struct gateway *g, enum source source, const int fds[SOURCE_COUNT])
{
	switch (source) {
	case SOURCE_SIGNAL:
		signal_read(g, fds[source]);
		break;
	case SOURCE_TIMER:
		timer_read(g, fds[source]);
		break;
	case SOURCE_NETLINK:
		follow_read(g);
		break;
	case SOURCE_EVENTS:
		slow_read(g);
		break;
	case SOURCE_WAIT:
		wait_look(g);
		break;
	case SOURCE_CONTROL:
		control_accept(g, fds[source]);
		break;
	case SOURCE_COUNT:
		break;
	}
}

static int loop(struct gateway *g, const int fds[SOURCE_COUNT], struct err *err)
{
	int poll = epoll_create1(EPOLL_CLOEXEC);

	if (poll < 0)
		return err_set(err, -errno, "epoll: %s", strerror(errno));
	for (u32 i = 0; i < SOURCE_COUNT; i++) {
		struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};

		if (epoll_ctl(poll, EPOLL_CTL_ADD, fds[i], &event)) {
			close(poll);
			return err_set(err, -errno, "epoll: %s", strerror(errno));
		}
	}
	while (!g->stop) {
		struct epoll_event events[SOURCE_COUNT];
		int n = epoll_wait(poll, events, SOURCE_COUNT, -1);

		for (int i = 0; i < n && !g->stop; i++)
			dispatch(g, events[i].data.u32, fds);
	}
	close(poll);
	return 0;
}

/* Everything up to READY. On failure the system is as it was; an adopted packet path goes on. */
static int start(struct gateway *g, int fds[SOURCE_COUNT], struct err *err)
{
	int rc;

	fds[SOURCE_SIGNAL] = signals_open();
	fds[SOURCE_TIMER] = timer_open();
	if (fds[SOURCE_SIGNAL] < 0 || fds[SOURCE_TIMER] < 0)
		return err_set(err, -errno, "signals and timers: %s", strerror(errno));
	rc = follow_open(g, err);
	if (rc)
		return rc;
	fds[SOURCE_NETLINK] = nl_fd(&g->listen);
	if (neigh_init(g) || gc_init(g) || sweep_init(g) || domain_init(g))
		return err_set(err, -ENOMEM, "out of memory");
	domain_follow(g);
	rc = live_start(g, err);
	if (rc)
		return rc;
	fds[SOURCE_EVENTS] = slow_init(g, err);
	if (fds[SOURCE_EVENTS] < 0)
		return fds[SOURCE_EVENTS];
	fds[SOURCE_WAIT] = wait_fd(g);
	fds[SOURCE_CONTROL] = control_open(g, err);
	return fds[SOURCE_CONTROL] < 0 ? fds[SOURCE_CONTROL] : 0;
}

static void finish(struct gateway *g, bool failed)
{
	struct err ignored;

	slow_exit(g);
	kernel_close(g->kernel);
	if (failed && g->kernel && !g->adopted)
		kernel_remove(g->conf.name, &ignored);
	if (failed && !g->adopted && g->ask.socket) {
		tunnel_undo(g);
		if (g->device.made)
			device_remove(g);
	}
	domain_exit(g);
	gc_exit(g);
	sweep_exit(g);
	neigh_exit(g);
	nl_close(&g->ask);
	nl_close(&g->listen);
}

static int run(struct gateway *g, struct err *err)
{
	char path[PATHS_MAX];
	int fds[SOURCE_COUNT] = {0};
	int lock = lock_take(g->conf.name, err);
	int rc;

	if (lock < 0)
		return lock;
	g->started = clock_seconds();
	rc = start(g, fds, err);
	if (!rc) {
		log_info("%s: %s, flow table for %u flows", g->conf.name,
			 g->adopted ? "adopted the running packet path" : "packet path loaded",
			 kernel_flows_max(g->kernel) / flow_entries(&g->dp));
		sock_notify("READY=1");
		rc = loop(g, fds, err);
		unlink(paths_socket(path, g->conf.name));
		log_info("%s: daemon ends; the packet path goes on ('portico down' removes it)", g->conf.name);
	}
	finish(g, rc != 0);
	close(lock);
	return rc;
}

static int fail(const struct err *err)
{
	log_error("%s", err->text);
	return 1;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{0},
	};
	static struct gateway g;
	struct err err = {{0}};
	int option;

	while ((option = getopt_long(argc, argv, "hV", options, NULL)) != -1) {
		if (option == 'h') {
			usage(stdout);
			return 0;
		}
		if (option == 'V') {
			printf("porticod " PORTICO_VERSION "\n");
			return 0;
		}
		usage(stderr);
		return 2;
	}
	if (optind + 1 != argc) {
		usage(stderr);
		return 2;
	}
	log_init(LOG_LEVEL_INFO);
	if (conf_read(&g.conf, argv[optind], &err))
		return fail(&err);
	for (unsigned int i = 0; i < g.conf.nwarnings; i++)
		log_warn("%s", g.conf.warnings[i].text);
	return run(&g, &err) ? fail(&err) : 0;
}
