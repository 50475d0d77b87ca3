"""postbus_module() refuses, when cmake configures, to use what is not below."""
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = '''cmake_minimum_required(VERSION 3.23)
project(layers LANGUAGES NONE)
include(%s/cmake/PostbusModule.cmake)
%s'''


def configure(folder, modules):
    for name in modules:
        (folder / name.split()[0]).mkdir(parents=True)
        (folder / name.split()[0] / 'CMakeLists.txt').write_text('postbus_module(%s)\n' % name)
    (folder / 'CMakeLists.txt').write_text(
        PROJECT % (ROOT, ''.join('add_subdirectory(%s)\n' % name.split()[0] for name in modules)))
    return subprocess.run(['cmake', '-S', folder, '-B', folder / 'build', '-G', 'Ninja'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, timeout=60)


def test_using_what_is_below_configures(tmp_path):
    run = configure(tmp_path, ['base', 'core USES base', 'transports/http USES core base'])

    assert run.returncode == 0, run.stdout


def test_using_what_is_above_is_refused(tmp_path):
    run = configure(tmp_path, ['base', 'core USES base transports/http', 'transports/http USES core'])

    assert run.returncode != 0
    assert 'core uses transports/http, which is not below it' in run.stdout


def test_a_word_that_is_no_argument_is_refused(tmp_path):
    run = configure(tmp_path, ['base', 'core NEEDS base'])

    assert run.returncode != 0
    assert 'postbus_module(core): unknown argument NEEDS' in run.stdout
