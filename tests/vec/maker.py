# SPDX-License-Identifier: GPL-2.0-or-later
"""maker.py - a golden vector while it is made: frames go through the model, and both sides are kept"""
import filecmp
import os
import socket
import sys
import tempfile
from ipaddress import IPv4Address

from frames import ether, ipv4, ipv6, pcap_write, tcp, udp
from oracle import Edge, Home, Port, Relay

HOST, HOST2, SERVER, SERVER2 = "192.168.1.10", "192.168.1.11", "198.51.100.9", "198.51.100.10"
WAN, GATEWAY, ROUTER = "203.0.113.2", "203.0.113.1", "192.168.1.1"
GATEWAY6 = "2001:db8:f000::bb:1"
LAN_MAC, WAN_MAC = "02:00:00:00:00:01", "02:00:00:00:00:02"
HOST_MAC, GATEWAY_MAC = "02:aa:00:00:00:10", "02:bb:00:00:00:01"
NEIGHBOURS = {HOST: HOST_MAC, GATEWAY: GATEWAY_MAC}
START, STEP = 1_700_000_000_000_000_000, 1_000_000


def two_ports(**more):
    return Home([Port("lan", "lan", "lan0", ROUTER + "/24", **more.pop("lan", {})),
                 Port("wan", "wan", "wan0", WAN + "/24", gateway=GATEWAY, **more.pop("wan", {}))],
                neighbours=dict(NEIGHBOURS), **more)


def inner(frame):
    """What is in a frame: (ends of the tunnel or None, IPv4 packet)."""
    at = 18 if frame[12:14] == b"\x81\x00" else 14
    if frame[at] >> 4 == 4:
        return None, frame[at:]
    ends = [socket.inet_ntop(socket.AF_INET6, frame[at + 8 + 16 * i:][:16]) for i in range(2)]
    return ends, frame[at + 40:]


class Case:
    """One golden vector: runs each frame through the model and keeps both sides. `reports` are those of users of
    comparable systems whose trouble it would have shown."""
    made = []

    def __init__(self, name, about, home, reports=None):
        self.name, self.about, self.home, self.time, self.reports = name, about, home, START, reports
        self.inputs = {port.name: [] for port in home.ports}
        self.outputs = {port.name: [] for port in home.ports}
        self.last = None
        Case.made.append(self)

    def port(self, name):
        return next(port for port in self.home.ports if port.name == name)

    def frame(self, name, frame, expect=None):
        self.time += STEP
        self.inputs[name].append((self.time, frame))
        reason, leaves, result = self.home.run(self.port(name), frame)
        if expect and reason != expect:
            sys.exit("%s: the model says %s where the case means %s" % (self.name, reason, expect))
        if leaves:
            self.outputs[leaves.name].append((self.time, result))
        self.last = result if leaves else None

    def out(self, packet, expect="forward_out", name="lan", src=HOST_MAC, tag=None, pad=0, kind=0x0800):
        port = self.port(name)
        if tag is None and port.vid:
            tag = port.vid
        self.frame(name, ether(port.mac, src, packet, tag=tag, pad=pad, kind=kind), expect)

    def back(self, packet, expect="forward_in", **how):
        self.out(packet, expect, "wan", GATEWAY_MAC, **how)

    def outside(self):
        """The port, or echo identifier, of the last frame that went out."""
        packet = inner(self.last)[1]
        l4 = packet[(packet[0] & 15) * 4:]
        return int.from_bytes(l4[4:6] if packet[9] == 1 else l4[:2], "big")

    def packet(self):
        """The IPv4 packet of the last frame that left."""
        packet = inner(self.last)[1]
        return packet[:int.from_bytes(packet[2:4], "big")]

    def tunnel(self, packet, expect, name, src, dst, pad=0, **outer):
        self.out(ipv6(src, dst, packet, **outer), expect, name, GATEWAY_MAC, pad=pad, kind=0x86DD)

    def send_udp(self, host, sport, server, dport, data=b"question", **how):
        ipv = {k: how.pop(k) for k in ("ttl", "options", "flags", "tos") if k in how}
        l4 = {k: how.pop(k) for k in ("nosum",) if k in how}
        self.out(ipv4(host, server, 17, udp(host, sport, server, dport, data, **l4), **ipv), **how)

    def answer_udp(self, server, sport, dport, data=b"answer", **how):
        ipv = {k: how.pop(k) for k in ("ttl", "options", "flags", "tos") if k in how}
        l4 = {k: how.pop(k) for k in ("nosum",) if k in how}
        self.back(ipv4(server, WAN, 17, udp(server, sport, WAN, dport, data, **l4), **ipv), **how)

    def send_tcp(self, flags, host=HOST, sport=40000, server=SERVER, dport=80, expect="forward_out", **segment):
        self.out(ipv4(host, server, 6, tcp(host, sport, server, dport, flags, **segment)), expect)

    def answer_tcp(self, flags, dport=40000, server=SERVER, sport=80, expect="forward_in", **segment):
        self.back(ipv4(server, WAN, 6, tcp(server, sport, WAN, dport, flags, **segment)), expect)


def port_text(home, port):
    lines = ["", "[%s]" % port.name, "interface = %s" % port.interface]
    if port.vid:
        lines += ["port = %s" % port.link, "vlan = %d" % port.vid]
    if port.address:
        lines += ["address = %s" % port.address.with_prefixlen]
    lines += ["mtu = %d" % port.mtu]
    if port.gateway:
        lines += ["gateway = %s" % port.gateway]
    if port.gateway6:
        lines += ["gateway6 = %s" % port.gateway6]
    for address, station in home.neighbours.items():
        if port.address and IPv4Address(address) in port.address.network:
            lines += ["neighbour = %s %s" % (address, station)]
    return lines


def tunnel_text(home):
    lines = []
    if home.hops != 64:
        lines += ["hop-limit = %d" % home.hops]
    if home.dscp is not None:
        lines += ["dscp = %d" % home.dscp]
    if home.ecn != "normal":
        lines += ["ecn = %s" % home.ecn]
    if home.path_mtu:
        lines += ["mtu = %d" % home.path_mtu]
    return lines


def edge_text(home):
    lines = ["", "[map-e]"] + ["rule = %s" % rule.text for rule in home.rules]
    if home.rules[0].layout != "rfc7597":
        lines += ["format = %s" % home.rules[0].layout]
    lines += ["prefix = %s" % home.delegated] + ["border-relay = %s" % relay for relay in home.relays]
    return lines + tunnel_text(home)


def relay_text(home):
    lines = []
    for name, address, rules in home.domains:
        lines += ["", "[%s]" % name, "address = %s" % address] + ["rule = %s" % rule.text for rule in rules]
        if rules[0].layout != "rfc7597":
            lines += ["format = %s" % rules[0].layout]
        lines += tunnel_text(home)
    return lines


def nat_text(home):
    lines = ["", "[nat]"]
    if not isinstance(home, Edge):
        lines += ["ports = %d-%d" % (home.lo, home.hi)]
    lines += ["probes = %d" % home.probes, "seed = %d" % home.seed]
    if home.mapping != ("shared" if isinstance(home, Edge) else "endpoint-dependent"):
        lines += ["mapping = %s" % home.mapping]
    if home.reserve:
        lines += ["reserve = %s" % ", ".join(map(str, sorted(home.reserve)))]
    return lines


def conf_text(home, about, reports):
    lines = ["# %s" % about] + (["# reports: %s" % reports] if reports else [])
    lines += ["[gateway]", "untranslated = %s" % home.untranslated, "flows = %d" % home.flows]
    for port in home.ports:
        if port.role != "self":
            lines += port_text(home, port)
    if isinstance(home, Relay):
        lines += relay_text(home)
    else:
        lines += (edge_text(home) if isinstance(home, Edge) else []) + nat_text(home)
    return "\n".join(lines) + "\n"


def write(case, top):
    where = os.path.join(top, case.name)
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, "portico.conf"), "w") as out:
        out.write(conf_text(case.home, case.about, case.reports))
    for port in case.home.ports:
        name = port.name.replace(" ", "-") + ".pcap"
        pcap_write(os.path.join(where, name), case.inputs[port.name])
        pcap_write(os.path.join(where, "out-" + name), case.outputs[port.name])
    with open(os.path.join(where, "counters.txt"), "w") as out:
        for reason, (packets, size) in sorted(case.home.counters.items()):
            out.write("%s %d %d\n" % (reason, packets, size))


def check(here):
    with tempfile.TemporaryDirectory() as top:
        for case in Case.made:
            write(case, top)
        bad = 0
        for case in Case.made:
            ours, theirs = os.path.join(top, case.name), os.path.join(here, case.name)
            names = os.listdir(ours)
            extra = set(os.listdir(theirs)) - set(names) if os.path.isdir(theirs) else set()
            _, differ, missing = filecmp.cmpfiles(ours, theirs, names, shallow=False)
            for name in differ + missing + sorted(extra):
                print("%s/%s differs from what make-inputs makes" % (case.name, name))
                bad = 1
        known = {case.name for case in Case.made}
        for name in os.listdir(here):
            if os.path.isdir(os.path.join(here, name)) and name not in known and not name.startswith("_"):
                print("%s: make-inputs knows no such case" % name)
                bad = 1
    sys.exit(bad)
