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

int rt_link_set(struct nl *n, uint32_t ifindex, uint32_t mtu)
{
	struct request r;
	struct ifinfomsg *link = begin(&r, RTM_NEWLINK, 0, sizeof(*link));

	link->ifi_index = (int)ifindex;
	link->ifi_flags = IFF_UP;
	link->ifi_change = IFF_UP;
	mnl_attr_put_u32(r.message, IFLA_MTU, mtu);
	return nl_request(n, r.message);
}

int rt_link_alias(struct nl *n, uint32_t ifindex, const char *alias)
{
	struct request r;
	struct ifinfomsg *link = begin(&r, RTM_NEWLINK, 0, sizeof(*link));

	link->ifi_index = (int)ifindex;
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

#define ANSWERED_ONLY (IFA_F_NODAD | IFA_F_NOPREFIXROUTE | IFA_F_DEPRECATED)

int rt_address_add(struct nl *n, const struct rt_addr *a)
{
	static const struct ifa_cacheinfo deprecated = {.ifa_valid = UINT32_MAX};
	struct request r;

	address_request(&r, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, a);
	if (a->family == AF_INET6) {
		mnl_attr_put_u32(r.message, IFA_FLAGS, IFA_F_NODAD | IFA_F_NOPREFIXROUTE);
		mnl_attr_put(r.message, IFA_CACHEINFO, sizeof(deprecated), &deprecated);
	}
	return nl_request(n, r.message);
}

struct own {
	const struct rt_addr *a;
	bool found;
};

/* Whether this is the address that is looked for, and as rt_address_add() makes it. */
static int own_address(const struct nlmsghdr *message, void *arg)
{
	const struct ifaddrmsg *info = mnl_nlmsg_get_payload(message);
	const struct nlattr *attr;
	struct own *own = arg;
	uint32_t flags = 0;
	bool same = false;

	mnl_attr_for_each(attr, message, sizeof(*info)) {
		if (mnl_attr_get_type(attr) == IFA_FLAGS)
			flags = mnl_attr_get_u32(attr);
		else if (mnl_attr_get_type(attr) == IFA_ADDRESS)
			same = !memcmp(mnl_attr_get_payload(attr), own->a->addr, bytes_of(AF_INET6));
	}
	if (same && info->ifa_index == own->a->ifindex && (flags & ANSWERED_ONLY) == ANSWERED_ONLY)
		own->found = true;
	return MNL_CB_OK;
}

int rt_address_del(struct nl *n, const struct rt_addr *a)
{
	struct own own = {.a = a, .found = a->family != AF_INET6};
	struct request r;
	int rc = own.found ? 0 : nl_dump(n, RTM_GETADDR, AF_INET6, own_address, &own);

	if (rc || !own.found)
		return rc ? rc : -ENOENT;
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

struct best {
	uint32_t ifindex; /* 0: none yet */
	uint32_t metric;
};

/* Of an equal-cost route, the first way. */
static uint32_t first_way(const struct nlattr *multipath)
{
	const struct rtnexthop *way = mnl_attr_get_payload(multipath);

	return mnl_attr_get_payload_len(multipath) >= sizeof(*way) ? (uint32_t)way->rtnh_ifindex : 0;
}

static int default_route(const struct nlmsghdr *message, void *arg)
{
	const struct rtmsg *route = mnl_nlmsg_get_payload(message);
	const struct nlattr *attr;
	struct best *best = arg;
	struct best this = {0};

	if (route->rtm_table != RT_TABLE_MAIN || route->rtm_dst_len || route->rtm_type != RTN_UNICAST)
		return MNL_CB_OK;
	mnl_attr_for_each(attr, message, sizeof(*route)) {
		if (mnl_attr_get_type(attr) == RTA_OIF)
			this.ifindex = mnl_attr_get_u32(attr);
		else if (mnl_attr_get_type(attr) == RTA_PRIORITY)
			this.metric = mnl_attr_get_u32(attr);
		else if (mnl_attr_get_type(attr) == RTA_MULTIPATH)
			this.ifindex = first_way(attr);
	}
	if (!best->ifindex || this.metric < best->metric)
		*best = this;
	return MNL_CB_OK;
}

int rt_default_get(struct nl *n, uint32_t *ifindex)
{
	struct best best = {0};
	int rc = nl_dump(n, RTM_GETROUTE, AF_INET, default_route, &best);

	*ifindex = best.ifindex;
	return rc;
}

int rt_route6_by(struct nl *n, const void *addr, uint32_t ifindex)
{
	struct request r;
	struct rtmsg *route = begin(&r, RTM_GETROUTE, 0, sizeof(*route));

	route->rtm_family = AF_INET6;
	route->rtm_dst_len = 128;
	mnl_attr_put(r.message, RTA_DST, 16, addr);
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
