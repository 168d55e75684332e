/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape.h - a MAP-E domain as it was given, by hand or by DHCPv6, and what in it cannot be right
 *
 *      struct mape_domain d = {.format = MAPE_RFC7597};
 *
 *      mape_domain_add() for each rule, or s46_parse() ...; border relays, delegated prefix
 *      mape_domain_check(&d)        finds faults, puts the rules in the order that dp/mape.h wants, prepares them
 *      mape_domain_own(&d, ...)     what this customer has
 */
#ifndef PORTICO_CONF_MAPE_H
#define PORTICO_CONF_MAPE_H

#include <netinet/in.h>
#include <stdbool.h>

#include "abi/mape.h"
#include "dp/mape.h"
#include "lib/err.h"

#define ADDR6_TEXT INET6_ADDRSTRLEN
#define PREFIX6_TEXT (ADDR6_TEXT + 4)
#define MAPE_BRS_MAX 8
#define MAPE_FINDINGS_MAX 16
#define MAPE_MTU_LEAST 1280 /* RFC 8200, 5 */
#define MAPE_HEADER 40	    /* bytes that the tunnel takes of a packet: an IPv6 header */

enum mape_severity {
	MAPE_ERROR,   /* cannot be right */
	MAPE_WARNING, /* can be, but look at it */
};

/* One thing that is wrong: the parameter, why, and what it likely should be ("": not to be guessed). */
struct mape_finding {
	enum mape_severity severity;
	u8 rule; /* which of the rules, in the order they were given, from 1; 0: none of them */
	char parameter[16];
	char likely[PREFIX6_TEXT];
	char text[320];
};

struct mape_domain {
	u8 format;	  /* enum mape_format, of all rules */
	bool provisioned; /* by DHCPv6: then there must be a border relay (RFC 7598, 5.1) */
	bool has_pd;
	u8 pd_length;
	u32 mtu;	 /* of the IPv6 path; 0: not known */
	struct addr6 pd; /* delegated prefix */
	u32 nrules;
	struct mape_rule rules[MAPE_RULES_MAX];
	u32 nbrs;
	struct addr6 brs[MAPE_BRS_MAX];
	int basic;  /* of mape_domain_check(): the rule this customer's address comes from, -1: none */
	u8 subject; /* the rule that mape_find() speaks of, see struct mape_finding */
	u32 nfindings;
	struct mape_finding findings[MAPE_FINDINGS_MAX];
};

/* What this customer has. */
struct mape_customer {
	struct mape_own own;
	struct dp_portset ports;
	bool has_address;
	struct addr6 address; /* of the tunnel's end */
};

int addr6_parse(const char *text, struct addr6 *addr);
char *addr6_print(char text[ADDR6_TEXT], struct addr6 addr);
/* "2001:db8::/40": as written, bits behind the length and a length of up to 255 included; the checker speaks of them */
int prefix6_parse(const char *text, struct addr6 *addr, u8 *length);
char *prefix6_print(char text[PREFIX6_TEXT], struct addr6 addr, unsigned int length);

/* Sets one parameter of a rule from text: "rule6", "rule4", "ea", "offset", "psid-len", "psid". Numbers are decimal, or
 * hexadecimal with 0x; a PSID is a plain number, not left-aligned as on the wire. 0, or -EINVAL with *err filled. */
int mape_rule_set(struct mape_rule *r, const char *name, const char *value, struct err *err);

/* A rule by hand in one line: "2001:db8::/40 192.0.2.0/24 ea 16 [offset 6] [psid-len 8] [psid 52] [fmr]"; words stand
 * apart by blanks or commas. 0, or -EINVAL with *err filled. */
int mape_rule_parse(struct mape_rule *r, const char *text, struct err *err);

/* Fills what was not given: the offset by the format, the PSID's length by what ea leaves for it. */
void mape_rule_complete(struct mape_rule *r, u8 format);

/* 0, or -E2BIG with *err filled. */
int mape_domain_add(struct mape_domain *d, const struct mape_rule *r, struct err *err);
/* A relay that is there already is not added again. */
int mape_domain_add_br(struct mape_domain *d, struct addr6 br, struct err *err);

/* Takes from another domain what this one lacks: rules, border relays, what was found. */
void mape_domain_take(struct mape_domain *d, const struct mape_domain *from);

/* Notes what is wrong; beyond MAPE_FINDINGS_MAX it is left out. `likely` may be "". */
void mape_find(struct mape_domain *d, enum mape_severity severity, const char *parameter, const char *likely,
	       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Whether an address can be a router's across a network: not unspecified, loopback, link-local, multicast and such. */
bool addr6_is_global(struct addr6 addr);

/* Whether two prepared rules are for the same addresses and ports. */
bool mape_rule_same(const struct mape_rule *a, const struct mape_rule *b);

/* Checks all, adds to the findings, sorts and prepares the rules, and chooses the basic one. The number of errors: a
 * domain that has any is not for use, but where `basic` is not -1, what the customer has can be told all the same. */
u32 mape_domain_check(struct mape_domain *d);

/* Of a checked domain with a basic rule. */
void mape_domain_own(const struct mape_domain *d, struct mape_customer *c);

#endif
