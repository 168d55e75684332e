/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass.bpf.c - nothing: makes a path pay what its devices charge for XDP, and leaves the packets to Linux */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

SEC("xdp")
int pass(struct xdp_md *ctx)
{
	(void)ctx;
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
