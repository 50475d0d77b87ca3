#!/usr/bin/python3
"""Runs one bench and prints its table, or lists them. `./dev bench` calls it.

A bench is a file NAME_bench.py beside this one. The first line of its docstring is its line in the list. Its function
run(build) does the work, prints what a reader wants to see on the way, and returns a list of kit.checks.Check. A new
bench joins by lying here.
"""
import argparse
import importlib.util
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def benches():
    return {file.name[:-len('_bench.py')].replace('_', '-'): file for file in sorted(HERE.glob('*_bench.py'))}


def load(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(checks):
    rows = [('', 'measured', 'bar', '')] + [
        (each.name, each.shown(each.value), '%s %s' % (each.sense, each.shown(each.bar)),
         'holds' if each.holds else 'FAILS') for each in checks]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return '\n'.join('%-*s  %*s  %*s  %s' % (widths[0], a, widths[1], b, widths[2], c, d) for a, b, c, d in rows)


def main():
    known = benches()
    parser = argparse.ArgumentParser(prog='./dev bench', description=__doc__.split('\n')[0])
    parser.add_argument('name', nargs='?', choices=known, metavar='NAME')
    parser.add_argument('--json', metavar='FILE', help='write the checks there, too')
    parser.add_argument('--build', default=str(HERE.parent / 'build' / 'release'), help=argparse.SUPPRESS)
    options = parser.parse_args()
    # Both before a bench is loaded: they look for their parts and for the programs there.
    sys.path[:0] = [str(HERE), str(HERE.parent / 'tests' / 'support')]
    os.environ['POSTBUS_BIN'] = str(Path(options.build).resolve() / 'bin')

    if not options.name:
        for name, file in known.items():
            print('%-10s %s' % (name, load(file).__doc__.strip().split('\n')[0]))
        return 0

    checks = load(known[options.name]).run(Path(options.build).resolve())
    print('\n' + table(checks))
    if options.json:
        Path(options.json).write_text(json.dumps({'bench': options.name, 'checks': [each.record() for each in checks]},
                                                 indent=2) + '\n')
    return 0 if all(each.holds for each in checks) else 1


if __name__ == '__main__':
    sys.exit(main())
