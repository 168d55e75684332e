#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# not-ours.sh - what is not Portico's goes to Linux untouched, and the router's own sockets live beside the NAT
. "$(dirname "$0")/lib.sh"

home_make
known
for end in "lan l0 fd00:1::72" "gw gl fd00:1::1" "gw gw fd00:2::2" "wan w0 fd00:2::9"; do
	set -- $end
	ns "$1" sysctl -qw "net.ipv6.conf.$2.disable_ipv6=0"
	ns "$1" ip addr add "$3/64" dev "$2" nodad
done
home_conf
up

# the router's own traffic
serve gw udp 40000
serve gw tcp 40001
serve wan tcp 80 198.51.100.9
serve wan udp 53 198.51.100.9
succeeds "ping the router from the LAN" ns lan ping -q -c 1 -W 2 192.168.1.1
succeeds "ping the router's WAN address from the LAN" ns lan ping -q -c 1 -W 2 203.0.113.2
succeeds "ping the router from the WAN" ns wan ping -q -c 1 -W 2 203.0.113.2
succeeds "IPv6: ping the router from the LAN" ns lan ping -6 -q -c 1 -W 2 fd00:1::1
succeeds "IPv6: ping the router from the WAN" ns wan ping -6 -q -c 1 -W 2 fd00:2::2
succeeds "IPv6 was counted as left to Linux" test "$(counter kernel_type)" -gt 0
says "TCP from the LAN to the router" "$(talk lan ask tcp 192.168.1.1 40001 0 hello)" '^192.168.1.72:[0-9]+ hello$'
says "TCP from the LAN to the router's WAN address" \
	"$(talk lan ask tcp 203.0.113.2 40001 0 hello)" '^192.168.1.72:[0-9]+ hello$'
says "TCP from the WAN to the router" "$(talk wan ask tcp 203.0.113.2 40001 0 hello)" '^203.0.113.9:[0-9]+ hello$'
is "UDP from the WAN to the router" "$(talk wan ask udp 203.0.113.2 40000 5000 hello)" "203.0.113.9:5000 hello"
is "no flow was made by any of that" "$(flow_count)" 0
is "the router's own TCP to the WAN" "$(talk gw ask tcp 198.51.100.9 80 45000 hi)" "203.0.113.2:45000 hi"
is "the router's own UDP to the WAN" "$(talk gw ask udp 198.51.100.9 53 45001 hi)" "203.0.113.2:45001 hi"
is "a LAN host's TCP beside it" "$(talk lan ask tcp 198.51.100.9 80 45002 hi 3 | uniq)" "203.0.113.2:45002 hi"
is "the LAN host's flow is one flow" "$(flow_count)" 1

# ports of the router's sockets are never given away
quiet lan lan2 wan
line=$(lan_to_wan udp from=192.168.1.72:40000 to=198.51.100.9:53)
port=$(word sport "$line")
shows "UDP from the port of a socket of the router: translated" "$line" "ip=203.0.113.2>198.51.100.9" sum=ok
succeeds "to another port ($port)" test "$port" -ne 40000
line=$(lan_to_wan tcp from=192.168.1.72:40001 to=198.51.100.9:80)
port=$(word sport "$line")
shows "TCP from the port of a listener of the router: translated" "$line" "ip=203.0.113.2>198.51.100.9" sum=ok
succeeds "to another port ($port)" test "$port" -ne 40001
line=$(lan_to_wan udp from=192.168.1.72:40001 to=198.51.100.9:53)
shows "UDP from the listener's TCP port keeps it" "$line" sport=40001
line=$(lan_to_wan tcp from=192.168.1.72:40000 to=198.51.100.9:80)
shows "TCP from the UDP socket's port keeps it" "$line" sport=40000
background held nsenter --net="/run/netns/${prefix}gw" bash -c "exec 5<>/dev/udp/198.51.100.9/53; echo ready; sleep 60"
port=$(ns gw cat /proc/net/udp | awk '$3 ~ /:0035$/ {split($2, a, ":"); print a[2]}')
port=$((16#$port))
line=$(lan_to_wan udp from=192.168.1.72:$port to=198.51.100.9:53)
other=$(word sport "$line")
succeeds "a connected socket's port ($port) is not given away towards its peer" test "$other" -ne "$port"
line=$(lan_to_wan udp from=192.168.1.72:$port to=203.0.113.10:53)
shows "it is towards others" "$line" sport="$port"

# link layer and addresses
who_has() { # SENDER-MAC SENDER-IP TARGET-IP, in hexadecimal
	echo "0001080006040001${1}${2}000000000000${3}"
}
flows=$(flow_count)
before=$(counter kernel_type)
line=$(frame send lan:l0 type=0x806 hex="$(who_has 020000000148 c0a80148 c0a80101)" see lan:l0 arp)
shows "the router answers ARP on the LAN" "$line" type=0806 dst=$mac_l0 src=$mac_gl
line=$(frame send wan:w0 type=0x806 hex="$(who_has 020000000209 cb007109 cb007102)" see wan:w0 arp)
shows "and on the WAN" "$line" type=0806 dst=$mac_w0 src=$mac_gw
succeeds "ARP was left to Linux" test "$(counter kernel_type)" -ge $((before + 2))

before=$(counter kernel_mac)
line=$(frame send lan:l0 udp from=192.168.1.72:5000 to=192.168.1.255:40000 payload=b see lan:l0)
shows "a broadcast to the subnet reaches the router's socket, which answers" "$line" "ip=192.168.1.1>192.168.1.72" \
	sport=40000 dport=5000 payload=0x3139322e3136382e312e37323a353030302062
line=$(frame send lan:l0 udp from=192.168.1.72:5001 to=255.255.255.255:40000 see lan:l0)
shows "so does one to 255.255.255.255" "$line" sport=40000 dport=5001
line=$(frame send lan:l0 dst=01:00:5e:00:00:fb udp from=192.168.1.72:5353 to=224.0.0.251:5353 ttl=255 see gw:gl)
shows "a multicast comes to Linux as it was" "$line" "ip=192.168.1.72>224.0.0.251" ttl=255 dst=01:00:5e:00:00:fb sum=ok
line=$(frame send lan:l0 dst=02:00:00:00:09:99 udp from=192.168.1.72:4000 to=198.51.100.9:53 see gw:gl)
shows "a frame to another station comes to Linux as it was" "$line" "ip=192.168.1.72>198.51.100.9" ttl=64
is "these four were counted" "$(counter kernel_mac)" $((before + 4))

frame_options=(-t 150)
seen=
for to in 224.0.0.251 127.0.0.1 0.0.0.0 255.255.255.255; do
	seen+=$(lan_to_wan udp from=192.168.1.72:4000 to=$to:53)
done
is "nothing for multicast, loopback or no address leaves by the WAN, whatever MAC it had" "$seen" ""
is "no flow was made by any of that" "$(flow_count)" "$flows"
# Linux forwards 0.0.0.0/8 but for 0.0.0.0 itself: what is left to it leaves as it came
line=$(lan_to_wan udp from=192.168.1.72:4000 to=0.1.2.3:53)
is "for 0.1.2.3 nothing leaves with the address of a LAN host" "$(grep -o 'ip=192.168[0-9.>]*' <<<"$line")" ""
frame_options=()

# from the WAN
line=$(frame send wan:w0 dst=$mac_gw udp from=198.51.100.9:777 to=203.0.113.2:40000 payload=x see wan:w0)
shows "a packet of no flow reaches the router's socket, though the port is in the range" "$line" \
	"ip=203.0.113.2>198.51.100.9" sport=40000 dport=777 sum=ok
line=$(frame send wan:w0 dst=$mac_gw tcp from=198.51.100.9:777 to=203.0.113.2:40001 see wan:w0)
shows "a SYN reaches the router's listener" "$line" "ip=203.0.113.2>198.51.100.9" sport=40001 flags=18 sum=ok
line=$(frame send wan:w0 dst=$mac_gw udp from=198.51.100.9:777 to=203.0.113.2:40002 see wan:w0)
shows "for a port without anybody Linux answers 3/3" "$line" icmp=3 code=3 "inner=198.51.100.9>203.0.113.2" sum=ok
finish
