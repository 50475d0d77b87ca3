"""The SDK as a package of its own: headers and CMake rules, and a project outside of the tree that uses them."""
import os
import subprocess
from pathlib import Path

from postbus_daemon import BIN, SLOWNESS, Daemon

ROOT = Path(__file__).resolve().parents[2]
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(ahoy LANGUAGES CXX)
find_package(PostbusPlugin 0.1 REQUIRED)
postbus_add_plugin(ahoy SOURCES hello.cpp)
"""


def run(*words):
    # None of this tree's settings is to be of any help.
    environment = {name: os.environ[name] for name in ('PATH', 'HOME') if name in os.environ}
    subprocess.run([*map(str, words)], check=True, timeout=240 * SLOWNESS, env=environment)


def test_a_project_outside_of_the_tree_builds_and_deploys(tmp_path):
    prefix, project, build = tmp_path / 'prefix', tmp_path / 'ahoy', tmp_path / 'build'
    run('cmake', '--install', BIN.parent, '--prefix', prefix, '--component', 'sdk')
    installed = sorted(str(each.relative_to(prefix)) for each in prefix.rglob('*') if each.is_file())
    headers = sorted('include/postbus/' + each.name for each in (ROOT / 'sdk' / 'postbus').iterdir())
    rules = ['lib/cmake/PostbusPlugin/' + name for name in (
        'PostbusPlugin.cmake', 'PostbusPluginConfig.cmake', 'PostbusPluginConfigVersion.cmake', 'plugin.map')]
    assert installed == headers + rules

    project.mkdir()
    (project / 'CMakeLists.txt').write_text(PROJECT)
    hello = (ROOT / 'plugins' / 'bundled' / 'hello' / 'hello.cpp').read_text()
    (project / 'hello.cpp').write_text(hello.replace('"Hello "', '"Ahoy "'))
    run('cmake', '-G', 'Ninja', '-S', project, '-B', build, '-DCMAKE_PREFIX_PATH=%s' % prefix, '-DCMAKE_BUILD_TYPE=Release')
    run('cmake', '--build', build)

    defined = subprocess.run(['nm', '-D', '--defined-only', str(build / 'ahoy.so')], stdout=subprocess.PIPE, check=True,
                             universal_newlines=True).stdout.split('\n')
    assert [line.split()[-1] for line in defined if line] == ['postbus_plugin_entry_v1']
    with Daemon() as d:
        done = d.postbus('plugin', 'deploy', build / 'ahoy.so')
        assert done.returncode == 0, done.stderr
        assert d.say_hi('Bob') == 'Ahoy Bob'
