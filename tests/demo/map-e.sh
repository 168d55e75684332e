#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# map-e.sh - the demo's second half: a MAP-E home, its provider and the internet, with real traffic
#
#   LAN host          edge (Portico)       IPv6 network        border relay (Portico)     internet
#   192.168.1.72 -- gl        gw 2001:db8:f:1::2 -- 2001:db8:f::/48 -- bl    bw 203.0.113.2 -- 198.51.100.9 ... 13
#
# Beside it the NAPT half of the same router in nftables: 63 ranges of 16 ports, one chain each. Its way out is a plain
# cable that is named ip6tnl1, since there may be no IPv6 tunnels in this kernel; so it does not encapsulate.
set -u
export LC_ALL=C
seconds=3
ruleset=$(cd "$(dirname "$0")" && pwd)/../../labs/map-e-63-ranges.nft
. "$(cd "$(dirname "$0")" && pwd)/../netns/lib.sh" # $1: the build directory
softwire_home=$(cd "$(dirname "$0")" && pwd)/../netns
. "$softwire_home/softwire.sh"
softwire_tool=$softwire_home/softwire.py
name=map-e-$$
pins=/sys/fs/bpf/portico/$name
destinations=198.51.100.9,198.51.100.10,198.51.100.11,198.51.100.12,198.51.100.13

for tool in nft iperf3 ping traceroute python3 jq ethtool; do
	command -v "$tool" >/dev/null || { echo "demo: '$tool' is not installed: run 'make deps'" >&2; exit 1; }
done

tcp() { # [-R]: Mbit/s at the receiver
	ns wan timeout 30 iperf3 -s -1 -B 198.51.100.9 >/dev/null 2>&1 &
	until_true 5 eval 'ns wan ss -Hltn | grep -q :5201'
	ns lan timeout 20 iperf3 -c 198.51.100.9 -t $seconds -f m "$@" 2>/dev/null | awk '/receiver/ { print $7 }'
}

round_trip() {
	ns lan ping -q -c 20 -i 0.02 198.51.100.9 | awk -F/ '/^rtt/ { print $5 " ms" }'
}

sockets() { # answers of 2,000 sockets
	ns lan ping -c 1 -W 2 198.51.100.9 >/dev/null
	soft lan seen 2000 $destinations
}

hops() {
	ns lan traceroute -n -q 1 -w 2 -m 6 198.51.100.9 | awk 'NR > 1 { printf "%s%s %s", (NR > 2 ? "  " : ""), $1, $2 }'
}

row() {
	printf '%-46s %-34s %s\n' "$@"
}

nftables_up() {
	wire gw ip6tnl1 wan n0
	ns gw ip addr add 203.0.114.2/24 dev ip6tnl1
	ns wan ip addr add 203.0.114.9/24 dev n0
	ns gw ip route add default via 203.0.114.9
	ns wan ip route replace 192.0.2.0/24 via 203.0.114.2
	ns wan ethtool -K n0 tx off gro on >/dev/null
	ns gw nft -f "$ruleset" || { echo "demo: nftables does not take the ruleset" >&2; exit 1; }
}

# As behind a card: nothing merged, and veth's price for XDP paid.
packet_by_packet() {
	local port
	for port in gl ip6tnl1; do
		ns gw ethtool -K $port gro off >/dev/null
		ns gw ip link set dev $port xdpdrv obj "$build/src/bench/load/load-pass.bpf.o" sec xdp ||
			{ echo "demo: cannot attach a program to $port" >&2; exit 1; }
	done
}

softwire_make
trap cleanup EXIT
trap on_signal INT TERM HUP
ns wan ip route add 192.0.2.0/24 via 203.0.113.2
sed -n '5,6p' "$0" | sed 's/^#//'
edge_conf
up
relay_up
background serve nsenter --net="/run/netns/${prefix}wan" python3 "$softwire_tool" serve 198.51.100.{9,10,11,12,13}
portico_ping=$(round_trip)
path=$(hops)
big=$(ns lan ping -q -c 5 -i 0.1 -s 1800 198.51.100.9 | grep -o '[0-9]* received')
own=$(ns gw ping -q -c 5 -i 0.1 198.51.100.9 | grep -o '[0-9]* received')
portico_up=$(tcp)
portico_down=$(tcp -R)
portico_sockets=$(sockets)
"$portico" status -n "$name" >"$tmp/status"
"$portico" ports -n "$name" >"$tmp/ports"
seen=$(tail -n 1 <<<"$portico_sockets" | tr ' ' '\n')
portico_sockets=$(head -n 1 <<<"$portico_sockets")
down
relay_down
nftables_up
nftables_ping=$(round_trip)
nftables_up=$(tcp)
nftables_down=$(tcp -R)
nftables_sockets=$(sockets)
nftables_sockets=$(head -n 1 <<<"$nftables_sockets")
packet_by_packet
single_up=$(tcp)
single_down=$(tcp -R)

echo
row "" "Portico, with the tunnel" "nftables, 63 ranges, no tunnel"
row "ping, round trip" "$portico_ping" "$nftables_ping"
row "TCP out, Mbit/s (iperf3), packet by packet" "$portico_up (edge, router, relay)" "$single_up (one router)"
row "TCP in, Mbit/s (iperf3), packet by packet" "$portico_down" "$single_down"
row "TCP out, in, Mbit/s, with merged packets" "" "$nftables_up, $nftables_down"
row "2,000 UDP sockets to 5 destinations: answered" "$(awk '{ print $2 }' <<<"$portico_sockets")" \
	"$(awk '{ print $2 }' <<<"$nftables_sockets")"
row "  seen there from a port outside the set" "$(awk '{ print $6 }' <<<"$portico_sockets")" \
	"$(awk '{ print $6 }' <<<"$nftables_sockets")"
row "ping -s 1800, fragments both ways" "$big of 5" ""
row "ping of the router's own, through the set" "$own of 5" ""
row "traceroute" "$path" ""
echo
echo "TCP: all hosts and routers share this machine's CPUs, and Portico's packets pass three routers here. Packet by packet is"
echo "what a router behind a card sees; merged is what a virtual cable lets nftables do: up to 64 KB as one packet."
echo
echo "\$ portico status"
cat "$tmp/status"
echo
echo "\$ portico ports"
cat "$tmp/ports"
echo
echo "UDP ports seen at the far end, all in the set of PSID 44 (1728-1743, 2752-2767 ... 65216-65231):"
awk 'NR == 1 { first = last = $1; next } $1 == last + 1 { last = $1; next }
	{ printf "%s-%s ", first, last; first = last = $1; n++ } END { print first "-" last }' <<<"$seen" | fold -sw 118
