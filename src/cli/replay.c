/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.c - portico replay: the packet core over capture files */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "setup.h"
#include "tally.h"

/* Files of one direction. */
struct files {
	struct opt_list lan, wan, self;
};

struct replay {
	struct files in, out;
	bool json;
	bool all;
};

_Static_assert(sizeof(struct replay) <= COMMAND_OPTIONS_SIZE, "options of replay");

/* How a LAN is called on the command line: NAME of [lan NAME], "lan" of [lan]. */
static const char *lan_name(const struct conf_port *port)
{
	return port->name[3] ? port->name + 3 + strspn(port->name + 3, " \t") : port->name;
}

/* "NAME=FILE", or "FILE" where there is one LAN. */
static int lan_file(const struct conf *c, const char *value, struct replay_file *file, struct err *err)
{
	size_t length = strcspn(value, "=");
	unsigned int lans = 0;
	char names[256] = "";

	for (u32 i = 0; i < c->nports; i++) {
		const char *name = lan_name(&c->ports[i]);

		if (c->ports[i].role != ROLE_LAN)
			continue;
		if (!lans++)
			*file = (struct replay_file){.port = i, .path = value};
		if (value[length] && strlen(name) == length && !memcmp(name, value, length)) {
			*file = (struct replay_file){.port = i, .path = value + length + 1};
			return 0;
		}
		snprintf(names + strlen(names), sizeof(names) - strlen(names), " %s", name);
	}
	return lans == 1 ? 0 : err_set(err, -EINVAL, "'%s': which LAN? Write NAME=FILE, with one of%s", value, names);
}

static u32 wan_port(const struct conf *c)
{
	u32 i = 0;

	while (c->ports[i].role != ROLE_WAN)
		i++;
	return i;
}

/* Files of all sides, LANs first: packets of one time run in this order. */
static int files_of(const struct conf *c, const struct files *from, struct replay_file *files, struct err *err)
{
	u32 n = 0;

	for (unsigned int i = 0; i < from->lan.count; i++)
		if (lan_file(c, from->lan.value[i], &files[n++], err))
			return -EINVAL;
	for (unsigned int i = 0; i < from->wan.count; i++)
		files[n++] = (struct replay_file){.port = wan_port(c), .path = from->wan.value[i]};
	if (from->self.count && c->kind != MODE_CE)
		return err_set(err, -EINVAL, "'%s': this router's own traffic is told apart with [map-e] only",
			       from->self.value[0]);
	for (unsigned int i = 0; i < from->self.count; i++) /* behind the ports of the file */
		files[n++] = (struct replay_file){.port = c->nports, .path = from->self.value[i]};
	return (int)n;
}

static int show(const struct replay *o, const struct replay_result *r)
{
	if (o->json)
		return command_json(json_pack("{s:I, s:I, s:I, s:I, s:I, s:o}", "packets", (json_int_t)r->packets,
					      "first_ns", (json_int_t)r->first_ns, "last_ns", (json_int_t)r->last_ns,
					      "flows", (json_int_t)r->flows, "expired", (json_int_t)r->expired,
					      "counters", tally_json(r->counters, o->all)));
	printf("%llu packets in %.3f s; %u flows open, %u ended by their timers\n", r->packets,
	       (double)(r->last_ns - r->first_ns) / 1e9, r->flows, r->expired);
	tally_print(r->counters, o->all);
	return COMMAND_DONE;
}

static int run(const void *options, char **operands)
{
	struct replay_file inputs[3 * OPT_LIST_MAX], outputs[3 * OPT_LIST_MAX];
	const struct replay *o = options;
	struct replay_options replay;
	struct replay_result result;
	struct setup setup;
	struct conf conf;
	struct err err;
	int nin, nout;

	if (!o->in.lan.count && !o->in.wan.count && !o->in.self.count)
		return command_fail(COMMAND_USAGE, "replay: no capture file: give --lan FILE, --wan FILE, or both");
	if (conf_read(&conf, operands[0], &err) || setup_replay(&conf, &setup, &replay, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	nin = files_of(&conf, &o->in, inputs, &err);
	nout = nin < 0 ? nin : files_of(&conf, &o->out, outputs, &err);
	if (nout < 0)
		return command_fail(COMMAND_USAGE, "replay: %s", err.text);
	replay.inputs = inputs;
	replay.ninputs = (u32)nin;
	replay.outputs = outputs;
	replay.noutputs = (u32)nout;
	if (replay_run(&replay, &result, &err))
		return command_fail(COMMAND_FAILED, "%s", err.text);
	return show(o, &result);
}

static const struct opt options[] = {
	{0, "lan", "[NAME=]FILE", opt_list, offsetof(struct replay, in.lan), "what came in from a LAN", 0, 0},
	{0, "wan", "FILE", opt_list, offsetof(struct replay, in.wan), "what came in from the WAN", 0, 0},
	{0, "self", "FILE", opt_list, offsetof(struct replay, in.self), "what a MAP-E router sent itself", 0, 0},
	{0, "out-lan", "[NAME=]FILE", opt_list, offsetof(struct replay, out.lan), "write what goes out to a LAN", 0, 0},
	{0, "out-wan", "FILE", opt_list, offsetof(struct replay, out.wan), "write what goes out to the WAN", 0, 0},
	{0, "out-self", "FILE", opt_list, offsetof(struct replay, out.self), "write what goes to that router", 0, 0},
	{'a', "all", NULL, opt_flag, offsetof(struct replay, all), "counters that are zero as well", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct replay, json), "print JSON", 0, 0},
	{0},
};

const struct command command_replay = {
	.name = "replay",
	.operands = "CONF",
	.min = 1,
	.max = 1,
	.summary = "run capture files through the packet core, without privileges",
	.text = "Runs the frames of capture files (pcap, pcapng) through the same packet core that runs in the kernel, "
		"in\n"
		"the order of their timestamps, and prints what became of them. Needs no privileges and asks nothing "
		"of\n"
		"the system: addresses, neighbours and the gateway come from CONF (see portico.conf(5)), the clock "
		"from\n"
		"the captures. The same input always gives the same output. With several LANs, NAME= says which one.",
	.example = "  portico replay home.conf --lan in.pcap --wan back.pcap --out-wan out.pcap --out-lan home.pcap",
	.options = options,
	.run = run,
};
