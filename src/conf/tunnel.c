/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel.c - the configuration's tunnel as the packet path takes it */
#include <errno.h>
#include <stdlib.h>

#include "conf.h"

#define MTU_DEFAULT 1500

static struct ip_addr address(struct addr6 a)
{
	struct ip_addr ip;

	addr6_to_wire(ip.w, a);
	return ip;
}

static void header(struct dp_tunnel *t, const struct conf_tunnel *from)
{
	*t = (struct dp_tunnel){
		.mtu = from->mtu ? from->mtu : MTU_DEFAULT,
		.hop_limit = from->hop_limit,
		.dscp = from->dscp,
		.ecn = from->ecn,
	};
}

/* `relay` is the domain's, in a border relay. At most MAPE_RULES_MAX are there: the file was checked for that. */
static void rule_add(struct dp_tunnel *t, const struct mape_rule *rule, u8 relay)
{
	struct mape_rule *to = &t->rules[t->nrules];

	*to = *rule;
	to->relay = relay;
	to->index = (u8)t->nrules++;
}

/* Forwarding rules keep the order of the domain, which is that of their prefixes. */
static int edge(const struct conf_mape *m, struct dp_tunnel *t)
{
	const struct mape_domain *d = &m->domain;
	struct mape_customer own = {.has_address = false};

	header(t, &m->tunnel);
	if (d->basic >= 0 && d->nrules)
		mape_domain_own(d, &own);
	if (!d->nbrs || d->basic < 0 || !d->nrules || (!m->has_address && !own.has_address))
		return -EAGAIN;
	t->local = address(m->has_address ? m->address : own.address);
	for (u32 i = 0; i < d->nbrs; i++)
		t->relay[t->nrelays++] = address(d->brs[i]);
	for (u32 i = 0; i < d->nrules; i++)
		if (d->rules[i].flags & MAPE_FORWARDING)
			rule_add(t, &d->rules[i], 0);
	return 0;
}

/* Longest IPv4 prefix first; else in the order of the file. */
static int order(const void *a, const void *b)
{
	const struct mape_rule *x = a, *y = b;

	return x->prefix4 != y->prefix4 ? (int)y->prefix4 - (int)x->prefix4 : (int)x->index - (int)y->index;
}

static int relay(const struct conf *c, struct dp_tunnel *t)
{
	header(t, &c->relay_tunnel);
	for (unsigned int i = 0; i < c->nrelays; i++) {
		t->relay[t->nrelays++] = address(c->relays[i].address);
		for (u32 n = 0; n < c->relays[i].domain.nrules; n++)
			rule_add(t, &c->relays[i].domain.rules[n], (u8)i);
	}
	qsort(t->rules, t->nrules, sizeof(*t->rules), order);
	for (u32 i = 0; i < t->nrules; i++)
		t->rules[i].index = (u8)i;
	return 0;
}

int conf_tunnel_make(const struct conf *c, struct dp_tunnel *t)
{
	if (c->kind == MODE_CE)
		return edge(&c->mape, t);
	if (c->kind == MODE_BR)
		return relay(c, t);
	*t = (struct dp_tunnel){0};
	return -EINVAL;
}
