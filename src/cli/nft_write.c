/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_write.c - a plan made from a ruleset, as a configuration */
#include "nft_write.h"

#include <stdarg.h>
#include <string.h>

#include "lib/addr.h"

#define WIDTH 116 /* of a comment; the configuration's own limit is 197 */
#define LINE_MAX_BYTES 2048
#define RESERVE_A_LINE 8

/* A comment, broken between words: `first` begins it, "# " and as many blanks its other lines. */
static void comment(FILE *to, const char *first, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void comment(FILE *to, const char *first, const char *format, ...)
{
	char text[LINE_MAX_BYTES];
	size_t column, length;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	column = (size_t)fprintf(to, "# %s", first);
	for (const char *word = text, *blank = ""; *word; blank = " ") {
		length = strcspn(word, " \n\t");
		length = length > WIDTH ? WIDTH : length;
		if (*blank && column + 1 + length > WIDTH) {
			column = (size_t)fprintf(to, "\n# %*s", (int)strlen(first), "") - 1;
			blank = "";
		}
		column += (size_t)fprintf(to, "%s%.*s", blank, (int)length, word);
		word += length + strspn(word + length, " \n\t");
	}
	fputc('\n', to);
}

static const char *address_text(const struct nft_plan *plan, char text[ADDR_TEXT])
{
	return plan->address ? addr_print(text, plan->address) : strcpy(text, "ADDRESS");
}

static void head_set(FILE *to, const struct nft_plan *plan)
{
	char text[ADDR_TEXT], ranges[64] = "a range";

	if (!plan->set.psid_len) {
		comment(to, "", "Found: all ports of %s, an address that is not shared.", address_text(plan, text));
		return;
	}
	if (plan->set.whole > 1)
		snprintf(ranges, sizeof(ranges), "%u of %u ranges", plan->set.there, plan->set.whole);
	comment(to, "", "Found: %s of %u ports of %s: offset %u, psid-len %u, psid %u (0x%x).", ranges,
		1u << nft_mape_bits(&plan->set), address_text(plan, text), plan->set.offset, plan->set.psid_len,
		plan->set.psid, plan->set.psid);
}

static void head(FILE *to, const struct nft_plan *plan)
{
	json_t *note;
	size_t i;

	comment(to, "",
		"Made by 'portico import nft %s'. What is commented out and in capitals must be filled in; then:",
		plan->said->file);
	fputs("# portico check FILE\n#\n", to);
	if (plan->map_e)
		head_set(to, plan);
	else
		comment(to, "", "Found: NAT44%s%s.", *plan->outgoing ? " on " : "", plan->outgoing);
	json_array_foreach(plan->notes, i, note)
		comment(to, "- ", "%s", json_string_value(note));
	fputs("\n[gateway]\n# name = gateway\n", to);
}

static void lan(FILE *to, const struct nft_plan *plan)
{
	const char *name = plan->said->lan ? plan->said->lan : plan->lan;
	char text[ADDR_TEXT];

	fputs("\n[lan]\n", to);
	if (*name)
		fprintf(to, "interface = %s\n", name);
	else
		fputs("# The ruleset does not say which interface is the LAN's.\n# interface = NAME\n", to);
	if (plan->router)
		fprintf(to, "address = %s/%u\n", addr_print(text, plan->router), plan->length);
	else if (plan->prefix)
		comment(to, "", "The LAN is %s/%u; the router's address is the interface's first.",
			addr_print(text, plan->prefix), plan->length);
}

static void wan(FILE *to, const struct nft_plan *plan)
{
	const char *name = plan->said->wan ? plan->said->wan : plan->map_e ? "" : plan->outgoing;
	char text[ADDR_TEXT];

	fputs("\n[wan]\n", to);
	if (plan->map_e)
		comment(to, "",
			"The interface with the IPv6 uplink. The ruleset knows the tunnel alone%s%s, which Portico "
			"takes the place of.",
			*plan->outgoing ? ", " : "", plan->outgoing);
	else if (!*name)
		fputs("# The ruleset does not say which interface is the WAN.\n", to);
	if (*name)
		fprintf(to, "interface = %s\n", name);
	else
		fputs("# interface = NAME\n", to);
	if (!plan->map_e && plan->address)
		comment(to, "",
			"The ruleset translates to %s. Without this line, it is the first address that the "
			"interface has:\n",
			address_text(plan, text));
	if (!plan->map_e && plan->address)
		fprintf(to, "# address = %s/LENGTH\n", address_text(plan, text));
}

static void rule(FILE *to, const struct nft_plan *plan)
{
	char text[ADDR_TEXT];

	fputs("\n[map-e]\n", to);
	comment(to, "",
		"The IPv4 side of the rule. Where the provider's whole rule is known, it belongs here instead: "
		"it also gives the tunnel's address.");
	fprintf(to, "%srule = ::/0 %s/32 ea 0", plan->address ? "" : "# ", address_text(plan, text));
	if (plan->set.psid_len)
		fprintf(to, " offset %u psid-len %u psid %u", plan->set.offset, plan->set.psid_len, plan->set.psid);
	fputc('\n', to);
}

static void tunnel(FILE *to, const struct nft_plan *plan)
{
	if (plan->said->relay)
		fprintf(to, "border-relay = %s\n", plan->said->relay);
	else
		fputs("# The provider's end of the tunnel: 'ip -6 tunnel show' has it as remote.\n"
		      "# border-relay = ADDRESS6\n",
		      to);
	if (plan->said->address6)
		fprintf(to, "address = %s\n", plan->said->address6);
	else
		fputs("# This end of the tunnel: 'ip -6 tunnel show' has it as local.\n# address = ADDRESS6\n", to);
}

static void nat(FILE *to, const struct nft_plan *plan)
{
	if (plan->map_e && !*plan->choice && !plan->nreserve)
		return;
	fputs("\n[nat]\n", to);
	if (*plan->choice)
		comment(to, "", "The ruleset chose a range by %s; Portico takes any port that is free.", plan->choice);
	if (!plan->map_e && plan->lo)
		fprintf(to, "ports = %u-%u\n", plan->lo, plan->hi);
	else if (!plan->map_e)
		fputs("# ports = 1024-65535\n", to);
	if (plan->nreserve)
		fputs("# Ports of the set that the ruleset gives to no connection: kept for servers.\n", to);
	for (size_t i = 0; i < plan->nreserve; i++)
		fprintf(to, "%s%u-%u%s", i % RESERVE_A_LINE ? ", " : "reserve = ", plan->reserve[i].lo,
			plan->reserve[i].hi, i + 1 == plan->nreserve || (i + 1) % RESERVE_A_LINE == 0 ? "\n" : "");
}

static void rules_left(FILE *to, const struct nft_ruleset *rs)
{
	size_t n = 0;

	for (size_t i = 0; i < rs->nrules; i++) {
		const struct nft_rule *r = &rs->rules[i];

		if (!r->why)
			continue;
		if (!n++)
			fputs("\n# Not carried over:\n", to);
		comment(to, "  ", "%s %s %s handle %ld: %s", r->family, r->table, r->chain, (long)r->handle, r->text);
		comment(to, "      ", "%s", r->why);
	}
}

void nft_write(FILE *to, const struct nft_plan *plan, const struct nft_ruleset *rs)
{
	head(to, plan);
	lan(to, plan);
	wan(to, plan);
	if (plan->map_e) {
		rule(to, plan);
		tunnel(to, plan);
	}
	nat(to, plan);
	rules_left(to, rs);
}
