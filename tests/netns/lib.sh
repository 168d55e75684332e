# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - a home in network namespaces, Portico on its router, and the checks; for the scripts beside it
#
#   lan  192.168.1.72  l0 ---+--- gl  192.168.1.1  [gw]  203.0.113.2  gw ------ w0  203.0.113.9  wan
#   lan2 192.168.1.73  l1 ---'        02::a1             02::b1                 also 203.0.113.10
#        macvlan on l0                                                          behind it: 198.51.100.9
#
# Namespaces are named portico-PID-NAME. A script is called with the build directory, sources this file, and ends with
# `finish`. Everything that was made goes when the script ends, also on Ctrl-C.
#
# Each check prints a line, "ok   what" or "FAILED what" and what was seen. Exit status: 0, 1 where a check failed, 77
# where this machine cannot run the test; the last line says why.
set -u

build=${1:?usage: $(basename "$0") BUILD-DIRECTORY}
self=$(basename "$0" .sh)
portico=$build/src/cli/portico
porticod=$build/src/gateway/porticod
frame_tool=$build/tests/netns/frame
talk_tool=$build/tests/netns/talk
pass_program=$build/tests/netns/pass.bpf.o
prefix=portico-$$-
name=netns-$$ # of the instance
pins=/sys/fs/bpf/portico/$name
foreign=/sys/fs/bpf/portico-netns-$$ # a program that is not Portico's
started=() # pids
checks=0
failures=0

# MAC addresses of the home
mac_l0=02:00:00:00:01:48
mac_l1=02:00:00:00:01:49
mac_gl=02:00:00:00:00:a1
mac_gw=02:00:00:00:00:b1
mac_w0=02:00:00:00:02:09

skip() {
	echo "skipped: $*"
	exit 77
}

cleanup() {
	trap '' EXIT INT TERM
	local item
	# the daemon as well, and one that is just being started
	for item in "${started[@]}" $(pgrep -f "$tmp/"); do
		kill -9 "$item" 2>/dev/null
	done
	until_true 2 eval '! pgrep -f "$tmp/"'
	for item in "$name" "$name-br"; do # the second: softwire.sh's relay
		[ -e "/run/portico/$item.lock" ] || [ -d "/sys/fs/bpf/portico/$item" ] &&
			"$portico" down -n "$item" >/dev/null 2>&1
	done
	for item in $(ip netns list | grep -o "^${prefix}[a-z0-9]*"); do
		ip netns del "$item"
	done
	rm -rf "$tmp" "$foreign"
}

on_signal() {
	cleanup
	exit 130
}

# need FEATURE...: skips the test where one is missing
need() {
	local feature
	for feature; do
		case $feature in
		root) [ "$(id -u)" -eq 0 ] || skip "needs root" ;;
		netns)
			ip netns add "${prefix}probe" 2>/dev/null || skip "no network namespaces here"
			ip netns del "${prefix}probe"
			;;
		bpffs)
			grep -q bpf /proc/filesystems || skip "no BPF file system in this kernel"
			;;
		macvlan | veth | tun | bridge)
			need_link "$feature"
			;;
		*) command -v "$feature" >/dev/null || skip "$feature is not installed" ;;
		esac
	done
}

need_link() {
	local rc=0
	ip netns add "${prefix}probe"
	case $1 in
	macvlan) ns probe ip link add x0 type veth peer name x1 && ns probe ip link add x2 link x0 type macvlan ;;
	tun) ns probe ip tuntap add dev x0 mode tap ;;
	*) ns probe ip link add x0 type "$1" ;;
	esac >/dev/null 2>&1 || rc=1
	ip netns del "${prefix}probe"
	[ $rc -eq 0 ] || skip "this kernel has no $1"
}

# ns NAME COMMAND...: runs in the namespace; unlike ip netns exec it keeps the BPF file system in sight
ns() {
	local space=$1
	shift
	nsenter --net="/run/netns/$prefix$space" "$@"
}

space_add() {
	local space
	for space; do
		ip netns add "$prefix$space" || exit 1
		ns "$space" ip link set lo up
		ns "$space" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 2>/dev/null
	done
}

# wire SPACE IF SPACE IF: a veth pair, both ends up. Ends that are no router complete their checksums themselves.
wire() {
	ip link add "$2" netns "$prefix$1" type veth peer name "$4" netns "$prefix$3" || exit 1
	ns "$1" ip link set "$2" up
	ns "$3" ip link set "$4" up
}

# host SPACE IF MAC ADDRESS/LEN GATEWAY: an end host. Frames that XDP sends come in only where GRO is on.
host() {
	ns "$1" ip link set "$2" address "$3"
	ns "$1" ip addr add "$4" dev "$2"
	ns "$1" ethtool -K "$2" tx off gro on >/dev/null
	ns "$1" ip route add default via "$5"
}

home_make() {
	need root netns bpffs veth macvlan ethtool jq
	space_add lan lan2 gw wan
	wire lan l0 gw gl
	wire gw gw wan w0
	host lan l0 $mac_l0 192.168.1.72/24 192.168.1.1
	ns lan ip link add l1 link l0 netns "${prefix}lan2" type macvlan mode bridge
	ns lan2 ip link set l1 up
	host lan2 l1 $mac_l1 192.168.1.73/24 192.168.1.1
	ns gw ethtool -K gl tx off >/dev/null # what the router itself sends is looked at as well
	ns gw ethtool -K gw tx off >/dev/null
	ns gw ip link set gl address $mac_gl
	ns gw ip link set gw address $mac_gw
	ns gw ip addr add 192.168.1.1/24 dev gl
	ns gw ip addr add 203.0.113.2/24 dev gw
	ns gw ip route add default via 203.0.113.9
	ns gw sysctl -qw net.ipv4.ip_forward=1
	host wan w0 $mac_w0 203.0.113.9/24 203.0.113.2
	ns wan ip addr add 203.0.113.10/24 dev w0
	ns wan ip addr add 198.51.100.9/32 dev lo
	ns wan ip route del default
}

# quiet SPACE...: the hosts there answer ARP and nothing else, so that only the test speaks
quiet() {
	need nft
	local space
	for space; do
		ns "$space" nft -f - <<-END || skip "no nf_tables in this kernel"
			table ip quiet { chain input { type filter hook input priority 0; policy drop; }; }
		END
	done
}

loud() {
	local space
	for space; do
		ns "$space" nft delete table ip quiet
	done
}

# known SPACE...: resolves the home's neighbours beforehand, where a test is not about that
known() {
	ns gw ip neigh replace 192.168.1.72 lladdr $mac_l0 dev gl nud permanent
	ns gw ip neigh replace 192.168.1.73 lladdr $mac_l1 dev gl nud permanent
	ns gw ip neigh replace 203.0.113.9 lladdr $mac_w0 dev gw nud permanent
	ns gw ip neigh replace 203.0.113.10 lladdr $mac_w0 dev gw nud permanent
}

# conf [SECTION-BODY...]: writes $tmp/conf from standard input, under the name of this run
conf() {
	{
		echo "[gateway]"
		echo "name = $name"
		cat
	} >"$tmp/conf"
}

home_conf() {
	conf <<-END
		${1:-}
		[lan]
		interface = gl
		[wan]
		interface = gw
		${2:-}
	END
}

up() {
	ns gw "$portico" up "$tmp/conf" >"$tmp/up" 2>&1 && return
	echo "FAILED portico up: $(cat "$tmp/up")"
	failures=$((failures + 1))
	finish
}

down() {
	ns gw "$portico" down -n "$name" >/dev/null
}

daemon_pid() {
	"$portico" status --json -n "$name" | jq .pid
}

# daemon_end SIGNAL: ends the daemon and waits until it has
daemon_end() {
	local pid
	pid=$(daemon_pid)
	kill "-$1" "$pid"
	until_true 5 eval '! kill -0 $pid'
}

# background LOG COMMAND...: starts a program that says "ready"
background() {
	local log=$1
	shift
	"$@" >"$tmp/$log" 2>&1 &
	started+=($!)
	disown
	until_true 5 grep -q ready "$tmp/$log"
}

frame() {
	"$frame_tool" -p "$prefix" "$@"
}

# Frames of the home's hosts to the router, and what then comes in at the other side; options of frame are in
# $frame_options.
frame_options=()

lan_to_wan() {
	frame "${frame_options[@]}" send lan:l0 dst=$mac_gl "$@" see wan:w0
}

wan_to_lan() {
	frame "${frame_options[@]}" send wan:w0 dst=$mac_gw "$@" see lan:l0
}

# foreign_attach SPACE xdpdrv|xdpgeneric IF: puts somebody else's program there, which passes everything
foreign_attach() {
	[ -e "$foreign" ] || bpftool prog load "$pass_program" "$foreign" type xdp || exit 1
	ns "$1" bpftool net attach "$2" pinned "$foreign" dev "$3"
}

talk() {
	local space=$1
	shift
	ns "$space" "$talk_tool" "$@"
}

# serve SPACE udp|tcp PORT [ADDRESS]: an echo server that says who asked
serve() {
	background "serve-$1-$2-$3" nsenter --net="/run/netns/$prefix$1" "$talk_tool" serve "$2" "${4:-0.0.0.0}" "$3"
}

# until_true SECONDS COMMAND...: tries ten times a second
until_true() {
	local tries=$(($1 * 10))
	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

counter() {
	"$portico" counters --all --json -n "$name" | jq ".$1.packets"
}

flow_count() {
	"$portico" flows --count -n "$name" "$@"
}

status() {
	"$portico" status --json -n "$name" 2>/dev/null | jq -r "$1"
}

ok() {
	checks=$((checks + 1))
	echo "ok   $*"
}

fail() {
	checks=$((checks + 1))
	failures=$((failures + 1))
	echo "FAILED $1"
	shift
	[ $# -gt 0 ] && printf '       %s\n' "$@"
}

# is WHAT SEEN WANTED
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		fail "$1" "seen:   $2" "wanted: $3"
	fi
}

# succeeds WHAT COMMAND..., refuses WHAT COMMAND...: by exit status
succeeds() {
	local what=$1 seen
	shift
	if seen=$("$@" 2>&1); then
		ok "$what"
	else
		fail "$what" "$* gave $?: $seen"
	fi
}

refuses() { # leaves in $seen what was said
	local what=$1
	shift
	if seen=$("$@" 2>&1); then
		fail "$what" "$* gave 0: $seen"
	else
		ok "$what"
	fi
}

# says WHAT TEXT PATTERN: TEXT has the pattern of grep -E
says() {
	if grep -qE -- "$3" <<<"$2"; then
		ok "$1"
	else
		fail "$1" "seen:   $2" "wanted: $3"
	fi
}

# shows WHAT LINE WORD...: the frame in LINE has all the words
shows() {
	local what=$1 line=" $2 " word missing=()
	shift 2
	for word; do
		[[ $line == *" $word "* ]] || missing+=("$word")
	done
	if [ ${#missing[@]} -eq 0 ]; then
		ok "$what"
	else
		fail "$what" "seen:  $line" "wanted: ${missing[*]}"
	fi
}

# word NAME LINE: the value of NAME in a frame's line
word() {
	local line=" $2 "
	line=${line#* "$1"=}
	echo "${line%% *}"
}

# finish: what the programs wrote is looked through for what sanitizers find, and the script ends
finish() {
	local logs
	logs=$(cat "/run/portico/$name.log" "$tmp"/* 2>/dev/null | grep -aE 'Sanitizer|runtime error' | head -5)
	[ -n "$logs" ] && fail "no finding of a sanitizer" "$logs"
	echo "$self: $checks checks, $failures failed"
	[ $failures -eq 0 ]
	exit
}

need root
tmp=$(mktemp -d "/tmp/portico-netns-$$.XXXXXX")
trap cleanup EXIT
trap on_signal INT TERM
