#!/usr/bin/python3
"""clang-format and clang-tidy over the tree; `./dev lint` calls it. Exit status 1 when either has something to say.

  lint.py [--build DIR] [--jobs N] [--format-only] [PATH...]

DIR holds a compile_commands.json. gcc's precompiled headers and its own flags are taken out of it: clang reads the
sources alone. PATHs narrow both down to files below them.
"""
import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {'.h', '.hpp', '.cpp', '.c'}
GCC_ONLY = {'-fno-gnu-unique', '-Winvalid-pch'}


def tracked(paths):
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', *paths],
                            cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    return [ROOT / name for name in sorted(listed.decode().split('\0'))
            if Path(name).suffix in SOURCES and (ROOT / name).is_file()]


def badly_formatted(files):
    run = subprocess.run(['clang-format', '--dry-run', '--Werror', *map(str, files)], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, universal_newlines=True)
    return run.stdout if run.returncode else ''


def for_clang(entry):
    """The entry without what only gcc understands, and without its precompiled header."""
    arguments, kept = shlex.split(entry['command']), []
    if '-E' in arguments[:6] and 'cmake' in arguments[0]:  # ccache behind `cmake -E env`
        arguments = arguments[next(i for i, word in enumerate(arguments) if word.endswith('ccache')) + 1:]
    elif arguments[0].endswith('ccache'):
        arguments = arguments[1:]
    skip = False
    for word in arguments:
        if skip:
            skip = False
        elif word == '-include':
            skip = True
        elif word not in GCC_ONLY:
            kept.append(word)
    return {'directory': entry['directory'], 'file': entry['file'], 'arguments': kept}


def tidied(folder, file):
    run = subprocess.run(['clang-tidy', '--quiet', '-p', folder, file], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, universal_newlines=True)
    return run.stdout if run.returncode or run.stdout.strip() else ''


def findings(build, wanted, jobs):
    """Prints what clang-tidy says, each finding once however many files include its header. (files read, findings)"""
    entries = [for_clang(each) for each in json.loads((build / 'compile_commands.json').read_text())
               if Path(each['file']) in wanted]
    said = set()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'compile_commands.json').write_text(json.dumps(entries))
        with ThreadPoolExecutor(jobs) as pool:
            for text in pool.map(lambda each: tidied(folder, each['file']), entries):
                for finding in re.split(r'(?m)^(?=/\S+:\d+:\d+: (?:error|warning):)', text):
                    if finding.strip() and finding.split('\n', 1)[0] not in said:
                        said.add(finding.split('\n', 1)[0])
                        print(finding, end='', flush=True)
    return len(entries), len(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'dev')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--format-only', action='store_true')
    parser.add_argument('paths', nargs='*')
    options = parser.parse_args()

    files = tracked(options.paths)
    format_errors = badly_formatted(files)
    if format_errors:
        print(format_errors, end='')
    tidy_errors, read = 0, 0
    if not options.format_only:
        read, tidy_errors = findings(options.build, {each for each in files if each.suffix in ('.cpp', '.c')},
                                     options.jobs)
    print('clang-format: %d files, %s' % (len(files), 'not all well formatted' if format_errors else 'clean'))
    if not options.format_only:
        print('clang-tidy: %d files, %s' % (read, '%d findings' % tidy_errors if tidy_errors else 'clean'))
    return 1 if format_errors or tidy_errors else 0


if __name__ == '__main__':
    sys.exit(main())
