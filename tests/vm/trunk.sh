#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# trunk.sh - in a guest: the packet path loads, forwards on a trunk of real 802.1Q interfaces, passes the golden vectors,
# and agrees with user space on random packets
#
#    lan host                switch (ns sw)                     router (ns gw)
#   l0 192.168.1.72 --- t1.1 (VID 1) \                     / eth0.1 192.168.1.1
#                                     t1 ===== eth0 (XDP) <
#   w0 203.0.113.9  --- t1.2 (VID 2) /                     \ eth0.2 203.0.113.2
set -u
failed=0
check() { # WHAT COMMAND...
	what=$1
	shift
	if "$@" >/run/out 2>&1; then
		echo "ok $what"
	else
		echo "FAILED $what: $(tail -n 5 /run/out)"
		failed=1
	fi
}
in_ns() { ns=$1; shift; nsenter --net=/run/netns/"$ns" "$@"; }

for ns in sw gw lan wan; do
	ip netns add $ns
	in_ns $ns ip link set lo up
done
ip link add t1 netns sw type veth peer name eth0 netns gw
in_ns sw ip link add link t1 name l0 type vlan id 1
in_ns sw ip link add link t1 name w0 type vlan id 2
in_ns sw ip link set l0 netns lan
in_ns sw ip link set w0 netns wan
# Tags stay in the frame, checksums are complete, and t1 takes what XDP sends: before Linux 6.2 a veth does only with a
# program of its own, and the packet path without a configuration passes everything.
for feature in 'txvlan off' 'rxvlan off' 'tx off'; do in_ns sw ethtool -K t1 $feature >/dev/null; done
check "the object loads without its daemon" in_ns sw ip link set dev t1 xdpdrv obj /tests/portico_xdp.o sec xdp
for feature in 'txvlan off' 'rxvlan off'; do in_ns gw ethtool -K eth0 $feature; done
in_ns gw ip link add link eth0 name eth0.1 type vlan id 1
in_ns gw ip link add link eth0 name eth0.2 type vlan id 2
in_ns sw ip link set t1 up
for dev in eth0 eth0.1 eth0.2; do in_ns gw ip link set $dev up; done
in_ns gw ip addr add 192.168.1.1/24 dev eth0.1
in_ns gw ip addr add 203.0.113.2/24 dev eth0.2
in_ns gw sysctl -w net.ipv4.ip_forward=1 >/dev/null
in_ns lan ip link set l0 up
in_ns lan ip addr add 192.168.1.72/24 dev l0
in_ns lan ip route add default via 192.168.1.1
in_ns wan ip link set w0 up
in_ns wan ip addr add 203.0.113.9/24 dev w0
sleep 1

cat >/run/trunk.conf <<CONF
[gateway]
name = trunk
[lan]
interface = eth0.1
[wan]
interface = eth0.2
CONF
check "portico up" in_ns gw portico up /run/trunk.conf
check "the packet path is loaded and pinned" ls /sys/fs/bpf/portico/trunk/prog
check "ping from the LAN host to the WAN host" in_ns lan ping -c 5 -W 3 203.0.113.9
in_ns gw portico status -n trunk
in_ns gw portico counters -n trunk
check "translated in XDP, out" sh -c 'portico counters -n trunk | grep -q forward_out'
check "translated in XDP, in" sh -c 'portico counters -n trunk | grep -q forward_in'
check "portico down" in_ns gw portico down -n trunk
check "nothing is left" sh -c '! ls /sys/fs/bpf/portico 2>/dev/null'
check "golden vectors through BPF_PROG_TEST_RUN" bpf-vec /tests/vec
tail -n 1 /run/out
check "random packets: user space and kernel agree" bpf-diff /tests/vec 1 250
tail -n 1 /run/out
exit $failed
