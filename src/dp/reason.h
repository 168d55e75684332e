/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.h - every way a packet can leave the packet path: one list makes verdicts, counters, names and help
 *
 * FORWARD  translated and sent      KERNEL  left to Linux, untouched
 * SLOW     handed to the daemon     DROP    dropped
 */
#ifndef PORTICO_DP_REASON_H
#define PORTICO_DP_REASON_H

#define REASONS(X)                                                                                                     \
	X(NONE, DROP, "none", "not decided: never seen unless Portico has a bug")                                      \
	X(FORWARD_OUT, FORWARD, "forward_out", "LAN to WAN, translated and sent")                                      \
	X(FORWARD_IN, FORWARD, "forward_in", "WAN to LAN, translated and sent")                                        \
	X(FORWARD_ENCAP, FORWARD, "forward_encap", "border relay: from the internet to a customer")                    \
	X(FORWARD_DECAP, FORWARD, "forward_decap", "border relay: from a customer to the internet")                    \
	X(FORWARD_HAIRPIN, FORWARD, "forward_hairpin", "border relay: from a customer to another")                     \
	X(KERNEL_PORT, KERNEL, "kernel_port", "VLAN that is none of the configured ports")                             \
	X(KERNEL_MAC, KERNEL, "kernel_mac", "frame to another station, a broadcast or a multicast")                    \
	X(KERNEL_TYPE, KERNEL, "kernel_type", "neither IPv4 nor the tunnel's: ARP, IPv6, stacked VLAN tags, ...")      \
	X(KERNEL_ROUTE, KERNEL, "kernel_route", "from the LAN, but routed to this router or not to the WAN")           \
	X(KERNEL_NO_FLOW, KERNEL, "kernel_no_flow", "from the WAN and of no flow: this router's own traffic")          \
	X(KERNEL_TTL, KERNEL, "kernel_ttl", "from the LAN with TTL 1: Linux answers time exceeded")                    \
	X(KERNEL_TOO_BIG, KERNEL, "kernel_too_big", "from the LAN, DF set, over the WAN's MTU: Linux answers 3/4")     \
	X(KERNEL_UNTRANSLATED, KERNEL, "kernel_untranslated", "cannot be translated; configured to go to Linux")       \
	X(SLOW_NEIGHBOUR, SLOW, "slow_neighbour", "next hop not resolved: the daemon resolves it and sends on")        \
	X(SLOW_FRAGMENT, SLOW, "slow_fragment", "fragment that came before its first: the daemon keeps it a while")    \
	X(SLOW_REASSEMBLE, SLOW, "slow_reassemble", "IPv6 fragment of the tunnel: the daemon puts it together")        \
	X(SLOW_ICMP6, SLOW, "slow_icmp6", "ICMPv6 error about the tunnel: the daemon tells the sender")                \
	X(SLOW_TOO_BIG, SLOW, "slow_too_big", "over the next hop's MTU: the daemon cuts it up, or answers 3/4")        \
	X(SLOW_TTL, SLOW, "slow_ttl", "TTL 1: the daemon answers time exceeded")                                       \
	X(SLOW_NO_PORT, SLOW, "slow_no_port", "no free port at once: the daemon looks at them all")                    \
	X(DROP_ETH_SHORT, DROP, "drop_eth_short", "frame shorter than its Ethernet header")                            \
	X(DROP_IP_SHORT, DROP, "drop_ip_short", "frame shorter than the IPv4 header")                                  \
	X(DROP_IP_VERSION, DROP, "drop_ip_version",                                                                    \
	  "Ethernet type or outer header says IPv4, the header says otherwise")                                        \
	X(DROP_IP_IHL, DROP, "drop_ip_ihl", "IPv4 header length below 20 bytes or beyond the packet")                  \
	X(DROP_IP_LENGTH, DROP, "drop_ip_length", "IPv4 total length below its header or beyond the frame")            \
	X(DROP_IP_CSUM, DROP, "drop_ip_csum", "wrong IPv4 header checksum")                                            \
	X(DROP_IP_SOURCE, DROP, "drop_ip_source", "source address that no host can have (RFC 1122, 3.2.1.3)")          \
	X(DROP_L4_SHORT, DROP, "drop_l4_short", "TCP, UDP, ICMP or other header does not fit the IPv4 packet")         \
	X(DROP_TCP_OFFSET, DROP, "drop_tcp_offset", "TCP data offset below 20 bytes or beyond the packet")             \
	X(DROP_UDP_LENGTH, DROP, "drop_udp_length", "UDP length below 8 or beyond the IPv4 packet")                    \
	X(DROP_FRAGMENT, DROP, "drop_fragment",                                                                        \
	  "fragment whose first never came, of another router's datagram, or of SCTP")                                 \
	X(DROP_PROTOCOL, DROP, "drop_protocol", "protocol that cannot be translated, from the LAN to the WAN")         \
	X(DROP_ICMP_TYPE, DROP, "drop_icmp_type", "ICMP that is neither echo nor the error of a flow")                 \
	X(DROP_ICMP_CSUM, DROP, "drop_icmp_csum", "ICMP error with a wrong checksum")                                  \
	X(DROP_ICMP_QUOTE, DROP, "drop_icmp_quote", "ICMP error that quotes no whole header, or a wrong one")          \
	X(DROP_NO_ADDRESS, DROP, "drop_no_address", "the WAN has no address to translate to")                          \
	X(DROP_NO_FLOW, DROP, "drop_no_flow", "from the tunnel and of no flow: nobody asked for it")                   \
	X(DROP_NO_ROUTE, DROP, "drop_no_route",                                                                        \
	  "from the WAN, and its flow's inside address is not on a LAN; no way to the tunnel's end")                   \
	X(DROP_NO_NEIGHBOUR, DROP, "drop_no_neighbour", "next hop not resolved, and no daemon to resolve it")          \
	X(DROP_NO_DAEMON, DROP, "drop_no_daemon", "only the daemon can handle it, and it is not there")                \
	X(DROP_NO_PORT, DROP, "drop_no_port", "no port is free for a new flow")                                        \
	X(DROP_SHARE, DROP, "drop_share", "the host has its share of the ports towards this destination")              \
	X(DROP_TABLE_FULL, DROP, "drop_table_full", "the flow table is full (flows = in the configuration)")           \
	X(DROP_TUNNEL_SHORT, DROP, "drop_tunnel_short", "frame shorter than its IPv6 header says, or than that")       \
	X(DROP_TUNNEL_SOURCE, DROP, "drop_tunnel_source", "IPv6 source that may not send this IPv4 source and port")   \
	X(DROP_TUNNEL_IPV6, DROP, "drop_tunnel_ipv6", "IPv6 inside the tunnel")                                        \
	X(DROP_TUNNEL_ECN, DROP, "drop_tunnel_ecn",                                                                    \
	  "congestion marked outside, not understood inside (RFC 6040, 4.2)")                                          \
	X(DROP_NO_RULE, DROP, "drop_no_rule", "border relay: no customer has this IPv4 address and port")              \
	X(DROP_FAULT, DROP, "drop_fault", "the host could not do what the core asked; see the log")

enum reason {
#define REASON_ENUM(id, verdict, name, text) REASON_##id,
	REASONS(REASON_ENUM)
#undef REASON_ENUM
	REASON_COUNT
};

enum verdict {
	VERDICT_FORWARD,
	VERDICT_KERNEL,
	VERDICT_SLOW,
	VERDICT_DROP,
};

/* The verdict that a reason carries. Compiles to a constant where the reason is one. */
static inline __attribute__((always_inline, unused)) enum verdict reason_verdict(enum reason reason)
{
	if (reason >= REASON_FORWARD_OUT && reason <= REASON_FORWARD_HAIRPIN)
		return VERDICT_FORWARD;
	if (reason >= REASON_KERNEL_PORT && reason <= REASON_KERNEL_UNTRANSLATED)
		return VERDICT_KERNEL;
	if (reason >= REASON_SLOW_NEIGHBOUR && reason <= REASON_SLOW_NO_PORT)
		return VERDICT_SLOW;
	return VERDICT_DROP;
}

/* Every entry of the list agrees with reason_verdict(): the list is kept in the order of its verdicts. */
#define REASON_IS(id, verdict)                                                                                         \
	((VERDICT_##verdict == VERDICT_FORWARD) ==                                                                     \
		 (REASON_##id >= REASON_FORWARD_OUT && REASON_##id <= REASON_FORWARD_HAIRPIN) &&                       \
	 (VERDICT_##verdict == VERDICT_KERNEL) ==                                                                      \
		 (REASON_##id >= REASON_KERNEL_PORT && REASON_##id <= REASON_KERNEL_UNTRANSLATED) &&                   \
	 (VERDICT_##verdict == VERDICT_SLOW) ==                                                                        \
		 (REASON_##id >= REASON_SLOW_NEIGHBOUR && REASON_##id <= REASON_SLOW_NO_PORT))
#define REASON_CHECK(id, verdict, name, text) _Static_assert(REASON_IS(id, verdict), "order of " name);
REASONS(REASON_CHECK)
#undef REASON_CHECK
#undef REASON_IS

#endif
