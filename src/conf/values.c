/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values.c - one parser for each kind of value in the configuration file */
#include "values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/addr.h"
#include "paths.h"
#include "reader.h"

static void *field(struct reader *r, const struct conf_key *key)
{
	void *home[] = {[HOME_CONF] = &r->conf, [HOME_PORT] = r->port, [HOME_DOMAIN] = NULL, [HOME_TUNNEL] = NULL};

	if (r->domain) {
		home[HOME_DOMAIN] = r->domain->domain;
		home[HOME_TUNNEL] = r->domain->tunnel;
	}
	return (char *)home[key->home] + key->offset;
}

void value_store(struct reader *r, const struct conf_key *key, u32 value)
{
	u8 byte = (u8)value;
	u16 half = (u16)value;
	const void *from = key->size == sizeof(byte) ? &byte : key->size == sizeof(half) ? (void *)&half : &value;

	memcpy(field(r, key), from, key->size);
}

/* Decimal digits up to `*end`; false where there are none or too many. */
static bool digits(const char *text, const char **end, u64 *value)
{
	*value = 0;
	for (*end = text; isdigit((unsigned char)**end); (*end)++) {
		*value = *value * 10 + (u64)(**end - '0');
		if (*value > 0xffffffff)
			return false;
	}
	return *end > text;
}

int value_name(struct reader *r, const struct conf_key *key, const char *value)
{
	if (!paths_name_valid(value))
		return reader_fail(r, r->line, "bad name '%s': use 1 to %d of a-z, 0-9 and '-', not '-' first", value,
				   CONF_NAME_MAX - 1);
	strcpy(field(r, key), value);
	return 0;
}

int value_number(struct reader *r, const struct conf_key *key, const char *value)
{
	const char *end;
	u64 n;

	if (!digits(value, &end, &n) || *end || n < key->min || n > key->max)
		return reader_fail(r, r->line, "bad %s '%s': give a number from %u to %u", key->name, value, key->min,
				   key->max);
	value_store(r, key, (u32)n);
	return 0;
}

int value_word(struct reader *r, const struct conf_key *key, const char *value)
{
	size_t length = strlen(value), n;
	const char *word = key->form;

	for (u32 i = 0;; i++, word += n + 1) {
		n = strcspn(word, "|");
		if (n == length && !memcmp(word, value, n)) {
			value_store(r, key, i);
			return 0;
		}
		if (!word[n])
			break;
	}
	return reader_fail(r, r->line, "bad %s '%s': give one of %s", key->name, value, key->form);
}

int value_time(struct reader *r, const struct conf_key *key, const char *value)
{
	static const struct {
		char suffix;
		u32 seconds;
	} units[] = {{0, 1}, {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	u64 n, scale = 0;
	const char *end;

	if (digits(value, &end, &n))
		for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
			if (units[i].suffix == *end && (!*end || !end[1]))
				scale = units[i].seconds;
	if (!scale || n * scale < key->min || n * scale > key->max)
		return reader_fail(r, r->line, "bad %s '%s': give a time from %u s to 24 d, such as 300, 5m, 2h or 1d",
				   key->name, value, key->min);
	value_store(r, key, (u32)(n * scale));
	return 0;
}

int value_interface(struct reader *r, const struct conf_key *key, const char *value)
{
	size_t length = strlen(value);

	if (length >= IFNAMSIZ)
		return reader_fail(r, r->line, "bad %s '%s': the name of an interface has at most %d characters",
				   key->name, value, IFNAMSIZ - 1);
	if (value[strcspn(value, "/: \t\v\f\r")] || !strcmp(value, ".") || !strcmp(value, ".."))
		return reader_fail(r, r->line, "bad %s '%s': give the name of one interface, as 'ip link' shows it",
				   key->name, value);
	memcpy(field(r, key), value, length + 1);
	return 0;
}

int value_prefix(struct reader *r, const struct conf_key *key, const char *value)
{
	struct conf_port *port = r->port;
	be32 address;
	u32 host, mask;
	u8 length;

	if (addr_parse_prefix(value, &address, &length) || !length)
		return reader_fail(r, r->line,
				   "bad %s '%s': give an IPv4 address and the length of its prefix, such "
				   "as 192.168.1.1/24",
				   key->name, value);
	if (!addr_is_host(address))
		return reader_fail(r, r->line, "bad %s '%s': no host can have this address; give this router's",
				   key->name, value);
	mask = addr_host(addr_mask(length));
	host = addr_host(address);
	if (length <= 30 && (!(host & ~mask) || (host | mask) == 0xffffffff)) /* RFC 3021: not with /31 */
		return reader_fail(r, r->line, "bad %s '%s': that is the network's %s address; give this router's",
				   key->name, value, (host & ~mask) ? "broadcast" : "own");
	port->address = address;
	port->prefix = length;
	return 0;
}

int value_address(struct reader *r, const struct conf_key *key, const char *value)
{
	be32 address;

	if (addr_parse(value, &address) || !addr_is_host(address))
		return reader_fail(r, r->line, "bad %s '%s': give the IPv4 address of a host, such as 203.0.113.1",
				   key->name, value);
	memcpy(field(r, key), &address, sizeof(address));
	return 0;
}

int value_lladdr(struct reader *r, const struct conf_key *key, const char *value)
{
	if (mac_parse(value, field(r, key)) || !mac_is_station(field(r, key)))
		return reader_fail(r, r->line,
				   "bad %s '%s': give the MAC address of one station, such as "
				   "02:00:00:00:00:01",
				   key->name, value);
	r->port->has_lladdr = true;
	return 0;
}

int value_neighbour(struct reader *r, const struct conf_key *key, const char *value)
{
	struct conf_neighbour *n = &r->conf.neighbours[r->conf.nneighbours];
	size_t length = strcspn(value, " \t");
	const char *mac = value + length + strspn(value + length, " \t");
	char address[ADDR_TEXT] = "";

	if (r->conf.nneighbours == CONF_NEIGHBOURS_MAX)
		return reader_fail(r, r->line, "too many neighbours: at most %d in a file", CONF_NEIGHBOURS_MAX);
	if (length < sizeof(address))
		memcpy(address, value, length);
	if (addr_parse(address, &n->address) || !addr_is_host(n->address) || mac_parse(mac, n->lladdr) ||
	    !mac_is_station(n->lladdr))
		return reader_fail(r, r->line,
				   "bad %s '%s': give the address and the MAC address of one station, such "
				   "as 192.168.1.72 02:00:00:00:01:48",
				   key->name, value);
	n->port = (unsigned int)(r->port - r->conf.ports);
	n->line = r->line;
	r->conf.nneighbours++;
	return 0;
}

static const char *skip(const char *text)
{
	return text + strspn(text, " \t");
}

/* "LOW-HIGH", or "PORT" for a range of one; blanks may stand around each. Returns what follows, NULL with an error. */
static const char *range(struct reader *r, const struct conf_key *key, const char *text, u16 bounds[2])
{
	int shown = (int)strcspn(text, ",");
	const char *end;
	u64 n[2];
	bool held = digits(skip(text), &end, &n[0]);

	n[1] = n[0];
	end = skip(end);
	if (held && *end == '-') {
		held = digits(skip(end + 1), &end, &n[1]);
		end = skip(end);
	}
	if (!held || (*end && *end != ',') || !n[0] || n[0] > 65535 || !n[1] || n[1] > 65535)
		reader_fail(r, r->line, "bad %s '%.*s': give %s, with ports from 1 to 65535", key->name, shown, text,
			    key->repeats ? "a port such as 5060 or a range such as 8000-8010"
					 : "a range such as 1024-65535");
	else if (n[0] > n[1])
		reader_fail(r, r->line, "bad %s '%.*s': the range is upside down; write %llu-%llu", key->name, shown,
			    text, n[1], n[0]);
	bounds[0] = (u16)n[0];
	bounds[1] = (u16)n[1];
	return r->rc ? NULL : end;
}

int value_ports(struct reader *r, const struct conf_key *key, const char *value)
{
	u16 bounds[2];
	const char *end = range(r, key, value, bounds);

	if (!end)
		return r->rc;
	if (*end)
		return reader_fail(r, r->line,
				   "bad %s '%s': give one range; ports within it that must stay free go to "
				   "reserve",
				   key->name, value);
	r->conf.port_lo = bounds[0];
	r->conf.port_hi = bounds[1];
	return 0;
}

int value_reserve(struct reader *r, const struct conf_key *key, const char *value)
{
	u16 bounds[2];

	if (!*value)
		return 0;
	for (const char *at = value;; at++) {
		at = range(r, key, at, bounds);
		if (!at)
			return r->rc;
		for (u32 port = bounds[0]; port <= bounds[1]; port++)
			r->conf.reserved[port >> 6] |= 1ULL << (port & 63);
		if (!*at)
			return 0;
	}
}
