/* SPDX-License-Identifier: GPL-2.0-or-later */
/* odhcp6c.c - MAP-E rules as odhcp6c hands them to its script: key=value apart by commas, rules apart by blanks
 *
 * odhcp6c writes the PSID as it is on the wire, left-aligned in 16 bits; a patch that is not in any release yet writes
 * the plain number. See psid_decode().
 */
#include "s46.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/addr.h"

/* A rule on its way. */
struct text_rule {
	struct mape_rule rule;
	u32 psid;
	unsigned int seen; /* SEEN_* */
	bool other;	   /* of another mechanism */
	char type[16];
	struct addr6 br[MAPE_BRS_MAX];
	u32 nbrs;
};

/* Keys, by their place in the table below; the first five must be there. */
enum key {
	KEY_EALEN,
	KEY_PREFIX4LEN,
	KEY_PREFIX6LEN,
	KEY_IPV4PREFIX,
	KEY_IPV6PREFIX,
	KEY_OFFSET,
	KEY_PSIDLEN,
	KEY_PSID,
	KEY_BR,
	KEY_TYPE,
	KEY_UNKNOWN,
};

#define KEYS_NEEDED 5

static const char *const keys[] = {
	"ealen", "prefix4len", "prefix6len", "ipv4prefix", "ipv6prefix", "offset", "psidlen", "psid", "br", "type",
};

static enum key key_find(const char *name, size_t length)
{
	enum key key = KEY_EALEN;

	while (key < KEY_UNKNOWN && (strlen(keys[key]) != length || memcmp(keys[key], name, length)))
		key++;
	return key;
}

static int number(const char *text, u32 max, u32 *n)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value > max)
		return -EINVAL;
	*n = (u32)value;
	return 0;
}

static int value_take(struct text_rule *t, enum key key, const char *value)
{
	struct mape_rule *r = &t->rule;
	u32 n = 0;
	be32 addr;

	if ((key <= KEY_PREFIX6LEN || key == KEY_OFFSET || key == KEY_PSIDLEN) && number(value, 255, &n))
		return -EINVAL;
	switch (key) {
	case KEY_EALEN:
		r->ea = (u8)n;
		return 0;
	case KEY_PREFIX4LEN:
		r->prefix4 = (u8)n;
		return 0;
	case KEY_PREFIX6LEN:
		r->prefix6 = (u8)n;
		return 0;
	case KEY_IPV4PREFIX:
		if (addr_parse(value, &addr))
			return -EINVAL;
		r->addr = addr_host(addr);
		return 0;
	case KEY_IPV6PREFIX:
		return addr6_parse(value, &r->prefix);
	case KEY_OFFSET:
		r->offset = (u8)n;
		r->flags |= MAPE_HAS_OFFSET;
		return 0;
	case KEY_PSIDLEN:
		r->psid_len = (u8)n;
		r->flags |= n ? MAPE_HAS_PSID_LEN : 0;
		return 0;
	case KEY_PSID:
		return number(value, 65535, &t->psid);
	case KEY_BR:
		return t->nbrs < MAPE_BRS_MAX ? addr6_parse(value, &t->br[t->nbrs++]) : -EINVAL;
	case KEY_TYPE:
		t->other = strcmp(value, "map-e") != 0;
		memcpy(t->type, value, strlen(value) + 1 < sizeof(t->type) ? strlen(value) + 1 : 0);
		return 0;
	case KEY_UNKNOWN:
		break;
	}
	return 0;
}

/* "key=value" or "fmr", `length` characters at `item`; others are skipped. -EINVAL where the value is no good. */
static int item_take(struct text_rule *t, const char *item, size_t length)
{
	size_t name = strcspn(item, "=, \t\n");
	char value[64] = "";
	enum key key;

	if (length == 3 && !memcmp(item, "fmr", 3))
		t->rule.flags |= MAPE_FORWARDING;
	if (name >= length)
		return 0;
	key = key_find(item, name);
	if (key == KEY_UNKNOWN)
		return 0;
	if (length - name - 1 >= sizeof(value))
		return -EINVAL;
	memcpy(value, item + name + 1, length - name - 1);
	t->seen |= 1u << key;
	return value_take(t, key, value);
}

/* Left-aligned as on the wire, unless the bits that are zero there are not, and the plain number fits. What neither is
 * stays, for the checker. */
static u16 psid_decode(u32 psid, u32 k)
{
	u32 behind = 16 - k, low = psid & ((1u << behind) - 1);

	return (u16)(low ? psid : psid >> behind);
}

static void rule_finish(struct mape_domain *d, struct text_rule *t)
{
	struct mape_rule *r = &t->rule;

	bool has_psid = t->seen & 1u << KEY_PSID;

	if (t->seen & 1u << KEY_PSIDLEN && !r->psid_len) /* RFC 7598, 4.5: then the PSID is to be ignored */
		has_psid = false;
	mape_rule_complete(r, d->format);
	if (has_psid && r->psid_len && r->psid_len <= 16) {
		r->psid = psid_decode(t->psid, r->psid_len);
		if (!r->ea || r->psid)
			r->flags |= MAPE_HAS_PSID;
	}
	/* RFC 7598, 4.1: bits behind a prefix are ignored */
	if (r->prefix6 <= 128) {
		struct addr6 mask = addr6_mask(r->prefix6);

		r->prefix = (struct addr6){r->prefix.hi & mask.hi, r->prefix.lo & mask.lo};
	}
	if (r->prefix4 < 32)
		r->addr &= ~(~0u >> r->prefix4);
}

/* One rule at *at; *at is behind it then. */
static int rule_parse(struct mape_domain *d, const char *text, const char **at, struct text_rule *t, struct err *err)
{
	const char *begin = *at;

	*t = (struct text_rule){0};
	while (**at && !isspace((unsigned char)**at)) {
		size_t length = strcspn(*at, ", \t\r\n\v\f");

		if (item_take(t, *at, length))
			return err_set(err, -EINVAL, "character %zu: bad '%.*s'", (size_t)(*at - text),
				       (int)(length < 80 ? length : 80), *at);
		*at += length;
		*at += **at == ',';
	}
	if (t->other)
		return 0;
	for (unsigned int key = 0; key < KEYS_NEEDED; key++)
		if (!(t->seen >> key & 1))
			return err_set(err, -EINVAL, "character %zu: this rule has no %s=", (size_t)(begin - text),
				       keys[key]);
	rule_finish(d, t);
	return 0;
}

static int rule_add(struct mape_domain *d, const struct text_rule *t, struct err *err)
{
	for (u32 i = 0; i < t->nbrs; i++)
		if (mape_domain_add_br(d, t->br[i], err))
			return -E2BIG;
	return mape_domain_add(d, &t->rule, err);
}

int odhcp6c_parse(struct mape_domain *d, const char *text, struct err *err)
{
	const char *at = text;
	struct text_rule t = {0};
	u32 ours = 0;

	d->provisioned = true;
	if (!strncmp(at, "MAPE=", 5))
		at += 5;
	for (;;) {
		at += strspn(at, " \t\r\n\v\f");
		if (!*at)
			break;
		if (rule_parse(d, text, &at, &t, err))
			return -EINVAL;
		if (t.other)
			continue;
		ours++;
		if (rule_add(d, &t, err))
			return -E2BIG;
	}
	if (ours)
		return 0;
	if (t.other)
		return err_set(err, -ENOTSUP, "only rules of type %s: MAP-E is supported",
			       t.type[0] ? t.type : "unknown");
	return err_set(err, -EINVAL, "no rule: give what odhcp6c has in MAPE");
}
