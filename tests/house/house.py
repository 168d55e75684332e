#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""house.py RULE ROOT [BUILD] - holds the tree to one rule; prints file:line: what, and fails, where it is broken"""
import sys

import compilers
import includes
import shape
import source
import text

RULES = {
    'includes': includes.includes,
    'heads': text.heads,
    'width': text.width,
    'packet-bytes': text.packet_bytes,
    'reasons': text.reasons,
    'words': text.words,
    'shape': shape.shape,
    'headers': compilers.headers,
    'abi': compilers.abi,
    'sparse': compilers.sparse,
    'format': compilers.layout,
    'tidy': compilers.tidy,
    'cppcheck': compilers.cppcheck,
    'hot-path': compilers.hot_path,
}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in RULES:
        print(f'usage: house.py {"|".join(RULES)} ROOT [BUILD]', file=sys.stderr)
        return 2
    tree = source.Tree(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
    try:
        faults = list(RULES[sys.argv[1]](tree))
    except FileNotFoundError as missing:
        print(f'not installed or not built: {missing.filename}')
        return 77
    for fault in faults:
        print(f'{fault.path}:{fault.line}: {fault.what}')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
