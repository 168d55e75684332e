# SPDX-License-Identifier: GPL-2.0-or-later
"""includes.py - who may include whom (doc/architecture.md)"""
import os

from source import Fault

# Of another room: '*' all of it, or the names that are allowed.
POLICY = {'portset.h', 'mape.h', 'reason.h'}
PACKETS = {'types.h', 'wire.h', 'pkt.h', 'csum.h', 'tuple.h', 'portset.h', 'mape.h', 'reason.h'}
ROOMS = {
    'abi': {},
    'dp': {'abi': '*'},
    'bpf': {'abi': '*', 'dp': '*'},
    'lib': {'abi': {'types.h'}},
    'conf': {'abi': '*', 'lib': '*', 'dp': POLICY},
    'engine': {'abi': '*', 'dp': '*', 'lib': '*'},
    'kernel': {'abi': '*', 'lib': '*', 'dp': {'reason.h'}},
    'gateway': {'abi': '*', 'lib': '*', 'conf': '*', 'engine': '*', 'kernel': '*', 'dp': POLICY},
    'cli': {'abi': '*', 'lib': '*', 'conf': '*', 'engine': '*', 'kernel': '*', 'dp': POLICY},
    'bench': {'abi': '*', 'lib': '*', 'conf': '*', 'engine': '*', 'kernel': '*', 'dp': PACKETS},
}
# Rooms that neither the C library nor anybody else's headers enter: they run in the kernel as well.
FREESTANDING = {'abi', 'dp'}
LIBBPF = ('src/kernel/', 'src/bpf/', 'src/bench/load/', 'tests/')
# What of libbpf is for programs in the kernel.
BPF_SIDE = {'bpf_helpers.h', 'bpf_helper_defs.h', 'bpf_endian.h', 'bpf_tracing.h', 'bpf_core_read.h'}


def system(name, room, what):
    """What is wrong with #include <what> in `name`, or None."""
    if room in FREESTANDING:
        return f'{room} is freestanding and includes no system header: <{what}>'
    if not what.startswith('bpf/'):
        return None
    if not name.startswith(LIBBPF):
        return f'libbpf is for kernel, bpf, bench/load and tests only: <{what}>'
    if room == 'bpf' and what[4:] not in BPF_SIDE:
        return f'bpf includes only what libbpf has for programs in the kernel: <{what}>'
    return None


def ours(tree, name, room, what):
    """What is wrong with #include "what" in `name`, or None."""
    here = os.path.dirname(name)
    if '..' in what.split('/'):
        return f'includes are written from the root of src: "{what}"'
    other, _, rest = what.partition('/')
    if not rest or other not in ROOMS:
        if os.path.exists(tree.path(os.path.join(here, what))):
            return None
        return f'neither in this directory nor a room: "{what}"'
    if os.path.join('src', os.path.dirname(what)) == here:
        return f'a file of the same directory is included by its bare name: "{what}"'
    if room == other:
        return None
    allowed = ROOMS[room].get(other)
    if allowed is None:
        return f'{room} does not include {other}: "{what}"'
    if allowed != '*' and rest not in allowed:
        return f'{room} includes of {other} only {", ".join(sorted(allowed))}: "{what}"'
    return None


def includes(tree):
    for name in tree.files('src', '.c', '.h'):
        room = name.split('/')[1]
        if room not in ROOMS:
            yield Fault(name, 1, f'{room} is no room of the house')
            continue
        for number, mark, what in tree.includes(name):
            wrong = system(name, room, what) if mark == '<' else ours(tree, name, room, what)
            if wrong:
                yield Fault(name, number, wrong)
