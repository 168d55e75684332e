/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env.h - what a host supplies to the core
 *
 * A host defines DP_ENV and `struct env` (its own context), then all functions below as static inline, and only then
 * includes step.h. Tables may be shared between CPUs; no call may sleep.
 *
 *  const struct dp_config *env_config(struct env *)          the configuration, or NULL where it is not there yet
 *  u32 env_tick(struct env *)                                now, in ticks (abi/flow.h)
 *  struct flow_half *env_flow_get(env, key)                  the half with this key, or NULL
 *  int env_flow_add(env, key, half)                          insert if absent: 0, ENV_EXISTS or ENV_FULL
 *  void env_flow_del(env, key)                               remove
 *  int env_reserved(env, port)                               whether the port (host order) is on the reserve list
 *  int env_local(env, in_key)                                whether a socket of this router receives packets with this
 *                                                            (inbound) key
 *  const struct nexthop *env_nexthop(env, index)             next hop, or NULL
 *  enum reason env_route(env, meta, dst, hop, index)         the way to `dst` for packets of meta's source and port:
 *                                                            REASON_NONE fills *hop (and *index, 0 where the next-hop
 *                                                            table has no entry); KERNEL_ROUTE: local, or no port of
 *                                                            ours; SLOW_NEIGHBOUR fills only hop->addr, l3_ifindex,
 *                                                            port
 *  int env_head(env, pkt, bytes)                             grow (bytes > 0) or shrink the front of the frame by
 *                                                            4 bytes; updates *pkt; 0, or not 0 where it cannot
 */
#ifndef PORTICO_DP_ENV_H
#define PORTICO_DP_ENV_H

#ifndef DP_ENV
#error "a host of the core defines DP_ENV and its env_ functions before it includes step.h"
#endif

#define ENV_OK 0
#define ENV_EXISTS 1
#define ENV_FULL 2

#endif
