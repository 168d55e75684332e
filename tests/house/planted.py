#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""planted.py - plants what each rule forbids in a tree of its own, and demands that the rule finds it"""
import json
import os
import subprocess
import sys
import tempfile

import house
import source

HEAD = '/* SPDX-License-Identifier: GPL-2.0-or-later */\n/* {} - planted */\n'
BE = ('#include "abi/types.h"\n'
      'be16 swapped(u16 port);\nbe16 swapped(u16 port)\n{\n\treturn port;\n}\n')
HOT = ('#include <stdlib.h>\n'
       'void engine_run(void **p);\nvoid engine_run(void **p)\n{\n\t*p = malloc(1);\n}\n')
LONG = 'int f(int x);\nint f(int x)\n{\n' + '\tx += 1;\n' * 70 + '\treturn x;\n}\n'
WIDE = 'int f(int a, int b, int c, int d, int e, int g)\n{\n\treturn a;\n}\n'
LEAK = ('#include <stdlib.h>\n'
        'int f(void)\n{\n\tint *p = malloc(4);\n\n\tif (!p)\n\t\treturn 1;\n\t*p = 0;\n\treturn *p;\n}\n')
OUTSIDE = 'int f(void);\nint f(void)\n{\n\tint a[2] = {0};\n\n\treturn a[2];\n}\n'
REASON_LIST = '#define REASONS(X) \\\n\tX(NONE, DROP, "none", "")\\\n\tX(LOST, DROP, "lost", "")\n'

# rule, file, its text behind the head, part of the complaint, line (0: any; -1: this is allowed)
PLANTED = [
    ('includes', 'src/lib/a.c', '#include "dp/types.h"\n', 'lib does not include dp', 3),
    ('includes', 'src/kernel/a.c', '#include "dp/types.h"\n', 'kernel includes of dp only reason.h', 3),
    ('includes', 'src/conf/a.h', '#include "engine/engine.h"\n', 'conf does not include engine', 3),
    ('includes', 'src/dp/a.h', '#include <string.h>\n', 'freestanding', 3),
    ('includes', 'src/gateway/a.c', '#include <bpf/libbpf.h>\n', 'libbpf is for', 3),
    ('includes', 'src/bpf/a.h', '#include <bpf/libbpf.h>\n', 'in the kernel', 3),
    ('includes', 'src/engine/a.c', '#include "gateway/gateway.h"\n', 'engine does not include gateway', 3),
    ('includes', 'src/dp/b.h', '#include "../abi/types.h"\n', 'from the root of src', 3),
    ('includes', 'src/dp/b.h', '#include "dp/types.h"\n', 'bare name', 3),
    ('includes', 'src/dp/b.h', '#include "nowhere.h"\n', 'neither in this directory', 3),
    ('includes', 'src/shed/a.h', '', 'no room', 1),
    ('heads', 'src/lib/a.c', None, 'SPDX', 1),
    ('heads', 'src/lib/a.c', None, 'what it is', 2),
    ('width', 'src/lib/a.c', '/* ' + 'x' * 120 + ' */\n', 'columns', 3),
    ('width', 'src/lib/a.c', 'int a; \n', 'white space', 3),
    ('width', 'src/lib/a.c', 'int a;', 'newline', 3),
    ('packet-bytes', 'src/engine/a.c', 'x = (struct ipv4_hdr *)p->data;\n', 'pkt_at', 3),
    ('packet-bytes', 'src/dp/a.h', 'x = (void *)(long)ctx->data_end;\n', 'context', 3),
    ('reasons', 'src/dp/reason.h', REASON_LIST, 'REASON_LOST is never', 5),
    ('reasons', 'src/dp/reason.h', REASON_LIST.replace('LOST', 'NONE') + '/**/', '', -1),
    ('words', 'src/lib/a.c', '/* TODO: more */\n', 'TODO', 3),
    ('shape', 'src/lib/a.c', LONG, '74 lines', 4),
    ('shape', 'src/lib/a.c', WIDE, '6 parameters', 3),
    ('shape', 'src/lib/a.c', '\n' * 500, '502 lines', 1),
    ('headers', 'src/lib/a.h', 'u32 f(void);\n', 'u32', 3),
    ('headers', 'src/lib/a.h', 'struct a {\n\tint b;\n};\n', 'redefinition', 3),
    ('abi', 'src/abi/a.h', 'struct a {\n\tint b;\n\tchar c;\n};\n', 'padding size', 3),
    ('abi', 'src/abi/a.h', 'struct a {\n\tlong b;\n};\n', 'a differs', 1),
    ('abi', 'src/abi/b.h', 'struct b {\n\tint b;\n};\n', 'does not include src/abi/b.h', 1),
    ('sparse', 'src/lib/a.c', BE, 'return expression', 7),
    ('format', 'src/lib/a.c', 'int  a;\n', 'clang-formatted', 3),
    ('tidy', 'src/lib/a.c', LEAK, 'leak', 0),
    ('cppcheck', 'src/lib/a.c', OUTSIDE, 'out of bounds', 8),
    ('hot-path', 'src/engine/hot.c', HOT, 'reaches malloc', 0),
]


def write(root, name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as out:
        out.write(text)


def furnish(root, real):
    """What the rules expect of any tree: the types, a layout test, the analysers' settings, an empty build."""
    for name in ('src/abi/types.h', '.clang-format', '.clang-tidy'):
        with open(os.path.join(real, name), encoding='utf-8') as text:
            write(root, name, text.read())
    write(root, 'src/dp/types.h', HEAD.format('types.h'))
    write(root, 'src/abi/a.h', HEAD.format('a.h'))
    write(root, 'tests/abi/layout.c', HEAD.format('layout.c') + '#include "abi/a.h"\n#include "abi/types.h"\n')


def compiled(root, name):
    """A build directory that has compiled `name`."""
    build = os.path.join(root, 'build')
    unit = {'directory': root, 'file': name, 'command': f'cc -Isrc -c {name}'}
    write(build, 'compile_commands.json', json.dumps([unit]))
    engine = os.path.join(build, 'src', 'engine')
    os.makedirs(engine)
    if name == 'src/engine/hot.c':
        subprocess.run(['cc', '-O2', '-c', name, '-o', 'hot.o'], cwd=root, check=True)
        subprocess.run(['ar', 'rc', os.path.join(engine, 'libengine.a'), 'hot.o'], cwd=root, check=True)
    return build


def found(real, rule, name, text):
    """What `rule` says of a tree that has `text` in `name`."""
    with tempfile.TemporaryDirectory(prefix='portico-planted-') as root:
        furnish(root, real)
        if text is None:
            text = '\nint a;\n'
        else:
            text = HEAD.format(os.path.basename(name)) + text
        write(root, name, text)
        return list(house.RULES[rule](source.Tree(root, compiled(root, name))))


def main():
    real = os.path.abspath(sys.argv[1])
    failed = 0
    for rule, name, text, complaint, line in PLANTED:
        faults = found(real, rule, name, text)
        if line < 0:
            good = not faults
        else:
            good = any(complaint in fault.what and line in (0, fault.line) for fault in faults)
        if not good:
            failed += 1
            print(f'tests/house/planted.py:1: {rule} does not find "{complaint}" in {name}:{line}: {faults}')
    for rule in house.RULES.keys() - {entry[0] for entry in PLANTED}:
        failed += 1
        print(f'tests/house/planted.py:1: nothing is planted for {rule}')
    print(f'{len(PLANTED)} planted, {failed} missed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
