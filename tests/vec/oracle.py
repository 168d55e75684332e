# SPDX-License-Identifier: GPL-2.0-or-later
"""oracle.py - what a NAT, a customer edge and a border relay must do, written to be read, not to be fast

Shares no code and no method with the packet core: dictionaries for flows, addresses as text, checksums computed anew
over the whole packet, headers rebuilt instead of patched. What both say can hardly be a mistake of one.

    Router   reads a frame into a Packet, and sends one
    Home     a NAPT44                               Edge     the same with a tunnel: a MAP-E customer edge
                                                    Relay    the tunnel's other end
"""
import ipaddress
import socket
import struct

from frames import csum, ip, ipv6, mac
from portset import Ports, Verdict
from rewrite import DCCP, ICMP, SCTP, TCP, UDP, UDPLITE, rebuild
from softwire import LEAVES, match

SHORTEST = {TCP: 20, UDP: 8, UDPLITE: 8, DCCP: 12, SCTP: 12}  # bytes of header
ERRORS = (3, 11, 12)  # ICMP types that quote a packet


class Port:
    def __init__(self, name, role, interface, address=None, link=None, vid=0, gateway=None, gateway6=None, mtu=1500):
        self.name, self.role, self.interface, self.vid = name, role, interface, vid
        self.link = link or interface
        self.address = ipaddress.IPv4Interface(address) if address else None
        self.gateway, self.gateway6, self.mtu, self.mac = gateway, gateway6, mtu, None


class Packet:
    """An IPv4 packet as it came in: `flow` is (protocol, source port, destination port), or why there is none."""
    outer, quote, syn = None, None, False


class Router:
    tunnel_role = None  # of the ports where the tunnel is
    translates = True

    def __init__(self, ports, untranslated="drop", neighbours=None, flows=65536, seed=1):
        self.ports, self.untranslated, self.flows, self.seed = ports, untranslated, flows, seed
        self.neighbours = neighbours or {}
        for i, port in enumerate(ports):
            port.mac = "02:00:00:00:00:%02x" % (i + 1)
        self.counters, self.fragments = {}, {}

    def role(self, role):
        return next(port for port in self.ports if port.role == role)

    # one frame that came in on the link of `port`: (reason, port it leaves by, frame)
    def run(self, port, frame):
        try:
            reason, leaves, result = self.forward(self.read(port.link, frame))
        except Verdict as verdict:
            reason, leaves, result = verdict.reason, None, frame
        packets, size = self.counters.get(reason, (0, 0))
        self.counters[reason] = (packets + 1, size + len(frame))
        return reason, leaves, result

    def read(self, link, frame):
        port, tci, kind, at = self.ethernet(link, frame)
        outer, end = None, len(frame)
        if kind == b"\x86\xdd":
            outer, at, end = self.outer(port, frame, at)
        packet = self.ipv4(frame[at:], end - at)
        packet.port, packet.tci, packet.outer = port, tci, outer
        packet.way = "in" if port.role == "wan" else "out"
        packet.flow = self.tuple(packet)
        return packet

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
        if kind != b"\x08\x00" and not (self.tunnel_role and kind == b"\x86\xdd"):
            raise Verdict("kernel_type")
        if frame[:6] != mac(port.mac):
            raise Verdict("kernel_mac")
        return port, tci, kind, at

    # the header of a tunnel: (what is in it, where the IPv4 packet begins, where it must end)
    def outer(self, port, frame, at):
        head = frame[at:at + 40]
        if port.role != self.tunnel_role:
            raise Verdict("kernel_type")
        if len(head) < 40:
            raise Verdict("drop_tunnel_short")
        src, dst = (socket.inet_ntop(socket.AF_INET6, part) for part in (head[8:24], head[24:40]))
        if head[0] >> 4 != 6 or not self.mine(dst):
            raise Verdict("kernel_type")
        end = at + 40 + int.from_bytes(head[4:6], "big")
        if end > len(frame):
            raise Verdict("drop_tunnel_short")
        inner = at + 40
        if head[6] != 4:
            inner = self.other(head[6], frame, inner)
        return {"src": src, "dst": dst, "ecn": head[1] >> 4 & 3}, inner, end

    # no IPv4 packet at once behind the header: the encapsulation limit's 8 bytes at most (RFC 2473, 4.1.1)
    @staticmethod
    def other(kind, frame, at):
        rest = frame[at:at + 8]
        if kind == 44:
            raise Verdict("slow_reassemble")
        if kind == 41:
            raise Verdict("drop_tunnel_ipv6")
        if kind == 58 and len(rest) == 8 and rest[0] < 128:
            raise Verdict("slow_icmp6")
        if kind == 60 and len(rest) == 8 and rest[:2] == b"\x04\x00":
            return at + 8
        raise Verdict("kernel_type")

    @staticmethod
    def ipv4(data, end):
        if len(data) < 20:
            raise Verdict("drop_ip_short")
        if data[0] >> 4 != 4:
            raise Verdict("drop_ip_version")
        ihl = (data[0] & 15) * 4
        if ihl < 20:
            raise Verdict("drop_ip_ihl")
        length = int.from_bytes(data[2:4], "big")
        if length < ihl or length > end:
            raise Verdict("drop_ip_length")
        if csum(data[:ihl]):
            raise Verdict("drop_ip_csum")
        source = ipaddress.IPv4Address(data[12:16])
        if source.is_loopback or source.is_multicast or int(source) >> 28 == 15 or int(source) >> 24 == 0:
            raise Verdict("drop_ip_source")
        p, fragment = Packet(), int.from_bytes(data[6:8], "big")
        p.raw, p.l4, p.pad, p.length = data[:ihl], data[ihl:length], data[length:], length
        p.tos, p.id, p.ttl, p.proto = data[1], data[4:6], data[8], data[9]
        p.src, p.dst = socket.inet_ntoa(data[12:16]), socket.inet_ntoa(data[16:20])
        p.df, p.fragment, p.later = bool(fragment & 0x4000), bool(fragment & 0x3FFF), bool(fragment & 0x1FFF)
        p.far = p.src  # an error is about another's packet
        return p

    # (protocol, source port, destination port), or the reason why there is none
    def tuple(self, p):
        p.datagram = p.way, p.src, p.dst, p.id, p.proto
        if p.later:
            return self.fragments.get(p.datagram, "slow_fragment")
        found = self.whole(p)
        p.syn = p.proto == TCP and bool(p.l4[13] & 2)
        if not p.outer:  # out of a tunnel, anybody may have sent it
            self.first(p, found)
        return found

    def first(self, p, found):
        if p.fragment and not p.later and isinstance(found, tuple):
            self.fragments[p.datagram] = found

    def whole(self, p):
        if p.proto == ICMP:
            return self.icmp(p)
        if p.proto not in SHORTEST:
            return "drop_protocol"
        if p.proto == SCTP and p.fragment and self.translates:  # its CRC is over what is not all here
            return "drop_fragment"
        if len(p.l4) < SHORTEST[p.proto]:
            raise Verdict("drop_l4_short")
        if p.proto == TCP and not 20 <= (p.l4[12] >> 4) * 4 <= (60 if p.fragment else len(p.l4)):
            raise Verdict("drop_tcp_offset")
        if p.proto == UDP and not 8 <= int.from_bytes(p.l4[4:6], "big") <= (65535 if p.fragment else len(p.l4)):
            raise Verdict("drop_udp_length")
        return (p.proto,) + struct.unpack("!HH", p.l4[:4])

    def icmp(self, p):
        if len(p.l4) < 8:
            raise Verdict("drop_l4_short")
        echo = self.echo(p.way, p.l4)
        if echo:
            return (ICMP,) + echo
        if p.l4[0] not in ERRORS or p.fragment:
            return "drop_icmp_type"
        return self.error(p)

    # the ports that an echo stands for: the end that made up the identifier has it
    @staticmethod
    def echo(way, l4):
        ident = int.from_bytes(l4[4:6], "big")
        if l4[0] != (8 if way == "out" else 0):
            return None
        return (ident, 0) if way == "out" else (0, ident)

    # an error is of the flow whose packet it quotes, seen from the other side
    def error(self, p):
        if csum(p.l4):
            return "drop_icmp_csum"
        old = p.l4[8:]
        ihl = (old[0] & 15) * 4 if old else 0
        if len(old) < 20 or old[0] >> 4 != 4 or ihl < 20 or len(old) < ihl + 8 or csum(old[:ihl]) or \
                int.from_bytes(old[6:8], "big") & 0x1FFF or not self.answers(p, old):
            return "drop_icmp_quote"
        p.far = socket.inet_ntoa(old[16:20])
        proto, inner = old[9], old[ihl:]
        if proto == ICMP:
            ports = inner[0] in (0, 8) and self.echo_quoted(p.way, inner)
            if not ports:
                return "drop_icmp_type"
        elif proto in SHORTEST:
            ports = struct.unpack("!HH", inner[:4])[::-1]
        else:
            return "drop_protocol"
        p.quote = ihl
        return (proto,) + ports

    def answers(self, p, old):
        return socket.inet_ntoa(old[12:16]) == p.dst

    @staticmethod
    def echo_quoted(way, inner):
        ident = int.from_bytes(inner[4:6], "big")
        return (ident, 0) if way == "out" else (0, ident)

    @staticmethod
    def nowhere(dst):
        """This host, loopback, multicast and the limited broadcast are never forwarded (RFC 1122, 3.2.1.3)."""
        return dst in ("0.0.0.0", "255.255.255.255") or dst[:4] == "127." or ipaddress.IPv4Address(dst).is_multicast

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

    # the congestion that the way through the tunnel has marked goes into the packet (RFC 6040, 4.2)
    @staticmethod
    def marked(p):
        inner = LEAVES[p.tos & 3][p.outer["ecn"]]
        if inner is None:
            raise Verdict("drop_tunnel_ecn")
        return p.tos & 0xFC | inner

    # `hop`: the neighbour; `ends`: of a tunnel that the packet goes into
    def send(self, reason, p, leaves, hop, packet, ends=None):
        kind = 0x0800
        if ends:
            tos, kind = packet[1], 0x86DD
            traffic = (tos >> 2 if self.dscp is None else self.dscp) << 2 | (tos & 3 if self.ecn == "normal" else 0)
            packet = ipv6(ends[0], ends[1], packet, hops=self.hops, traffic=traffic)
        tags = struct.pack("!HH", 0x8100, (p.tci or 0) & 0xF000 | leaves.vid) if leaves.vid else b""
        last = ipaddress.ip_address(hop).packed[-4:]
        station = self.neighbours.get(hop, "02:00:" + ":".join("%02x" % b for b in last))
        return reason, leaves, mac(station) + mac(leaves.mac) + tags + struct.pack("!H", kind) + packet + p.pad


class Home(Router):
    def __init__(self, ports, lo=1024, hi=65535, reserve=(), probes=16, mapping="endpoint-dependent", **more):
        super().__init__(ports, **more)
        self.lo, self.hi, self.reserve, self.probes, self.mapping = lo, hi, set(reserve), probes, mapping
        self.wan, self.out, self.back = self.role("wan"), {}, {}
        self.outside = str(self.wan.address.ip) if self.wan.address else None
        self.numbers = Ports(range(lo, hi + 1), self.reserve, probes, self.seed, mapping)

    def forward(self, p):
        return self.outbound(p) if p.way == "out" else self.inbound(p)

    def outbound(self, p):
        known = isinstance(p.flow, tuple) and (p.flow, p.far, p.dst) in self.out
        if not known and self.nowhere(p.dst):
            raise Verdict("kernel_route")
        self.lives(p)
        leaves, hop, mtu, ends = self.way_out(p)
        why = p.flow if isinstance(p.flow, str) else "drop_icmp_type" if p.quote and not known else None
        if why:
            raise Verdict("kernel_untranslated" if self.untranslated == "kernel" and why[:4] == "drop" else why)
        self.fits(p, mtu)
        if not known:
            self.open(p)
        changed = {"src": self.outside, "sport": self.out[p.flow, p.far, p.dst], "ttl": p.ttl - (not self.own(p))}
        packet = rebuild(p, changed, min(p.port.mtu, mtu) - 40)
        return self.send("forward_out", p, leaves, hop, packet, ends)

    # this router's own traffic has not come through a router
    @staticmethod
    def own(p):
        return p.port.role == "self"

    def lives(self, p):
        if p.ttl <= 1 and not self.own(p):
            raise Verdict("kernel_ttl" if p.way == "out" and not p.outer else "slow_ttl")

    def fits(self, p, mtu):
        if p.length > mtu:
            linux = p.df and p.way == "out" and not p.outer and not self.own(p)
            raise Verdict("kernel_too_big" if linux else "slow_too_big")

    # (port, next hop, largest IPv4 packet, ends of the tunnel)
    def way_out(self, p):
        leaves, hop = self.route(p.dst)
        if leaves.role != "wan":
            raise Verdict("kernel_route")
        return leaves, hop, leaves.mtu, None

    def open(self, p):
        proto, sport, dport = p.flow
        outside = self.numbers.take(proto, p.src, sport, p.dst, dport)
        self.out[p.flow, p.src, p.dst] = outside
        self.back[(proto, dport, outside), p.dst] = (p.src, sport)

    def inbound(self, p):
        if p.flow == "slow_fragment":
            raise Verdict(p.flow)
        return self.deliver(p, p.tos, p.port.mtu, "kernel_no_flow", "kernel_no_flow")

    # to a host of ours; `stray`: what becomes of a packet of no flow, `opaque`: of one that cannot have any
    def deliver(self, p, tos, came, stray, opaque):
        if isinstance(p.flow, str):
            raise Verdict(opaque)
        if p.dst != self.outside or (p.flow, p.far) not in self.back:
            raise Verdict(stray)
        self.lives(p)
        inside, port = self.back[p.flow, p.far]
        try:
            leaves, hop = self.route(inside)
        except Verdict:
            leaves = self.wan
        if leaves.role == "wan":  # a source that no LAN has
            raise Verdict("drop_no_route")
        self.fits(p, leaves.mtu)
        packet = rebuild(p, {"dst": inside, "dport": port, "tos": tos}, min(came, leaves.mtu) - 40)
        return self.send("forward_in", p, leaves, hop, packet)


class Tunnel:
    """What both ends of a tunnel have: the outer header's fields."""

    def outer_set(self, hops=64, dscp=None, ecn="normal", path_mtu=None):
        self.hops, self.dscp, self.ecn, self.path_mtu = hops, dscp, ecn, path_mtu

    def inner_mtu(self, port):
        return min(self.path_mtu or port.mtu, port.mtu) - 40

    def rule_of(self, p, rules, ours):
        """The rule that what came out of the tunnel must keep to (RFC 7597, 8.1)."""
        sport = p.flow[1] if isinstance(p.flow, tuple) else 0
        rule = match(rules, p.far, sport)
        if rule is None or rule not in ours:
            raise Verdict("drop_tunnel_source")
        if isinstance(p.flow, str) and rule.k:
            raise Verdict(p.flow)
        if not rule.valid(sport) or rule.address(p.far, sport) != p.outer["src"]:
            raise Verdict("drop_tunnel_source")
        self.first(p, p.flow)


class Edge(Tunnel, Home):
    """A customer edge. The last port is this router's own: what Linux sends into the tunnel comes in there."""
    tunnel_role = "wan"
    OWN = "192.0.0.2"

    def __init__(self, ports, rules, delegated, relays, outer=None, **more):
        self.outer_set(**(outer or {}))
        wan = next(port for port in ports if port.role == "wan")
        self.itself = Port("self", "self", "self", self.OWN + "/29", gateway="192.0.0.1", mtu=self.inner_mtu(wan))
        more.setdefault("mapping", "shared")
        super().__init__(ports + [self.itself], **more)
        self.rules, self.delegated, self.relays = rules, delegated, relays
        basic = max((r for r in rules if self.fitting(r)), key=lambda r: r.prefix6.prefixlen)
        self.outside, numbers, self.local = basic.customer(delegated)
        self.numbers = Ports(numbers, self.reserve | {0}, self.probes, self.seed, self.mapping)
        self.mesh = [rule for rule in rules if rule.forwarding]

    def fitting(self, rule):
        return ipaddress.IPv6Network(self.delegated).subnet_of(rule.prefix6)

    def mine(self, address):
        return address == self.local

    def way_out(self, p):
        if not self.own(p) and Router.route(self, p.dst)[0].role == "lan":
            raise Verdict("kernel_route")
        dport = p.flow[2] if isinstance(p.flow, tuple) else 0
        rule = match(self.mesh, p.dst, dport)
        far = rule.address(p.dst, dport) if rule else self.relays[0]
        return self.wan, self.wan.gateway6 or far, self.inner_mtu(self.wan), (self.local, far)

    def inbound(self, p):
        if not p.outer:
            raise Verdict("kernel_no_flow")
        if p.flow == "slow_fragment":
            raise Verdict(p.flow)
        if p.outer["src"] in self.relays:
            self.first(p, p.flow)
        else:
            self.rule_of(p, self.mesh, self.mesh)
        return self.deliver(p, self.marked(p), self.inner_mtu(self.wan), "drop_no_flow", p.flow)

    def route(self, dst):
        return (self.itself, self.OWN) if dst == self.OWN else super().route(dst)


class Relay(Tunnel, Router):
    """`domains`: (name, address, rules) each."""
    tunnel_role = "lan"
    translates = False

    def __init__(self, ports, domains, outer=None, **more):
        super().__init__(ports, **more)
        self.outer_set(**(outer or {}))
        self.wan, self.lan, self.domains = self.role("wan"), self.role("lan"), domains
        self.rules = [rule for _, _, rules in domains for rule in rules]

    def mine(self, address):
        return any(address == domain[1] for domain in self.domains)

    # an echo has its identifier as port at either end
    @staticmethod
    def echo(way, l4):
        return (int.from_bytes(l4[4:6], "big"),) * 2 if l4[0] in (0, 8) else None

    @classmethod
    def echo_quoted(cls, way, inner):
        return cls.echo(way, inner)

    # about a customer's own address, that customer speaks for itself
    def answers(self, p, old):
        return super().answers(p, old) and (not p.outer or socket.inet_ntoa(old[16:20]) == p.src)

    def forward(self, p):
        tos, came = p.tos, p.port.mtu
        if p.outer:
            if p.flow == "slow_fragment":
                raise Verdict(p.flow)
            ours = next(rules for _, address, rules in self.domains if address == p.outer["dst"])
            self.rule_of(p, self.rules, ours)
            tos, came = self.marked(p), self.inner_mtu(self.lan)
        elif p.port.role != "wan":
            raise Verdict("kernel_route")
        dport = p.flow[2] if isinstance(p.flow, tuple) else 0
        rule = match(self.rules, p.dst, dport)
        known = any(ipaddress.IPv4Address(p.dst) in r.prefix4 for r in self.rules)
        if p.flow == "slow_fragment":
            raise Verdict("slow_fragment" if known else "kernel_route")
        leaves, hop, mtu, ends = self.customer(p, rule, dport) if rule else self.internet(p, known)
        if p.ttl <= 1:
            raise Verdict("slow_ttl")
        if p.length > mtu:
            raise Verdict("slow_too_big")
        reason = "forward_hairpin" if p.outer and ends else "forward_encap" if ends else "forward_decap"
        return self.send(reason, p, leaves, hop, rebuild(p, {"tos": tos}, min(came, mtu) - 40), ends)

    def customer(self, p, rule, dport):
        if isinstance(p.flow, str) and rule.k:
            raise Verdict(p.flow)
        if not rule.valid(dport):
            raise Verdict("drop_no_rule")
        far, near = rule.address(p.dst, dport), next(a for _, a, rules in self.domains if rule in rules)
        return self.lan, self.lan.gateway6 or far, self.inner_mtu(self.lan), (near, far)

    def internet(self, p, known):
        if not p.outer:
            raise Verdict("drop_no_rule" if known else "kernel_route")
        if isinstance(p.flow, str) and p.flow != "drop_protocol":
            raise Verdict(p.flow)
        try:
            leaves, hop = self.route(p.dst)
        except Verdict:
            raise Verdict("drop_no_route") from None
        if leaves.role != "wan" or self.nowhere(p.dst):
            raise Verdict("drop_no_route")
        return leaves, hop, leaves.mtu, None
