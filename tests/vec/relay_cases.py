# SPDX-License-Identifier: GPL-2.0-or-later
"""relay_cases.py - the golden vectors of a MAP-E border relay"""
from frames import ACK, SYN, error, fragments, icmp, ipv4, sctp, tcp, udp
from maker import GATEWAY, GATEWAY6, NEIGHBOURS, SERVER, WAN, Case
from nat_cases import HOP, mss
from oracle import Port, Relay
from softwire import Rule, match

BR, BR2 = "2001:db8:ffff::1", "2001:db8:ffff::2"
RULE = "2001:db8::/40 192.0.2.0/24 ea 16 offset 6 psid-len 8"


def relay(domains=(("border-relay", BR, (RULE,)),), layout="rfc7597", outer=None, lan=None, wan=None):
    ports = [Port("lan", "lan", "lan0", gateway6=GATEWAY6, **(lan or {})),
             Port("wan", "wan", "wan0", WAN + "/24", gateway=GATEWAY, **(wan or {}))]
    rules = [(name, address, [Rule(rule, layout) for rule in texts]) for name, address, texts in domains]
    return Relay(ports, rules, outer, neighbours=dict(NEIGHBOURS))


class RelayCase(Case):
    def up(self, packet, expect="forward_decap", src=None, dst=BR, sport=None, **outer):
        """From the customer who has the source, unless `src` is another."""
        if src is None:
            l4 = packet[(packet[0] & 15) * 4:]
            sport = sport or int.from_bytes(l4[4:6] if packet[9] == 1 else l4[:2], "big")
            src = self.customer(".".join(map(str, packet[12:16])), sport)
        self.tunnel(packet, expect, "lan", src, dst, **outer)

    def customer(self, address, port):
        return match(self.home.rules, address, port).address(address, port)

    def down(self, packet, expect="forward_encap", **how):
        self.back(packet, expect, **how)

    def both(self, address, port, server=SERVER, dport=53, dst=BR, **outer):
        self.up(ipv4(address, server, 17, udp(address, port, server, dport)), dst=dst, **outer)
        self.down(ipv4(server, address, 17, udp(server, dport, address, port)))


def case_relay():
    c = RelayCase("map-e-br", "a border relay: everything by address and port, both ways", relay())
    for address, port in (("192.0.2.18", 1232), ("192.0.2.18", 64723), ("192.0.2.255", 1024), ("192.0.2.0", 65535)):
        c.both(address, port)
        c.up(ipv4(address, SERVER, 6, tcp(address, port, SERVER, 80, ACK, b"GET")))
        c.down(ipv4(SERVER, address, 6, tcp(SERVER, 80, address, port, ACK, bytes(1400))))
        c.up(ipv4(address, SERVER, 1, icmp(8, port, 1, b"ping")))
        c.down(ipv4(SERVER, address, 1, icmp(0, port, 1, b"pong")))
        c.down(ipv4(SERVER, address, 1, icmp(8, port, 1, b"ping")))  # an echo's identifier is its port at either end
        c.up(ipv4(address, SERVER, 1, icmp(0, port, 1, b"pong")))
        c.up(ipv4(address, SERVER, 132, sctp(port, 80, bytes(20))))
        c.down(ipv4(SERVER, address, 132, sctp(80, port, bytes(20))))
    c.down(ipv4(SERVER, "192.0.2.18", 17, udp(SERVER, 53, "192.0.2.18", 1023)), "drop_no_rule")  # ports of nobody
    c.up(ipv4("192.0.2.18", SERVER, 17, udp("192.0.2.18", 80, SERVER, 53)), "drop_tunnel_source", sport=1232)
    c.down(ipv4(SERVER, "192.0.2.18", 47, bytes(20)), "drop_protocol")
    c.up(ipv4("192.0.2.18", SERVER, 47, bytes(20)), "drop_protocol", src=c.customer("192.0.2.18", 1232))
    c.down(ipv4(SERVER, "192.0.2.18", 1, icmp(13, 1232, 1, bytes(12))), "drop_icmp_type")
    c.down(ipv4(SERVER, WAN, 17, udp(SERVER, 53, WAN, 7000)), "kernel_route")  # this router's own
    c.down(ipv4(SERVER, "198.51.100.77", 17, udp(SERVER, 53, "198.51.100.77", 7000)), "kernel_route")
    c.out(ipv4("10.0.0.1", SERVER, 17, udp("10.0.0.1", 1, SERVER, 2)), "kernel_route")  # the customers' side is IPv6
    for dst in (WAN, "203.0.113.255", "224.0.0.251", "255.255.255.255", "127.0.0.1"):  # no service is in the tunnel
        c.up(ipv4("192.0.2.18", dst, 17, udp("192.0.2.18", 1232, dst, 53)), "drop_no_route")
    packet = udp("192.0.2.18", 1232, SERVER, 53, bytes(1432))
    c.up(ipv4("192.0.2.18", SERVER, 17, packet))
    for flags in (0x4000, 0):
        packet = udp(SERVER, 53, "192.0.2.18", 1232, bytes(1433))
        c.down(ipv4(SERVER, "192.0.2.18", 17, packet, flags=flags), "slow_too_big")
    for ttl in (0, 1):
        c.up(ipv4("192.0.2.18", SERVER, 17, udp("192.0.2.18", 1232, SERVER, 53), ttl=ttl), "slow_ttl")
        c.down(ipv4(SERVER, "192.0.2.18", 17, udp(SERVER, 53, "192.0.2.18", 1232), ttl=ttl), "slow_ttl")
    for tos in range(4):
        packet = ipv4("192.0.2.18", SERVER, 17, udp("192.0.2.18", 1232, SERVER, 53), tos=0xB8 | tos)
        for traffic in range(4):
            c.up(packet, "drop_tunnel_ecn" if (tos, traffic) == (0, 3) else "forward_decap", traffic=traffic)
        c.down(ipv4(SERVER, "192.0.2.18", 17, udp(SERVER, 53, "192.0.2.18", 1232), tos=0xB8 | tos))


def case_spoofed():
    c = RelayCase("map-e-br-spoofed", "customers speak for themselves only (RFC 7597, 8.1)", relay(), "nat46#76")
    packet = ipv4("192.0.2.18", SERVER, 17, udp("192.0.2.18", 1232, SERVER, 53))
    right = c.customer("192.0.2.18", 1232)
    for src in ("2001:db8:12:3500:0:c000:212:34", "2001:db8:12:3400:0:c000:213:34", "2001:db8:12:3400:0:c000:212:35",
                "2001:db8:13:3400:0:c000:212:34", "2001:db8:12:3400::1", "::1"):
        c.up(packet, "drop_tunnel_source", src=src)
    for address, sport in (("192.0.2.19", 1232), ("192.0.2.18", 1236), ("192.0.2.18", 52), (SERVER, 1232)):
        c.up(ipv4(address, SERVER, 17, udp(address, sport, SERVER, 53)), "drop_tunnel_source", src=right)
    c.up(ipv4("192.0.2.18", SERVER, 1, icmp(8, 1236, 1)), "drop_tunnel_source", src=right)
    c.up(packet, "kernel_type", dst="2001:db8:ffff::9")
    c.tunnel(packet, "kernel_type", "wan", right, BR)  # from the internet
    c.up(packet, "drop_tunnel_ipv6", kind=41)
    c.up(bytes(8) + packet, "slow_reassemble", src=right, kind=44)
    c.up(bytes([1, 3]) + bytes(6), "slow_icmp6", src=right, kind=58)
    c.up(bytes([4, 0, 4, 1, 4, 1, 0, 0]) + packet, src=right, kind=60)
    c.up(packet, "drop_tunnel_short", length=len(packet) + 1)


def case_domains():
    home = relay((("border-relay", BR, (RULE, "2001:db8:4000::/38 198.18.0.0/28 ea 10")),
                  ("border-relay east", BR2, ("2001:db8:100::/40 198.18.0.0/15 ea 17 offset 6",
                                              "2001:db8:200::/40 20.0.0.0/8 ea 24",
                                              "2001:db8:300::/56 192.0.2.64/32 ea 0 offset 4 psid-len 8 psid 100"))),
                 outer={"hops": 31, "dscp": 46, "path_mtu": 1480})
    c = RelayCase("map-e-br-domains", "several domains and rules: the longest prefix, and its domain's address", home,
                  "vpp#1594, vpp#1633, vpp#1564")
    for address, port, dst in (("192.0.2.18", 1232, BR), ("198.18.0.3", 1300, BR), ("198.18.0.16", 2000, BR2),
                               ("198.19.255.255", 443 + 2048, BR2), ("20.169.201.219", 7, BR2),
                               ("192.0.2.64", 5696, BR2), ("192.0.2.64", 63055, BR2), ("192.0.2.64", 1232, BR)):
        c.both(address, port, dst=dst)
        other = BR if dst == BR2 else BR2
        c.up(ipv4(address, SERVER, 17, udp(address, port, SERVER, 53)), "drop_tunnel_source", dst=other)
    c.down(ipv4(SERVER, "20.169.201.219", 47, bytes(20)))  # an address that is not shared needs no ports
    c.up(ipv4("20.169.201.219", SERVER, 47, bytes(20)), src=c.customer("20.169.201.219", 0), dst=BR2)
    c.down(ipv4(SERVER, "20.0.0.1", 17, udp(SERVER, 53, "20.0.0.1", 53, bytes(1412))))
    c.down(ipv4(SERVER, "20.0.0.1", 17, udp(SERVER, 53, "20.0.0.1", 53, bytes(1413))), "slow_too_big")


def case_hairpin():
    c = RelayCase("map-e-br-hairpin", "from a customer to another: out of the tunnel and into it again",
                  relay((("border-relay", BR, (RULE,)),
                         ("border-relay east", BR2, ("2001:db8:100::/40 198.18.0.0/15 ea 17 offset 6",)))),
                  "snabb#266, snabb#165")
    one, other, east = ("192.0.2.18", 1232), ("192.0.2.18", 1236), ("198.18.7.7", 4000)
    for (src, sport), (dst, dport) in ((one, other), (other, one), (one, east)):
        c.up(ipv4(src, dst, 17, udp(src, sport, dst, dport, b"hello"), tos=0x01), "forward_hairpin", traffic=3)
        sent = c.packet()
        c.up(ipv4(dst, src, 1, error(3, 3, sent)), "forward_hairpin", src=c.customer(dst, dport),
             dst=BR2 if (dst, dport) == east else BR)
        c.up(ipv4(src, dst, 17, udp(src, sport, dst, dport), ttl=1), "slow_ttl")
        c.up(ipv4(src, dst, 6, tcp(src, sport, dst, dport, SYN, options=mss(1460))), "forward_hairpin")
    c.up(ipv4("192.0.2.18", "192.0.2.18", 1, icmp(8, 1232, 1)), "forward_hairpin")  # a ping comes back to who sent it
    c.up(ipv4("192.0.2.18", "192.0.2.18", 17, udp("192.0.2.18", 1232, "192.0.2.18", 80)), "drop_no_rule")


def case_errors():
    c = RelayCase("map-e-br-errors", "ICMP errors: what they quote says whose they are; fragments and SYN as well",
                  relay(), "dataplane#1579, cilium#12968, snabb#457")
    up = ipv4("192.0.2.18", SERVER, 17, udp("192.0.2.18", 1232, SERVER, 53))
    ping = ipv4("192.0.2.18", SERVER, 1, icmp(8, 64720, 1, bytes(30)))
    down = ipv4(SERVER, "192.0.2.18", 17, udp(SERVER, 53, "192.0.2.18", 1232))
    customer = c.customer("192.0.2.18", 1232)
    for packet in (up, ping, ipv4("192.0.2.18", SERVER, 6, tcp("192.0.2.18", 1233, SERVER, 80, ACK))):
        c.down(ipv4(HOP, "192.0.2.18", 1, error(11, 0, packet[:28])))
        c.down(ipv4(SERVER, "192.0.2.18", 1, error(3, 4, packet, rest=1400)))
    c.down(ipv4(HOP, "192.0.2.18", 1, error(11, 0, up, check=1)), "drop_icmp_csum")
    c.down(ipv4(HOP, "192.0.2.18", 1, error(11, 0, down)), "drop_icmp_quote")
    c.down(ipv4(HOP, "192.0.2.18", 1, error(11, 0, up[:27])), "drop_icmp_quote")
    low = ipv4("192.0.2.18", SERVER, 17, udp("192.0.2.18", 80, SERVER, 53))
    c.down(ipv4(HOP, "192.0.2.18", 1, error(11, 0, low)), "drop_no_rule")
    c.up(ipv4("192.0.2.18", SERVER, 1, error(3, 3, down)), src=customer)
    c.up(ipv4("192.0.2.18", SERVER, 1, error(3, 3, down)), "drop_tunnel_source", src=c.customer("192.0.2.18", 1236))
    c.up(ipv4("192.0.2.19", SERVER, 1, error(3, 3, down)), "drop_icmp_quote", src=c.customer("192.0.2.19", 1232))
    c.up(ipv4("192.0.2.18", SERVER, 1, error(3, 3, up)), "drop_icmp_quote", src=customer)
    for ends, send in ((("192.0.2.18", 1232, SERVER, 53), c.up), ((SERVER, 53, "192.0.2.18", 1232), c.down)):
        src, sport, dst, dport = ends
        parts = fragments(ipv4(src, dst, 17, udp(src, sport, dst, dport, bytes(range(200))), flags=0, ident=9), 80)
        more = {"src": customer} if send == c.up else {}
        send(parts[1], "slow_fragment", **more)
        for part in (parts[0], parts[2], parts[1]):
            send(part, **more)
        packet = ipv4(src, dst, 132, sctp(sport, dport, bytes(100)), flags=0, ident=10)
        for part in fragments(packet, 64):  # nothing in them changes
            send(part, **more)
        send(ipv4(src, dst, 6, tcp(src, sport, dst, dport, SYN, options=mss(1460))), **more)
        send(ipv4(src, dst, 6, tcp(src, sport, dst, dport, SYN, options=mss(1400, 1))), **more)
    own = ipv4(SERVER, WAN, 17, udp(SERVER, 53, WAN, 53, bytes(90)), flags=0, ident=11)
    c.down(fragments(own, 48)[1], "kernel_route")


def make():
    for case in (case_relay, case_spoofed, case_domains, case_hairpin, case_errors):
        case()
