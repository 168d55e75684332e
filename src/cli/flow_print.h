/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow_print.h - a flow as a line of text, like conntrack -L has it, or as JSON */
#ifndef PORTICO_CLI_FLOW_PRINT_H
#define PORTICO_CLI_FLOW_PRINT_H

#include "abi/flow.h"
#include "engine/flow.h"

/* A flow seen whole. */
struct flow {
	struct flow_key key; /* of the out half */
	struct flow_half out, in;
	enum flow_state state;
	u32 left; /* seconds until it ends if nothing more comes */
};

/* "tcp", ..., or a number; into `text` */
const char *flow_proto_name(char text[8], u8 proto);

void flow_print(const struct flow *f);
/* 0, or -1 where out of memory or output. `first`: nothing of the array was written yet. */
int flow_print_json(const struct flow *f, bool first);

#endif
