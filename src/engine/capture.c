/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.c - capture files, through libpcap */
#include "capture.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_S 1000000000ULL

struct capture {
	pcap_t *pcap;
	const char *path;
	u64 packets;
};

struct sink {
	pcap_t *pcap;
	pcap_dumper_t *dumper;
	const char *path;
	char *temporary;
};

struct capture *capture_open(const char *path, struct err *err)
{
	char why[PCAP_ERRBUF_SIZE];
	FILE *file = fopen(path, "rb");
	struct capture *c;

	if (!file) {
		err_set(err, -errno, "%s: %s", path, strerror(errno));
		return NULL;
	}
	c = calloc(1, sizeof(*c));
	if (c)
		c->pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
	if (!c || !c->pcap) {
		err_set(err, -EINVAL, "%s: not a capture file (pcap or pcapng): %s", path, c ? why : "out of memory");
		fclose(file);
		free(c);
		return NULL;
	}
	c->path = path;
	if (pcap_datalink(c->pcap) != DLT_EN10MB) {
		const char *name = pcap_datalink_val_to_name(pcap_datalink(c->pcap));

		err_set(err, -EINVAL,
			"%s: link type %s; only Ethernet can be replayed (capture on one interface, not on 'any')",
			path, name ? name : "unknown");
		capture_close(c);
		return NULL;
	}
	return c;
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	pcap_close(c->pcap);
	free(c);
}

int capture_next(struct capture *c, struct capture_packet *packet, struct err *err)
{
	struct pcap_pkthdr *header;
	int rc = pcap_next_ex(c->pcap, &header, &packet->data);

	if (rc == PCAP_ERROR_BREAK)
		return 0;
	c->packets++;
	if (rc != 1)
		return err_set(err, -EINVAL, "%s: packet %llu: %s", c->path, c->packets, pcap_geterr(c->pcap));
	if (header->caplen < header->len)
		return err_set(err, -EINVAL, "%s: packet %llu: captured only %u of %u bytes (capture with -s 0)",
			       c->path, c->packets, header->caplen, header->len);
	/* with nanosecond precision tv_usec counts nanoseconds */
	packet->ns = (u64)header->ts.tv_sec * NS_PER_S + (u64)header->ts.tv_usec;
	packet->length = header->caplen;
	return 1;
}

/* mkstemp makes files that only their owner may read; a result has the rights of any other new file. */
static FILE *temporary_open(char *name)
{
	mode_t mask = umask(0);
	int fd;
	FILE *file;

	umask(mask);
	fd = mkstemp(name);
	if (fd < 0)
		return NULL;
	file = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "wb");
	if (!file) {
		close(fd);
		unlink(name);
	}
	return file;
}

struct sink *sink_open(const char *path, struct err *err)
{
	struct sink *s = calloc(1, sizeof(*s));
	FILE *file;

	if (!s || asprintf(&s->temporary, "%s.XXXXXX", path) < 0) {
		err_set(err, -ENOMEM, "%s: out of memory", path);
		free(s);
		return NULL;
	}
	s->path = path;
	file = temporary_open(s->temporary);
	if (!file) {
		err_set(err, -errno, "%s: cannot write here: %s", path, strerror(errno));
		free(s->temporary);
		free(s);
		return NULL;
	}
	s->pcap = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, 262144, PCAP_TSTAMP_PRECISION_NANO);
	if (s->pcap)
		s->dumper = pcap_dump_fopen(s->pcap, file);
	if (!s->dumper) {
		err_set(err, -EIO, "%s: %s", path, s->pcap ? pcap_geterr(s->pcap) : "out of memory");
		fclose(file);
		sink_close(s);
		return NULL;
	}
	return s;
}

void sink_write(struct sink *s, const struct capture_packet *packet)
{
	struct pcap_pkthdr header = {
		.ts = {.tv_sec = (time_t)(packet->ns / NS_PER_S), .tv_usec = (suseconds_t)(packet->ns % NS_PER_S)},
		.caplen = packet->length,
		.len = packet->length,
	};

	pcap_dump((u_char *)s->dumper, &header, packet->data);
}

int sink_commit(struct sink *s, struct err *err)
{
	/* writes are buffered: an error of any of them shows at the latest here */
	if (pcap_dump_flush(s->dumper) || ferror(pcap_dump_file(s->dumper)))
		return err_set(err, -EIO, "%s: cannot write: %s", s->path, strerror(errno));
	if (rename(s->temporary, s->path))
		return err_set(err, -errno, "%s: %s", s->path, strerror(errno));
	free(s->temporary);
	s->temporary = NULL;
	return 0;
}

void sink_close(struct sink *s)
{
	if (!s)
		return;
	if (s->dumper)
		pcap_dump_close(s->dumper);
	if (s->pcap)
		pcap_close(s->pcap);
	if (s->temporary)
		unlink(s->temporary);
	free(s->temporary);
	free(s);
}
