#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# two-interfaces.sh - LAN and WAN on two interfaces: what comes out at the far end, to the byte, and back
. "$(dirname "$0")/lib.sh"

home_make
known
quiet lan lan2 wan
home_conf "" "[nat]
ports = 2000-19999
reserve = 5000-11999, 15060"
up

lan2_to_wan() {
	frame send lan2:l1 dst=$mac_gl "$@" see wan:w0
}

wan_to_lan2() {
	frame send wan:w0 dst=$mac_gw "$@" see lan2:l1
}

# ports of the frames in a file that are outside the set
outside() {
	sed 's/.* sport=\([0-9]*\) .*/\1/' "$1" |
		awk '$1 < 2000 || $1 > 19999 || $1 == 15060 || ($1 >= 5000 && $1 <= 11999)'
}

out=(dst=$mac_w0 src=$mac_gw vlan=none ttl=63 ipsum=ok frag=16384 id=77 tos=184 pad=0)
in=(dst=$mac_l0 src=$mac_gl vlan=none ttl=49 ipsum=ok pad=0)

line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 df id=77 tos=184 payload=hello)
shows "UDP out: translated, port kept, TTL - 1, checksums right" "$line" "${out[@]}" "ip=203.0.113.2>198.51.100.9" \
	sum=ok sport=4000 dport=53 payload=hello
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4000 ttl=50 payload=world)
shows "UDP back: to the host that asked" "$line" "${in[@]}" "ip=198.51.100.9>192.168.1.72" sum=ok sport=53 dport=4000 \
	payload=world
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 nosum)
shows "UDP checksum zero stays zero, out" "$line" "ip=203.0.113.2>198.51.100.9" sum=zero ipsum=ok ttl=63
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4000 nosum)
shows "UDP checksum zero stays zero, back" "$line" "ip=198.51.100.9>192.168.1.72" sum=zero ipsum=ok
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 bad payload=x)
shows "a wrong UDP checksum is not made right" "$line" sum=bad ipsum=ok
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 size=1472)
shows "a full-size packet" "$line" sum=ok ipsum=ok iplen=1500 size=1472

line=$(lan_to_wan tcp from=192.168.1.72:4001 to=198.51.100.9:80 df id=77 tos=184 seq=4294967290)
shows "TCP SYN out" "$line" "${out[@]}" "ip=203.0.113.2>198.51.100.9" \
	sum=ok sport=4001 dport=80 flags=2 seq=4294967290
line=$(wan_to_lan tcp from=198.51.100.9:80 to=203.0.113.2:4001 ttl=50 flags=18 seq=9 ack=4294967291)
shows "TCP SYN-ACK back" "$line" "${in[@]}" "ip=198.51.100.9>192.168.1.72" sum=ok sport=80 dport=4001 flags=18 \
	ack=4294967291
line=$(lan_to_wan tcp from=192.168.1.72:4001 to=198.51.100.9:80 flags=24 size=1001)
shows "TCP data of odd length" "$line" sum=ok ipsum=ok size=1001 flags=24

line=$(lan_to_wan ping from=192.168.1.72 to=198.51.100.9 echo=4002 eseq=5 df id=77 tos=184 payload=abc)
shows "echo request out" "$line" "${out[@]}" "ip=203.0.113.2>198.51.100.9" sum=ok icmp=8 echo=4002 eseq=5 payload=abc
line=$(wan_to_lan pong from=198.51.100.9 to=203.0.113.2 echo=4002 eseq=5 ttl=50 payload=abc)
shows "echo reply back" "$line" "${in[@]}" "ip=198.51.100.9>192.168.1.72" sum=ok icmp=0 echo=4002 eseq=5

line=$(lan_to_wan udp from=192.168.1.72:4003 to=198.51.100.9:53 options=01010101 payload=o)
shows "IP options are kept" "$line" options=0x01010101 ipsum=ok sum=ok iplen=33 sport=4003
options=$(printf '01%.0s' {1..39})00
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4003 options=$options size=9)
shows "40 bytes of options, back" "$line" options=0x$options ipsum=ok sum=ok iplen=77

line=$(lan_to_wan udp from=192.168.1.72:4000 to=203.0.113.10:53)
shows "the same socket to another destination keeps its port" "$line" sport=4000 "ip=203.0.113.2>203.0.113.10"

# two hosts, one source port, one destination
line=$(lan2_to_wan udp from=192.168.1.73:4000 to=198.51.100.9:53 payload=second)
shows "a second host with the same port and destination" "$line" "ip=203.0.113.2>198.51.100.9" sum=ok payload=second
other=$(word sport "$line")
succeeds "gets another port ($other)" test "$other" -ne 4000
line=$(wan_to_lan2 udp from=198.51.100.9:53 to=203.0.113.2:"$other" payload=two)
shows "its answer comes to it, with its MAC address" "$line" dst=$mac_l1 \
	"ip=198.51.100.9>192.168.1.73" dport=4000 sum=ok
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4000 payload=one)
shows "and the first host's to the first" "$line" dst=$mac_l0 "ip=198.51.100.9>192.168.1.72" dport=4000 sum=ok

line=$(lan2_to_wan ping from=192.168.1.73 to=198.51.100.9 echo=4002)
other=$(word echo "$line")
succeeds "a second host with the same echo identifier gets another ($other)" test "$other" -ne 4002
line=$(wan_to_lan2 pong from=198.51.100.9 to=203.0.113.2 echo="$other")
shows "its reply has its own identifier again" "$line" "ip=198.51.100.9>192.168.1.73" echo=4002 sum=ok

# a stranger's packet to a port in use, from elsewhere
before=$(counter kernel_no_flow)
frame_options=(-t 200)
wan_to_lan udp from=203.0.113.10:99 to=203.0.113.2:"$other" >"$tmp/stranger"
frame_options=()
is "a packet from a stranger to a mapped port comes to no host" "$(cat "$tmp/stranger")" ""
is "it is counted as of no flow" "$(counter kernel_no_flow)" $((before + 1))

# the port set
sends=()
for port in 5000 7500 11999 15060 1999 20000 65535 1 53; do
	sends+=(send lan:l0 dst=$mac_gl udp "from=192.168.1.72:$port" to=198.51.100.9:53 "payload=$port")
done
frame -n 9 "${sends[@]}" see wan:w0 >"$tmp/set"
is "source ports outside the set: all sent" "$(wc -l <"$tmp/set")" 9
is "none leaves with a port outside the range or on the reserve list" "$(outside "$tmp/set")" ""

sends=()
for port in $(seq 20000 22999); do
	sends+=(send lan:l0 dst=$mac_gl udp "from=192.168.1.72:$port" to=198.51.100.9:54)
done
frame -n 3000 "${sends[@]}" see wan:w0 >"$tmp/set"
is "3000 flows to one destination, of a set of 10999 with a wide gap: 3000 different ports" \
	"$(sed 's/.* sport=\([0-9]*\) .*/\1/' "$tmp/set" | sort -u | wc -l)" 3000
is "no flow was refused while ports were free" "$(counter drop_no_port)" 0
is "all are inside the set" "$(outside "$tmp/set")" ""
is "none has a wrong checksum" "$(grep -vc 'ipsum=ok .* sum=ok' "$tmp/set")" 0

line=$("$portico" flows -n "$name" -s 192.168.1.73 -p udp)
says "portico flows shows the second host's flow" "$line" \
	'udp +[0-9]+ replied +src=192.168.1.73 dst=198.51.100.9 sport=4000 dport=53'
is "drop_fault was never counted" "$(counter drop_fault)" 0
is "none was never counted" "$(counter none)" 0
finish
