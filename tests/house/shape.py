# SPDX-License-Identifier: GPL-2.0-or-later
"""shape.py - lengths of files and functions, numbers of parameters; what may exceed them is named in `exceptions`"""
import json
import os
import subprocess

from source import Fault

FILE_LINES = 500
FUNCTION_LINES = 60
PARAMETERS = 5
EXCEPTIONS = 'tests/house/exceptions'


def exceptions(tree):
    """{(file, function or '-'): line} of what is excused."""
    found = {}
    if os.path.exists(tree.path(EXCEPTIONS)):
        for number, line in tree.lines(EXCEPTIONS):
            if line and not line.startswith('#'):
                name, function = line.split()[:2]
                found[name, function] = number
    return found


def parameters(signature):
    """How many parameters a signature "(a, b)" has."""
    depth = commas = 0
    for character in signature[1:-1]:
        depth += {'(': 1, ')': -1}.get(character, 0)
        commas += character == ',' and not depth
    return 0 if signature in ('()', '(void)') else commas + 1


def functions(tree, names):
    """(file, function, line, number of lines, signature) of each function."""
    command = ['ctags', '--languages=C', '--langmap=C:.c.h', '--kinds-C=f', '--fields=+neS', '--output-format=json',
               '-f', '-', '-I', 'dp_fn', *names]
    output = subprocess.run(command, cwd=tree.root, stdout=subprocess.PIPE, check=True).stdout
    for line in output.splitlines():
        tag = json.loads(line)
        length = tag.get('end', tag['line']) - tag['line'] + 1
        yield tag['path'], tag['name'], tag['line'], length, tag.get('signature', '()')


def shape(tree):
    excused = exceptions(tree)
    used = set()
    faults = []
    names = tree.files('src', '.c', '.h') + tree.files('tests', '.c', '.h')
    for name in names:
        lines = tree.text(name).count('\n')
        if lines > FILE_LINES:
            faults.append((name, '-', 1, f'{lines} lines; a file has at most {FILE_LINES}'))
    for name, function, line, length, signature in functions(tree, names):
        if length > FUNCTION_LINES:
            faults.append((name, function, line, f'{function}(): {length} lines; {FUNCTION_LINES} are allowed'))
        if parameters(signature) > PARAMETERS:
            faults.append((name, function, line,
                           f'{function}(): {parameters(signature)} parameters; {PARAMETERS} are allowed'))
    for name, function, line, what in faults:
        if (name, function) in excused:
            used.add((name, function))
        else:
            yield Fault(name, line, what + f' (or give the reason in {EXCEPTIONS})')
    for key in excused.keys() - used:
        yield Fault(EXCEPTIONS, excused[key], f'{key[0]} {key[1]} needs no exception')
