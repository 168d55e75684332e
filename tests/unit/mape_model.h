/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape_model.h - MAP-E as RFC 7597 draws it: strings of '0' and '1' that are cut and joined; slow and obvious */
#ifndef PORTICO_TESTS_MAPE_MODEL_H
#define PORTICO_TESTS_MAPE_MODEL_H

#include <string.h>

typedef struct {
	char at[129];
} bits;

/* The lowest `n` bits of `v`. */
static inline bits bits_of(unsigned long long v, int n)
{
	bits b = {""};

	for (int i = n - 1; i >= 0; i--)
		strcat(b.at, v >> i & 1 ? "1" : "0");
	return b;
}

static inline unsigned long long bits_value(bits b)
{
	unsigned long long v = 0;

	for (const char *c = b.at; *c; c++)
		v = v * 2 + (*c == '1');
	return v;
}

static inline bits bits_join(bits a, bits b)
{
	strcat(a.at, b.at);
	return a;
}

static inline bits bits_cut(bits b, int from, int n)
{
	bits cut = {""};

	memcpy(cut.at, b.at + from, (size_t)n);
	return cut;
}

/* Zeros behind, up to `n` bits. */
static inline bits bits_fill(bits b, int n)
{
	return bits_join(b, bits_of(0, n - (int)strlen(b.at)));
}

/* Zeros before, up to `n` bits. */
static inline bits bits_lead(bits b, int n)
{
	return bits_join(bits_of(0, n - (int)strlen(b.at)), b);
}

/* `over` laid upon the front of `b`. */
static inline bits bits_over(bits b, bits over)
{
	memcpy(b.at, over.at, strlen(over.at));
	return b;
}

struct model {
	bits prefix6, prefix4, psid; /* as long as they are */
	int ea, a, k;
	int draft03;
};

/* RFC 7597, 5.1: | A: a bits | PSID: k bits | j: m bits | */
static inline bits model_psid(const struct model *r, bits port)
{
	return bits_cut(port, r->a, r->k);
}

/* RFC 7597, 5.1: "0 < A" unless a is 0. An address that is not shared has all its ports. */
static inline int model_port_valid(const struct model *r, bits port)
{
	return !r->k || !r->a || strchr(bits_cut(port, 0, r->a).at, '1');
}

/* RFC 7597, 6 */
static inline bits model_interface_id(const struct model *r, bits ipv4, bits psid)
{
	bits id = bits_join(bits_fill(ipv4, 32), bits_lead(psid, 16));

	return r->draft03 ? bits_join(bits_join(bits_of(0, 8), id), bits_of(0, 8)) : bits_join(bits_of(0, 16), id);
}

/* RFC 7597, 5.2: what of the IPv4 address is the customer's: rule prefix and embedded suffix */
static inline int model_ipv4_length(const struct model *r)
{
	int length = (int)strlen(r->prefix4.at) + r->ea;

	return length < 32 ? length : 32;
}

/* RFC 7597, 5.3 */
static inline bits model_destination(const struct model *r, bits ipv4, bits port)
{
	int r4 = (int)strlen(r->prefix4.at), length = model_ipv4_length(r);
	bits psid = model_psid(r, port);
	bits embedded = r->ea ? bits_join(bits_cut(ipv4, r4, length - r4), psid) : bits_of(0, 0);
	bits id = model_interface_id(r, bits_cut(ipv4, 0, length), psid);

	return bits_over(bits_join(bits_of(0, 64), id), bits_join(r->prefix6, embedded));
}

/* RFC 7597, 5.2: the customer with the delegated prefix `pd` */
static inline void model_own(const struct model *r, bits pd, bits *ipv4, bits *psid)
{
	bits embedded = bits_cut(pd, (int)strlen(r->prefix6.at), r->ea);
	int suffix = r->ea - (r->ea ? r->k : 0);

	*ipv4 = bits_join(r->prefix4, bits_cut(embedded, 0, suffix));
	*psid = r->ea ? bits_cut(embedded, suffix, r->k) : r->psid;
}

static inline bits model_address(const struct model *r, bits pd, bits ipv4, bits psid)
{
	return bits_over(bits_join(bits_of(0, 64), model_interface_id(r, ipv4, psid)), pd);
}

#endif
