/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.h - capture files: whole Ethernet frames in, pcap out */
#ifndef PORTICO_ENGINE_CAPTURE_H
#define PORTICO_ENGINE_CAPTURE_H

#include "abi/types.h"
#include "lib/err.h"

struct capture;

struct capture_packet {
	u64 ns;		/* since 1970 */
	u32 length;	/* bytes */
	const u8 *data; /* valid until the next capture_next() of the same file */
};

/* Opens a pcap or pcapng file. NULL with *err filled: not such a file, or not Ethernet. */
struct capture *capture_open(const char *path, struct err *err);
void capture_close(struct capture *c);

/* The next packet: 1, 0 at the end, or -errno with *err filled: cut short by the capture, or a damaged file. */
int capture_next(struct capture *c, struct capture_packet *packet, struct err *err);

/* A file being written. It has a temporary name beside `path` until sink_commit(). */
struct sink;

struct sink *sink_open(const char *path, struct err *err);
void sink_write(struct sink *s, const struct capture_packet *packet);
/* Renames what was written to its path. 0, or -errno with *err filled. */
int sink_commit(struct sink *s, struct err *err);
/* Frees; removes what was not committed. */
void sink_close(struct sink *s);

#endif
