# SPDX-License-Identifier: GPL-2.0-or-later
"""portset.py - which outside port a flow gets: the mapping policies, and what is remembered of ports that were taken

Ports are places in a list. Of a list that is not too long, a note is kept for each destination where a port was once
asked for in vain: the set of places that are taken as far as anybody has noticed.
"""
import struct

from frames import ip

NOTED = 4096  # lists up to this length have notes
GOLDEN = 0x9E3779B9  # 2^32 / golden ratio: how far a search goes from probe to probe


class Verdict(Exception):
    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


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


class Ports:
    def __init__(self, numbers, reserve, probes, seed, mapping):
        self.numbers, self.probes, self.mapping = list(numbers), probes, mapping
        self.places = {port: at for at, port in enumerate(self.numbers)}
        self.reserve = {self.places[port] for port in reserve if port in self.places}
        self.secret = struct.pack("<II", seed, seed ^ 0xFFFFFFFF)
        self.taken, self.notes, self.sockets = set(), {}, {}

    def start(self, source, sport, proto, destination="0.0.0.0", dport=0, what=2):
        """Where a search begins; `what` is 0 for a flow, 2 for a socket."""
        words = struct.pack("<HHHBB", dport, sport, 0, what, proto)
        return halfsiphash13(ip(source) + ip(destination) + words, self.secret)

    def take(self, proto, source, sport, destination, dport):
        towards, socket = (proto, destination, dport), (proto, source, sport)
        if self.mapping == "endpoint-dependent":
            start = self.start(source, sport, proto, destination, dport, 0)
            return self.search(towards, start, self.places.get(sport), self.probes)
        start, probes = self.start(source, sport, proto), self.probes
        if socket not in self.sockets:
            try:  # a port that is nobody's yet
                self.sockets[socket] = self.search((proto, None, 0), start, self.places.get(sport), probes)
            except Verdict:
                if self.mapping == "endpoint-independent":
                    raise
        wanted = self.places.get(self.sockets.get(socket))
        if self.mapping == "endpoint-independent":
            probes = 1
        port = self.search(towards, start, wanted, probes)
        self.sockets.setdefault(socket, port)
        return port

    def search(self, towards, start, wanted, probes):
        for i in range(probes):
            at = (start + i * GOLDEN) % 2**32 * len(self.numbers) // 2**32
            note = self.notes.get(towards)
            if i == 0 and wanted is not None:
                at = wanted
            elif note is not None:
                at = self.free(note, at)
            if at is None:
                break
            good = at not in self.reserve and (towards, at) not in self.taken
            if not good and note is None and len(self.numbers) <= NOTED:
                note = self.notes[towards] = set(self.reserve)
            if note is not None:
                note.add(at)
            if good:
                self.taken.add((towards, at))
                return self.numbers[at]
        raise Verdict("slow_no_port")

    def free(self, note, at):
        """The first place that is free by the note: the 64 places at or behind `at`, of them the one at or behind,
        going round in both; None: there is none."""
        free = [place for place in range(len(self.numbers)) if place not in note]
        return min(free, key=lambda p: ((p // 64 - at // 64) % 64, (p - at) % 64)) if free else None
