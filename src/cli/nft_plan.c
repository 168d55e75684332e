/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_plan.c - what a ruleset does for a home, in the terms of a Portico configuration */
#include "nft_plan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_MAX 512
#define NAMES_MAX 256

void nft_note(struct nft_plan *plan, const char *format, ...)
{
	char text[NOTE_MAX];
	json_t *note;
	va_list ap;
	size_t i;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	json_array_foreach(plan->notes, i, note) {
		if (nft_is(note, text))
			return;
	}
	json_array_append_new(plan->notes, json_string(text));
}

/* The interface, of those that the ruleset names, that packets are translated on. */
static int outgoing_find(struct nft_plan *plan, struct nft_ruleset *rs, struct nft_ranges *ranges, struct err *err)
{
	json_t *names = nft_outgoing_names(rs), *name;
	char found[NAMES_MAX] = "";
	size_t i, n = 0;

	json_array_foreach(names, i, name) {
		const char *text = json_string_value(name);
		size_t length = strlen(found);

		if (!nft_walk(rs, ranges, text))
			continue;
		snprintf(found + length, sizeof(found) - length, "%s%s", n++ ? ", " : "", text);
		snprintf(plan->outgoing, sizeof(plan->outgoing), "%s", text);
	}
	json_decref(names);
	if (n > 1)
		return err_set(err, -ENOTUNIQ,
			       "%s: packets are translated on several interfaces: %s; choose one with --outgoing NAME",
			       plan->said->file, found);
	return 0;
}

static int outgoing_walk(struct nft_plan *plan, struct nft_ruleset *rs, struct nft_ranges *ranges, struct err *err)
{
	int rc = 0;

	if (plan->said->outgoing)
		snprintf(plan->outgoing, sizeof(plan->outgoing), "%s", plan->said->outgoing);
	else
		rc = outgoing_find(plan, rs, ranges, err);
	if (rc)
		return rc;
	if (nft_walk(rs, ranges, plan->outgoing))
		return 0;
	return err_set(err, -ENOENT, "%s: no rule translates IPv4 packets of a LAN%s%s: there is nothing to import",
		       plan->said->file, *plan->outgoing ? " that leave by " : "", plan->outgoing);
}

/* The protocols of a set of bits: "udplite, sctp". */
static const char *protocols_text(unsigned int bits, char text[NAMES_MAX])
{
	size_t length = 0;

	*text = '\0';
	for (int p = 0; p < NFT_OTHER; p++)
		if (bits & 1u << p)
			length += (size_t)snprintf(text + length, NAMES_MAX - length, "%s%s", length ? ", " : "",
						   nft_protocol_names[p]);
	return text;
}

/* How many of the reached blocks a protocol reaches. */
static void share_note(struct nft_plan *plan, int protocol)
{
	size_t all = 0, own = 0;

	for (size_t i = 0; i < plan->nblocks; i++) {
		all += plan->blocks[i].protocols != 0;
		own += (plan->blocks[i].protocols >> protocol & 1) != 0;
	}
	if (own && own < all)
		nft_note(plan, "%s has %zu of the %zu ranges in use; with Portico each protocol has all of them",
			 nft_protocol_names[protocol], own, all);
}

/* Portico treats its protocols alike; where the ruleset does not, that is a difference. */
static void protocols_compare(struct nft_plan *plan, const struct nft_ranges *ranges)
{
	unsigned int translated = 0, free_ports = 0;
	char text[NAMES_MAX];

	for (size_t i = 0; i < ranges->n; i++) {
		translated |= ranges->at[i].protocols;
		if (!ranges->at[i].ported && ranges->at[i].address == plan->address)
			free_ports |= ranges->at[i].protocols;
	}
	if (NFT_TRANSLATED & ~translated)
		nft_note(plan, "not translated by the ruleset, but by Portico: %s",
			 protocols_text(NFT_TRANSLATED & ~translated, text));
	if (translated >> NFT_OTHER & 1)
		nft_note(plan,
			 "the ruleset translates protocols that Portico does not know (GRE, ESP): see untranslated "
			 "in portico.conf(5)");
	if ((plan->lo || plan->set.psid_len) && free_ports & NFT_TRANSLATED)
		nft_note(plan, "translated to any port by the ruleset, to the set's ports by Portico: %s",
			 protocols_text(free_ports, text));
	for (int p = 0; p < NFT_OTHER; p++)
		share_note(plan, p);
}

int nft_plan_make(struct nft_plan *plan, struct nft_ruleset *rs, const struct nft_said *said, struct err *err)
{
	struct nft_ranges ranges = {0};
	int rc;

	*plan = (struct nft_plan){.said = said, .notes = json_array()};
	rc = plan->notes ? nft_ranges_scan(&ranges, rs) : -ENOMEM;
	if (rc)
		err_set(err, rc, "out of memory");
	else
		rc = outgoing_walk(plan, rs, &ranges, err);
	if (!rc)
		rc = nft_ports_plan(plan, &ranges, err);
	if (!rc) {
		protocols_compare(plan, &ranges);
		nft_sort(plan, rs, &ranges);
	}
	free(ranges.at);
	return rc;
}

void nft_plan_free(struct nft_plan *plan)
{
	free(plan->blocks);
	free(plan->reserve);
	json_decref(plan->notes);
}
