# SPDX-License-Identifier: GPL-2.0-or-later
"""frames.py - frames and capture files, byte by byte"""
import socket
import struct


def ip(text):
    return socket.inet_aton(text)


def mac(text):
    return bytes(int(part, 16) for part in text.split(":"))


def csum(data):
    """RFC 1071, written out: add all 16-bit words, fold, complement."""
    if len(data) % 2:
        data += b"\0"
    total = sum(data[i] << 8 | data[i + 1] for i in range(0, len(data), 2))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def ipv4(src, dst, proto, payload, ttl=64, options=b"", flags=0x4000, ident=0x1234, tos=0, **wrong):
    """An IPv4 packet. `wrong` overrides what is computed: version, ihl, length, check."""
    ihl = wrong.get("ihl", 5 + len(options) // 4)
    length = wrong.get("length", 20 + len(options) + len(payload))
    first = wrong.get("version", 4) << 4 | ihl
    head = struct.pack("!BBHHHBBH4s4s", first, tos, length, ident, flags, ttl, proto, 0, ip(src), ip(dst)) + options
    check = csum(head) ^ wrong.get("check", 0)
    return head[:10] + struct.pack("!H", check) + head[12:] + payload


def pseudo(src, dst, proto, length):
    return ip(src) + ip(dst) + struct.pack("!BBH", 0, proto, length)


def udp(src, sport, dst, dport, data=b"", nosum=False, length=None):
    n = 8 + len(data)
    head = struct.pack("!HHHH", sport, dport, n if length is None else length, 0)
    check = csum(pseudo(src, dst, 17, n) + head + data) or 0xFFFF
    return head[:6] + struct.pack("!H", 0 if nosum else check) + data


FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16


def tcp(src, sport, dst, dport, flags, data=b"", seq=1000, ack=0, options=b"", doff=None):
    words = 5 + len(options) // 4 if doff is None else doff
    head = struct.pack("!HHIIBBHHH", sport, dport, seq, ack, words << 4, flags, 65535, 0, 0) + options
    check = csum(pseudo(src, dst, 6, len(head) + len(data)) + head + data)
    return head[:16] + struct.pack("!H", check) + head[18:] + data


def icmp(kind, ident, seq, data=b"", code=0):
    head = struct.pack("!BBHHH", kind, code, 0, ident, seq)
    return head[:2] + struct.pack("!H", csum(head + data)) + head[4:] + data


def crc32c(data):
    """Bit by bit (RFC 9260, appendix A)."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def sctp(sport, dport, chunks, tag=0x51C7):
    head = struct.pack("!HHI", sport, dport, tag)
    return head + struct.pack("<I", crc32c(head + bytes(4) + chunks)) + chunks


def udplite(src, sport, dst, dport, data=b"", cover=0):
    """`cover`: bytes that the checksum covers, 0: all (RFC 3828, 3.1)."""
    head = struct.pack("!HHHH", sport, dport, cover, 0)
    covered = (head + data)[:cover or None]
    check = csum(pseudo(src, dst, 136, 8 + len(data)) + covered) or 0xFFFF
    return head[:6] + struct.pack("!H", check) + data


def dccp(src, sport, dst, dport, data=b"", cover=0):
    """A DCCP-Data packet with a short sequence number; `cover`: CsCov (RFC 4340, 5.1 and 9.2)."""
    head = struct.pack("!HHBBHI", sport, dport, 3, cover, 0, 2 << 25 | 4711)
    covered = head + (data[:(cover - 1) * 4] if cover else data)
    check = csum(pseudo(src, dst, 33, 12 + len(data)) + covered)
    return head[:6] + struct.pack("!H", check) + head[8:] + data


def error(kind, code, about, rest=0, check=0):
    """An ICMP error that quotes the bytes `about`; `check` makes its checksum wrong."""
    head = struct.pack("!BBHI", kind, code, 0, rest)
    return head[:2] + struct.pack("!H", csum(head + about) ^ check) + head[4:] + about


def fragments(packet, size):
    """An IPv4 packet cut up: `size` bytes each, a multiple of 8 (RFC 791, 3.2)."""
    ihl = (packet[0] & 15) * 4
    head, data = packet[:ihl], packet[ihl:int.from_bytes(packet[2:4], "big")]
    parts = []
    for at in range(0, len(data), size):
        part, more = data[at:at + size], 0x2000 if at + size < len(data) else 0
        new = head[:2] + struct.pack("!H", ihl + len(part)) + head[4:6] + struct.pack("!H", more | at // 8) + head[8:]
        parts.append(new[:10] + struct.pack("!H", csum(new[:10] + b"\0\0" + new[12:])) + new[12:] + part)
    return parts


def ip6(text):
    return socket.inet_pton(socket.AF_INET6, text)


def ipv6(src, dst, payload, kind=4, hops=64, traffic=0, length=None, version=6):
    """An IPv6 packet; `kind` is the next header, 4 an IPv4 packet (RFC 2473)."""
    size = len(payload) if length is None else length
    return struct.pack("!IHBB", version << 28 | traffic << 20, size, kind, hops) + ip6(src) + ip6(dst) + payload


def ether(dst, src, payload, kind=0x0800, tag=None, pad=0):
    """A frame; `tag` is the 802.1Q tag control information, `pad` bytes are added behind."""
    tags = b"" if tag is None else struct.pack("!HH", 0x8100, tag)
    return mac(dst) + mac(src) + tags + struct.pack("!H", kind) + payload + bytes(pad)


def pcap_write(path, packets):
    """`packets`: (nanoseconds, frame). The format of libpcap with nanoseconds, in the byte order of x86 and ARM."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 1))
        for ns, frame in packets:
            out.write(struct.pack("<IIII", ns // 10**9, ns % 10**9, len(frame), len(frame)))
            out.write(frame)
