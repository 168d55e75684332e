/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - what can only be said of a configuration file as a whole */
#include <errno.h>
#include <string.h>

#include "lib/addr.h"
#include "reader.h"

/* Where the frames of a port are, as far as the file says. */
static const char *place(const struct conf_port *port)
{
	return port->port[0] ? port->port : port->interface;
}

static char *prefix_print(char text[ADDR_TEXT + 3], const struct conf_port *port)
{
	char address[ADDR_TEXT];

	snprintf(text, ADDR_TEXT + 3, "%s/%u", addr_print(address, port->address & addr_mask(port->prefix)),
		 (unsigned int)port->prefix);
	return text;
}

static int check_sections(struct reader *r)
{
	unsigned int lans = 0, wans = 0;

	for (unsigned int i = 0; i < r->conf.nports; i++) {
		lans += r->conf.ports[i].role == ROLE_LAN;
		wans += r->conf.ports[i].role == ROLE_WAN;
	}
	if (!r->line)
		return reader_fail(r, 0,
				   "the file is empty: write at least [lan] and [wan], each with an interface; see "
				   "portico.conf(5)");
	if (!lans)
		return reader_fail(r, r->line, "no [lan] section: add one, with interface = ...");
	if (!wans)
		return reader_fail(r, r->line, "no [wan] section: add one, with interface = ...");
	return 0;
}

static int check_port(struct reader *r, struct conf_port *port)
{
	const int *lines = reader_lines(r, port);

	if (!lines[KEY_INTERFACE])
		return reader_fail(r, port->line, "section [%s] has no interface: add interface = ...", port->name);
	if (port->vid && !lines[KEY_PORT])
		return reader_fail(r, lines[KEY_VLAN],
				   "vlan without port: add port = the interface that carries the "
				   "VLAN, or take vlan out and give the 802.1Q interface as interface");
	port->line = lines[KEY_INTERFACE];
	port->port_line = lines[KEY_PORT];
	port->mtu_line = lines[KEY_MTU];
	return 0;
}

/* Two ports must differ both in their interface, which says whose routes and neighbours they are, and in the place of
 * their frames. */
static int check_twice(struct reader *r, const struct conf_port *a, const struct conf_port *b)
{
	if (!strcmp(a->interface, b->interface))
		return reader_fail(r, b->line, "interface %s is [%s]'s already: give [%s] another", b->interface,
				   a->name, b->name);
	if (strcmp(place(a), place(b)) || a->vid != b->vid)
		return 0;
	if (b->vid)
		return reader_fail(r, b->port_line, "vlan %u of port %s is [%s]'s already: give [%s] another", b->vid,
				   place(b), a->name, b->name);
	return reader_fail(r, b->port_line ? b->port_line : b->line,
			   "untagged frames of %s are [%s]'s already: give "
			   "[%s] another port or a vlan",
			   place(b), a->name, b->name);
}

static int check_overlap(struct reader *r, const struct conf_port *a, const struct conf_port *b)
{
	unsigned int shorter = a->prefix < b->prefix ? a->prefix : b->prefix;
	char text[2][ADDR_TEXT + 3];

	if (!a->address || !b->address || !addr_in(a->address, b->address, shorter))
		return 0;
	return reader_fail(r, reader_lines(r, b)[KEY_ADDRESS],
			   "%s of [%s] overlaps %s of [%s]: give one of them another "
			   "network",
			   prefix_print(text[0], b), b->name, prefix_print(text[1], a), a->name);
}

static int check_pairs(struct reader *r)
{
	struct conf_port *ports = r->conf.ports;

	for (unsigned int b = 0; b < r->conf.nports; b++)
		for (unsigned int a = 0; a < b; a++)
			if (check_twice(r, &ports[a], &ports[b]) || check_overlap(r, &ports[a], &ports[b]))
				return r->rc;
	return 0;
}

static int check_gateway(struct reader *r, const struct conf_port *port)
{
	int line = reader_lines(r, port)[KEY_GATEWAY];
	char text[ADDR_TEXT], prefix[ADDR_TEXT + 3];

	if (!port->gateway || !port->address)
		return 0;
	addr_print(text, port->gateway);
	if (port->gateway == port->address)
		return reader_fail(r, line, "gateway %s is this router's own address: give the provider's router",
				   text);
	if (port->prefix < 32 && !addr_in(port->gateway, port->address, port->prefix))
		return reader_fail(r, line, "gateway %s is not in %s of [%s]: check both", text,
				   prefix_print(prefix, port), port->name);
	return 0;
}

/* Where the tunnel's IPv6 packets go. */
static void warn_gateway6(struct reader *r, const struct conf_port *port)
{
	int line = reader_lines(r, port)[KEY_GATEWAY6];
	enum dp_mode kind = port->role == ROLE_WAN ? MODE_CE : MODE_BR;

	if (line && r->conf.kind != kind)
		reader_warn(r, line, "gateway6: no tunnel begins at [%s]; this one is not used", port->name);
}

/* A neighbour of the WAN may be anywhere when there is no gateway. */
static int check_neighbour(struct reader *r, const struct conf_neighbour *n)
{
	const struct conf_port *port = &r->conf.ports[n->port];
	char text[ADDR_TEXT], prefix[ADDR_TEXT + 3];

	if (!port->address || addr_in(n->address, port->address, port->prefix) || n->address == port->gateway ||
	    (port->role == ROLE_WAN && !port->gateway))
		return 0;
	return reader_fail(r, n->line, "neighbour %s is not in %s of [%s]: check both", addr_print(text, n->address),
			   prefix_print(prefix, port), port->name);
}

/* A shared port belongs to several hosts, told apart by who sends to it. */
static int check_policy(struct reader *r)
{
	const int *lines = reader_lines(r, NULL);
	struct conf *c = &r->conf;

	if (!lines[KEY_MAPPING] && c->kind == MODE_CE)
		c->mapping = MAPPING_SHARED;
	if (c->filtering != FILTERING_ENDPOINT_INDEPENDENT || c->mapping == MAPPING_ENDPOINT_INDEPENDENT)
		return 0;
	return reader_fail(r, lines[KEY_FILTERING],
			   "filtering = endpoint-independent needs mapping = endpoint-independent: where hosts share a "
			   "port, who sends to it says whose the packet is");
}

static int check_ports(struct reader *r)
{
	const int *lines = reader_lines(r, NULL);

	if (r->conf.kind != MODE_NAT44)
		return 0;
	for (u32 p = r->conf.port_lo; p <= r->conf.port_hi; p++)
		if (!(r->conf.reserved[p >> 6] >> (p & 63) & 1))
			return 0;
	return reader_fail(r, lines[KEY_PORTS] ? lines[KEY_PORTS] : lines[KEY_RESERVE],
			   "range without ports: reserve takes "
			   "all of %u-%u; widen ports or shorten reserve",
			   r->conf.port_lo, r->conf.port_hi);
}

static void warn_times(struct reader *r)
{
	const int *lines = reader_lines(r, NULL);

	for (unsigned int i = 0; i < KEY_COUNT; i++) {
		const struct conf_key *key = &conf_keys[i];
		u32 seconds;

		if (!key->low)
			continue;
		memcpy(&seconds, (const char *)&r->conf + key->offset, sizeof(seconds));
		if (seconds < key->low)
			reader_warn(r, lines[i],
				    "%s = %u s is shorter than the %u s that %s asks for: idle connections "
				    "may break",
				    key->name, seconds, key->low, key->rfc);
	}
}

/* What the gateway is. */
static int check_kind(struct reader *r)
{
	struct conf *c = &r->conf;

	c->mape.given = r->seen & SECTION_MAP_E;
	c->kind = c->mape.given ? MODE_CE : c->nrelays ? MODE_BR : MODE_NAT44;
	if (!c->mape.given || !c->nrelays)
		return 0;
	return reader_fail(
		r, c->relays[0].line,
		"[border-relay] beside [map-e] in line %d: a gateway is one end of the tunnel; put the other "
		"into a file of its own",
		c->mape.line);
}

int reader_check(struct reader *r)
{
	if (check_sections(r) || check_kind(r))
		return r->rc;
	for (unsigned int i = 0; i < r->conf.nports; i++)
		if (check_port(r, &r->conf.ports[i]))
			return r->rc;
	if (check_pairs(r))
		return r->rc;
	for (unsigned int i = 0; i < r->conf.nports; i++) {
		if (check_gateway(r, &r->conf.ports[i]))
			return r->rc;
		warn_gateway6(r, &r->conf.ports[i]);
	}
	for (unsigned int i = 0; i < r->conf.nneighbours; i++)
		if (check_neighbour(r, &r->conf.neighbours[i]))
			return r->rc;
	if (check_policy(r) || check_ports(r) || reader_check_mape(r))
		return r->rc;
	warn_times(r);
	return 0;
}
