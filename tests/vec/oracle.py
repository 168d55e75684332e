# SPDX-License-Identifier: GPL-2.0-or-later
"""oracle.py - what a NAT must do, written to be read, not to be fast

Shares no code and no method with the packet core: dictionaries for flows, addresses as text, checksums computed anew
over the whole packet, headers rebuilt instead of patched. What both say can hardly be a mistake of one.
"""
import ipaddress
import socket
import struct

from frames import csum, ip, mac

ICMP, TCP, UDP = 1, 6, 17


def halfsiphash13(message, key):
    """HalfSipHash-1-3 as its reference code has it: 32-bit words, little endian, four bytes out."""
    def rotl(x, b):
        return (x << b | x >> (32 - b)) & 0xFFFFFFFF

    def mix(v):
        for a, b, left in ((0, 1, 5), (2, 3, 8), (0, 3, 7), (2, 1, 13)):
            v[a] = (v[a] + v[b]) & 0xFFFFFFFF
            v[b] = rotl(v[b], left) ^ v[a]
            if (a, b) in ((0, 1), (2, 1)):
                v[a] = rotl(v[a], 16)

    k0, k1 = struct.unpack("<II", key)
    v = [k0, k1, 0x6C796765 ^ k0, 0x74656462 ^ k1]
    tail = len(message) % 4
    words = list(struct.unpack("<%dI" % (len(message) // 4), message[:len(message) - tail]))
    last = message[len(message) - tail:] + bytes(3 - tail) + bytes([len(message) & 255])
    for word in words + list(struct.unpack("<I", last)):
        v[3] ^= word
        mix(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        mix(v)
    return v[1] ^ v[3]


class Port:
    def __init__(self, name, role, interface, address, link=None, vid=0, gateway=None, mtu=1500):
        self.name, self.role, self.interface, self.vid = name, role, interface, vid
        self.link = link or interface
        self.address = ipaddress.IPv4Interface(address) if address else None
        self.gateway, self.mtu, self.mac = gateway, mtu, None


class Home:
    def __init__(self, ports, lo=1024, hi=65535, reserve=(), probes=16, seed=1, untranslated="drop", neighbours=None,
                 flows=65536):
        self.ports, self.lo, self.hi, self.reserve, self.probes = ports, lo, hi, set(reserve), probes
        self.seed, self.untranslated, self.flows = seed, untranslated, flows
        self.neighbours = neighbours or {}
        for i, port in enumerate(ports):
            port.mac = "02:00:00:00:00:%02x" % (i + 1)
        self.wan = next(p for p in ports if p.role == "wan")
        self.out, self.back, self.counters = {}, {}, {}

    # one frame that came in on the link of `port`: (reason, port it leaves by, frame)
    def run(self, port, frame):
        reason, leaves, result = self.decide(port.link, frame)
        packets, size = self.counters.get(reason, (0, 0))
        self.counters[reason] = (packets + 1, size + len(frame))
        return reason, leaves, result

    def decide(self, link, frame):
        try:
            port, tci, at = self.ethernet(link, frame)
            head, l4 = self.ipv4(frame[at:])
        except Verdict as verdict:
            return verdict.reason, None, frame
        pad = frame[at + head["length"]:]
        way = "out" if port.role == "lan" else "in"
        try:
            flow = self.tuple(way, head, l4)
        except Verdict as verdict:
            return verdict.reason, None, frame
        try:
            leaves, nexthop, changed = self.outbound(port, head, flow, l4) if way == "out" else self.inbound(head, flow)
        except Verdict as verdict:
            return verdict.reason, None, frame
        packet = self.rebuild(head, l4, changed)
        tags = b""
        if leaves.vid:
            tags = struct.pack("!HH", 0x8100, (tci or 0) & 0xF000 | leaves.vid)
        station = self.neighbours.get(nexthop, "02:00:" + ":".join("%02x" % b for b in ip(nexthop)))
        result = mac(station) + mac(leaves.mac) + tags + b"\x08\x00" + packet + pad
        return "forward_" + way, leaves, result

    def ethernet(self, link, frame):
        if len(frame) < 14:
            raise Verdict("drop_eth_short")
        kind, tci, at = frame[12:14], None, 14
        if kind == b"\x81\x00":
            if len(frame) < 18:
                raise Verdict("drop_eth_short")
            tci, kind, at = int.from_bytes(frame[14:16], "big"), frame[16:18], 18
        for port in self.ports:
            if port.link == link and port.vid == (tci or 0) & 0xFFF:
                break
        else:
            raise Verdict("kernel_port")
        if kind != b"\x08\x00":
            raise Verdict("kernel_type")
        if frame[:6] != mac(port.mac):
            raise Verdict("kernel_mac")
        return port, tci, at

    @staticmethod
    def ipv4(data):
        if len(data) < 20:
            raise Verdict("drop_ip_short")
        if data[0] >> 4 != 4:
            raise Verdict("drop_ip_version")
        ihl = (data[0] & 15) * 4
        if ihl < 20:
            raise Verdict("drop_ip_ihl")
        length = int.from_bytes(data[2:4], "big")
        if length < ihl or length > len(data):
            raise Verdict("drop_ip_length")
        if csum(data[:ihl]):
            raise Verdict("drop_ip_csum")
        source = ipaddress.IPv4Address(data[12:16])
        if source.is_loopback or source.is_multicast or int(source) >> 28 == 15 or int(source) >> 24 == 0:
            raise Verdict("drop_ip_source")
        fragment = int.from_bytes(data[6:8], "big")
        return {"ihl": ihl, "length": length, "raw": data[:ihl], "ttl": data[8], "proto": data[9],
                "src": socket.inet_ntoa(data[12:16]), "dst": socket.inet_ntoa(data[16:20]),
                "df": bool(fragment & 0x4000), "fragment": bool(fragment & 0x3FFF)}, data[ihl:length]

    # (protocol, source port, destination port), or the reason why there is none
    @staticmethod
    def tuple(way, head, l4):
        if head["fragment"]:
            return "drop_fragment"
        proto = head["proto"]
        if proto not in (ICMP, TCP, UDP):
            return "drop_protocol"
        if len(l4) < (20 if proto == TCP else 8):
            raise Verdict("drop_l4_short")
        if proto == TCP and not 20 <= (l4[12] >> 4) * 4 <= len(l4):
            raise Verdict("drop_tcp_offset")
        if proto == UDP and not 8 <= int.from_bytes(l4[4:6], "big") <= len(l4):
            raise Verdict("drop_udp_length")
        if proto == ICMP:
            if l4[0] != (8 if way == "out" else 0):
                return "drop_icmp_type"
            ident = int.from_bytes(l4[4:6], "big")
            return (proto, ident, 0) if way == "out" else (proto, 0, ident)
        return (proto,) + struct.unpack("!HH", l4[:4])

    def outbound(self, port, head, flow, l4):
        known = isinstance(flow, tuple) and (flow, head["src"], head["dst"]) in self.out
        if not known:
            self.open(head, flow)
        leaves, nexthop = self.route(head["dst"])
        if head["ttl"] <= 1:
            raise Verdict("kernel_ttl")
        self.fits(head, leaves, "out")
        return leaves, nexthop, {"src": str(self.wan.address.ip), "sport": self.out[flow, head["src"], head["dst"]]}

    def open(self, head, flow):
        dst = ipaddress.IPv4Address(head["dst"])
        if int(dst) == 0 or dst.is_loopback or dst.is_multicast or head["dst"] == "255.255.255.255":
            raise Verdict("kernel_route")
        if head["ttl"] <= 1:
            raise Verdict("kernel_ttl")
        leaves, _ = self.route(head["dst"])
        if leaves.role != "wan":
            raise Verdict("kernel_route")
        if isinstance(flow, str):
            raise Verdict("kernel_untranslated" if self.untranslated == "kernel" else flow)
        self.fits(head, leaves, "out")
        proto, sport, dport = flow
        outside = self.choose(head, proto, sport, dport)
        self.out[flow, head["src"], head["dst"]] = outside
        back = (proto, 0, outside) if proto == ICMP else (proto, dport, outside)
        self.back[back, head["dst"]] = (head["src"], sport)

    def choose(self, head, proto, sport, dport):
        message = ip(head["src"]) + ip(head["dst"]) + struct.pack("<HHHBB", dport, sport, 0, 0, proto)
        start = halfsiphash13(message, struct.pack("<II", self.seed, self.seed ^ 0xFFFFFFFF))
        count = self.hi - self.lo + 1
        for i in range(self.probes):
            at = (start + i * 0x9E3779B9) % 2**32  # round the set by the golden ratio
            candidate = sport if i == 0 and self.lo <= sport <= self.hi else self.lo + at * count // 2**32
            back = (proto, 0, candidate) if proto == ICMP else (proto, dport, candidate)
            if candidate not in self.reserve and (back, head["dst"]) not in self.back:
                if len(self.back) == self.flows:
                    raise Verdict("drop_table_full")
                return candidate
        raise Verdict("drop_no_port")

    def inbound(self, head, flow):
        if isinstance(flow, str) or head["dst"] != str(self.wan.address.ip):
            raise Verdict("kernel_no_flow")
        if (flow, head["src"]) not in self.back:
            raise Verdict("kernel_no_flow")
        if head["ttl"] <= 1:
            raise Verdict("drop_ttl")
        inside, port = self.back[flow, head["src"]]
        leaves, nexthop = self.route(inside)
        self.fits(head, leaves, "in")
        return leaves, nexthop, {"dst": inside, "dport": port}

    def route(self, dst):
        """Own addresses and broadcasts are local; then the connected networks; then the default route."""
        dst = ipaddress.IPv4Address(dst)
        connected = [p for p in self.ports if p.address and dst in p.address.network]
        for port in connected:
            net = port.address.network
            if dst == port.address.ip or (net.prefixlen < 31 and dst == net.broadcast_address):
                raise Verdict("kernel_route")
        if connected:
            return connected[0], str(dst)
        return self.wan, self.wan.gateway or str(dst)

    @staticmethod
    def fits(head, leaves, way):
        if head["length"] > leaves.mtu:
            raise Verdict("kernel_too_big" if head["df"] and way == "out" else "drop_too_big")

    @staticmethod
    def rebuild(head, l4, changed):
        raw, proto = head["raw"], head["proto"]
        src, dst = changed.get("src", head["src"]), changed.get("dst", head["dst"])
        raw = raw[:8] + bytes([head["ttl"] - 1, proto]) + b"\0\0" + ip(src) + ip(dst) + raw[20:]
        raw = raw[:10] + struct.pack("!H", csum(raw)) + raw[12:]
        if proto == ICMP:
            ident = changed.get("sport", changed.get("dport"))
            l4 = l4[:2] + b"\0\0" + struct.pack("!H", ident) + l4[6:]
            return raw + l4[:2] + struct.pack("!H", csum(l4)) + l4[4:]
        ports = list(struct.unpack("!HH", l4[:4]))
        ports[0] = changed.get("sport", ports[0])
        ports[1] = changed.get("dport", ports[1])
        l4, at = struct.pack("!HH", *ports) + l4[4:], 16 if proto == TCP else 6
        covered = len(l4) if proto == TCP else int.from_bytes(l4[4:6], "big")
        blank = l4[:at] + b"\0\0" + l4[at + 2:]
        check = csum(ip(src) + ip(dst) + struct.pack("!BBH", 0, proto, covered) + blank[:covered])
        if proto == UDP:
            check = 0 if l4[6:8] == b"\0\0" else check or 0xFFFF
        return raw + blank[:at] + struct.pack("!H", check) + blank[at + 2:]


class Verdict(Exception):
    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason
