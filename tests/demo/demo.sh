#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# demo.sh - a home in network namespaces: real traffic through Portico and through nftables, side by side
#
#    LAN host                    router                               internet
#  +-----------------+       +-----------------------------+        +-----------------+
#  | host            |=======| lan                     wan |========| isp             |
#  | 192.168.1.10/24 |       | 192.168.1.1/24              |        | 203.0.113.1/24  |
#  +-----------------+       |              203.0.113.2/24 |        | 198.51.100.1    |
#                            +-----------------------------+        +-----------------+
#
# The router is Portico in one half of each round and nftables masquerade in the other. Whatever ends the demo, Ctrl-C
# too, takes the home away again.
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" 2>/dev/null && pwd) || { echo "demo: no build directory '${1:-build}': run 'make build'" >&2; exit 1; }
portico=$build/src/cli/portico
load=$build/tests/bench/portico-bench-load
pass=$build/src/bench/load/load-pass.bpf.o

rounds=2
seconds=3      # of each iperf3 run
questions=500  # of the DNS-like exchange
name=demo-$$
lan=portico-lan-$$
gw=portico-gw-$$
wan=portico-wan-$$
work=

die() {
	echo "demo: $*" >&2
	exit 1
}

# In a namespace; not 'ip netns exec', which hides /sys/fs/bpf from what it runs.
at() {
	local place=$1
	shift
	nsenter --net="/run/netns/$place" "$@"
}

# What still runs in a namespace would keep it alive. Portico goes last: 'down' also removes what a daemon left that was
# killed while it started.
clean() {
	trap '' INT TERM HUP
	trap - EXIT
	local place
	for place in "$lan" "$gw" "$wan"; do
		[ -e "/run/netns/$place" ] || continue
		ip netns pids "$place" | xargs -r kill -9 2>/dev/null
		ip netns del "$place"
	done
	"$portico" down -n "$name" >/dev/null 2>&1
	wait 2>/dev/null
	[ -n "$work" ] && rm -rf "$work"
}

check_tools() {
	local tool
	[ "$(id -u)" = 0 ] || die "network namespaces need root: run 'sudo make demo'"
	for tool in ip nft ethtool iperf3 ping python3 nsenter; do
		command -v "$tool" >/dev/null || die "'$tool' is not installed: run 'make deps'"
	done
	[ -x "$portico" ] && [ -x "$load" ] && [ -e "$pass" ] || die "not built: run 'make build'"
}

# Hosts send packets with complete checksums and of the size of the wire, as cards would put them there.
home_make() {
	local place
	for place in "$lan" "$gw" "$wan"; do
		ip netns add "$place" || die "cannot make a network namespace"
		at "$place" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
		at "$place" ip link set lo up
	done
	at "$lan" ip link add host type veth peer name lan netns "$gw" &&
		at "$gw" ip link add wan type veth peer name isp netns "$wan" &&
		at "$lan" ip address add 192.168.1.10/24 dev host &&
		at "$gw" ip address add 192.168.1.1/24 dev lan &&
		at "$gw" ip address add 203.0.113.2/24 dev wan &&
		at "$wan" ip address add 203.0.113.1/24 dev isp &&
		at "$wan" ip address add 198.51.100.1/32 dev isp || die "cannot make the home"
	at "$lan" ip link set host up && at "$gw" ip link set lan up && at "$gw" ip link set wan up &&
		at "$wan" ip link set isp up || die "cannot make the home"
	at "$lan" ethtool -K host tx off gro on >/dev/null
	at "$wan" ethtool -K isp tx off gro on >/dev/null
	at "$gw" sysctl -qw net.ipv4.ip_forward=1
	at "$lan" ip route add default via 192.168.1.1
	at "$gw" ip route add default via 203.0.113.1
}

servers_start() {
	at "$wan" iperf3 -s -B 198.51.100.1 >/dev/null 2>&1 &
	at "$wan" "$here/dns.py" serve 198.51.100.1 >/dev/null 2>&1 &
	local tries=0
	until at "$wan" ss -Hltn | grep -q ':5201 ' && at "$wan" ss -Hlun | grep -q ':53 '; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || die "the servers on the internet host do not start"
		sleep 0.05
	done
}

router_gro() {
	at "$gw" ethtool -K lan gro "$1" >/dev/null
	at "$gw" ethtool -K wan gro "$1" >/dev/null
}

portico_up() {
	cat >"$work/portico.conf" <<-CONF
		[gateway]
		name = $name

		[lan]
		interface = lan

		[wan]
		interface = wan
	CONF
	at "$gw" "$portico" up "$work/portico.conf" >/dev/null || die "Portico does not come up"
}

portico_down() {
	at "$gw" "$portico" down -n "$name" >/dev/null || die "Portico does not go down"
}

nftables_up() {
	at "$gw" nft -f - <<-RULES || die "nftables does not take the rules"
		table ip home {
			chain post {
				type nat hook postrouting priority srcnat
				oifname "wan" masquerade
			}
		}
	RULES
}

nftables_down() {
	at "$gw" nft delete table ip home
	at "$gw" conntrack -F 2>/dev/null
}

# Packet by packet: nothing merged, and an XDP program on both ports that does nothing, because veth copies each packet
# of a socket for XDP, which a card does not do.
single_up() {
	local port
	router_gro off
	for port in lan wan; do
		at "$gw" ip link set dev $port xdpdrv obj "$pass" sec xdp || die "cannot attach $pass"
	done
}

single_down() {
	at "$gw" ip link set dev lan xdpdrv off
	at "$gw" ip link set dev wan xdpdrv off
	router_gro on
}

# note KEY VALUE: one more value; mean KEY: of the values so far
note() {
	echo "$2" >>"$work/$1"
}

mean() {
	awk '{ s += $1; n++ } END { if (n) printf "%.6g", s / n; else print 0 }' "$work/$1"
}

tcp() {
	at "$lan" iperf3 -c 198.51.100.1 -t "$seconds" -f m "$@" 2>"$work/iperf" |
		awk '/receiver/ { print $7; found = 1 } END { exit !found }' || die "iperf3: $(cat "$work/iperf")"
}

# traffic KEY: ping, DNS, TCP both ways
traffic() {
	note "$1-ping" "$(at "$lan" ping -q -c 20 -i 0.01 198.51.100.1 | awk -F/ '/^rtt/ { print $5 }')"
	note "$1-dns" "$(at "$lan" "$here/dns.py" ask 198.51.100.1 203.0.113.2 $questions)"
	note "$1-up" "$(tcp)"
	note "$1-down" "$(tcp -R)"
}

# udp KEY [options]: nanoseconds a packet
udp() {
	local key=$1 line
	shift
	line=$("$load" --lan "$lan/host" --router "$gw/lan" --far "$wan/isp" "$@") || exit 1
	note "$key-ns" "${line%% *}"
}

say() {
	printf 'round %s  %-9s ping %s ms, DNS %s of %s, TCP %s Mbit/s out and %s in, %s ns a 64-byte packet\n' "$1" "$2" \
		"$(tail -1 "$work/$2-ping")" "$(tail -1 "$work/$2-dns")" "$questions" "$(tail -1 "$work/$2-up")" \
		"$(tail -1 "$work/$2-down")" "$(tail -1 "$work/$2-ns")"
}

# The load needs GRO on the router's interfaces where no XDP program is: frames enter a veth by its NAPI only.
round_portico() {
	router_gro on
	portico_up
	traffic portico
	at "$gw" "$portico" status -n "$name" >"$work/status"
	at "$gw" "$portico" flows -n "$name" >"$work/flows"
	udp portico
	at "$gw" "$portico" counters -n "$name" >"$work/counters"
	portico_down
	say "$1" portico
}

round_nftables() {
	router_gro on
	nftables_up
	traffic nftables
	udp nftables
	single_up
	note single-up "$(tcp)"
	note single-down "$(tcp -R)"
	single_down
	nftables_down
	say "$1" nftables
}

# row TITLE FORMAT PORTICO NFTABLES RATIO
row() {
	awk -v title="$1" -v form="$2" -v a="$3" -v b="$4" -v ratio="$5" 'BEGIN {
		printf "%-52s %11s %11s  %s\n", title, sprintf(form, a), sprintf(form, b), ratio }'
}

over() {
	awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f x", a / b }'
}

table() {
	local p n s floor
	printf '\n%-52s %11s %11s\n' "mean of $rounds rounds, on this machine's $(nproc) CPUs" Portico nftables
	row "ping, round trip, ms" %.3f "$(mean portico-ping)" "$(mean nftables-ping)" ""
	row "DNS-like questions answered right, of $questions" %d "$(mean portico-dns)" "$(mean nftables-dns)" ""
	p=$(mean portico-ns) n=$(mean nftables-ns) floor=$(mean floor-ns)
	row "64-byte UDP, packets/s, all on one core" %d "$(awk -v n="$p" 'BEGIN { print 1e9 / n }')" \
		"$(awk -v n="$n" 'BEGIN { print 1e9 / n }')" "$(over "$n" "$p")"
	row "  CPU time a packet, ns, both hosts included" %.0f "$p" "$n" "$(over "$n" "$p")"
	row "  of it the router's own (a bare redirect: $(printf %.0f "$floor"))" %.0f \
		"$(awk -v a="$p" -v b="$floor" 'BEGIN { print a - b }')" "$(awk -v a="$n" -v b="$floor" 'BEGIN { print a - b }')" \
		"$(awk -v p="$p" -v n="$n" -v f="$floor" 'BEGIN { if (p > f) printf "%.1f x", (n - f) / (p - f) }')"
	p=$(mean portico-up) n=$(mean nftables-up) s=$(mean single-up)
	row "TCP out, Mbit/s, packet by packet" %d "$p" "$s" "$(over "$p" "$s")"
	row "TCP out, Mbit/s, nftables with merged packets" %d "$p" "$n" "$(over "$p" "$n")"
	p=$(mean portico-down) n=$(mean nftables-down) s=$(mean single-down)
	row "TCP in, Mbit/s, packet by packet" %d "$p" "$s" "$(over "$p" "$s")"
	row "TCP in, Mbit/s, nftables with merged packets" %d "$p" "$n" "$(over "$p" "$n")"
	cat <<-END

		What is compared: the same home and hosts, seconds apart; only the router differs. x: how many times better
		Portico does. A bare redirect is a router that only changes the Ethernet addresses: nothing can cost less.
		TCP: client, server and router share the CPUs, so these rows say less about the router than the UDP rows. "Packet
		by packet" is what a router behind a card sees, with veth's price for XDP paid by both. "Merged" is Linux as it
		comes: a virtual cable lets nftables handle up to 64 KB of a stream as one packet, and charges it no such price.
	END
}

excerpts() {
	printf '\n$ portico status\n'
	cat "$work/status"
	printf '\n$ portico flows (some of %s)\n' "$(wc -l <"$work/flows")"
	awk 'shown[$1]++ < 2' "$work/flows"
	printf '\n$ portico counters, those that counted\n'
	awk 'NR == 1 || $2 + 0 > 0' "$work/counters" | cut -c1-110
}

check_tools
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
work=$(mktemp -d) || die "no temporary directory"
sed -n '4,10s/^#//p' "$0"
home_make
servers_start
for round in $(seq $rounds); do
	round_portico "$round"
	round_nftables "$round"
	udp floor --floor wan
done
excerpts
table
