/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame_build.c - from words to a frame, right in everything that the words do not make wrong */
#include <arpa/inet.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

#define UNSET (-1L)

struct recipe {
	uint8_t dst[6], src[6];
	uint32_t from, to; /* host order */
	/* numbers; UNSET: what is right */
	long vlan, prio, type, sport, dport;
	long version, ihl, length, ttl, tos, id, frag, proto;
	long seq, ack, doff, flags, udplen, icmp, code, echo, eseq, icmp_word;
	long pad, cut, ipsum_bad, sum_bad, sum_zero;
	uint8_t options[40], payload[FRAME_MAX], raw[FRAME_MAX];
	uint32_t noptions, npayload, nraw;
};

/* name=N, and the number a bare name stands for */
static const struct number {
	const char *name;
	size_t offset;
	long bare;
	const char *help;
} numbers[] = {
#define NUMBER(field) offsetof(struct recipe, field)
	{"vlan", NUMBER(vlan), UNSET, "VLAN id of a tag"},
	{"prio", NUMBER(prio), UNSET, "priority and drop bit in the tag: 0 to 15"},
	{"type", NUMBER(type), UNSET, "Ethernet type"},
	{"version", NUMBER(version), UNSET, "IP version"},
	{"ihl", NUMBER(ihl), UNSET, "IP header length in words"},
	{"length", NUMBER(length), UNSET, "IP total length"},
	{"ttl", NUMBER(ttl), UNSET, "time to live (64)"},
	{"tos", NUMBER(tos), UNSET, "type of service"},
	{"id", NUMBER(id), UNSET, "IP identification"},
	{"frag", NUMBER(frag), UNSET, "flags and fragment offset, 16 bits"},
	{"df", NUMBER(frag), 0x4000, "do not fragment"},
	{"badip", NUMBER(ipsum_bad), 1, "wrong IP checksum"},
	{"proto", NUMBER(proto), UNSET, "IP protocol"},
	{"udp", NUMBER(proto), IPPROTO_UDP, ""},
	{"tcp", NUMBER(proto), IPPROTO_TCP, ""},
	{"ping", NUMBER(icmp), 8, "ICMP echo request"},
	{"pong", NUMBER(icmp), 0, "ICMP echo reply"},
	{"icmp", NUMBER(icmp), UNSET, "ICMP type"},
	{"code", NUMBER(code), UNSET, "ICMP code"},
	{"echo", NUMBER(echo), UNSET, "ICMP echo identifier"},
	{"eseq", NUMBER(eseq), UNSET, "ICMP echo sequence number"},
	{"seq", NUMBER(seq), UNSET, "TCP sequence number"},
	{"ack", NUMBER(ack), UNSET, "TCP acknowledgement number"},
	{"flags", NUMBER(flags), UNSET, "TCP flags as a number (SYN: 2)"},
	{"doff", NUMBER(doff), UNSET, "TCP data offset in words"},
	{"udplen", NUMBER(udplen), UNSET, "UDP length"},
	{"bad", NUMBER(sum_bad), 1, "wrong L4 checksum"},
	{"nosum", NUMBER(sum_zero), 1, "L4 checksum zero"},
	{"pad", NUMBER(pad), UNSET, "bytes of padding behind the packet"},
	{"cut", NUMBER(cut), UNSET, "cut the frame to so many bytes"},
#undef NUMBER
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool set_mac(const char *value, uint8_t mac[6])
{
	int end = 0;

	return sscanf(value, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4],
		      &mac[5], &end) == 6 &&
	       !value[end];
}

/* ADDRESS or ADDRESS:PORT */
static bool set_end(const char *value, uint32_t *address, long *port)
{
	size_t length = strcspn(value, ":");
	char text[INET_ADDRSTRLEN] = "";
	struct in_addr in;

	if (length >= sizeof(text))
		return false;
	memcpy(text, value, length);
	if (inet_pton(AF_INET, text, &in) != 1)
		return false;
	*address = ntohl(in.s_addr);
	if (value[length])
		*port = strtol(value + length + 1, NULL, 0);
	return true;
}

static bool set_hex(const char *value, uint8_t *bytes, uint32_t room, uint32_t *count)
{
	size_t digits = strlen(value);

	if (digits % 2 || digits / 2 > room)
		return false;
	*count = (uint32_t)digits / 2;
	for (uint32_t i = 0; i < *count; i++)
		if (sscanf(value + 2 * i, "%2hhx", &bytes[i]) != 1)
			return false;
	return true;
}

/* So many bytes of a pattern without a period that a checksum would not see. */
static bool set_size(struct recipe *r, const char *value)
{
	unsigned long size = strtoul(value, NULL, 0);

	if (size > FRAME_MAX - 128)
		return false;
	r->npayload = (uint32_t)size;
	for (uint32_t i = 0; i < r->npayload; i++)
		r->payload[i] = (uint8_t)(i * 7 + (i >> 8) * 13);
	return true;
}

static bool set_number(struct recipe *r, const char *name, size_t length, const char *value)
{
	for (size_t i = 0; i < COUNT(numbers); i++) {
		const struct number *n = &numbers[i];

		if (strlen(n->name) != length || strncmp(n->name, name, length))
			continue;
		if (!value && n->bare == UNSET)
			return false;
		*(long *)((char *)r + n->offset) = value ? strtol(value, NULL, 0) : n->bare;
		return true;
	}
	return false;
}

static bool set(struct recipe *r, const char *word)
{
	size_t length = strcspn(word, "=");
	const char *value = word[length] ? word + length + 1 : NULL;

	if (set_number(r, word, length, value))
		return true;
	if (!value)
		return false;
	if (!strncmp(word, "dst=", 4))
		return set_mac(value, r->dst);
	if (!strncmp(word, "src=", 4))
		return set_mac(value, r->src);
	if (!strncmp(word, "from=", 5))
		return set_end(value, &r->from, &r->sport);
	if (!strncmp(word, "to=", 3))
		return set_end(value, &r->to, &r->dport);
	if (!strncmp(word, "options=", 8))
		return set_hex(value, r->options, sizeof(r->options), &r->noptions) && r->noptions % 4 == 0;
	if (!strncmp(word, "size=", 5))
		return set_size(r, value);
	if (!strncmp(word, "hex=", 4))
		return set_hex(value, r->raw, sizeof(r->raw), &r->nraw);
	if (strncmp(word, "payload=", 8) || strlen(value) > 1400)
		return false;
	r->npayload = (uint32_t)strlen(value);
	memcpy(r->payload, value, r->npayload);
	return true;
}

static long given(long value, long otherwise)
{
	return value == UNSET ? otherwise : value;
}

/* Header and payload at `l4`; returns the length. The checksum field's offset goes to *at. */
static uint32_t put_l4(const struct recipe *r, long proto, uint8_t *l4, uint32_t *at)
{
	uint32_t header = proto == IPPROTO_TCP ? 20 : proto == IPPROTO_UDP || proto == IPPROTO_ICMP ? 8 : 0;

	memset(l4, 0, header);
	memcpy(l4 + header, r->payload, r->npayload);
	if (proto == IPPROTO_ICMP) {
		l4[0] = (uint8_t)given(r->icmp, 8);
		l4[1] = (uint8_t)given(r->code, 0);
		frame_put16(l4 + 4, (uint32_t)given(r->echo, 0x77));
		frame_put16(l4 + 6, (uint32_t)given(r->eseq, 1));
		*at = 2;
	} else if (header) {
		frame_put16(l4, (uint32_t)given(r->sport, 0));
		frame_put16(l4 + 2, (uint32_t)given(r->dport, 0));
	}
	if (proto == IPPROTO_UDP) {
		frame_put16(l4 + 4, (uint32_t)given(r->udplen, header + r->npayload));
		*at = 6;
	} else if (proto == IPPROTO_TCP) {
		frame_put32(l4 + 4, (uint32_t)given(r->seq, 1000));
		frame_put32(l4 + 8, (uint32_t)given(r->ack, 0));
		l4[12] = (uint8_t)(given(r->doff, 5) << 4);
		l4[13] = (uint8_t)given(r->flags, 2);
		frame_put16(l4 + 14, 65535);
		*at = 16;
	}
	return header + r->npayload;
}

static void put_l4_sum(const struct recipe *r, const uint8_t *ip, uint8_t *l4, uint32_t length, uint32_t at)
{
	uint32_t sum = ip[9] == IPPROTO_ICMP ? 0 : frame_pseudo(ip, length);
	uint16_t csum = frame_fold(frame_sum(sum, l4, length));

	if (!at || r->sum_zero == 1)
		return;
	if (!csum && ip[9] == IPPROTO_UDP)
		csum = 0xffff;
	frame_put16(l4 + at, r->sum_bad == 1 ? csum ^ 0x0101u : csum);
}

static uint32_t put_ipv4(const struct recipe *r, uint8_t *ip)
{
	long proto = given(r->proto, r->icmp != UNSET ? IPPROTO_ICMP : IPPROTO_UDP);
	uint32_t header = 20 + r->noptions, at = 0, l4;
	uint16_t csum;

	memset(ip, 0, header);
	memcpy(ip + 20, r->options, r->noptions);
	l4 = put_l4(r, proto, ip + header, &at);
	ip[0] = (uint8_t)(given(r->version, 4) << 4 | given(r->ihl, header / 4));
	ip[1] = (uint8_t)given(r->tos, 0);
	frame_put16(ip + 2, (uint32_t)given(r->length, header + l4));
	frame_put16(ip + 4, (uint32_t)given(r->id, 0x1234));
	frame_put16(ip + 6, (uint32_t)given(r->frag, 0));
	ip[8] = (uint8_t)given(r->ttl, 64);
	ip[9] = (uint8_t)proto;
	frame_put32(ip + 12, r->from);
	frame_put32(ip + 16, r->to);
	csum = frame_fold(frame_sum(0, ip, header));
	frame_put16(ip + 10, r->ipsum_bad == 1 ? csum ^ 0x0101u : csum);
	put_l4_sum(r, ip, ip + header, l4, at);
	return header + l4;
}

static void put(struct frame *f, const struct recipe *r)
{
	uint8_t *at = f->data;
	bool tagged = r->vlan != UNSET || r->prio != UNSET;

	memcpy(at, r->dst, 6);
	memcpy(at + 6, r->src, 6);
	at += 12;
	if (tagged) {
		frame_put16(at, 0x8100);
		frame_put16(at + 2, (uint32_t)(given(r->prio, 0) << 12 | given(r->vlan, 0)));
		at += 4;
	}
	frame_put16(at, (uint32_t)given(r->type, 0x0800));
	at += 2;
	if (r->nraw) {
		memcpy(at, r->raw, r->nraw);
		at += r->nraw;
	} else {
		at += put_ipv4(r, at);
	}
	if (r->pad > 0) {
		memset(at, 0xa5, (size_t)r->pad);
		at += r->pad;
	}
	f->length = (uint32_t)(at - f->data);
	if (r->cut >= 0 && (uint32_t)r->cut < f->length)
		f->length = (uint32_t)r->cut;
}

const char *frame_build(struct frame *f, char **words, int count, const uint8_t mac[6])
{
	static struct recipe r;

	memset(&r, 0, sizeof(r));
	memset(r.dst, 0xff, sizeof(r.dst));
	memcpy(r.src, mac, sizeof(r.src));
	for (size_t i = 0; i < COUNT(numbers); i++)
		*(long *)((char *)&r + numbers[i].offset) = UNSET;
	r.sport = r.dport = UNSET;
	for (int i = 0; i < count; i++)
		if (!set(&r, words[i]))
			return words[i];
	put(f, &r);
	return NULL;
}

void frame_words(FILE *to)
{
	fprintf(to, "  %-18s%s\n", "src=MAC dst=MAC", "the interface's own, broadcast");
	fprintf(to, "  %-18s%s\n", "from=A[:P] to=A[:P]", " IPv4 addresses and ports");
	fprintf(to, "  %-18s%s\n", "options=HEX", "IP options");
	fprintf(to, "  %-18s%s\n", "payload=TEXT size=N", " payload, or so many bytes of a pattern");
	fprintf(to, "  %-18s%s\n", "hex=HEX", "all behind the Ethernet type, as it is");
	for (size_t i = 0; i < COUNT(numbers); i++)
		fprintf(to, "  %s%-*s%s\n", numbers[i].name, (int)(18 - strlen(numbers[i].name)),
			numbers[i].bare == UNSET ? "=N" : "", numbers[i].help);
}
