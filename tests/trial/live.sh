#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live.sh - portico-bench compare on real traffic: what is the same is never called different, what is slower is found
#
# The variants are bare redirects in the home's place for a router: `bare-redirect`, the same again, and one that does
# about a tenth more for each packet. Nothing here depends on how fast the machine is: a verdict that has to be found has
# as many pairs as it takes, within bounds.
set -u
build=${1:?usage: live.sh BUILD-DIRECTORY}
bench=$build/src/bench/main/portico-bench
tmp=$(mktemp -d /tmp/portico-live-XXXXXX)
checks=0
failures=0
cd "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

skip() {
	echo "skipped: $*"
	exit 77
}

# says WHAT OUTPUT PATTERN
says() {
	checks=$((checks + 1))
	if grep -qE -- "$3" <<<"$2"; then
		echo "ok   $1"
		return
	fi
	failures=$((failures + 1))
	printf 'FAILED %s\n       seen:   %s\n       wanted: %s\n' "$1" "$2" "$3"
}

# is WHAT SEEN WANTED
is() {
	says "$1" "$2" "^$(sed 's/[][\.*^$(){}?+|/]/\\&/g' <<<"$3")\$"
}

left_over() {
	ip netns list | grep -c '^portico-[a-z]*-'
}

verdict() {
	jq -r '.findings[0].verdict' "$1"
}

[ "$(id -u)" -eq 0 ] || skip "needs root"
ip netns add portico-live-$$ 2>/dev/null || skip "no network namespaces here"
ip netns del portico-live-$$
command -v jq >/dev/null || skip "jq is not installed"
before=$(left_over)

echo "--- A against A"
# At 95 % one in twenty is called different: a difference counts only if two more comparisons say so as well.
for seed in 1 2 3; do
	"$bench" compare home bare-redirect bare-redirect --pairs 8 --looks 1 --seed $seed --json >aa.json 2>aa.err ||
		{ cat aa.err; [ "$(grep -c 'live frames' aa.err)" = 0 ] || skip "$(cat aa.err)"; }
	is "eight pairs" "$(jq '.findings[0].a.runs' aa.json)" 8
	[[ $(verdict aa.json) != *ER ]] && break
	echo "     called $(verdict aa.json): again"
done
says "the same, or not known: $(verdict aa.json)" "$(verdict aa.json)" '^(SAME|INCONCLUSIVE)$'

echo "--- about a tenth slower"
"$bench" compare home bare-redirect slower --pairs 60 --seed 2 --json >slower.json 2>slower.err || cat slower.err
is "it is found" "$(verdict slower.json)" SLOWER
says "by about that: $(jq .findings[0].effect_percent slower.json) %" \
	"$(jq '.findings[0].effect_percent | . < -2 and . > -40' slower.json)" '^true$'
says "with an A/A floor" "$(jq '.findings[0].floor_percent' slower.json)" '^[0-9]'

echo "--- Ctrl-C keeps what is done, and resume goes on"
"$bench" compare home bare-redirect slower --pairs 9 --looks 1 --seed 3 >cut.out 2>cut.err &
pid=$!
for _ in $(seq 200); do
	[ "$("$bench" list --json 2>/dev/null | jq '.[-1] | select(.pairs >= 2 and .pairs < 9) | .pairs' 2>/dev/null)" ] && break
	sleep 0.1
done
kill -INT $pid
wait $pid
is "exit status" "$?" 130
says "how to go on" "$(cat cut.err)" "pairs are kept: 'portico-bench resume $((seed + 2))' goes on"
is "nothing is left behind" "$(left_over)" "$before"
says "the pairs so far are shown" "$(cat cut.out)" "bare-redirect -> slower"
"$bench" resume --json >resumed.json 2>resume.err || cat resume.err
is "all nine pairs" "$(jq '.findings[0].a.runs' resumed.json)" 9
says "complete is complete" "$("$bench" resume 2>&1)" "comparison $((seed + 2)) is complete"

echo "--- list, show, export"
is "all comparisons" "$("$bench" list --json | jq length)" $((seed + 2))
says "show" "$("$bench" show $((seed + 1)))" "bare-redirect -> slower.*SLOWER"
"$bench" export $((seed + 1)) >two.csv
"$bench" verdict two.csv --same-image --json >again.json
is "the table gives the same estimate" "$(jq '.findings[0].effect_percent * 1000 | round' again.json)" \
	"$(jq '.findings[0].effect_percent * 1000 | round' slower.json)"

echo "--- what goes wrong is said, and nothing of it is kept"
cat >hooks.lab <<-'END'
	[lab]
	topology = wire
	[load]
	kind = hook
	hook-limit = 1
	[variant good]
	router = hooks
	measure = echo 5 Mbit/s
	[variant fails]
	router = hooks
	measure = echo no link; exit 3
	[variant hangs]
	router = hooks
	measure = sleep 100
	[variant words]
	router = hooks
	measure = echo "about five"
	[variant nothing]
	router = hooks
	measure = echo 0 Mbit/s
END
wrong() {
	local rc
	"$bench" compare "./hooks.lab" good "$1" --store wrong.db >wrong.out 2>wrong.err
	rc=$?
	says "$1" "$(cat wrong.err)" "$2"
	is "  exit status" "$rc" 1
}
wrong fails "'fails'.*measure.*exit status 3.*no link.*nothing was kept"
wrong hangs "'hangs'.*measure.*1 s"
wrong words "'words'.*measure.*about"
wrong nothing "nothing was measured"
says "a variant that is not there" "$("$bench" compare home nftables nftable 2>&1)" "nftable.*bare-redirect"
says "a lab that is not there" "$("$bench" compare hom nftables portico 2>&1)" "hom.*portico-bench labs"
cat >wire.lab <<-'END'
	[lab]
	topology = wire
	[wire]
	near = no0
	far = no1
	near-hop = 02:00:00:00:00:01
	far-hop = 02:00:00:00:00:02
	hosts = 192.168.1.10
	remotes = 198.51.100.1
	[variant x]
	router = hooks
END
says "an interface that is not there" "$("$bench" compare ./wire.lab x x --store wrong.db 2>&1)" \
	"wire.lab:4: near: there is no interface 'no0'.*nothing was kept"
says "too little time" "$("$bench" compare home bare-redirect slower --time 1s 2>&1)" "give --time [0-9]+ or more"
is "nothing is left behind" "$(left_over)" "$before"
[ ! -e wrong.db ] || is "no comparison was kept" "$("$bench" list --store wrong.db --json | jq length)" 0
"$bench" compare ./hooks.lab good good --pairs 6 --looks 1 --store good.db >good.out 2>&1
says "hooks that measure" "$(cat good.out)" "good -> good again: 5 Mbit/s -> 5 Mbit/s  SAME"
is "a precision: as many pairs as it takes" \
	"$("$bench" compare ./hooks.lab good good --precision 2 --store good.db --json | jq '.findings[0].a.runs')" 8
is "a time: as many as fit" \
	"$("$bench" compare ./hooks.lab good good --time 5s --looks 1 --store good.db --json |
		jq '.findings[0].a.runs >= 6')" true

echo "live: $checks checks, $failures failed"
[ $failures -eq 0 ]
