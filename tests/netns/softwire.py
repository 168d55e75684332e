#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""softwire.py - what the MAP-E tests send and see

    serve ADDRESS...                     UDP echo on port 9000 of each, which says from which port it was asked
    fill N ADDRESS,... [SOURCE]          N sockets, each asks one address in turn; prints answered, distinct, refused
    seen N ADDRESS,...                   the same, and the ports that the servers saw
    keep N ADDRESS,... SECONDS           the same, and again after SECONDS over the same sockets; prints both
    flood N SEED IF DMAC SOURCE          N random flows of every protocol, as frames
    watch SECONDS IF OFFSET K PSID       what comes in on IF: counts by protocol, and those outside the set
    outer IF DMAC FROM TO PARTS ORDER    a UDP packet in IPv6 fragments of at most PARTS bytes, in ORDER (012, 210, ...)
    raw6 IF DMAC FROM TO NEXT HEX        one IPv6 packet
"""
import os
import random
import resource
import select
import socket
import struct
import sys
import time

TCP, UDP, ICMP, UDPLITE, SCTP, DCCP = 6, 17, 1, 136, 132, 33
NAMES = {TCP: "tcp", UDP: "udp", ICMP: "icmp", UDPLITE: "udplite", SCTP: "sctp", DCCP: "dccp"}


def csum(data):
    data += bytes(len(data) % 2)
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def ipv4(src, dst, proto, payload, ident=0, frag=0):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), ident, frag, 64, proto, 0, socket.inet_aton(src),
                       socket.inet_aton(dst))
    return head[:10] + struct.pack("!H", csum(head)) + head[12:] + payload


def transport(proto, src, dst, sport, dport, body=b"portico!"):
    """A whole header with a right checksum, and a body."""
    ports = struct.pack("!HH", sport, dport)
    if proto == ICMP:
        packet = struct.pack("!BBHHH", 8, 0, 0, sport, 1) + body
        return packet[:2] + struct.pack("!H", csum(packet)) + packet[4:]
    if proto == SCTP:
        packet = ports + struct.pack("!I", 7) + bytes(4) + b"\x01\x00\x00\x14" + body.ljust(16, b"\0")
        return packet[:8] + struct.pack("<I", crc32c(packet)) + packet[12:]
    if proto == TCP:
        packet, at = ports + struct.pack("!IIBBHHH", 1, 0, 0x60, 2, 4096, 0, 0) + b"\x02\x04\x05\xb4", 16
    elif proto == DCCP:
        packet, at = ports + struct.pack("!BBHI", 4, 0, 0, 0) + bytes(4) + body, 6
    else:
        packet, at = ports + struct.pack("!HH", 8 + len(body), 0) + body, 6
    pseudo = socket.inet_aton(src) + socket.inet_aton(dst) + struct.pack("!BBH", 0, proto, len(packet))
    return packet[:at] + struct.pack("!H", csum(pseudo + packet) or 0xFFFF) + packet[at + 2:]


def right(proto, ip, l4):
    """Whether the checksum behind the IPv4 header is right."""
    if proto == ICMP:
        return not csum(l4)
    if proto == SCTP:
        return l4[8:12] == struct.pack("<I", crc32c(l4[:8] + bytes(4) + l4[12:]))
    return not csum(ip[12:20] + struct.pack("!BBH", 0, proto, len(l4)) + l4)


def packet_socket(interface):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    s.setsockopt(socket.SOL_SOCKET, 33, 1 << 26)  # SO_RCVBUFFORCE
    s.bind((interface, 0))
    return s


def serve(addresses):
    sockets = []
    for address in addresses:
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)
        s.bind((address, 9000))
        sockets.append(s)
    print("ready", flush=True)
    while True:
        for s in select.select(sockets, [], [])[0]:
            data, sender = s.recvfrom(2048)
            s.sendto(data + b" %d" % sender[1], sender)


def ask(sockets, addresses):
    """One question from each socket; (answers as {(address, outside port): count}, errors by name)."""
    seen, errors = {}, {}
    for i, s in enumerate(sockets):
        try:
            s.send(b"%d" % i)
        except OSError as error:
            name = error.strerror
            errors[name] = errors.get(name, 0) + 1
        if i % 64 == 63:
            time.sleep(0.002)
    deadline, poll = time.time() + 2, select.poll()
    waiting = {s.fileno(): (s, addresses[i % len(addresses)]) for i, s in enumerate(sockets)}
    for descriptor in waiting:
        poll.register(descriptor, select.POLLIN)
    while waiting and time.time() < deadline:
        for descriptor, _ in poll.poll(200):
            s, address = waiting.pop(descriptor)
            poll.unregister(descriptor)
            try:
                place = address, int(s.recv(2048).split()[-1])
                seen[place] = seen.get(place, 0) + 1
            except OSError as error:
                errors[error.strerror] = errors.get(error.strerror, 0) + 1
    return seen, errors


def sockets_make(count, addresses, source):
    sockets = []
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for i in range(count):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind((source, 0))
        s.connect((addresses[i % len(addresses)], 9000))
        s.setblocking(False)
        sockets.append(s)
    return sockets


def outside(seen):
    """Ports that are not in the set of PSID 44, 6 bits, offset 6."""
    return sum(1 for _, port in seen if port < 1024 or port >> 4 & 63 != 44)


def report(seen, errors):
    print("answered %d distinct %d outside %d refused %d" % (sum(seen.values()), len(seen), outside(seen),
                                                            sum(errors.values())), flush=True)


def fill(count, addresses, source="192.168.1.72"):
    addresses = addresses.split(",")
    report(*ask(sockets_make(int(count), addresses, source), addresses))


def seen(count, addresses):
    addresses = addresses.split(",")
    places, errors = ask(sockets_make(int(count), addresses, "192.168.1.72"), addresses)
    report(places, errors)
    print(*sorted({port for _, port in places}))


def keep(count, addresses, seconds):
    addresses = addresses.split(",")
    sockets = sockets_make(int(count), addresses, "192.168.1.72")
    first, errors = ask(sockets, addresses)
    report(first, errors)
    time.sleep(float(seconds))
    again, errors = ask(sockets, addresses)
    report(again, errors)
    print("same" if first == again else "changed")


def flood(count, seed, interface, dmac, source):
    rng, s = random.Random(int(seed)), packet_socket(interface)
    ether = bytes.fromhex(dmac.replace(":", "")) + bytes.fromhex("020000000148") + b"\x08\x00"
    for i in range(int(count)):
        proto = rng.choice(list(NAMES))
        dst = "198.51.%d.%d" % (rng.randrange(101, 200), rng.randrange(1, 255))
        sport, dport = rng.randrange(65536), rng.randrange(1, 65536)
        s.send(ether + ipv4(source, dst, proto, transport(proto, source, dst, sport, dport)))
        if i % 100 == 99:
            time.sleep(0.001)


def watch(seconds, interface, offset, k, psid):
    s, counts, outside_set, wrong = packet_socket(interface), {}, 0, 0
    m, deadline = 16 - int(offset) - int(k), time.time() + float(seconds)
    print("ready", flush=True)
    while time.time() < deadline:
        if not select.select([s], [], [], 0.2)[0]:
            continue
        frame, info = s.recvfrom(2048)
        if info[2] == socket.PACKET_OUTGOING or frame[12:14] != b"\x08\x00":
            continue
        ip = frame[14:]
        proto, l4 = ip[9], ip[20:int.from_bytes(ip[2:4], "big")]
        if socket.inet_ntoa(ip[12:16]) != "192.0.2.134" or proto not in NAMES:
            continue
        port = int.from_bytes(l4[4:6] if proto == ICMP else l4[:2], "big")
        counts[NAMES[proto]] = counts.get(NAMES[proto], 0) + 1
        outside_set += port >> 16 - int(offset) == 0 or port >> m & (1 << int(k)) - 1 != int(psid)
        wrong += sum(counts.values()) % 16 == 0 and not right(proto, ip, l4)
    print(" ".join("%s %d" % item for item in sorted(counts.items())), "outside %d wrong %d" % (outside_set, wrong))


def ipv6(src, dst, following, payload):
    return struct.pack("!IHBB", 6 << 28, len(payload), following, 64) + socket.inet_pton(socket.AF_INET6, src) + \
        socket.inet_pton(socket.AF_INET6, dst) + payload


def outer(interface, dmac, src, dst, size, order, sport, dport, length, flags="0"):
    """An IPv4 packet from 198.51.100.9 to the home, in an IPv6 packet, in fragments."""
    body = transport(UDP, "198.51.100.9", "192.0.2.134", int(sport), int(dport), bytes(int(length)))
    inner = ipv4("198.51.100.9", "192.0.2.134", UDP, body, 77, int(flags, 16))
    size = int(size) & ~7
    parts = [inner[at:at + size] for at in range(0, len(inner), size)]
    s, ident = packet_socket(interface), random.randrange(1 << 32)
    ether = bytes.fromhex(dmac.replace(":", "")) + bytes.fromhex("020000000999") + b"\x86\xdd"
    for i in (range(len(parts)) if order == "up" else reversed(range(len(parts)))):
        head = struct.pack("!BBHI", 4, 0, i * size | (i + 1 < len(parts)), ident)
        s.send(ether + ipv6(src, dst, 44, head + parts[i]))


def raw6(interface, dmac, src, dst, following, payload):
    ether = bytes.fromhex(dmac.replace(":", "")) + bytes.fromhex("020000000999") + b"\x86\xdd"
    packet_socket(interface).send(ether + ipv6(src, dst, int(following), bytes.fromhex(payload)))


if __name__ == "__main__":
    commands = {f.__name__: f for f in (fill, seen, keep, flood, watch, outer, raw6)}
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2:])
    elif sys.argv[1:2] and sys.argv[1] in commands:
        commands[sys.argv[1]](*sys.argv[2:])
    else:
        sys.exit(__doc__)
