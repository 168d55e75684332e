# SPDX-License-Identifier: GPL-2.0-or-later
"""text.py - rules that reading the text can hold: heads, widths, packet bytes, reasons, words"""
import os
import re

from source import Fault

SPDX = 'SPDX-License-Identifier: GPL-2.0-or-later'
WIDTH = 120
CODE = ('.c', '.h', '.S')
SCRIPTS = ('.py', '.sh', '.awk')


def everything(tree):
    """All that is ours, code and scripts."""
    names = tree.files('src', *CODE, *SCRIPTS) + tree.files('tests', *CODE, *SCRIPTS)
    return names + [n for n in ('pkg/deps', 'pkg/install', 'pkg/uninstall', '.ci/run') if os.path.exists(tree.path(n))]


def heads(tree):
    """Each file says its licence and, in a line, what it is."""
    for name in everything(tree):
        lines = [line for _, line in tree.lines(name)][:3]
        if lines[0].startswith('#!'):
            lines = lines[1:]
        if SPDX not in lines[0]:
            yield Fault(name, 1, f'the first line is not {SPDX}')
        base = re.escape(os.path.basename(name))
        if not re.match(rf'(/\* |# |"""){base}( [A-Z\[\]. ]+)? - \S', (lines + [''])[1]):
            yield Fault(name, 2, f'does not say what it is: {os.path.basename(name)} - ...')


def width(tree):
    """clang-format leaves comments and texts alone. Shell scripts hold long lines of what they expect."""
    for name in everything(tree):
        if not name.endswith(CODE + ('.py',)):
            continue
        for number, line in tree.lines(name):
            columns = len(line.expandtabs(8))
            if columns > WIDTH:
                yield Fault(name, number, f'{columns} columns; {WIDTH} are allowed')
            if line != line.rstrip():
                yield Fault(name, number, 'white space at the end')
        if not tree.text(name).endswith('\n') or tree.text(name).endswith('\n\n'):
            yield Fault(name, len(tree.text(name).split('\n')), 'does not end with one newline')


CONTEXT = re.compile(r'\(\s*(unsigned\s+)?long\s*\)\s*\w+(->\w+)*->data(_end)?\b')
HEADER_CAST = re.compile(r'\(\s*(const\s+)?struct\s+(\w+_hdr|ethhdr|iphdr|tcphdr|udphdr|icmphdr)\s*\*\s*\)')
PACKET_ROOMS = ('src/dp/', 'src/bpf/', 'src/engine/', 'src/kernel/', 'src/gateway/')


def packet_bytes(tree):
    """One way to touch packet bytes: pkt_at() of dp/pkt.h. Only programs in the kernel see a context's pointers."""
    for name in tree.files('src', '.c', '.h'):
        in_kernel = name.startswith('src/bpf/') or any(w.startswith('<bpf/bpf_helpers') for w in tree.closure(name))
        for number, line in tree.lines(name):
            if CONTEXT.search(line) and not in_kernel:
                yield Fault(name, number, 'the context of a BPF program outside src/bpf')
            if HEADER_CAST.search(line) and name.startswith(PACKET_ROOMS) and name != 'src/dp/pkt.h':
                yield Fault(name, number, 'a cast of packet bytes to a header; use pkt_at()')


def reasons(tree):
    """Every entry of the list in reason.h is the reason of something, and no other is named."""
    home = 'src/dp/reason.h'
    if not os.path.exists(tree.path(home)):
        return
    listed = {}
    known = {'REASON_COUNT'}
    for name in tree.files('src', '.c', '.h') + tree.files('tests', '.c', '.h'):
        known |= set(re.findall(r'#define\s+(REASON_\w+)', tree.text(name)))
    for number, line in tree.lines(home):
        match = re.match(r'\s*X\((\w+), (?:FORWARD|KERNEL|SLOW|DROP),', line)
        if match:
            listed[f'REASON_{match.group(1)}'] = number
    used = set()
    for name in tree.files('src', '.c', '.h') + tree.files('tests', '.c', '.h'):
        if name == home:
            continue
        for number, line in tree.lines(name):
            for word in re.findall(r'\bREASON_[A-Z0-9_]+\b', line):
                if word not in listed and word not in known:
                    yield Fault(name, number, f'{word} is not in the list of {home}')
                if name.startswith('src/'):
                    used.add(word)
    for word, number in listed.items():
        if word not in used and word != 'REASON_NONE':
            yield Fault(home, number, f'{word} is never the reason of anything')


WORDS = re.compile(r'\b(TODO|FIXME|XXX)\b')


def words(tree):
    """Nothing is left for later."""
    for name in everything(tree) + ['README.md'] + tree.files('doc', '.md', '.example'):
        if name.startswith('tests/house/') or not os.path.exists(tree.path(name)):
            continue
        for number, line in tree.lines(name):
            match = WORDS.search(line)
            if match:
                yield Fault(name, number, f'{match.group(0)} has no place here')
