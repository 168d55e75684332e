# SPDX-License-Identifier: GPL-2.0-or-later
# softwire.sh - a MAP-E home, its provider and the internet in network namespaces; sourced behind lib.sh
#
#   lan  192.168.1.72  l0 -- gl 192.168.1.1 [gw] gw 2001:db8:f:1::2 -- c6 [net6] b6 -- bl [br] bw 203.0.113.2 -- w0 wan
#        192.168.1.73                edge            IPv6 only                    border relay   203.0.113.9, 198.51.100.9
#                                                                                                and .10 ... .14 behind it
#
# The edge is $name, its set that of vector V9 (PSID 44 of 6 bits, offset 6: 1008 ports of 192.0.2.134); the relay is
# $name-br. $softwire_tool is python.

softwire_tool=$(dirname "$0")/softwire.py
edge_address=2001:db8:86:b000:0:c000:286:2c
relay_address=2001:db8:ffff::1
softwire_rule="2001:db8::/40 192.0.2.0/24 ea 14 offset 6 psid-len 6"

softwire_make() {
	need root netns bpffs veth ethtool jq python3
	local space
	for space in lan gw net6 br wan; do
		ip netns add "$prefix$space" || exit 1
		ns "$space" ip link set lo up
		ns "$space" sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 2>/dev/null ||
			skip "no IPv6 in this kernel"
	done
	ns lan sysctl -qw net.ipv6.conf.all.disable_ipv6=1
	ns wan sysctl -qw net.ipv6.conf.all.disable_ipv6=1
	for space in gw net6 br; do
		ns "$space" sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	done
	wire lan l0 gw gl
	wire gw gw net6 c6
	wire net6 b6 br bl
	wire br bw wan w0
	ns gw ip link set gl address $mac_gl
	ns gw ip link set gw address $mac_gw
	ns gw ip addr add 192.168.1.1/24 dev gl
	host lan l0 $mac_l0 192.168.1.72/24 192.168.1.1
	ns lan ip addr add 192.168.1.73/24 dev l0
	ns gw ip -6 addr add 2001:db8:f:1::2/64 dev gw nodad
	ns net6 ip -6 addr add 2001:db8:f:1::1/64 dev c6 nodad
	ns net6 ip -6 addr add 2001:db8:f:2::1/64 dev b6 nodad
	ns br ip -6 addr add 2001:db8:f:2::2/64 dev bl nodad
	ns gw ip -6 route add default via 2001:db8:f:1::1
	ns br ip -6 route add default via 2001:db8:f:2::1
	ns net6 ip -6 route add 2001:db8:86:b000::/56 via 2001:db8:f:1::2
	ns net6 ip -6 route add $relay_address/128 via 2001:db8:f:2::2
	ns br ip addr add 203.0.113.2/24 dev bw
	ns br ip route add default via 203.0.113.9
	host wan w0 $mac_w0 203.0.113.9/24 203.0.113.2
	for space in 9 10 11 12 13 14; do
		ns wan ip addr add 198.51.100.$space/32 dev lo
	done
	for space in "gw gl" "gw gw" "net6 c6" "net6 b6" "br bl" "br bw"; do
		ns ${space% *} ethtool -K ${space#* } tx off gro on >/dev/null
	done
}

# edge_conf [MAP-E-LINES [NAT-LINES]]: the edge's configuration; the defaults are the home's
edge_conf() {
	conf <<-END
		flows = 262144
		[lan]
		interface = gl
		[wan]
		interface = gw
		[map-e]
		${1:-rule = $softwire_rule
		prefix = 2001:db8:86:b000::/56
		border-relay = $relay_address}
		[nat]
		${2:-}
	END
}

relay_up() {
	cat >"$tmp/relay" <<-END
		[gateway]
		name = $name-br
		[lan]
		interface = bl
		[wan]
		interface = bw
		[border-relay]
		address = $relay_address
		rule = $softwire_rule
	END
	ns br "$portico" up "$tmp/relay" >"$tmp/up" 2>&1 && return
	echo "FAILED portico up of the relay: $(cat "$tmp/up")"
	failures=$((failures + 1))
	finish
}

relay_down() {
	ns br "$portico" down -n "$name-br" >/dev/null 2>&1
}

# soft SPACE COMMAND...: the python tool there
soft() {
	local space=$1
	shift
	ns "$space" python3 "$softwire_tool" "$@"
}

relay_counter() {
	"$portico" counters --all --json -n "$name-br" | jq ".$1.packets"
}
