#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# generic.sh - XDP behind the driver: asked for, or because an interface has nothing better
#
#   first the home of lib.sh, then   lan 192.168.1.72 l0 ------ gl [br0 192.168.1.1, gw]   a bridge has no native XDP
. "$(dirname "$0")/lib.sh"

need bridge
home_make
known

modes() { status '[.interfaces[].xdp] | join(" ")'; }

exchange() { # WHAT
	local line
	quiet lan wan
	line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 payload=out)
	shows "$1: out" "$line" src=$mac_gw dst=$mac_w0 "ip=203.0.113.2>198.51.100.9" ttl=63 ipsum=ok sum=ok payload=out
	line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.2:4000 payload=back)
	shows "$1: back" "$line" src=$mac_gl dst=$mac_l0 "ip=198.51.100.9>192.168.1.72" ttl=63 ipsum=ok \
		sum=ok payload=back
	line=$(lan_to_wan tcp from=192.168.1.72:4000 to=198.51.100.9:80 size=1460)
	shows "$1: a full-size segment" "$line" iplen=1500 ipsum=ok sum=ok
	loud lan wan
	succeeds "$1: ping" ns lan ping -q -c 3 -i 0.2 -W 2 198.51.100.9
}

home_conf "mode = generic"
up
is "mode = generic: status says so" "$(modes)" "generic generic"
exchange "generic"
down

home_conf "mode = native"
up
is "mode = native: status says so" "$(modes)" "native native"
home_conf "mode = generic"
daemon_end TERM
up
is "a new daemon with another mode: adopts, and attaches anew" "$(status .adopted) $(modes)" "true generic generic"
down

ns gw ip link set gl nomaster
ns gw ip addr del 192.168.1.1/24 dev gl
ns gw ip link add br0 address $mac_gl type bridge
ns gw ip link set gl address 02:00:00:00:00:a2
ns gw ip link set gl master br0
ns gw ip link set br0 up
ns gw ip addr add 192.168.1.1/24 dev br0
ns gw ip neigh replace 192.168.1.72 lladdr $mac_l0 dev br0 nud permanent
conf <<-END
	mode = native
	[lan]
	interface = br0
	[wan]
	interface = gw
END
refuses "mode = native on a bridge is refused" ns gw "$portico" up "$tmp/conf"
says "with what to do" "$seen" "br0: no native XDP .*'mode = auto' or 'mode = generic'"
is "the other interface is left alone" "$(ns gw ip link show dev gw | grep -c prog/xdp)" 0
sed -i 's/native/auto/' "$tmp/conf"
up
is "mode = auto on a bridge: all interfaces are generic, since native XDP cannot send to one without" \
	"$(modes)" "generic generic"
exchange "bridge, auto ($(modes))"
finish
