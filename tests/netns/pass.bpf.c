/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass.bpf.c - an XDP program that is not Portico's: it passes everything
 *
 * It stands for somebody else's program, and makes a veth take what its peer sends by XDP_TX.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

SEC("xdp")
int pass(struct xdp_md *ctx)
{
	(void)ctx;
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
