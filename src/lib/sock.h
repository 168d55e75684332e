/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sock.h - a control socket: one text asks, one text answers; and the word "ready" between processes
 *
 * Unix sockets of type SOCK_SEQPACKET keep messages apart, so neither side frames anything.
 */
#ifndef PORTICO_LIB_SOCK_H
#define PORTICO_LIB_SOCK_H

#define SOCK_ANSWER_MAX (256 * 1024) /* bytes */

/* Server: a listening socket at `path`, for its owner alone, in place of a stale one. Its descriptor, non-blocking, or
 * -errno. */
int sock_listen(const char *path);

/* Client: sends `request` to the socket at `path` and waits up to `timeout_ms` for the answer, a string that the caller
 * frees. 0; -ENOENT or -ECONNREFUSED where no one listens; -ETIMEDOUT; or another -errno. */
int sock_ask(const char *path, const char *request, char **answer, int timeout_ms);

/* Tells the one who started this process how it is, as sd_notify(3) does: "READY=1", "STOPPING=1", "STATUS=...".
 * 0; also where no one wants to know ($NOTIFY_SOCKET is not set). */
int sock_notify(const char *state);
/* The other end: a socket for $NOTIFY_SOCKET, whose address goes to `name`. The fd, or -errno. */
#define SOCK_NOTIFY_MAX 64
int sock_notify_listen(char name[SOCK_NOTIFY_MAX]);
/* Reads one message; whether a line of it is `state`. */
int sock_notify_received(int fd, const char *state);

#endif
