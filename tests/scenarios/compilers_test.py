"""Plugins made by other compilers, with another standard library: nothing but the C interface crosses."""
import subprocess
from pathlib import Path

import pytest
from postbus_daemon import SLOWNESS, Daemon, run_postbus, wait_until

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = [['g++'], ['clang++'], ['clang++', '-stdlib=libc++']]


def built(folder, compiler, source, replace=()):
    text = (ROOT / source).read_text()
    for old, new in replace:
        assert old in text
        text = text.replace(old, new)
    name = Path(source).stem
    (folder / (name + '.cpp')).write_text(text)
    flags = run_postbus('plugin', 'flags')
    assert flags.returncode == 0, flags.stderr
    subprocess.run([*compiler, *flags.stdout.split(), name + '.cpp', '-o', name + '.so'], cwd=folder, check=True,
                   timeout=120 * SLOWNESS)
    return folder / (name + '.so')


@pytest.mark.parametrize('compiler', COMPILERS, ids=['gcc', 'clang', 'libc++'])
def test_a_plugin_serves_is_replaced_and_goes(tmp_path, compiler):
    patient = built(tmp_path, compiler, 'examples/patient/patient.cpp')
    hello = built(tmp_path, compiler, 'plugins/bundled/hello/hello.cpp', [('"Hello "', '"Ahoy "')])
    with Daemon() as d:
        for file in hello, patient:
            done = d.postbus('plugin', 'deploy', file)
            assert done.returncode == 0, done.stderr
        assert d.say_hi('Zoë') == 'Ahoy Zoë'
        # Coroutines, timers, and text of all lengths go back and forth.
        assert d.say_hi('x' * 100_000) == 'Ahoy ' + 'x' * 100_000
        told = d.postbus('call', 'Patient', 'greetInTurn', 'name=Bob', 'name=Eve')
        assert told.returncode == 0, told.stdout + told.stderr
        assert 'Ahoy Bob' in told.stdout and 'Ahoy Eve' in told.stdout
        assert d.soap('/cxf/HelloWorld', b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
                      b'<h:sayHi xmlns:h="http://cxf.examples.servicemix.apache.org/"><arg0><b/></arg0></h:sayHi>'
                      b'</s:Body></s:Envelope>')[0] == 500
        for name in 'hello-world', 'patient':
            assert d.postbus('plugin', 'undeploy', name).returncode == 0
        assert d.say_hi('Zoë') == 'Hello Zoë'
        wait_until(lambda: len(d.events('plugin.unloaded')) == 3)  # the bundled one gave way before
        assert not d.events('plugin.unload.failed') and not d.events('plugin.misbehaved')
