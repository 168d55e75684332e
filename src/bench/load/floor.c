/* SPDX-License-Identifier: GPL-2.0-or-later */
/* floor.c - the floor: a router that only writes Ethernet addresses and VLANs and redirects */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dp/wire.h"
#include "load.h"
#include "object.h"
#include "state.h"

#define WORK_MAX (1 << 23) /* rounds that the kernel lets a program loop */

struct load_floor {
	struct bpf_object *object;
	int link[2]; /* the second is -1 where both hops are one interface */
};

static int hops_check(const struct load_hop hop[2], u32 work, struct err *err)
{
	if (!hop[0].vid != !hop[1].vid)
		return err_set(err, -EINVAL, "a bare redirect takes no VLAN tag off: both sides have one, or none");
	if (hop[0].ifindex == hop[1].ifindex && hop[0].vid == hop[1].vid)
		return err_set(err, -EINVAL, "both sides of a bare redirect are interface %u, VLAN %u", hop[0].ifindex,
			       hop[0].vid);
	if (work > WORK_MAX)
		return err_set(err, -EINVAL, "%u rounds of work a packet are too many; %d are allowed", work, WORK_MAX);
	return 0;
}

static int hops_set(const struct load_floor *f, const struct load_hop hop[2], u32 work, struct err *err)
{
	int map = load_object_map(f->object, "redirect_hop");

	for (u32 i = 0; i < 2; i++) {
		struct redirect_hop to = {
			.ifindex = hop[i].ifindex, .tag = be16_of(hop[i].vid), .vid = hop[i].vid, .work = work};

		memcpy(to.macs, hop[i].next, 6);
		memcpy(to.macs + 6, hop[i].mac, 6);
		if (bpf_map_update_elem(map, &i, &to, BPF_ANY))
			return err_set(err, -errno, "setting the redirect: %s", strerror(errno));
	}
	return 0;
}

static int hops_attach(struct load_floor *f, int ns, const struct load_hop hop[2], struct err *err)
{
	for (int i = 0; i < 2; i++) {
		if (i && hop[0].ifindex == hop[1].ifindex)
			break;
		f->link[i] = load_attach(load_object_prog(f->object, "redirect"), ns, hop[i].ifindex, err);
		if (f->link[i] < 0)
			return f->link[i];
	}
	return 0;
}

struct load_floor *load_floor_open(int ns, const struct load_hop hop[2], u32 work, struct err *err)
{
	struct load_floor *f = calloc(1, sizeof(*f));

	if (!f) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	f->link[0] = f->link[1] = -1;
	if (hops_check(hop, work, err))
		goto fail;
	f->object = load_object_open(load_redirect_object, load_redirect_object_end, err);
	if (f->object && !load_object_load(f->object, err) && !hops_set(f, hop, work, err) &&
	    !hops_attach(f, ns, hop, err))
		return f;
fail:
	load_floor_close(f);
	return NULL;
}

void load_floor_close(struct load_floor *f)
{
	if (!f)
		return;
	for (int i = 0; i < 2; i++)
		if (f->link[i] >= 0)
			close(f->link[i]);
	bpf_object__close(f->object);
	free(f);
}
