/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instance.c - which gateway is meant, and its daemon */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli.h"
#include "conf/paths.h"
#include "kernel/kernel.h"
#include "lib/sock.h"

#define ASK_TIMEOUT_MS 5000
#define LOOK_US 20000 /* how often to try for a lock */

struct names {
	unsigned int count;
	char name[CONF_NAME_MAX]; /* the last one found */
	char list[512];
};

static void name_add(void *arg, const char *name)
{
	struct names *n = arg;
	char word[CONF_NAME_MAX + 2];

	snprintf(word, sizeof(word), " %s ", name);
	if (strstr(n->list, word) || strlen(n->list) + strlen(word) >= sizeof(n->list))
		return;
	strcat(n->list, n->count ? word + 1 : word);
	snprintf(n->name, sizeof(n->name), "%s", name);
	n->count++;
}

int instance_pick(const char *wanted, char name[CONF_NAME_MAX], struct err *err)
{
	struct names n = {0};

	if (wanted && !paths_name_valid(wanted))
		return err_set(err, -EINVAL, "bad name '%s': a gateway's name has a-z, 0-9 and '-'", wanted);
	if (wanted) {
		strcpy(name, wanted);
		return 0;
	}
	kernel_instances(name_add, &n);
	paths_instances(name_add, &n);
	if (!n.count && geteuid())
		return err_set(err, -ENOENT, "no gateway to be seen; run as root");
	if (!n.count)
		return err_set(err, -ENOENT, "no gateway is up; start one with 'portico up CONF'");
	if (n.count > 1)
		return err_set(err, -EINVAL, "several gateways are up:%s- choose one with -n NAME", n.list);
	strcpy(name, n.name);
	return 0;
}

struct kernel *instance_peek(const char *wanted, char name[CONF_NAME_MAX])
{
	struct kernel *k = NULL;
	struct err err;

	if (!instance_pick(wanted, name, &err))
		k = kernel_peek(name, &err);
	if (!k)
		command_fail(COMMAND_FAILED, "%s", err.text);
	return k;
}

json_t *instance_ask(const char *name, const char *question, int *rc, struct err *err)
{
	char path[PATHS_MAX], *text = NULL;
	const char *problem;
	json_t *answer;

	*rc = sock_ask(paths_socket(path, name), question, &text, ASK_TIMEOUT_MS);
	if (*rc == -ENOENT || *rc == -ECONNRESET || *rc == -EPIPE) /* no socket; or it ended while it was asked */
		*rc = -ECONNREFUSED;
	if (*rc == -ECONNREFUSED)
		err_set(err, 0, "%s: the daemon is not running", name);
	else if (*rc)
		err_set(err, 0, "%s: asking the daemon: %s%s", name, strerror(-*rc),
			*rc == -EACCES ? "; run as root" : "");
	if (*rc)
		return NULL;
	answer = json_loads(text, 0, NULL);
	free(text);
	problem = json_string_value(json_object_get(answer, "error"));
	if (json_is_object(answer) && !problem)
		return answer;
	*rc = -EPROTO;
	err_set(err, 0, "%s: the daemon answers '%s' with: %s", name, question, problem ? problem : "no JSON object");
	json_decref(answer);
	return NULL;
}

int instance_lock(const char *name, int seconds)
{
	char path[PATHS_MAX];
	int fd = open(paths_lock(path, name), O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	for (long left = seconds * 1000000L; flock(fd, LOCK_EX | LOCK_NB); left -= LOOK_US) {
		if (left <= 0) {
			close(fd);
			return -EBUSY;
		}
		usleep(LOOK_US);
	}
	return fd;
}

void instance_files_remove(const char *name)
{
	char path[PATHS_MAX];

	unlink(paths_socket(path, name));
	unlink(paths_log(path, name));
	unlink(paths_lock(path, name));
	rmdir(PATHS_RUN_DIR); /* the last instance's */
}

struct dp_timers instance_timers(const char *name)
{
	struct dp_timers t;
	struct conf conf;
	struct err err;
	int rc, refresh;
	json_t *answer = instance_ask(name, "timers", &rc, &err);

	conf_init(&conf);
	t = conf.timers;
	if (!answer ||
	    json_unpack(answer, "{s:i, s:i, s:i, s:i, s:b}", "tcp_established", &t.tcp_established, "tcp_transitory",
			&t.tcp_transitory, "udp", &t.udp, "icmp", &t.icmp, "udp_inbound_refresh", &refresh)) {
		fprintf(stderr, "portico: %s; times left are computed with the default timers\n",
			answer ? "the daemon's timers are not understood" : err.text);
		t = conf.timers;
	} else {
		t.udp_inbound_refresh = refresh != 0;
	}
	json_decref(answer);
	return t;
}
