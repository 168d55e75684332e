#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# real.sh - real programs through the router: iperf3 both ways, questions and answers, ping
. "$(dirname "$0")/lib.sh"

need iperf3
home_make
home_conf
up

ns wan iperf3 -s -D -I "$tmp/iperf.pid" --logfile "$tmp/iperf" >/dev/null
until_true 5 test -s "$tmp/iperf.pid"
started+=("$(tr -d '\0' <"$tmp/iperf.pid")")

# what the end hosts' own interfaces have dropped: a veth has room for 256 frames, which a sender can overrun
dropped() {
	{
		ns lan ip -s -j link show l0
		ns wan ip -s -j link show w0
	} | jq -s '[.[][].stats64.tx.dropped] | add'
}

# iperf WHAT OPTION...: a transfer of a second; nothing is repeated but what the sender's interface had dropped
iperf() {
	local what=$1 before result bytes again
	shift
	before=$(dropped)
	result=$(ns lan timeout 20 iperf3 -c 203.0.113.9 -t 1 -J "$@" |
		jq -r '.end | "\(.sum_received.bytes // 0) \(.sum_sent.retransmits // 0)"')
	read -r bytes again <<<"$result"
	succeeds "$what: transfers (${bytes:-nothing} bytes)" test "${bytes:-0}" -gt 1000000
	again=$((${again:-0} - $(dropped) + before))
	succeeds "$what: the router lost nothing ($again segments repeated for no known reason)" \
		test $((again * 1448 * 200)) -lt "${bytes:-0}"
}

iperf "TCP up"
iperf "TCP down" -R
iperf "TCP down, four at once" -R -P 4
serve wan udp 53
is "200 sockets at once, a question each: each has its own answer" "$(talk lan many 203.0.113.9 53 200)" "200 of 200"
succeeds "ping" ns lan ping -q -c 5 -i 0.2 -W 2 198.51.100.9
is "no ping is lost" "$(ns lan ping -q -c 5 -i 0.2 -W 2 203.0.113.9 | grep -o '[0-9]* received')" "5 received"
is "ping with 1472 bytes and DF" \
	"$(ns lan ping -q -c 2 -i 0.2 -W 2 -s 1472 -M do 203.0.113.9 | grep -o '[0-9]* received')" "2 received"
is "nothing was refused" "$(counter drop_no_port) $(counter drop_table_full) $(counter drop_fault)" "0 0 0"
finish
