/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check_mape.c - what can only be said of [map-e] and [border-relay] as a whole */
#include <errno.h>
#include <string.h>

#include "lib/addr.h"
#include "reader.h"
#include "s46.h"

char *conf_finding_print(char text[CONF_FINDING_TEXT], const struct conf *c, const struct mape_finding *f)
{
	const char *name = f->parameter;

	if (!strcmp(name, "pd"))
		name = "prefix";
	else if (!strcmp(name, "br"))
		name = c->kind == MODE_BR ? "address" : "border-relay";
	snprintf(text, CONF_FINDING_TEXT, "%s: %s%s%s", name, f->text, f->likely[0] ? "; likely " : "", f->likely);
	return text;
}

/* Where the parameter was given that a finding speaks of; the section, where it was not. */
static int finding_line(struct reader *r, const struct reader_domain *domain, const struct mape_finding *f)
{
	bool edge = domain == r->domains;
	unsigned int relay = (unsigned int)(domain - r->domains) - 1;
	const int *lines = edge ? reader_lines(r, NULL) : reader_relay_lines(r, relay);
	int line = f->rule ? domain->rules[f->rule - 1] : 0;

	if (!strcmp(f->parameter, "pd"))
		line = lines[KEY_PREFIX];
	else if (!strcmp(f->parameter, "br"))
		line = lines[edge ? KEY_BORDER_RELAY : KEY_BR_ADDRESS];
	if (!line)
		line = lines[KEY_S46];
	return line ? line : edge ? r->conf.mape.line : r->conf.relays[relay].line;
}

/* Checks a domain: its first error is the file's, its warnings are the file's too. */
static int check_domain(struct reader *r, const struct reader_domain *domain)
{
	struct mape_domain *d = domain->domain;
	char text[CONF_FINDING_TEXT];

	d->mtu = domain->tunnel->mtu;
	for (u32 i = 0; i < d->nrules; i++)
		mape_rule_complete(&d->rules[i], d->format);
	mape_domain_check(d);
	for (u32 i = 0; i < d->nfindings; i++) {
		const struct mape_finding *f = &d->findings[i];

		conf_finding_print(text, &r->conf, f);
		if (f->severity == MAPE_ERROR)
			return reader_fail(r, finding_line(r, domain, f), "%s", text);
		reader_warn(r, finding_line(r, domain, f), "%s", text);
	}
	return 0;
}

/* What "s46" holds. Border relays by hand take the place of those in it. */
static int edge_s46(struct reader *r)
{
	const int *lines = reader_lines(r, NULL);
	struct mape_domain *d = &r->conf.mape.domain, brought = {.format = d->format};
	struct err err;

	if (!lines[KEY_S46])
		return 0;
	if (lines[KEY_RULE])
		return reader_fail(r, lines[KEY_S46], "s46 beside rule in line %d: give the rules once",
				   lines[KEY_RULE]);
	if (s46_parse_hex(&brought, r->s46 + 1, &err))
		return reader_fail(r, lines[KEY_S46], "s46: %s", err.text);
	mape_domain_take(d, &brought);
	return 0;
}

/* Without a file to follow, everything must be there. */
static int edge_given(struct reader *r)
{
	struct conf_mape *m = &r->conf.mape;

	m->has_rules = m->domain.nrules > 0;
	m->has_relays = m->domain.nbrs > 0;
	m->has_prefix = m->domain.has_pd;
	if (m->dhcpv6[0])
		return 0;
	if (!m->has_rules)
		return reader_fail(r, m->line, "[map-e] has no rule: add rule = ..., s46 = ... or dhcpv6 = FILE");
	if (!m->has_relays)
		return reader_fail(r, m->line, "[map-e] has no border-relay: add border-relay = ADDRESS6");
	return 0;
}

/* The rule of this customer, and the address it makes. */
static int edge_own(struct reader *r)
{
	struct conf_mape *m = &r->conf.mape;
	struct mape_customer own;
	char text[ADDR6_TEXT];

	if (m->domain.basic < 0)
		return m->dhcpv6[0]
			       ? 0
			       : reader_fail(r, m->line,
					     "[map-e] has no prefix, and the rule is for many customers: add prefix = "
					     "PREFIX6 or dhcpv6 = FILE");
	mape_domain_own(&m->domain, &own);
	if (!addr_is_host(be32_of(own.own.addr)))
		return reader_fail(r, m->line, "rule4: this customer would be %s, which no host can be",
				   addr_print(text, be32_of(own.own.addr)));
	if (!m->has_address && !own.has_address)
		return m->dhcpv6[0] ? 0
				    : reader_fail(r, m->line,
						  "[map-e] has no address, and the rule has no IPv6 prefix to make one "
						  "of: add address = ADDRESS6 or prefix = PREFIX6");
	if (m->has_address && own.has_address && !addr6_equal(m->address, own.address))
		reader_warn(r, reader_lines(r, NULL)[KEY_CE_ADDRESS],
			    "address: rule and prefix make another one, and border relays drop what comes from "
			    "elsewhere; likely %s",
			    addr6_print(text, own.address));
	return 0;
}

static bool reserved(const struct conf *c, u32 port)
{
	return c->reserved[port >> 6] >> (port & 63) & 1;
}

/* Reserved ports that are not this customer's, a range at a time. */
static void edge_reserve(struct reader *r, const struct dp_portset *ports)
{
	const struct conf *c = &r->conf;
	char range[16];
	u32 end, own;

	for (u32 port = 1; port <= 65535; port = end + 1) {
		own = 0;
		for (end = port; end <= 65535 && reserved(c, end); end++)
			own += (u32)portset_has(ports, (u16)end);
		if (end == port || own)
			continue;
		snprintf(range, sizeof(range), end == port + 1 ? "%u" : "%u-%u", port, end - 1);
		reader_warn(r, reader_lines(r, NULL)[KEY_RESERVE],
			    "reserve: %s is not in this customer's port set: what comes to it goes to others; 'portico "
			    "map-e %s --ports' lists the set",
			    range, c->path);
	}
}

/* Ports come from the rule. */
static int edge_ports(struct reader *r)
{
	const struct conf *c = &r->conf;
	const int *lines = reader_lines(r, NULL);
	struct mape_customer own;

	if (lines[KEY_PORTS])
		return reader_fail(r, lines[KEY_PORTS],
				   "ports beside [map-e]: the rule says them; take ports out, and give those that must "
				   "stay free to reserve");
	if (c->mape.domain.basic < 0)
		return 0;
	mape_domain_own(&c->mape.domain, &own);
	for (u32 i = 0; i < own.ports.count; i++) {
		if (!reserved(c, portset_port(&own.ports, i))) {
			edge_reserve(r, &own.ports);
			return 0;
		}
	}
	return reader_fail(r, lines[KEY_RESERVE], "port set without ports: reserve takes all %u of them; shorten it",
			   own.ports.count);
}

/* The IPv4 side of the WAN is the tunnel's. */
static int edge_interfaces(struct reader *r)
{
	struct conf *c = &r->conf;

	if (!c->mape.device[0])
		snprintf(c->mape.device, sizeof(c->mape.device), "mape-%.*s", IFNAMSIZ - 6, c->name);
	for (unsigned int i = 0; i < c->nports; i++) {
		const struct conf_port *port = &c->ports[i];
		const int *lines = reader_lines(r, port);

		if (!strcmp(c->mape.device, port->interface) || !strcmp(c->mape.device, port->port))
			return reader_fail(
				r, reader_lines(r, NULL)[KEY_DEVICE],
				"device %s is [%s]'s: Portico makes this interface; give a name that is free",
				c->mape.device, port->name);
		if (port->role == ROLE_WAN && port->address)
			reader_warn(r, lines[KEY_ADDRESS],
				    "address: with [map-e] the rule says what packets are translated to; this one is "
				    "not used");
		if (port->role == ROLE_WAN && port->gateway)
			reader_warn(r, lines[KEY_GATEWAY],
				    "gateway: with [map-e] packets go to border-relay over IPv6; this one is not used");
	}
	return 0;
}

static int check_edge(struct reader *r)
{
	struct conf_mape *m = &r->conf.mape;

	r->conf.reserved[0] |= 1; /* a port set may begin at 0, which is no port */
	if (edge_s46(r) || edge_given(r) || check_domain(r, &r->domains[0]) || edge_own(r) || edge_ports(r) ||
	    edge_interfaces(r))
		return r->rc;
	if (m->dhcpv6[0] && m->has_rules && m->has_relays && (m->has_prefix || m->domain.basic >= 0))
		reader_warn(r, reader_lines(r, NULL)[KEY_DHCPV6],
			    "dhcpv6: rule, border-relay and prefix are given by hand; nothing is left for it to say");
	return 0;
}

/* One rule in two domains. */
static int relay_twins(struct reader *r, unsigned int b)
{
	const struct mape_domain *d = &r->conf.relays[b].domain;
	char address[ADDR_TEXT];

	for (unsigned int a = 0; a < b; a++) {
		const struct mape_domain *other = &r->conf.relays[a].domain;

		for (u32 i = 0; i < d->nrules * other->nrules; i++) {
			const struct mape_rule *x = &d->rules[i % d->nrules], *y = &other->rules[i / d->nrules];

			if (mape_rule_same(x, y))
				return reader_fail(r, r->conf.relays[b].line,
						   "rule4: %s/%u is in [%s] and in [%s]: one of them is too much",
						   addr_print(address, be32_of(x->addr)), x->prefix4,
						   r->conf.relays[a].name, r->conf.relays[b].name);
		}
	}
	return 0;
}

/* What [border-relay] sections say of the one tunnel must be the same in all that say it. */
static int relay_tunnel(struct reader *r, unsigned int relay, enum conf_key_id id)
{
	const struct conf_key *key = &conf_keys[id];
	int line = reader_relay_lines(r, relay)[id];
	const char *given = (const char *)&r->tunnels[relay] + key->offset;
	char *field = (char *)&r->conf.relay_tunnel + key->offset;

	if (!line)
		return 0;
	for (unsigned int i = 0; i < relay; i++)
		if (reader_relay_lines(r, i)[id] && memcmp(given, field, key->size))
			return reader_fail(
				r, line,
				"%s is another one in line %d: all [border-relay] sections have one; give it "
				"once",
				key->name, reader_relay_lines(r, i)[id]);
	memcpy(field, given, key->size);
	return 0;
}

static int check_relay(struct reader *r, unsigned int i)
{
	struct conf_relay *relay = &r->conf.relays[i];
	const int *lines = reader_relay_lines(r, i);

	if (!lines[KEY_BR_ADDRESS])
		return reader_fail(r, relay->line, "section [%s] has no address: add address = ADDRESS6", relay->name);
	if (!lines[KEY_RULE])
		return reader_fail(r, relay->line, "section [%s] has no rule: add rule = ...", relay->name);
	relay->domain.brs[0] = relay->address;
	relay->domain.nbrs = 1;
	for (u32 n = 0; n < relay->domain.nrules; n++)
		relay->domain.rules[n].flags |= MAPE_FORWARDING; /* packets go by all of them */
	if (check_domain(r, &r->domains[1 + i]) || relay_twins(r, i) || relay_tunnel(r, i, KEY_HOP_LIMIT) ||
	    relay_tunnel(r, i, KEY_DSCP) || relay_tunnel(r, i, KEY_ECN) || relay_tunnel(r, i, KEY_PATH_MTU))
		return r->rc;
	return 0;
}

static int check_relays(struct reader *r)
{
	struct conf *c = &r->conf;
	u32 rules = 0;

	for (unsigned int i = 0; i < c->nrelays; i++) {
		if (check_relay(r, i))
			return r->rc;
		rules += c->relays[i].domain.nrules;
		if (rules > MAPE_RULES_MAX)
			return reader_fail(r, c->relays[i].line,
					   "too many rules: all [border-relay] sections have at most %d together",
					   MAPE_RULES_MAX);
	}
	if (r->seen & (SECTION_NAT | SECTION_TIMERS))
		reader_warn(r, 0, "[nat] and [timers] say nothing in a border relay: it translates nothing");
	return 0;
}

int reader_check_mape(struct reader *r)
{
	if (r->conf.kind == MODE_CE)
		return check_edge(r);
	return r->conf.kind == MODE_BR ? check_relays(r) : 0;
}
