#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# life.sh - portico up, status, flows, counters and down on a live gateway, and after its daemon was killed
#
# The home of tests/netns/lib.sh.
# shellcheck source=tests/netns/lib.sh
. "$(dirname "$0")/../netns/lib.sh"

# cli COMMAND...: portico in the router's namespace; output and exit status in $seen and $rc
cli() {
	seen=$(ns gw "$portico" "$@" 2>&1)
	rc=$?
}

# gives WHAT STATUS PATTERN: of the last cli
gives() {
	is "$1: exit status" "$rc" "$2"
	says "$1" "$seen" "$3"
}

need ping
home_make
home_conf 'flows = 4096' '[timers]
udp = 200'

cli check "$tmp/conf"
gives 'check' 0 '^  wan +gw +203\.0\.113\.2/24 +mtu 1500$'
cli up "$tmp/conf"
gives 'up' 0 "^$name: up, lan gl \(native\), wan gw \(native\), 203\.0\.113\.2, ports 1024-65535$"
cli up "$tmp/conf"
gives 'up twice' 1 'already running'

ns lan ping -q -c 3 -i 0.2 198.51.100.9 >/dev/null

cli status -n "$name"
gives 'status' 0 '^  flows +[1-9][0-9]* of 4096$'
says 'status: the WAN' "$seen" '^  wan +gw +203\.0\.113\.2/24 +native +mtu 1500$'
is 'status --json' "$(status '[.running, .name, .wan_address, .timers.udp, (.interfaces | length)] | @csv')" \
	"true,\"$name\",\"203.0.113.2\",200,2"

flow='src=192\.168\.1\.72 dst=198\.51\.100\.9 id=[0-9]+ packets=3 bytes=252 '
flow+='src=198\.51\.100\.9 dst=203\.0\.113\.2 id=[0-9]+ packets=3 bytes=252$'
cli flows -n "$name" -p icmp
gives 'flows' 0 "^icmp +[0-9]+ replied +$flow"
cli flows -n "$name" -p icmp -s 192.168.1.0/24 -d 198.51.100.9 --state replied --count
gives 'flows, filtered' 0 '^1$'
for filter in '-s 192.168.1.73' '-d 198.51.100.8' '-p tcp' '--state unreplied' '--sport 0' '--dport 1' \
	'--nat-port 1'; do
	# shellcheck disable=SC2086
	cli flows -n "$name" --count -d 198.51.100.0/24 $filter
	gives "flows $filter" 0 '^0$'
done
cli flows -n "$name" --json -d 198.51.100.9
is 'flows --json' "$(jq -c '[length, .[0].proto, .[0].original.packets, .[0].reply.dst]' <<<"$seen")" \
	'[1,"icmp",3,"203.0.113.2"]'
cli flows -n "$name" --json -p tcp
is 'flows --json of none' "$(jq -c . <<<"$seen")" '[]'

cli counters -n "$name"
gives 'counters' 0 '^  forward_out +[1-9][0-9]* packets +[0-9]+ bytes  LAN to WAN'
cli counters -n "$name" --all
says 'counters --all' "$seen" '^  drop_ip_csum +0 packets'

kill -9 "$(daemon_pid)"
until_true 5 ns gw bash -c "! $portico status -n $name | grep -q 'daemon.*pid'"
cli status -n "$name"
gives 'status without daemon' 3 '^  daemon +not running \(the packet path goes on; restart with: portico up CONF\)$'
says 'status without daemon: the WAN' "$seen" '^  wan +gw +203\.0\.113\.2/24 +native +mtu 1500$'
cli status -n "$name" --json
is 'status --json without daemon' "$(jq -c '[.running, .pid]' <<<"$seen")" '[false,null]'
cli flows -n "$name" -p icmp
gives 'flows without daemon' 0 "^icmp .*$flow"
says 'flows without daemon: whose timers' "$seen" \
	'the daemon is not running; times left are computed with the default timers'
cli up "$tmp/conf"
gives 'up after that' 0 "^$name: up, lan gl"
is 'up after that: adopted' "$(status .adopted)" true

kill -9 "$(daemon_pid)"
cli down -n "$name"
gives 'down without daemon' 0 "^$name: down$"
cli up "$tmp/conf"
cli down -n "$name"
gives 'down' 0 "^$name: down$"
is 'down: no pins' "$(ls "$pins" 2>/dev/null)" ''
is 'down: no files' "$(ls /run/portico/"$name".* 2>/dev/null)" ''
is 'down: no program' "$(ns gw ip -j link show dev gl | jq '.[0].xdp')" null
cli down -n "$name"
gives 'down again' 1 "^portico: $name: nothing to do, it is not up$"

sed -i 's/interface = gw/interface = gw9/' "$tmp/conf"
cli up "$tmp/conf"
gives 'up without the interface' 1 "^portico: .*/conf:[0-9]+: .*gw9'? does not exist"
is 'up without the interface: no files' "$(ls /run/portico/"$name".* 2>/dev/null)" ''
is 'up without the interface: no pins' "$(ls "$pins" 2>/dev/null)" ''

finish
