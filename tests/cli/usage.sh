#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage.sh - what portico answers to wrong command lines, files and captures; needs no privileges, changes nothing
set -u

portico=$(realpath "${1:?usage: usage.sh PORTICO DOC}")
doc=$(realpath "${2:?usage: usage.sh PORTICO DOC}")
tmp=$(mktemp -d /tmp/portico-cli.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failures=0
checks=0

# gives WHAT STATUS PATTERN COMMAND...: exit status, and the output (both streams) has the pattern of grep -E
gives() {
	local what=$1 status=$2 pattern=$3 seen rc
	shift 3
	seen=$("$@" 2>&1)
	rc=$?
	checks=$((checks + 1))
	[ $rc -eq "$status" ] && grep -qE -- "$pattern" <<<"$seen" && return
	failures=$((failures + 1))
	printf 'FAILED %s: %s\n  exit status %d, wanted %d\n  wanted: %s\n  seen:   %s\n' "$what" "$*" $rc "$status" \
		"$pattern" "$seen"
}

unseen='not up|run as root' # what is pinned can only be seen with privileges
commands='up down status flows counters check replay map-e import'
printf '%s\n' '[lan]' 'interface = lo-lan' 'address = 192.168.1.1/24' '[wan]' 'interface = lo-wan' \
	'address = 203.0.113.2/24' >good.conf
printf '[lan]\ninterface = lan0\nadress = 192.168.1.1/24\n' >bad.conf
printf '[lan]\ninterface = lan0\n[wan]\ninterface = wan0\n' >bare.conf
sed 's/lo-wan/lo-wan9/; s/^\[wan/[lan guest]\ninterface = lo-guest\naddress = 10.0.0.1\/24\n[wan/' good.conf >two.conf
echo 'no capture' >text.pcap
printf '\xd4\xc3\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\0\0\4\0\1\0\0\0' >empty.pcap # Ethernet

gives 'no command' 2 '^Usage: portico COMMAND' "$portico"
gives 'an unknown command' 2 "^portico: unknown command 'stat': 'portico help' lists them$" "$portico" stat
gives 'help' 0 '^  status +show' "$portico" help
gives 'help' 0 '^Usage: portico COMMAND' "$portico" --help
gives 'version' 0 '^portico [0-9]+\.' "$portico" --version
gives 'help about nothing' 2 "unknown command 'x'" "$portico" help x
for command in $commands; do
	gives 'help of a command' 0 '^Example:$' "$portico" "$command" --help
	gives 'help of a command' 0 "^Usage: portico $command " "$portico" help "$command"
	gives 'an unknown option' 2 "^portico: $command: unknown or ambiguous option --bogus; see" \
		"$portico" "$command" --bogus
	gives 'an unknown letter' 2 "^portico: $command: unknown option -Z; see" "$portico" "$command" -Z
	gives 'too many operands' 2 "^portico: $command: 'b' is too much; see" "$portico" "$command" b b b
	# the manual knows each option that the help knows
	for option in $("$portico" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--.*'); do
		[ "$option" = --name ] && continue
		gives 'the manual' 0 . grep -F -- "${option//-/\\-}" "$doc/man/portico.8"
	done
done
gives 'a value for a flag' 2 '^portico: status: --json takes no value' "$portico" status --json=1
gives 'a missing value' 2 '^portico: status: --name needs a value: --name NAME' "$portico" status --name
gives 'an empty value' 2 '^portico: status: --name is empty: give NAME' "$portico" status -n ''
gives 'a bad name' 1 "^portico: bad name '../x'" "$portico" status -n ../x
gives 'a gateway that is not up' 3 "$unseen" "$portico" status -n not-there
gives 'a gateway that is not up' 1 "$unseen" "$portico" flows -n not-there
gives 'a gateway that is not up' 1 "$unseen" "$portico" counters -n not-there
gives 'nothing to do' 1 "$unseen" "$portico" down -n not-there

gives 'a bad protocol' 2 "bad --proto 'sctp': give tcp, udp or icmp" "$portico" flows -p sctp
gives 'a bad address' 2 "bad --src '1.2.3': give an address or a prefix" "$portico" flows -s 1.2.3
gives 'a bad prefix' 2 "bad --dst '1.2.3.4/33': give" "$portico" flows -d 1.2.3.4/33
gives 'a bad port' 2 "bad --dport '65536': give a number from 0 to 65535" "$portico" flows --dport 65536
gives 'a bad port' 2 "bad --nat-port '-1': give a number" "$portico" flows --nat-port -1
gives 'a bad state' 2 "bad --state 'open': give opening, established" "$portico" flows --state open

gives 'no file' 2 '^portico: check: CONF is missing' "$portico" check
gives 'no file' 2 '^portico: up: CONF is missing' "$portico" up
gives 'a file that is not there' 1 '^portico: absent.conf: cannot be read: No such file' "$portico" check absent.conf
gives 'a bad file' 1 "^portico: bad.conf:3: unknown key 'adress' in \[lan\]: did you mean 'address'\?$" \
	"$portico" check bad.conf
gives 'a bad file' 1 "^portico: bad.conf:3: unknown key" "$portico" up bad.conf
gives 'a bad file' 1 "^portico: bad.conf:3: unknown key" "$portico" replay bad.conf --lan text.pcap
gives 'interfaces that are not there' 1 '^portico: good.conf:2: interface lo-lan does not exist: ' \
	"$portico" check good.conf
gives 'interfaces that are not there' 1 '^portico: good.conf:5: interface lo-wan does not exist: ' \
	"$portico" check good.conf
gives 'a checked file' 1 '^  wan +lo-wan +203.0.113.2/24' "$portico" check good.conf
gives 'a checked file in JSON' 1 '"ports": "1024-65535"' "$portico" check --json good.conf
gives 'all keys' 0 '^  udp-inbound-refresh = no\|yes$' "$portico" check --keys
gives 'all keys in JSON' 0 '"key": "untranslated"' "$portico" check --keys --json

gives 'replay of nothing' 2 '^portico: replay: no capture file: give' "$portico" replay good.conf
gives 'replay of what is not there' 1 '^portico: absent.pcap: ' "$portico" replay good.conf --lan absent.pcap
gives 'replay of a text' 1 '^portico: text.pcap: ' "$portico" replay good.conf --wan text.pcap
gives 'replay without addresses' 1 '^portico: bare.conf:2: \[lan\] has no address, and replay asks no interface' \
	"$portico" replay bare.conf --lan text.pcap
gives 'one of several LANs' 2 "^portico: replay: 'text.pcap': which LAN\? Write NAME=FILE, with one of lan guest$" \
	"$portico" replay two.conf --lan text.pcap
gives 'one of several LANs' 1 '^portico: text.pcap: ' "$portico" replay two.conf --lan guest=text.pcap
gives 'an empty capture' 0 '^0 packets in 0.000 s; 0 flows open' "$portico" replay good.conf --lan empty.pcap
gives 'an output that cannot be' 1 '^portico: no-such-dir/out.pcap' "$portico" replay good.conf --lan empty.pcap \
	--out-wan no-such-dir/out.pcap

gives 'a full disk' 1 '^portico: writing: No space left on device$' bash -c "'$portico' help >/dev/full"

echo "cli-usage: $checks checks, $failures failed"
[ $failures -eq 0 ]
