#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# map-e-tunnel.sh - the tunnel's outside: fragments put together, forged sources, wrong parameters, DHCPv6
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/softwire.sh"

softwire_make
need tcpdump
edge_conf
up
relay_up
background serve nsenter --net="/run/netns/${prefix}wan" python3 "$softwire_tool" serve 198.51.100.9

echo "--- M8, vpp#469: outer IPv6 fragments, any order"
mac_c6=$(ns net6 cat /sys/class/net/c6/address 2>/dev/null || ns net6 ip -j link show c6 | jq -r '.[0].address')
is "a flow is open" "$(soft lan fill 1 198.51.100.9)" "answered 1 distinct 1 outside 0 refused 0"
outside_port=$("$portico" ports --all --json -n "$name" | jq '.protocols.udp.ports[0].port')
deliver() { # WHAT WANTED OUTER-OPTIONS...: bytes of UDP data that reach the host's port
	local what=$1 wanted=$2
	shift 2
	ns lan timeout 3 tcpdump -lnni l0 -c "${count:-1}" 'src 198.51.100.9' >"$tmp/dump" 2>"$tmp/dump.log" &
	local pid=$!
	started+=($pid)
	until_true 3 grep -q listening "$tmp/dump.log"
	soft net6 outer c6 $mac_gw $relay_address $edge_address "$@"
	wait $pid 2>/dev/null
	says "$what" "$(cat "$tmp/dump")" "$wanted"
}
deliver "1200 bytes in fragments of 512" "length 1200" 512 up 9000 "$outside_port" 1200
deliver "the last one first" "length 1200" 512 down 9000 "$outside_port" 1200
count=4
deliver "5000 bytes in fragments of 1024: cut for the LAN" "length (4[0-9]{3}|5[0-9]{3}|1[0-9]{3})" 1024 down 9000 "$outside_port" 5000
count=1
is "reassembled by the daemon" "$(($(status .slow.reassembled) >= 3))" 1

echo "--- M6, nat46#76: who may send into the tunnel"
forged=$(counter drop_tunnel_source)
ns net6 ip -6 addr add 2001:db8:bad::1/128 dev lo
raw() { soft net6 raw6 c6 $mac_gw "$@"; }
packet=4500001c0001000040118e0dc6336409c000028600350050000800000000
raw 2001:db8:bad::1 $edge_address 4 $packet
until_true 2 eval '[ "$(counter drop_tunnel_source)" -gt '"$forged"' ]'
is "not from the relay: dropped and counted" "$(counter drop_tunnel_source)" $((forged + 1))
raw $relay_address $edge_address 41 6000000000003b40
until_true 2 eval '[ "$(counter drop_tunnel_ipv6)" = 1 ]'
is "IPv6 inside the tunnel: dropped and counted" "$(counter drop_tunnel_ipv6)" 1
raw $relay_address $edge_address 58 0200000000000578
raw $relay_address $edge_address 58 01
succeeds "an ICMPv6 error without a packet, and one of a byte, harm nobody" ns lan ping -c 1 -W 2 198.51.100.9
refuses "an unsolicited packet to the shared address is nobody's" ns wan ping -c 1 -W 1 192.0.2.134

echo "--- P8, openwrt#25190, jp-ipoe#50: packets go out, none come back"
down
edge_conf "rule = $softwire_rule
	prefix = 2001:db8:86:b000::/56
	border-relay = 2001:db8:ffff::2"
ns net6 ip -6 route add blackhole 2001:db8:ffff::2/128
up
ns lan ping -c 18 -i 0.5 -W 1 198.51.100.9 >/dev/null 2>&1 &
started+=($!)
until_true 11 eval '[ "$(status .one_way)" = true ]'
is "noticed within ten seconds" "$(status .one_way)" true
says "with what is likely wrong" "$(status .problem)" "border-relay is likely wrong"
down

echo "--- openwrt#11972, M12, landscape#214: the DHCPv6 file appears, changes, goes"
edge_conf "dhcpv6 = $tmp/odhcp6c
	border-relay = $relay_address"
up
says "waits for it" "$(status .problem)" "."
is "nothing is translated" "$(status .wan_address)" null
write_env() { # PREFIX
	printf 'MAPE=type=map-e,ealen=14,prefix4len=24,prefix6len=40,ipv4prefix=192.0.2.0,ipv6prefix=2001:db8::,offset=6,psidlen=6,br=%s \nPREFIXES=%s,3600,7200\n' \
		$relay_address "$1" >"$tmp/odhcp6c.new"
	mv "$tmp/odhcp6c.new" "$tmp/odhcp6c"
}
write_env 2001:db8:86:b000::/56
until_true 5 eval '[ "$(status .wan_address)" = 192.0.2.134 ]'
is "a prefix: the address is there" "$(status .wan_address)" 192.0.2.134
is "and the set" "$(status '.map_e | "\(.psid) \(.ports)"')" "44 1008"
succeeds "packets flow" ns lan ping -c 1 -W 2 198.51.100.9
ns net6 ip -6 route add 2001:db8:87:b000::/56 via 2001:db8:f:1::2
write_env 2001:db8:87:b000::/56
until_true 5 eval '[ "$(status .wan_address)" = 192.0.2.135 ]'
is "another prefix: another address" "$(status .wan_address)" 192.0.2.135
succeeds "packets flow from there" ns lan ping -c 1 -W 2 198.51.100.9
is "flows of the old address are gone" "$("$portico" flows -n "$name" | grep -c 192.0.2.134)" 0
rm "$tmp/odhcp6c"
until_true 5 eval '[ "$(status .wan_address)" = null ]'
is "it goes: nothing is translated any more" "$(status .wan_address)" null
down
relay_down
finish
