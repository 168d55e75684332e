/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nl.h - a route netlink socket: ask, and listen */
#ifndef PORTICO_LIB_NL_H
#define PORTICO_LIB_NL_H

#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>

struct nl {
	struct mnl_socket *socket;
	unsigned int seq;
};

/* Opens the socket; with `groups` (RTMGRP_*) it listens, without blocking. 0 or -errno. */
int nl_open(struct nl *n, unsigned int groups);
void nl_close(struct nl *n);
int nl_fd(const struct nl *n);

/* Asks for all objects of a kind (RTM_GETLINK, ...) and calls `cb` for each. 0 or -errno. */
int nl_dump(struct nl *n, unsigned short type, unsigned char family, mnl_cb_t cb, void *arg);

/* Sends a request and waits for the kernel's answer. 0 or -errno. */
int nl_request(struct nl *n, struct nlmsghdr *message);

/* Calls `cb` for each message that has arrived. 0; -ENOBUFS when some were lost; another -errno. */
int nl_read(struct nl *n, mnl_cb_t cb, void *arg);

#endif
