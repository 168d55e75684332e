#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# map-e.sh - portico map-e: what it says of rules given in each way, and of parameters that cannot be right
set -u

portico=$(realpath "${1:?usage: map-e.sh PORTICO}")
failures=0
checks=0

# gives WHAT STATUS PATTERN OPTION...: exit status, and the output (both streams) has the pattern of grep -E
gives() {
	local what=$1 status=$2 pattern=$3 seen rc
	shift 3
	seen=$("$portico" map-e "$@" 2>&1)
	rc=$?
	checks=$((checks + 1))
	[ $rc -eq "$status" ] && grep -qE -- "$pattern" <<<"$seen" && return
	failures=$((failures + 1))
	printf 'FAILED %s: %s\n  exit status %d, wanted %d\n  wanted: %s\n  seen:   %s\n' "$what" "$*" $rc "$status" \
		"$pattern" "$seen"
}

# json WHAT FILTER WANTED OPTION...
json() {
	local what=$1 filter=$2 wanted=$3 seen
	shift 3
	seen=$("$portico" map-e --json "$@" | jq -c "$filter")
	checks=$((checks + 1))
	[ "$seen" = "$wanted" ] && return
	failures=$((failures + 1))
	printf 'FAILED %s: %s\n  wanted: %s\n  seen:   %s\n' "$what" "$*" "$wanted" "$seen"
}

v1=(--rule6 2001:db8::/40 --rule4 192.0.2.0/24 --ea 16)
pd=(--pd 2001:db8:12:3400::/56)
br=(--br 2001:db9:ffff::1)
wire='005e 0034 0059 001c 00 10 18 c0000200 28 20010db800 005d 0004 06 08 3400 1234 0003 aabbcc'
wire+=' 005a 0010 20010db9ffff00000000000000000001'
odhcp6c='MAPE=type=map-e,ealen=16,prefix4len=24,prefix6len=40,ipv4prefix=192.0.2.0,ipv6prefix=2001:db8::,'
odhcp6c+='offset=6,psidlen=8,psid=13312,br=2001:db9:ffff::1, '

# the same customer in each way
known='["192.0.2.18",52,256,252,[[1232,1235],[64720,64723]],"2001:db8:12:3400:0:c000:212:34",["2001:db9:ffff::1"],1460,1420]'
has='[.own.ipv4, .own.psid, .own.sharing, .own.ports.count, .own.ports.list, .own.ce, .border_relays, .tunnel_mtu, .mss]'
json 'a rule in parts' "$has" "$known" "${v1[@]}" "${pd[@]}" "${br[@]}"
json 'a rule in a word' "$has" "$known" --rule '2001:db8::/40 192.0.2.0/24 ea 16' "${pd[@]}" "${br[@]}"
json 'an address in place of the prefix' "$has" "$known" "${v1[@]}" --address 192.0.2.18 --psid 0x34 "${br[@]}"
json 'DHCPv6' "$has" "$known" --s46 "$wire" "${pd[@]}"
json 'odhcp6c' "$has" "$known" --odhcp6c "$odhcp6c" "${pd[@]}"

gives 'the address' 0 '^  IPv4 +192\.0\.2\.18, shared by 256$' "${v1[@]}" "${pd[@]}"
gives 'the PSID' 0 '^  PSID +52 \(0x34\)$' "${v1[@]}" "${pd[@]}"
gives 'the ports' 0 '^  ports +252, in 63 ranges of 4: 1232-1235, 2256-2259 \.\.\. 64720-64723$' "${v1[@]}" "${pd[@]}"
gives 'the tunnel' 0 '^  CE +2001:db8:12:3400:0:c000:212:34 \(interface id: rfc7597\)$' "${v1[@]}" "${pd[@]}"
gives 'draft-03' 0 '^  CE +2001:db8:12:3400:c0:2:1200:3400 \(interface id: draft-03\)$' "${v1[@]}" "${pd[@]}" \
	--offset 6 --draft-03
gives 'draft-03 has another offset' 0 '^  own rule .* offset 4 psid-len 8$' "${v1[@]}" "${pd[@]}" --draft-03
gives 'the MTU' 0 '^  MTU +1400: IPv4 packets of 1360 bytes, TCP segments \(MSS\) of 1320$' "${v1[@]}" --mtu 1400
gives 'the relay' 0 '^  border relay +2001:db9:ffff::1$' "${v1[@]}" "${br[@]}"
gives 'all ranges' 0 '^    63696-63699$' "${v1[@]}" "${pd[@]}" --ports
gives 'an address alone' 0 '^  ports +1008, in 63 ranges of 16: 1728-1743, 2752-2767 \.\.\. 65216-65231$' \
	--address 192.0.2.134 --psid 44 --offset 6 --psid-len 6
gives 'one range' 0 '^  ports +8192: 16384-24575$' --address 192.0.2.134 --psid 2 --offset 0 --psid-len 3
gives 'an address of its own' 0 '^  ports +65536: 0-65535$' --address 192.0.2.134
gives 'single ports' 0 '^  ports +3, in 3 ranges of 1: 16384, 32768, 49152$' --address 192.0.2.134 --psid 0 --offset 2 \
	--psid-len 14
gives 'an IPv4 prefix' 0 '^  IPv4 +20\.160\.0\.0/12, not shared$' --rule6 2001:db8::/32 --rule4 20.0.0.0/8 --ea 4 \
	--pd 2001:db8:a000::/36
gives 'the basic rule of two' 0 '^  own rule +2001:db8:100::/40 .* fmr$' -r '2001:db8::/40 192.0.2.0/24 ea 16' \
	-r '2001:db8:100::/40 192.0.3.0/24 ea 16 fmr' -p 2001:db8:112:3400::/56
json 'every range' '[.own.ports.all_listed, (.own.ports.list | length)]' '[true,63]' "${v1[@]}" "${pd[@]}" --ports
json 'nothing wrong' '[.consistent, .findings]' '[true,[]]' "${v1[@]}" "${pd[@]}" "${br[@]}"
json 'what is wrong' '[.consistent, .own, .findings[0].parameter, .findings[0].likely]' '[false,null,"psid-len","4"]' \
	--rule6 2001:db8::/40 --rule4 192.0.0.0/20 --ea 16 --psid-len 8

gives 'a PSID too long' 1 \
	'^portico: psid-len: EA length 16 with a /20 IPv4 prefix leaves 4 bits .* cannot be right; likely 4$' \
	--rule6 2001:db8::/40 --rule4 192.0.0.0/20 --ea 16 --psid-len 8
gives 'EA bits too few' 1 '^portico: ea: .* it must be 16 \+ 8; likely 24$' --rule6 2001:db8::/48 --rule4 20.0.0.0/16 \
	--ea 16 --psid-len 8
for wrong in 'rule6 2001:db8::/129' 'rule4 192.0.2.0/33' 'ea 49' 'offset 17' 'psid-len 17'; do
	# shellcheck disable=SC2086
	gives 'out of range' 1 "^portico: ${wrong% *}: .* cannot be right" "${v1[@]}" --$wrong
done
gives 'a short prefix' 1 '^portico: pd: .* must have at least 56 bits; likely /56$' "${v1[@]}" --pd 2001:db8:12::/48
gives 'another prefix' 1 '^portico: pd: .* is not in rule6 2001:db8::/40' "${v1[@]}" --pd 2001:db9:12:3400::/56
gives 'a PSID in hexadecimal' 1 '^portico: psid: .* begin with 0x; likely 52$' "${v1[@]}" "${pd[@]}" --psid 34
gives 'a PSID as on the wire' 1 '^portico: psid: .* left-aligned, .*; likely 52$' "${v1[@]}" --psid 0x3400
gives 'a PSID too large' 1 '^portico: psid: psid 64 \(0x40\) cannot be right: with psid-len 6 it is 0 to 63' \
	--address 192.0.2.134 --psid 64 --psid-len 6
gives 'a relay at home' 1 '^portico: br: .* that is this customer.s own$' "${v1[@]}" "${pd[@]}" --br 2001:db8:12:3400::1
gives 'a relay among customers' 0 '^portico: warning: br: ' "${v1[@]}" --br 2001:db8:13::1
gives 'another address' 1 '^portico: address: .* likely 192\.0\.2\.18$' "${v1[@]}" "${pd[@]}" --address 192.0.2.19
gives 'an address of another rule' 1 '^portico: address: ' "${v1[@]}" --address 192.0.3.19 --psid 1
gives 'a small MTU' 1 '^portico: mtu: .*; likely 1280$' "${v1[@]}" --mtu 1279
gives 'no relay from DHCPv6' 1 '^portico: br: there is no border relay' --s46 0059000d001018c00002002820010db800
gives 'truncated' 1 '^portico: --s46: byte 0: S46_CONT_MAPE \(94\) says it has 52 bytes, and 4 are left$' \
	--s46 '005e 0034 0059 001c'
gives 'MAP-T' 1 '^portico: --s46: only S46_CONT_MAPT \(95\): MAP-T is not supported' --s46 005f0000
gives 'odhcp6c of MAP-T' 1 '^portico: --odhcp6c: only rules of type map-t' --odhcp6c 'type=map-t,ealen=16'

tmp=$(mktemp -d /tmp/portico-map-e.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
printf '%s\n' '[lan]' 'interface = eth0' '[wan]' 'interface = eth1' >"$tmp/sides"
(cat "$tmp/sides" && printf '%s\n' '[map-e]' 'border-relay = 2001:db9:ffff::1' 'mtu = 1454' \
	'rule = 2001:db8::/40 192.0.2.0/24 ea 16') >"$tmp/rule"
(cat "$tmp/rule" && echo 'prefix = 2001:db8:12:3400::/56') >"$tmp/edge"
(cat "$tmp/rule" && echo "dhcpv6 = $tmp/env") >"$tmp/follow"
(cat "$tmp/rule" && echo 'offset = 6') >"$tmp/bad"
(cat "$tmp/sides" && printf '%s\n' '[border-relay]' 'address = 2001:db9:ffff::1' \
	'rule = 2001:db8::/40 192.0.2.0/24 ea 16' '[border-relay east]' 'address = 2001:db9:ffff::2' \
	'rule = 2001:db8:100::/40 192.0.3.0/24 ea 16' 'format = draft03') >"$tmp/relays"
json 'a configuration' "$has" "${known/1460,1420/1414,1374}" "$tmp/edge"
gives 'a configuration' 0 '^  MTU +1454: ' "$tmp/edge"
gives 'a configuration, every range' 0 '^    63696-63699$' "$tmp/edge" --ports
gives 'a configuration that waits' 0 "^portico: $tmp/env: not there yet$" "$tmp/follow"
json 'a configuration that waits' '.own' null "$tmp/follow" 2>/dev/null
echo 'PREFIXES=2001:db8:12:3400::/56,7200,14400' >"$tmp/env"
json 'a configuration and DHCPv6' "$has" "${known/1460,1420/1414,1374}" "$tmp/follow"
echo 'PREFIXES=2001:db8:12::/48' >"$tmp/env"
gives 'DHCPv6 that cannot be right' 1 "^portico: $tmp/env: prefix: .* likely /56$" "$tmp/follow"
gives 'a border relay' 0 '^\[border-relay east\]$' "$tmp/relays"
json 'a border relay' '[.[].domain | .interface_id, .rules[0].rule4, .border_relays[0]]' \
	'["rfc7597","192.0.2.0/24","2001:db9:ffff::1","draft-03","192.0.3.0/24","2001:db9:ffff::2"]' "$tmp/relays"
gives 'a configuration with a fault' 1 "^portico: $tmp/bad:9: unknown key 'offset' in \[map-e\]" "$tmp/bad"
gives 'a configuration without MAP-E' 1 'has no \[map-e\] and no \[border-relay\]: there is nothing to explain$' \
	"$tmp/sides"
gives 'a configuration and a rule' 2 '^portico: map-e: give one of --rule6' "$tmp/edge" "${v1[@]}"

gives 'nothing' 2 '^portico: map-e: give one of --rule6'
gives 'two ways' 2 '^portico: map-e: give one of --rule6' "${v1[@]}" --s46 00
gives 'a part beside a whole' 2 '^portico: map-e: give one of --rule6' --psid 1 --s46 00
gives 'a missing part' 2 '^portico: map-e: a rule needs .* --rule4 is missing$' --rule6 2001:db8::/40
gives 'a missing PSID' 2 'is shared: give --psid as well$' "${v1[@]}" --address 192.0.2.18
gives 'a bad number' 2 "^portico: map-e: bad ea 'x': give" --rule6 2001:db8::/40 --rule4 192.0.2.0/24 --ea x
gives 'a bad prefix' 2 "^portico: map-e: bad rule6 '2001:db8::': give" --rule6 2001:db8:: --rule4 192.0.2.0/24 --ea 1
gives 'a bad delegated prefix' 2 "^portico: map-e: bad --pd 'x': give" "${v1[@]}" --pd x
gives 'a bad relay' 2 "^portico: map-e: bad --br '192.0.2.1': give" "${v1[@]}" --br 192.0.2.1
gives 'a bad address' 2 "^portico: map-e: bad --address 'x': give" --address x
gives 'a bad rule' 2 "^portico: map-e: bad rule 'x'|^portico: map-e: unknown word 'x'" --rule x

echo "cli-map-e: $checks checks, $failures failed"
[ $failures -eq 0 ]
