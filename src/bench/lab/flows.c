/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flows.c - the flows a router holds: counted, and ended */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "inside.h"

/* In the namespace: how many entries connection tracking has. */
static int conntrack_count(u64 *flows)
{
	FILE *f = fopen("/proc/sys/net/netfilter/nf_conntrack_count", "re");
	int n = f ? fscanf(f, "%llu", (unsigned long long *)flows) : 0;

	if (!f)
		return -errno;
	fclose(f);
	return n == 1 ? 0 : -EIO;
}

/* In the namespace: a delete without a tuple is for all of them. */
static int conntrack_clear(void)
{
	char buffer[256] __attribute__((aligned(8)));
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct nfgenmsg *family = mnl_nlmsg_put_extra_header(message, sizeof(*family));
	struct mnl_socket *s = mnl_socket_open2(NETLINK_NETFILTER, SOCK_CLOEXEC);
	ssize_t size = -1;
	int rc;

	if (!s)
		return -errno;
	message->nlmsg_type = NFNL_SUBSYS_CTNETLINK << 8 | IPCTNL_MSG_CT_DELETE;
	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	message->nlmsg_seq = 1;
	family->nfgen_family = AF_INET;
	if (!mnl_socket_bind(s, 0, MNL_SOCKET_AUTOPID) && mnl_socket_sendto(s, message, message->nlmsg_len) > 0)
		size = mnl_socket_recvfrom(s, buffer, sizeof(buffer));
	rc = size < 0 || mnl_cb_run(buffer, (size_t)size, 1, mnl_socket_get_portid(s), NULL, NULL) < 0 ? -errno : 0;
	mnl_socket_close(s);
	return rc;
}

static int conntrack_ask(const struct path *p, bool end, u64 *flows, struct err *err)
{
	struct err ignored;
	int rc = net_enter(&p->net, p->topology->place[PATH_GW], err);

	if (rc)
		return rc;
	rc = conntrack_count(flows);
	if (!rc && end)
		rc = conntrack_clear();
	net_enter(&p->net, NET_HERE, &ignored);
	return rc ? err_set(err, rc, "connection tracking's flows cannot be %s: %s", end ? "ended" : "counted",
			    strerror(-rc))
		  : 0;
}

static int ask(const struct path *p, bool end, u64 *flows, struct err *err)
{
	*flows = 0;
	switch (p->v->router) {
	case LAB_NFTABLES:
	case LAB_RULESET:
		return conntrack_ask(p, end, flows, err);
	case LAB_PORTICO:
		return end ? portico_flush(p, flows, err) : portico_flows(p, flows, err);
	case LAB_FORWARD:
	case LAB_REDIRECT:
		return err_set(err, -ENOTSUP, "variant '%s': router %s has no flows", p->v->name,
			       lab_router_names[p->v->router]);
	case LAB_HOOKS:
		break;
	}
	return err_set(err, -ENOTSUP, "variant '%s': the flows of a router that hooks make cannot be %s from here",
		       p->v->name, end ? "ended" : "counted");
}

int path_flush(struct path *p, u64 *ended, struct err *err)
{
	return ask(p, true, ended, err);
}

int path_flows(struct path *p, u64 *flows, struct err *err)
{
	return ask(p, false, flows, err);
}
