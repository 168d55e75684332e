/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inside.h - a path while it is there: what the files of path.h share */
#ifndef PORTICO_BENCH_LAB_INSIDE_H
#define PORTICO_BENCH_LAB_INSIDE_H

#include "conntrack.h"
#include "topology.h"

#define PATH_PROGRAM 512
#define PATH_SYSCTL 256
#define LAB_WHERE (LAB_TEXT + 16)

/* What the keeper does when the path goes, whatever ends the program: memory that both see, written before the thing is
 * done that is to be undone. */
struct path_undo {
	pid_t hook; /* group of the hook that runs; 0: none */
	int ns[2];  /* of a wire, for the teardown */
	bool conntrack;
	struct conntrack_room room;
	char portico[PATH_PROGRAM]; /* the program that brought it up; "": none did */
	char instance[2][32];
	struct {
		char path[PATH_SYSCTL], value[PATH_SYSCTL];
	} sysctl[LAB_SETTINGS]; /* of the whole machine */
	u32 nsysctls;
	char what[2 * LAB_WHERE], teardown[LAB_TEXT]; /* not run yet */
	double limit;
};

struct path {
	const struct lab *lab;
	const struct lab_variant *v;
	const struct topology *topology;
	struct net_plan plan; /* with this router's routes */
	struct net net;
	int wire[2]; /* namespaces of a wire's ends */
	struct load_end wire_end[2];
	struct load_floor *floor[TOPOLOGY_FLOORS];
	struct path_undo *undo;
};

/* "FILE:LINE", or "variant 'NAME'" of one from the command line: heads messages. Returns `text`. */
const char *lab_where(char text[LAB_WHERE], const struct lab *lab, int line);

/* Whether Linux's own forwarding carries the packets, with or without its connection tracking. */
bool path_linux(const struct path *p);
/* hook_run() of lines without single quotes in a namespace of `ip netns` ("": here), with that namespace's /sys. */
int netns_shell(const char *ns, struct hook h, char **output, struct err *err);

/* router.c */
int router_start(struct path *p, struct err *err);
void router_stop(struct path *p);
/* portico.c: brings up the variant's gateway, and the border relay where there is one. */
int portico_start(struct path *p, struct err *err);
/* Finds `portico`: the variant's, or of this program's build. 0 or -ENOENT. */
int portico_program(const struct lab_variant *v, char path[PATH_PROGRAM], struct err *err);
void portico_undo(const struct path_undo *undo);
int portico_flush(const struct path *p, u64 *ended, struct err *err);
int portico_flows(const struct path *p, u64 *flows, struct err *err);

/* setting.c: what must be there before the router is. */
int settings_apply(struct path *p, struct err *err);
void settings_undo(const struct path_undo *undo);

/* wire.c: opens the ends of a wire; -ENODEV. */
int wire_open(struct path *p, struct err *err);
void wire_load(const struct path *p, struct load_path *load);

/* hook.c: where hook_run() leaves which group of processes it waits for. */
extern pid_t *hook_running;

#endif
