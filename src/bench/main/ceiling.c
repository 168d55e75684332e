/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ceiling.c - the most that can be measured at all: what a link carries, or a cap that somebody set */
#include "ceiling.h"

#include <errno.h>
#include <stdio.h>

#define FRAME 1538.0   /* bytes of a full frame on the wire */
#define PAYLOAD 1448.0 /* of them TCP's with timestamps */
#define MOST 1472.0    /* UDP's, the most that any of them carries */

/* Links that somebody is likely to have measured over, bit/s. */
static const struct {
	double rate;
	const char *name;
} links[] = {{1e8, "100 Mbit/s Ethernet"}, {1e9, "1 GbE"}, {2.5e9, "2.5 GbE"}, {1e10, "10 GbE"}};

#define NLINKS (sizeof(links) / sizeof(*links))

static double highest(const struct samples *s)
{
	double max = 0;

	for (unsigned int i = 0; i < s->count; i++)
		if (s->cells.label[s->sample[i].cell].unit == UNIT_BITS && s->sample[i].value > max)
			max = s->sample[i].value;
	return max;
}

static void of_link(struct ceiling *c, double rate)
{
	char text[UNIT_TEXT];

	c->goodput = rate * PAYLOAD / FRAME;
	snprintf(c->text, sizeof(c->text), "the goodput of %s", unit_print(text, UNIT_BITS, rate));
	for (size_t i = 0; i < NLINKS; i++)
		if (links[i].rate == rate)
			snprintf(c->text, sizeof(c->text), "the goodput of %s", links[i].name);
}

/* The link whose goodput the highest value is at, if there is one. */
static void guess(struct ceiling *c, double max)
{
	for (size_t i = 0; i < NLINKS; i++)
		if (max >= CEILING_AT * links[i].rate * PAYLOAD / FRAME && max <= links[i].rate * MOST / FRAME) {
			of_link(c, links[i].rate);
			c->assumed = true;
		}
}

int ceiling_find(struct ceiling *ceiling, const struct samples *s, const struct ceiling_given *given, struct err *err)
{
	double max = highest(s);
	char value[UNIT_TEXT], rate[UNIT_TEXT];

	*ceiling = (struct ceiling){0};
	if (given->link > 0 && max > given->link)
		return err_set(err, -EINVAL,
			       "%s is more than the link carries (%s): check --link, and the unit of the file",
			       unit_print(value, UNIT_BITS, max), unit_print(rate, UNIT_BITS, given->link));
	if (given->link > 0)
		of_link(ceiling, given->link);
	if (given->cap > 0 && (ceiling->goodput == 0 || given->cap < ceiling->goodput)) {
		ceiling->goodput = given->cap;
		snprintf(ceiling->text, sizeof(ceiling->text), "the cap given");
	}
	if (ceiling->goodput == 0 && !given->none)
		guess(ceiling, max);
	return 0;
}

bool ceiling_at(const struct ceiling *ceiling, enum unit unit, double value)
{
	return unit == UNIT_BITS && ceiling->goodput > 0 && value >= CEILING_AT * ceiling->goodput;
}
