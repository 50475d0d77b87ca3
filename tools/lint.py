#!/usr/bin/python3
"""clang-format and clang-tidy over the tree; `./dev lint` calls it. Exit status 1 when either has something to say.

  lint.py [--build DIR] [--jobs N] [--format-only] [PATH...]

DIR holds a compile_commands.json. gcc's precompiled headers and its own flags are taken out of it: clang reads the
sources alone. PATHs narrow both down to files below them. A file that clang-tidy had nothing to say about is looked at
again when it, a header of ours that it reads, its flags or the rules have changed; DIR/tidy-clean.json remembers.
"""
import argparse
import hashlib
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
                         stderr=subprocess.PIPE, universal_newlines=True)
    if run.returncode and not run.stdout.strip():
        return '%s:1:1: error: clang-tidy ended with %d: %s' % (file, run.returncode, run.stderr)
    return run.stdout if run.stdout.strip() else ''


class Remembered:
    """The files that were clean, each with a hash of all that clang-tidy's word on it rests on but the system's headers."""

    def __init__(self, build):
        self.file = build / 'tidy-clean.json'
        self.clean = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.includes = {}
        version = subprocess.run(['clang-tidy', '--version'], stdout=subprocess.PIPE, check=True).stdout
        self.rules = {ROOT.parent: version}  # by folder: its own and those above it

    def rules_of(self, folder):
        if folder not in self.rules:
            own = folder / '.clang-tidy'
            self.rules[folder] = self.rules_of(folder.parent) + (own.read_bytes() if own.exists() else b'')
        return self.rules[folder]

    def reads(self, file, seen):
        if file in seen:
            return
        seen.add(file)
        if file not in self.includes:
            named = re.findall(r'(?m)^\s*#\s*include\s*["<]([^">]+)[">]', file.read_text(errors='replace'))
            places = [folder / name for name in named for folder in (file.parent, ROOT, ROOT / 'sdk')]
            self.includes[file] = [each.resolve() for each in places if each.is_file()]
        for each in self.includes[file]:
            self.reads(each, seen)

    def key(self, file, commands):
        seen = set()
        self.reads(Path(file), seen)
        hashed = hashlib.sha256(self.rules_of(Path(file).parent) + json.dumps(commands, sort_keys=True).encode())
        for each in sorted(seen):
            hashed.update(each.read_bytes())
        return hashed.hexdigest()

    def save(self):
        self.file.write_text(json.dumps(self.clean, indent=0, sort_keys=True))


def findings(build, wanted, jobs):
    """Prints what clang-tidy says, each finding once however many files include its header. (files, findings)"""
    commands = {}  # a file that is built more than once is read with each of its commands, in one run
    for each in json.loads((build / 'compile_commands.json').read_text()):
        if Path(each['file']) in wanted:
            commands.setdefault(each['file'], []).append(for_clang(each))
    remembered = Remembered(build)
    keys = {file: remembered.key(file, its) for file, its in commands.items()}
    stale = [file for file in commands if remembered.clean.get(file) != keys[file]]
    said = set()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'compile_commands.json').write_text(json.dumps(sum(commands.values(), [])))
        with ThreadPoolExecutor(jobs) as pool:
            for file, text in zip(stale, pool.map(lambda each: tidied(folder, each), stale)):
                if not text:
                    remembered.clean[file] = keys[file]
                    remembered.save()
                for finding in re.split(r'(?m)^(?=/\S+:\d+:\d+: (?:error|warning):)', text):
                    if finding.strip() and finding.split('\n', 1)[0] not in said:
                        said.add(finding.split('\n', 1)[0])
                        print(finding, end='', flush=True)
    return len(commands), len(said)


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
