# SPDX-License-Identifier: GPL-2.0-or-later
"""source.py - the files of the tree, and what a rule says about them

A rule is a function rule(tree) that yields Fault(path, line, what). Paths are relative to the root of the tree.
"""
import functools
import os
import re
from collections import namedtuple

Fault = namedtuple('Fault', 'path line what')

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Tree:
    """The source below `root`, and the build directory that it was compiled in (None: rules of text only)."""

    def __init__(self, root, build=None):
        self.root = root
        self.build = build

    def path(self, name):
        return os.path.join(self.root, name)

    @functools.lru_cache(maxsize=None)
    def files(self, top, *ends):
        """Names below directory `top` with one of the endings, sorted."""
        found = []
        for directory, _, names in os.walk(self.path(top)):
            for name in names:
                if name.endswith(ends) and '__pycache__' not in directory:
                    found.append(os.path.relpath(os.path.join(directory, name), self.root))
        return sorted(found)

    @functools.lru_cache(maxsize=None)
    def text(self, name):
        with open(self.path(name), encoding='utf-8', errors='replace') as data:
            return data.read()

    def lines(self, name):
        """(number, line) from 1 on."""
        return enumerate(self.text(name).split('\n'), 1)

    def includes(self, name):
        """(line number, '<' or '"', what) of each include."""
        for number, line in self.lines(name):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1), match.group(2)

    @functools.lru_cache(maxsize=None)
    def closure(self, name):
        """What `name` includes, directly or not: our files by name, the system's as <...>."""
        found = set()
        for _, mark, what in self.includes(name):
            if mark == '<':
                found.add(f'<{what}>')
                continue
            for candidate in (os.path.join(os.path.dirname(name), what), os.path.join('src', what)):
                if os.path.exists(self.path(candidate)) and candidate not in found:
                    found |= {candidate} | self.closure(candidate)
                    break
        return frozenset(found)
