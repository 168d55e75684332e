/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conntrack.c - room in Linux's connection tracking for many flows */
#include "conntrack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CONNTRACK "/proc/sys/net/netfilter/nf_conntrack_"

static int number_get(const char *path, u32 *value, struct err *err)
{
	FILE *f = fopen(path, "re");
	int n;

	if (!f)
		return err_set(err, -errno, "%s: %s; the comparison needs a kernel with connection tracking", path,
			       strerror(errno));
	n = fscanf(f, "%u", value);
	fclose(f);
	return n == 1 ? 0 : err_set(err, -EIO, "%s: not a number", path);
}

static int number_set(const char *path, u32 value, struct err *err)
{
	FILE *f = fopen(path, "we");
	int bad;

	if (!f)
		return err_set(err, -errno, "%s: %s; run as root, in the first network namespace", path,
			       strerror(errno));
	bad = fprintf(f, "%u\n", value) < 0;
	bad |= fclose(f) != 0;
	return bad ? err_set(err, -EIO, "%s: cannot write %u: %s", path, value, strerror(errno)) : 0;
}

int conntrack_room_get(struct conntrack_room *room, struct err *err)
{
	int rc = number_get(CONNTRACK "max", &room->max, err);

	return rc ? rc : number_get(CONNTRACK "buckets", &room->buckets, err);
}

/* Setting the buckets also sets the maximum of kernels before 5.15: the maximum comes last. */
int conntrack_room_set(const struct conntrack_room *room, struct err *err)
{
	struct conntrack_room now = {0};
	int rc = conntrack_room_get(&now, err);

	if (rc)
		return rc;
	if (now.buckets != room->buckets)
		rc = number_set(CONNTRACK "buckets", room->buckets, err);
	return rc ? rc : number_set(CONNTRACK "max", room->max, err);
}

int conntrack_room_widen(const struct conntrack_room *now, u32 flows, struct err *err)
{
	struct conntrack_room room = {.max = flows + flows / 8, .buckets = 1};

	while (room.buckets < 2 * flows)
		room.buckets *= 2;
	if (room.max < now->max)
		room.max = now->max;
	if (room.buckets < now->buckets)
		room.buckets = now->buckets;
	return conntrack_room_set(&room, err);
}
