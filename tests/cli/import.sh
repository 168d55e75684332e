#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# import.sh - portico import nft: what it makes of rulesets, and what it says about the rules that it leaves
#
# The rulesets are in tests/cli/import and in labs; each says what it is.
set -u

portico=$(realpath "${1:?usage: import.sh PORTICO}")
here=$(realpath "$(dirname "$0")")
tmp=$(mktemp -d /tmp/portico-import.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
rulesets=$tmp/rulesets
mkdir "$rulesets" && ln -s "$here"/import/*.nft "$here"/../../labs/*.nft "$rulesets" && cd "$rulesets" || exit 1
failures=0
checks=0

unshare -n true 2>/dev/null || unshare -Urn true 2>/dev/null || {
	echo 'no network namespace can be made here'
	exit 77
}

failed() {
	failures=$((failures + 1))
	printf 'FAILED %s\n  wanted: %s\n  seen:   %s\n' "$1" "$2" "$3"
}

# is WHAT SEEN WANTED
is() {
	checks=$((checks + 1))
	[ "$2" = "$3" ] || failed "$1" "$3" "$2"
}

# gives WHAT STATUS PATTERN FILE OPTION...: exit status, and the output (both streams) has the pattern of grep -E
gives() {
	local what=$1 status=$2 pattern=$3 seen rc
	shift 3
	seen=$("$portico" import nft "$@" 2>&1)
	rc=$?
	checks=$((checks + 1))
	[ $rc -eq "$status" ] && grep -qE -- "$pattern" <<<"$seen" && return
	failed "$what: $*" "$status, $pattern" "$rc, $seen"
}

# conf WHAT FILE WANTED OPTION...: the lines of the configuration that are no comments, in one
conf() {
	local what=$1 file=$2 wanted=$3
	shift 3
	is "$what" "$("$portico" import nft "$file" "$@" 2>/dev/null | grep -vE '^(#|$)' | paste -sd ' ')" "$wanted"
}

# json WHAT FILE FILTER WANTED OPTION...
json() {
	local what=$1 file=$2 filter=$3 wanted=$4
	shift 4
	is "$what" "$("$portico" import nft "$file" --json "$@" 2>/dev/null | jq -c "$filter")" "$wanted"
}

# left FILE OPTION...: chain and handle of the rules on stderr
left() {
	"$portico" import nft "$@" 2>&1 >/dev/null | sed -nE 's/^portico: not carried over: (.*) handle ([0-9]+): .*/\1 \2/p' |
		paste -sd ,
}

# the port sets
set='[.kind, .outgoing, .address, .port_set.offset, .port_set.psid_len, .port_set.psid, .port_set.determined, .reserve]'
json '63 ranges' map-e-63-ranges.nft "$set" \
	'["map-e","ip6tnl1","192.0.2.134",6,6,44,true,[[64192,64207],[65216,65231]]]'
json '63 ranges: each protocol' map-e-63-ranges.nft .ranges_of \
	'{"tcp":61,"udp":61,"icmp":61,"udplite":61,"sctp":61,"dccp":61}'
json '63 ranges: the rest' map-e-63-ranges.nft '[.lan.prefix, .lan.length, .lan.router, .choice, .mss, .notes]' \
	'["192.168.1.0",24,"192.168.1.2","numgen inc mod 61 offset 2","route",[]]'
json '63 ranges: nothing is left' map-e-63-ranges.nft \
	'[(.rules | length), ([.rules[] | select(.carried_as == null or .why_not != null)] | length)]' '[393,0]'
json '63 ranges: what the rules are' map-e-63-ranges.nft \
	'[.rules[].carried_as | split(":")[0]] | group_by(.) | map([.[0], length])' \
	"$(jq -cn '[["Portico clamps the MSS to the path'"'"'s MTU",2],["a log of IPv6 inside the tunnel",2],
		["a log of protocols that are not translated",1],["choice of the range",8],["reserve",12],
		["the LAN'"'"'s address",2],["translation",366]]')"
is '63 ranges: nothing is said' "$("$portico" import nft map-e-63-ranges.nft 2>&1 >/dev/null)" ''
conf '63 ranges: the configuration' map-e-63-ranges.nft "[gateway] [lan] address = 192.168.1.2/24 [wan] [map-e] \
rule = ::/0 192.0.2.134/32 ea 0 offset 6 psid-len 6 psid 44 [nat] reserve = 64192-64207, 65216-65231"
gives '63 ranges: what to fill in' 0 '^# border-relay = ADDRESS6$' map-e-63-ranges.nft
json 'random, and a map in the rule' offset-4.nft "$set" '["map-e","wan6","192.0.2.18",4,8,52,true,[]]'
json 'a map of ranges, marks from elsewhere' map.nft "$set" '["map-e","wan6","192.0.2.1",2,6,5,true,[[50432,50687]]]'
gives 'a protocol with fewer ranges' 0 '^portico: note: icmp has 1 of the 2 ranges in use; ' map.nft
gives 'protocols without any' 0 '^portico: note: not translated by the ruleset, but by Portico: udplite, sctp, dccp$' map.nft
is 'rules around it' "$(left map.nft)" 'inet mangle FORWARD 3,inet mangle FORWARD 7'
conf 'the LAN, which it names' map.nft "[gateway] [lan] interface = br-lan [wan] [map-e] \
rule = ::/0 192.0.2.1/32 ea 0 offset 2 psid-len 6 psid 5 [nat] reserve = 50432-50687"
sed 's/mod 61 offset 2/mod 63 offset 2/' map-e-63-ranges.nft >"$tmp/all.nft"
json 'no reserve' "$tmp/all.nft" "$set" '["map-e","ip6tnl1","192.0.2.134",6,6,44,true,[]]'
sed 's/mark set numgen inc mod 61 offset 2/mark set ip saddr map { 192.168.1.7 : 3 }/' map-e-63-ranges.nft >"$tmp/vague.nft"
json 'a mark that cannot be followed' "$tmp/vague.nft" "$set" '["map-e","ip6tnl1","192.0.2.134",6,6,44,true,[]]'
gives 'a mark that cannot be followed' 0 'what it sets the mark to cannot be followed: every value is taken as possible' \
	"$tmp/vague.nft"

# what does not determine a port set, or is none
json 'one block' one-block.nft "$set" '["map-e","ip6tnl0","192.0.2.7",0,3,2,false,[]]'
gives 'one block' 0 '^portico: note: one range does not determine offset and psid-len: offset 0, ' one-block.nft
gives 'one block' 0 '^portico: note: an offset of 2 would be possible as well' one-block.nft
sed 's/ip6tnl0/eth1/' one-block.nft >"$tmp/block.nft"
json 'one block, of NAT44' "$tmp/block.nft" '[.kind, .ports]' '["nat44",[16384,24575]]'
gives 'one block, of NAT44' 0 'could be a MAP-E port set with offset 0, psid-len 3, psid 2: if it is, give --border-relay' \
	"$tmp/block.nft"
json 'one block, of MAP-E as is said' "$tmp/block.nft" .kind '"map-e"' --border-relay 2001:db8::1
json 'few ranges' two-of-many.nft "$set | .[:7]" '["map-e","ip6tnl0","192.0.2.134",6,6,44,false]'
gives 'few ranges' 0 '^portico: note: so few ranges do not determine the port set: ' two-of-many.nft
json 'few ranges: the others' two-of-many.nft '.reserve | length' 61
json 'only the first is reached' first-of-many.nft '[.port_set.psid, .ranges_of.tcp, (.reserve | length)]' '[3,1,6]'
gives 'only the first is reached' 0 '^portico: note: no packet gets most of the ranges: 1 of 7 are in use' first-of-many.nft
json 'a range that does not fit' odd-range.nft "$set" \
	'["map-e","ip6tnl1","192.0.2.18",4,8,52,true,[[29504,29507]]]'
gives 'a range that does not fit' 0 '^portico: note: range 29508-29523 fits no PSID with the other ranges: ' odd-range.nft
is 'a range that does not fit: its rule' "$(left odd-range.nft)" 'ip nat r6 30'
gives 'no port set' 1 '^portico: no-psid.nft: the 2 ranges of ports fit no PSID \(RFC 7597, 5\.1\)' no-psid.nft
sed 's/16384-24575/1000-1099/' one-block.nft >"$tmp/odd.nft"
gives 'one range, no PSID' 1 ': range 1000-1099 fits no PSID: its length is no power of two' "$tmp/odd.nft"

# NAT44
conf 'masquerade' masquerade.nft '[gateway] [lan] [wan] interface = ppp0 [nat]'
json 'masquerade: the LAN' masquerade.nft '[.kind, .lan.prefix, .lan.length, .address, .ports]' \
	'["nat44","10.1.0.0",16,null,null]'
gives 'masquerade: more protocols' 0 '^portico: note: the ruleset translates protocols that Portico does not know' masquerade.nft
conf 'an address and a range' snat-range.nft '[gateway] [lan] [wan] interface = eth1 [nat] ports = 20000-29999'
gives 'the address' 0 '^# address = 203\.0\.113\.2/LENGTH$' snat-range.nft
gives 'protocols without a range' 0 "note: translated to any port by the ruleset, .*: icmp, udplite, sctp, dccp$" snat-range.nft
conf 'ranges that are no port set' snat-ranges.nft \
	'[gateway] [lan] [wan] interface = eth1 [nat] ports = 20000-22999 reserve = 21000-21999'
sed 's/ppp0/ip6tnl1/; s/oif /oifname /' masquerade.nft >"$tmp/tunnel.nft"
json 'masquerade in a tunnel' "$tmp/tunnel.nft" '[.kind, .address, .port_set.psid_len]' '["map-e",null,0]'
gives 'masquerade in a tunnel' 0 '^# rule = ::/0 ADDRESS/32 ea 0$' "$tmp/tunnel.nft"
gives 'several uplinks' 1 'several interfaces: wan0, wan1; choose one with --outgoing NAME$' two-uplinks.nft
json 'one of several uplinks' two-uplinks.nft '[.outgoing, .address]' '["wan0","203.0.113.2"]' --outgoing wan0
is 'one of several uplinks: the other' "$(left two-uplinks.nft --outgoing wan1)" 'ip nat POSTROUTING 2'

# what is left
is 'all that is left' "$(left left.nft)" "inet filter FORWARD 2,inet filter FORWARD 3,inet filter FORWARD 4,\
inet filter FORWARD 5,ip nat PREROUTING 3,ip nat POSTROUTING 4,ip nat POSTROUTING 5,ip nat POSTROUTING 6,\
ip6 filter FORWARD 2"
gives 'a filter' 0 'FORWARD handle 4: ip daddr 198\.51\.100\.0/24 drop \(a filter: what Portico forwards ' left.nft
gives 'a forward' 0 'handle 3: .* dnat to 192\.168\.1\.3:80 \(a forward to a host of the LAN: not imported' left.nft
gives 'another address' 0 'handle 5: .* \(translates to another address\)$' left.nft
gives 'a condition' 0 'handle 6: .* \(carried over without its condition: ' left.nft
gives 'IPv6' 0 '^portico: not carried over: ip6 filter FORWARD handle 2: tcp dport 22 drop \(not IPv4: ' left.nft
gives 'a fixed MSS' 0 '^portico: note: the ruleset sets the MSS to 1400, which is that of an MTU of 1440$' left.nft
is 'the same in the file' "$("$portico" import nft left.nft 2>/dev/null | grep -cE '^#   (ip|inet|ip6) .* handle [0-9]+: ')" 9

# files
gives 'a fault in the file' 1 '^portico: faulty\.nft:5:[0-9-]+: Error: syntax error' faulty.nft
gives 'no file' 1 '^portico: absent\.nft: cannot be read: No such file' absent.nft
gives 'nothing to import' 1 '^portico: nothing\.nft: no rule translates IPv4 packets .*: there is nothing' nothing.nft
"$portico" import nft map-e-63-ranges.nft -o "$tmp/out.conf"
is 'a file' "$(cat "$tmp/out.conf")" "$("$portico" import nft map-e-63-ranges.nft)"
gives 'a file that is there' 1 'out\.conf is there already: give another name, or --force$' left.nft -o "$tmp/out.conf"
is 'a file that is there: untouched' "$(cat "$tmp/out.conf")" "$("$portico" import nft map-e-63-ranges.nft)"
gives 'a file that is there, by force' 0 'not carried over' left.nft -o "$tmp/out.conf" --force
gives 'a directory that is not there' 1 'cannot be written: No such file' left.nft -o "$tmp/absent/out.conf"
is 'no line is too long' "$(for file in *.nft; do
	"$portico" import nft "$file" 2>/dev/null
done | awk 'length > 197' | wc -l)" 0

# the command line
"$portico" import iptables left.nft >/dev/null 2>&1
is 'another kind' $? 2
gives 'a bad address' 2 "import: bad address '192.0.2.1': give an IPv6 address" left.nft --border-relay 192.0.2.1
gives 'a bad interface' 2 "import: bad interface 'a b': give its name" left.nft --lan 'a b'

# namespaces
is 'without privileges' "$(setpriv --bounding-set=-sys_admin "$portico" import nft offset-4.nft --json 2>/dev/null |
	jq .port_set.psid)" 52
seen=$(unshare -Ur bash -c 'echo 0 >/proc/sys/user/max_net_namespaces && exec "$@"' - "$portico" import nft left.nft 2>&1)
is 'without namespaces: exit status' $? 1
is 'without namespaces' "${seen%%:*}: ${seen##*; }" 'portico: run as root, on a kernel with network namespaces'
seen=$(cd "$tmp" && unshare -Urn bash -c 'show() { ip -o link; nft list ruleset; }
	nft add table ip kept && show >before && "$@" >/dev/null 2>&1 && show >after && cmp before after &&
	grep -c kept after' - "$portico" import nft "$rulesets/masquerade.nft" 2>&1)
is 'the ruleset of the system, and its interfaces' "$seen" 1

# what is made is a configuration, though the interfaces are not here
made() {
	local file=$1
	shift
	"$portico" import nft "$file.nft" -l portico-lan0 -w portico-wan0 -o "$tmp/$file.conf" "$@" 2>/dev/null
	"$portico" check "$tmp/$file.conf" >"$tmp/$file.said" 2>&1
	is "portico check $file.conf" "$(grep -cx "$tmp/$file.conf: no error in the file" "$tmp/$file.said")" 1
}
for file in masquerade snat-range snat-ranges; do
	made $file
done
for file in map-e-63-ranges offset-4 one-block map two-of-many; do
	made $file --border-relay 2001:db8:ffff::1 --address6 2001:db8:1::1
done
is 'portico check: ports and reserve' "$(sed -nE 's/^  map-e +//p' "$tmp/map-e-63-ranges.said")" \
	'192.0.2.134, PSID 44 (0x2c): 1008 ports, 32 of them reserved'
is 'portico check: NAT44' "$(sed -nE 's/^  ports +([^,]*, [^,]*),.*/\1/p' "$tmp/snat-ranges.said")" \
	'20000-22999, 1000 of them reserved'

echo "cli-import: $checks checks, $failures failed"
[ $failures -eq 0 ]
