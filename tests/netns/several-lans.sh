#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# several-lans.sh - two LANs behind one WAN; what goes from LAN to LAN is Linux's business
#
#   the home of lib.sh, and   guest 192.168.2.50  g0 ------ gg  192.168.2.1  [gw]
. "$(dirname "$0")/lib.sh"

mac_g0=02:00:00:00:03:50
mac_gg=02:00:00:00:00:c1

home_make
space_add guest
wire guest g0 gw gg
host guest g0 $mac_g0 192.168.2.50/24 192.168.2.1
ns gw ip link set gg address $mac_gg
ns gw ip addr add 192.168.2.1/24 dev gg
known
ns gw ip neigh replace 192.168.2.50 lladdr $mac_g0 dev gg nud permanent
home_conf "" "[lan guest]
interface = gg"
up

succeeds "ping from LAN to LAN" ns lan ping -q -c 2 -i 0.2 -W 2 192.168.2.50
quiet lan lan2 guest wan

line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53)
shows "the first LAN is translated" "$line" "ip=203.0.113.2>198.51.100.9" sport=4000 sum=ok ipsum=ok
line=$(frame send guest:g0 dst=$mac_gg udp from=192.168.2.50:4000 to=198.51.100.9:53 see wan:w0)
shows "so is the second" "$line" "ip=203.0.113.2>198.51.100.9" sum=ok ipsum=ok
port=$(word sport "$line")
succeeds "with a port of its own ($port)" test "$port" -ne 4000
line=$(frame send wan:w0 dst=$mac_gw udp from=198.51.100.9:53 to=203.0.113.2:"$port" see guest:g0)
shows "an answer finds the second LAN" "$line" dst=$mac_g0 src=$mac_gg "ip=198.51.100.9>192.168.2.50" dport=4000 sum=ok
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4000)
shows "and the other the first" "$line" dst=$mac_l0 src=$mac_gl "ip=198.51.100.9>192.168.1.72" dport=4000 sum=ok

before=$(counter kernel_route)
flows=$(flow_count)
line=$(frame send lan:l0 dst=$mac_gl udp from=192.168.1.72:4000 to=192.168.2.50:53 payload=across see guest:g0)
shows "LAN to LAN: forwarded by Linux, addresses untouched" "$line" src=$mac_gg "ip=192.168.1.72>192.168.2.50" ttl=63 \
	sport=4000 sum=ok ipsum=ok payload=across
line=$(frame send guest:g0 dst=$mac_gg tcp from=192.168.2.50:53 to=192.168.1.72:4000 flags=18 see lan:l0)
shows "and back" "$line" src=$mac_gl "ip=192.168.2.50>192.168.1.72" ttl=63 dport=4000 sum=ok
is "both are counted as routed elsewhere" "$(counter kernel_route)" $((before + 2))
is "no flow was made for them" "$(flow_count)" "$flows"
finish
