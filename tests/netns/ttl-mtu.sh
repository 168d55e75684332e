#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ttl-mtu.sh - packets that have lived too long or are too big: who is told what
. "$(dirname "$0")/lib.sh"

home_make
known
quiet lan lan2 wan
ns gw sysctl -qw net.ipv4.icmp_ratelimit=0
ns gw ip link set gw mtu 1400
home_conf
up

lan_to_lan() { frame "${frame_options[@]}" send lan:l0 dst=$mac_gl "$@" see lan:l0; }
wan_to_wan() { frame "${frame_options[@]}" send wan:w0 dst=$mac_gw "$@" see wan:w0; }
nothing() { # WHAT COMMAND...
	local what=$1
	shift
	frame_options=(-t 200)
	is "$what" "$("$@")" ""
	frame_options=()
}

exceeded=(dst=$mac_l0 src=$mac_gl "ip=192.168.1.1>192.168.1.72" icmp=11 code=0 sum=ok ipsum=ok
	"inner=192.168.1.72>198.51.100.9")
line=$(lan_to_lan udp from=192.168.1.72:4000 to=198.51.100.9:33434 ttl=1)
shows "TTL 1 from the LAN, no flow: time exceeded from the router" "$line" "${exceeded[@]}" isport=4000 idport=33434
is "no flow is made" "$(flow_count)" 0
nothing "nothing leaves" lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:33434 ttl=1
nothing "TTL 0 neither" lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:33434 ttl=0
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:33434 ttl=2)
shows "TTL 2 leaves as 1" "$line" ttl=1 ipsum=ok sum=ok
line=$(lan_to_lan udp from=192.168.1.72:4000 to=198.51.100.9:33434 ttl=1)
shows "TTL 1 of an open flow: time exceeded" "$line" "${exceeded[@]}" isport=4000 idport=33434
line=$(lan_to_lan ping from=192.168.1.72 to=198.51.100.9 ttl=1)
shows "TTL 1 of an echo request: time exceeded" "$line" "${exceeded[@]}"
line=$(wan_to_lan udp from=198.51.100.9:33434 to=203.0.113.2:4000 ttl=2)
shows "TTL 2 from the WAN comes in as 1" "$line" ttl=1 ipsum=ok sum=ok
before=$(counter slow_ttl)
nothing "TTL 1 from the WAN comes to nobody" wan_to_lan udp from=198.51.100.9:33434 to=203.0.113.2:4000 ttl=1
is "it is counted" "$(counter slow_ttl)" $((before + 1))
line=$(wan_to_wan udp from=198.51.100.9:33434 to=203.0.113.2:4000 ttl=1)
shows "its sender is told" "$line" icmp=11 code=0 "ip=203.0.113.2>198.51.100.9" sum=ok ipsum=ok \
	"inner=198.51.100.9>203.0.113.2" isport=33434 idport=4000

too_big=(dst=$mac_l0 src=$mac_gl "ip=192.168.1.1>192.168.1.72" icmp=3 code=4 mtu=1400 sum=ok ipsum=ok
	"inner=192.168.1.72>198.51.100.9")
flows=$(flow_count)
line=$(lan_to_lan udp from=192.168.1.72:5000 to=198.51.100.9:53 size=1373 df)
shows "1401 bytes, DF, no flow, WAN of 1400: 3/4 with the WAN's MTU" "$line" "${too_big[@]}" isport=5000
is "no flow is made" "$(flow_count)" "$flows"
line=$(lan_to_wan udp from=192.168.1.72:5000 to=198.51.100.9:53 size=1372 df)
shows "1400 bytes leave" "$line" iplen=1400 sum=ok ipsum=ok
line=$(lan_to_lan udp from=192.168.1.72:5000 to=198.51.100.9:53 size=1373 df)
shows "1401 bytes, DF, open flow: 3/4" "$line" "${too_big[@]}" isport=5000
line=$(lan_to_lan tcp from=192.168.1.72:5001 to=198.51.100.9:80 size=1460 df)
shows "TCP, 1500 bytes, DF: 3/4" "$line" "${too_big[@]}" isport=5001
nothing "none of them leaves" lan_to_wan udp from=192.168.1.72:5000 to=198.51.100.9:53 size=1373 df
before=$(counter slow_too_big)
frame_options=(-n 2)
lines=$(lan_to_wan udp from=192.168.1.72:5000 to=198.51.100.9:53 size=1373)
frame_options=()
is "1401 bytes without DF leave in two fragments" "$(wc -l <<<"$lines")" 2
is "of 1396 and 25 bytes" "$(grep -o 'iplen=[0-9]*' <<<"$lines" | sort | xargs)" "iplen=1396 iplen=25"
is "they are counted" "$(counter slow_too_big)" $((before + 1))

ns gw ip link set gl mtu 1300
sleep 0.3
before=$(counter slow_too_big)
nothing "1301 bytes to a LAN of 1300 do not come in" \
	wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:5000 size=1273 df
is "they are counted" "$(counter slow_too_big)" $((before + 1))
line=$(wan_to_wan udp from=198.51.100.9:53 to=203.0.113.2:5000 size=1273 df)
shows "their sender is told: 3/4" "$line" icmp=3 code=4 mtu=1300 "ip=203.0.113.2>198.51.100.9" sum=ok ipsum=ok
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:5000 size=1272 df)
shows "1300 do" "$line" iplen=1300 sum=ok
ns gw ip link set gl mtu 1500
down

# Linux answers what is too big, by its own MTU: one given in the configuration may not be smaller
ns gw ip link set gw mtu 1500
conf <<-END
	[lan]
	interface = gl
	[wan]
	interface = gw
	mtu = 1400
END
refuses "mtu = 1400 on an interface of 1500 is refused" ns gw "$portico" up "$tmp/conf"
says "with the line and the remedy" "$seen" \
	"/conf:7: \\[wan\\] mtu = 1400 is below the MTU of 'gw' \\(1500\\), .*Linux: set it there, ip link set dev gw mtu 1400\$"
ns gw ip link set gw mtu 1300
up
line=$(lan_to_lan udp from=192.168.1.72:5000 to=198.51.100.9:53 size=1273 df)
shows "mtu = 1400 on an interface of 1300: 3/4 with 1300" "$line" dst=$mac_l0 icmp=3 code=4 mtu=1300 sum=ok ipsum=ok
finish
