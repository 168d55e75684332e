#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# neighbours.sh - next hops that are unknown, that move, that never answer; routes that change
. "$(dirname "$0")/lib.sh"

new_mac=02:00:00:00:02:aa
third_mac=02:00:00:00:02:bb

home_make
quiet lan lan2 wan
home_conf
ns gw ip neigh flush all
up

sent() { status .slow.sent; }

# unresolved, both ways
frame_options=(-t 3000)
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 payload=first)
shows "the gateway is unknown: the first packet arrives, translated" "$line" dst=$mac_w0 src=$mac_gw ttl=63 ipsum=ok \
	sum=ok "ip=203.0.113.2>198.51.100.9" sport=4000 payload=first
is "it went through the daemon" "$(counter slow_neighbour) $(sent)" "1 1"
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4000 payload=answer)
shows "the LAN host is unknown: the first answer arrives, translated" "$line" dst=$mac_l0 src=$mac_gl ttl=63 ipsum=ok \
	sum=ok "ip=198.51.100.9>192.168.1.72" dport=4000 payload=answer
is "it went through the daemon, too" "$(counter slow_neighbour) $(sent)" "2 2"
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 payload=second)
shows "the next packet" "$line" payload=second
is "does not" "$(counter slow_neighbour)" 2

ns gw ip neigh flush all
sends=()
for i in 1 2 3 4 5; do
	sends+=(send lan:l0 dst=$mac_gl tcp from=192.168.1.72:4001 to=198.51.100.9:80 "payload=n$i")
done
seen=$(frame -t 3000 -n 5 "${sends[@]}" see wan:w0 |
	sed 's/.* sport=\([0-9]*\) .* payload=\(n[0-9]\) .*/\1 \2/' | tr '\n' ' ')
is "five packets of a new flow at once: all arrive, in order" "$seen" "4001 n1 4001 n2 4001 n3 4001 n4 4001 n5 "
is "as one flow" "$(flow_count -p tcp)" 1

# a flow under way: nothing is lost while its next hop moves
frame_options=()
# moving COMMAND...: while the command runs, 400 packets, one each millisecond; prints to which MAC addresses they went
moving() {
	local sends=() i
	for i in $(seq 400); do
		sends+=(send lan:l0 dst=$mac_gl udp from=192.168.1.72:4000 to=198.51.100.9:53)
	done
	frame -g 1000 -n 400 "${sends[@]}" see wan:w0 >"$tmp/moving" &
	sleep 0.2
	"$@"
	wait $!
	sed 's/.* dst=\([0-9a-f:]*\) .* sport=\([0-9]*\) .*/\1 \2/' "$tmp/moving" | uniq -c |
		awk '{n += $1; way = way " " $2 " " $3} END {print n way}'
}

is "the gateway's MAC address changes: no packet lost, same port" \
	"$(moving ns gw ip neigh replace 203.0.113.9 lladdr $new_mac dev gw nud reachable)" \
	"400 $mac_w0 4000 $new_mac 4000"
gratuitous=00010800060400020200000002bbcb0071090200000002bbcb007109
is "so with a gratuitous ARP" "$(moving frame send wan:w0 src=$third_mac type=0x806 hex=$gratuitous)" \
	"400 $new_mac 4000 $third_mac 4000"
ns gw ip neigh replace 203.0.113.9 lladdr $mac_w0 dev gw nud permanent
ns gw ip neigh replace 203.0.113.10 lladdr $new_mac dev gw nud permanent
is "the route changes to another gateway" "$(moving ns gw ip route add 198.51.100.0/24 via 203.0.113.10)" \
	"400 $mac_w0 4000 $new_mac 4000"
is "and back" "$(moving ns gw ip route del 198.51.100.0/24)" "400 $new_mac 4000 $mac_w0 4000"
is "the default route is replaced" "$(moving ns gw ip route replace default via 203.0.113.10)" \
	"400 $mac_w0 4000 $new_mac 4000"
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4000)
shows "the flow's answers still come in" "$line" "ip=198.51.100.9>192.168.1.72" dport=4000

# nobody there
ns gw ip route add 198.51.100.77/32 via 203.0.113.77
flows=$(flow_count)
pid=$(daemon_pid)
rss() { awk '/VmRSS/ {print $2}' "/proc/$pid/status"; }
before=$(rss)
held=$(counter slow_neighbour)
received=$(status .slow.received)
dropped=$(status .slow.dropped)
talk lan stream 198.51.100.77 9 4444 20000 1 >/dev/null
seen=$(frame -t 300 -n 0 send lan:l0 dst=$mac_gl udp from=192.168.1.72:4445 to=198.51.100.77:9 see wan:w0)
is "a gateway that never answers: nothing leaves" "$seen" ""
is "no flow is made" "$(flow_count)" "$flows"
held=$(($(counter slow_neighbour) + $(counter drop_no_neighbour) - held))
is "every packet is counted" "$held" 20001
succeeds "the daemon's memory is bounded ($before KiB, then $(rss))" test "$(rss)" -lt $((before + 4096))
until_true 6 eval 'test $(($(status .slow.received) - received)) -eq $(($(status .slow.dropped) - dropped))'
is "all that was held is dropped, and counted" \
	"$(($(status .slow.dropped) - dropped))" "$(($(status .slow.received) - received))"

# it comes back while the LAN keeps sending
talk lan stream 198.51.100.77 9 4446 50 12 >/dev/null &
stream=$!
sleep 4.5
ns wan ip addr add 203.0.113.77/24 dev w0
seen=$(frame -t 5000 see wan:w0 'udp port 9')
shows "a gateway that comes back is found while packets wait for it" "$seen" "ip=203.0.113.2>198.51.100.77" sum=ok
kill $stream
finish
