#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# malformed.sh - every broken header is dropped under its own reason and changes nothing; padding is no fault
. "$(dirname "$0")/lib.sh"

home_make
known
quiet lan lan2 wan
home_conf
up

counters() { "$portico" counters --json --all -n "$name" | jq -r 'to_entries[] | "\(.key) \(.value.packets)"'; }

# From a side, with the addresses that would make it a good packet of the flow opened below.
lan=(send lan:l0 dst=$mac_gl from=192.168.1.72:4000 to=198.51.100.9:53)
wan=(send wan:w0 dst=$mac_gw from=198.51.100.9:53 to=203.0.113.2:4000)

# dropped WHAT REASON COUNT FRAMES...: the frames are dropped under the reason, and nothing else happens
dropped() {
	local what=$1 wanted before after flows
	wanted="$2 $3"
	flows=$(flow_count)
	before=$(counters)
	after=$(frame -t 100 -n 0 "${@:4}" see wan:w0 see lan:l0)
	[ -z "$after" ] || fail "$what: nothing comes out" "$after"
	after=$(join <(sort <<<"$before") <(counters | sort) | awk '$2 != $3 {print $1, $3 - $2}')
	is "$what" "$after; $(($(flow_count) - flows)) flows" "$wanted; 0 flows"
}

# both WHAT REASON WORD...: a fresh packet from the LAN, one of the open flow, and one from the WAN
both() {
	dropped "$1" "$2" 3 "${lan[@]}" "${@:3}" from=192.168.1.72:4999 "${lan[@]}" "${@:3}" "${wan[@]}" "${@:3}"
}

frame "${lan[@]}" udp see wan:w0 >/dev/null
frame "${lan[@]}" tcp see wan:w0 >/dev/null
frame "${lan[@]}" ping see wan:w0 >/dev/null

both "Ethernet: a tag without an end" drop_eth_short vlan=5 cut=16
both "IPv4: 19 bytes of header" drop_ip_short udp cut=33
both "IPv4: no byte of header" drop_ip_short udp cut=14
both "IPv4: version 6" drop_ip_version udp version=6
both "IPv4: version 0" drop_ip_version udp version=0
both "IPv4: header length 16" drop_ip_ihl udp ihl=4
both "IPv4: header length 0" drop_ip_ihl udp ihl=0
both "IPv4: header longer than the packet" drop_ip_length udp ihl=15
both "IPv4: total length 19" drop_ip_length udp length=19
both "IPv4: total length 0, as segmentation offload leaves it" drop_ip_length udp length=0
both "IPv4: total length beyond the frame" drop_ip_length udp length=29
both "IPv4: total length 65535" drop_ip_length udp length=65535
both "IPv4: header cut in its options" drop_ip_length udp options=0101010101010101 cut=38
both "IPv4: wrong checksum" drop_ip_csum udp badip
both "IPv4: wrong checksum, with options" drop_ip_csum udp badip options=01010100
for source in 0.0.0.0 0.1.2.3 127.0.0.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255; do
	dropped "source address $source" drop_ip_source 2 "${lan[@]}" udp from=$source:4000 \
		"${wan[@]}" udp from=$source:53
done
both "UDP: 7 bytes of header" drop_l4_short udp length=27
both "TCP: 19 bytes of header" drop_l4_short tcp length=39
both "ICMP: 7 bytes of header" drop_l4_short ping length=27
both "UDP: no byte of header" drop_l4_short udp length=20
both "TCP: data offset 16" drop_tcp_offset tcp doff=4
both "TCP: data offset 0" drop_tcp_offset tcp doff=0
both "TCP: data offset beyond the packet" drop_tcp_offset tcp doff=6
both "UDP: length 7" drop_udp_length udp udplen=7
both "UDP: length 0" drop_udp_length udp udplen=0
both "UDP: length beyond the packet" drop_udp_length udp udplen=9

# not broken, but not to be translated
dropped "GRE" drop_protocol 1 "${lan[@]}" proto=47 size=40
dropped "protocol 0" drop_protocol 1 "${lan[@]}" proto=0 size=40
dropped "an ICMP timestamp request" drop_icmp_type 1 "${lan[@]}" icmp=13 size=12
dropped "an ICMP error that quotes nothing" drop_icmp_quote 1 "${lan[@]}" icmp=3 code=3 size=28
dropped "an echo reply from inside" drop_icmp_type 1 "${lan[@]}" pong

# no fault
for pad in 1 18 100; do
	line=$(frame "${lan[@]}" udp payload=odd pad=$pad see wan:w0)
	shows "$pad bytes behind the packet, out" "$line" ipsum=ok sum=ok payload=odd iplen=31 pad=$pad
	line=$(frame "${wan[@]}" tcp flags=16 payload=odd pad=$pad see lan:l0)
	shows "$pad bytes behind the packet, back" "$line" ipsum=ok sum=ok payload=odd iplen=43 pad=$pad
done
is "no packet was undecided, and nothing failed in the core" "$(counter none) $(counter drop_fault)" "0 0"
finish
