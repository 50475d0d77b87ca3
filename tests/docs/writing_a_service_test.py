"""What docs/writing-a-service.md shows is what is built and tested, and its ways of building work elsewhere."""
import ctypes
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / 'docs' / 'writing-a-service.md').read_text(encoding='utf-8')


def block(kind, begins_with):
    found = [b for b in re.findall(r'^```%s\n(.*?)^```$' % kind, TEXT, re.M | re.S) if b.startswith(begins_with)]
    assert len(found) == 1, begins_with
    return found[0]


def quoted(path):
    """The block behind the line that names the file."""
    return TEXT.split('`%s`' % path, 1)[1].split('```cpp\n', 1)[1].split('```', 1)[0]


def without_comments(text):
    return ''.join(line for line in text.splitlines(True) if not line.startswith('//'))


@pytest.mark.parametrize('path', ['plugins/bundled/hello/hello.cpp', 'tests/plugins/echo/echo.cpp', 'examples/greeter/greeter.cpp',
                                  'examples/patient/patient.cpp', 'examples/orders/orders.cpp'])
def test_quotes_the_file(path):
    assert quoted(path) == without_comments((ROOT / path).read_text(encoding='utf-8'))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / 'hello.cpp').write_text(quoted('plugins/bundled/hello/hello.cpp'), encoding='utf-8')
    return tmp_path


def check(library):
    assert ctypes.CDLL(str(library)).postbus_plugin_entry_v1
    symbols = subprocess.run(['readelf', '-W', '--dyn-syms', library], check=True, capture_output=True, text=True).stdout
    defined = [line.split()[7] for line in symbols.splitlines()
               if re.match(r'\s*\d+: ', line) and line.split()[6] != 'UND']
    assert defined == ['postbus_plugin_entry_v1']


def test_builds_in_one_line(folder):
    subprocess.run(['bash', '-euc', block('sh', 'g++ ')], cwd=folder, check=True, env={**os.environ, 'POSTBUS': str(ROOT)})
    check(folder / 'hello.so')


def test_builds_by_cmake(folder):
    (folder / 'CMakeLists.txt').write_text(block('cmake', 'cmake_minimum_required'), encoding='utf-8')
    subprocess.run(['bash', '-euc', block('sh', 'cmake ')], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, 'POSTBUS': str(ROOT)})
    check(folder / 'build' / 'hello.so')


@pytest.mark.skipif(not shutil.which('clang++'), reason='no clang++ here')
def test_builds_with_another_compiler(folder):
    command = block('sh', 'g++ ').replace('g++ ', 'clang++ ').replace('-fno-gnu-unique ', '')
    subprocess.run(['bash', '-euc', command], cwd=folder, check=True, env={**os.environ, 'POSTBUS': str(ROOT)})
    check(folder / 'hello.so')
