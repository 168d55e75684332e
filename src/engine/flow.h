/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow.h - a flow seen whole: its other half, its state, its timer
 *
 * The packet path notes in each half only what that direction shows. Here the two are put together.
 */
#ifndef PORTICO_ENGINE_FLOW_H
#define PORTICO_ENGINE_FLOW_H

#include <stdbool.h>

#include "abi/config.h"
#include "abi/flow.h"

/* The key of the other half of the flow that has `half` under `key`. */
struct flow_key flow_other(const struct flow_key *key, const struct flow_half *half);

/* Entries of the flow table that a flow needs where no two share a socket (abi/flow.h): its halves, MAP_OUT and MAP_IN
 * where sockets have mappings, MAP_PEER where filtering asks for the peer's address. */
u32 flow_entries(const struct dp_config *c);

/* TCP as the timers of RFC 5382 and RFC 7857 tell it apart; the other protocols know NEW and OPEN only. */
enum flow_state {
	FLOW_NEW,     /* packets out, none back */
	FLOW_OPEN,    /* both ways; TCP: the handshake is complete */
	FLOW_CLOSING, /* TCP: FIN both ways */
	FLOW_RESET,   /* TCP: RST, and nothing behind it */
	FLOW_STATE_COUNT,
};

enum flow_state flow_state(u8 proto, const struct flow_half *out, const struct flow_half *in);
const char *flow_state_name(u8 proto, enum flow_state state);

/* Seconds of silence after which the flow ends, and the tick of the last packet that counts. */
u32 flow_timeout(const struct dp_timers *t, u8 proto, enum flow_state state);
u32 flow_last(const struct dp_timers *t, u8 proto, const struct flow_half *out, const struct flow_half *in);

/* Whether the flow has ended by tick `now`. */
bool flow_expired(const struct dp_timers *t, u8 proto, const struct flow_half *out, const struct flow_half *in,
		  u32 now);

#endif
