/* SPDX-License-Identifier: GPL-2.0-or-later */
/* domain.c - the DHCPv6 file of a customer edge: it appears, changes, goes
 *
 *   waiting --(a rule and a prefix that fit)--> known --(others)--> known, of those
 *      ^---------------(file or prefix gone)------'
 *
 * It is looked at each second. Contents that cannot be right are logged, and what was known holds.
 */
#include <errno.h>
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
	struct err problem;
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

static void known(struct gateway *g, const struct mape_domain *fresh)
{
	char address[ADDR_TEXT], prefix[PREFIX6_TEXT];
	struct mape_customer own;

	g->conf.mape.domain = *fresh;
	mape_domain_own(fresh, &own);
	g->domain->problem.text[0] = '\0';
	log_info("MAP-E: %s, PSID %u, %u ports, by prefix %s",
		 addr_print(address, (PORTICO_FORCE be32)htonl(own.own.addr)), own.own.psid, own.ports.count,
		 prefix6_print(prefix, fresh->pd, fresh->pd_length));
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
	log_warn("%s", err.text);
	if (rc != -ENOENT)
		return false;
	d->problem = err;
	g->conf.mape.domain = d->by_hand;
	return true;
}
