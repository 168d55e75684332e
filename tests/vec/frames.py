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
