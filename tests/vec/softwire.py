# SPDX-License-Identifier: GPL-2.0-or-later
"""softwire.py - MAP-E as the RFC draws it: addresses are strings of bits, port sets are lists (RFC 7597, 5 and 6)"""
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

# RFC 6040, figure 4: what leaves the tunnel, by inner (rows) and outer codepoint; None: the packet is dropped
NOT_ECT, ECT1, ECT0, CE = 0, 1, 2, 3
LEAVES = {NOT_ECT: {NOT_ECT: NOT_ECT, ECT0: NOT_ECT, ECT1: NOT_ECT, CE: None},
          ECT0: {NOT_ECT: ECT0, ECT0: ECT0, ECT1: ECT1, CE: CE},
          ECT1: {NOT_ECT: ECT1, ECT0: ECT1, ECT1: ECT1, CE: CE},
          CE: {NOT_ECT: CE, ECT0: CE, ECT1: CE, CE: CE}}


def bits(value, length):
    return format(value, "0%db" % length) if length else ""


class Rule:
    """A mapping rule, in the words of the configuration file."""

    def __init__(self, text, layout="rfc7597"):
        words = text.split()
        self.text, self.layout, self.forwarding = text, layout, "fmr" in words
        self.prefix6, self.prefix4 = IPv6Network(words[0]), IPv4Network(words[1])
        given = {words[i]: int(words[i + 1]) for i in range(2, len(words) - 1, 2)}
        self.ea, self.offset = given["ea"], given.get("offset", 6 if layout == "rfc7597" else 4)
        self.suffix = 32 - self.prefix4.prefixlen
        self.k = given.get("psid-len", max(self.ea - self.suffix, 0))
        self.own = given.get("psid") if not self.ea and self.k else None

    def psid(self, port):
        return bits(port, 16)[self.offset:self.offset + self.k]

    def valid(self, port):
        """Ports whose first `offset` bits are 0 belong to nobody."""
        return not self.k or not self.offset or "1" in bits(port, 16)[:self.offset]

    def covers(self, address, port):
        return IPv4Address(address) in self.prefix4 and self.own in (None, int(self.psid(port) or "0", 2))

    def address(self, address, port):
        """The customer's, who has this IPv4 address and port."""
        inside = bits(int(IPv4Address(address)), 32)
        known = inside[:self.prefix4.prefixlen + min(self.ea, self.suffix)].ljust(32, "0")
        if not self.ea:
            known = bits(int(self.prefix4.network_address), 32)
        prefix = bits(int(self.prefix6.network_address), 128)[:self.prefix6.prefixlen]
        if self.ea:
            prefix += inside[self.prefix4.prefixlen:][:self.ea] + self.psid(port)
        psid = self.psid(port).rjust(16, "0")
        ident = "0" * 16 + known + psid if self.layout == "rfc7597" else "0" * 8 + known + psid + "0" * 8
        whole = prefix.ljust(64, "0")[:64] + ident
        return str(IPv6Address(int(prefix + whole[len(prefix):], 2)))

    def customer(self, delegated):
        """IPv4 address, ports and IPv6 address that come with a delegated prefix."""
        place = bits(int(IPv6Network(delegated).network_address), 128)[self.prefix6.prefixlen:][:self.ea]
        base = int(self.prefix4.network_address)
        address = str(IPv4Address(base | int(place[:self.suffix] or "0", 2)))
        ports = range(65536)
        if self.k:
            psid = place[self.suffix:] if self.ea else bits(self.own, self.k)
            ports = [p for p in ports if self.psid(p) == psid and self.valid(p)]
        return address, ports, self.address(address, ports[-1])


def match(rules, address, port):
    """The rule with the longest IPv4 prefix, or None."""
    found = [rule for rule in rules if rule.covers(address, port)]
    return max(found, key=lambda rule: rule.prefix4.prefixlen) if found else None
