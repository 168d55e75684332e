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

/* Loads an object; NULL with *err filled. */
struct bpf_object *load_object(const unsigned char *from, const unsigned char *to, struct err *err);
int load_object_prog(struct bpf_object *object, const char *name);
int load_object_map(struct bpf_object *object, const char *name);

/* Runs natively (not in the generic path) on an interface of namespace `ns`. A link, whose end detaches, or -errno. */
int load_attach(int prog, int ns, unsigned int ifindex, struct err *err);

#endif
