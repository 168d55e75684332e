# SPDX-License-Identifier: GPL-2.0-or-later
"""home_cases.py - the golden vectors of a home: what is translated, what is Linux's, what is nobody's"""
import struct

from frames import ACK, FIN, PSH, RST, SYN, csum, ether, icmp, ipv4, pseudo, tcp, udp
from maker import GATEWAY, GATEWAY_MAC, HOST, HOST2, HOST_MAC, LAN_MAC, NEIGHBOURS, ROUTER, SERVER, SERVER2, WAN, \
    WAN_MAC, Case, two_ports
from oracle import Home, Port


def case_udp():
    c = Case("udp", "UDP both ways, several flows, odd lengths", two_ports())
    c.send_udp(HOST, 5353, SERVER, 53)
    c.answer_udp(SERVER, 53, 5353)
    for size in (0, 1, 2, 17, 18, 512, 1471, 1472):
        c.send_udp(HOST, 30000 + size, SERVER, 4433, bytes(i * 7 & 255 for i in range(size)))
        c.answer_udp(SERVER, 4433, c.outside(), bytes(i * 13 & 255 for i in range(size)))
    c.send_udp(HOST, 5353, SERVER2, 53)
    c.answer_udp(SERVER2, 53, c.outside(), tos=0xB8)
    c.answer_udp(SERVER2, 54, 5353, expect="kernel_no_flow")  # another port of the server: not of the flow
    c.send_udp(HOST, 5353, "0.1.2.3", 53)  # Linux forwards 0/8 but 0.0.0.0


def case_tcp():
    c = Case("tcp-handshake-and-close", "TCP: handshake with options, data, close by FIN, and a reset", two_ports())
    mss = bytes.fromhex("020405b40402080a0000000100000000 01030307".replace(" ", ""))
    c.send_tcp(SYN, options=mss)
    c.answer_tcp(SYN | ACK, ack=1001, options=mss)
    c.send_tcp(ACK, seq=1001, ack=1001)
    c.send_tcp(ACK | PSH, seq=1001, ack=1001, data=b"GET / HTTP/1.0\r\n\r\n")
    c.answer_tcp(ACK | PSH, seq=1001, ack=1019, data=bytes(range(256)) * 5 + b"!")
    c.answer_tcp(ACK | FIN, seq=2282, ack=1019)
    c.send_tcp(ACK | FIN, seq=1019, ack=2283)
    c.answer_tcp(ACK, seq=2283, ack=1020)
    c.send_tcp(SYN, sport=40001)
    c.answer_tcp(RST | ACK, dport=40001, ack=1001)


def case_icmp():
    c = Case("icmp-echo", "ICMP echo: the identifier is the port", two_ports())
    for seq in range(3):
        c.out(ipv4(HOST, SERVER, 1, icmp(8, 4711, seq, bytes(range(56)))))
        c.back(ipv4(SERVER, WAN, 1, icmp(0, c.outside(), seq, bytes(range(56)))))
    c.out(ipv4(HOST2, SERVER, 1, icmp(8, 4711, 0, b"odd")))  # the same identifier from another host
    c.back(ipv4(SERVER, WAN, 1, icmp(0, c.outside(), 0, b"odd")))
    c.out(ipv4(HOST, SERVER, 1, icmp(8, 5, 0)))  # below the range of ports
    c.back(ipv4(SERVER, WAN, 1, icmp(0, c.outside(), 0)))
    c.back(ipv4(SERVER, WAN, 1, icmp(8, 4711, 0)), "kernel_no_flow")  # a ping of the router itself


def case_conflict():
    c = Case("port-conflict", "several hosts with one source port; a narrow range, used up",
             two_ports(lo=5000, hi=5003, probes=16))
    c.send_udp(HOST, 5000, SERVER, 53)
    c.answer_udp(SERVER, 53, 5000)
    for last in range(11, 14):
        c.send_udp("192.168.1.%d" % last, 5000, SERVER, 53)
        c.answer_udp(SERVER, 53, c.outside())
    c.send_udp("192.168.1.14", 5000, SERVER, 53, expect="slow_no_port")
    c.send_udp("192.168.1.14", 5000, SERVER2, 53)  # another destination: all ports are free again
    c.answer_udp(SERVER2, 53, c.outside())
    c.send_udp(HOST, 5000, SERVER, 53, b"again")  # nothing was thrown out
    c.send_udp(HOST, 40000, SERVER, 54)  # outside the range


def case_reserve():
    c = Case("reserve", "ports on the reserve list are never handed out",
             two_ports(lo=8000, hi=8007, probes=16, reserve=[8000, 8002, 8003, 8004, 8005, 8006]))
    c.send_udp(HOST, 8000, SERVER, 53)
    c.answer_udp(SERVER, 53, c.outside())
    c.send_udp(HOST, 8002, SERVER, 53)
    c.answer_udp(SERVER, 53, c.outside())
    c.send_udp(HOST, 8003, SERVER, 53, expect="slow_no_port")
    c.send_tcp(SYN, sport=8004)  # TCP has ports of its own
    c.answer_udp(SERVER, 53, 8000, expect="kernel_no_flow")


def case_trunk():
    home = Home([Port("lan", "lan", "eth0.1", ROUTER + "/24", link="eth0", vid=1),
                 Port("wan", "wan", "eth0.2", WAN + "/24", link="eth0", vid=2, gateway=GATEWAY)],
                neighbours=dict(NEIGHBOURS))
    c = Case("vlan-trunk", "one interface, VLAN 1 is the LAN and VLAN 2 the WAN; priorities stay", home)
    c.send_udp(HOST, 6000, SERVER, 53)
    c.answer_udp(SERVER, 53, 6000)
    c.send_udp(HOST, 6000, SERVER, 53, tag=0xA001)
    c.answer_udp(SERVER, 53, 6000, tag=0xF002)
    c.send_tcp(SYN)
    c.answer_tcp(SYN | ACK)
    c.send_udp(HOST, 6001, SERVER, 53, tag=3, expect="kernel_port")
    c.frame("lan", ether(LAN_MAC, HOST_MAC, ipv4(HOST, SERVER, 17, udp(HOST, 1, SERVER, 2))), "kernel_port")
    c.frame("lan", ether("ff:ff:ff:ff:ff:ff", HOST_MAC, bytes(28), kind=0x0806, tag=1), "kernel_type")
    c.send_udp(HOST, 6002, SERVER, 53, tag=2, expect="kernel_mac")  # the LAN's station in the WAN's VLAN


def case_push_pop():
    home = Home([Port("lan", "lan", "lan0", ROUTER + "/24"),
                 Port("wan", "wan", "wan7", WAN + "/24", link="eth0", vid=7, gateway=GATEWAY)],
                neighbours=dict(NEIGHBOURS))
    c = Case("vlan-push-pop", "untagged LAN, WAN in VLAN 7: tags pushed and popped, also of priority tags", home)
    c.send_udp(HOST, 6000, SERVER, 53)
    c.answer_udp(SERVER, 53, 6000)
    c.answer_udp(SERVER, 53, 6000, tag=0xE007)
    c.send_udp(HOST, 6000, SERVER, 53, tag=0x6000)  # VLAN 0: no more than a priority
    c.send_udp(HOST, 6000, SERVER, 53, tag=7, expect="kernel_port")
    c.send_udp(HOST, 6000, SERVER, 53, b"", pad=18)
    c.answer_udp(SERVER, 53, 6000, b"", pad=14)
    c.out(ipv4(HOST, SERVER, 1, icmp(8, 99999 & 0xFFFF, 1, b"ping")))


def case_options():
    c = Case("ip-options", "IPv4 options of every length", two_ports())
    for words in range(1, 11):
        options = bytes([0x94, 4, 0, 0]) + b"\x01" * (words * 4 - 4)
        c.send_udp(HOST, 7000 + words, SERVER, 53, options=options)
        c.answer_udp(SERVER, 53, c.outside(), options=options)
    timestamp = bytes([68, 12, 5, 0]) + bytes(8)
    c.out(ipv4(HOST, SERVER, 6, tcp(HOST, 7100, SERVER, 80, SYN, options=b"\x02\x04\x05\xb4"), options=timestamp))
    c.out(ipv4(HOST, SERVER, 1, icmp(8, 7200, 1, b"x"), options=timestamp))


def data_for_zero(src, sport, dst, dport):
    """Two bytes that make the UDP checksum come out as zero, which is sent as all ones."""
    for word in range(65536):
        data = struct.pack("!H", word)
        head = struct.pack("!HHHH", sport, dport, 10, 0)
        if csum(pseudo(src, dst, 17, 10) + head + data) == 0:
            return data
    raise AssertionError


def case_udp_zero():
    c = Case("udp-zero-checksum", "no UDP checksum stays none; one that comes out as zero is sent as all ones",
             two_ports())
    c.send_udp(HOST, 7000, SERVER, 53, nosum=True)
    c.answer_udp(SERVER, 53, 7000, nosum=True)
    c.send_udp(HOST, 7000, SERVER, 53)
    c.send_udp(HOST, 7001, SERVER, 53, data_for_zero(WAN, 7001, SERVER, 53))  # zero after translation
    c.send_udp(HOST, 7002, SERVER, 53, data_for_zero(HOST, 7002, SERVER, 53))  # all ones before
    c.answer_udp(SERVER, 53, 7002, data_for_zero(SERVER, 53, HOST, 7002))
    c.answer_udp(SERVER, 53, 7001, data_for_zero(SERVER, 53, WAN, 7001))


def case_padding():
    c = Case("padding", "short packets in padded frames: the IPv4 length counts", two_ports())
    for size in (0, 1, 5, 17):
        c.send_udp(HOST, 7000, SERVER, 53, bytes(size), pad=18 - size)
        c.answer_udp(SERVER, 53, 7000, bytes(size), pad=18 - size)
    c.send_udp(HOST, 7000, SERVER, 53, b"trailer", pad=200)
    packet = ipv4(HOST, SERVER, 17, udp(HOST, 7001, SERVER, 53, b"within") + b"beyond UDP")
    c.out(packet, pad=3)  # bytes between the end of UDP and that of IPv4


def case_malformed():
    c = Case("malformed", "wrong in every header: dropped, no flow made", two_ports())
    good = udp(HOST, 7000, SERVER, 53, b"good")
    segment = tcp(HOST, 7000, SERVER, 80, SYN)
    whole = ether(LAN_MAC, HOST_MAC, ipv4(HOST, SERVER, 17, good))
    tagged = ether(LAN_MAC, HOST_MAC, ipv4(HOST, SERVER, 17, good), tag=0)
    for size, reason in ((14, "drop_ip_short"), (15, "drop_ip_short"), (33, "drop_ip_short"), (34, "drop_ip_length"),
                         (len(whole) - 1, "drop_ip_length")):
        c.frame("lan", whole[:size], reason)
    for size, reason in ((14, "drop_eth_short"), (17, "drop_eth_short"), (18, "drop_ip_short"), (37, "drop_ip_short")):
        c.frame("lan", tagged[:size], reason)
    for version in (0, 5, 6, 15):
        c.out(ipv4(HOST, SERVER, 17, good, version=version), "drop_ip_version")
    for ihl in range(5):
        c.out(ipv4(HOST, SERVER, 17, good, ihl=ihl), "drop_ip_ihl")
    for length in (0, 19):
        c.out(ipv4(HOST, SERVER, 17, good, length=length), "drop_ip_length")
    c.out(ipv4(HOST, SERVER, 17, good, ihl=6, length=23), "drop_ip_length")
    c.out(ipv4(HOST, SERVER, 17, good, length=33), "drop_ip_length")
    c.out(ipv4(HOST, SERVER, 17, b"", ihl=15, length=60), "drop_ip_length")
    for bit in range(16):
        c.out(ipv4(HOST, SERVER, 17, good, check=1 << bit), "drop_ip_csum")
    c.out(ipv4(HOST, SERVER, 17, good, options=b"\x01\x01\x01\x00", check=0x100), "drop_ip_csum")
    for source in ("0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"):
        c.out(ipv4(source, SERVER, 17, udp(source, 7000, SERVER, 53)), "drop_ip_source")
        c.back(ipv4(source, WAN, 17, udp(source, 53, WAN, 7000)), "drop_ip_source")
    for size in range(8):
        c.out(ipv4(HOST, SERVER, 17, good[:size]), "drop_l4_short")
        c.out(ipv4(HOST, SERVER, 1, icmp(8, 1, 1)[:size]), "drop_l4_short", pad=20)
    for size in (0, 4, 19):
        c.out(ipv4(HOST, SERVER, 6, segment[:size]), "drop_l4_short", pad=20)
    for doff in (0, 4, 6, 15):
        c.out(ipv4(HOST, SERVER, 6, tcp(HOST, 7000, SERVER, 80, SYN, doff=doff)), "drop_tcp_offset", pad=8)
    for length in list(range(8)) + [13, 65535]:
        c.out(ipv4(HOST, SERVER, 17, udp(HOST, 7000, SERVER, 53, b"good", length=length)), "drop_udp_length", pad=8)
    c.answer_udp(SERVER, 53, 7000, expect="kernel_no_flow")  # none of the above made a flow
    c.answer_tcp(SYN | ACK, dport=7000, expect="kernel_no_flow")


def case_ttl():
    c = Case("ttl", "TTL 2 is sent as 1; TTL 1 and 0 are not sent", two_ports())
    c.send_udp(HOST, 7000, SERVER, 53, ttl=1, expect="kernel_ttl")
    c.answer_udp(SERVER, 53, 7000, expect="kernel_no_flow")  # and made no flow
    c.send_udp(HOST, 7000, SERVER, 53, ttl=2)
    for ttl in (0, 1):
        c.send_udp(HOST, 7000, SERVER, 53, ttl=ttl, expect="kernel_ttl")
        c.answer_udp(SERVER, 53, 7000, ttl=ttl, expect="slow_ttl")
    c.answer_udp(SERVER, 53, 7000, ttl=2)
    c.send_udp(HOST, 7000, SERVER, 53, ttl=255)


def case_not_ours():
    c = Case("not-ours", "what is Linux's: ARP, IPv6, other stations, this router's own traffic", two_ports())
    good = ipv4(HOST, SERVER, 17, udp(HOST, 7000, SERVER, 53))
    c.frame("lan", ether("ff:ff:ff:ff:ff:ff", HOST_MAC, bytes(28), kind=0x0806, pad=18), "kernel_type")
    c.frame("lan", ether(LAN_MAC, HOST_MAC, b"\x60" + bytes(39), kind=0x86DD), "kernel_type")
    c.frame("wan", ether("01:80:c2:00:00:0e", GATEWAY_MAC, bytes(50), kind=0x88CC), "kernel_type")
    c.frame("lan", ether(LAN_MAC, HOST_MAC, b"\0\1\x08\0" + good, kind=0x8100, tag=0), "kernel_type")  # two tags
    c.frame("lan", ether(LAN_MAC, HOST_MAC, good, tag=5), "kernel_port")
    c.frame("lan", ether("ff:ff:ff:ff:ff:ff", HOST_MAC, good), "kernel_mac")
    c.frame("lan", ether("01:00:5e:00:00:fb", HOST_MAC, good), "kernel_mac")
    c.frame("lan", ether(WAN_MAC, HOST_MAC, good), "kernel_mac")
    for dst in (ROUTER, WAN, "192.168.1.255", "192.168.1.77", "203.0.113.255", "224.0.0.251", "239.1.2.3",
                "255.255.255.255", "127.0.0.1", "0.0.0.0"):
        c.send_udp(HOST, 7000, dst, 53, expect="kernel_route")
        c.out(ipv4(HOST, dst, 1, icmp(8, 1, 1)), "kernel_route")
        c.out(ipv4(HOST, dst, 47, b"gre"), "kernel_route")
    c.answer_udp(SERVER, 53, 7000, expect="kernel_no_flow")
    c.answer_tcp(SYN, sport=50000, dport=22, expect="kernel_no_flow")
    c.back(ipv4(SERVER, WAN, 1, icmp(3, 0, 0, bytes(28), code=3)), "kernel_no_flow")
    c.back(ipv4(SERVER, WAN, 41, bytes(40)), "kernel_no_flow")
    c.back(ipv4(SERVER, HOST, 17, udp(SERVER, 53, HOST, 7000)), "kernel_no_flow")  # an inside address from outside


def untranslated(name, policy):
    c = Case(name, "protocols without ports, and a fragment without its first: " + policy,
             two_ports(untranslated=policy))

    def expect(drop):
        return "kernel_untranslated" if policy == "kernel" else drop

    packet = udp(HOST, 7000, SERVER, 53, bytes(32))
    c.out(ipv4(HOST, SERVER, 17, packet[16:], flags=2), "slow_fragment")
    c.out(ipv4(HOST, SERVER, 47, bytes(20)), expect("drop_protocol"))
    c.out(ipv4(HOST, SERVER, 0, b""), expect("drop_protocol"))
    c.out(ipv4(HOST, SERVER, 1, icmp(0, 7000, 1)), expect("drop_icmp_type"))
    c.out(ipv4(HOST, SERVER, 1, icmp(13, 7000, 1, bytes(12))), expect("drop_icmp_type"))
    c.out(ipv4(HOST, SERVER, 17, packet, flags=0x2000, ttl=1), "kernel_ttl")
    c.out(ipv4(HOST, "192.168.1.200", 47, bytes(20)), "kernel_route")
    c.back(ipv4(SERVER, WAN, 17, packet, flags=0x2000), "kernel_no_flow")


def case_mtu():
    c = Case("mtu", "larger than the way out: DF is Linux's to answer, the rest the daemon cuts up",
             two_ports(wan={"mtu": 1400}))
    for size, flags, expect in ((1372, 0x4000, "forward_out"), (1373, 0x4000, "kernel_too_big"),
                                (1373, 0, "slow_too_big")):
        c.send_udp(HOST, 7000 + size, SERVER, 53, bytes(size), flags=flags, expect=expect)
    c.send_udp(HOST, 7000, SERVER, 53, bytes(1373), expect="kernel_too_big")
    c.answer_udp(SERVER, 53, 7000, expect="kernel_no_flow")  # no flow before something was sent
    c.send_udp(HOST, 7000, SERVER, 53)
    c.answer_udp(SERVER, 53, 7000, bytes(1472))
    c.send_udp(HOST, 7000, SERVER, 53, bytes(1373), flags=0, expect="slow_too_big")


def case_several_lans():
    home = Home([Port("lan", "lan", "lan0", ROUTER + "/24"),
                 Port("lan guest", "lan", "guest0", "192.168.2.1/24"),
                 Port("lan lab", "lan", "lab30", "10.0.0.1/8", link="guest0", vid=30),
                 Port("wan", "wan", "wan0", WAN + "/24", gateway=GATEWAY)], neighbours=dict(NEIGHBOURS))
    c = Case("several-lans", "three LANs, one of them in a VLAN; no way between them through Portico", home)
    guest, lab = "192.168.2.10", "10.200.0.7"
    c.send_udp(HOST, 7000, SERVER, 53)
    c.send_udp(guest, 7000, SERVER, 53, name="lan guest", src="02:cc:00:00:00:10")
    guest_port = c.outside()
    c.send_udp(lab, 7000, SERVER, 53, name="lan lab", src="02:dd:00:00:00:07")
    lab_port = c.outside()
    for port in (7000, guest_port, lab_port):
        c.answer_udp(SERVER, 53, port)
    c.send_udp(guest, 7001, HOST, 53, name="lan guest", expect="kernel_route")
    c.send_udp(lab, 7001, guest, 53, name="lan lab", expect="kernel_route")
    c.send_udp(HOST, 7001, "192.168.2.1", 53, expect="kernel_route")
    c.frame("lan guest", ether(LAN_MAC, HOST_MAC, ipv4(guest, SERVER, 17, udp(guest, 7002, SERVER, 53))), "kernel_mac")


def case_on_link():
    home = Home([Port("lan", "lan", "lan0", ROUTER + "/24"), Port("wan", "wan", "wan0", WAN + "/31")])
    c = Case("on-link", "a WAN without gateway: every destination is a neighbour; networks of two and of one", home)
    c.send_udp(HOST, 7000, SERVER, 53)
    c.answer_udp(SERVER, 53, 7000)
    c.send_udp(HOST, 7000, "203.0.113.3", 53)  # the other end of the /31, no broadcast
    c.answer_udp("203.0.113.3", 53, 7000)
    c.send_udp(HOST, 7000, "192.168.1.0", 53, expect="kernel_route")


def make():
    for case in (case_udp, case_tcp, case_icmp, case_conflict, case_reserve, case_trunk, case_push_pop, case_options,
                 case_udp_zero, case_padding, case_malformed, case_ttl, case_not_ours, case_mtu, case_several_lans,
                 case_on_link):
        case()
    untranslated("untranslated", "drop")
    untranslated("untranslated-kernel", "kernel")
