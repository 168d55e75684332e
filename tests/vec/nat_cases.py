# SPDX-License-Identifier: GPL-2.0-or-later
"""nat_cases.py - the golden vectors of a NAPT44's rare packets: errors, fragments, segment sizes, other protocols"""
import struct

from frames import ACK, SYN, dccp, error, fragments, icmp, ipv4, sctp, tcp, udp, udplite
from maker import HOST, HOST2, NEIGHBOURS, ROUTER, SERVER, WAN, GATEWAY, Case, two_ports
from oracle import Home, Port

HOP = "100.64.7.1"  # a router somewhere on the way
INSIDE = "192.168.1.200"  # a router in the house


def mss(size, *before):
    """TCP options: `before`, then the largest segment, padded with NOPs."""
    options = bytes(before) + b"\x02\x04" + struct.pack("!H", size)
    return options + b"\x01" * (-len(options) % 4)


def case_errors():
    c = Case("nat44-errors", "ICMP errors both ways: what they quote is what the receiver knows", two_ports(),
             "vpp#3587, cilium#40827, opte#369, cilium#12968, dataplane#1579, trippy#1104")
    sent = []
    c.send_udp(HOST, 7000, SERVER, 33434, ttl=2)
    sent.append(c.packet())
    c.send_tcp(SYN, sport=7001)
    sent.append(c.packet())
    c.out(ipv4(HOST, SERVER, 1, icmp(8, 7002, 1, bytes(40))))
    sent.append(c.packet())
    c.send_udp(HOST, 7003, SERVER, 53, options=bytes([7, 11, 4] + [0] * 9))
    sent.append(c.packet())
    c.out(ipv4(HOST, SERVER, 132, sctp(7004, 80, bytes(8))))
    sent.append(c.packet())
    c.out(ipv4(HOST, SERVER, 136, udplite(HOST, 7005, SERVER, 80, b"lite")))
    sent.append(c.packet())
    c.out(ipv4(HOST, SERVER, 33, dccp(HOST, 7006, SERVER, 80, b"dccp")))
    sent.append(c.packet())
    for packet in sent:
        ihl = (packet[0] & 15) * 4
        c.back(ipv4(HOP, WAN, 1, error(11, 0, packet[:ihl + 8])))  # as little as RFC 792 asks for
        c.back(ipv4(SERVER, WAN, 1, error(3, 3, packet)))  # as much as there is
        c.back(ipv4(HOP, WAN, 1, error(3, 4, packet[:ihl + 8], rest=1420)))
        c.back(ipv4(HOP, WAN, 1, error(12, 0, packet[:ihl + 8], rest=20 << 24)), pad=7)
    c.send_udp(HOST, 7000, SERVER, 33434, ttl=2)
    udp_sent = c.packet()
    for size in (0, 19, 20, 27):
        c.back(ipv4(HOP, WAN, 1, error(11, 0, udp_sent[:size])), "kernel_no_flow")
    c.back(ipv4(HOP, WAN, 1, error(11, 0, udp_sent, check=1)), "kernel_no_flow")
    c.back(ipv4(HOP, WAN, 1, error(11, 0, udp_sent[:10] + b"\0\0" + udp_sent[12:])), "kernel_no_flow")
    c.back(ipv4(HOP, WAN, 1, error(4, 0, udp_sent)), "kernel_no_flow")  # source quench: RFC 6633
    c.back(ipv4(HOP, WAN, 1, error(11, 1, udp_sent), flags=0x2000), "kernel_no_flow")
    c.answer_udp(SERVER, 33434, 7000)
    inside = c.packet()
    c.out(ipv4(HOST, SERVER, 1, error(3, 3, inside)))
    c.out(ipv4(INSIDE, SERVER, 1, error(11, 0, inside[:28])))  # from another router in the house
    c.out(ipv4(HOST, SERVER, 1, error(3, 3, inside, check=1)), "drop_icmp_csum")
    c.out(ipv4(HOST, SERVER, 1, error(3, 3, inside[:27])), "drop_icmp_quote")
    c.out(ipv4(HOST, "198.51.100.77", 1, error(3, 3, inside)), "drop_icmp_quote")  # not to whom it is about
    c.out(ipv4(HOST, SERVER, 1, error(3, 3, ipv4(SERVER, HOST2, 17, udp(SERVER, 1, HOST2, 2)))), "drop_icmp_type")
    c.out(ipv4(HOST, SERVER, 1, error(3, 2, ipv4(SERVER, HOST, 47, bytes(8)))), "drop_protocol")
    c.back(ipv4(SERVER, WAN, 1, icmp(0, 7002, 1, b"pong")))
    echo = c.packet()
    c.out(ipv4(HOST, SERVER, 1, error(3, 1, echo)))  # about an echo reply
    c.out(ipv4(HOST, SERVER, 1, error(3, 1, echo[:20] + b"\x0d" + echo[21:])), "drop_icmp_type")


def case_fragments():
    c = Case("nat44-fragments", "fragments: the later ones go where their first did", two_ports(),
             "vpp#2930, cilium#25085, einat (RFC 4787, REQ-14)")
    big = ipv4(HOST, SERVER, 1, icmp(8, 7000, 1, bytes(i & 255 for i in range(1800))), flags=0, ident=1)
    for part in fragments(big, 1480):
        c.out(part)
    for part in fragments(ipv4(SERVER, WAN, 1, icmp(0, 7000, 1, bytes(1800)), flags=0, ident=2), 1480):
        c.back(part)
    packet = ipv4(HOST, SERVER, 17, udp(HOST, 7000, SERVER, 4433, bytes(range(100))), flags=0, ident=3)
    first, second, third = fragments(packet, 40)
    c.out(second, "slow_fragment")  # before its first
    c.out(first)
    c.out(third)
    c.out(second)
    answer = fragments(ipv4(SERVER, WAN, 17, udp(SERVER, 4433, WAN, 7000, bytes(range(100))), flags=0, ident=3), 40)
    c.back(answer[2], "slow_fragment")
    c.back(answer[0])
    c.back(answer[1])
    c.back(answer[2])
    for nosum in (False, True):  # a first fragment of 8 bytes, with and without a checksum
        packet = udp(HOST, 7001, SERVER, 4433, bytes(24), nosum=nosum)
        for part in fragments(ipv4(HOST, SERVER, 17, packet, flags=0, ident=4 + nosum), 8):
            c.out(part)
    packet = tcp(HOST, 7002, SERVER, 80, SYN, options=mss(1460), data=b"early")
    parts = fragments(ipv4(HOST, SERVER, 6, packet, flags=0, ident=6), 24)
    c.out(parts[0])
    c.out(parts[1])
    c.out(fragments(ipv4(HOST, SERVER, 6, packet, flags=0, ident=7), 16)[0], "drop_l4_short")
    packet = ipv4(HOST, SERVER, 132, sctp(7003, 80, bytes(40)), flags=0, ident=8)
    first, second = fragments(packet, 32)
    c.out(first, "drop_fragment")  # its CRC is over what is not here
    c.out(second, "slow_fragment")
    for ident in (9, 10):  # of another datagram, by its identification and by its protocol
        c.out(fragments(ipv4(HOST, SERVER, 17, udp(HOST, 7000, SERVER, 4433, bytes(40)), flags=0, ident=9), 24)[0])
        other = ipv4(HOST, SERVER, 17 if ident == 10 else 6, bytes(48), flags=0, ident=ident)
        c.out(fragments(other, 24)[1], "slow_fragment")


def case_mss():
    home = Home([Port("lan", "lan", "lan0", ROUTER + "/24"),
                 Port("wan", "wan", "wan0", WAN + "/24", gateway=GATEWAY, mtu=1460)], neighbours=dict(NEIGHBOURS))
    c = Case("nat44-mss", "segment sizes in SYN and SYN-ACK: lowered to what the way carries, never raised", home,
             "openwrt#12112, vyos PR#1557")
    for at, options in enumerate((mss(1460), mss(1421), mss(1420), mss(1419), mss(536), mss(0), mss(65535),
                                  mss(1460, 1), mss(1460, 1, 1), mss(1460, 1, 1, 1), mss(1460, 4, 2),
                                  mss(1460, 3, 3, 7), mss(1460, 8, 10, *range(8)), mss(1460, 0), mss(1460, 9, 1),
                                  mss(1460, 9, 0), mss(1460, 9, 40), b"\x02\x03\x05\xb4", b"\x02\x05\x05\xb4\x01" * 4,
                                  b"\x01" * 36 + mss(1460), b"\x01\x01\x01\x02\x04\x05\xb4\x00")):
        c.send_tcp(SYN, sport=7000 + at, options=options)
        c.answer_tcp(SYN | ACK, dport=7000 + at, options=options)
        c.send_tcp(ACK, sport=7000 + at, options=options)  # only a SYN says it


def case_protocols():
    c = Case("nat44-protocols", "SCTP, UDP-Lite, DCCP: each has ports of its own, and its own checksum", two_ports(),
             "loxilb#3")
    init = bytes.fromhex("0100001400000001 00010000 000a 000a 00000001".replace(" ", ""))
    for size in (0, 1, 2, 3, 20, 255, 1400):
        c.out(ipv4(HOST, SERVER, 132, sctp(7000, 80, (init * 70)[:size])))
        c.back(ipv4(SERVER, WAN, 132, sctp(80, c.outside(), bytes(size))))
    for host in (HOST, HOST2):  # the second one's port is another's
        c.out(ipv4(host, SERVER, 132, sctp(7000, 80, init)))
        c.back(ipv4(SERVER, WAN, 132, sctp(80, c.outside(), init)))
        for cover in (0, 8, 12):
            c.out(ipv4(host, SERVER, 136, udplite(host, 7000, SERVER, 80, b"some data", cover)))
            c.back(ipv4(SERVER, WAN, 136, udplite(SERVER, 80, WAN, c.outside(), b"more", cover)))
        for cover in (0, 1, 2):
            c.out(ipv4(host, SERVER, 33, dccp(host, 7000, SERVER, 80, b"some data", cover)))
            c.back(ipv4(SERVER, WAN, 33, dccp(SERVER, 80, WAN, c.outside(), b"more", cover)))
    for proto, size in ((132, 11), (136, 7), (33, 11)):
        c.out(ipv4(HOST, SERVER, proto, bytes(size)), "drop_l4_short", pad=20)
    c.out(ipv4(HOST, SERVER, 50, bytes(20)), "drop_protocol")
    c.back(ipv4(SERVER, WAN, 132, sctp(81, 7000, init)), "kernel_no_flow")


def make():
    for case in (case_errors, case_fragments, case_mss, case_protocols):
        case()
