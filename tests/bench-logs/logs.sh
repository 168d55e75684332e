#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# logs.sh - what portico-bench says of logs: the published series, reports from the field, and files that are broken
#
# The logs are beside this script: published ones, and some that are made up, which say so in their first line. Each
# check has a name, and those from the field are named after the report.
set -u

bench=$(realpath "${1:?usage: logs.sh PORTICO-BENCH [PART]}")
part=${2:-all}
logs=$(realpath "$(dirname "$0")")
tmp=$(mktemp -d /tmp/portico-bench-logs.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
cd "$logs" || exit 1
failures=0
checks=0

failed() {
	failures=$((failures + 1))
	printf 'FAILED %s\n  wanted: %s\n  seen:   %s\n' "$1" "$2" "$3"
}

# is WHAT SEEN WANTED
is() {
	checks=$((checks + 1))
	[ "$2" = "$3" ] || failed "$1" "$3" "$2"
}

# json WHAT FILTER WANTED COMMAND...: of the program's JSON
json() {
	local what=$1 filter=$2 wanted=$3
	shift 3
	is "$what" "$("$bench" "$@" --json 2>&1 | jq -c "$filter" 2>&1)" "$wanted"
}

# says WHAT PATTERN COMMAND...: exit status 0, and the output in one line has the pattern of grep -E
says() {
	local what=$1 pattern=$2 seen rc
	shift 2
	seen=$("$bench" "$@" 2>&1)
	rc=$?
	checks=$((checks + 1))
	[ $rc -eq 0 ] && tr -s ' \n' ' ' <<<"$seen" | grep -qE -- "$pattern" && return
	failed "$what" "$pattern" "$rc, $seen"
}

# refuses WHAT PATTERN COMMAND...: exit status 1, a message of one line on stderr, and nothing on stdout
refuses() {
	local what=$1 pattern=$2 rc
	shift 2
	"$bench" "$@" >"$tmp/stdout" 2>"$tmp/stderr"
	rc=$?
	checks=$((checks + 1))
	[ $rc -eq 1 ] && [ ! -s "$tmp/stdout" ] && [ "$(wc -l <"$tmp/stderr")" -eq 1 ] &&
		grep -qE -- "$pattern" "$tmp/stderr" && return
	failed "$what" "1, $pattern" "$rc, $(cat "$tmp/stdout" "$tmp/stderr")"
}

# broken WHAT PATTERN TEXT: a file with this content is refused by both commands, and named
broken() {
	printf '%b' "$3" >"$tmp/log"
	refuses "$1, series" "^portico-bench: $tmp/log$2" series "$tmp/log"
	refuses "$1, verdict" "^portico-bench: $tmp/log$2" verdict --a "$tmp/log" --b capped-new.txt
}

part_published() {
	local f='.findings[]'

	# a driver's own iperf3 run
	json 'ag71xx: two states' '.[0].found | [.kind, (.states[] | .level / 1e6 | round)]' '["states",148,258]' \
		series ag71xx-iperf3.json
	json 'ag71xx: the change' '.[0].found.visits | [length, (.[1].from_s * 10 | round)]' '[2,64]' series ag71xx-iperf3.json
	json 'ag71xx: the partial second' '.[0] | [.partial_s, .partial_value, .intervals]' '[0.06,250000000,10]' \
		series ag71xx-iperf3.json
	says 'ag71xx: in words' '10 intervals of 1 s; the last, partial one \(0\.06 s, 250 Mbit/s\) set aside not one steady '`
		`'state: 2 states 148\.3 Mbit/s 64 % of the time 0\.0 \.\.\. 6\.4 s 258\.3 Mbit/s 36 % .* change at 6\.4 s' \
		series ag71xx-iperf3.json

	# kernels on a small board, two runs at best
	json 'rpi4: PARAVIRT, both directions' "[$f | select(.a.name == \"arm64\") | [.cell, .verdict, .a.runs, .b.runs,
		.pairs_needed, (.effect_percent * 10 | round), .interval]]" \
		'[["download","INCONCLUSIVE",2,2,228,-146,null],["upload","INCONCLUSIVE",2,2,22,-13,null]]' \
		verdict rpi4-kernels.json
	json 'rpi4: PARAVIRT on rt' "[$f | select(.b.name == \"rt PARAVIRT=n\") | [.cell, .verdict]]" \
		'[["download","INCONCLUSIVE"],["upload","INCONCLUSIVE"]]' verdict rpi4-kernels.json
	json 'rpi4: nothing is told' "[$f.verdict] | unique" '["INCONCLUSIVE"]' verdict rpi4-kernels.json
	json 'rpi4: blocks' '[.warnings[].code]' '["blocks"]' verdict rpi4-kernels.json
	says 'rpi4: in words' "2 and 2 unpaired runs give no 95 % interval; about 228 pairs would tell 1 %.*"`
		`"warning: the variants ran in blocks" verdict rpi4-kernels.json
	json 'rpi4: chosen' "[$f | [.a.name, .b.name, .cell]]" '[["rt","arm64","download"],["rt","arm64","upload"]]' \
		verdict rpi4-kernels.json --a-variant rt --b-variant arm64

	# a flag of the compiler, one value in each cell
	json 'bcm53xx: censored' "[$f | [.cell, .verdict, .a.censored, .b.censored]]" \
		'[["gro off, lan-to-wan","LINK-LIMITED",0,1],["gro off, wan-to-lan","LINK-LIMITED",1,1],'`
		`'["gro on, lan-to-wan","INCONCLUSIVE",0,0],["gro on, wan-to-lan","INCONCLUSIVE",0,0]]' \
		verdict bcm53xx-reorder-blocks.json
	json 'bcm53xx: the ceiling' '[.ceiling.what, .ceiling.assumed, (.ceiling.bits_per_second / 1e5 | round)]' \
		'["the goodput of 1 GbE",true,9415]' verdict bcm53xx-reorder-blocks.json
	json 'bcm53xx: --link' '[.ceiling.assumed, ([.findings[] | .a.censored + .b.censored] | add)]' '[false,3]' \
		verdict bcm53xx-reorder-blocks.json --link 1G
	json 'bcm53xx: --no-link' '[.ceiling, ([.findings[] | .a.censored + .b.censored] | add)]' '[null,0]' \
		verdict bcm53xx-reorder-blocks.json --no-link
	json 'bcm53xx: image size' '.image_size | [.a_bytes, .b_bytes, (.percent * 100 | round)]' '[1840424,1871328,168]' \
		verdict bcm53xx-reorder-blocks.json
	says 'bcm53xx: in words' "at least 14\.1 % faster than 'before'.* 4\.3 % faster than 'before', but one value a side "`
		`"\(n = 1\).* not link-limited: gro on, lan-to-wan; gro on, wan-to-lan image size: before -> after: 1840424 -> "`
		`"1871328 bytes \(\+1\.68 %\) warning: 3 of 8 values are at the ceiling, 98 % of the goodput of 1 GbE "`
		`"\(941\.5 Mbit/s\)" verdict bcm53xx-reorder-blocks.json
	json 'bcm53xx: GRO beside the flag' '[.interactions[] | [.one, .other, .cell, .censored]]' \
		'[["after","gro on","lan-to-wan",true],["after","gro on","wan-to-lan",true]]' verdict bcm53xx-reorder-blocks.json

	# six commits of one merge, one run each
	json 'northstar: images' "[$f | [.a.name, .b.name, .verdict, (.effect_percent * 10 | round)]] | .[-1]" \
		'["before the merge","sq thread stop","INCONCLUSIVE",-37]' verdict northstar-merge.json
	json 'northstar: layouts' "$f | select(.a.name == \"before the merge\" and .b.name == \"sq thread stop\") | .layout" \
		'"difference of images, not of sources: with layout s.d. 2.5 %, telling 3.7 % needs >= 6 layouts a side"' \
		verdict northstar-merge.json
	json 'northstar: each commit with the one before' "[$f | .b.name]" \
		'["punt short reads","sqe links","sq thread stop","sq thread stop"]' verdict northstar-merge.json
}

part_field() {
	says 'openwrt-devel 2022-04: unused flash ids' "'with' is 3\.5 % slower than 'without' \(95 % CI .*, 8 pairs\) "`
		`"difference of images, not of sources: with layout s\.d\. 2\.5 %, telling 3\.5 % needs >= [0-9]+ layouts a side" \
		verdict unused-ids.csv
	json 'openwrt-devel 2022-07: a merge is bad, both parents good' \
		'[(.findings[] | [.b.name, .verdict]), (.interactions[] | [.one, .other, .told, (.interaction_percent | round)])]' \
		'[["base left","SAME"],["base right","SAME"],["base left right","SLOWER"],["base left right","SLOWER"],'`
		`'["left","right",true,-4]]' verdict merge.csv
	json 'openwrt-devel 2022-07: modes are not trimmed' \
		'.[0] | [.intervals, .found.kind, (.found.states[] | .level / 1e5 | round), .found.states[0].share]' \
		'[8,"states",8045,7745,0.5]' series eight-intervals.txt
	json 'openwrt PR#13323: a verdict for each direction' '[.findings[] | [.cell, .verdict]]' \
		'[["download","SAME"],["upload","FASTER"]]' verdict directions.csv
	says 'openwrt PR#4225: single numbers' "'third' looks 51\.5 % slower than 'first': large, but one value a side \(n = 1\)" \
		verdict single-numbers.json
	json 'openwrt PR#4225: no interval' '[.findings[] | [.verdict, .a.runs, .b.runs, .interval]]' \
		'[["INCONCLUSIVE",1,1,null],["INCONCLUSIVE",1,1,null]]' verdict single-numbers.json
	json 'openwrt#12920: near the cap' '[.findings[0].verdict, .findings[0].effect_percent, .warnings[-1].code]' \
		'["LINK-LIMITED",null,"ceiling"]' verdict --a capped-old.txt --b capped-new.txt --unit Mbit/s --cap 300M
	json 'openwrt#13151: two options together' '[.interactions[] | [.told, (.beside_percent | round)]]' '[[true,13]]' \
		verdict two-options.csv
	json 'mt76#698: states and their share' \
		'.[0].found | [(.states[] | [(.level / 1e6 | round), (.share * 100 | round), .visits])]' \
		'[[47,61,2],[0,39,2]]' series mt76-698.txt --unit Mbit/s
	json 'states inside compared runs' '[.warnings[].code]' '["no-sum","states","partial"]' \
		verdict --a ag71xx-iperf3.json --b ag71xx-iperf3.json
	seq 900 -0.5 800 >"$tmp/falling"
	json 'a drift is no two modes' '.[0].found | [.kind, .spikes]' '["drift",0]' series "$tmp/falling"
	# two kernels over a link with two states: the same levels, held for other times
	json 'mt76#698: level and occupancy' '.findings[0].states | [.a[1].share, .b[1].share,
		(.difference / 1e6 * 10 | round), (.in_levels / 1e6 * 10 | round), (.in_shares / 1e6 * 10 | round)]' \
		'[0.5,0.75,73,-4,76]' verdict --a eight-intervals.csv --b eight-intervals-2.csv
}

part_iperf() {
	json 'parallel streams are added up, -O is left out' \
		'.[0] | [.cell, .intervals, .omitted, (.found.mean / 1e6 | round)]' '["upload",3,1,80]' series iperf3-tcp-P2-O1.json
	json 'the same as text' '.[0] | [.cell, .intervals, .omitted, (.found.mean / 1e6 | round)]' '["upload",3,1,80]' \
		series iperf3-tcp-P2-O1.txt
	json 'the server sends' '[.[0].cell, .[1].cell]' '["download","download"]' series iperf3-tcp-R.json iperf3-tcp-R.txt
	json 'both directions' '[.[] | [.cell, (.found.mean / 1e6 | round)]]' \
		'[["upload",40],["download",40],["upload",81],["download",81]]' series iperf3-bidir.json iperf3-bidir-P2.txt
	json 'UDP' '[.[] | [.cell, .intervals, (.found.mean / 1e6 | round)]]' '[["upload",2,10],["download",2,20]]' \
		series iperf3-udp.json iperf3-udp-RP2.txt
	json 'the receiver counts' '[.findings[0].a.median, .findings[0].a.runs]' '[40360186.8537537,1]' \
		verdict --a iperf3-bidir.json --b iperf3-bidir-P2.txt
	says 'iperf 2' 'upload: 2 intervals of 1 s' series iperf2.txt

	# UDP of old has one sum: what was sent, and what of it was lost
	jq 'del(.end.sum_sent, .end.sum_received) | .end.sum.lost_packets = 7' iperf3-udp.json >"$tmp/old.json"
	json 'UDP of old' '[.findings[0].a.median / 1e4 | round]' '[917]' verdict --a "$tmp/old.json" --b iperf3-udp.json
	jq '.end.sum_received.bytes += 1' iperf3-tcp-R.json >"$tmp/more.json"
	refuses 'more received than sent' 'end\.sum_received\.bytes is .* only .* were sent: a measurement error' \
		verdict --a "$tmp/more.json" --b iperf3-tcp-R.json
	jq '.end.sum_received.lost_packets = -3' iperf3-udp.json >"$tmp/loss.json"
	refuses 'a negative loss' 'end\.sum_received\.lost_packets: -3 is below zero' verdict --a "$tmp/loss.json" --b iperf3-udp.json
	jq '.intervals[0].streams[0].seconds = 0' iperf3-tcp-R.json >"$tmp/zero.json"
	refuses 'an interval of no length' "^portico-bench: $tmp/zero.json: intervals\[0\]\.streams\[0\]\.seconds is 0" \
		series "$tmp/zero.json"
	jq '.end.sum_received.bits_per_second = "fast"' iperf3-tcp-R.json >"$tmp/word.json"
	refuses 'no number' 'end\.sum_received\.bits_per_second is no number' series "$tmp/word.json"
	cat iperf3-tcp-R.json iperf3-tcp-R.json >"$tmp/two.json"
	json 'two documents in a file' '.findings[0].a.runs' 2 verdict --a "$tmp/two.json" --b iperf3-tcp-R.json

	# the time each run began: A A B B, and A B B A
	local i
	for i in 1 2 3 4; do
		jq ".start.timestamp.timesecs = $i" iperf3-tcp-R.json >"$tmp/$i.json"
	done
	json 'in blocks' '[.warnings[].code]' '["blocks"]' verdict --a "$tmp/1.json" "$tmp/2.json" --b "$tmp/3.json" "$tmp/4.json"
	json 'interleaved' '[.warnings[].code]' '[]' verdict --a "$tmp/1.json" "$tmp/4.json" --b "$tmp/2.json" "$tmp/3.json"
}

part_lines() {
	local f='[.findings[] | [.a.name, .b.name, .a.runs, .paired, .unit]]'

	json 'files as variants' "$f" '[["capped-old.txt","capped-new.txt",3,false,""]]' verdict capped-old.txt capped-new.txt
	json 'files of the sides' '[.a_files, .b_files]' '[["capped-old.txt","capped-new.txt"],["capped-new.txt"]]' \
		verdict --a capped-old.txt capped-new.txt --b capped-new.txt
	json 'A against itself' '[.findings[].verdict] | unique' '["SAME"]' verdict --a directions.csv --a-variant old \
		--b directions.csv --b-variant old
	json 'pairs by a column' "$f" '[["without","with",8,true,"bit/s"]]' verdict unused-ids.csv
	json 'pairs by --paired' "$f" '[["A","B",3,true,"packets/s"]]' verdict -a capped-old.txt -b capped-new.txt -p -u kpps
	json 'of times, less is better' '[.findings[].verdict]' '["FASTER"]' verdict --unit ns --paired --no-link \
		--a ns-old.txt --b ns-new.txt
	says 'of times, in words' "'B' is 10\.[0-9] % shorter than 'A' \(95 % CI" verdict --unit ns --paired --a ns-old.txt --b ns-new.txt
	says 'the same image' "'new' is 15\.3 % faster than 'old' \(95 % CI [^)]*8 pairs\) ?$" verdict --same-image directions.csv
	json 'layouts' '[.findings[] | [.verdict, .a.layouts, .b.layouts, .layout]]' '[["INCONCLUSIVE",4,4,null]]' \
		verdict layouts.csv
	json 'a table of intervals' '[.[] | [.variant, .intervals, .partial_s]]' '[["",8,0]]' series eight-intervals.csv
	json 'standard input' '.[0].intervals' 8 series - <eight-intervals.txt
	refuses 'runs are no series' "holds whole runs, and no intervals" series rpi4-kernels.json
	refuses 'an unknown variant' "no variant 'arm32': there are 'arm64', 'arm64 PARAVIRT=n'" verdict rpi4-kernels.json \
		--b-variant arm32
	refuses 'an unknown variant of a side' "rpi4-kernels.json: no variant 'x': there are 'arm64'" verdict --a-variant x \
		--a rpi4-kernels.json --b rpi4-kernels.json
	refuses 'several variants for a side' 'rpi4-kernels.json: holds several variants: say which one' verdict \
		--a rpi4-kernels.json --b rpi4-kernels.json
	refuses 'one variant alone' 'nothing to compare with' verdict ag71xx-iperf3.json
	refuses 'units of two files' 'capped-new.txt: mixed units: a number without a unit, but bits per second before' \
		verdict --a eight-intervals.txt --b capped-new.txt
	refuses 'more than the link' '298 Mbit/s is more than the link carries \(100 Mbit/s\)' verdict --a capped-old.txt \
		--b capped-old.txt --unit Mbit/s --link 100M
	refuses 'no pairs' '3 runs of .A. and 8 of .B. in all runs are no pairs' verdict --paired --unit Mbit/s \
		--a capped-old.txt --b eight-intervals.txt
	refuses 'nothing arrived' "a run of 'A' in all runs is 0" verdict --a mt76-698.txt --b capped-old.txt
	refuses 'no such file' '^portico-bench: nowhere.json: No such file' series nowhere.json
	refuses 'a directory' '^portico-bench: \.: reading: Is a directory' series .
	"$bench" verdict --a capped-old.txt >"$tmp/stdout" 2>&1
	is 'one side is missing' "$?: $(cat "$tmp/stdout")" '2: portico-bench: verdict: --b is missing: there is nothing to compare with'
	"$bench" verdict --delta zero x >"$tmp/stdout" 2>&1
	is 'a bad option' $? 2
	"$bench" nothing >"$tmp/stdout" 2>&1
	is 'an unknown command' $? 2
	"$bench" verdict rpi4-kernels.json >/dev/full 2>/dev/null
	is 'a full disk' $? 1
}

part_broken() {
	broken 'empty' ': is empty$' ''
	broken 'blank' ': is empty$' ' \n\n'
	broken 'binary' ': holds a zero byte' 'ab\0c'
	broken 'a word' ":3: 'abc' is no number$" '1\n2\nabc\n'
	broken 'NaN' ":2: 'nan' is no number$" '1\nnan\n'
	broken 'inf' ":1: 'inf' is no number$" 'inf\n'
	broken 'hexadecimal' ":1: '0x10' is no number$" '0x10\n'
	broken 'too large' ':1: inf is no number that can be measured$' '1e999\n'
	broken 'below zero' ':1: -5 is below zero$' '-5\n'
	broken 'an unknown unit' ":1: behind the number stands 'furlongs', which is no unit" '5 furlongs\n'
	broken 'mixed units' ':2: mixed units: packets per second, but bits per second before' '143 Mbit/s\n12 kpps\n'
	broken 'a unit is missing' ':2: mixed units: a number without a unit, but bits per second before' '143 Mbit/s\n12\n'
	broken 'a decimal comma' ':1: the first line must name the columns' '577,23\n592,79\n'
	broken 'a field that is no number' ":3: column 'rate': 'x' is no number$" 'variant,rate (Mbit/s)\na,5\nb,x\n'
	broken 'a column in no unit' ":1: column 'rate \(furlong\)': unknown unit" 'variant,rate (furlong)\na,5\n'
	broken 'a field too many' ':2: 3 fields, but the first line names 2$' 'variant,rate\na,5,6\n'
	broken 'a column twice' ":1: column 'rate' is there twice$" 'rate,rate\n1,2\n'
	broken 'a table without numbers' ':1: no column of numbers$' 'variant,direction\na,up\n'
	broken 'a pair that is none' ":2: '0' is no number of a pair" 'pair,rate\n0,5\n'
	broken 'time that stands' ':3: the time does not go on: an interval of no length' 'time,rate\n1,5\n1,6\n'
	broken 'cut off JSON' ':2: broken or cut off JSON: ' '{"intervals": [\n{"sum": '
	broken 'NaN in JSON' ':1: broken or cut off JSON: invalid token' '{"interval_s": 1, "values": [1, NaN]}'
	broken 'infinite in JSON' ':1: broken or cut off JSON: real number overflow' '{"interval_s": 1, "values": [1e999]}'
	broken 'no object' ': no JSON object' '[\n1]'
	broken 'another JSON' ": neither iperf3's output nor a series file" '{"a": 1}'
	broken 'a name twice' ':1: broken or cut off JSON: duplicate object key' '{"values": [1], "values": [2]}'
	broken 'two shapes' ": has both 'values' and 'runs'$" '{"values": [1], "runs": [1]}'
	broken 'no values' ': values is empty$' '{"interval_s": 1, "values": []}'
	broken 'a value of text' ': values\[1\] is no number$' '{"interval_s": 1, "values": [1, "x"]}'
	broken 'a value below zero' ': values\[0\]: -1 is below zero$' '{"interval_s": 1, "values": [-1]}'
	broken 'intervals of no length' ': interval_s is 0: an interval of no length$' '{"interval_s": 0, "values": [1, 2]}'
	broken 'intervals of unknown length' ': interval_s is missing$' '{"values": [1, 2]}'
	broken 'an unknown unit in JSON' ": unit is 'furlong'; known are" '{"unit": "furlong", "interval_s": 1, "values": [1]}'
	broken 'a variant without a name' ': variants\[0\]\.name is missing$' '{"variants": [{"x": [1]}]}'
	broken 'a variant without numbers' ': variants\[0\] has no numbers$' '{"variants": [{"name": "a"}]}'
	broken 'a run without a value' ': runs\[0\]\.value is missing$' '{"runs": [{"commit": "a"}]}'
	broken 'iperf3 that failed' ': iperf3 says: unable to connect$' '{"start": {}, "end": {}, "error": "unable to connect"}'
	broken 'iperf3 that failed, text' ':1: iperf3 says: error - no route' 'iperf3: error - no route\n'
	broken 'iperf3 without an end' ': end\.no sums and no intervals' '{"start": {}, "end": {}}'
	broken 'a line cut off' ':2: cut off: no rate on this line$' \
		'[  5] 0.00-1.00 sec 1 MBytes 8 Mbits/sec\n[  5] 1.00-2.00 sec 1 MB'
	broken 'a line of no length' ':2: an interval of no length$' \
		'[  5] 0.00-1.00 sec 1 MBytes 8 Mbits/sec\n[  5] 1.00-1.00 sec 0 Bytes 0 bits/sec\n[  5] 1.00-2.00 sec 1 MBytes 8 Mbits/sec\n'
	broken 'a line that goes backwards' ':1: the interval ends before it begins$' '[  5] 3.00-1.00 sec 1 MBytes 8 Mbits/sec\n'
	broken 'NaN in a line' ":1: 'nan-1.00' is no number$" '[  5] nan-1.00 sec 1 MBytes 8 Mbits/sec\n'
}

for name in published field iperf lines broken; do
	[ "$part" = all ] || [ "$part" = "$name" ] || continue
	"part_$name"
done
[ $failures -eq 0 ] && echo "logs: $checks checks hold"
[ $failures -eq 0 ]
