/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.c - the path of a lab, built for one variant, and taken down */
#include "path.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"
#include "lib/addr.h"

#define HOST_FIRST 0xc0a8010aU	 /* 192.168.1.10 */
#define REMOTE_FIRST 0xc6336401U /* 198.51.100.1 */

static const struct topology *const topologies[] = {
	[LAB_HOME] = &topology_home,
	[LAB_MAP_E] = &topology_map_e,
	[LAB_TRUNK] = &topology_trunk,
	[LAB_WIRE] = &topology_wire,
};

bool path_linux(const struct path *p)
{
	return p->v->router != LAB_REDIRECT && p->v->router != LAB_PORTICO;
}

/* What hooks find in their environment. */
static void names_tell(const struct path *p)
{
	static const char *const names[] = {"PORTICO_LAN", "PORTICO_GW", "PORTICO_WAN"};
	char name[32];

	for (int i = 0; i < 3; i++) {
		const char *place = p->plan.place[p->topology->place[i]];

		if (place)
			snprintf(name, sizeof(name), "portico-%s-%d", place, getpid());
		setenv(names[i], place ? name : "", 1);
	}
	setenv("PORTICO_VARIANT", p->v->name, 1);
}

static int teardown(struct path_undo *undo, struct err *err)
{
	char line[LAB_TEXT];
	struct hook hook = {.what = undo->what, .line = line, .ns = -1, .limit = undo->limit};

	if (!*undo->teardown)
		return 0;
	strcpy(line, undo->teardown);
	*undo->teardown = '\0';
	return hook_run(&hook, NULL, err);
}

/* In the keeper. */
static void undo_all(void *arg)
{
	struct path_undo *undo = arg;
	struct err ignored;

	if (undo->hook > 0)
		kill(-undo->hook, SIGKILL);
	hook_running = &undo->hook;
	teardown(undo, &ignored);
	portico_undo(undo);
	settings_undo(undo);
	if (undo->conntrack)
		conntrack_room_set(&undo->room, &ignored);
}

static int setup(struct path *p, struct err *err)
{
	char what[2 * LAB_WHERE], where[LAB_WHERE];
	struct hook hook = {.what = what, .line = p->v->setup, .ns = -1, .limit = p->lab->load.hook_limit};

	lab_where(where, p->lab, p->v->line);
	snprintf(p->undo->what, sizeof(p->undo->what), "%s: variant '%s': teardown", where, p->v->name);
	p->undo->limit = p->lab->load.hook_limit;
	strcpy(p->undo->teardown, p->v->teardown);
	snprintf(what, sizeof(what), "%s: variant '%s': setup", where, p->v->name);
	return *p->v->setup ? hook_run(&hook, NULL, err) : 0;
}

static int wire_fits(const struct path *p, struct err *err)
{
	char where[LAB_WHERE];

	if (p->v->router == LAB_HOOKS && !p->v->nsettings)
		return 0;
	return err_set(err, -ENOTSUP,
		       "%s: variant '%s': on a wire no router is made here: use hooks, and put what is set in "
		       "setup and teardown",
		       lab_where(where, p->lab, p->v->line), p->v->name);
}

static int net_make(struct path *p, struct err *err)
{
	struct err cause;
	int rc = net_open(&p->net, &p->plan, undo_all, p->undo, err);

	if (!rc || !p->topology->vlans || !path_linux(p) || !strstr(err->text, "type vlan"))
		return rc;
	cause = *err;
	return err_set(err, -ENOTSUP,
		       "%s: router %s on a trunk needs 802.1Q interfaces, which this kernel does not have (module "
		       "8021q): %.200s",
		       p->lab->path, lab_router_names[p->v->router], cause.text);
}

/* The net is there. */
static int inhabit(struct path *p, struct err *err)
{
	int rc = 0;

	if (p->topology == &topology_wire)
		rc = wire_open(p, err);
	if (!rc)
		rc = settings_apply(p, err);
	if (!rc)
		rc = router_start(p, err);
	return rc ? rc : setup(p, err);
}

/* All zero, and the keeper's as well. */
static struct path_undo *undo_new(void)
{
	int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
	void *shared = zero < 0 ? MAP_FAILED
				: mmap(NULL, sizeof(struct path_undo), PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);

	if (zero >= 0)
		close(zero);
	return shared == MAP_FAILED ? NULL : shared;
}

static struct path *path_new(const struct lab *lab, const struct lab_variant *v)
{
	struct path *p = calloc(1, sizeof(*p));
	const char *const *routes;

	if (!p)
		return NULL;
	p->lab = lab;
	p->v = v;
	p->topology = topologies[lab->topology];
	p->plan = *p->topology->plan;
	p->wire[0] = p->wire[1] = -1;
	routes = path_linux(p) ? p->topology->routes_linux : p->topology->routes_xdp;
	if (routes)
		p->plan.routes = routes;
	p->undo = undo_new();
	if (p->undo)
		return p;
	free(p);
	return NULL;
}

static void path_free(struct path *p)
{
	static pid_t nobody;

	for (int i = 0; i < 2; i++)
		if (p->wire[i] >= 0)
			close(p->wire[i]);
	hook_running = &nobody;
	munmap(p->undo, sizeof(*p->undo));
	free(p);
}

struct path *path_open(const struct lab *lab, const struct lab_variant *v, struct err *err)
{
	struct path *p = path_new(lab, v);
	struct err ignored;
	int rc;

	if (!p) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	hook_running = &p->undo->hook;
	names_tell(p);
	rc = lab->topology == LAB_WIRE ? wire_fits(p, err) : 0;
	if (!rc)
		rc = net_make(p, err);
	if (rc) {
		path_free(p);
		return NULL;
	}
	rc = inhabit(p, err);
	if (!rc)
		return p;
	path_close(p, &ignored);
	return NULL;
}

int path_close(struct path *p, struct err *err)
{
	int rc = teardown(p->undo, err);

	router_stop(p);
	net_close(&p->net);
	path_free(p);
	return rc;
}

static struct load_end end_of(const struct path *p, enum path_place place, const struct topology_end *end)
{
	struct load_end load = {.ns = path_ns(p, place), .ifindex = p->net.end[end->port].ifindex, .vid = end->vid};

	memcpy(load.mac, p->net.end[end->port].mac, 6);
	memcpy(load.hop, p->net.end[end->across].mac, 6);
	return load;
}

/* Which addresses packets come out with. What a ruleset or a hook makes of them nobody knows. */
static void source_expect(const struct path *p, struct load_path *load)
{
	switch (p->v->router) {
	case LAB_FORWARD:
	case LAB_REDIRECT:
		load->source = (PORTICO_FORCE be32)htonl(HOST_FIRST & 0xffffff00);
		load->mask = addr_mask(24);
		break;
	case LAB_NFTABLES:
	case LAB_PORTICO:
		load->source = (PORTICO_FORCE be32)htonl(p->topology->outside);
		load->mask = addr_mask(32);
		break;
	case LAB_RULESET:
	case LAB_HOOKS:
		break;
	}
}

int path_load(const struct path *p, struct load_path *load, struct err *err)
{
	*load = (struct load_path){
		.host_first = HOST_FIRST,
		.remote_first = REMOTE_FIRST,
		.spread = p->lab->load.destinations,
		.flows_max = p->lab->load.flows,
	};
	if (p->topology == &topology_wire) {
		wire_load(p, load);
		return 0;
	}
	load->near = end_of(p, PATH_LAN, &p->topology->near);
	load->far = end_of(p, PATH_WAN, &p->topology->far);
	source_expect(p, load);
	if (p->topology->ports && load->mask == addr_mask(32) && load->flows_max > p->topology->ports * load->spread)
		return err_set(err, -ENOTSUP,
			       "%s: %u flows to %u destinations are more than the %u ports of the edge carry: more "
			       "destinations, or fewer flows",
			       p->lab->path, load->flows_max, load->spread, p->topology->ports);
	return 0;
}

int path_ns(const struct path *p, enum path_place place)
{
	if (p->topology != &topology_wire)
		return p->net.ns[p->topology->place[place]];
	return place == PATH_GW ? p->net.ns[NET_HERE] : p->wire[place == PATH_WAN];
}

const char *path_host(const struct path *p)
{
	return p->topology->host;
}

const char *path_remote(const struct path *p)
{
	return p->topology->remote;
}

const char *path_trace(const struct path *p, char *text, size_t room)
{
	net_trace(&p->net, text, room);
	return text;
}
