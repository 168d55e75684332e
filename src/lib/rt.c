/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rt.c - changes to interfaces, addresses, routes and neighbours */
#include "rt.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/veth.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 1024

struct request {
	char buffer[ROOM] __attribute__((aligned(8)));
	struct nlmsghdr *message;
};

/* A request of `type` with `size` bytes of header behind netlink's; returns that header. */
static void *begin(struct request *r, unsigned short type, unsigned short flags, size_t size)
{
	r->message = mnl_nlmsg_put_header(r->buffer);
	r->message->nlmsg_type = type;
	r->message->nlmsg_flags = flags;
	return mnl_nlmsg_put_extra_header(r->message, size);
}

static size_t bytes_of(unsigned char family)
{
	return family == AF_INET6 ? 16 : 4;
}

int rt_veth_add(struct nl *n, const char *name, const char *peer)
{
	struct request r;
	struct nlattr *info, *data, *end;

	begin(&r, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, sizeof(struct ifinfomsg));
	mnl_attr_put_strz(r.message, IFLA_IFNAME, name);
	info = mnl_attr_nest_start(r.message, IFLA_LINKINFO);
	mnl_attr_put_str(r.message, IFLA_INFO_KIND, "veth");
	data = mnl_attr_nest_start(r.message, IFLA_INFO_DATA);
	end = mnl_attr_nest_start(r.message, VETH_INFO_PEER);
	mnl_nlmsg_put_extra_header(r.message, sizeof(struct ifinfomsg));
	mnl_attr_put_strz(r.message, IFLA_IFNAME, peer);
	mnl_attr_nest_end(r.message, end);
	mnl_attr_nest_end(r.message, data);
	mnl_attr_nest_end(r.message, info);
	return nl_request(n, r.message);
}

int rt_link_del(struct nl *n, uint32_t ifindex)
{
	struct request r;
	struct ifinfomsg *link = begin(&r, RTM_DELLINK, 0, sizeof(*link));

	link->ifi_index = (int)ifindex;
	return nl_request(n, r.message);
}

int rt_link_set(struct nl *n, uint32_t ifindex, uint32_t mtu, const char *alias)
{
	struct request r;
	struct ifinfomsg *link = begin(&r, RTM_NEWLINK, 0, sizeof(*link));

	link->ifi_index = (int)ifindex;
	link->ifi_flags = IFF_UP;
	link->ifi_change = IFF_UP;
	mnl_attr_put_u32(r.message, IFLA_MTU, mtu);
	if (*alias)
		mnl_attr_put_str(r.message, IFLA_IFALIAS, alias);
	return nl_request(n, r.message);
}

static void address_request(struct request *r, unsigned short type, unsigned short flags, const struct rt_addr *a)
{
	struct ifaddrmsg *address = begin(r, type, flags, sizeof(*address));

	address->ifa_family = a->family;
	address->ifa_prefixlen = a->length;
	address->ifa_index = a->ifindex;
	mnl_attr_put(r->message, IFA_LOCAL, bytes_of(a->family), a->addr);
	mnl_attr_put(r->message, IFA_ADDRESS, bytes_of(a->family), a->addr);
}

int rt_address_add(struct nl *n, const struct rt_addr *a)
{
	struct request r;

	address_request(&r, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, a);
	if (a->family == AF_INET6)
		mnl_attr_put_u32(r.message, IFA_FLAGS, IFA_F_NODAD | IFA_F_NOPREFIXROUTE);
	return nl_request(n, r.message);
}

int rt_address_del(struct nl *n, const struct rt_addr *a)
{
	struct request r;

	address_request(&r, RTM_DELADDR, 0, a);
	return nl_request(n, r.message);
}

int rt_default_add(struct nl *n, uint32_t ifindex, const void *gateway)
{
	struct request r;
	struct rtmsg *route = begin(&r, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, sizeof(*route));

	route->rtm_family = AF_INET;
	route->rtm_table = RT_TABLE_MAIN;
	route->rtm_protocol = RTPROT_STATIC;
	route->rtm_scope = RT_SCOPE_UNIVERSE;
	route->rtm_type = RTN_UNICAST;
	mnl_attr_put(r.message, RTA_GATEWAY, 4, gateway);
	mnl_attr_put_u32(r.message, RTA_OIF, ifindex);
	return nl_request(n, r.message);
}

int rt_neighbour_set(struct nl *n, const struct rt_addr *a, const uint8_t mac[6])
{
	struct request r;
	struct ndmsg *neighbour = begin(&r, RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, sizeof(*neighbour));

	neighbour->ndm_family = a->family;
	neighbour->ndm_ifindex = (int)a->ifindex;
	neighbour->ndm_state = NUD_PERMANENT;
	mnl_attr_put(r.message, NDA_DST, bytes_of(a->family), a->addr);
	mnl_attr_put(r.message, NDA_LLADDR, 6, mac);
	return nl_request(n, r.message);
}

static void sysctl_path(char *path, size_t room, const char *family, const char *name, const char *key)
{
	snprintf(path, room, "/proc/sys/net/%s/conf/%s/%s", family, name, key);
}

int rt_sysctl_set(const char *family, const char *name, const char *key, const char *value)
{
	char path[128];
	int fd, rc;

	sysctl_path(path, sizeof(path), family, name, key);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

int rt_sysctl_get(const char *family, const char *name, const char *key)
{
	char path[128];
	int value = -1;
	FILE *f;

	sysctl_path(path, sizeof(path), family, name, key);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%d", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}
