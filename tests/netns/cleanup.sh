#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cleanup.sh - a test that is interrupted leaves nothing behind: no namespace, no pin, no process, no file
. "$(dirname "$0")/lib.sh"

need root netns setsid

# what the test with process id $1 has made
remains() {
	ip netns list | grep "^portico-$1-"
	ls -d "/sys/fs/bpf/portico/"*"netns-$1"* "/run/portico/netns-$1".* "/tmp/portico-netns-$1".* 2>/dev/null
	pgrep -fa "portico-$1-|portico-netns-$1"
}

# interrupt SIGNAL SECONDS: sends the signal to a test and its children, as a terminal does, when it has run so long
interrupt() {
	local pid
	env --default-signal=INT setsid "$(dirname "$0")/two-interfaces.sh" "$build" >"$tmp/victim" 2>&1 &
	pid=$!
	sleep "$2"
	succeeds "SIG$1 at $2 s: the test is at work" test -n "$(remains $pid)"
	kill "-$1" -- "-$pid"
	wait $pid 2>/dev/null
	is "SIG$1 at $2 s: its status" $? 130
	is "SIG$1 at $2 s: nothing is left" "$(remains $pid)" ""
}

for seconds in 0.1 0.4 0.7 1.5; do
	interrupt INT $seconds
done
interrupt TERM 1
finish
