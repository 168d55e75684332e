/* SPDX-License-Identifier: GPL-2.0-or-later */
/* links.c - this system's network interfaces and their IPv4 addresses */
#include "links.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void read_kind(const struct nlattr *info, struct link *link)
{
	const struct nlattr *attr, *data = NULL;
	bool vlan = false;

	mnl_attr_for_each_nested(attr, info) {
		if (mnl_attr_get_type(attr) == IFLA_INFO_KIND)
			vlan = !strcmp(mnl_attr_get_str(attr), "vlan");
		else if (mnl_attr_get_type(attr) == IFLA_INFO_DATA)
			data = attr;
	}
	if (!vlan || !data)
		return;
	mnl_attr_for_each_nested(attr, data)
		if (mnl_attr_get_type(attr) == IFLA_VLAN_ID)
			link->vid = mnl_attr_get_u16(attr);
}

static int add_link(const struct nlmsghdr *message, void *arg)
{
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(message);
	struct links *l = arg;
	struct link *grown = realloc(l->link, (l->count + 1) * sizeof(*grown));
	struct link *link;
	const struct nlattr *attr;
	uint32_t below = 0;

	if (!grown) {
		errno = ENOMEM;
		return MNL_CB_ERROR;
	}
	l->link = grown;
	link = &grown[l->count++];
	*link = (struct link){.ifindex = (uint32_t)info->ifi_index};
	link->ethernet = info->ifi_type == ARPHRD_ETHER;
	link->up = (info->ifi_flags & IFF_UP) != 0;
	mnl_attr_for_each(attr, message, sizeof(*info)) {
		switch (mnl_attr_get_type(attr)) {
		case IFLA_IFNAME:
			strncpy(link->name, mnl_attr_get_str(attr), sizeof(link->name) - 1);
			break;
		case IFLA_IFALIAS:
			snprintf(link->alias, sizeof(link->alias), "%s", mnl_attr_get_str(attr));
			break;
		case IFLA_ADDRESS:
			if (mnl_attr_get_payload_len(attr) == sizeof(link->mac))
				memcpy(link->mac, mnl_attr_get_payload(attr), sizeof(link->mac));
			break;
		case IFLA_MTU:
			link->mtu = mnl_attr_get_u32(attr);
			break;
		case IFLA_LINK:
			below = mnl_attr_get_u32(attr);
			break;
		case IFLA_LINKINFO:
			read_kind(attr, link);
			break;
		}
	}
	/* IFLA_LINK of a veth is its peer; only a tag makes the interface below the carrier of the frames */
	link->parent = link->vid ? below : 0;
	return MNL_CB_OK;
}

static int add_address(const struct nlmsghdr *message, void *arg)
{
	const struct ifaddrmsg *info = mnl_nlmsg_get_payload(message);
	struct link *link = (struct link *)links_by_index(arg, info->ifa_index);
	const struct nlattr *attr, *address = NULL;

	/* IFA_LOCAL is our end; on a point-to-point link IFA_ADDRESS is the other one's */
	mnl_attr_for_each(attr, message, sizeof(*info)) {
		if (mnl_attr_get_type(attr) == IFA_LOCAL || (mnl_attr_get_type(attr) == IFA_ADDRESS && !address))
			address = attr;
	}
	if (!link || !address || link->naddresses == LINK_ADDRESSES_MAX)
		return MNL_CB_OK;
	link->addresses[link->naddresses++] = (struct link_address){
		.address = (PORTICO_FORCE be32)mnl_attr_get_u32(address),
		.prefix = info->ifa_prefixlen,
	};
	return MNL_CB_OK;
}

int links_init(struct links *l, struct nl *n)
{
	int rc;

	*l = (struct links){0};
	rc = nl_dump(n, RTM_GETLINK, AF_UNSPEC, add_link, l);
	if (!rc)
		rc = nl_dump(n, RTM_GETADDR, AF_INET, add_address, l);
	if (rc)
		links_exit(l);
	return rc;
}

void links_exit(struct links *l)
{
	free(l->link);
	*l = (struct links){0};
}

const struct link *links_by_name(const struct links *l, const char *name)
{
	for (unsigned int i = 0; i < l->count; i++)
		if (!strcmp(l->link[i].name, name))
			return &l->link[i];
	return NULL;
}

const struct link *links_by_alias(const struct links *l, const char *alias)
{
	for (unsigned int i = 0; i < l->count; i++)
		if (!strcmp(l->link[i].alias, alias))
			return &l->link[i];
	return NULL;
}

const struct link *links_by_index(const struct links *l, uint32_t ifindex)
{
	for (unsigned int i = 0; i < l->count; i++)
		if (l->link[i].ifindex == ifindex)
			return &l->link[i];
	return NULL;
}

static int ethtool(const char *name, struct ethtool_value *value)
{
	struct ifreq request = {.ifr_data = (char *)value};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), rc;

	if (fd < 0)
		return -errno;
	strncpy(request.ifr_name, name, sizeof(request.ifr_name) - 1);
	rc = ioctl(fd, SIOCETHTOOL, &request) ? -errno : 0;
	close(fd);
	return rc;
}

int link_offloads_set(const char *name)
{
	struct ethtool_value checksums = {.cmd = ETHTOOL_STXCSUM, .data = 0};
	struct ethtool_value gro = {.cmd = ETHTOOL_SGRO, .data = 1};
	int rc = ethtool(name, &checksums);

	return rc ? rc : ethtool(name, &gro);
}

bool link_strips_tags(const char *name)
{
	struct ethtool_value value = {.cmd = ETHTOOL_GFLAGS};

	return !ethtool(name, &value) && value.data & ETH_FLAG_RXVLAN;
}
