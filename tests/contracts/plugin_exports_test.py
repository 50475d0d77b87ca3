"""What a built plugin shows the dynamic linker: its entry, and nothing that could meddle with others or hold it."""
import os
import re
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ['POSTBUS_BUILD_DIR'])
ENTRY = 'postbus_plugin_entry_v1'
GOOD = sorted([*(BUILD / 'lib/postbus/plugins').glob('*.so'), *(BUILD / 'tests/plugins').glob('*.so')])


def readelf(*args):
    return subprocess.run(['readelf', '-W', *map(str, args)], check=True, capture_output=True, text=True).stdout


def dynamic_symbols(path):
    """(name, bind, defined) of each. lld leaves the file's OS at none, so readelf calls STB_GNU_UNIQUE by number."""
    symbols = []
    for line in readelf('--dyn-syms', path).splitlines():
        m = re.match(r'\s*\d+:\s+[0-9a-f]+\s+\S+\s+(<OS specific>: 10|\S+)\s+(<OS specific>: 10|\S+)\s+\S+\s+(\S+)\s+(\S+)',
                     line)
        if m:
            bind = 'UNIQUE' if '<OS specific>: 10' in m.group(0) else m[2]
            symbols.append((m[4].split('@')[0], bind, m[3] != 'UND'))
    return symbols


def test_there_is_something_to_look_at():
    assert {'hello.so', 'echo.so', 'types.so', 'first.so'} <= {p.name for p in GOOD}


@pytest.mark.parametrize('path', GOOD, ids=lambda p: p.name)
class TestPlugin:
    def test_exports_its_entry_alone(self, path):
        assert [name for name, _, defined in dynamic_symbols(path) if defined] == [ENTRY]

    def test_has_no_unique_symbol(self, path):
        assert [s for s in dynamic_symbols(path) if s[1] == 'UNIQUE'] == []

    def test_registers_no_thread_local_destructors(self, path):
        assert '__cxa_thread_atexit' not in [name for name, _, _ in dynamic_symbols(path)]

    def test_is_bound_at_once_and_can_be_unloaded(self, path):
        dynamic = readelf('-d', path)
        assert 'NOW' in dynamic
        assert 'NODELETE' not in dynamic and 'TEXTREL' not in dynamic and 'RUNPATH' not in dynamic

    def test_has_no_executable_stack(self, path):
        stack = [line for line in readelf('-l', path).splitlines() if 'GNU_STACK' in line]
        assert stack and 'E' not in stack[0].split()[-2]


def test_the_look_finds_what_is_bad():
    bad = BUILD / 'tests/plugins/bad'
    assert 'UNIQUE' in [bind for _, bind, _ in dynamic_symbols(bad / 'unique.so')]
    assert '__cxa_thread_atexit' in [name for name, _, _ in dynamic_symbols(bad / 'thread_local.so')]
    assert ENTRY not in [name for name, _, defined in dynamic_symbols(bad / 'no_entry.so') if defined]


def test_versions_for_replacement_are_of_one_size_and_different_content():
    versions = [(BUILD / 'tests/plugins' / ('hello_v%d.so' % n)).read_bytes() for n in (2, 3, 4)]
    assert len({len(v) for v in versions}) == 1
    assert len(set(versions)) == 3
