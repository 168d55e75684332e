/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind.h - the programs that the core is compiled into
 *
 * For each mode there are two: one for what nearly all packets are, which is short, and one that can do everything. The
 * first gives up where it meets something unusual, before it has changed anything, and the second starts anew:
 *
 *      usual:  TCP but SYN, UDP, ICMP echo; no fragments, no IP options; flows that are there
 *      rare:   all of that, and SYN (MSS), UDP-Lite, SCTP, DCCP, fragments, ICMP errors, options
 *
 * The second is three: one parses, one forwards, and where that finds no flow, one claims a port, opens the flow, and
 * has the one before it look again. (A NAPT44's usual program opens simple flows by itself.)
 *
 * `kind` is a constant in each program, so what is not for it is not compiled into it.
 */
#ifndef PORTICO_DP_KIND_H
#define PORTICO_DP_KIND_H

#include "reason.h"

#define KIND_CE 1 /* MAP-E customer edge */
#define KIND_BR 2 /* MAP-E border relay; neither: NAPT44 */
#define KIND_RARE 4

/* In place of a reason: the program for rare packets is to take this one. */
#define STEP_RARE ((enum reason)REASON_COUNT)
/* In place of a reason: a flow is to be opened first. */
#define STEP_CLAIM ((enum reason)(REASON_COUNT + 1))

#endif
