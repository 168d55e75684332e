/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.c - whether what was counted is as it should be, in words */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>

#include "dp/csum.h"
#include "inside.h"

#define ENDS 48 /* "255.255.255.255:65535 > 255.255.255.255:65535" */

static const char *const names[LOAD_WAYS] = {"out", "in"};

static const char *address(be32 a, char text[INET_ADDRSTRLEN])
{
	return inet_ntop(AF_INET, &a, text, INET_ADDRSTRLEN);
}

static const char *ends(const struct sink_packet *p, char text[ENDS])
{
	char from[INET_ADDRSTRLEN], to[INET_ADDRSTRLEN];

	snprintf(text, ENDS, "%s:%u > %s:%u", address(p->saddr, from), host16(p->sport), address(p->daddr, to),
		 host16(p->dport));
	return text;
}

static int judge_foreign(const struct load *l, enum load_way way, u64 sent, const struct sink_count *c, struct err *err)
{
	const struct sink_packet *p = &c->last_foreign;
	char from[INET_ADDRSTRLEN], want[INET_ADDRSTRLEN], text[ENDS];

	if (way == LOAD_OUT && (p->saddr & l->path.mask) != l->path.source)
		return err_set(err, -ENETUNREACH, "%llu of %llu packets came out with source %s instead of %s",
			       c->foreign, sent, address(p->saddr, from), address(l->path.source, want));
	if (way == LOAD_OUT)
		return err_set(err, -ENETUNREACH, "%llu of %llu packets came out for another port than %u: %s",
			       c->foreign, sent, load_dport(&l->path), ends(p, text));
	return err_set(err, -ENETUNREACH,
		       "%llu of %llu packets came in for others than their flow: %s instead of %s:%u", c->foreign, sent,
		       ends(p, text), address(be32_of(l->path.host_first + (p->flow >> LOAD_BLOCK_SHIFT)), want),
		       LOAD_PORT_FIRST + (p->flow & ((1U << LOAD_BLOCK_SHIFT) - 1)));
}

/* Of network order, as people write them. */
static int judge_wrong(enum load_way way, u64 sent, const struct sink_count *c, struct err *err)
{
	const struct sink_packet *p = &c->last_wrong;
	bool ip = p->ip_sum != 0xffff;
	u16 is = ip ? p->ip_csum : p->udp_csum, sum = ip ? p->ip_sum : p->udp_sum;
	u16 should = (u16)~csum_fold((u32)sum + (u16)~is);
	char text[ENDS];

	return err_set(err, -EBADMSG,
		       "%llu of %llu packets came %s with a wrong checksum: %s of %s is 0x%04x, should be 0x%04x",
		       c->wrong, sent, names[way], ip ? "IPv4's" : "UDP's", ends(p, text),
		       host16((PORTICO_FORCE be16)is), host16((PORTICO_FORCE be16)should));
}

static int judge_loss(enum load_way way, const struct load_count *c, bool lossy, struct err *err)
{
	if (c->received > c->sent)
		return err_set(err, -ERANGE, "%s: %llu packets received, only %llu sent", names[way], c->received,
			       c->sent);
	if (!lossy && c->sent - c->received > c->sent / 1000)
		return err_set(err, -ENOBUFS, "%s: %llu of %llu packets got lost", names[way], c->sent - c->received,
			       c->sent);
	return 0;
}

int load_judge(const struct load *l, const struct load_plan *plan, const struct load_result *result,
	       const struct sink_count last[LOAD_WAYS], struct err *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < LOAD_WAYS; i++) {
		enum load_way way = (enum load_way)i;
		const struct load_count *c = &result->way[i];

		if (c->foreign)
			rc = judge_foreign(l, way, c->sent, &last[i], err);
		else if (c->wrong)
			rc = judge_wrong(way, c->sent, &last[i], err);
		else
			rc = judge_loss(way, c, plan->lossy, err);
	}
	return rc;
}

int load_judge_unknown(const struct gen_way *gen, struct err *err)
{
	if (!gen->unknown)
		return 0;
	return err_set(err, -ENODATA,
		       "%u of %u packets could not be sent in, as their flow was never seen to go out; every flow must "
		       "go out first",
		       gen->unknown, gen->unknown + gen->sent);
}
