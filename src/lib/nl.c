/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nl.c - a route netlink socket: ask, and listen */
#include "nl.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

#define NL_BUFFER 32768
#define NL_RECEIVE_BUFFER (1 << 20) /* bytes; bursts of neighbour messages are large */

int nl_open(struct nl *n, unsigned int groups)
{
	int size = NL_RECEIVE_BUFFER;

	n->seq = (unsigned int)time(NULL);
	n->socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | (groups ? SOCK_NONBLOCK : 0));
	if (!n->socket)
		return -errno;
	if (groups)
		setsockopt(nl_fd(n), SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	if (mnl_socket_bind(n->socket, groups, MNL_SOCKET_AUTOPID)) {
		int rc = -errno;

		nl_close(n);
		return rc;
	}
	return 0;
}

void nl_close(struct nl *n)
{
	if (n->socket)
		mnl_socket_close(n->socket);
	n->socket = NULL;
}

int nl_fd(const struct nl *n)
{
	return mnl_socket_get_fd(n->socket);
}

static int answer(struct nl *n, unsigned int seq, mnl_cb_t cb, void *arg)
{
	char buffer[NL_BUFFER];
	ssize_t size;
	int rc;

	do {
		size = mnl_socket_recvfrom(n->socket, buffer, sizeof(buffer));
		if (size < 0)
			return -errno;
		rc = mnl_cb_run(buffer, (size_t)size, seq, mnl_socket_get_portid(n->socket), cb, arg);
	} while (rc > 0);
	return rc < 0 ? -errno : 0;
}

int nl_dump(struct nl *n, unsigned short type, unsigned char family, mnl_cb_t cb, void *arg)
{
	char buffer[MNL_NLMSG_HDRLEN + 64] __attribute__((aligned(8)));
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct rtgenmsg *any = mnl_nlmsg_put_extra_header(message, sizeof(struct ifinfomsg));

	message->nlmsg_type = type;
	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	message->nlmsg_seq = ++n->seq;
	any->rtgen_family = family;
	if (mnl_socket_sendto(n->socket, message, message->nlmsg_len) < 0)
		return -errno;
	return answer(n, n->seq, cb, arg);
}

int nl_request(struct nl *n, struct nlmsghdr *message)
{
	message->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	message->nlmsg_seq = ++n->seq;
	if (mnl_socket_sendto(n->socket, message, message->nlmsg_len) < 0)
		return -errno;
	return answer(n, n->seq, NULL, NULL);
}

int nl_read(struct nl *n, mnl_cb_t cb, void *arg)
{
	char buffer[NL_BUFFER];
	ssize_t size;

	for (;;) {
		size = mnl_socket_recvfrom(n->socket, buffer, sizeof(buffer));
		if (size < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (mnl_cb_run(buffer, (size_t)size, 0, 0, cb, arg) < 0)
			return -errno;
	}
}
