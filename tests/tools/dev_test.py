"""./dev says what it can do, and refuses what it can't by name."""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def dev(*arguments, **options):
    done = subprocess.run([ROOT / 'dev', *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, timeout=60, **options)
    return done.returncode, done.stdout


def test_help_names_every_command():
    status, said = dev('help')

    assert status == 0
    for command in ('run', 'test', 'build', 'bench', 'fuzz', 'lint', 'sanitize'):
        assert re.search(r'^\./dev %s\b' % command, said, re.M), command


def test_an_unknown_command_is_named():
    status, said = dev('tets')

    assert (status, said.splitlines()[-1]) == (1, "dev: no command 'tets'")


def test_an_unknown_preset_is_refused_with_those_that_there_are():
    presets = [each['name'] for each in json.loads((ROOT / 'CMakePresets.json').read_text())['buildPresets']]

    status, said = dev('build', 'fast')

    assert status == 1
    assert said.splitlines()[-1] == "dev: no preset 'fast'; there are " + ', '.join(presets)


def test_bench_lists_its_benches():
    status, said = dev('bench')

    assert status == 0
    files = sorted(file.name[:-len('_bench.py')] for file in (ROOT / 'bench').glob('*_bench.py'))
    assert [line.split()[0].replace('-', '_') for line in said.splitlines()] == files
    assert {'http', 'memory'} <= set(files)


def test_an_unknown_bench_is_refused():
    done = subprocess.run([sys.executable, ROOT / 'bench' / 'run.py', 'nosuch'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, timeout=60)

    assert done.returncode == 2
    assert 'nosuch' in done.stdout and 'http' in done.stdout


def test_a_bench_exits_by_its_bars_and_writes_its_checks(tmp_path):
    shutil.copytree(ROOT / 'bench', tmp_path / 'bench', ignore=shutil.ignore_patterns('*_bench.py', '__pycache__'))
    bench = tmp_path / 'bench' / 'two_bars_bench.py'
    bench.write_text('''"""Two bars"""
from kit.checks import at_least, at_most
def run(build):
    return [at_least("speed", 2.5, 2), at_most("memory", 9, 8, "KB")]
''')
    command = [sys.executable, tmp_path / 'bench' / 'run.py']

    listed = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, timeout=60)
    done = subprocess.run([*command, 'two-bars', '--json', tmp_path / 'out.json'], stdout=subprocess.PIPE,
                          universal_newlines=True, timeout=60)

    assert listed.stdout.split() == ['two-bars', 'Two', 'bars']
    assert done.returncode == 1
    assert [line.split()[-1] for line in done.stdout.strip().splitlines()[1:]] == ['holds', 'FAILS']
    assert json.loads((tmp_path / 'out.json').read_text()) == {'bench': 'two-bars', 'checks': [
        {'name': 'speed (at least)', 'value': 2.5, 'bar': 2, 'holds': True},
        {'name': 'memory (at most, KB)', 'value': 9, 'bar': 8, 'holds': False}]}


def test_without_root_and_sudo_it_says_what_to_install(tmp_path):
    """On a PATH that has what a minimal system has, and a package data base that has nothing."""
    (tmp_path / 'dpkg-query').write_text('#!/bin/sh\n')
    (tmp_path / 'id').write_text('#!/bin/sh\necho 1000\n')
    for name in ('dpkg-query', 'id'):
        (tmp_path / name).chmod(0o755)
    for name in ('bash', 'env', 'dirname', 'readlink', 'nproc', 'sed', 'grep', 'sort'):
        (tmp_path / name).symlink_to(next(file for folder in os.environ['PATH'].split(':')
                                          for file in [Path(folder) / name] if file.exists()))

    status, said = dev('build', env={'PATH': str(tmp_path)})

    assert status == 1
    assert said.startswith('dev: needs root or sudo to install: apt-get install --no-install-recommends ccache cmake g++ ')


def test_every_line_of_the_package_list_is_understood():
    group = None
    for line in (ROOT / 'packages' / 'debian.txt').read_text().splitlines():
        line = line.split('#')[0].strip()
        if line.startswith('['):
            group = line
        elif line:
            assert group and re.fullmatch(r'[a-z0-9][a-z0-9+.-]+( unless [a-z0-9-]+)?', line), line


@pytest.mark.parametrize('file', ['dev', '.ci/run'])
def test_scripts_can_be_run(file):
    assert os.access(ROOT / file, os.X_OK)
    subprocess.run(['bash', '-n', ROOT / file], check=True)
