/* SPDX-License-Identifier: GPL-2.0-or-later */
/* router.c - what stands between LAN and WAN on a path, of each kind */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"

#define TUNNEL "ip6tnl1" /* the way out in the rulesets among the ready labs */
#define UDP_TIMEOUT "300"

static int floor_start(struct path *p, struct err *err)
{
	const struct topology *t = p->topology;

	for (u32 i = 0; i < t->floors; i++) {
		struct load_hop hop[2] = {0};

		for (int side = 0; side < 2; side++) {
			const struct topology_end *end = &t->floor[i].hop[side];

			hop[side].ifindex = p->net.end[end->port].ifindex;
			hop[side].vid = end->vid;
			memcpy(hop[side].mac, p->net.end[end->port].mac, 6);
			memcpy(hop[side].next, p->net.end[end->across].mac, 6);
		}
		p->floor[i] = load_floor_open(p->net.ns[t->floor[i].place], hop, p->v->work, err);
		if (!p->floor[i])
			return -EIO;
	}
	return 0;
}

/* Timers of Portico's length: no flow may end in the middle. */
static int timeouts_set(struct path *p, struct err *err)
{
	return net_run(&p->net, p->topology->place[PATH_GW], err,
		       "sysctl -qw net.netfilter.nf_conntrack_udp_timeout=" UDP_TIMEOUT
		       " net.netfilter.nf_conntrack_udp_timeout_stream=" UDP_TIMEOUT);
}

/* Room for all flows; but where it is the room that is measured. */
static int conntrack_widen(struct path *p, struct err *err)
{
	int rc;

	if (p->lab->load.kind == LAB_TABLE)
		return 0;
	rc = conntrack_room_get(&p->undo->room, err);
	if (rc)
		return rc;
	if (p->lab->load.flows + p->lab->load.flows / 8 <= p->undo->room.max)
		return 0;
	p->undo->conntrack = true;
	return conntrack_room_widen(&p->undo->room, p->lab->load.flows, err);
}

/* Also loads connection tracking, where that is a module: only then it has settings. */
static int ruleset_load(struct path *p, const char *file, struct err *err)
{
	int rc = net_run(&p->net, p->topology->place[PATH_GW], err, "nft -f %s", file);

	if (!rc)
		rc = timeouts_set(p, err);
	return rc ? rc : conntrack_widen(p, err);
}

/* `text` with the way out named as it is here. */
static void ruleset_write(FILE *to, const char *text)
{
	for (const char *at; (at = strstr(text, TUNNEL)); text = at + strlen(TUNNEL))
		fprintf(to, "%.*swan", (int)(at - text), text);
	fputs(text, to);
}

static int ruleset_copy(FILE *to, const char *name, struct err *err)
{
	char path[LAB_TEXT], file[2 * LAB_TEXT], *line = NULL;
	size_t room = 0;
	FILE *from;

	snprintf(file, sizeof(file), "%s/%s", lab_directory(path), name);
	from = fopen(file, "re");
	if (!from)
		return err_set(err, -errno, "%s: %s; it belongs to the ready labs", file, strerror(errno));
	while (getline(&line, &room, from) > 0)
		ruleset_write(to, line);
	free(line);
	fclose(from);
	return 0;
}

/* The shortest ruleset that does the job. */
static void masquerade_write(FILE *to)
{
	fprintf(to, "table ip home {\n"
		    "	chain post {\n"
		    "		type nat hook postrouting priority srcnat\n"
		    "		oifname wan masquerade\n"
		    "	}\n"
		    "}\n");
}

static int nftables_start(struct path *p, struct err *err)
{
	int file = memfd_create("ruleset", 0), rc = 0;
	FILE *to = file < 0 ? NULL : fdopen(file, "w");
	char name[64];

	if (!to)
		return err_set(err, -errno, "cannot keep a ruleset: %s", strerror(errno));
	if (p->topology->ruleset)
		rc = ruleset_copy(to, p->topology->ruleset, err);
	else
		masquerade_write(to);
	fflush(to);
	rewind(to);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", file);
	if (!rc)
		rc = ruleset_load(p, name, err);
	fclose(to);
	return rc;
}

static int ruleset_start(struct path *p, struct err *err)
{
	char where[LAB_WHERE];
	struct err cause;
	int rc;

	if (access(p->v->ruleset, R_OK))
		return err_set(err, -errno, "%s: variant '%s': ruleset %s: %s", lab_where(where, p->lab, p->v->line),
			       p->v->name, p->v->ruleset, strerror(errno));
	rc = ruleset_load(p, p->v->ruleset, err);
	if (!rc)
		return 0;
	cause = *err;
	return err_set(err, rc, "%s: variant '%s': %s", lab_where(where, p->lab, p->v->line), p->v->name, cause.text);
}

int router_start(struct path *p, struct err *err)
{
	switch (p->v->router) {
	case LAB_REDIRECT:
		return floor_start(p, err);
	case LAB_NFTABLES:
		return nftables_start(p, err);
	case LAB_RULESET:
		return ruleset_start(p, err);
	case LAB_PORTICO:
		return portico_start(p, err);
	case LAB_FORWARD:
	case LAB_HOOKS:
		break;
	}
	return 0;
}

/* The rest is the keeper's. */
void router_stop(struct path *p)
{
	for (int i = 0; i < TOPOLOGY_FLOORS; i++)
		load_floor_close(p->floor[i]);
}
