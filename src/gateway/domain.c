/* SPDX-License-Identifier: GPL-2.0-or-later */
/* domain.c - the DHCPv6 file of a customer edge: it appears, changes, goes
 *
 *   waiting --(a rule and a prefix that fit)--> known --(others)--> known, of those
 *      ^---------------(file or prefix gone)------'
 *
 * It is looked at each second. Contents that cannot be right are complained of, and what was known holds. A client
 * writes the file anew each time it hears from its server: what is the same as before is not logged again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gateway.h"
#include "lib/addr.h"
#include "lib/log.h"

struct domain {
	struct mape_domain by_hand; /* what the configuration file says */
	struct timespec changed;
	ino_t inode;
	off_t size;
	bool looked;
	struct err problem; /* of the file as it is now; "": none */
	char known[256];    /* as last logged */
};

int domain_init(struct gateway *g)
{
	g->domain = calloc(1, sizeof(*g->domain));
	if (!g->domain)
		return -ENOMEM;
	g->domain->by_hand = g->conf.mape.domain;
	return 0;
}

void domain_exit(struct gateway *g)
{
	free(g->domain);
	g->domain = NULL;
}

const char *domain_problem(const struct gateway *g)
{
	if (!g->domain->problem.text[0])
		return "no MAP-E rule and delegated prefix yet";
	return g->domain->problem.text;
}

static bool file_changed(struct domain *d, const char *path)
{
	struct stat st = {0};
	bool same;

	stat(path, &st); /* gone: all zero */
	same = d->looked && st.st_ino == d->inode && st.st_size == d->size && st.st_mtim.tv_sec == d->changed.tv_sec &&
	       st.st_mtim.tv_nsec == d->changed.tv_nsec;
	d->looked = true;
	d->inode = st.st_ino;
	d->size = st.st_size;
	d->changed = st.st_mtim;
	return !same;
}

const char *domain_complaint(const struct gateway *g)
{
	return g->domain->problem.text;
}

static void known(struct gateway *g, const struct mape_domain *fresh)
{
	char address[ADDR_TEXT], prefix[PREFIX6_TEXT], end[ADDR6_TEXT], relay[ADDR6_TEXT];
	const struct conf_mape *m = &g->conf.mape;
	struct domain *d = g->domain;
	struct mape_customer own;
	char text[sizeof(d->known)];

	g->conf.mape.domain = *fresh;
	d->problem.text[0] = '\0';
	mape_domain_own(fresh, &own);
	snprintf(text, sizeof(text), "MAP-E: %s, PSID %u, %u ports, by prefix %s; tunnel from %s to %s",
		 addr_print(address, (PORTICO_FORCE be32)htonl(own.own.addr)), own.own.psid, own.ports.count,
		 fresh->has_pd ? prefix6_print(prefix, fresh->pd, fresh->pd_length) : "none",
		 addr6_print(end, m->has_address ? m->address : own.address), addr6_print(relay, fresh->brs[0]));
	if (strcmp(text, d->known))
		log_info("%s", text);
	strcpy(d->known, text);
}

/* The file is not there, or says too little: what was known ends. */
static void unknown(struct gateway *g)
{
	g->conf.mape.domain = g->domain->by_hand;
	g->domain->known[0] = '\0';
}

bool domain_follow(struct gateway *g)
{
	struct domain *d = g->domain;
	struct mape_domain fresh;
	struct err err = {{0}};
	int rc;

	if (g->conf.kind != MODE_CE || !g->conf.mape.dhcpv6[0] || !file_changed(d, g->conf.mape.dhcpv6))
		return false;
	rc = conf_mape_follow(&g->conf, &fresh, &err);
	if (!rc) {
		known(g, &fresh);
		return true;
	}
	if (rc == -ENOENT)
		unknown(g);
	d->problem = err;
	return true;
}
