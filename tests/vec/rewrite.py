# SPDX-License-Identifier: GPL-2.0-or-later
"""rewrite.py - a packet with other addresses and ports: headers are built anew, checksums are computed from nothing

Only of a first fragment, and of what an ICMP error quotes, not all bytes are there; there, a checksum is changed by
what is (RFC 1624).
"""
import socket
import struct
import sys

from frames import crc32c, csum, ip

ICMP, TCP, UDP, DCCP, SCTP, UDPLITE = 1, 6, 17, 33, 132, 136


def words(data):
    return struct.unpack("!%dH" % ((len(data) + 1) // 2), data + bytes(len(data) % 2))


def rebuild(packet, changed, mss):
    """The IPv4 packet; `changed`: src, dst, sport, dport, ttl, tos."""
    raw, proto = packet.raw, packet.proto
    src, dst = changed.get("src", packet.src), changed.get("dst", packet.dst)
    raw = raw[:1] + bytes([changed.get("tos", packet.tos)]) + raw[2:8] + bytes([changed.get("ttl", packet.ttl - 1)]) + \
        bytes([proto]) + b"\0\0" + ip(src) + ip(dst) + raw[20:]
    raw = raw[:10] + struct.pack("!H", csum(raw)) + raw[12:]
    moved = "sport" in changed or "dport" in changed
    if packet.later or not (moved or packet.syn):
        return raw + packet.l4
    if packet.quote:
        return raw + requote(packet, changed)
    if packet.fragment:
        return raw + part(proto, packet.l4, changed, (packet.src, packet.dst), (src, dst), mss)
    return raw + transport(proto, packet.l4, changed, src, dst, mss)


def transport(proto, l4, changed, src, dst, mss):
    if proto == ICMP:
        ident = changed.get("sport", changed.get("dport"))
        l4 = l4[:2] + b"\0\0" + struct.pack("!H", ident) + l4[6:]
        return l4[:2] + struct.pack("!H", csum(l4)) + l4[4:]
    l4 = ports(l4, changed)
    if proto == SCTP:
        return l4[:8] + struct.pack("<I", crc32c(l4[:8] + bytes(4) + l4[12:])) + l4[12:]
    if proto == TCP and l4[13] & 2:
        l4 = clamp(l4, mss)
    at = 16 if proto == TCP else 6
    covered = len(l4)
    if proto in (UDP, UDPLITE):
        covered = int.from_bytes(l4[4:6], "big") or covered
    if proto == DCCP and l4[5] & 15:
        covered = l4[4] * 4 + ((l4[5] & 15) - 1) * 4
    blank = l4[:at] + b"\0\0" + l4[at + 2:]
    size = covered if proto == UDP else len(l4)
    check = csum(ip(src) + ip(dst) + struct.pack("!BBH", 0, proto, size) + blank[:covered])
    if proto == UDP:
        check = 0 if l4[6:8] == b"\0\0" else check or 0xFFFF
    if proto == UDPLITE:
        check = check or 0xFFFF
    return blank[:at] + struct.pack("!H", check) + blank[at + 2:]


def ports(l4, changed):
    pair = list(struct.unpack("!HH", l4[:4]))
    pair[0] = changed.get("sport", pair[0])
    pair[1] = changed.get("dport", pair[1])
    return struct.pack("!HH", *pair) + l4[4:]


def clamp(l4, mss):
    """What is said in a SYN is lowered, never raised."""
    at, end = 20, (l4[12] >> 4) * 4
    while at + 4 <= end and l4[at] != 0:
        if l4[at] == 1:
            at += 1
            continue
        if l4[at] == 2 and l4[at + 1] == 4:
            value = min(mss, int.from_bytes(l4[at + 2:at + 4], "big"))
            return l4[:at + 2] + struct.pack("!H", value) + l4[at + 4:]
        if l4[at + 1] < 2:
            break
        at += l4[at + 1]
    return l4


def part(proto, l4, changed, before, after, mss=None):
    """A header of which the rest is elsewhere; `before` and `after` are the addresses around it."""
    at = {TCP: 16, ICMP: 2}.get(proto, 6)
    new = l4[:4] + struct.pack("!H", changed.get("sport", changed.get("dport"))) + l4[6:] if proto == ICMP \
        else ports(l4, changed)
    if proto == SCTP:
        sys.exit("no case has fragments of SCTP")
    if mss and proto == TCP and l4[13] & 2:
        new = clamp(new, mss)
    old = l4[at:at + 2]
    if proto == UDP and old == b"\0\0":
        return new
    around = [b"" if proto == ICMP else ip(src) + ip(dst) for src, dst in (before, after)]
    total = (~int.from_bytes(old, "big") & 0xFFFF) + sum(~w & 0xFFFF for w in words(around[0] + l4[:at] + l4[at + 2:]))
    total += sum(words(around[1] + new[:at] + new[at + 2:]))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    check = ~total & 0xFFFF
    if proto in (UDP, UDPLITE):
        check = check or 0xFFFF
    return new[:at] + struct.pack("!H", check) + new[at + 2:]


def requote(packet, changed):
    """An ICMP error, and in it the packet that it is about, as that packet's sender knows it."""
    l4, ihl = packet.l4, packet.quote
    raw, inner = l4[8:8 + ihl], l4[8 + ihl:]
    proto, old = raw[9], [socket.inet_ntoa(raw[12:16]), socket.inet_ntoa(raw[16:20])]
    if "src" in changed:  # an error from inside: what it quotes went inside
        new, swapped = [old[0], changed["src"]], {"dport": changed["sport"]}
    else:
        new, swapped = [changed["dst"], old[1]], {"sport": changed["dport"]}
    if proto == TCP and len(inner) < 18 or proto == SCTP:
        inner = ports(inner, swapped)
    else:
        inner = part(proto, inner, swapped, old, new)
    raw = raw[:10] + b"\0\0" + ip(new[0]) + ip(new[1]) + raw[20:]
    raw = raw[:10] + struct.pack("!H", csum(raw)) + raw[12:]
    l4 = l4[:2] + b"\0\0" + l4[4:8] + raw + inner
    return l4[:2] + struct.pack("!H", csum(l4)) + l4[4:]
