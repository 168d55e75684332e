/* SPDX-License-Identifier: GPL-2.0-or-later */
/* floor.c - the floor: a router that only writes Ethernet addresses and redirects */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"
#include "object.h"
#include "state.h"

struct load_floor {
	struct bpf_object *object;
	int link;
};

struct load_floor *load_floor_open(const struct load_hop *hop, struct err *err)
{
	struct load_floor *f = calloc(1, sizeof(*f));
	struct redirect_to to = {.ifindex = hop->out};
	u32 zero = 0;

	if (!f) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	f->link = -1;
	f->object = load_object(load_redirect_object, load_redirect_object_end, err);
	if (!f->object)
		goto fail;
	memcpy(to.macs, hop->dmac, 6);
	memcpy(to.macs + 6, hop->smac, 6);
	if (bpf_map_update_elem(load_object_map(f->object, "redirect_to"), &zero, &to, BPF_ANY)) {
		err_set(err, -errno, "setting the redirect: %s", strerror(errno));
		goto fail;
	}
	f->link = load_attach(load_object_prog(f->object, "redirect"), hop->ns, hop->in, err);
	if (f->link >= 0)
		return f;
fail:
	load_floor_close(f);
	return NULL;
}

void load_floor_close(struct load_floor *f)
{
	if (!f)
		return;
	if (f->link >= 0)
		close(f->link);
	bpf_object__close(f->object);
	free(f);
}
