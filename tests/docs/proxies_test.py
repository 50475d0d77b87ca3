"""docs/proxies.md, run as it is printed."""
import socket

from readme_test import ROOT, Clone

TEXT = (ROOT / 'docs' / 'proxies.md').read_text(encoding='utf-8')


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as probe:
        return str(probe.getsockname()[1])


def test_the_examples_work_as_printed(tmp_path):
    clone = Clone(tmp_path)
    clone.run_daemon()
    assert clone.follow(TEXT.replace('9000', free_port())) == 2
