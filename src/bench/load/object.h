/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.h - the compiled programs of the load, and opening them */
#ifndef PORTICO_BENCH_LOAD_OBJECT_H
#define PORTICO_BENCH_LOAD_OBJECT_H

#include <bpf/libbpf.h>
#include <stddef.h>

#include "lib/err.h"

extern const unsigned char load_gen_object[], load_gen_object_end[];
extern const unsigned char load_sink_object[], load_sink_object_end[];
extern const unsigned char load_redirect_object[], load_redirect_object_end[];

/* Opens an object, its maps still to be shaped: NULL with *err filled. Then loads it into the kernel. */
struct bpf_object *load_object_open(const unsigned char *from, const unsigned char *to, struct err *err);
int load_object_load(struct bpf_object *object, struct err *err);
int load_object_prog(struct bpf_object *object, const char *name);
int load_object_map(struct bpf_object *object, const char *name);

/* Runs a program on an interface of namespace `ns`: natively or, where its driver cannot, in the generic path. A link,
 * whose end detaches, or -errno. */
int load_attach(int prog, int ns, unsigned int ifindex, struct err *err);

#endif
