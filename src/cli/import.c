/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import.c - portico import: a configuration out of an nftables ruleset */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "conf/mape.h"
#include "nft_write.h"

struct import {
	const char *output;
	const char *outgoing, *lan, *wan, *relay, *address6;
	bool force, json;
};

_Static_assert(sizeof(struct import) <= COMMAND_OPTIONS_SIZE, "options of import");

/* The values of the options are written as they are: they must be what they are to be. */
static int said_check(const struct import *o)
{
	const char *const names[] = {o->outgoing, o->lan, o->wan}, *const addresses[] = {o->relay, o->address6};
	struct addr6 addr;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i] && (strlen(names[i]) >= IFNAMSIZ || names[i][strcspn(names[i], "/: \t\n\v\f\r#;")]))
			return command_fail(COMMAND_USAGE,
					    "import: bad interface '%s': give its name, as 'ip link' shows it",
					    names[i]);
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
		if (addresses[i] && addr6_parse(addresses[i], &addr))
			return command_fail(COMMAND_USAGE,
					    "import: bad address '%s': give an IPv6 address, such as 2001:db8::1",
					    addresses[i]);
	return COMMAND_DONE;
}

/* Does not write over what is there, unless that is wanted. */
static int file_write(const struct import *o, const struct nft_plan *plan, const struct nft_ruleset *rs)
{
	int fd = open(o->output, O_WRONLY | O_CREAT | O_CLOEXEC | (o->force ? O_TRUNC : O_EXCL), 0666);
	FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!to && errno == EEXIST)
		return command_fail(COMMAND_FAILED, "%s is there already: give another name, or --force", o->output);
	if (!to)
		return command_fail(COMMAND_FAILED, "%s: cannot be written: %s", o->output, strerror(errno));
	nft_write(to, plan, rs);
	if (fclose(to))
		return command_fail(COMMAND_FAILED, "%s: cannot be written: %s", o->output, strerror(errno));
	return COMMAND_DONE;
}

static int plan_show(const struct import *o, const struct nft_plan *plan, const struct nft_ruleset *rs)
{
	int status = COMMAND_DONE;

	if (o->output)
		status = file_write(o, plan, rs);
	if (!status && o->json)
		status = command_json(nft_json(plan, rs));
	if (!status && !o->json && !o->output)
		nft_write(stdout, plan, rs);
	fflush(stdout);
	if (!status)
		nft_report(stderr, plan, rs);
	return status;
}

static int import(const struct import *o, const struct nft_said *said, struct err *err)
{
	struct nft_listing listing = {0};
	struct nft_ruleset rs = {0};
	struct nft_plan plan = {0};
	int status = COMMAND_FAILED;

	if (nft_load(said->file, &listing, err) || nft_ruleset_read(&rs, &listing, err) ||
	    nft_plan_make(&plan, &rs, said, err))
		command_fail(status, "%s", err->text);
	else
		status = plan_show(o, &plan, &rs);
	nft_plan_free(&plan);
	nft_ruleset_free(&rs);
	free(listing.memory);
	return status;
}

static int run(const void *options, char **operands)
{
	const struct import *o = options;
	struct nft_said said = {.file = operands[1],
				.outgoing = o->outgoing,
				.lan = o->lan,
				.wan = o->wan,
				.relay = o->relay,
				.address6 = o->address6};
	struct err err;
	int status = said_check(o);

	if (strcmp(operands[0], "nft"))
		return command_fail(COMMAND_USAGE, "import: unknown kind of file '%s': write 'portico import nft FILE'",
				    operands[0]);
	return status ? status : import(o, &said, &err);
}

static const struct opt options[] = {
	{'o', "output", "FILE", opt_text, offsetof(struct import, output), "write the configuration there", 0, 0},
	{'f', "force", NULL, opt_flag, offsetof(struct import, force), "even if the file is there", 0, 0},
	{'b', "border-relay", "ADDR6", opt_text, offsetof(struct import, relay), "far end of the MAP-E tunnel", 0, 0},
	{'a', "address6", "ADDR6", opt_text, offsetof(struct import, address6), "near end of the MAP-E tunnel", 0, 0},
	{'l', "lan", "NAME", opt_text, offsetof(struct import, lan), "interface of the LAN", 0, 0},
	{'w', "wan", "NAME", opt_text, offsetof(struct import, wan), "interface of the WAN, with the IPv6 uplink", 0,
	 0},
	{0, "outgoing", "NAME", opt_text, offsetof(struct import, outgoing),
	 "interface of the rules, where several translate", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct import, json), "print what was found as JSON", 0, 0},
	{0},
};

const struct command command_import = {
	.name = "import",
	.operands = "nft FILE",
	.min = 2,
	.max = 2,
	.summary = "make a configuration out of an nftables ruleset",
	.text = "Reads an nftables ruleset and prints the configuration that does the same: NAT44, or MAP-E where the\n"
		"ranges of ports are a port set, with offset, PSID and the ranges that no connection can get. Each "
		"rule\n"
		"that is not carried over is named. The ruleset is loaded into a network namespace of its own; the\n"
		"system's is not touched.",
	.example = "  portico import nft /etc/nftables.conf -l eth0 -w eth1 -b 2001:db8:ffff::1 -o home.conf\n"
		   "  portico import nft /etc/nftables.conf --json",
	.options = options,
	.run = run,
};
