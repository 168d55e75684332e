# SPDX-License-Identifier: GPL-2.0-or-later
"""compilers.py - rules that compilers and analysers hold: what they complain of becomes a fault"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess

from source import Fault

LIBRARIES = ['libbpf', 'libmnl', 'inih', 'jansson', 'libpcap']
COMPLAINT = re.compile(r'^(.+?):(\d+):(?:\d+:)? (?:fatal )?(?:error|warning): (.*)')


def need(tool):
    """A tool that is not there skips the test."""
    if not shutil.which(tool):
        raise FileNotFoundError(2, 'no such tool', tool)
    return tool


def multiarch():
    return subprocess.run(['gcc', '-print-multiarch'], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def flags():
    """Of our C in user space."""
    found = subprocess.run(['pkg-config', '--cflags', *LIBRARIES], stdout=subprocess.PIPE, text=True, check=True)
    return ['-std=gnu11', '-D_GNU_SOURCE', '-Isrc', '-Itests'] + found.stdout.split()


def bpf_flags():
    """Of our C in the kernel."""
    return ['-std=gnu11', '-target', 'bpf', '-O2', '-Isrc', '-idirafter', f'/usr/include/{multiarch()}']


def is_bpf(tree, name):
    return any(what.startswith('<bpf/bpf_helpers') for what in tree.closure(name))


def complain(tree, name, command, stdin=None):
    """Runs a compiler; its complaints as faults, and one for a failure without any."""
    done = subprocess.run(command, cwd=tree.root, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    faults = []
    for line in done.stdout.split('\n'):
        match = COMPLAINT.match(line)
        if match:
            path = match.group(1)
            if os.path.isabs(path) or path.startswith('..'):
                path = os.path.relpath(os.path.realpath(os.path.join(tree.build or tree.root, path)), tree.root)
            faults.append(Fault(path, int(match.group(2)), match.group(3)))
    if done.returncode and not faults:
        faults.append(Fault(name, 1, f'{command[0]} fails: {done.stdout.strip()[-500:]}'))
    return faults


def together(jobs):
    """Runs the calls in `jobs`, as many at a time as there are processors; all faults, each once."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: job[0](*job[1:]), jobs)
        return sorted({fault for faults in results for fault in faults})


def headers(tree):
    """Each header compiles alone, and twice. A header of the core that needs a host gets the one in user space."""
    jobs = []
    warnings = ['-Wall', '-Wextra', '-Werror', '-fsyntax-only', '-x', 'c', '-']
    user = flags()
    bpf = bpf_flags()
    for name in tree.files('src', '.h'):
        short = name[len('src/'):]
        closure = tree.closure(name)
        program = f'#include "{short}"\n#include "{short}"\n'
        if 'src/dp/env.h' in closure | {name} and name.startswith('src/dp/'):
            program = '#include "engine/env_user.h"\n' + program
        if is_bpf(tree, name):
            jobs.append((complain, tree, name, ['clang', *bpf, *warnings], program))
        else:
            for compiler in ('gcc', 'clang'):
                jobs.append((complain, tree, name, [compiler, *user, *warnings], program))
    return together(jobs)


TARGETS = ['x86_64-linux-gnu', 'i386-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf', 'mips-linux-gnu',
           'mipsel-linux-gnu', 'mips64-linux-gnuabi64', 'powerpc64-linux-gnu', 'riscv64-linux-gnu', 'bpf']
LAYOUT = 'tests/abi/layout.c'


def layout_of(tree, target, records):
    """Exit status, complaints, and {record: offsets and size} of `records` as `target` lays them out. Alignment is left
    out: where nothing depends on padding, a type that is aligned less is the same bytes."""
    command = ['clang', f'--target={target}', '-ffreestanding', '-fsyntax-only', '-std=gnu11', '-Wall', '-Wextra',
               '-Wpadded', '-Werror', '-Isrc', '-Xclang', '-fdump-record-layouts-complete', LAYOUT]
    done = subprocess.run(command, cwd=tree.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    blocks = re.sub(r', align=\d+', '', done.stdout).split('*** Dumping AST Record Layout\n')
    found = {block.split('\n')[0].split()[-1]: block.strip() for block in blocks if block.strip()}
    return done.returncode, done.stderr, {record: found.get(record) for record in records}


def abi(tree):
    """What crosses a boundary is the same bytes on every architecture, has no hidden padding, and is all tested."""
    need('clang')
    tested = tree.closure(LAYOUT)
    records = []
    for name in tree.files('src/abi', '.h'):
        if name not in tested:
            yield Fault(LAYOUT, 1, f'does not include {name}')
        records += re.findall(r'^(?:struct|union) (\w+) {', tree.text(name), re.MULTILINE)
    _, _, first = layout_of(tree, TARGETS[0], records)
    for target in TARGETS:
        failed, errors, found = layout_of(tree, target, records)
        for line in errors.split('\n'):
            match = COMPLAINT.match(line)
            if match:
                yield Fault(match.group(1), int(match.group(2)), f'{target}: {match.group(3)}')
        if failed and not errors:
            yield Fault(LAYOUT, 1, f'{target}: does not compile')
        for record in records:
            if not found[record]:
                yield Fault(LAYOUT, 1, f'{target}: no layout of {record}')
            elif found[record] != first[record]:
                yield Fault(LAYOUT, 1, f'{target}: {record} differs from {TARGETS[0]}')


def units(tree):
    """(name, -D and -I flags) of each C file that the build compiled in user space, the name relative to the root."""
    commands = os.path.join(tree.build, 'compile_commands.json')
    with open(commands, encoding='utf-8') as data:
        listed = json.load(data)
    found = {}
    for unit in listed:
        name = os.path.relpath(os.path.join(unit['directory'], unit['file']), tree.root)
        if name.endswith('.c') and not name.startswith('..'):
            found[name] = [word for word in shlex.split(unit['command']) if word.startswith(('-D', '-I'))]
    return sorted(found.items())


def sparse(tree):
    """Values in network byte order are types of their own. Tests write packets by hand and are left out."""
    command = [need('sparse'), '-Wbitwise', '-Wno-decl', '-Wno-cast-truncate', '-Wsparse-error',
               f'-I/usr/include/{multiarch()}', *flags()]
    ours = [unit for unit in units(tree) if unit[0].startswith('src/')]
    return together([(complain, tree, name, [*command, *defines, name]) for name, defines in ours])


def layout(tree):
    command = [need('clang-format'), '--dry-run', '-Werror']
    names = tree.files('src', '.c', '.h') + tree.files('tests', '.c', '.h')
    return together([(complain, tree, name, [*command, name]) for name in names])


def tidy(tree):
    command = [need('clang-tidy'), '--quiet', '-p', tree.build]
    return together([(complain, tree, name, [*command, name]) for name, _ in units(tree)])


# What does not apply. readdir() and gmtime() are safe in one thread. Uninitialized variables: clang's analyser follows
# what a callee fills, this one does not. The two ends of the embedded object are subtracted on purpose. scanf: takes an
# array of bytes for text.
NOT_APPLYING = ['readdirCalled', 'gmtimeCalled', 'uninitvar', 'legacyUninitvar', 'ctuuninitvar',
                'comparePointers:src/kernel/load.c', 'invalidScanfArgType_int']
CPPCHECK = ['--enable=warning,performance,portability', '--inline-suppr', '--std=c11', '--error-exitcode=1', '--quiet',
            '--library=posix', '-D_GNU_SOURCE', '-D__x86_64__', '-Isrc', '-Itests',
            '--library=' + os.path.join(os.path.dirname(os.path.abspath(__file__)), 'cppcheck.cfg'),
            *(f'--suppress={what}' for what in NOT_APPLYING),
            '--template={file}:{line}:{column}: warning: {message} [{id}]', '--template-location=']


def cppcheck(tree):
    command = [need('cppcheck'), *CPPCHECK]
    return together([(complain, tree, name, [*command, *defines, name]) for name, defines in units(tree)])


# What running a packet through the engine may call outside of itself: bytes are moved, nothing else happens.
HOT = {'memcpy', 'memmove', 'memset', 'memcmp', '__stack_chk_fail', '__memcpy_chk'}
ENGINE = 'src/engine/libengine.a'
FUNCTION = re.compile(r'^[0-9a-f]+ <([\w.]+)>:')
CALL = re.compile(r'\b(?:call|jmp|bl|b)\s+[0-9a-f]+ <([\w.]+)')
RELOCATION = re.compile(r'R_\w+_(?:PLT32|CALL26|JUMP26|GOTPCRELX|REX_GOTPCRELX)\s+([\w.]+)')


def calls(library):
    """{function: what it calls or jumps to}"""
    command = [need('objdump'), '-dr', '--no-show-raw-insn', library]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    current = None
    for line in output.split('\n'):
        match = FUNCTION.match(line)
        if match:
            current = found.setdefault(match.group(1), set())
            continue
        match = RELOCATION.search(line) or CALL.search(line)
        if match and current is not None:
            current.add(match.group(1))
    return found


def hot_path(tree):
    """engine_run() reaches nothing that allocates, prints, waits or asks the system."""
    library = os.path.join(tree.build, ENGINE)
    if not os.path.exists(library):
        raise FileNotFoundError(2, 'not built', library)
    graph = calls(library)
    if 'engine_run' not in graph:
        yield Fault('src/engine/engine.c', 1, 'has no engine_run()')
        return
    seen, ahead = set(), [('engine_run', 'engine_run')]
    while ahead:
        function, way = ahead.pop()
        if function in seen:
            continue
        seen.add(function)
        if function not in graph and not function.startswith('.') and function not in HOT:
            yield Fault('src/engine/engine.c', 1, f'engine_run() reaches {function}(): {way}')
        ahead += [(next_one, f'{way} > {next_one}') for next_one in graph.get(function, ())]
