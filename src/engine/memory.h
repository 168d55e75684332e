/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - what the core may forget: fragments, notes of destinations, shares
 *
 * In the kernel these are tables that forget the least recently used; so are these, of the same sizes.
 */
#ifndef PORTICO_ENGINE_MEMORY_H
#define PORTICO_ENGINE_MEMORY_H

#include "abi/flow.h"

struct memory;

/* NULL where there is no memory. */
struct memory *memory_new(void);
void memory_free(struct memory *m);

/* What a destination starts with (abi/flow.h). Forgets all that is noted. */
void memory_blank(struct memory *m, const struct dest *blank);

/* Valid until the next call that adds. */
const struct frag *memory_frag_get(struct memory *m, const struct frag_key *key);
void memory_frag_put(struct memory *m, const struct frag_key *key, const struct frag *frag);
struct dest *memory_dest_get(struct memory *m, const struct dest_key *key);
struct dest *memory_dest_make(struct memory *m, const struct dest_key *key);
u32 *memory_share(struct memory *m, const struct share_key *key);

#endif
