"""What docs/writing-a-service.md shows is what is built and tested, and its ways of building work elsewhere."""
import ctypes
import re
import shutil
import subprocess

import pytest

from readme_test import ROOT, Clone

TEXT = (ROOT / 'docs' / 'writing-a-service.md').read_text(encoding='utf-8')


def quoted(path):
    """The block behind the line that names the file."""
    return TEXT.split('`%s`' % path, 1)[1].split('```cpp\n', 1)[1].split('```', 1)[0]


def without_comments(text):
    return ''.join(line for line in text.splitlines(True) if not line.startswith('//'))


@pytest.mark.parametrize('path', ['plugins/bundled/hello/hello.cpp', 'tests/plugins/echo/echo.cpp', 'examples/greeter/greeter.cpp',
                                  'examples/patient/patient.cpp', 'examples/orders/orders.cpp'])
def test_quotes_the_file(path):
    assert quoted(path) == without_comments((ROOT / path).read_text(encoding='utf-8'))


def check(library):
    assert ctypes.CDLL(str(library)).postbus_plugin_entry_v1
    symbols = subprocess.run(['readelf', '-W', '--dyn-syms', library], check=True, capture_output=True, text=True).stdout
    defined = [line.split()[7] for line in symbols.splitlines()
               if re.match(r'\s*\d+: ', line) and line.split()[6] != 'UND']
    assert defined == ['postbus_plugin_entry_v1']


def test_the_examples_work_as_printed(tmp_path):
    clone = Clone(tmp_path)
    (tmp_path / 'cmake').symlink_to(ROOT / 'cmake')
    clone.run_daemon()
    assert clone.follow(TEXT) == 5
    check(tmp_path / 'build/tour/hello.so')
    check(tmp_path / 'build/tour/project/build/hello.so')


def test_all_pages_build_by_the_same_line():
    lines = set()
    for page in (ROOT / 'README.md', *(ROOT / 'docs').glob('*.md')):
        lines |= {line[:line.index(' -o ')].strip()
                  for line in re.findall(r'^ *g\+\+ .*$', page.read_text(encoding='utf-8'), re.M)}
    assert len(lines) == 1
