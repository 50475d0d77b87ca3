"""docs/plugin-abi.md: its plugin in C is built as C and serves; the extensions that it lists are those of the headers."""
import re
import subprocess

from postbus_daemon import SOAP11, Daemon
from readme_test import ROOT

TEXT = (ROOT / 'docs' / 'plugin-abi.md').read_text(encoding='utf-8')


def test_the_plugin_in_c_serves(tmp_path):
    (tmp_path / 'ping.c').write_text(re.search(r'^```c\n(.*?)^```$', TEXT, re.M | re.S)[1])
    subprocess.run(['gcc', '-std=c11', '-Wall', '-Wextra', '-Werror', '-O1', '-fPIC', '-shared', '-I' + str(ROOT / 'sdk'),
                    '-o', 'ping.so', 'ping.c'], cwd=tmp_path, check=True, timeout=120)
    with Daemon() as d:
        done = d.postbus('plugin', 'deploy', tmp_path / 'ping.so')
        assert (done.returncode, done.stdout) == (0, 'ping 1.0.0 serves (ping.so)\n'), done.stderr
        status, _, body = d.soap('/cxf/Ping', '<s:Envelope xmlns:s="%s"><s:Body><ping xmlns="urn:ping"/></s:Body>'
                                 '</s:Envelope>' % SOAP11)
        assert status == 200 and b'pong xmlns' in body, body


def test_all_extensions_are_listed():
    headers = ''.join((ROOT / 'sdk' / 'postbus' / name).read_text() for name in ('abi.h', 'abi_queues.h'))
    assert set(re.findall(r'#define POSTBUS_\w+ "(postbus\.[a-z-]+/\d)"', headers)) == set(re.findall(r'^\| `(postbus\S+)`', TEXT, re.M))
