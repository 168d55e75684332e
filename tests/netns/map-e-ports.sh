#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# map-e-ports.sh - the port set: nothing outside it, all of it used, nothing refused while a port is free
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/softwire.sh"

softwire_make
relay_up
background serve nsenter --net="/run/netns/${prefix}wan" python3 "$softwire_tool" serve 198.51.100.{9,10,11,12,13}
ns gw sysctl -qw net.ipv4.icmp_ratelimit=0
warm() { # up, and every neighbour on the way known: what is sent before that is held, but not without bound
	up
	until_true 5 ns lan ping -c 1 -W 1 198.51.100.9
}
counted() { # refusals
	"$portico" counters --all --json -n "$name" | jq '.drop_no_port.packets + .slow_no_port.packets'
}

for policy in shared endpoint-independent endpoint-dependent; do
	echo "--- P2, openwrt#14449, jp-ipoe#8, RFC 6888 C11: the whole set to one destination, mapping = $policy"
	edge_conf "" "mapping = $policy"
	warm
	is "1008 flows to one destination: all answered, 1008 ports, none outside" "$(soft lan fill 1008 198.51.100.9)" \
		"answered 1008 distinct 1008 outside 0 refused 0"
	refused=$(counted)
	says "the 1009th is refused, and told so by ICMP" "$(soft lan fill 2 198.51.100.9 192.168.1.73)" \
		"^answered 0 .* refused [12]$"
	is "it is counted" "$((refused < $(counted)))" 1
	is "none was evicted" "$("$portico" ports --json -n "$name" | jq -c '[.protocols.udp | .flows, .used, .free]')" \
		"[1008,1008,0]"
	if [ $policy != endpoint-independent ]; then
		is "another destination has all ports again" "$(soft lan fill 1008 198.51.100.10)" \
			"answered 1008 distinct 1008 outside 0 refused 0"
	else
		says "a port that a socket owns is no other's" "$(soft lan fill 20 198.51.100.10 192.168.1.73)" "^answered 0 "
	fi
	down
done

echo "--- 2,000 sockets to five destinations through 1008 ports; both CPUs at once"
edge_conf
warm
soft lan fill 1000 198.51.100.9,198.51.100.10,198.51.100.11,198.51.100.12,198.51.100.13 >"$tmp/one" &
one=$!
started+=($one)
says "the second thousand" \
	"$(soft lan fill 1000 198.51.100.9,198.51.100.10,198.51.100.11,198.51.100.12,198.51.100.13 192.168.1.73)" \
	"^answered 1000 distinct [0-9]* outside 0 refused 0$"
wait $one
says "the first thousand" "$(cat "$tmp/one")" "^answered 1000 distinct [0-9]* outside 0 refused 0$"
says "portico ports says how they share" "$("$portico" ports -n "$name")" "udp +2000 "
down

echo "--- jp-ipoe#12: a reserved port is never handed out"
edge_conf "" "reserve = 1728-1743, 2752"
warm
is "991 ports are left" "$(soft lan fill 991 198.51.100.9)" "answered 991 distinct 991 outside 0 refused 0"
says "and no more" "$(soft lan fill 2 198.51.100.9)" "^answered 0 "
is "none of them the reserved" \
	"$("$portico" ports --all --json -n "$name" | jq '[.protocols.udp.ports[].port | select(. < 1744 or . == 2752)] | length')" 0
down

echo "--- RFC 6888 C8: a freed port cools; sockets without flows give their port back"
edge_conf "" "cooling = 60s
	[timers]
	udp = 2s
	icmp = 2s"
warm
is "16 flows" "$(soft lan fill 16 198.51.100.9)" "answered 16 distinct 16 outside 0 refused 0"
until_true 25 eval '[ "$(flow_count)" = 0 ]'
is "they end" "$(flow_count)" 0
is "their ports are not given to others meanwhile" "$(soft lan fill 1008 198.51.100.9 192.168.1.73 | cut -d' ' -f1-2)" \
	"answered 992"
down
edge_conf "" "mapping = endpoint-independent
	[timers]
	udp = 2s
	icmp = 2s"
warm
is "1008 sockets own 1008 ports" "$(soft lan fill 1008 198.51.100.9)" "answered 1008 distinct 1008 outside 0 refused 0"
until_true 50 eval '[ "$(soft lan fill 1 198.51.100.10 192.168.1.73 | cut -c1-10)" = "answered 1" ]'
says "when their flows have ended, others get them" "$(soft lan fill 900 198.51.100.10 192.168.1.73)" "^answered 900 "
down

echo "--- P4: one host cannot take the share of another"
edge_conf "" "host-share = 50"
warm
soft lan fill 1 198.51.100.9 192.168.1.73 >/dev/null
soft lan fill 1 198.51.100.9 >/dev/null
until_true 25 eval '[ "$("$portico" ports --json -n "$name" | jq .share)" = 504 ]'
is "with two hosts, one may hold half" "$("$portico" ports --json -n "$name" | jq .share)" 504
says "600 sockets of one host to one destination: about half the set" "$(soft lan fill 600 198.51.100.11)" \
	"^answered 5[0-4][0-9] "
says "the other host still has ports" "$(soft lan fill 300 198.51.100.11 192.168.1.73)" "^answered 300 .* refused 0$"
down

echo "--- P1: 100,000 random flows of every protocol, seen at the far end"
edge_conf
warm
background watch nsenter --net="/run/netns/${prefix}wan" python3 "$softwire_tool" watch 25 w0 6 6 44
soft lan flood 100000 1 l0 $mac_gl 192.168.1.72
until_true 30 grep -q outside "$tmp/watch"
seen=$(tail -1 "$tmp/watch")
says "all six protocols came through" "$seen" "dccp [0-9]+ icmp [0-9]+ sctp [0-9]+ tcp [0-9]+ udp [0-9]+ udplite [0-9]+"
says "none outside the set, no checksum wrong" "$seen" "outside 0 wrong 0$"
says "loxilb#3: SCTP with its CRC32c among them" "$seen" "sctp [1-9][0-9]{3}"
is "nearly all of them" "$(awk '{ for (i = 2; i <= 12; i += 2) n += $i; print (n > 95000) }' <<<"$seen")" 1
down
relay_down
finish
