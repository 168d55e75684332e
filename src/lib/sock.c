/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sock.c - a control socket: one text asks, one text answers */
#include "sock.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int address_of(struct sockaddr_un *address, const char *path)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(address->sun_path))
		return -ENAMETOOLONG;
	strcpy(address->sun_path, path);
	return 0;
}

static int close_with(int fd, int rc)
{
	close(fd);
	return rc;
}

int sock_listen(const char *path)
{
	struct sockaddr_un address;
	int rc = address_of(&address, path), fd;
	mode_t mask;

	if (rc)
		return rc;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	unlink(path);
	mask = umask(0177); /* from the first moment on for the owner alone */
	rc = bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 8) ? -errno : 0;
	umask(mask);
	return rc ? close_with(fd, rc) : fd;
}

static int answer_read(int fd, char **answer, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int ready = poll(&p, 1, timeout_ms), rc = 0;
	ssize_t n;

	if (ready <= 0)
		return ready ? -errno : -ETIMEDOUT;
	*answer = malloc(SOCK_ANSWER_MAX + 1);
	if (!*answer)
		return -ENOMEM;
	n = recv(fd, *answer, SOCK_ANSWER_MAX, MSG_TRUNC);
	if (n <= 0)
		rc = n ? -errno : -ECONNRESET;
	else if (n > SOCK_ANSWER_MAX)
		rc = -EMSGSIZE;
	if (rc) {
		free(*answer);
		*answer = NULL;
		return rc;
	}
	(*answer)[n] = 0;
	return 0;
}

int sock_ask(const char *path, const char *request, char **answer, int timeout_ms)
{
	struct sockaddr_un address;
	int rc = address_of(&address, path), fd;

	if (rc)
		return rc;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return close_with(fd, -errno);
	rc = send(fd, request, strlen(request), MSG_NOSIGNAL) < 0 ? -errno : 0;
	return close_with(fd, rc ? rc : answer_read(fd, answer, timeout_ms));
}

int sock_notify(const char *state)
{
	const char *name = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address;
	socklen_t length;
	int fd, rc;

	if (!name || !*name)
		return 0;
	rc = address_of(&address, name);
	if (rc)
		return rc;
	length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
	if (address.sun_path[0] == '@') /* abstract: a NUL first, and no end but the length */
		address.sun_path[0] = 0;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	rc = sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address, length) < 0 ? -errno : 0;
	return close_with(fd, rc);
}

int sock_notify_listen(char name[SOCK_NOTIFY_MAX])
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t length = sizeof(address.sun_family); /* no name: the kernel draws an abstract one, \0 and 5 digits */
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	size_t size;

	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&address, length))
		return close_with(fd, -errno);
	length = sizeof(address);
	if (getsockname(fd, (struct sockaddr *)&address, &length))
		return close_with(fd, -errno);
	size = length - offsetof(struct sockaddr_un, sun_path);
	if (size < 2 || size >= SOCK_NOTIFY_MAX)
		return close_with(fd, -ENAMETOOLONG);
	memcpy(name, address.sun_path, size);
	name[0] = '@';
	name[size] = 0;
	return fd;
}

int sock_notify_received(int fd, const char *state)
{
	char text[1024], *rest = text, *line;
	ssize_t n = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);

	if (n < 0)
		return 0;
	text[n] = 0;
	while ((line = strsep(&rest, "\n")))
		if (!strcmp(line, state))
			return 1;
	return 0;
}
