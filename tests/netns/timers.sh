#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timers.sh - flows end when they have been idle for long enough, and not before
#
# The collector looks once a second: a flow ends up to 1 s behind its timer. A second more is allowed for a busy
# machine.
. "$(dirname "$0")/lib.sh"

home_make
known
quiet lan lan2 wan

since() { echo $((($(date +%s%N) - start) / 1000000)); }
# at MS: waits until so long after the start
at() {
	local ms=$(($1 - $(since)))
	[ $ms -le 0 ] || sleep "$((ms / 1000)).$(printf '%03d' $((ms % 1000)))"
}
alive() { flow_count --sport "$1"; }
left() { "$portico" flows --json -n "$name" --sport "$1" | jq -r '.[0] | "\(.state) \(.seconds_left)"'; }

# out PROTOCOL PORT WORD..., back PROTOCOL PORT WORD...: put a frame aside; go: sends all of them
sends=()
out() { sends+=(send lan:l0 dst=$mac_gl "$1" from=192.168.1.72:"$2" to=198.51.100.9:53 "${@:3}"); }
back() { sends+=(send wan:w0 dst=$mac_gw "$1" from=198.51.100.9:53 to=203.0.113.2:"$2" "${@:3}"); }
go() {
	frame "${sends[@]}"
	sends=()
}
open_tcp() {
	out tcp "$1" flags=2
	back tcp "$1" flags=18
	out tcp "$1" flags=16
}

home_conf "" "[timers]
udp = 2
icmp = 3
tcp-transitory = 4"
up

start=$(date +%s%N)
# UDP: left alone, refreshed from inside, packets from outside only; echo; TCP: SYN only
out udp 4001
out udp 4002
out udp 4003
out ping 0 echo=4004
out tcp 4011 flags=2
# TCP: open; FIN both ways; reset; FIN one way; reset, but its sender goes on
for port in 4012 4013 4014 4015 4016; do
	open_tcp $port
done
out tcp 4013 flags=17
back tcp 4013 flags=17
back tcp 4014 flags=4
out tcp 4015 flags=17
out tcp 4016 flags=4
out tcp 4016 flags=16
go
says "seconds left, UDP" "$(left 4001)" '^unreplied [12]$'
says "seconds left, echo" "$(left 4004)" '^unreplied [23]$'
says "seconds left, opening TCP" "$(left 4011)" '^opening [34]$'
says "seconds left, established TCP" "$(left 4012)" '^established 74(39|40)$'
says "seconds left, half-closed TCP" "$(left 4015)" '^established 74(39|40)$'
says "seconds left, closed TCP" "$(left 4013)" '^closing [34]$'
says "seconds left, reset TCP" "$(left 4014)" '^reset [34]$'
says "seconds left, TCP with traffic behind the reset" "$(left 4016)" '^established 74(39|40)$'

refresh() {
	out udp 4002
	back udp 4003
	go
}
at 1000
refresh
at 1500
is "at 1.5 s all UDP flows live" "$(alive 4001) $(alive 4002) $(alive 4003)" "1 1 1"
at 1900
refresh
at 2700
is "at 2.7 s the echo lives" "$(alive 4004)" 1
refresh
at 3500
is "at 3.5 s opening, closing and reset TCP live" "$(alive 4011) $(alive 4013) $(alive 4014)" "1 1 1"
refresh
at 4000
is "at 4 s UDP that was left alone has ended" "$(alive 4001)" 0
is "packets from outside kept nothing alive" "$(alive 4003)" 0
is "packets from inside did" "$(alive 4002)" 1
before=$(counter kernel_no_flow)
back udp 4001
go
is "an answer to an ended flow is of no flow" "$(counter kernel_no_flow)" $((before + 1))
line=$(frame send lan2:l1 dst=$mac_gl udp from=192.168.1.73:4001 to=198.51.100.9:53 see wan:w0)
shows "its port is free for another host" "$line" sport=4001 sum=ok
at 5000
is "at 5 s the echo has ended" "$(alive 4004)" 0
at 6000
is "at 6 s opening, closing and reset TCP have ended" "$(alive 4011) $(alive 4013) $(alive 4014)" "0 0 0"
is "open TCP lives, half-closed as well, and what goes on after a reset" \
	"$(alive 4012) $(alive 4015) $(alive 4016)" "1 1 1"
down

home_conf "" "[timers]
udp = 2
udp-inbound-refresh = yes"
up
start=$(date +%s%N)
out udp 4003
go
for ms in 1000 2000 3000 4000; do
	at $ms
	back udp 4003
	go
done
is "udp-inbound-refresh: packets from outside keep a flow alive" "$(alive 4003)" 1
finish
