#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# stale.sh - neighbours in use are confirmed, though Linux never sees the packets that go to them
#
# The daemon has a stale neighbour probed when it is in use, looking every 30 s; the rest is Linux's, made quick here.
. "$(dirname "$0")/lib.sh"

new_mac=02:00:00:00:02:aa

home_make
ns gw sysctl -qw net.ipv4.neigh.gl.delay_first_probe_time=1 net.ipv4.neigh.gw.delay_first_probe_time=1
quiet lan lan2 wan
home_conf
up

# one packet each way; prints what came out on the WAN
exchange() {
	lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53
	frame send wan:w0 dst=$mac_gw udp from=198.51.100.9:53 to=203.0.113.2:4000
}

frame_options=(-t 3000)
shows "a flow is open" "$(exchange)" dst=$mac_w0 sport=4000
frame_options=(-t 200)
ns gw ip neigh replace 203.0.113.9 lladdr $mac_w0 dev gw nud stale
ns gw ip neigh replace 192.168.1.72 lladdr $mac_l0 dev gl nud stale
exchange >/dev/null
is "its neighbours are stale, whatever goes to them" \
	"$(ns gw ip neigh | awk '{print $1, $NF}' | sort | paste -sd ' ')" \
	"192.168.1.72 STALE 203.0.113.9 STALE"

# the gateway is replaced in silence: no gratuitous ARP
ns wan ip link set w0 address $new_mac
frame -t 50000 see lan:l0 'arp and ether dst 02:00:00:00:01:48' >"$tmp/probe" &
moved=
for _ in $(seq 45); do
	line=$(exchange)
	if [[ $line == *" dst=$new_mac "* ]]; then
		moved=$line
		break
	fi
	sleep 0.8
done
shows "the flow finds the gateway's new MAC address" "$moved" dst=$new_mac \
	"ip=203.0.113.2>198.51.100.9" sport=4000 sum=ok
until_true 5 test -s "$tmp/probe"
shows "the LAN host was asked as well, at its own MAC address" "$(cat "$tmp/probe")" type=0806 src=$mac_gl dst=$mac_l0
is "no other than that one flow was made" "$(flow_count)" 1
finish
