/* SPDX-License-Identifier: GPL-2.0-or-later */
/* addr.c - IPv4 and MAC addresses as text */
#include "addr.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int addr_parse(const char *text, be32 *addr)
{
	struct in_addr in;

	if (inet_pton(AF_INET, text, &in) != 1)
		return -EINVAL;
	*addr = (PORTICO_FORCE be32)in.s_addr;
	return 0;
}

int addr_parse_prefix(const char *text, be32 *addr, uint8_t *length)
{
	const char *slash = strchr(text, '/');
	char copy[ADDR_TEXT];
	unsigned int n = 0;

	if (!slash || (size_t)(slash - text) >= sizeof(copy) || !slash[1] || strlen(slash) > 3)
		return -EINVAL;
	for (const char *d = slash + 1; *d; d++) {
		if (!isdigit((unsigned char)*d))
			return -EINVAL;
		n = n * 10 + (unsigned int)(*d - '0');
	}
	memcpy(copy, text, (size_t)(slash - text));
	copy[slash - text] = 0;
	if (n > 32 || addr_parse(copy, addr))
		return -EINVAL;
	*length = (uint8_t)n;
	return 0;
}

char *addr_print(char text[ADDR_TEXT], be32 addr)
{
	struct in_addr in = {.s_addr = (PORTICO_FORCE in_addr_t)addr};

	inet_ntop(AF_INET, &in, text, ADDR_TEXT);
	return text;
}

be32 addr_mask(unsigned int length)
{
	return (PORTICO_FORCE be32)htonl(length ? ~0u << (32 - length) : 0);
}

bool addr_in(be32 addr, be32 prefix, unsigned int length)
{
	return ((addr ^ prefix) & addr_mask(length)) == 0;
}

bool addr_is_host(be32 addr)
{
	uint32_t first = addr_host(addr) >> 24;

	return first != 0 && first != 127 && first < 224;
}

uint32_t addr_host(be32 addr)
{
	return ntohl((PORTICO_FORCE uint32_t)addr);
}

uint16_t port_host(be16 port)
{
	return ntohs((PORTICO_FORCE uint16_t)port);
}

be16 port_net(uint16_t port)
{
	return (PORTICO_FORCE be16)htons(port);
}

int mac_parse(const char *text, uint8_t mac[6])
{
	static const char hex[] = "0123456789abcdef";
	uint8_t got[6];

	for (int i = 0; i < 18; i++) {
		const char *digit = text[i] ? strchr(hex, tolower((unsigned char)text[i])) : NULL;

		if (i == 17 ? text[i] != 0 : i % 3 == 2 ? text[i] != ':' : !digit)
			return -EINVAL;
		if (i % 3 == 0)
			got[i / 3] = (uint8_t)((digit - hex) << 4);
		else if (i % 3 == 1)
			got[i / 3] |= (uint8_t)(digit - hex);
	}
	memcpy(mac, got, sizeof(got));
	return 0;
}

char *mac_print(char text[MAC_TEXT], const uint8_t mac[6])
{
	snprintf(text, MAC_TEXT, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
	return text;
}

bool mac_is_station(const uint8_t mac[6])
{
	static const uint8_t zero[6];

	return !(mac[0] & 1) && memcmp(mac, zero, sizeof(zero));
}
