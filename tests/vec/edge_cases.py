# SPDX-License-Identifier: GPL-2.0-or-later
"""edge_cases.py - the golden vectors of a MAP-E customer edge"""
from frames import ACK, FIN, SYN, dccp, error, ether, fragments, icmp, ipv4, ipv6, sctp, tcp, udp, udplite
from maker import GATEWAY6, GATEWAY_MAC, HOST, HOST2, HOST_MAC, LAN_MAC, NEIGHBOURS, ROUTER, SERVER, SERVER2, \
    WAN_MAC, Case
from nat_cases import HOP, INSIDE, mss
from oracle import Edge, Port
from softwire import Rule

BR, BR2 = "2001:db8:ffff::1", "2001:db8:ffff::2"
RULE, PREFIX = "2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8", "2001:db8:12:3400::/56"
FOUR, FOUR_PREFIX = "2001:db8::/40 192.0.2.18/32 ea 14 offset 0 psid-len 14", "2001:db8:f:a000::/54"  # ports 4000-4003
OWN = Edge.OWN


def edge(rules=(RULE,), prefix=PREFIX, relays=(BR,), layout="rfc7597", outer=None, wan=None, **more):
    ports = [Port("lan", "lan", "lan0", ROUTER + "/24"),
             Port("wan", "wan", "wan0", gateway6=GATEWAY6, **(wan or {}))]
    return Edge(ports, [Rule(rule, layout) for rule in rules], prefix, list(relays), outer, neighbours=dict(NEIGHBOURS),
                **more)


class EdgeCase(Case):
    def down(self, packet, expect="forward_in", src=BR, dst=None, **outer):
        """Out of the tunnel."""
        self.tunnel(packet, expect, "wan", src, dst or self.home.local, **outer)

    def answer(self, size=6, expect="forward_in", **outer):
        """What the far end sends back for the last packet that went out."""
        packet = self.packet()
        src, dst = self.home.outside, ".".join(map(str, packet[16:20]))
        l4 = packet[(packet[0] & 15) * 4:]
        sport, dport = int.from_bytes(l4[:2], "big"), int.from_bytes(l4[2:4], "big")
        data = bytes(i & 255 for i in range(size))
        back = {1: lambda: icmp(0, int.from_bytes(l4[4:6], "big"), 1, data),
                6: lambda: tcp(dst, dport, src, sport, SYN | ACK if l4[13] & SYN else ACK, data),
                17: lambda: udp(dst, dport, src, sport, data), 132: lambda: sctp(dport, sport, data),
                136: lambda: udplite(dst, dport, src, sport, data), 33: lambda: dccp(dst, dport, src, sport, data)}
        self.down(ipv4(dst, src, packet[9], back[packet[9]]()), expect, **outer)

    def each_answered(self, hosts, sport, server=SERVER, dport=53):
        for host in hosts:
            self.send_udp(host, sport, server, dport)
            self.answer()


def case_edge():
    c = EdgeCase("map-e-ce", "a customer edge by RFC 7597's first example: out through the tunnel, and back", edge(),
                 "openwrt#11972, openwrt-jp-ipoe#12, nat46#54, jool#48, Jool#92, einat#19")
    c.send_udp(HOST, 1233, SERVER, 53)  # a port of the set stays
    c.answer()
    for sport in (1232, 7000, 7000, 80, 64723):
        c.send_udp(HOST, sport, SERVER, 53)
        c.answer(sport % 37)
    c.send_tcp(SYN)
    c.answer(0)
    c.send_tcp(ACK, data=b"GET")
    c.answer(1400)
    c.send_tcp(ACK | FIN)
    for host in (HOST, HOST2, HOST):  # the identifier of an echo is its port
        c.out(ipv4(host, SERVER, 1, icmp(8, 4711, 1, b"ping")))
        c.answer()
    c.send_udp(HOST, 7000, SERVER, 53, tos=0xB8)  # DSCP goes outside, too
    for tos in (1, 2, 3):
        c.send_udp(HOST, 7000, SERVER, 53, tos=0xB8 | tos)
    c.send_udp(HOST, 7000, SERVER, 53, ttl=1, expect="kernel_ttl")
    c.send_udp(HOST, 7000, SERVER, 53, b"", pad=18)
    c.answer(0, pad=6)
    c.send_udp(HOST, 7000, SERVER, 53, bytes(1432))  # 1460 bytes are what the tunnel takes of 1500
    c.send_udp(HOST, 7000, SERVER, 53, bytes(1433), expect="kernel_too_big")
    c.send_udp(HOST, 7000, SERVER, 53, bytes(1433), flags=0, expect="slow_too_big")
    c.send_udp(HOST, 7000, ROUTER, 53, expect="kernel_route")
    c.send_udp(HOST, 7000, OWN, 53, expect="kernel_route")
    c.send_udp(HOST, 7000, c.home.outside, 53)  # to its own address outside: the border relay sends it back
    c.answer()
    own = udp(OWN, 5000, SERVER, 53, b"own")
    c.out(ipv4(OWN, SERVER, 17, own), name="self")  # this router's own traffic is translated, too
    c.answer()
    c.out(ipv4(OWN, SERVER, 1, icmp(8, 1, 1, b"own")), name="self")
    c.answer()
    c.out(ipv4(OWN, SERVER, 17, own, ttl=1), name="self")  # a traceroute of its own
    c.answer(expect="slow_too_big", size=1440)
    c.out(ipv4(OWN, SERVER, 17, udp(OWN, 5000, SERVER, 53, bytes(1440))), "slow_too_big", "self")
    c.out(ipv4(HOST, SERVER, 17, udp(HOST, 9000, SERVER, 53)), name="self")  # forwarded by Linux in XDP's place
    c.answer()


def case_strays():
    """What is not of the tunnel, or of no flow."""
    c = EdgeCase("map-e-ce-strays", "beside the tunnel and of no flow: Linux's, or nobody's", edge())
    c.send_udp(HOST, 1232, SERVER, 53)
    answer = ipv4(SERVER, c.home.outside, 17, udp(SERVER, 53, c.home.outside, c.outside()))
    c.back(answer, "kernel_no_flow")  # not out of the tunnel
    c.down(answer)
    c.down(answer, "kernel_type", dst="2001:db8:f000::1")  # to another address of this router
    c.tunnel(answer, "kernel_type", "lan", BR, c.home.local)  # the tunnel does not end at the LAN
    c.tunnel(answer, "kernel_type", "self", BR, c.home.local)
    for sport, dport in ((54, 1232), (53, 1233), (53, 7000)):
        c.down(ipv4(SERVER, c.home.outside, 17, udp(SERVER, sport, c.home.outside, dport)), "drop_no_flow")
    c.down(ipv4(SERVER2, c.home.outside, 17, udp(SERVER2, 53, c.home.outside, 1232)), "drop_no_flow")
    c.down(ipv4(SERVER, c.home.outside, 1, icmp(8, 1232, 1)), "drop_icmp_type")
    c.down(ipv4(SERVER, c.home.outside, 47, bytes(20)), "drop_protocol")
    c.down(ipv4(SERVER, "192.0.2.19", 17, udp(SERVER, 53, "192.0.2.19", 1232)), "drop_no_flow")
    c.send_udp(HOST, 1232, "10.11.12.13", 53)
    c.out(ipv4(HOST, SERVER, 47, bytes(20)), "drop_protocol")
    c.out(ipv4(OWN, SERVER, 47, bytes(20)), "drop_protocol", "self")
    c.out(ipv4(HOST, SERVER, 1, icmp(13, 1, 1, bytes(12))), "drop_icmp_type")
    there, here = "2001:db8:1::2", "2001:db8:12:3400::5"  # the home's own IPv6
    c.frame("wan", ether(WAN_MAC, GATEWAY_MAC, ipv6(there, here, b"hello", kind=17), kind=0x86DD), "kernel_type")
    c.frame("lan", ether(LAN_MAC, HOST_MAC, ipv6(here, there, b"hello", kind=17), kind=0x86DD), "kernel_type")


def case_mesh():
    home = edge(("2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8 fmr",
                 "2001:db8:4000::/38 198.18.0.0/28 ea 10 fmr",
                 "2001:db8:100::/40 198.18.0.0/15 ea 17 offset 6 fmr", "2001:db8:200::/40 100.64.0.0/10 ea 20 fmr"),
                relays=(BR, BR2))
    c = EdgeCase("map-e-ce-mesh", "a mesh: the longest forwarding rule says which edge is the other end", home,
                 "nat46#6")
    for peer, dport in (("192.0.2.77", 1232), ("192.0.2.77", 64720), ("198.18.0.3", 1300), ("198.18.0.16", 2000),
                        ("198.19.255.255", 443), ("100.64.0.9", 53), ("100.127.255.254", 53), (SERVER, 53)):
        c.send_udp(HOST, 7000, peer, dport)
        ends = c.home.local, next((r.address(peer, dport) for r in c.home.mesh if r.covers(peer, dport)), BR)
        c.answer(src=ends[1])
        packet = ipv4(peer, c.home.outside, 17, udp(peer, dport, c.home.outside, 1232))
        c.down(packet, "drop_no_flow", src=BR2)  # a border relay may send for all
        c.down(packet, "drop_tunnel_source", src="2001:db8:bad::1")
    c.send_tcp(SYN, server="192.0.2.77", dport=1232, options=mss(1460))
    c.answer(0, src=c.home.mesh[0].address("192.0.2.77", 1232))
    c.send_udp(HOST, 7001, "192.0.2.77", 1232)
    peer, rule = c.packet(), c.home.mesh[0]
    c.down(ipv4("192.0.2.77", c.home.outside, 1, error(3, 3, peer)), src=rule.address("192.0.2.77", 1232))
    c.down(ipv4("192.0.2.77", c.home.outside, 1, error(3, 3, peer)), "drop_tunnel_source",
           src=rule.address("192.0.2.77", 2256 + 4))
    c.down(ipv4("192.0.2.77", c.home.outside, 47, bytes(20)), "drop_protocol", src=rule.address("192.0.2.77", 1232))


def case_draft03():
    home = edge(("2001:db8::/40 192.0.2.0/24 ea 16 psid-len 8 fmr",), layout="draft03", outer={"hops": 255, "dscp": 10})
    c = EdgeCase("map-e-ce-draft03", "draft-ietf-softwire-map-03: the interface id, and PSID offset 4", home,
                 "cernet/MAP PR#1")
    for sport in (4928, 7000):
        c.send_udp(HOST, sport, SERVER, 53, tos=0xB9)
        c.answer()
    c.send_udp(HOST, 7000, "192.0.2.134", 4096 + 0x2C * 16)
    c.answer(src=home.mesh[0].address("192.0.2.134", 4096 + 0x2C * 16))


def case_fragments():
    c = EdgeCase("map-e-ce-fragments", "fragments through the tunnel: later ones go where their first did", edge(),
                 "vpp#2930, snabb#457, einat (RFC 4787, REQ-14)")
    ident = 0
    for part in fragments(ipv4(HOST, SERVER, 1, icmp(8, 7000, 1, bytes(1800)), flags=0, ident=1), 1440):
        c.out(part)
        ident = c.outside() if part[6] & 0x20 else ident
    outside = c.home.outside
    for part in fragments(ipv4(SERVER, outside, 1, icmp(0, ident, 1, bytes(1800)), flags=0, ident=2), 1448):
        c.down(part)
    c.send_udp(HOST, 1232, SERVER, 53)
    parts = fragments(ipv4(SERVER, outside, 17, udp(SERVER, 53, outside, 1232, bytes(range(90))), flags=0, ident=3), 32)
    c.down(parts[2], "slow_fragment")
    c.down(parts[0])
    for part in parts[1:]:
        c.down(part)
        c.down(part, "drop_tunnel_source", src="2001:db8:bad::1")
    stray = fragments(ipv4(SERVER, outside, 17, udp(SERVER, 54, outside, 1232, bytes(40)), flags=0, ident=4), 24)
    c.down(stray[0], "drop_no_flow")
    c.down(stray[1], "drop_no_flow")  # as its first
    forged = fragments(ipv4(SERVER, outside, 17, udp(SERVER, 53, outside, 1232, bytes(40)), flags=0, ident=7), 24)
    c.down(forged[0], "drop_tunnel_source", src="2001:db8:bad::1")
    c.down(forged[1], "slow_fragment")  # nothing was learnt of that one
    for part in fragments(ipv4(OWN, SERVER, 17, udp(OWN, 5000, SERVER, 53, bytes(2000)), flags=0, ident=5), 1400):
        c.out(part, name="self")
    c.down(parts[1], "slow_reassemble", kind=44)  # fragments of the tunnel's own packets are another matter
    crc = fragments(ipv4(SERVER, outside, 132, sctp(53, 1232, bytes(40)), flags=0, ident=6), 32)
    c.down(crc[0], "drop_fragment")
    c.down(crc[1], "slow_fragment")


def case_errors():
    c = EdgeCase("map-e-ce-errors", "ICMP errors through the tunnel, both ways", edge(),
                 "vpp#3587, cilium#40827, opte#369, trippy#1104, nat46#76, cilium#12968")
    outside, sent = c.home.outside, []
    for packet in (ipv4(HOST, SERVER, 17, udp(HOST, 33000, SERVER, 33434), ttl=2),
                   ipv4(HOST, SERVER, 6, tcp(HOST, 33001, SERVER, 80, ACK, b"data")),
                   ipv4(HOST, SERVER, 1, icmp(8, 33002, 1, bytes(40))),
                   ipv4(HOST, SERVER, 132, sctp(33003, 80, bytes(8)))):
        c.out(packet)
        sent.append(c.packet())
    for packet in sent:
        c.down(ipv4(HOP, outside, 1, error(11, 0, packet[:28])))
        c.down(ipv4(SERVER, outside, 1, error(3, 3, packet)))
        c.down(ipv4(HOP, outside, 1, error(3, 4, packet[:28], rest=1280)), traffic=0x20)
    c.down(ipv4(HOP, outside, 1, error(11, 0, sent[0], check=0x100)), "drop_icmp_csum")
    c.down(ipv4(HOP, outside, 1, error(11, 0, sent[0][:20])), "drop_icmp_quote")
    c.down(ipv4(HOP, outside, 1, error(11, 0, b"")), "drop_icmp_quote")
    c.down(ipv4(HOP, outside, 1, error(11, 0, ipv4(outside, SERVER, 17, udp(outside, 1, SERVER, 2)))), "drop_no_flow")
    c.down(ipv4(HOP, outside, 1, error(5, 0, sent[0])), "drop_icmp_type")
    c.out(ipv4(HOST, SERVER, 17, udp(HOST, 33000, SERVER, 33434)))
    c.answer()
    c.out(ipv4(HOST, SERVER, 1, error(3, 3, c.packet())))
    c.out(ipv4(HOST, SERVER, 17, udp(HOST, 33000, SERVER, 33434)))
    c.answer()
    c.out(ipv4(INSIDE, SERVER, 1, error(11, 0, c.packet()[:28])))
    c.out(ipv4(OWN, SERVER, 17, udp(OWN, 33434, SERVER, 33434), ttl=1), name="self")  # traceroute on the router itself
    c.down(ipv4(HOP, outside, 1, error(11, 0, c.packet()[:28])))


def case_mss():
    c = EdgeCase("map-e-ce-mss", "segment sizes: what the tunnel takes is gone from them, both ways",
                 edge(outer={"path_mtu": 1400}), "openwrt#12112, vyos PR#1557")
    for at, size in enumerate((1460, 1321, 1320, 1319, 536)):
        c.send_tcp(SYN, sport=7000 + at, options=mss(size))
        sport = c.outside()
        segment = tcp(SERVER, 80, c.home.outside, sport, SYN | ACK, options=mss(size, 1))
        c.down(ipv4(SERVER, c.home.outside, 6, segment))
        c.send_tcp(ACK, sport=7000 + at, options=mss(size))
    c.send_udp(HOST, 7000, SERVER, 53, bytes(1332))
    c.send_udp(HOST, 7000, SERVER, 53, bytes(1333), expect="kernel_too_big")
    c.out(ipv4(OWN, SERVER, 6, tcp(OWN, 7000, SERVER, 80, SYN, options=mss(1460))), name="self")


def case_protocols():
    c = EdgeCase("map-e-ce-protocols", "every protocol that has ports keeps to the set", edge(), "loxilb#3")
    for sport in (1232, 7000, 80):
        for host in (HOST, HOST2):
            c.out(ipv4(host, SERVER, 132, sctp(sport, 80, bytes(range(20)))))
            c.answer()
            c.out(ipv4(host, SERVER, 136, udplite(host, sport, SERVER, 80, b"some data", 8)))
            c.answer()
            c.out(ipv4(host, SERVER, 33, dccp(host, sport, SERVER, 80, b"some data", 1)))
            c.answer()
            c.send_udp(host, sport, SERVER, 80, nosum=True)
            c.answer()


def case_shared_set():
    c = EdgeCase("map-e-ce-shared-set", "four ports, many flows: sockets share a port where their destinations differ",
                 edge((FOUR,), FOUR_PREFIX),
                 "openwrt#14449, openwrt-jp-ipoe#8, openwrt-jp-ipoe#12, felix PR#2983, einat (RFC 6888, REQ-11)")
    hosts = ["192.168.1.%d" % (10 + i) for i in range(6)]
    c.each_answered(hosts[:4], 5000)
    c.send_udp(hosts[4], 5000, SERVER, 53, expect="slow_no_port")  # all four are taken towards this one
    c.each_answered(hosts[:6:2] + hosts[1:6:2][:1], 5000, SERVER2)
    c.send_udp(hosts[5], 5000, SERVER2, 53, expect="slow_no_port")
    c.each_answered(hosts[:4], 5000, SERVER2, 54)
    c.each_answered(hosts[:1], 5000)  # nothing was thrown out
    c.send_tcp(SYN, sport=4002)  # TCP has ports of its own
    c.answer(0)
    for host in hosts:
        c.out(ipv4(host, SERVER, 1, icmp(8, 4001, 1)), "forward_out" if host in hosts[:4] else "slow_no_port")


def case_reserve():
    c = EdgeCase("map-e-ce-reserve", "a set with one port left: the reserved ones are never handed out",
                 edge((FOUR,), FOUR_PREFIX, reserve=(4000, 4002, 4003)), "openwrt-jp-ipoe#12")
    c.send_udp(HOST, 4000, SERVER, 53)
    c.answer()
    c.send_udp(HOST, 4002, SERVER, 53, expect="slow_no_port")
    c.send_udp(HOST, 4002, SERVER2, 53)
    c.answer()


def case_endpoint_independent():
    c = EdgeCase("map-e-ce-endpoint-independent", "one port for a socket, nobody else's: the fifth socket gets none",
                 edge((FOUR,), FOUR_PREFIX, mapping="endpoint-independent"))
    hosts = ["192.168.1.%d" % (10 + i) for i in range(5)]
    c.each_answered(hosts[:4], 5000)
    c.each_answered(hosts[:4], 5000, SERVER2)
    c.each_answered(hosts[:4], 5000, SERVER, 54)
    c.send_udp(hosts[4], 5000, SERVER2, 55, expect="slow_no_port")
    c.send_udp(hosts[0], 5001, SERVER2, 55, expect="slow_no_port")


def case_endpoint_dependent():
    c = EdgeCase("map-e-ce-endpoint-dependent", "each flow has a port of its own, as long as there are any",
                 edge((FOUR,), FOUR_PREFIX, mapping="endpoint-dependent"))
    hosts = ["192.168.1.%d" % (10 + i) for i in range(4)]
    for server, dport in ((SERVER, 53), (SERVER2, 53), (SERVER, 54)):
        c.each_answered(hosts, 4001, server, dport)
        c.send_udp(hosts[0], 4002, server, dport, expect="slow_no_port")


def case_full_address():
    c = EdgeCase("map-e-ce-full-address", "an address that is not shared has all ports but 0",
                 edge(("2001:db8::/40 192.0.2.0/24 ea 8",), "2001:db8:12::/48", outer={"ecn": "compatibility"}))
    for sport in (1, 80, 65535, 7000):
        c.send_udp(HOST, sport, SERVER, 53, tos=2)
        c.answer()
    c.send_udp(HOST2, 80, SERVER, 53)
    c.answer()


def case_spoofed():
    c = EdgeCase("map-e-spoofed", "what a tunnel must not let in: other senders, IPv6, congestion that cannot be told",
                 edge(("2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8 fmr",)), "nat46#76")
    c.send_udp(HOST, 1232, "192.0.2.77", 1240)
    packet = ipv4("192.0.2.77", c.home.outside, 17, udp("192.0.2.77", 1240, c.home.outside, 1232))
    right = c.home.mesh[0].address("192.0.2.77", 1240)
    c.down(packet, src=right)
    for src in ("2001:db8:4d:3700:0:c000:24d:36", "2001:db8:4d:3600:0:c000:24e:36", "2001:db8:4d:3600:0:c000:24d:37",
                "2001:db8:4d:3600:1:c000:24d:36", "2001:db8:4e:3600:0:c000:24d:36", "2001:db8::1", "::1"):
        c.down(packet, "drop_tunnel_source", src=src)
    for address, sport in (("192.0.2.78", 1240), ("192.0.2.77", 1244), ("192.0.2.77", 216), (SERVER, 1240)):
        other = ipv4(address, c.home.outside, 17, udp(address, sport, c.home.outside, 1232))
        c.down(other, "drop_tunnel_source", src=right)
    for tos in range(4):
        for traffic in range(4):
            data = udp("192.0.2.77", 1240, c.home.outside, 1232)
            marked = ipv4("192.0.2.77", c.home.outside, 17, data, tos=0xB8 | tos)
            c.down(marked, "drop_tunnel_ecn" if (tos, traffic) == (0, 3) else "forward_in", src=right, traffic=traffic)
    options = bytes([4, 0, 4, 1, 4, 1, 0, 0])  # an encapsulation limit
    c.down(options + packet, src=right, kind=60)
    c.down(bytes([4, 1]) + options[2:] + bytes(8) + packet, "kernel_type", src=right, kind=60)
    c.down(bytes([60, 0]) + options[2:] + options + packet, "kernel_type", src=right, kind=60)
    c.down(options[:7], "kernel_type", src=right, kind=60)
    c.down(options, "drop_ip_short", src=right, kind=60)
    c.down(ipv6("::1", "::2", b""), "drop_tunnel_ipv6", src=right, kind=41)
    c.down(bytes([4, 0, 0, 0, 0, 0, 0, 7]) + packet, "slow_reassemble", src=right, kind=44)  # an atomic fragment
    c.down(bytes([2, 0, 0, 0, 0, 0, 5, 0]) + ipv6(c.home.local, right, packet), "slow_icmp6", src=right, kind=58)
    c.down(bytes([1, 3, 0, 0, 0, 0, 0, 0]), "slow_icmp6", src=right, kind=58)  # about no packet
    c.down(bytes([128, 0, 0, 0, 0, 0, 0, 0]), "kernel_type", src=right, kind=58)
    c.down(bytes([1, 3, 0]), "kernel_type", src=right, kind=58)
    c.down(packet, "kernel_type", src=right, kind=0)
    c.down(packet, "drop_tunnel_short", src=right, length=len(packet) + 1)
    c.down(packet, "drop_ip_length", src=right, length=len(packet) - 1)
    c.down(packet, "drop_ip_length", src=right, length=0)
    c.down(packet[:19], "drop_ip_short", src=right)
    c.down(b"", "drop_ip_short", src=right)
    c.down(b"", "drop_ip_version", src=right, pad=20)
    c.down(b"\x65" + packet[1:], "drop_ip_version", src=right)
    c.down(packet, "kernel_type", src=right, version=5)
    for size in (0, 1, 39):
        head = ipv6(right, c.home.local, b"")[:size]
        c.frame("wan", ether(WAN_MAC, GATEWAY_MAC, head, kind=0x86DD), "drop_tunnel_short")


def make():
    for case in (case_edge, case_strays, case_mesh, case_draft03, case_fragments, case_errors, case_mss, case_protocols,
                 case_shared_set, case_reserve, case_endpoint_independent, case_endpoint_dependent, case_full_address,
                 case_spoofed):
        case()
