#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""everything.py BUILD - builds every variant, runs its tests, counts

    BUILD       release: all suites
    BUILD-san   address and undefined behaviour sanitizers: what runs our programs
    BUILD-fuzz  clang's fuzzer: the fuzz targets, FUZZ_SECONDS (20) each

A build that fails, or a variant without tests, counts as one failed test. The last line is
`N passed, N failed, N skipped`.
"""
import json
import os
import subprocess
import sys
import time

SANITIZE = '-Db_sanitize=address,undefined'

# name, suffix of the directory, arguments of meson setup, environment of meson setup, arguments of meson test
VARIANTS = [
    ('release', '', [], {}, ['--no-suite', 'fuzz']),
    ('sanitizer', '-san', [SANITIZE], {},
     ['--suite', 'unit', '--suite', 'vec', '--suite', 'bpf', '--suite', 'netns', '--timeout-multiplier', '3']),
    ('fuzz', '-fuzz', ['-Dfuzz=enabled', SANITIZE, '-Db_lundef=false'], {'CC': 'clang'}, ['--suite', 'fuzz']),
]
FAILED = {'FAIL', 'TIMEOUT', 'ERROR', 'INTERRUPT', 'UNEXPECTEDPASS'}


def build(directory, setup, environment):
    """True if the variant in `directory` is compiled."""
    if not os.path.exists(os.path.join(directory, 'build.ninja')):
        command = ['meson', 'setup', directory] + setup
        if subprocess.run(command, env={**os.environ, **environment}).returncode:
            return False
    return subprocess.run(['ninja', '--quiet', '-C', directory]).returncode == 0


def run(directory, arguments):
    """The results of meson test, one dictionary a test."""
    log = os.path.join(directory, 'meson-logs', 'testlog.json')
    if os.path.exists(log):
        os.remove(log)
    subprocess.run(['meson', 'test', '-C', directory, '--no-rebuild', '--print-errorlogs'] + arguments)
    if not os.path.exists(log):
        return []
    with open(log, encoding='utf-8') as lines:
        return [json.loads(line) for line in lines]


def reason(result):
    """Why a test was skipped: the last line it wrote."""
    lines = (result.get('stdout', '') + '\n' + result.get('stderr', '')).split('\n')
    lines = [line.strip() for line in lines if line.strip()]
    return lines[-1] if lines else 'no reason given'


def variant(base, name, suffix, setup, environment, arguments, count):
    """Builds and runs one variant; returns the lines about what did not pass."""
    directory = base + suffix
    start = time.monotonic()
    print(f'== {name}: {directory}', flush=True)
    if not build(directory, setup, environment):
        count['failed'] += 1
        return [f'failed: {name}: the build']
    told = []
    results = run(directory, arguments)
    if not results:
        count['failed'] += 1
        told.append(f'failed: {name}: no test ran')
    for result in results:
        test = result['name'].removeprefix('portico:')
        if result['result'] == 'SKIP':
            count['skipped'] += 1
            told.append(f'skipped: {name}: {test}: {reason(result)}')
        elif result['result'] in FAILED:
            count['failed'] += 1
            told.append(f'failed: {name}: {test} ({result["result"].lower()})')
        else:
            count['passed'] += 1
    print(f'== {name}: {time.monotonic() - start:.0f} s', flush=True)
    return told


def main():
    # a finding of this sanitizer is only a remark unless it is told otherwise
    os.environ.setdefault('UBSAN_OPTIONS', 'halt_on_error=1:print_stacktrace=1')
    base = sys.argv[1] if len(sys.argv) > 1 else 'build'
    count = {'passed': 0, 'failed': 0, 'skipped': 0}
    told = []
    for entry in VARIANTS:
        told += variant(base, *entry, count)
    print('\n'.join(sorted(told, reverse=True)))
    summary = f'{count["passed"]} passed, {count["failed"]} failed, {count["skipped"]} skipped'
    os.makedirs(base, exist_ok=True)
    with open(os.path.join(base, 'summary.txt'), 'w', encoding='utf-8') as out:
        out.write(summary + '\n')
    print(summary)
    return 1 if count['failed'] or not count['passed'] else 0


if __name__ == '__main__':
    sys.exit(main())
