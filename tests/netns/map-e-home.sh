#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# map-e-home.sh - a MAP-E home at work: real programs through edge and relay; MTU, TTL, fragments; life of the daemon
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/softwire.sh"

softwire_make
need ping iperf3
system() { # what 'portico up' may not leave changed; counters and times of life apart
	ns gw ip -o addr | sed 's/valid_lft.*//'
	ns gw ip route
	ns gw ip -6 route | sed 's/expires.*//' | sort
	ns gw ip -o link | sed 's/xdp[^ ]*//; s/ *qdisc.*//'
}
before=$(system)
relay_before=$(ns br ip -o -6 addr | sed "s/valid_lft.*//")
edge_conf
up
relay_up
background serve nsenter --net="/run/netns/${prefix}wan" python3 "$softwire_tool" serve 198.51.100.9 198.51.100.10

echo "--- openwrt#11972, nat46#54: echo through the tunnel, from a host and from the router"
succeeds "ping from the LAN" ns lan ping -c 2 -i 0.2 -W 2 198.51.100.9
succeeds "ping from the router itself, through the set" ns gw ping -c 2 -i 0.2 -W 2 198.51.100.9
tcp() { # SPACE OPTIONS: real TCP, Mbit/s
	local space=$1
	shift
	ns wan timeout 20 iperf3 -s -1 -B 198.51.100.9 >/dev/null 2>&1 &
	until_true 5 eval 'ns wan ss -Hltn | grep -q :5201'
	ns "$space" timeout 15 iperf3 -c 198.51.100.9 -t 1 -f m "$@" 2>&1 | awk '/receiver/ { print ($7 > 1) }'
}
is "TCP out" "$(tcp lan)" 1
is "TCP in" "$(tcp lan -R)" 1
is "TCP of the router's own" "$(tcp gw)" 1
is "UDP: 100 sockets answered, all ports in the set" "$(soft lan fill 100 198.51.100.9)" \
	"answered 100 distinct 100 outside 0 refused 0"
is "and of the router's own" "$(soft gw fill 100 198.51.100.10 192.0.0.2)" \
	"answered 100 distinct 100 outside 0 refused 0"

echo "--- vpp#2930, einat#19, Jool#92: fragments and what is too big"
succeeds "ping -s 1800: fragments both ways" ns lan ping -c 2 -i 0.2 -W 2 -s 1800 198.51.100.9
succeeds "ping -s 6000" ns lan ping -c 2 -i 0.2 -W 2 -s 6000 198.51.100.9
refuses "1500 bytes, DF: not through the tunnel" ns lan ping -c 1 -W 2 -s 1472 -M do 198.51.100.9
says "3/4 with the link's MTU less 40" "$seen" "mtu ?= ?1460"
ns lan ip route flush cache
refuses "1460 bytes, DF, into a path of 1400" eval \
	"ns net6 ip link set b6 mtu 1400; ns lan ping -c 1 -W 2 -s 1432 -M do 198.51.100.9"
says "cilium#12968: Packet Too Big becomes 3/4 with 1360" "$seen" "mtu ?= ?1360"
is "the tunnel's MTU is the path's" "$(status .tunnel.mtu)" 1400
succeeds "1360 bytes go through" ns lan ping -c 1 -W 2 -s 1332 -M do 198.51.100.9
ns net6 ip link set b6 mtu 1500

echo "--- dataplane#1579, opte#369, vpp#3587: time exceeded, on the way out and in"
exceeded() { ns "$1" ping -c 1 -W 2 -t "$2" "$3" 2>&1 | grep -o 'From [0-9.]*'; }
is "TTL 1: the router" "$(exceeded lan 1 198.51.100.9)" "From 192.168.1.1"
is "TTL 2: the relay, its error restored by the edge" "$(exceeded lan 2 198.51.100.9)" "From 203.0.113.2"
is "TTL 1 of the router's own: the relay" "$(exceeded gw 1 198.51.100.9)" "From 203.0.113.2"

echo "--- P5: the daemon's death, restart; P6: down"
soft lan keep 100 198.51.100.9 3 >"$tmp/keep" &
keeper=$!
started+=($keeper)
until_true 5 grep -q answered "$tmp/keep"
daemon_end KILL
is "with the daemon dead, new flows go on" "$(soft lan fill 50 198.51.100.10)" \
	"answered 50 distinct 50 outside 0 refused 0"
succeeds "and the router's own" ns gw ping -c 1 -W 2 198.51.100.9
up
is "a new one adopts the packet path" "$(status .adopted)" true
wait $keeper
is "kill -9 and restart lose no flow: every port is as it was" "$(tail -1 "$tmp/keep")" same
down
is "down leaves addresses, routes and interfaces as they were" "$(system)" "$before"
relay_down
is "and the addresses of the relay" "$(ns br ip -o -6 addr | sed "s/valid_lft.*//")" "$relay_before"
finish
