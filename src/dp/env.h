/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env.h - what a host supplies to the core
 *
 * A host defines DP_ENV and `struct env` (its own context), then all functions below as static inline, and only then
 * includes step.h. Tables may be shared between CPUs; no call may sleep.
 *
 *  const struct dp_config *env_config(struct env *)          the configuration, or NULL where it is not there yet
 *  const struct dp_tunnel *env_tunnel(struct env *)          the tunnel, or NULL
 *  u32 env_tick(struct env *)                                now, in ticks (abi/flow.h)
 *  struct flow_half *env_flow_get(env, key)                  the half with this key, or NULL
 *  int env_flow_add(env, key, half)                          insert if absent: 0, ENV_EXISTS or ENV_FULL
 *  void env_flow_del(env, key)                               remove
 *  const struct frag *env_frag_get(env, key)                 what is known of a fragmented datagram, or NULL
 *  void env_frag_put(env, key, frag)                         notes it; may forget others
 *  struct dest *env_dest_get(env, key)                       the ports towards a destination, or NULL
 *  struct dest *env_dest_make(env, key)                      the same, made blank where it is not there; NULL: no room
 *  u32 *env_share(env, key)                                  ports of a host towards a destination, 0 at first; or NULL
 *  struct rare *env_rare(env)                                room for one, of this CPU alone; or NULL
 *  int env_reserved(env, port)                               whether the port (host order) is on the reserve list
 *  int env_local(env, in_key)                                whether a socket of this router receives packets with this
 *                                                            (inbound) key
 *  const struct nexthop *env_nexthop(env, index)             next hop, or NULL
 *  struct dp_way *env_way(env, index)                        a place to remember a way in, index < DP_WAYS; or NULL
 *  enum reason env_route(env, meta, dst, way)                the way to IPv4 address `dst` for packets of meta's source
 *                                                            and port: REASON_NONE fills way->hop (and index, 0 where
 *                                                            the next-hop table has no entry); KERNEL_ROUTE: local, or
 *                                                            no port of ours; SLOW_NEIGHBOUR: way->who is to be
 * resolved
 *  enum reason env_route6(env, port, dst, way)               the way to IPv6 address `dst` out of dp_config.port[port];
 *                                                            DROP_NO_ROUTE: there is none
 *  int env_head(env, pkt, bytes)                             grow (bytes > 0) or shrink the front of the frame, by at
 *                                                            most ENV_HEAD_MAX bytes; updates *pkt; 0, or not 0 where
 *                                                            it cannot
 */
#ifndef PORTICO_DP_ENV_H
#define PORTICO_DP_ENV_H

#ifndef DP_ENV
#error "a host of the core defines DP_ENV and its env_ functions before it includes step.h"
#endif

#define ENV_OK 0
#define ENV_EXISTS 1
#define ENV_FULL 2

#define ENV_HEAD_MAX 52

#endif
