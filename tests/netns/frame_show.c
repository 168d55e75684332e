/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame_show.c - a frame as a line of words; checksums are computed anew over every byte */
#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>

#include "frame.h"

uint32_t frame_sum(uint32_t sum, const uint8_t *data, uint32_t length)
{
	for (uint32_t i = 0; i + 1 < length; i += 2)
		sum += frame_get16(data + i);
	if (length % 2)
		sum += (uint32_t)data[length - 1] << 8;
	return sum;
}

uint16_t frame_fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

uint32_t frame_pseudo(const uint8_t *ip, uint32_t length)
{
	return frame_sum(ip[9] + length, ip + 12, 8);
}

/* Text where it is text, else hexadecimal; at most 32 bytes of it. */
static void show_payload(FILE *to, const uint8_t *data, uint32_t length)
{
	uint32_t shown = length < 32 ? length : 32;
	bool text = shown > 0;

	for (uint32_t i = 0; i < shown; i++)
		text = text && isgraph(data[i]) && data[i] != '=';
	fprintf(to, " size=%u payload=%s", length, text ? "" : "0x");
	for (uint32_t i = 0; i < shown; i++)
		fprintf(to, text ? "%c" : "%02x", data[i]);
}

static const char *l4_sum(const uint8_t *ip, const uint8_t *l4, uint32_t length)
{
	if (ip[9] == IPPROTO_UDP && !frame_get16(l4 + 6))
		return "zero";
	return frame_fold(frame_sum(ip[9] == IPPROTO_ICMP ? 0 : frame_pseudo(ip, length), l4, length)) ? "bad" : "ok";
}

static void show_addresses(FILE *to, const char *name, const uint8_t *ip)
{
	char from[INET_ADDRSTRLEN], dest[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, ip + 12, from, sizeof(from));
	inet_ntop(AF_INET, ip + 16, dest, sizeof(dest));
	fprintf(to, " %s=%s>%s", name, from, dest);
}

static void show_icmp(FILE *to, const uint8_t *l4, uint32_t length)
{
	fprintf(to, " icmp=%u code=%u", l4[0], l4[1]);
	if (l4[0] == 0 || l4[0] == 8) {
		fprintf(to, " echo=%u eseq=%u", frame_get16(l4 + 4), frame_get16(l4 + 6));
		show_payload(to, l4 + 8, length - 8);
		return;
	}
	fprintf(to, " mtu=%u", frame_get16(l4 + 6));
	if (length < 8 + 20 + 8)
		return;
	show_addresses(to, "inner", l4 + 8);
	fprintf(to, " isport=%u idport=%u", frame_get16(l4 + 28), frame_get16(l4 + 30));
}

static void show_l4(FILE *to, const uint8_t *ip, const uint8_t *l4, uint32_t length)
{
	static const char *const names[256] = {[1] = "icmp", [6] = "tcp", [17] = "udp"};
	uint32_t header = ip[9] == IPPROTO_TCP ? 20 : 8;

	if (!names[ip[9]] || length < header) {
		fprintf(to, " proto=%u", ip[9]);
		show_payload(to, l4, length);
		return;
	}
	fprintf(to, " proto=%s sum=%s", names[ip[9]], l4_sum(ip, l4, length));
	if (ip[9] == IPPROTO_ICMP) {
		show_icmp(to, l4, length);
		return;
	}
	fprintf(to, " sport=%u dport=%u", frame_get16(l4), frame_get16(l4 + 2));
	if (ip[9] == IPPROTO_TCP) {
		fprintf(to, " flags=%u seq=%u ack=%u", l4[13], frame_get32(l4 + 4), frame_get32(l4 + 8));
		header = (l4[12] >> 4) * 4u;
	}
	show_payload(to, l4 + header, length > header ? length - header : 0);
}

static void show_ipv4(FILE *to, const uint8_t *ip, uint32_t room)
{
	uint32_t header = (ip[0] & 15) * 4u, length = frame_get16(ip + 2);

	if (room < 20 || header < 20 || length < header || length > room) {
		fprintf(to, " broken=%u", room);
		return;
	}
	show_addresses(to, "ip", ip);
	fprintf(to, " ttl=%u tos=%u id=%u frag=%u iplen=%u ipsum=%s options=0x", ip[8], ip[1], frame_get16(ip + 4),
		frame_get16(ip + 6), length, frame_fold(frame_sum(0, ip, header)) ? "bad" : "ok");
	for (uint32_t i = 20; i < header; i++)
		fprintf(to, "%02x", ip[i]);
	if (frame_get16(ip + 6) & 0x1fff)
		show_payload(to, ip + header, length - header);
	else
		show_l4(to, ip, ip + header, length - header);
	fprintf(to, " pad=%u", room - length);
}

void frame_show(FILE *to, const char *where, const uint8_t *data, uint32_t length)
{
	uint32_t at = 12, type = frame_get16(data + 12);
	const uint8_t *m = data;

	fprintf(to, "%s dst=%02x:%02x:%02x:%02x:%02x:%02x", where, m[0], m[1], m[2], m[3], m[4], m[5]);
	m += 6;
	fprintf(to, " src=%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5]);
	if (type == 0x8100 && length >= 18) {
		uint32_t tci = frame_get16(data + 14);

		fprintf(to, " vlan=%u prio=%u", tci & 0xfff, tci >> 12);
		at = 16;
		type = frame_get16(data + at);
	} else {
		fprintf(to, " vlan=none");
	}
	fprintf(to, " type=%04x", type);
	if (type == 0x0800)
		show_ipv4(to, data + at + 2, length - at - 2);
	fprintf(to, " frame=%u\n", length);
}
