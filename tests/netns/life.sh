#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# life.sh - up, kill -9 under load, adoption, down; and everything that can be in the way
. "$(dirname "$0")/lib.sh"

need bpftool setpriv

home_make

# what `down` must give back
picture() {
	ns gw ethtool -k gl
	ns gw ethtool -k gw
	ns lan ethtool -k l0
	ns wan ethtool -k w0
	ns gw sysctl -a 2>/dev/null | grep -E '^net\.(ipv4|core)\.' |
		grep -vE 'tcp_fastopen_key|\.neigh\.|nf_conntrack_count'
	ns gw ip -d link show | sed 's/ prog\/xdp.*//' | grep -v ' id [0-9]'
	ns gw ip rule
	ns gw ip route show table all
}

remains() {
	ls -d "$pins" "/run/portico/$name".* "/sys/fs/bpf/portico/+$name"* 2>/dev/null
	ns gw ip link show | grep -o 'prog/xdp.*'
}

home_conf
before=$(picture)

# ready, and running once only
background notified "$talk_tool" hear "$tmp/notify" 10
NOTIFY_SOCKET=$tmp/notify nsenter --net="/run/netns/${prefix}gw" "$porticod" "$tmp/conf" >"$tmp/daemon" 2>&1 &
pid=$!
started+=("$pid")
disown
until_true 5 grep -q READY "$tmp/notified"
is "porticod tells systemd that it is ready" "$(tail -n 1 "$tmp/notified")" READY=1
refuses "a second porticod does not start" ns gw "$porticod" "$tmp/conf"
says "and says why" "$seen" "already running"
refuses "nor does portico up" ns gw "$portico" up "$tmp/conf"
says "which says why, too" "$seen" "already running"
is "the first one still runs" "$(daemon_pid)" "$pid"
ns lan ping -q -c 1 -W 2 198.51.100.9 >/dev/null
kill "$pid"
until_true 3 eval '! kill -0 $pid'
is "after SIGTERM the packet path is still there" "$(ns gw ip link show | grep -c prog/xdp)" 2
succeeds "after SIGTERM ping goes through" ns lan ping -q -c 1 -W 2 198.51.100.9
down
is "down removes everything" "$(remains)" ""
is "features, settings, links and routes are as before" "$(diff <(echo "$before") <(picture))" ""
refuses "down again says that there is nothing" "$portico" down -n "$name"

# kill -9 under load
up
serve wan udp 53 198.51.100.9
ns lan ping -q -c 1 198.51.100.9 >/dev/null
background counted nsenter --net="/run/netns/${prefix}wan" "$talk_tool" count 9000 700
talk lan stream 198.51.100.9 9000 9001 20000 4 >"$tmp/stream" &
stream=$!
sleep 1
first=$(daemon_pid)
daemon_end KILL
is "the daemon is dead, 200 new flows: each has its answer" "$(talk lan many 198.51.100.9 53 200)" "200 of 200"
says "portico status knows" "$("$portico" status -n "$name")" "not running"
flows=$(flow_count)
ns gw "$portico" up "$tmp/conf" >"$tmp/up" 2>&1
is "a new daemon adopts what runs" "$(status .adopted)" true
is "it keeps the flows" "$(flow_count) $(flow_count -p udp --sport 9001 --nat-port 9001)" "$flows 1"
succeeds "it is another process" test "$(daemon_pid)" -ne "$first"
is "200 more flows: each has its answer" "$(talk lan many 198.51.100.9 53 200)" "200 of 200"
wait $stream
until_true 3 grep -q received "$tmp/counted"
is "20000 packets a second across kill and restart: none lost, one source" "$(tail -n 1 "$tmp/counted")" \
	"received=$(sed 's/sent=//' "$tmp/stream") lost=0 late=0 sources=1"

down
seen=
for i in 1 2 3 4 5; do
	up
	pid=$(daemon_pid)
	kill -9 "$pid"
	seen+=$("$portico" down -n "$name" 2>&1 >/dev/null)
	until_true 2 eval '! kill -0 $pid'
	down 2>/dev/null
done
is "down right behind a kill -9 works" "$seen" ""

# another program on an interface
foreign_attach gw xdpdrv gw
id=$(ns gw ip link show dev gw | grep -o 'prog/xdp id [0-9]*')
refuses "up refuses where another XDP program is attached" ns gw "$portico" up "$tmp/conf"
says "and says where and what to do" "$seen" "gw: another XDP program .*xdp off"
is "the other program is still there" "$(ns gw ip link show dev gw | grep -o 'prog/xdp id [0-9]*')" "$id"
ns gw bpftool net detach xdpdrv dev gw
is "nothing of Portico's is" "$(remains)" ""
is "everything is as before" "$(diff <(echo "$before") <(picture))" ""
foreign_attach gw xdpgeneric gw
refuses "the same with another generic program" ns gw "$portico" up "$tmp/conf"
says "and its words" "$seen" "gw: another XDP program"
ns gw bpftool net detach xdpgeneric dev gw

# pins of another layout
up
daemon_end KILL
config_bytes() {
	bpftool -j map lookup pinned "$pins/config" key 0 0 0 0 | jq -r '.value[]'
}
mapfile -t value < <(config_bytes)
bpftool map update pinned "$pins/config" key 0 0 0 0 value 0x63 0x00 0x00 0x00 "${value[@]:4}"
refuses "up refuses pins of another layout" ns gw "$portico" up "$tmp/conf"
says "and says what to do" "$seen" "another version of Portico; run 'portico down'"
is "the other layout's configuration is as it was" "$(config_bytes | head -n 1)" 0x63
succeeds "the packet path goes on" ns lan ping -q -c 1 -W 2 198.51.100.9
succeeds "down removes it" down
is "all of it" "$(remains)" ""

# not here, not allowed
sed 's/interface = gw/interface = nothere/' "$tmp/conf" >"$tmp/missing"
refuses "an interface that does not exist is refused" ns gw "$portico" up "$tmp/missing"
says "with file and line" "$seen" "$tmp/missing:[0-9]+: .*interface 'nothere' does not exist"
is "in the line that names it" "$(sed 's/.*missing:\([0-9]*\):.*/\1/' <<<"$seen" | head -1)" \
	"$(grep -n nothere "$tmp/missing" | cut -d: -f1)"
sed 's/interface = gw/&\nport = nothere\nvlan = 7/' "$tmp/conf" >"$tmp/missing"
refuses "so is a port" ns gw "$portico" up "$tmp/missing"
is "in the line that names it" "$(sed 's/.*missing:\([0-9]*\):.*/\1/' <<<"$seen" | head -1)" \
	"$(grep -n nothere "$tmp/missing" | cut -d: -f1)"
is "nothing is left of these" "$(remains)" ""
chmod 755 "$tmp"
chmod 644 "$tmp/conf"
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
for program in "$porticod" "$portico up"; do
	# shellcheck disable=SC2086
	refuses "without privileges $(basename "${program% *}") is refused" ns gw "${nobody[@]}" $program "$tmp/conf"
	says "and says so" "$seen" "run as root"
done
is "nothing is left of these" "$(remains)" ""
is "everything is as before" "$(diff <(echo "$before") <(picture))" ""

# the WAN gets another address under a live flow
up
known
quiet lan wan
lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53 >/dev/null
lan_to_wan tcp from=192.168.1.72:4000 to=198.51.100.9:80 >/dev/null
ns gw ip addr del 203.0.113.2/24 dev gw
frame_options=(-t 200)
is "while the WAN has no address nothing new leaves" "$(lan_to_wan udp from=192.168.1.72:4400 to=203.0.113.9:53)" ""
frame_options=()
ns gw ip addr add 203.0.113.22/24 dev gw
ns gw ip route add default via 203.0.113.9
known
sleep 0.2
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53)
shows "the WAN has a new address: the live flow's next packet uses it" "$line" \
	"ip=203.0.113.22>198.51.100.9" sum=ok ipsum=ok
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.22:"$(word sport "$line")")
shows "and its answer comes in" "$line" "ip=198.51.100.9>192.168.1.72" dport=4000 sum=ok
is "no flow has the old address" "$("$portico" flows -n "$name" | grep -c 'dst=203.0.113.2 ')" 0
is "status says the new one" "$(status .wan_address)" 203.0.113.22

daemon_end KILL
ns gw ip addr del 203.0.113.22/24 dev gw
ns gw ip addr add 203.0.113.23/24 dev gw
ns gw ip route add default via 203.0.113.9
known
up
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53)
shows "the address changes while the daemon is dead: the next one sees to it" "$line" \
	"ip=203.0.113.23>198.51.100.9" sum=ok
is "no flow has the old address" "$("$portico" flows -n "$name" | grep -c 'dst=203.0.113.22 ')" 0

# interfaces go and come back
ns gw ip link del gw
until_true 3 eval '[ "$(status .problem)" != "" ]'
says "status says that the WAN is gone" "$(status .problem)" "gw is gone"
wire gw gw wan w0
ns gw ethtool -K gw tx off >/dev/null
ns gw ip link set gw address $mac_gw
ns gw ip addr add 203.0.113.23/24 dev gw
ns gw ip route add default via 203.0.113.9
host wan w0 $mac_w0 203.0.113.9/24 203.0.113.23
known
until_true 3 eval '[ "$(status .problem)" = "" ]'
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53)
shows "the WAN is deleted and made again: forwarding comes back by itself" "$line" "ip=203.0.113.23>198.51.100.9" \
	src=$mac_gw dst=$mac_w0 sum=ok
ns gw ip link del gl
wire lan l0 gw gl
ns gw ip link set gl address $mac_gl
ns gw ip addr add 192.168.1.1/24 dev gl
host lan l0 $mac_l0 192.168.1.72/24 192.168.1.1
known
sleep 0.3
line=$(lan_to_wan udp from=192.168.1.72:4000 to=198.51.100.9:53)
shows "so with the LAN" "$line" "ip=203.0.113.23>198.51.100.9" sport=4000 sum=ok
line=$(wan_to_lan udp from=198.51.100.9:53 to=203.0.113.23:4000)
shows "and back" "$line" dst=$mac_l0 src=$mac_gl "ip=198.51.100.9>192.168.1.72"
down
is "after all that down removes everything" "$(remains)" ""
finish
