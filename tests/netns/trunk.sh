#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trunk.sh - LAN and WAN as two VLANs of one port, and VLANs on one side only
#
#   [gw] trunk0 ------ t1 [wire]      VID 1: LAN, 192.168.1.0/24     VID 2: WAN, 203.0.113.0/24
#
# This kernel may have no 802.1Q interfaces: lan0 and wan0, which have the addresses, are stand-ins that carry nothing,
# with permanent neighbours. Hosts are the frame tool's. A veth takes what its peer sends by XDP_TX only where it has an
# XDP program itself.
. "$(dirname "$0")/lib.sh"

need bpftool netns bpffs veth jq ethtool
space_add gw wire
ns gw sysctl -qw net.ipv4.ip_forward=1

# stand_in IF MAC ADDRESS NEIGHBOUR MAC
stand_in() {
	ns gw ip link add "$1" address "$2" type veth peer name "${1}x"
	ns gw ip link set "$1" up
	ns gw ip link set "${1}x" up
	ns gw ip addr add "$3" dev "$1"
	ns gw ip neigh replace "$4" lladdr "$5" dev "$1" nud permanent
}

# cross SEND-IF SEE-IF WORD...: a frame in, what comes out
cross() {
	local in=$1 out=$2
	shift 2
	frame "${frame_options[@]}" send "wire:$in" "$@" see "wire:$out" 'ip or (vlan and ip)'
}

stand_in lan0 02:00:00:00:00:a1 192.168.1.1/24 192.168.1.72 $mac_l0
stand_in wan0 02:00:00:00:00:b1 203.0.113.2/24 203.0.113.9 $mac_w0
ns gw ip route add default via 203.0.113.9
wire gw trunk0 wire t1
ns gw ethtool -K trunk0 rxvlan off >/dev/null
foreign_attach wire xdpdrv t1

conf <<-END
	[lan]
	interface = lan0
	port = trunk0
	vlan = 1
	[wan]
	interface = wan0
	port = trunk0
	vlan = 2
END
up
is "one attachment for both VLANs" "$(status '[.interfaces[] | "\(.name) \(.port) \(.vlan) \(.xdp)"] | join(", ")')" \
	"lan trunk0 1 native, wan trunk0 2 native"

line=$(cross t1 t1 src=$mac_l0 dst=$mac_gl vlan=1 prio=11 udp from=192.168.1.72:4000 to=198.51.100.9:53 payload=out)
shows "LAN to WAN: VID 1 becomes 2, priority and drop bit kept" "$line" vlan=2 prio=11 dst=$mac_w0 src=$mac_gw \
	"ip=203.0.113.2>198.51.100.9" ttl=63 ipsum=ok sum=ok sport=4000 payload=out pad=0
line=$(cross t1 t1 src=$mac_w0 dst=$mac_gw vlan=2 prio=4 udp from=198.51.100.9:53 to=203.0.113.2:4000 payload=back)
shows "WAN to LAN: VID 2 becomes 1" "$line" vlan=1 prio=4 dst=$mac_l0 src=$mac_gl "ip=198.51.100.9>192.168.1.72" \
	ttl=63 ipsum=ok sum=ok dport=4000 payload=back
line=$(cross t1 t1 src=$mac_l0 dst=$mac_gl vlan=1 tcp from=192.168.1.72:4001 to=198.51.100.9:80 size=1460)
shows "a full-size TCP segment" "$line" vlan=2 prio=0 iplen=1500 sum=ok ipsum=ok frame=1518
line=$(cross t1 t1 src=$mac_l0 dst=$mac_gl vlan=1 ping from=192.168.1.72 to=198.51.100.9 echo=7 payload=e pad=17)
shows "a padded echo request" "$line" vlan=2 "ip=203.0.113.2>198.51.100.9" sum=ok pad=17

frame_options=(-t 200)
before=$(counter kernel_port)
line=$(cross t1 t1 dst=$mac_gl vlan=3 udp from=192.168.1.72:4000 to=198.51.100.9:53)
line+=$(cross t1 t1 dst=$mac_gl udp from=192.168.1.72:4000 to=198.51.100.9:53)
line+=$(cross t1 t1 dst=$mac_gl prio=5 udp from=192.168.1.72:4000 to=198.51.100.9:53)
is "VID 3, no tag and a priority tag are not ours here" "$line" ""
is "they are left to Linux" "$(counter kernel_port)" $((before + 3))
before=$(counter kernel_mac)
line=$(cross t1 t1 dst=$mac_gw vlan=1 udp from=192.168.1.72:4000 to=198.51.100.9:53)
is "the WAN's MAC address on the LAN's VLAN is another station's" "$line" ""
is "it is left to Linux" "$(counter kernel_mac)" $((before + 1))
frame_options=()
down

# LAN untagged, WAN on VLAN 7 of another interface; then the other way round
wire gw gl wire l0
wire gw gp wire p0
ns gw ip link set gl address $mac_gl
ns gw ip addr del 192.168.1.1/24 dev lan0
ns gw ip addr add 192.168.1.1/24 dev gl
ns gw ip neigh replace 192.168.1.72 lladdr $mac_l0 dev gl nud permanent
ns wire ethtool -K l0 gro on >/dev/null
ns gw ethtool -K gp rxvlan off >/dev/null
ns wire ethtool -K p0 gro on >/dev/null
conf <<-END
	[lan]
	interface = gl
	[wan]
	interface = wan0
	port = gp
	vlan = 7
END
up
line=$(cross l0 p0 src=$mac_l0 dst=$mac_gl udp from=192.168.1.72:4000 to=198.51.100.9:53 payload=push)
shows "untagged LAN to VLAN 7: a tag is pushed" "$line" vlan=7 prio=0 dst=$mac_w0 src=$mac_gw sum=ok ipsum=ok \
	"ip=203.0.113.2>198.51.100.9" payload=push pad=0 frame=50
line=$(cross p0 l0 src=$mac_w0 dst=$mac_gw vlan=7 prio=6 udp from=198.51.100.9:53 to=203.0.113.2:4000 payload=pop)
shows "VLAN 7 to untagged LAN: the tag is popped" "$line" vlan=none dst=$mac_l0 src=$mac_gl sum=ok ipsum=ok \
	"ip=198.51.100.9>192.168.1.72" payload=pop pad=0 frame=45
line=$(cross l0 p0 src=$mac_l0 dst=$mac_gl tcp from=192.168.1.72:4001 to=198.51.100.9:80 size=1460)
shows "a full-size segment gets its tag as well" "$line" vlan=7 iplen=1500 frame=1518 sum=ok
line=$(cross l0 p0 src=$mac_l0 dst=$mac_gl prio=9 udp from=192.168.1.72:4000 to=198.51.100.9:53)
shows "a priority tag (VID 0) on the untagged LAN: VLAN 7, priority kept" "$line" vlan=7 prio=9 sum=ok
finish
